"""Calls: arguments taken apart, and the meaning of the function called."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import STR
from ad_transform.later import later
from ad_transform.read.calls import spreading
from ad_transform.read.calls.formals import bound, kept_in, memo_of
from ad_transform.read.code import Call
from ad_transform.read.iterables import once
from ad_transform.read.library import elemental_calls
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import objects
from ad_transform.read.values.callables import (
    Chosen,
    Closure,
    Dotted,
    External,
    Method,
    Partial,
)
from ad_transform.read.values.classes import Class
from ad_transform.read.values.structured import Dict
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.array_functions import distances
    from ad_transform.read.branches import choices
    from ad_transform.read.calls import methods
    from ad_transform.read.calls.outside_calls import called as outside
    from ad_transform.read.iterables import generators
    from ad_transform.read.library import library_calls
    from ad_transform.read.objects import (
        enumerations,
        homes,
        making,
    )
    from ad_transform.read.objects.making import Keywords
    from ad_transform.read.rows import turning
    from ad_transform.read.values.described import describe

_ZIP = Dotted("builtins.zip")
_HYPOT = Dotted("math.hypot")


def call(flat: Context, callee: Value, made: Call, values: Sequence[Value]) -> Value:
    """The result of a call, its arguments evaluated.

    Refuses AD106 (signature), AD107 (not callable), AD110 (unknown), AD111 (keyword),
    AD120 (recursion), AD121 (another module).
    """
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    opened = [
        once.opened(generators.iterated(flat, value, made.span))
        if name == "*"
        else value
        for name, value in zip(made.arguments, values, strict=True)
    ]
    line = spreading.as_list(flat, callee, made, opened)
    if line is not None and callee == _HYPOT:
        return distances.length(flat, line, made.span)
    if line is not None:
        return called_with(flat, callee, [line], keywords, made.span)
    for name, value in zip(made.arguments, opened, strict=True):
        if name == "*":
            columns = None
            if callee == _ZIP and len(values) == 1:
                columns = turning.columns_of(flat, value, made.span)
            if columns is not None:
                return once.given(flat, _ZIP.name, values, columns)
            more = spreading.spread(flat, callee, made, value, made.span)
            if more is None:
                return Special.REFUSED
            positional += more
        elif name == "**":
            words = _spread(flat, value, keywords, made.span)
            if words is None:
                return Special.REFUSED
            keywords |= words
        elif name:
            keywords[name] = value
        else:
            positional.append(value)
    return called_with(flat, callee, positional, keywords, made.span)


def _spread(
    flat: Context, value: Value, given: Keywords, span: Span
) -> dict[str, Value] | None:
    """The keywords that `**value` gives; None after a report."""
    value = homes.as_dict(flat, value, span)
    if value is Special.REFUSED:
        return None
    own = value.keys if isinstance(value, Dict) else ()
    keys = [str(key.value) for key in own if isinstance(key, Literal)]
    texts = [k for k in own if isinstance(k, Literal) and k.type == STR]
    if not isinstance(value, Dict) or len(texts) < len(own):
        message = f"`**` of {describe(value)} is not supported"
        help_ = "give it a dict whose keys are texts"
        flat.refuse("AD102", message, span, help_)
        return None
    twice = [key for key in keys if key in given]
    if twice:
        message = f"the keyword {twice[0]!r} is given twice"
        flat.refuse("AD106", message, span, "give it once")
        return None
    return dict(zip(keys, value.items, strict=True))


def called_with(
    flat: Context,
    callee: Value,
    positional: list[Value],
    keywords: dict[str, Value],
    span: Span,
) -> Value:
    """The result of a call with the arguments by position, and those by name."""
    if isinstance(callee, Partial):
        positional = [*callee.positional, *positional]
        keywords = {**dict(callee.keywords), **keywords}
        return called_with(flat, callee.function, positional, keywords, span)
    if isinstance(callee, Closure):
        names = bound(flat, callee, positional, keywords, span)
        if names is None:
            return _read_on(flat, callee, span)
        memo, value = memo_of(callee, names), flat.enter(callee, names, span)
        return value if memo is None else kept_in(flat, memo, value, span)
    if isinstance(callee, External):
        names = bound(flat, callee.closure, positional, keywords, span)
        return Special.REFUSED if names is None else outside(flat, callee, names, span)
    if isinstance(callee, Class):
        if Special.REFUSED in (*positional, *keywords.values()):
            return Special.REFUSED
        if enumerations.is_one(callee):
            return enumerations.called(flat, callee, positional, span)
        return making.construct(flat, callee, positional, keywords, span, called_with)
    if isinstance(callee, Dotted):
        name = callee.name
        if not keywords:
            made = elemental_calls.of_numbers(flat, name, positional, span)
            if made is not None:
                return made
        return library_calls.called(flat, name, positional, keywords, span, called_with)
    if callee is Special.REFUSED:
        return callee
    if isinstance(callee, Chosen):
        return _one_called(flat, callee, positional, keywords, span)
    if isinstance(callee, Method):
        return methods.called(flat, callee, positional, keywords, span, called_with)
    of = objects.class_of(callee)
    if of is not None and of.owner("__call__") is not None:
        method = objects.attribute(flat, callee, "__call__", span)
        assert method is not None
        return called_with(flat, method, positional, keywords, span)
    message = f"{describe(callee)} cannot be called"
    return flat.refuse("AD107", message, span, "write `*` for a product")


def _read_on(flat: Context, callee: Closure, span: Span) -> Value:
    """Report unknown names and functions in a function whose call does not fit."""
    if callee.code not in flat.running:
        names: dict[str, Value] = dict.fromkeys(
            (formal.name for formal in callee.code.formals), Special.REFUSED
        )
        with flat.module.shared.apart() as report:
            flat.enter(callee, names, span)
        found = (one for one in report.sorted() if one.code in _OF_NAMES)
        flat.module.report.extend(found)
    return Special.REFUSED


_OF_NAMES = frozenset({"AD103", "AD110"})


def _one_called(
    flat: Context,
    callee: Chosen,
    positional: list[Value],
    keywords: dict[str, Value],
    span: Span,
) -> Value:
    """The result of a call of one of two functions, as a run chooses."""

    def run(function: Value) -> Value:
        one = flat.materialise(function)
        return called_with(flat, one, list(positional), dict(keywords), span)

    what = "a call of one of two functions that give"
    arms = (lambda: run(callee.one), lambda: run(callee.other))
    return choices.choose(flat, callee.test, *arms, what, span)
