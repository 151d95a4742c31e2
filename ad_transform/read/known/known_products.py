"""Products of vectors and matrices whose elements are known: `A @ x`, `np.outer`.

Sums run from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ad_transform.diagnostics import Span
from ad_transform.elementals.calls import TWIN
from ad_transform.ir.nodes import Literal
from ad_transform.read.known.grids import (
    Grid,
    Shape,
    along,
    broadcast,
    made_of,
    places,
    reshaped,
    shape_text,
    transposed,
    turned,
)
from ad_transform.read.known.known_sums import axis_of
from ad_transform.read.machine.arguments import Unfit, folded, operate, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.values import Draft, Special, Value
from ad_transform.read.wholes.contractions import sides, with_letters


def summed(flat: Context, pairs: Sequence[tuple[Value, ...]], span: Span) -> Value:
    """The sum of products."""
    terms = [folded(flat, "mul", pair, span) for pair in pairs]
    return folded(flat, "add", terms, span) if terms else Literal(0.0)


def dot(flat: Context, span: Span, a: Grid, b: Grid) -> Grid:
    """`np.dot`: numbers scale, vectors and matrices are multiplied."""
    if a.rank and b.rank:
        return _flat_product(flat, span, a, b)
    number, grid = (a, b) if not a.rank else (b, a)
    (factor,) = number.items
    first = number is a
    return Grid(
        grid.shape,
        tuple(
            operate(flat, "mul", (factor, x) if first else (x, factor), span)
            for x in grid.items
        ),
    )


def matmul(flat: Context, span: Span, a: Grid, b: Grid) -> Grid:
    """`a @ b` of vectors and matrices, of arrays of three axes layer by layer."""
    if max(a.rank, b.rank) != _LAYERED:
        return _flat_product(flat, span, a, b)
    counts = {x.shape[0] for x in (a, b) if x.rank == _LAYERED} - {1}
    if len(counts) > 1 or not (a.rank and b.rank):
        shown = f"{shape_text(a.shape)} and {shape_text(b.shape)}"
        raise Unfit(f"gets arrays of shapes {shown}", "give it as many layers of each")
    count = counts.pop() if counts else 1
    if not count:
        raise Unfit("gets an array without layers")
    made = [_flat_product(flat, span, _layer(a, k), _layer(b, k)) for k in range(count)]
    return Grid((count, *made[0].shape), tuple(x for one in made for x in one.items))


_LAYERED = 3


def _layer(grid: Grid, k: int) -> Grid:
    """Layer k of an array of three axes, or its only one; any other array as it is."""
    if grid.rank != _LAYERED:
        return grid
    count, *shape = grid.shape
    size = prod(shape)
    first = k * size if count > 1 else 0
    return Grid(tuple(shape), grid.items[first : first + size])


def _flat_product(flat: Context, span: Span, a: Grid, b: Grid) -> Grid:
    if not 1 <= a.rank <= 2 or not 1 <= b.rank <= 2:
        raise Unfit("needs vectors or matrices", "write `*` for a product of numbers")
    if a.shape[-1] != b.shape[0]:
        shown = f"{shape_text(a.shape)} and {shape_text(b.shape)}"
        raise Unfit(f"gets arrays of shapes {shown}", _INNER)
    rows, lines = along(a, a.rank - 1)
    columns, others = along(b, 0)
    items = tuple(
        summed(flat, list(zip(line, other, strict=True)), span)
        for line in lines
        for other in others
    )
    return Grid((*rows, *columns), items)


_INNER = "the last axis of the first and the first of the second have one length"


def inner(flat: Context, span: Span, a: Grid, b: Grid) -> Grid:
    """`np.inner`: sums over both last axes."""
    if not a.rank or not b.rank:
        return dot(flat, span, a, b)
    return _flat_product(flat, span, a, transposed(b))


def vdot(flat: Context, span: Span, a: Grid, b: Grid) -> Grid:
    """`np.vdot`: of all elements."""
    return matmul(flat, span, reshaped(a, (-1,)), reshaped(b, (-1,)))


def outer(flat: Context, span: Span, a: Grid, b: Grid) -> Grid:
    """`np.outer`."""
    pairs = ((x, y) for x in a.items for y in b.items)
    items = tuple(operate(flat, "mul", pair, span) for pair in pairs)
    return Grid((len(a.items), len(b.items)), items)


def cross(flat: Context, span: Span, a: Grid, b: Grid, axis: Value) -> Grid:
    """`np.cross` of vectors of three, along one axis of each array, or of two."""
    last = Literal(-1) if axis is Special.NONE else axis
    parts = []
    for grid in (a, b):
        place = axis_of(last, grid.rank)
        if place is None or grid.shape[place] not in (2, 3):
            shown = f"{shape_text(a.shape)} and {shape_text(b.shape)}"
            raise Unfit(f"gets arrays of shapes {shown}", "give it vectors of three")
        rest, lines = along(grid, place)
        wide = (*rest, grid.shape[place])
        parts.append(Grid(wide, tuple(item for line in lines for item in line)))
    one, other = parts
    sizes = {grid.shape[-1] for grid in parts}
    if len(sizes) > 1:
        shown = f"{shape_text(a.shape)} and {shape_text(b.shape)}"
        raise Unfit(f"gets arrays of shapes {shown}", "give both a third element")
    shape = broadcast([one.shape, other.shape])
    if sizes == {2}:
        return made_of(shape[:-1], lambda at: _turn(flat, one, other, at, span))

    def item(at: Sequence[int]) -> Value:
        *rest, k = at
        i, j = (k + 1) % 3, (k + 2) % 3
        pairs = [
            (one.over((*rest, m)), other.over((*rest, n))) for m, n in ((i, j), (j, i))
        ]
        return _difference(flat, pairs, span)

    made = made_of(shape, item)
    place = axis_of(last, len(shape))
    assert place is not None
    order = [*range(len(shape) - 1)]
    order.insert(place, len(shape) - 1)
    return turned(made, order)


def _turn(
    flat: Context, one: Grid, other: Grid, at: Sequence[int], span: Span
) -> Value:
    """The third element of a product of vectors in a plane."""
    pairs = [(one.over((*at, m)), other.over((*at, 1 - m))) for m in range(2)]
    return _difference(flat, pairs, span)


def _difference(
    flat: Context, pairs: Sequence[tuple[Value, Value]], span: Span
) -> Value:
    terms = [operate(flat, "mul", pair, span) for pair in pairs]
    return operate(flat, "sub", terms, span)


def kron(flat: Context, span: Span, a: Grid, b: Grid) -> Grid:
    """`np.kron`; the array of fewer axes gets axes of length 1 in front."""
    rank = max(a.rank, b.rank)
    a, b = (Grid((1,) * (rank - x.rank) + x.shape, x.items, x.site) for x in (a, b))
    shape = tuple(n * m for n, m in zip(a.shape, b.shape, strict=True))

    def item(place: Sequence[int]) -> Value:
        parts = [divmod(k, m) for k, m in zip(place, b.shape, strict=True)]
        pair = a.at([p for p, _ in parts]), b.at([q for _, q in parts])
        return operate(flat, "mul", pair, span)

    return made_of(shape, item)


def _matrix(a: Grid) -> Shape:
    if a.rank != 2:
        raise Unfit(f"needs a matrix, not shape {shape_text(a.shape)}")
    return a.shape


def einsum(flat: Context, span: Span, subscripts: Value, *grids: Grid) -> Grid:
    """`np.einsum` with written subscripts."""
    text = subscripts.value if isinstance(subscripts, Literal) else None
    if not isinstance(text, str):
        raise Unfit("needs its subscripts written out")
    sources, target = sides(with_letters(text, [grid.rank for grid in grids]))
    terms = sources.split(",")
    sizes: dict[str, int] = {}
    for term, grid in zip(terms, grids, strict=False):
        for letter, n in zip(term, grid.shape, strict=False):
            if sizes.setdefault(letter, n) not in (1, n) and n != 1:
                raise Unfit(f"has two lengths for {letter!r}: {sizes[letter]} and {n}")
            sizes[letter] = max(sizes[letter], n)
    if [len(t) for t in terms] != [g.rank for g in grids] or set(target) - set(sizes):
        raise Unfit(f"has subscripts {text!r} that its arrays do not fit")
    rest = [c for c in sizes if c not in target]

    def item(place: Sequence[int]) -> Value:
        fixed = dict(zip(target, place, strict=True))
        found = []
        for other in places(tuple(sizes[c] for c in rest)):
            env = fixed | dict(zip(rest, other, strict=True))
            pairs = zip(terms, grids, strict=True)
            found.append(tuple(g.at([env[c] for c in term]) for term, g in pairs))
        return summed(flat, found, span)

    return made_of(tuple(sizes[c] for c in target), item)


# --- matrices of two or three rows ----------------------------------------------------


def determinant(flat: Context, span: Span, a: Grid) -> Grid | None:
    """`np.linalg.det` by cofactors; None where elimination costs less."""
    n = _square(a)
    if n > _FEW:
        return None
    return Grid((), (_minor(flat, a, range(n), range(n), span),))


_FEW = 3
"""Rows of a matrix up to which cofactors are written out."""


def _square(a: Grid) -> int:
    rows, columns = _matrix(a)
    if rows != columns or not rows:
        raise Unfit(f"needs a square matrix, not shape {shape_text(a.shape)}")
    return rows


def _minor(
    flat: Context, a: Grid, rows: Sequence[int], columns: Sequence[int], span: Span
) -> Value:
    """The determinant of some rows and columns, along the first of these rows."""
    if not rows:
        return Literal(1.0)
    if len(rows) == 1:
        return a.at((rows[0], columns[0]))
    total: Value = Special.NONE
    for k, column in enumerate(columns):
        others = [c for c in columns if c != column]
        below = _minor(flat, a, rows[1:], others, span)
        term = operate(flat, "mul", (a.at((rows[0], column)), below), span)
        if not k:
            total = term
        else:
            total = operate(flat, "sub" if k % 2 else "add", (total, term), span)
    return total


def _cofactors(flat: Context, a: Grid, span: Span) -> tuple[Grid, Value]:
    """The transposed matrix of cofactors, and the determinant."""
    n = _square(a)

    def item(place: Sequence[int]) -> Value:
        i, j = place
        rows = [k for k in range(n) if k != j]
        found = _minor(flat, a, rows, [k for k in range(n) if k != i], span)
        return operate(flat, "neg", (found,), span) if (i + j) % 2 else found

    adjugate = made_of((n, n), item)
    first = [(a.at((0, k)), adjugate.at((k, 0))) for k in range(n)]
    return adjugate, summed(flat, first, span)


def inverse(flat: Context, span: Span, a: Grid) -> Grid | None:
    """`np.linalg.inv` by cofactors; None where elimination costs less."""
    if _square(a) > _FEW:
        return None
    adjugate, size = _cofactors(flat, a, span)
    items = (operate(flat, "div", (x, size), span) for x in adjugate.items)
    return Grid(a.shape, tuple(items))


def solved(flat: Context, span: Span, a: Grid, b: Grid) -> Grid | None:
    """`np.linalg.solve` by cofactors; None where elimination costs less."""
    if _square(a) > _FEW:
        return None
    adjugate, size = _cofactors(flat, a, span)
    found = matmul(flat, span, adjugate, b)
    items = (operate(flat, "div", (x, size), span) for x in found.items)
    return Grid(found.shape, tuple(items))


def cholesky(flat: Context, span: Span, a: Grid) -> Grid:
    """`np.linalg.cholesky` of the lower triangle; its adjoint is symmetric."""
    rows, columns = _matrix(a)
    if rows != columns:
        raise Unfit(f"needs a square matrix, not shape {shape_text(a.shape)}")
    lower: dict[tuple[int, int], Value] = {}
    for j in range(rows):
        for i in range(j, rows):
            left: Value = _of_both(flat, a.at((i, j)), a.at((j, i)), span)
            for k in range(j):
                term = operate(flat, "mul", (lower[i, k], lower[j, k]), span)
                left = operate(flat, "sub", (left, term), span)
            if i == j:
                lower[i, j] = operate(flat, "sqrt", (left,), span)
            else:
                lower[i, j] = operate(flat, "div", (left, lower[j, j]), span)
    return made_of(a.shape, lambda p: lower.get((p[0], p[1]), Literal(0.0)))


def _of_both(flat: Context, read: Value, other: Value, span: Span) -> Value:
    """A value with half of the derivative of each of two."""
    if read is other or not (isinstance(read, Draft) and isinstance(other, Draft)):
        return read
    total = operate(flat, "add", (read, other), span)
    mean = operate(flat, "mul", (Literal(0.5), total), span)
    assert isinstance(mean, Draft)
    return flat.apply(TWIN, (read, mean), span)


def power(flat: Context, span: Span, a: Grid, n: Value) -> Grid | None:
    """`np.linalg.matrix_power` with a written exponent, by squaring; None of an inverse
    that costs less by elimination.
    """
    exponent, size = whole(n), _matrix(a)
    if exponent is None or size[0] != size[1]:
        raise Unfit("needs a square matrix and a written power")
    if exponent < 0:
        inverted = inverse(flat, span, a)
        if inverted is None:
            return None
        a, exponent = inverted, -exponent
    result: Grid | None = None
    while exponent:
        if exponent % 2:
            result = a if result is None else matmul(flat, span, result, a)
        exponent //= 2
        a = matmul(flat, span, a, a) if exponent else a
    if result is None:
        return made_of(size, lambda p: Literal(float(p[0] == p[1])))
    return result
