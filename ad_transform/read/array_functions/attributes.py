"""`a.name` of lists, dicts and arrays: lengths, methods, transposes."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import extents
from ad_transform.read.arrays.blocks import AXES
from ad_transform.read.containers import (
    entries,
    keyed,
    tables,
)
from ad_transform.read.known import of_known
from ad_transform.read.layers import layered
from ad_transform.read.machine import arguments
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Method
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group
from ad_transform.read.values.values import Draft, Special, Value
from ad_transform.read.wholes import of_whole
from ad_transform.read.wholes.wholes import whole_of


def attribute(
    flat: Context,
    value: Array | Group | Dict | Rows | Lists | Stack | Draft,
    name: str,
    span: Span,
) -> Value:
    """`value.name`."""
    if isinstance(value, Draft):
        return _of_whole(flat, value, name, span)
    if name in ("count", "index") and _is_list(value):
        return Method(value, name)
    if isinstance(value, Rows | Lists | Stack):
        is_sorted = name == "sort" and isinstance(value, Rows)
        if is_sorted or name in _OF_GROWN:
            return Method(value, name)
    elif isinstance(value, Dict):
        is_asked = name in keyed.ASKED and keyed.counts(value)
        if is_asked or name in tables.METHODS or name in entries.CHANGING:
            return Method(value, name)
    elif isinstance(value, Group) and value.container is not Container.ARRAY:
        if name in METHODS:
            return Method(value, name)
    elif name == "shape":
        return (
            extents.shape(flat, value, span)
            if isinstance(value, Array)
            else known_shape(value)
        )
    elif name == "size":
        return extents.size(flat, value, span)
    elif name == "T":
        return _turned(flat, value, span)
    elif name == "ndim":
        return Literal(extents.rank(value))
    elif name in METHODS or name in of_known.METHODS or name in of_whole.METHODS:
        return Method(value, name)
    message = f"the attribute {name!r} of {describe(value)} is not supported"
    help_ = _INSTEAD.get(name, "write it with indices and loops")
    if isinstance(value, Group) and value.of is not None:
        help_ = f"its fields: {', '.join(value.of.names)}"
    return flat.refuse("AD102", message, span, help_)


def _is_list(value: Value) -> bool:
    """Whether a value is a list or tuple, and no array."""
    if isinstance(value, Array):
        return value.cell.container is not Container.ARRAY
    if isinstance(value, Group):
        return value.container is not Container.ARRAY
    return isinstance(value, Rows)


_OF_GROWN = ("append", "clear", "copy", "extend", "insert", "pop", "reverse")

# fmt: off
_INSTEAD = {
    "reverse": "write `x = x[::-1]`",
    "popitem": "write a new dict: `d = {...}`",
}
# fmt: on


def _turned(flat: Context, value: Array | Group, span: Span) -> Value:
    """`x.T` of an array whose elements are known."""
    found = of_known.method(flat, value, "transpose", (), {}, span)
    if found is not None:
        return found
    return _of_whole(flat, value, "T", span)


def _of_whole(flat: Context, value: Value, name: str, span: Span) -> Value:
    """An attribute of a whole array."""
    if name in of_whole.METHODS or name == "sort":
        return Method(value, name)
    if name not in of_whole.ATTRIBUTES:
        message = f"the attribute {name!r} of an array is not supported"
        return flat.refuse("AD102", message, span, "write a function of numpy")
    try:
        if name == "T" and layered.rank_of(value) >= AXES:
            return of_whole.called(flat, "numpy.transpose", (value,), {}, span)
        whole = whole_of(flat, value, span)
        return of_whole.ATTRIBUTES[name](flat, span, whole)
    except arguments.Unfit as unfit:
        return flat.refuse("AD107", f"the array {unfit}", span, unfit.help)


def known_shape(group: Group) -> Group:
    """The shape of an array whose items are known."""
    sizes: list[Value] = []
    inner: Value = group
    while isinstance(inner, Group):
        sizes.append(Literal(len(inner.items)))
        inner = inner.items[0] if inner.items else Special.NONE
    return Group(Container.TUPLE, tuple(sizes))


METHODS = frozenset(
    {
        "append",
        "clear",
        "copy",
        "dot",
        "extend",
        "fill",
        "insert",
        "max",
        "mean",
        "min",
        "pop",
        "prod",
        "remove",
        "reverse",
        "sort",
        "sum",
    }
) | {"tolist"}
