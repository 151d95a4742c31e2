"""Arrays of three axes as a whole: their elements as a vector, and their lengths.

Read element by element, such an array is a list of layers. Arithmetic is done on the
vector of its elements (`lines` of the flattener), which is made of the list where there
is none. An axis whose length is written as 1 is broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Kind, Type
from ad_transform.read.arrays import (
    arrays,
    extents,
)
from ad_transform.read.arrays.blocks import (
    AXES,
    ONE,
    Block,
    Sizes,
    product,
    rows_of,
    turned,
    view,
)
from ad_transform.read.known.grids import MISMATCH
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes import wholes
from ad_transform.read.wholes.whole_layouts import dim
from ad_transform.read.wholes.wholes import apply, length, whole_of


def rank_of(value: Value) -> int:
    """The number of axes of a value as an array; a number has none."""
    if isinstance(value, Array):
        return len(value.axes)
    if isinstance(value, Draft):
        return len(value.type.shape)
    if isinstance(value, Group):
        return 1 + (rank_of(value.items[0]) if value.items else 0)
    return 0


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
    content = flat.heap.read(array.cell, span)
    assert isinstance(content, Draft)
    line = flat.lines.of(content)
    if line is None:
        flat.rewhole(array)
    if line is not None or array.is_whole:
        line = line or apply(flat, "line_of_layers", content, span=span)
        return line if array.is_whole else view(flat, array, line, span).line
    copy = arrays.copied(flat, array, Container.ARRAY, span)
    assert isinstance(copy, Array)
    return line_of(flat, copy, span)


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
    whole = flat.declare(
        TABLE["layered"], (line, *sizes), Type(line.type.kind, (), dims), span
    )
    _enter(flat, content, line, whole)
    return flat.heap.allocate(content, Container.ARRAY, span, sizes)


_LAYERS = "write a loop over its layers: `for A in x`"


def _enter(flat: Context, content: Draft, line: Draft, whole: Draft) -> None:
    """Remember the vector that a list of layers is made of, and its whole array."""
    flat.lines.enter(content, line)
    flat.lines.layers[line] = whole


def held(flat: Context, whole: Draft, span: Span) -> Array:
    """A parameter that comes in as a whole array, as the list that it is read as."""
    sizes = [length(flat, whole, k, span) for k in range(AXES)]
    content = apply(flat, "layers_of", whole, span=span)
    line = apply(flat, "raveled", whole, span=span)
    _enter(flat, content, line, whole)
    content.hint = whole.hint
    return flat.heap.allocate(content, Container.ARRAY, span, tuple(sizes))


def returned(flat: Context, array: Array, span: Span) -> Value:
    """An array as a result: an array of numpy where it is made of a vector."""
    content = flat.heap.held(array.cell, span)
    line = flat.lines.of(content) if isinstance(content, Draft) else None
    if line is None or len(array.axes) != AXES:
        return content
    return flat.lines.layers[line]


def lent(flat: Context, of: Value, made: Value, span: Span) -> Value:
    """A value that is a view of an array in numpy: a change of one is one of both."""
    if isinstance(of, Array) and isinstance(made, Draft) and made.type.shape:
        made = _as_list(flat, made, span)
    if isinstance(made, Array) and isinstance(of, Array):
        flat.heap.aliases.lay_out(of.cell, made.cell)
        flat.views[made.cell] = (of.cell,)
        flat.viewed.add(of.cell)
    elif isinstance(of, Draft) and of.type.shape:
        key = made.cell if isinstance(made, Array) else made
        if isinstance(key, Draft | Cell) and key is not of:
            flat.views[key] = (of,)
    return made


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
        flat.lines.enter(content, array)
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
    """The result of `each`, a function of vectors, for arrays that are broadcast;
    raises Unfit.
    """
    blocks = [block_of(flat, value, span) for value in values]
    sizes = common(flat, blocks, span)
    lines = [over(flat, block, sizes, span) for block in blocks]
    made = each(lines)
    if not isinstance(made, Draft | Literal):
        return made
    return value_of(flat, Block(made, sizes), span)


# --- sums along axes ------------------------------------------------------------------


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
