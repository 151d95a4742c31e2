"""Arguments of a call, each for its parameter of a function of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal, Passing
from ad_transform.later import later
from ad_transform.read.code import Formal
from ad_transform.read.iterables import once
from ad_transform.read.machine.arguments import arguments
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.storage import Rest
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Draft, Maybe, Special, Value

with later():
    from ad_transform.read.array_functions import of_arrays


def bound(
    flat: Context,
    closure: Closure,
    positional: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> dict[str, Value] | None:
    """The parameters with their values; None after a report of AD106."""
    formals = [f for f in closure.code.formals if not f.star]
    names = {**closure.defaults}
    takers = [f for f in formals if f.passing is not Passing.KEYWORD_ONLY]
    by_keyword = {f.name for f in formals if f.passing is not Passing.POSITIONAL_ONLY}
    given = {f.name: v for f, v in zip(takers, positional, strict=False)}
    more = {k: v for k, v in keywords.items() if k not in by_keyword}
    rests = {f.star: f.name for f in closure.code.formals if f.star}
    faults = [
        "" if "*" in rests else _too_many(len(takers), len(positional)),
        *(
            f"got an unexpected keyword argument {k!r}"
            for k in more
            if "**" not in rests
        ),
        *(f"got several values for {k!r}" for k in keywords if k in given),
    ]
    names |= given | {k: v for k, v in keywords.items() if k in by_keyword}
    for star, name in rests.items():
        names[name] = _rest(flat, star, positional[len(takers) :], more, span)
    shared = [f for f in formals if f.changes and f.name not in {*given, *keywords}]
    if shared:
        _refuse_default(flat, shared[0].name, span)
        return None
    missing = [f.name for f in formals if f.name not in names]
    if missing:
        faults.append(f"misses {', '.join(map(repr, missing))}")
    for wrong in filter(None, faults):
        signature = ", ".join(_in_order(closure.code.formals))
        help_ = f"it is defined as `{closure.code.name}({signature})`"
        flat.refuse("AD106", f"{closure.code.name!r} {wrong}", span, help_)
        return None
    for name, value in names.items():
        if isinstance(value, Draft) and not value.hint:
            value.hint, value.within, value.call = name, closure.code.name, names
    return names


def memo_of(closure: Closure, names: Mapping[str, Value]) -> Formal | None:
    """The parameter in which a function keeps results for the next call, if its default
    is taken.
    """
    for formal in closure.code.formals:
        name = formal.name
        if formal.memo and names[name] is closure.defaults.get(name):
            return formal
    return None


def kept_in(flat: Context, memo: Formal, value: Value, span: Span) -> Value:
    """A result that a function keeps; refused if it can change: the next call would
    find the change.
    """
    if _is_fixed(value):
        return value
    _refuse_default(flat, memo.name, span)
    return Special.REFUSED


def _is_fixed(value: Value) -> bool:
    """Whether nothing in a value can change: numbers, texts, and tuples and frozen
    objects of these.
    """
    match value:
        case Group(container=Container.TUPLE) | Object(identity=None):
            return all(map(_is_fixed, value.items))
        case Maybe():
            return _is_fixed(value.value)
        case Draft():
            return not value.type.shape
    return isinstance(value, Literal | Special)


def _refuse_default(flat: Context, name: str, span: Span) -> None:
    """Refuse a default that all calls share: a call may change it for the next one."""
    message = f"the default of {name!r} is one object for all calls, and may change"
    help_ = f"write `{name}=None`, and make it in each call: `if {name} is None: ...`"
    flat.refuse("AD122", message, span, help_)


def _rest(
    flat: Context,
    star: str,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> Value:
    """The value of `*args` or `**kwargs`: a tuple or a dict of further arguments."""
    last = values[-1] if values else None
    if star == "*" and isinstance(last, Rest):
        if len(values) == 1:
            return last.items
        starred = [False] * (len(values) - 1) + [True]
        parts = (*values[:-1], last.items)
        made = of_arrays.strung(flat, parts, starred, Container.TUPLE, span)
        return Special.REFUSED if made is None else made
    if star == "*":
        kept = tuple(once.kept(flat, value, span) for value in values)
        return Group(Container.TUPLE, kept)
    held = tuple(once.kept(flat, value, span) for value in keywords.values())
    return Dict(tuple(map(Literal, keywords)), held)


def _in_order(formals: Sequence[Formal]) -> list[str]:
    """Parameters as they stand in a definition, without their defaults."""
    only = Passing.KEYWORD_ONLY
    named = [f.name for f in formals if f.passing is only and not f.star]
    stars = {f.star: f"{f.star}{f.name}" for f in formals if f.star}
    before = [stars["*"]] if "*" in stars else ["*"] if named else []
    behind = [stars["**"]] if "**" in stars else []
    return [
        *(f.name for f in formals if f.passing is not only),
        *before,
        *named,
        *behind,
    ]


def _too_many(takes: int, given: int) -> str:
    return f"takes {arguments(takes)}, not {given}" if given > takes else ""
