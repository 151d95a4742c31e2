"""Whole arrays made of parts of others, as numpy's functions have them: the table."""

from __future__ import annotations

from collections.abc import Mapping
from sys import float_info

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, Kind
from ad_transform.read.arrays import extents
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.code import Call, Push
from ad_transform.read.known.of_known import items_of
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes.whole_layouts import (
    Rule,
    filled,
    natural,
    number,
    rank,
    raveled,
    require_held,
    seen,
)
from ad_transform.read.wholes.whole_padding import padded
from ad_transform.read.wholes.whole_parts import part
from ad_transform.read.wholes.wholes import (
    apply,
    joined,
    length,
    operated,
    real,
    require_broadcast,
    whole_of,
)

# --- repeated -------------------------------------------------------------------------


def _repeated(name: str) -> Rule:
    """`np.repeat` and `np.tile` of a vector."""

    def rule(flat: Context, span: Span, a: Number, times: Value) -> Value:
        if rank(a) != 1:
            raise Unfit("needs a vector", "write it for one row or column at a time")
        return apply(flat, name, a, natural(times), span=span)

    return rule


def _broadcast(flat: Context, span: Span, a: Number, shape: Value) -> Value:
    """`np.broadcast_to`."""
    sizes = shape.items if isinstance(shape, Group) else (shape,)
    if not rank(a) <= len(sizes) <= MOST:
        raise Unfit("needs one length or two", "arrays have one axis or two here")
    like = filled(flat, span, Literal(0.0), [natural(n) for n in sizes])
    return seen(flat, a, _over(flat, span, a, like))


def _over(flat: Context, span: Span, a: Number, like: Number) -> Draft:
    require_broadcast(flat, (a, like), span)
    return apply(flat, "copied", apply(flat, "spread", a, like, span=span), span=span)


def _grid(flat: Context, span: Span, x: Number, y: Number, indexing: Value) -> Value:
    """`np.meshgrid` of two vectors."""
    order = "xy" if indexing is Special.NONE else getattr(indexing, "value", None)
    if rank(x) != 1 or rank(y) != 1 or order not in ("xy", "ij"):
        raise Unfit("needs two vectors", "write `x[:, None]` and `y[None, :]`")
    down, along = (y, x) if order == "xy" else (x, y)
    sizes = [length(flat, a, 0, span) for a in (down, along)]
    like = filled(flat, span, Literal(0.0), sizes)
    column = _over(flat, span, apply(flat, "column", down, span=span), like)
    row = _over(flat, span, apply(flat, "row", along, span=span), like)
    parts = (row, column) if order == "xy" else (column, row)
    return Group(Container.TUPLE, parts)


# --- longer and shorter ---------------------------------------------------------------


def _draft(a: Number) -> Draft:
    assert isinstance(a, Draft)
    return a


def _deleted(flat: Context, span: Span, arr: Number, obj: Value) -> Value:
    """`np.delete` of one element."""
    place = _place(arr, obj)
    behind = () if place == Literal(-1) else (_tail(flat, span, arr, place, 1),)
    return joined(flat, (_head(flat, span, arr, place), *behind), span)


def _inserted(flat: Context, span: Span, arr: Number, obj: Value, new: Value) -> Value:
    """`np.insert` of one element."""
    if arr.type.kind is not Kind.FLOAT:
        require_held(arr, new)
        arr = real(flat, arr, span)
    place = _place(arr, obj)
    value = real(flat, number(new), span)
    one = apply(flat, "vector", value, span=span)
    head, tail = _head(flat, span, arr, place), _tail(flat, span, arr, place, 0)
    return joined(flat, (head, one, tail), span)


def _place(a: Number, index: Value) -> Number:
    if rank(a) != 1 or not isinstance(index, Draft | Literal) or index.type != INT:
        raise Unfit("needs a vector and one index", "join slices: `np.concatenate`")
    return index


