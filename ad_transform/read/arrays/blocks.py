"""The elements of an array of three axes as a vector: axes in another order, parts."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import Type
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array, Axis
from ad_transform.read.values.values import Draft, Number

with later():
    from ad_transform.read.arrays import extents

Sizes = tuple[Number, ...]

MOST = 2
"""The most axes of an array."""

AXES = 3
"""The axes of a list of layers."""

ONE = Literal(1)


@dataclass(frozen=True, slots=True)
class Block:
    """The elements of an array in C order, and the lengths of its axes.

    A number is a block without axes.
    """

    line: Number
    sizes: Sizes

    @property
    def rank(self) -> int:
        return len(self.sizes)


def product(flat: Context, sizes: Sequence[Number], span: Span) -> Number:
    """The number of elements in axes of some lengths."""
    found: Number = ONE
    for size in sizes:
        if size != ONE:
            pair = (found, size)
            is_first = found == ONE
            found = size if is_first else extents.number(flat, "mul", pair, span)
    flat_size = extents.known(flat, found)
    if isinstance(flat_size, Draft):
        flat.heap.naturals.add(flat_size)
    return flat_size


def rows_of(
    flat: Context, line: Number, rows: Number, columns: Number, span: Span
) -> Number:
    """A vector as a matrix."""
    dims = flat.heap.dim(rows), flat.heap.dim(columns)
    type_ = Type(line.type.kind, (), dims)
    return flat.declare(TABLE["laid_out"], (line, rows, columns), type_, span)


# --- axes in another order ------------------------------------------------------------


def turned(flat: Context, block: Block, order: Sequence[int], span: Span) -> Block:
    """The block with its axes in another order: axis k of the result is `order[k]`."""
    axes, line = list(range(block.rank)), block.line
    for k, axis in enumerate(order):
        at = axes.index(axis)
        if at == k:
            continue
        groups = axes[:k], axes[k:at], axes[at:]
        i, p, j = (product(flat, [block.sizes[a] for a in g], span) for g in groups)
        if ONE not in (p, j):
            line = _apply(flat, "axes_swapped", line, i, p, j, span=span)
        axes = [*groups[0], *groups[2], *groups[1]]
    return Block(line, tuple(block.sizes[a] for a in order))


# --- parts ----------------------------------------------------------------------------


def cut(
    flat: Context, block: Block, axis: int, start: Number, count: Number, span: Span
) -> Block:
    """The part of a block with `count` places along an axis, from `start` on."""
    before, after = block.sizes[:axis], block.sizes[axis + 1 :]
    rows, rest = product(flat, before, span), product(flat, after, span)
    stop = extents.number(flat, "add", (start, count), span)
    ends = [_times(flat, end, rest, span) for end in (start, stop)]
    line = block.line
    if rows == ONE:
        line = _apply(flat, "sliced", line, *ends, span=span)
    else:
        wide = _times(flat, block.sizes[axis], rest, span)
        matrix = rows_of(flat, line, rows, wide, span)
        part = _apply(flat, "turned", matrix, span=span)
        part = _apply(flat, "sliced", part, *ends, span=span)
        back = _apply(flat, "turned", part, span=span)
        line = _apply(flat, "raveled", back, span=span)
    return Block(line, (*before, count, *after))


def taken(flat: Context, block: Block, axis: int, of: Axis, span: Span) -> Block:
    """The part of a block with the places along an axis that a view shows."""
    if of.length is None:
        return block
    count, far = extents.at_least_none(flat, of.length, span), abs(of.step)
    if far == 1 and of.step > 0:
        return cut(flat, block, axis, of.start, count, span)
    last = extents.number(flat, "sub", (count, ONE), span)
    over = _times(flat, last, Literal(far), span)
    wide = extents.number(flat, "add", (over, ONE), span)
    first = of.start
    if of.step < 0:
        first = extents.number(flat, "sub", (first, over), span)
    if far > 1:
        wide = extents.at_least_none(flat, wide, span)
    part = cut(flat, block, axis, first, wide, span)
    order = [axis, *(k for k in range(block.rank) if k != axis)]
    front = turned(flat, part, order, span)
    rest = product(flat, front.sizes[1:], span)
    rows = rows_of(flat, front.line, wide, rest, span)
    if far > 1:
        rows = _apply(flat, "cut_by", rows, Literal(far), span=span)
    if of.step < 0:
        rows = _apply(flat, "backwards", rows, span=span)
    line = _apply(flat, "raveled", rows, span=span)
    found = Block(line, (count, *front.sizes[1:]))
    return turned(flat, found, [order.index(k) for k in range(block.rank)], span)


def _times(flat: Context, one: Number, other: Number, span: Span) -> Number:
    if Literal(0) in (one, other):
        return Literal(0)
    if ONE in (one, other):
        return other if one == ONE else one
    return extents.number(flat, "mul", (one, other), span)


# --- views ----------------------------------------------------------------------------

_PICKED = {
    (0,): "pick_row",
    (1,): "pick_second",
    (2,): "pick_third",
    (0, 1): "pick_first_second",
    (0, 2): "pick_first_third",
    (1, 2): "pick_second_third",
}
"""Operations that pick from an array of three axes, by the axes that are indexed."""


def view(flat: Context, array: Array, line: Draft, span: Span) -> Block:
    """The block that a view shows of a list of layers with this vector."""
    cell, places = array.cell, array.places
    every = [
        extents.known(flat, extents.axis_length(flat, cell, k, Axis(), span))
        for k in range(AXES)
    ]
    fixed = {k: place for k, place in enumerate(places) if not isinstance(place, Axis)}
    if fixed:
        whole = flat.lines.layers[line]
        line = _apply(flat, _PICKED[tuple(fixed)], whole, *fixed.values(), span=span)
        if AXES - len(fixed) > 1:
            line = _apply(flat, "raveled", line, span=span)
    sizes = tuple(size for k, size in enumerate(every) if k not in fixed)
    found = Block(line, sizes)
    for k, axis in enumerate(array.axes):
        found = taken(flat, found, k, axis, span)
    return found


def _apply(flat: Context, op: str, *args: Number, span: Span) -> Draft:
    made = flat.apply(TABLE[op], args, span)
    assert isinstance(made, Draft)
    return made
