"""Operators that a dataclass defines: `a + b` is `a.__add__(b)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.calls.calls import called_with
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import objects
from ad_transform.read.project.class_statements import ARITHMETIC
from ad_transform.read.values.classes import Style
from ad_transform.read.values.values import Value, is_whole

with later():
    from ad_transform.read.branches import choices
    from ad_transform.read.known.grids import is_array
    from ad_transform.read.objects import homes

# fmt: off
_METHODS: Mapping[str, tuple[str, str]] = {
    "add":      ("__add__", "__radd__"),
    "sub":      ("__sub__", "__rsub__"),
    "mul":      ("__mul__", "__rmul__"),
    "div":      ("__truediv__", "__rtruediv__"),
    "mod":      ("__mod__", "__rmod__"),
    "floordiv": ("__floordiv__", "__rfloordiv__"),
    "pow":      ("__pow__", "__rpow__"),
    "neg":      ("__neg__", ""),
    "pos":      ("__pos__", ""),
}
# fmt: on
"""The method of the first operand that an operator calls, and that of the second."""


def operated(
    flat: Context, op: str, values: Sequence[Value], span: Span
) -> Value | None:
    """The result of the method of an operand; None where no operand has one. An array
    calls it for each of its elements: that is none.
    """
    if not any(map(objects.class_of, values)):
        return None
    if any(is_array(value) or is_whole(value) for value in values):
        return None
    for k, (name, value) in enumerate(zip(_METHODS.get(op, ()), values, strict=False)):
        is_alike = k == 1 and objects.class_of(values[0]) is objects.class_of(value)
        if defines(value, name) and not is_alike:  # Python asks a class but once
            method = objects.attribute(flat, value, name, span)
            assert method is not None
            others = [*values[:k], *values[k + 1 :]]
            return called_with(flat, method, others, {}, span)
    return None


_COMPARED = {
    "eq": ("__eq__", "__eq__"),
    "lt": ("__lt__", "__gt__"),
    "le": ("__le__", "__ge__"),
    "gt": ("__gt__", "__lt__"),
    "ge": ("__ge__", "__le__"),
}
"""The method of the first operand that a comparison calls, and that of the second."""


def compared(
    flat: Context, op: str, left: Value, right: Value, span: Span
) -> Value | None:
    """The result of a comparison by a method of an operand; None where none has one."""
    names = _COMPARED.get(op, ("", ""))
    for name, one, other in zip(names, (left, right), (right, left), strict=True):
        if name and defines(one, name) and not _is_generated(one, name):
            method = objects.attribute(flat, one, name, span)
            assert method is not None
            return called_with(flat, method, [other], {}, span)
    return None


def _is_generated(value: Value, name: str) -> bool:
    """Whether a dataclass generates a method, in place of one of its bases."""
    of = objects.class_of(value)
    return name == "__eq__" and of is not None and of.compared is not None


def differs_by_equality(left: Value, right: Value) -> bool:
    """Whether `!=` is the opposite of the result of a method for `==`."""
    given = (left, right)
    if any(defines(value, "__ne__") for value in given):
        return False
    return any(defines(v, "__eq__") and not _is_generated(v, "__eq__") for v in given)


def changed(
    flat: Context, op: str, values: Sequence[Value], span: Span
) -> Value | None:
    """The result of `a += b`; it is `a + b` unless a class changes its objects."""
    first, _ = _METHODS.get(op, ("", ""))
    own = first.replace("__", "__i", 1)
    if first and defines(values[0], own):
        method = objects.attribute(flat, values[0], own, span)
        assert method is not None
        return called_with(flat, method, [*values[1:]], {}, span)
    return operated(flat, op, values, span)


def taken(flat: Context, value: Value, index: Value, span: Span) -> Value | None:
    """The value of `value[index]` by a method of its class, or of a dict that stands in
    a list; None of any other value.
    """
    own = homes.entry(flat, value, index, span)
    if own is not None:
        return own
    if not defines(value, "__getitem__"):
        return None
    method = objects.attribute(flat, value, "__getitem__", span)
    assert method is not None
    return called_with(flat, method, [index], {}, span)


def truth(flat: Context, value: Value, what: str, span: Span) -> Value | None:
    """Whether an object is true: as its class says, by its length, or at any rate; None
    of any other value.
    """
    of = objects.class_of(value)
    if of is None or of.style not in _OWN:
        return None
    for name in ("__bool__", "__len__"):
        if of.owner(name) is not None:
            method = objects.attribute(flat, value, name, span)
            assert method is not None
            found = called_with(flat, method, [], {}, span)
            return choices.truth(flat, found, what, span)
    return Literal(True)


def contained(flat: Context, value: Value, group: Value, span: Span) -> Value | None:
    """`value in group` where a class says it; None where it does not."""
    if not defines(group, "__contains__"):
        return None
    method = objects.attribute(flat, group, "__contains__", span)
    assert method is not None
    found = called_with(flat, method, [value], {}, span)
    return choices.truth(flat, found, "`in`", span)


_OWN = (Style.OBJECT, Style.SPACE)


def defines(value: Value, name: str) -> bool:
    """Whether the class of a value has a method for an operator."""
    of = objects.class_of(value)
    if of is None or of.owner(name) is None:
        return False
    return of.style in _OWN or (of.style is Style.TUPLE and name in ARITHMETIC)