def _head(flat: Context, span: Span, a: Number, place: Number) -> Number:
    return _cut(flat, span, a, Slice(Special.NONE, place, Special.NONE))


def _tail(flat: Context, span: Span, a: Number, place: Number, more: int) -> Number:
    first = extents.number(flat, "add", (place, Literal(more)), span)
    return _cut(flat, span, a, Slice(first, Special.NONE, Special.NONE))


def _cut(flat: Context, span: Span, a: Number, slice_: Slice) -> Number:
    found = part(flat, _draft(a), slice_, span)
    assert isinstance(found, Draft)
    return found


# --- other views ----------------------------------------------------------------------


def _squeezed(flat: Context, span: Span, a: Number, axis: Value) -> Value:
    """`np.squeeze` of an axis that is known to be 1."""
    shape = a.type.shape
    places = [k for k, n in enumerate(shape) if n == 1]
    place = whole(axis) if axis is not Special.NONE or len(shape) > 1 else 0
    if place is None or not shape or place % len(shape) not in places:
        raise Unfit("needs an axis of length 1", "write `axis=1`, or `x[:, 0]`")
    if len(shape) == 1:
        return part(flat, _draft(a), Literal(0), span)
    name = "no_column" if place % MOST else "no_row"
    return seen(flat, a, apply(flat, name, a, span=span))


def _upside_down(flat: Context, span: Span, m: Number) -> Value:
    """`np.flipud`."""
    return seen(flat, m, apply(flat, "backwards", m, span=span))


def _mirrored(flat: Context, span: Span, m: Number) -> Value:
    """`np.fliplr`."""
    if rank(m) != MOST:
        raise Unfit("needs a matrix")
    made = apply(flat, "turned", m, span=span)
    for name in ("backwards", "turned"):
        made = apply(flat, name, made, span=span)
    return seen(flat, m, made)


def _at_least_one(flat: Context, span: Span, a: Number) -> Value:
    """`np.atleast_1d`."""
    return a if rank(a) else apply(flat, "vector", real(flat, a, span), span=span)


def _at_least_two(flat: Context, span: Span, a: Number) -> Value:
    """`np.atleast_2d`."""
    if rank(a) == MOST:
        return a
    vector = a if rank(a) else apply(flat, "vector", real(flat, a, span), span=span)
    return seen(flat, a, apply(flat, "row", vector, span=span))


def _taken(flat: Context, span: Span, a: Number, indices: Value, axis: Value) -> Value:
    """`np.take`."""
    place = whole(axis)
    if axis is Special.NONE:
        line = raveled(flat, span, a)
        assert isinstance(line, Draft)
        return part(flat, line, indices, span)
    if place is None or not -rank(a) <= place < rank(a):
        raise Unfit("needs a written axis", "write `axis=0`")
    every = Slice(Special.NONE, Special.NONE, Special.NONE)
    index = (every,) * (place % rank(a)) + (indices,)
    return part(flat, _draft(a), Group(Container.TUPLE, index), span)


def chosen(flat: Context, span: Span, test: Number, x: Number, y: Number) -> Value:
    """`np.where(test, x, y)` of arrays that go together."""
    kinds = {x.type.kind, y.type.kind}
    if kinds != {INT.kind}:
        x, y = (real(flat, p, span) if rank(p) else p for p in (x, y))
    elif not rank(x) and not rank(y):  # most often factors: `x * np.where(m, 1, 0)`
        x, y = (real(flat, p, span) for p in (x, y))
    return apply(flat, "where", test, x, y, span=span)


def _selected(
    flat: Context, span: Span, tests: Value, choices: Value, default: Value
) -> Value:
    """`np.select`: nested `np.where`."""
    conditions = [whole_of(flat, t, span) for t in items_of(tests)]
    values = [whole_of(flat, c, span) for c in items_of(choices)]
    if len(conditions) != len(values):
        raise Unfit("needs as many choices as conditions")
    rest = Literal(0.0) if default is Special.NONE else whole_of(flat, default, span)
    found: Number = rest
    for test, value in zip(conditions[::-1], values[::-1], strict=True):
        require_broadcast(flat, (test, value, found), span)
        found = apply(flat, "where", test, value, found, span=span)
    return found


