"""Objects made of classes, and made anew from others.

The `__init__` of a class runs, or `__post_init__` behind that of a dataclass. It
assigns the fields of an object in the making; that is a reference, whose fields have
the values assigned by then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal, Passing
from ad_transform.read.iterables import once
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import assigning
from ad_transform.read.objects.objects import METHODS, class_of, flawed
from ad_transform.read.values.callables import Method
from ad_transform.read.values.classes import Class, Field, Style
from ad_transform.read.values.described import describe
from ad_transform.read.values.frames import Promise, known_of
from ad_transform.read.values.regrouping import kind_of, regroup
from ad_transform.read.values.structured import (
    STRUCTURED,
    Dict,
    Group,
    Identity,
    Object,
)
from ad_transform.read.values.values import Special, Value

Keywords = Mapping[str, Value]

Caller = Callable[[Context, Value, list[Value], dict[str, Value], Span], Value]
"""The call of a function with arguments by position and by name."""

REPLACE = frozenset({"dataclasses.replace", "copy.replace"})
"""Functions that make an object anew, with some other fields."""

_FLAT = frozenset({"dataclasses.astuple", "dataclasses.asdict"})

OF_OBJECTS = REPLACE | _FLAT
"""Functions of the library that take objects."""


def construct(
    flat: Context,
    of: Class,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value:
    """`State(1.0, v=2.0)`; refuses AD106 (arguments) and AD107 (no plain class)."""
    if of.flaw:
        return flawed(flat, of, span)
    if of.barred:
        message = f"an object of {of.name!r} is not made here: the class {of.barred}"
        help_ = "write a plain class, or take the object as a parameter"
        return flat.refuse("AD107", message, span, help_)
    if of.style in (Style.TUPLE, Style.DICT) or _is_plain(of):
        items = _given(flat, of, of, values, keywords, span, call)
        if items is None or Special.REFUSED in items.values():
            return Special.REFUSED
        held = tuple(items[name] for name in of.names)
        if of.style is Style.DICT:
            return Dict(tuple(map(Literal, of.names)), held)
        return flat.heap.fields.made(of, held)
    own = _begun(flat, of, span, call)
    ended = initialise(flat, own, of, values, keywords, span, call)
    return _ended(flat, own, span) if ended else Special.REFUSED


def _is_plain(of: Class) -> bool:
    """Whether the arguments are the fields, and nothing else runs."""
    home = of.initialised
    is_generated = home is not None and home.generated and not of.own
    return is_generated and home is not None and home.names == of.names


def initialised(
    flat: Context,
    own: Object,
    of: Class | None,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value:
    """The value None of a call of `__init__` for an object; nothing runs where no class
    defines it.
    """
    if of is None:
        return Special.NONE
    done = initialise(flat, own, of, values, keywords, span, call)
    return Special.NONE if done else Special.REFUSED


def initialise(
    flat: Context,
    own: Object,
    of: Class,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> bool:
    """Run the `__init__` that a class has for an object; False after a report."""
    home = of.initialised
    if home is None:
        if values or keywords:
            message = f"{of.name!r} takes no arguments"
            help_ = "write an `__init__` that takes them"
            flat.refuse("AD106", message, span, help_)
        return not values and not keywords
    if not home.generated:
        method = home.module.definitions.member(home, "__init__")
        given = [own, *values]
        return call(flat, method, given, dict(keywords), span) is Special.NONE
    items = _given(flat, home, own.of, values, keywords, span, call)
    if items is None or Special.REFUSED in items.values():
        return False
    kept = [name for name in items if name in home.names]
    for name in kept:
        assigning.store(flat, own, name, items[name], span, (), making=True)
    if own.of.owner("__post_init__") is None:
        return True
    owner, _ = own.of.owner("__post_init__") or (own.of, None)
    method = owner.module.definitions.member(owner, "__post_init__")
    more = [item for name, item in items.items() if name not in home.names]
    return call(flat, method, [own, *more], {}, span) is Special.NONE


# --- an object in the making ----------------------------------------------------------


def _begun(flat: Context, of: Class, span: Span, call: Caller) -> Object:
    """An object whose fields its class has still to assign."""
    items = tuple(_start(flat, of, f, span, call) for f in of.fields)
    own = Identity(of, flat.heap.fields.tick(), making=True)
    return Object(of, items, own)


def _start(flat: Context, of: Class, field: Field, span: Span, call: Caller) -> Value:
    """The value of a field before `__init__`."""
    if field.default is None or field in of.given:
        return Special.UNSET
    return _default(flat, of, field, span, call)


def _default(flat: Context, of: Class, field: Field, span: Span, call: Caller) -> Value:
    definitions = field.home.definitions
    if not field.anew:
        return definitions.default(of, field)
    return call(flat, definitions.factory(of, field), [], {}, span)


def _ended(flat: Context, own: Object, span: Span) -> Value:
    """The object with the fields that its class has assigned.

    A field that a branch has assigned is joined when it is read. Where a value has kept
    a reference to the object, both are one.
    """
    fields, of, identity = flat.heap.fields, own.of, own.identity
    assert identity is not None
    parts = [fields.names.get(fields.key(identity, name)) for name in of.names]
    reached = assigning.reached(flat, [*assigning.everything(flat), *parts])
    is_kept = any(
        isinstance(one, Object) and one.identity is identity for one in reached
    )
    items: list[Value] = []
    open_: list[str] = []
    for name, start in zip(of.names, own.items, strict=True):
        key = fields.key(identity, name)
        now = fields.names.get(key)
        if isinstance(now, Promise) and now.made is None:
            open_.append(name)
            items.append(Special.UNSET)
            continue
        now = known_of(now)
        items.append(start if now is None else now)
        if not is_kept:
            fields.names.pop(key, None)
    identity.making = False
    if is_kept or open_:
        for name, item in zip(of.names, items, strict=True):
            key = fields.key(identity, name)
            if key in fields.first:
                fields.first[key] = item
        identity.fixed = of.frozen
        return Object(of, tuple(items), identity)
    return fields.made(of, tuple(items))


# --- arguments ------------------------------------------------------------------------


def _given(
    flat: Context,
    of: Class,
    made: Class,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> dict[str, Value] | None:
    """The values that a generated `__init__` of a class takes, in order; None after a
    report.
    """
    takers = [f.name for f in of.given if f.passing is not Passing.KEYWORD_ONLY]
    given = dict(zip(takers, values, strict=False))
    fault = _fault(of, takers, values, given, keywords)
    if fault:
        signature = ", ".join(field.name for field in of.given)
        help_ = f"its fields: `{of.name}({signature})`"
        flat.refuse("AD106", f"{of.name!r} {fault}", span, help_)
        return None
    given |= keywords
    return {
        f.name: (
            once.kept(flat, given[f.name], span)
            if f.name in given
            else _default(flat, made, f, span, call)
        )
        for f in of.given
    }


def _fault(
    of: Class,
    takers: Sequence[str],
    values: Sequence[Value],
    given: Keywords,
    keywords: Keywords,
) -> str:
    """The fault of the arguments, or the empty text."""
    if of.style is Style.DICT and values:
        return "takes its keys by name"
    if len(values) > len(takers):
        return f"takes {len(takers)} values, not {len(values)}"
    names = [field.name for field in of.given]
    for name in keywords:
        if name not in names:
            return f"has no field {name!r}"
        if name in given:
            return f"got several values for {name!r}"
    known = {**given, **keywords}
    missing = [f.name for f in of.given if f.name not in known and f.default is None]
    return f"misses {', '.join(map(repr, missing))}" if missing else ""


# --- anew -----------------------------------------------------------------------------


def made_by(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value | None:
    """The value that a function of `dataclasses` makes; None where it is given no
    object.
    """
    value = values[0] if values else Special.NONE
    of = class_of(value)
    if of is None or not isinstance(value, Object | Group):
        return None
    if name in REPLACE and len(values) == 1:
        return replaced(flat, value, keywords, span, call)
    if name in _FLAT and isinstance(value, Object) and len(values) == 1:
        if keywords:
            return None
        now = flat.heap.fields.deep(value, span)
        return _taken_apart(now, name.endswith("tuple"))
    return None


def _taken_apart(value: Value, tupled: bool) -> Value:
    """`astuple` or `asdict`: dataclasses inside are taken apart, too."""
    if not isinstance(value, STRUCTURED):
        return value
    kind = kind_of(value)
    if isinstance(value, Object):
        names = value.of.names
        kind = Container.TUPLE if tupled else tuple(map(Literal, names))
    return regroup(kind, tuple(_taken_apart(item, tupled) for item in value.items))


def replaced(
    flat: Context,
    value: Object | Group,
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value:
    """An object with some other fields."""
    of = class_of(value)
    assert of is not None
    if of.style is Style.OBJECT and not of.generated:
        message = f"{of.name!r} is no dataclass, of which objects are made anew"
        help_ = f"call the class: `{of.name}(...)`, or change a copy: `copy.copy(p)`"
        return flat.refuse("AD107", message, span, help_)
    if of.barred or not (of.style is Style.TUPLE or _is_plain(of)):
        assert isinstance(value, Object)
        held = dict(zip(of.names, flat.heap.fields.items(value, span), strict=True))
        same = {f.name: held[f.name] for f in of.given if f.name in held}
        return construct(flat, of, (), {**same, **keywords}, span, call)
    for name in keywords:
        if name not in of.names:
            fields = ", ".join(of.names)
            message = f"{of.name!r} has no field {name!r}"
            return flat.refuse("AD106", message, span, f"its fields: {fields}")
    own, before = flat.heap.fields, value.items
    if isinstance(value, Object):
        before = own.items(value, span)
    named = zip(of.names, before, strict=True)
    items = tuple(keywords.get(name, item) for name, item in named)
    if isinstance(value, Object):
        return own.made(of, items)
    return regroup(kind_of(value), items)


def method(
    flat: Context,
    callee: Method,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value | None:
    """The result of a method of a NamedTuple; None where it is no such method."""
    of = class_of(callee.of)
    if of is None or callee.name not in METHODS:
        return None
    assert isinstance(callee.of, Group)
    if values or (callee.name == "_asdict" and keywords):
        message = f"{callee.name!r} of {describe(callee.of)} takes no such arguments"
        return flat.refuse("AD106", message, span, "give fields by name")
    if callee.name == "_asdict":
        return Dict(tuple(map(Literal, of.names)), callee.of.items)
    return replaced(flat, callee.of, keywords, span, call)
