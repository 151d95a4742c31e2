"""Unions, intersections and differences of two sets.

Sets whose items are written out give such a set. Of any others it is a list that is
made item by item, as the text in `in_python` says.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays import indexing
from ad_transform.read.containers import sequences
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Distinct
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.calls.calls import called_with
    from ad_transform.read.lists import sets

_FILE = "sets"
Items = dict[Any, Literal]

# fmt: off
_MADE: Mapping[str, tuple[str, Callable[[Items, Items], Items]]] = {
    "union":                (
        "unite",     lambda a, b: {**b, **a}),
    "intersection":         (
        "intersect", lambda a, b: _common(a, b) if len(b) > len(a) else _common(b, a)),
    "of_items":             (
        "pick",      lambda a, b: _common(b, a)),
    "difference":           (
        "subtract",  lambda a, b: {k: v for k, v in a.items() if k not in b}),
    "symmetric_difference": (
        "differ",    lambda a, b: {k: v for k, v in [*a.items(), *b.items()]
                                   if not (k in a and k in b)}),
}
_SIGNS = {
    "numpy.bitwise_or":  "union",      "numpy.bitwise_and": "intersection",
    "sub":               "difference", "numpy.bitwise_xor": "symmetric_difference",
}
_CHANGING = {
    "|": "update", "&": "intersection_update", "sub": "difference_update",
}
_CHANGED: Mapping[str, str] = {
    "discard": "discard", "remove": "remove",
    "difference_update": "leave_out",
}
_ASKED: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "le": ("within", operator.le), "ge": ("around", operator.ge),
    "lt": ("below",  operator.lt), "gt": ("above",  operator.gt),
    "eq": ("same",   operator.eq), "ne": ("unlike", operator.ne),
    "isdisjoint": ("apart", lambda a, b: not a & b),
    "issubset":   ("within", operator.le), "issuperset": ("around", operator.ge),
}
# fmt: on
_KEPT = "intersection_update"
METHODS: frozenset[str] = frozenset(
    (*_MADE, *_CHANGED, _KEPT, "isdisjoint", "issubset", "issuperset")
)
"""Those of one set with another one, or with other items."""


def operated(
    flat: Context, name: str, values: Sequence[Value], span: Span
) -> Value | None:
    """`a | b`, `a & b`, `a - b`, `a ^ b`; None where one of them is no set."""
    if name not in _SIGNS or not all(isinstance(v, Distinct) for v in values):
        return None
    return _operated(flat, _SIGNS[name], values, span)


def compared(
    flat: Context, op: str, one: Value, other: Value, span: Span
) -> Value | None:
    """`a <= b`, `a == b` and their like; None where one of them is no set."""
    if not isinstance(one, Distinct) or not isinstance(other, Distinct):
        return None
    return _asked(flat, one, op, other, span)


def changed(
    flat: Context, sign: str, one: Value, other: Value, span: Span
) -> Value | None:
    """`a |= b` and its like, which change the set; None where one of them is none."""
    if not isinstance(one, Distinct) or not isinstance(other, Distinct):
        return None
    if sign not in _CHANGING:
        message = f"`{sign}=` of sets is not supported"
        return flat.refuse("AD107", message, span, f"write `a = a {sign} b`")
    made = _operated(flat, _CHANGING[sign], (one, other), span)
    return made if made is Special.REFUSED else one


def _operated(flat: Context, name: str, values: Sequence[Value], span: Span) -> Value:
    """The result of the method that an operator calls."""
    one, other = values
    assert isinstance(one, Distinct)
    try:
        return sets.method(flat, one, name, (other,), span)
    except Unfit as unfit:
        return flat.refuse("AD106", f"{name!r} {unfit}", span, unfit.help)


def method(flat: Context, of: Distinct, name: str, values: Values, span: Span) -> Value:
    """The result of a method of a set that takes another one; raises Unfit."""
    expect(values, 1, 1)
    (other,) = values
    if name in _MADE:
        return _made(flat, of, name, other, span)
    if name in _ASKED:
        return _asked(flat, of, name, other, span)
    if isinstance(of.inner, Group):
        flat.refit(of.inner)
        raise Unfit(
            "changes a set that does not change", "make the set in the function"
        )
    if name == _KEPT:
        made = _made(flat, of, "intersection", other, span)
        return _call(flat, "replace", (of.inner, _inner(made)), span)
    given = (of.inner, _inner(other))
    return _call(flat, _CHANGED[name], given, span)


def _made(flat: Context, of: Distinct, name: str, other: Value, span: Span) -> Value:
    if name == "intersection" and not isinstance(other, Distinct):
        name = "of_items"
    function, compute = _MADE[name]
    one, two = _known(flat, of), _known(flat, other)
    if one is not None and two is not None:
        items = tuple(compute(one, two).values())
        return Distinct(indexing.made(flat, Group(Container.LIST, items), span), None)
    found = sets.made(flat, (), {}, span)
    assert isinstance(found, Distinct)
    made = _call(flat, function, (found.inner, of.inner, _inner(other)), span)
    return Special.REFUSED if made is Special.REFUSED else found


def _asked(flat: Context, of: Distinct, name: str, other: Value, span: Span) -> Value:
    function, compute = _ASKED[name]
    one, two = _known(flat, of), _known(flat, other)
    if one is not None and two is not None:
        return Literal(compute(one.keys(), two.keys()))
    return _call(flat, function, (of.inner, _inner(other)), span)


def _common(one: Items, other: Items) -> Items:
    """The items of one that are in another one; for 0.0 and -0.0 that of the first."""
    return {key: item for key, item in one.items() if key in other}


def _known(flat: Context, value: Value) -> Items | None:
    """The items that are written out, each once, by their values; None of others."""
    known = sequences.known_items(_inner(value), flat.wholes)
    numbers = [one for one in known or () if isinstance(one, Literal)]
    if known is None or len(numbers) < len(known):
        return None
    found: Items = {}
    for one in numbers:
        found.setdefault(one.value, one)
    return found


def _inner(value: Value) -> Value:
    return value.inner if isinstance(value, Distinct) else value


def _call(flat: Context, name: str, values: Sequence[Value], span: Span) -> Value:
    library = flat.module.elsewhere.library(_FILE)
    return called_with(flat, library.definitions.define(name), [*values], {}, span)
