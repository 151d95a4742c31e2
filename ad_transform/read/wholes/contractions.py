"""Products of arrays that are summed over indices, as `np.einsum` has them.

Two factors at a time: a product of matrices, one for each place of the indices that
both factors and the result have, or element by element where nothing else is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.read.arrays.blocks import ONE, Block, product, rows_of, turned
from ad_transform.read.layers.layered import (
    agree,
    axis_of,
    block_of,
    common,
    lent,
    over,
    summed,
    value_of,
)
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes import wholes
from ad_transform.read.wholes.wholes import apply


def contracted(
    flat: Context, labels: Sequence[str], blocks: Sequence[Block], left: str, span: Span
) -> Block:
    """The sum of products over all indices but those that are left; raises Unfit."""
    _require_labels(flat, labels, blocks, left, span)
    label, block = labels[0], blocks[0]
    for k in range(1, len(blocks)):
        rest = {*left, *"".join(labels[k + 1 :])}
        both = dict.fromkeys(label + labels[k])
        kept = "".join(c for c in both if c in rest)
        pair = (label, block), (labels[k], blocks[k])
        label, block = kept, _product(flat, *pair, kept, span)
    return _arranged(flat, label, block, left, span)


def _require_labels(
    flat: Context, labels: Sequence[str], blocks: Sequence[Block], left: str, span: Span
) -> None:
    """Require that indices fit to axes, and lengths to each other; raises Unfit."""
    sizes: dict[str, Number] = {}
    if len(labels) != len(blocks):
        raise Unfit("has not as many subscripts as arrays")
    for label, block in zip(labels, blocks, strict=True):
        if len(label) != block.rank or len(set(label)) < len(label):
            raise Unfit(f"of {label!r} is not supported yet", "name each axis once")
        for letter, size in zip(label, block.sizes, strict=True):
            if letter in sizes:
                agree(flat, sizes[letter], size, span)
            sizes.setdefault(letter, size)
    if not set(left) <= sizes.keys() or len(set(left)) < len(left):
        raise Unfit(f"of {left!r} is not supported yet", "name each axis once")


def _arranged(flat: Context, label: str, block: Block, left: str, span: Span) -> Block:
    """A block summed over the indices that are not left, its axes in their order."""
    gone = [k for k, letter in enumerate(label) if letter not in left]
    found = summed(flat, block, gone, span)
    rest = [letter for letter in label if letter in left]
    return turned(flat, found, [rest.index(letter) for letter in left], span)


_Factor = tuple[str, Block]


def _product(
    flat: Context, one: _Factor, other: _Factor, left: str, span: Span
) -> Block:
    """The product of two factors with the indices that are left."""
    one, other = (
        _alone(flat, *pair, span) for pair in ((one, other, left), (other, one, left))
    )
    a, b = one[0], other[0]
    batch = [c for c in a if c in b and c in left]
    inner = [c for c in a if c in b and c not in left]
    rows = [c for c in a if c not in b]
    columns = [c for c in b if c not in a]
    if not inner or (batch and not rows and not columns):
        return _by_elements(flat, one, other, left, span)
    x = turned(flat, one[1], [a.index(c) for c in (*batch, *rows, *inner)], span)
    y = turned(flat, other[1], [b.index(c) for c in (*batch, *inner, *columns)], span)
    lengths = {**dict(zip(a, one[1].sizes, strict=True))}
    lengths.update((c, other[1].sizes[b.index(c)]) for c in columns)
    counts = [
        product(flat, [lengths[c] for c in group], span)
        for group in (batch, rows, inner, columns)
    ]
    line = _of_matrices(flat, x.line, y.line, counts, span)
    order = [*batch, *rows, *columns]
    made = Block(line, tuple(lengths[c] for c in order))
    return turned(flat, made, [order.index(c) for c in left], span)


def _alone(
    flat: Context, one: _Factor, other: _Factor, left: str, span: Span
) -> _Factor:
    """A factor summed over the indices that nothing else has."""
    label, block = one
    gone = [k for k, c in enumerate(label) if c not in other[0] and c not in left]
    rest = "".join(c for k, c in enumerate(label) if k not in gone)
    return rest, summed(flat, block, gone, span)


def _by_elements(
    flat: Context, one: _Factor, other: _Factor, left: str, span: Span
) -> Block:
    """A product element by element, summed over the indices that are not left."""
    order = "".join(dict.fromkeys(left + one[0] + other[0]))
    wide = []
    for label, block in (one, other):
        own = [label.index(c) for c in order if c in label]
        given = iter(turned(flat, block, own, span).sizes)
        sizes = tuple(next(given) if c in label else ONE for c in order)
        wide.append(Block(turned(flat, block, own, span).line, sizes))
    sizes = common(flat, wide, span)
    lines = [over(flat, block, sizes, span) for block in wide]
    made = wholes.combined(flat, TABLE["mul"], lines, span)
    assert isinstance(made, Draft | Literal)
    found = Block(made, sizes)
    return summed(flat, found, range(len(left), len(order)), span)


def _of_matrices(
    flat: Context, x: Number, y: Number, counts: Sequence[Number], span: Span
) -> Number:
    """The elements of products of matrices, one for each place of the first index."""
    batch, rows, inner, columns = counts
    if batch != ONE:
        given = batch, rows, inner, columns
        return apply(flat, "layer_products", x, y, *given, span=span)
    if rows == ONE and columns == ONE:
        return apply(flat, "dot", x, y, span=span)
    if rows == ONE:
        return apply(
            flat, "vec_mat", x, rows_of(flat, y, inner, columns, span), span=span
        )
    matrix = rows_of(flat, x, rows, inner, span)
    if columns == ONE:
        return apply(flat, "mat_vec", matrix, y, span=span)
    right = rows_of(flat, y, inner, columns, span)
    found = apply(flat, "mat_mat", matrix, right, span=span)
    return apply(flat, "raveled", found, span=span)


# --- numpy's functions ----------------------------------------------------------------


def sides(text: str) -> tuple[str, str]:
    """The subscripts of the arrays, and those of the result. Where these are not said
    they are those that stand once, in the order of numpy: A to Z, then a to z.
    """
    given, arrow, left = text.replace(" ", "").partition("->")
    if arrow:
        return given, left
    once = (c for c in given if c.isalpha() and given.count(c) == 1)
    return given, "".join(sorted(once))


def with_letters(text: str, ranks: Sequence[int]) -> str:
    """Subscripts with letters in the place of dots, for arrays of these ranks; raises
    Unfit.
    """
    if "." not in text:
        return text
    given, arrow, left = text.replace(" ", "").partition("->")
    terms = given.split(",")
    counts = [
        rank - len(term.replace(_DOTS, "")) if _DOTS in term else 0
        for term, rank in zip(terms, ranks, strict=False)
    ]
    most = max(counts)
    letters = "".join([c for c in ascii_letters if c not in text][:most])
    wrong = min(counts) < 0 or (arrow and most and _DOTS not in left)
    if wrong or "." in text.replace(_DOTS, ""):
        raise Unfit(f"has subscripts {text!r} that its arrays do not fit")
    if not arrow:
        once = (c for c in given if c.isalpha() and given.count(c) == 1)
        left = _DOTS + "".join(sorted(once))
    pairs = zip(terms, counts, strict=False)
    named = ",".join(t.replace(_DOTS, letters[most - n :]) for t, n in pairs)
    return f"{named}->{left.replace(_DOTS, letters)}"


_DOTS = "..."


def is_turned(subscripts: Value, *arrays: object) -> bool:
    """Whether numpy gives a view of the only array: its axes in another order."""
    text = getattr(subscripts, "value", None)
    given, left = sides(str(text))
    count = sum(array is not Special.NONE for array in arrays)
    return count == 1 and set(given) == set(left)


def einsum(flat: Context, span: Span, subscripts: Value, *arrays: Value) -> Value:
    """`np.einsum` with written subscripts."""
    text = getattr(subscripts, "value", None)
    if not isinstance(text, str):
        raise Unfit("needs written subscripts", "write `'ijk,k->ij'`")
    blocks = [block_of(flat, a, span) for a in arrays if a is not Special.NONE]
    given, left = sides(with_letters(text, [block.rank for block in blocks]))
    made = value_of(flat, contracted(flat, given.split(","), blocks, left, span), span)
    if is_turned(subscripts, *arrays):
        return lent(flat, arrays[0], made, span)
    return made


def tensordot(flat: Context, span: Span, a: Value, b: Value, axes: Value) -> Value:
    """`np.tensordot`."""
    one, other = block_of(flat, a, span), block_of(flat, b, span)
    first, second = _pairs(axes, one.rank, other.rank)
    labels = "abcdef"[: one.rank]
    others = list("uvwxyz"[: other.rank])
    for i, j in zip(first, second, strict=True):
        others[j] = labels[i]
    gone = {labels[i] for i in first}
    left = "".join(c for c in (*labels, *others) if c not in gone)
    both = [labels, "".join(others)]
    return value_of(flat, contracted(flat, both, [one, other], left, span), span)


def _pairs(axes: Value, one: int, other: int) -> tuple[list[int], list[int]]:
    """The axes of both factors that are summed over; raises Unfit."""
    if isinstance(axes, Group) and len(axes.items) == 2:
        found = [
            item.items if isinstance(item, Group) else (item,) for item in axes.items
        ]
        first = [axis_of(k, one, 0) for k in found[0]]
        second = [axis_of(k, other, 0) for k in found[1]]
    else:
        count = 2 if axes is Special.NONE else whole(axes)
        if count is None or not 0 <= count <= min(one, other):
            raise Unfit("needs written axes", "write `axes=([1], [0])`")
        first, second = list(range(one - count, one)), list(range(count))
    if len(first) != len(second) or len({*first}) < len(first):
        raise Unfit("needs as many axes of both", "write `axes=([1], [0])`")
    return first, second
