"""Arrays of three axes whose elements go to other places along an axis of theirs.

An operation on an axis is done to the rows of a matrix, one row for each place of the
axis.
"""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, Kind
from ad_transform.read.arrays import blocks
from ad_transform.read.arrays.blocks import AXES, ONE, Block, rows_of
from ad_transform.read.layers import layered
from ad_transform.read.layers.layered import axis_of, block_of, rank_of, value_of
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array, Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value, is_int
from ad_transform.read.wholes.whole_parts import stored
from ad_transform.read.wholes.wholes import apply, length, whole_of

Step = Callable[[Number], Number]
Read = Callable[[Value], Value]


def _by_rows(
    flat: Context, block: Block, place: int, step: Step, span: Span
) -> tuple[Number, Block]:
    """A step done to the places along an axis, as rows of a matrix: the matrix, and the
    block of the old lengths with the axis in front.
    """
    order = [place, *(k for k in range(block.rank) if k != place)]
    first = blocks.turned(flat, block, order, span)
    rest = blocks.product(flat, first.sizes[1:], span)
    matrix = step(rows_of(flat, first.line, first.sizes[0], rest, span))
    return matrix, Block(apply(flat, "raveled", matrix, span=span), first.sizes)


def _back(flat: Context, block: Block, place: int, span: Span) -> Value:
    """A block whose axis has gone to the front, in its old order."""
    order = [place, *(k for k in range(block.rank) if k != place)]
    back = [order.index(k) for k in range(block.rank)]
    return value_of(flat, blocks.turned(flat, block, back, span), span)


def rolled(flat: Context, span: Span, a: Value, shift: Value, axis: Value) -> Value:
    """`np.roll` along an axis, or of all elements."""
    if not isinstance(shift, Draft | Literal) or shift.type != INT:
        raise Unfit("needs a whole number of places")
    by, block = shift, block_of(flat, a, span)
    if axis is Special.NONE:
        line = apply(flat, "rolled", block.line, by, span=span)
        return value_of(flat, Block(line, block.sizes), span)
    place = axis_of(axis, block.rank, 0)

    def step(rows: Number) -> Number:
        return apply(flat, "rolled_rows", rows, by, span=span)

    return _back(flat, _by_rows(flat, block, place, step, span)[1], place, span)


def flipped(flat: Context, span: Span, m: Value, axis: Value) -> Value:
    """`np.flip` along an axis, some of them, or all."""
    if isinstance(axis, Group):
        for one in axis.items:
            m = flipped(flat, span, m, one)
        return m
    block = block_of(flat, m, span)
    if axis is Special.NONE:
        line = apply(flat, "backwards", block.line, span=span)
        return layered.lent(
            flat, m, value_of(flat, Block(line, block.sizes), span), span
        )
    place = axis_of(axis, block.rank, 0)

    def step(rows: Number) -> Number:
        return apply(flat, "backwards", rows, span=span)

    made = _back(flat, _by_rows(flat, block, place, step, span)[1], place, span)
    return layered.lent(flat, m, made, span)


def repeated(flat: Context, span: Span, a: Value, repeats: Value, axis: Value) -> Value:
    """`np.repeat` along an axis."""
    if not isinstance(repeats, Draft | Literal) or repeats.type != INT:
        raise Unfit("needs one number of times")
    block = block_of(flat, a, span)
    if axis is Special.NONE:
        block = Block(block.line, (blocks.product(flat, block.sizes, span),))
    place = axis_of(axis, block.rank, 0)
    sizes = [*block.sizes[: place + 1], ONE, *block.sizes[place + 1 :]]
    wide = (*block.sizes[: place + 1], repeats, *block.sizes[place + 1 :])
    line = layered.over(flat, Block(block.line, tuple(sizes)), wide, span)
    count = blocks.product(flat, (block.sizes[place], repeats), span)
    made = (*block.sizes[:place], count, *block.sizes[place + 1 :])
    return value_of(flat, Block(line, made), span)


# --- arrays as indices ----------------------------------------------------------------


def taken(
    flat: Context, group: Value, index: tuple[Value, ...], read: Read, span: Span
) -> Value:
    """`x[:, i]` and `x[mask]` of an array of three axes; raises Unfit."""
    places = [k for k, part in enumerate(index) if not _is_plain(part)]
    if len(places) != 1 or Special.NONE in index:
        raise Unfit("is indexed in a way that is not supported", _ONE_BY_ONE)
    (k,) = places
    at = whole_of(flat, index[k], span) if _rank(index[k]) < AXES else index[k]
    if _rank(at) == AXES:
        return _masked(flat, group, at, span)
    if _rank(at) != 1 or not isinstance(at, Draft) or at.type.is_real:
        raise Unfit("is indexed in a way that is not supported", _ONE_BY_ONE)
    every = Slice(Special.NONE, Special.NONE, Special.NONE)
    rest = tuple(every if part is index[k] else part for part in index)
    base = group
    if any(part != every for part in rest):
        base = read(Group(Container.TUPLE, rest) if len(rest) > 1 else rest[0])
    place = sum(not is_int(part) for part in index[:k])
    form = "masked" if at.type.kind is Kind.BOOL else "taken_rows"
    block = block_of(flat, base, span)
    if form == "masked":
        layered.agree(flat, block.sizes[place], length(flat, at, 0, span), span)

    def step(rows: Number) -> Number:
        return apply(flat, form, rows, at, span=span)

    matrix, found = _by_rows(flat, block, place, step, span)
    count = length(flat, matrix, 0, span)
    made = Block(found.line, (count, *found.sizes[1:]))
    return _back(flat, made, place, span)


def _rank(value: Value) -> int:
    return rank_of(value)


def _is_plain(part: Value) -> bool:
    return is_int(part) or isinstance(part, Slice) or part is Special.NONE


_ONE_BY_ONE = "index it by one array of one axis, or write a loop over its layers"


def _masked(flat: Context, group: Value, mask: Value, span: Span) -> Value:
    test, block = block_of(flat, mask, span), block_of(flat, group, span)
    _require_mask(flat, block, test, span)
    return apply(flat, "masked", block.line, test.line, span=span)


def _require_mask(flat: Context, block: Block, test: Block, span: Span) -> None:
    if test.line.type.kind is not Kind.BOOL or test.rank != block.rank:
        raise Unfit("is indexed in a way that is not supported", _ONE_BY_ONE)
    for one, other in zip(block.sizes, test.sizes, strict=True):
        layered.agree(flat, one, other, span)


def written(
    flat: Context, array: Array, index: Value, value: Value, span: Span
) -> Value:
    """The array with another value where a mask is true; raises Unfit."""
    if rank_of(index) != AXES:
        raise Unfit("is written at a place that is not supported", _LOOP)
    block, test = block_of(flat, array, span), block_of(flat, index, span)
    _require_mask(flat, block, test, span)
    assert isinstance(block.line, Draft)
    line = stored(flat, block.line, test.line, value, span)
    return value_of(flat, Block(line, block.sizes), span)


_LOOP = "write a loop over its elements, or `np.where`"
