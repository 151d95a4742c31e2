"""Arrays of three axes as a whole: their elements as a vector, and their lengths.

Such an array is a list of layers for whoever reads it element by element; arithmetic is
done on the vector, `lines` of the flattener, which is made of the list where there is
none. An axis whose length is written as 1 is broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Kind, Type
from ad_transform.read import arrays, extents, wholes
from ad_transform.read.arguments import Unfit, whole
from ad_transform.read.context import Context
from ad_transform.read.grids import MISMATCH
from ad_transform.read.values import (
    Array,
    Axis,
    Cell,
    Draft,
    Group,
    Number,
    Special,
    Value,
)
from ad_transform.read.whole_layouts import dim
from ad_transform.read.wholes import apply, length, whole_of

Sizes = tuple[Number, ...]

AXES = 3
"""Of those arrays that are lists of layers."""

ONE = Literal(1)


@dataclass(frozen=True, slots=True)
class Block:
    """The elements of an array in C order, and the lengths of its axes.

    A number is one without axes.
    """

    line: Number
    sizes: Sizes

    @property
    def rank(self) -> int:
        return len(self.sizes)


def rank_of(value: Value) -> int:
    """How many axes a value has as an array; a number has none."""
    if isinstance(value, Array):
        return len(value.axes)
    if isinstance(value, Draft):
        return len(value.type.shape)
    if isinstance(value, Group):
        return 1 + (rank_of(value.items[0]) if value.items else 0)
    return 0


def product(flat: Context, sizes: Sequence[Number], span: Span) -> Number:
    """How many elements there are in axes of some lengths."""
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


def axis_of(value: Value, rank: int, default: int) -> int:
    """A written axis, counted from the first; raises Unfit."""
    place = default if value is Special.NONE else whole(value)
    if place is None or not -rank <= place < rank:
        raise Unfit(f"needs a written axis of {rank}", "write `axis=0`")
    return place % rank


# --- from values, and back ------------------------------------------------------------


def block_of(flat: Context, value: Value, span: Span) -> Block:
    """A value as a block; raises Unfit."""
    if isinstance(value, Array) and len(value.axes) == AXES:
        sizes = _sizes_of(flat, value, span)
        return Block(line_of(flat, value, span), sizes)
    if isinstance(value, Group) and rank_of(value) == AXES:
        return stacked(flat, [block_of(flat, v, span) for v in value.items], 0, span)
    array = whole_of(flat, value, span)
    sizes = tuple(length(flat, array, k, span) for k in range(len(array.type.shape)))
    is_matrix = len(sizes) > 1
    return Block(
        apply(flat, "raveled", array, span=span) if is_matrix else array, sizes
    )


def _sizes_of(flat: Context, array: Array, span: Span) -> Sizes:
    found = extents.shape(flat, array, span).items
    known = [n for n in found if isinstance(n, Draft | Literal)]
    return tuple(extents.known(flat, n) for n in known)


def line_of(flat: Context, array: Array, span: Span) -> Number:
    """The elements of an array of three axes as a vector."""
    if any(axis.step != 1 for axis in array.axes) or len(array.places) > AXES:
        copy = arrays.copied(flat, array, Container.ARRAY, span)
        assert isinstance(copy, Array)
        array = copy
    content = flat.heap.read(array.cell, span)
    assert isinstance(content, Draft)
    line = flat.lines.get(content) or apply(flat, "line_of_layers", content, span=span)
    if array.is_whole:
        return line
    whole = Array(array.cell, (Axis(),) * AXES)
    block = Block(line, _sizes_of(flat, whole, span))
    for k, axis in enumerate(array.axes):
        if axis.length is not None:
            block = cut(flat, block, k, axis.start, axis.length, span)
    return block.line


def value_of(flat: Context, block: Block, span: Span) -> Value:
    """A block as a value; raises Unfit for one of more axes than three."""
    line, sizes = block.line, block.sizes
    if len(sizes) < 2:
        return line
    dims = tuple(dim(flat, size) for size in sizes)
    if len(sizes) == 2:
        type_ = Type(line.type.kind, (), dims)
        return flat.declare(TABLE["laid_out"], (line, *sizes), type_, span)
    if len(sizes) > AXES:
        raise Unfit("makes an array of more than three axes", _LAYERS)
    content = flat.declare(
        TABLE["to_layers"], (line, *sizes), Type(line.type.kind, dims), span
    )
    assert isinstance(line, Draft)
    flat.lines[content] = line
    return flat.heap.allocate(content, Container.ARRAY, span, sizes)


_LAYERS = "write a loop over its layers: `for A in x`"


def lent(flat: Context, of: Value, made: Value, span: Span) -> Value:
    """What is a view of an array in numpy: who changes one changes the other."""
    if isinstance(of, Array) and isinstance(made, Draft) and made.type.shape:
        made = _as_list(flat, made, span)
    if isinstance(made, Array) and isinstance(of, Array):
        flat.heap.aliases.lend((of.cell,), made.cell)
    elif isinstance(of, Draft) and of.type.shape:
        key = made.cell if isinstance(made, Array) else made
        if isinstance(key, Draft | Cell) and key is not of:
            flat.views[key] = (of,)
    return made


def rows_of(
    flat: Context, line: Number, rows: Number, columns: Number, span: Span
) -> Number:
    """A vector as a matrix."""
    type_ = Type(line.type.kind, (), (dim(flat, rows), dim(flat, columns)))
    return flat.declare(TABLE["laid_out"], (line, rows, columns), type_, span)


def filled(flat: Context, number: Number, sizes: Sizes, span: Span) -> Value:
    """A new array of equal elements."""
    count = product(flat, sizes, span)
    type_ = Type(Kind.FLOAT, (), (dim(flat, count),))
    given = wholes.real(flat, number, span), count
    line = flat.declare(TABLE["filled"], given, type_, span)
    return value_of(flat, Block(line, sizes), span)


def _as_list(flat: Context, array: Draft, span: Span) -> Value:
    """A vector or matrix as one of which single elements may be written."""
    made = wholes.listed(flat, array, span)
    assert isinstance(made, Array)
    content = flat.heap.held(made.cell, span)
    del flat.views[made.cell]
    if isinstance(content, Draft):
        flat.lines[content] = array
    return made


# --- broadcasting ---------------------------------------------------------------------


def common(flat: Context, blocks: Sequence[Block], span: Span) -> Sizes:
    """The lengths of blocks that are broadcast together; raises Unfit."""
    rank = max(block.rank for block in blocks)
    found: list[Number] = [ONE] * rank
    for block in blocks:
        for k, size in enumerate(block.sizes, rank - block.rank):
            if size == ONE:
                continue
            if found[k] != ONE:
                agree(flat, found[k], size, span)
            if not isinstance(found[k], Literal) or found[k] == ONE:
                found[k] = size if found[k] == ONE else found[k]
    return tuple(found)


def agree(flat: Context, one: Number, other: Number, span: Span) -> None:
    """Require that two lengths are equal; raises Unfit, or checks it in the run."""
    if isinstance(one, Literal) and isinstance(other, Literal):
        if one != other:
            raise Unfit(f"gets lengths {one.value} and {other.value}", MISMATCH)
        return
    extents.agree(flat, one, other, span)


def over(flat: Context, block: Block, sizes: Sizes, span: Span) -> Number:
    """The elements of a block that is broadcast; a number stays one."""
    if not block.rank:
        return block.line
    line = block.line
    now = [ONE] * (len(sizes) - block.rank) + list(block.sizes)
    k = 0
    while k < len(sizes):
        first = k
        while k < len(sizes) and now[k] == ONE and sizes[k] != ONE:
            k += 1
        if k > first:
            parts = now[:first], sizes[first:k], now[k:]
            i, j, p = (product(flat, part, span) for part in parts)
            line = _stretched(flat, line, (i, j, p), span)
            now[first:k] = sizes[first:k]
        k = max(k, first + 1)
    return line


def _stretched(flat: Context, line: Number, counts: Sizes, span: Span) -> Number:
    i, j, p = counts
    return apply(flat, "stretched", line, i, j, p, span=span)


def operated(
    flat: Context, op: Elemental, values: Sequence[Value], span: Span
) -> Value:
    """`op(*values)` of whole arrays element by element; raises Unfit."""
    if not any(rank_of(value) >= AXES for value in values):
        return wholes.operated(flat, op, values, span)
    return mapped(
        flat, lambda lines: wholes.combined(flat, op, lines, span), values, span
    )


def mapped(
    flat: Context,
    each: Callable[[Sequence[Number]], Value],
    values: Sequence[Value],
    span: Span,
) -> Value:
    """What a function of vectors makes of arrays that are broadcast; raises Unfit."""
    blocks = [block_of(flat, value, span) for value in values]
    sizes = common(flat, blocks, span)
    lines = [over(flat, block, sizes, span) for block in blocks]
    made = each(lines)
    if not isinstance(made, Draft | Literal):
        return made
    return value_of(flat, Block(made, sizes), span)


# --- axes in another order, sums along them -------------------------------------------


def turned(flat: Context, block: Block, order: Sequence[int], span: Span) -> Block:
    """The axes in another order: axis k of the result is `order[k]`."""
    axes, line = list(range(block.rank)), block.line
    for k, axis in enumerate(order):
        at = axes.index(axis)
        if at == k:
            continue
        groups = axes[:k], axes[k:at], axes[at:]
        i, p, j = (product(flat, [block.sizes[a] for a in g], span) for g in groups)
        if ONE not in (p, j):
            line = apply(flat, "axes_swapped", line, i, p, j, span=span)
        axes = [*groups[0], *groups[2], *groups[1]]
    return Block(line, tuple(block.sizes[a] for a in order))


def summed(flat: Context, block: Block, gone: Sequence[int], span: Span) -> Block:
    """Sums along axes."""
    left = [k for k in range(block.rank) if k not in gone]
    last = turned(flat, block, [*left, *gone], span)
    if not gone:
        return block
    sizes = last.sizes[: len(left)]
    if not left:
        return Block(apply(flat, "sum_all", last.line, span=span), ())
    count = product(flat, last.sizes[len(left) :], span)
    if count == ONE:
        return Block(last.line, sizes)
    rows = rows_of(flat, last.line, product(flat, sizes, span), count, span)
    return Block(apply(flat, "sum_columns", rows, span=span), sizes)


# --- one behind the other -------------------------------------------------------------


def joined(flat: Context, blocks: Sequence[Block], axis: int, span: Span) -> Block:
    """Blocks one behind the other along an axis; raises Unfit."""
    first, *others = blocks
    for other in others:
        if other.rank != first.rank:
            raise Unfit("gets arrays of other axes", "give it arrays of as many axes")
        for k in range(first.rank):
            if k != axis:
                agree(flat, first.sizes[k], other.sizes[k], span)
    rest = [k for k in range(first.rank) if k != axis]
    order = [axis, *rest]
    lines = [turned(flat, block, order, span).line for block in blocks]
    count = first.sizes[axis]
    for other in others:
        count = extents.number(flat, "add", (count, other.sizes[axis]), span)
    sizes = (count, *(first.sizes[k] for k in rest))
    back = [order.index(k) for k in range(first.rank)]
    found = Block(wholes.joined(flat, lines, span), sizes)
    return turned(flat, found, back, span)


def stacked(flat: Context, blocks: Sequence[Block], axis: int, span: Span) -> Block:
    """Blocks of one shape along a new axis; raises Unfit."""
    ranks = {block.rank for block in blocks}
    if len(ranks) != 1:
        raise Unfit("gets arrays of other axes", "give it arrays of as many axes")
    (rank,) = ranks
    place = axis % (rank + 1)
    new = [Block(b.line, (*b.sizes[:place], ONE, *b.sizes[place:])) for b in blocks]
    return joined(flat, new, place, span)


# --- parts ----------------------------------------------------------------------------


def with_axes(block: Block, places: Sequence[int]) -> Block:
    """The block with new axes at places of the result."""
    sizes = list(block.sizes)
    for place in sorted(places):
        sizes.insert(place, ONE)
    return Block(block.line, tuple(sizes))


def cut(
    flat: Context, block: Block, axis: int, start: Number, count: Number, span: Span
) -> Block:
    """So many places along an axis, from one on."""
    before, after = block.sizes[:axis], block.sizes[axis + 1 :]
    rows, rest = product(flat, before, span), product(flat, after, span)
    stop = extents.number(flat, "add", (start, count), span)
    ends = [_times(flat, end, rest, span) for end in (start, stop)]
    line = block.line
    if rows == ONE:
        line = apply(flat, "sliced", line, *ends, span=span)
    else:
        wide = _times(flat, block.sizes[axis], rest, span)
        matrix = apply(flat, "turned", rows_of(flat, line, rows, wide, span), span=span)
        part = apply(flat, "sliced", matrix, *ends, span=span)
        back = apply(flat, "turned", part, span=span)
        line = apply(flat, "raveled", back, span=span)
    return Block(line, (*before, count, *after))


def _times(flat: Context, one: Number, other: Number, span: Span) -> Number:
    if Literal(0) in (one, other):
        return Literal(0)
    if ONE in (one, other):
        return other if one == ONE else one
    return extents.number(flat, "mul", (one, other), span)
