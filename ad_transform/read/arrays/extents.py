"""Lengths and shapes of arrays, and whole numbers that count them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.dims import ANY, Dim, plus, times
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, INT, Kind
from ad_transform.read.branches import widening
from ad_transform.read.containers import sequences
from ad_transform.read.machine.arguments import leaves
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.syntax.in_python import is_in_python
from ad_transform.read.values.storage import Array, Axis, Cell, Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value

_ZERO, _ONE = Literal(0), Literal(1)


def number(flat: Context, op: str, values: Sequence[Number], span: Span) -> Number:
    """The value of an operation on whole numbers, computed if they are known.

    Lengths stay lengths: one less than n is n - 1 elements.
    """
    known = [v.value for v in values if isinstance(v, Literal)]
    if len(known) == len(values):
        return Literal(TABLE[op].compute(*known))
    match op, values:
        case ("add", [one, Literal(value=0)]) | ("add", [Literal(value=0), one]):
            return one
        case ("sub", [one, Literal(value=0)]) | ("mul", [one, Literal(value=1)]):
            return one
        case ("mul", [Literal(value=1), one]):
            return one
        case ("mul", [Literal(value=0), _]) | ("mul", [_, Literal(value=0)]):
            return _ZERO
        case ("add" | "sub", [one, Literal(value=int(by))]) if by < 0:
            other = "sub" if op == "add" else "add"
            return number(flat, other, (one, Literal(-by)), span)
    made = flat.apply(TABLE[op], values, span)
    assert isinstance(made, Draft)
    match op, values:
        case ("add" | "sub", [Draft() as one, Literal(value=int(by))]):
            flat.heap.longer(made, one, by if op == "add" else -by)
    return made


def counted(flat: Context, value: Value, span: Span) -> Number | None:
    """A whole number, or a truth value as one; None for anything else."""
    if not isinstance(value, Draft | Literal) or value.type not in (INT, BOOL):
        return None
    return widening.typed(flat.statements, value, INT, span)


def stepped(flat: Context, start: Number, step: int, k: Number, span: Span) -> Number:
    """start + k * step, in a natural spelling: `n - k` for a step of -1."""
    if step == -1:
        return number(flat, "sub", (start, k), span)
    times = number(flat, "mul", (k, Literal(step)), span)
    return number(flat, "add", (times, start), span)


def forward(flat: Context, cut: Slice, span: Span) -> Slice | None:
    """A slice with the same step and the bounds of the same elements in forward order:
    for x[k::-1] those of x[:k + 1]. None if a bound may count from the end, or if there
    are no elements.
    """
    step = sequences.whole(cut.step, flat.wholes)
    if step is None or step >= 0:
        return cut
    bounds = _behind(flat, cut.stop, span), _behind(flat, cut.start, span)
    first, last = bounds
    if None in bounds or first == _ZERO:
        return None
    last = Special.NONE if last == _ZERO else last
    return Slice(cast(Value, first), cast(Value, last), cut.step)


FORWARD = "slice forwards first, and then go backwards: `x[a:b][::-1]`"


def _behind(flat: Context, bound: Value, span: Span) -> Value | None:
    """The place after a bound, counted from the same end of the array; None if that is
    unknown.
    """
    if bound is Special.NONE:
        return bound
    place = sequences.whole(bound, flat.wholes)
    if place is not None:
        return Literal(place + 1)
    if isinstance(bound, Draft) and is_natural(flat, bound):
        return number(flat, "add", (bound, _ONE), span)
    return None


def known(flat: Context, value: Number) -> Number:
    """A whole number, as a literal if it is known."""
    number = flat.wholes.get(value) if isinstance(value, Draft) else None
    return value if number is None else Literal(number)


def is_natural(flat: Context, value: Number) -> bool:
    """Whether a whole number is surely not below 0."""
    if isinstance(value, Literal):
        return not isinstance(value.value, str) and value.value >= 0
    return value in flat.heap.naturals or flat.wholes.get(value, -1) >= 0


def is_within(flat: Context, value: Number, size: Number) -> bool:
    """Whether a whole number is surely at most a length, as half of it is."""
    whole = flat.heap.quotients.get(value) if isinstance(value, Draft) else None
    return whole is not None and same_length(flat, whole, size)


def length(flat: Context, array: Array, span: Span) -> Number:
    """The number of items of an array; it may be below 0 for an empty view."""
    place = next(k for k, p in enumerate(array.places) if isinstance(p, Axis))
    return axis_length(flat, array.cell, place, array.axes[0], span)


def count(flat: Context, array: Array, span: Span) -> Number:
    """`len(array)`."""
    return at_least_none(flat, length(flat, array, span), span)


def at_least_none(flat: Context, size: Number, span: Span) -> Number:
    """The larger of a size and 0."""
    if is_natural(flat, size):
        return size
    made = number(flat, "max", (size, _ZERO), span)
    if isinstance(size, Draft) and isinstance(made, Draft):
        heap = flat.heap  # two lists, `[0.0] * n` each, are as long as one another
        heap.dims[made] = heap.clip(size, made)
    return made


def dim_of(flat: Context, size: Number, span: Span) -> Dim:
    """The dim of an array with max(0, size) elements."""
    heap = flat.heap
    if is_natural(flat, size):
        return heap.dim(size)
    if isinstance(size, Literal):
        return 0
    return heap.clip(size, Draft(INT, span))


def axis_length(flat: Context, cell: Cell, k: int, axis: Axis, span: Span) -> Number:
    """The length of an axis of a view, the k-th one of its cell."""
    if axis.length is not None:
        return axis.length
    known = cell.lengths[k]
    if known is not None:
        return known
    if cell.container is Container.LIST:
        flat.heap.aliases.look(cell, span)  # it may have grown
    content = flat.heap.held(cell, span)
    return held_length(flat, content, k, span) if isinstance(content, Draft) else _ZERO


def held_length(flat: Context, content: Draft, k: int, span: Span) -> Number:
    """The length of an axis of the contents of an array."""
    dim = content.type.dims[k]
    if not k and dim == ANY:
        dim = flat.heap.long.get(content, dim)
    if isinstance(dim, int):
        return Literal(dim)
    made = flat.apply(TABLE["size"], (content, *(_ZERO,) * k), span)
    assert isinstance(made, Draft)
    flat.heap.naturals.add(made)
    flat.heap.dims[made] = flat.heap.extent(content, k, made) if dim == ANY else dim
    return made


def shape(flat: Context, array: Array, span: Span) -> Group:
    """`array.shape`."""
    items = [
        axis_length(flat, array.cell, k, p, span)
        for k, p in enumerate(array.places)
        if isinstance(p, Axis)
    ]
    return Group(Container.TUPLE, tuple(items))


def trips(flat: Context, size: Number, step: int, span: Span) -> Number:
    """The number of places at a distance of `step` in `size` places."""
    if step == 1:
        return size
    more = number(flat, "add", (size, Literal(step - 1)), span)
    found = number(flat, "floordiv", (more, Literal(step)), span)
    flat.heap.stride(more, step, found)
    return found


def same_length(flat: Context, one: Number, other: Number) -> bool:
    """Whether two lengths are surely equal."""
    if one is other or (isinstance(one, Literal) and one == other):
        return True
    dims = flat.heap.dims
    known = [dims.get(n) for n in (one, other) if isinstance(n, Draft)]
    return len(known) == 2 and known[0] is not None and known[0] == known[1]


def smaller(flat: Context, one: Number, other: Number, span: Span) -> Number:
    """The smaller of two lengths, one of them where it is known by how much they
    differ: of n and n - 1 the second.
    """
    if same_length(flat, one, other):
        return one
    dims = [flat.heap.dims.get(n) for n in (one, other) if isinstance(n, Draft)]
    if len(dims) == 2 and None not in dims and ANY not in dims:
        more = plus(cast(Dim, dims[0]), times(cast(Dim, dims[1]), -1))
        if isinstance(more, int):
            return one if more < 0 else other
    return number(flat, "min", (one, other), span)


def agree(flat: Context, one: Number, other: Number, span: Span) -> None:
    """Check that two lengths are equal, unless that is known; refuse known lengths that
    differ. In functions of `in_python` they are equal.
    """
    if same_length(flat, one, other) or is_in_python(span):
        return
    if not _has_items(one) and not _has_items(other):
        one, other = (at_least_none(flat, n, span) for n in (one, other))
        if same_length(flat, one, other):
            return
    if isinstance(one, Literal) and isinstance(other, Literal):
        said = f"lengths differ: {one.value} and {other.value}"
        flat.refuse("AD107", said, span, "give arrays of one length")
        return
    equal = flat.apply(TABLE["eq"], (one, other), span)
    assert isinstance(equal, Draft)
    lengths: list[str | Number] = [
        str(n.value) if isinstance(n, Literal) else n for n in (one, other)
    ]
    said = flat.module.text_at(span, _LONGEST)
    message = (f"lengths differ in {said}: ", lengths[0], " and ", lengths[1])
    flat.add(DraftCheck(equal, message, (), span, (), "ValueError"))


def _has_items(size: Number) -> bool:
    return isinstance(size, Literal) and size != _ZERO


_LONGEST = 40
"""The most characters of the source in a message."""


def is_float(array: Array) -> bool:
    """Whether the elements carry derivatives."""
    return array.cell.type.kind is Kind.FLOAT


def size(flat: Context, array: Array | Group, span: Span) -> Value:
    """`array.size`."""
    parts = shape(flat, array, span).items if isinstance(array, Array) else ()
    if isinstance(array, Group):
        return Literal(len(leaves((array,))))
    total: Number = _ONE
    for part in parts:
        total = number(flat, "mul", (total, cast(Number, part)), span)
    return total


def rank(array: Array | Group) -> int:
    """`array.ndim`."""
    if isinstance(array, Array):
        return len(array.axes)
    inner = array.items[0] if array.items else None
    return 1 + (rank(inner) if isinstance(inner, Group) else 0)