def _finite(
    flat: Context, span: Span, x: Number, nan: Value, posinf: Value, neginf: Value
) -> Value:
    """`np.nan_to_num`: finite elements as they are, given numbers for the others."""

    def where(op: str, bounds: tuple[Value, ...], one: Value, other: Value) -> Value:
        test = operated(flat, TABLE[op], (x, *bounds), span)
        return operated(flat, TABLE["where"], (test, one, other), span)

    low, high, none = (
        Literal(otherwise) if given is Special.NONE else given
        for given, otherwise in ((neginf, -_LARGEST), (posinf, _LARGEST), (nan, 0.0))
    )
    infinite = where("gt", (Literal(0.0),), high, low)
    return where("isfinite", (), x, where("isnan", (), none, infinite))


_LARGEST = float_info.max


def _each(name: str) -> Rule:
    """A function that is constant in steps, as `floor` is, element by element."""
    return lambda flat, span, a: apply(flat, f"{name}_each", a, span=span)


def _rounded(flat: Context, span: Span, a: Number, decimals: Value) -> Value:
    """`np.round`: of a multiple by a power of ten, as numpy computes it."""
    digits = 0 if decimals is Special.NONE else whole(decimals)
    if digits == 0:
        return _nearest(flat, span, a)
    if a.type.kind is not Kind.FLOAT or digits is None or abs(digits) > _MOST_DIGITS:
        raise Unfit("rounds floats to a written number of digits", _ROUNDED)
    there, back = ("mul", "div") if digits > 0 else ("div", "mul")
    power = Literal(10.0 ** abs(digits))
    multiple = operated(flat, TABLE[there], (a, power), span)
    rounded = _nearest(flat, span, whole_of(flat, multiple, span))
    return operated(flat, TABLE[back], (rounded, power), span)


def _nearest(flat: Context, span: Span, a: Number) -> Value:
    if a.type.shape:
        return apply(flat, "rint_each", a, span=span)
    return flat.run((Push(Dotted("numpy.rint")), Push(a), Call(("",), span)))


_ROUNDED = "write `np.round(x)`, or `np.round(x, 2)`"


_MOST_DIGITS = 22  # powers of ten up to here are floats


# fmt: off
RULES: Mapping[str, tuple[str, Rule]] = {
    "numpy.repeat":       ("@a repeats", _repeated("repeated")),
    "numpy.tile":         ("@A reps", _repeated("tiled")),
    "numpy.broadcast_to": ("@array shape", _broadcast),
    "numpy.meshgrid":     ("@x @y indexing?", _grid),
    "numpy.pad":          ("@@array pad_width mode? constant_values?", padded),
    "numpy.delete":       ("@arr obj", _deleted),
    "numpy.insert":       ("@@arr obj values", _inserted),
    "numpy.squeeze":      ("@a axis?", _squeezed),
    "numpy.flipud":       ("@m", _upside_down),
    "numpy.fliplr":       ("@m", _mirrored),
    "numpy.atleast_1d":   ("@a", _at_least_one),
    "numpy.atleast_2d":   ("@a", _at_least_two),
    "numpy.take":         ("@@a indices axis?", _taken),
    "numpy.select":       ("condlist choicelist default?", _selected),
    "numpy.nan_to_num":   ("@x nan? posinf? neginf?", _finite),
    "numpy.floor":        ("@x", _each("floor")),
    "numpy.ceil":         ("@x", _each("ceil")),
    "numpy.trunc":        ("@x", _each("trunc")),
    "numpy.fix":          ("@x", _each("trunc")),
    "numpy.rint":         ("@x", _each("rint")),
    "numpy.round":        ("@a decimals?", _rounded),
    "numpy.around":       ("@a decimals?", _rounded),
}
# fmt: on
