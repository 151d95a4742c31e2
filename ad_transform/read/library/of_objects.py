"""Functions of the library that ask objects and classes of the user: `abs` of one that
has `__abs__`, `super()`, `type(p)`, and `sum` of objects that add up.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import (
    assigned_fields,
    inherited,
    instances,
    objects,
    overloads,
)
from ad_transform.read.values.described import describe
from ad_transform.read.values.structured import Group, Object
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.objects import assigning
    from ad_transform.read.objects.making import Caller, Keywords

_TYPE = "builtins.type"
NAMES = (
    inherited.SUPER,
    instances.ISINSTANCE,
    assigned_fields.SETTER,
    _TYPE,
)
"""The functions that are there for objects and classes alone."""
_SPECIAL = {
    "builtins.abs": "__abs__",
    "builtins.len": "__len__",
    "builtins.float": "__float__",
    "numpy.matmul": "__matmul__",
    "numpy.bitwise_and": "__and__",
    "numpy.bitwise_or": "__or__",
    "numpy.bitwise_xor": "__xor__",
}
"""Methods that functions and operators of the library ask an object for."""


def called(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value | None:
    """What a function asks an object or a class for; None for any other call."""
    special = _SPECIAL.get(name, "")
    if special and values and not keywords and overloads.defines(values[0], special):
        method = objects.attribute(flat, values[0], special, span)
        assert method is not None
        return call(flat, method, [*values[1:]], {}, span)
    if name == inherited.SUPER:
        return inherited.above(flat, values, span)
    if name == _TYPE and len(values) == 1:
        return objects.class_of(values[0])
    if name == assigned_fields.SETTER and len(values) == 3:
        return _set(flat, values, span)
    return None


def _set(flat: Context, values: Sequence[Value], span: Span) -> Value:
    """`object.__setattr__(self, "x", v)`, which frozen objects are made by."""
    value, name, new = values
    is_being_made = isinstance(value, Object) and value.identity is not None
    if not isinstance(name, Literal) or not is_being_made:
        message = "`object.__setattr__` is understood where an object is made"
        help_ = "make the object anew: `replace(p, x=...)`, of `dataclasses`"
        return flat.refuse("AD107", message, span, help_)
    assigning.store(flat, value, str(name.value), new, span, (), making=True)
    return Special.NONE


def are_added(value: Value) -> bool:
    """Whether values are objects, or add up by methods of their own."""
    return isinstance(value, Group) and any(
        isinstance(v, Object) or any(overloads.defines(v, name) for name in _ADDING)
        for v in value.items
    )


_ADDING = ("__add__", "__radd__")


def added(
    flat: Context, values: Sequence[Value], keywords: Keywords, span: Span, call: Caller
) -> Value:
    """`sum(vectors)`, which adds each to 0 or a start by the methods of their class."""
    assert isinstance(values[0], Group)
    starts = [*values[1:], *(v for word, v in keywords.items() if word == "start")]
    total: Value = starts[0] if starts else Literal(0)
    for item in values[0].items:
        own = overloads.defines(total, "__add__")
        is_alike = objects.class_of(total) is objects.class_of(item)
        reflected = overloads.defines(item, "__radd__") and not is_alike
        if not own and not reflected:
            message = f"`sum` adds {describe(item)} to {describe(total)}"
            help_ = "let the class define `__add__`, and give a start: `sum(x, start)`"
            return flat.refuse("AD107", message, span, help_)
        one, name, other = (
            (total, "__add__", item) if own else (item, "__radd__", total)
        )
        method = objects.attribute(flat, one, name, span)
        assert method is not None
        total = call(flat, method, [other], {}, span)
        if total is Special.REFUSED:
            break
    return total
