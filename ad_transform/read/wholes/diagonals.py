"""Diagonals of matrices, and matrices of a diagonal: `np.diag(x, 1)`, `np.trace(A)`.

Of arrays whose elements are known, and of whole ones. A diagonal k stands k places
above the main one, below it where k is negative.
"""

from __future__ import annotations

from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.known.grids import Grid, made_of, shape_text
from ad_transform.read.machine.arguments import Unfit, folded, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes.whole_layouts import counted_up, filled, rank, seen
from ad_transform.read.wholes.whole_lengths import key
from ad_transform.read.wholes.whole_parts import part
from ad_transform.read.wholes.wholes import apply, joined, length, real
from ad_transform.read.wholes.wholes import shape_text as whole_shape_text


def _place(k: Value) -> int:
    """The number of a diagonal, by default that of the main one; raises Unfit."""
    found = 0 if k is Special.NONE else whole(k)
    if found is None:
        raise Unfit("needs a diagonal that is known", "write its number")
    return found


# --- of known elements ----------------------------------------------------------------


def known_diag(flat: Context, span: Span, v: Grid, k: Value) -> Grid:
    """`np.diag`: a matrix of a diagonal, or a diagonal of a matrix."""
    if v.rank != 1:
        return known_diagonal(flat, span, v, k)
    above, zero = _place(k), Literal(0.0)
    size = len(v.items) + abs(above)

    def item(place: tuple[int, ...]) -> Value:
        row, column = place
        return v.items[min(row, column)] if column - row == above else zero

    return made_of((size, size), item)


def known_diagonal(flat: Context, span: Span, a: Grid, offset: Value) -> Grid:
    """`np.diagonal`: a view."""
    if a.rank != MOST:
        raise Unfit(f"needs a vector or a matrix, not shape {shape_text(a.shape)}")
    above = _place(offset)
    down, right = max(-above, 0), max(above, 0)
    count = max(min(a.shape[0] - down, a.shape[1] - right), 0)
    items = tuple(a.at((i + down, i + right)) for i in range(count))
    return Grid((count,), items, a.site)


def known_trace(flat: Context, span: Span, a: Grid, offset: Value) -> Grid:
    """`np.trace`."""
    items = known_diagonal(flat, span, a, offset).items
    return Grid((), (folded(flat, "add", items, span) if items else Literal(0.0),))


# --- of whole arrays ------------------------------------------------------------------


def diag(flat: Context, span: Span, v: Number, k: Value) -> Value:
    """`np.diag`: a matrix of a diagonal, or a diagonal of a matrix."""
    if rank(v) != 1:
        return diagonal(flat, span, v, k)
    above = _place(k)
    if not above:
        return apply(flat, "diagonal_matrix", v, span=span)
    by = Literal(abs(above))
    zeros = filled(flat, span, Literal(0.0), [by])
    longer = joined(flat, (real(flat, v, span), zeros), span)
    made = apply(flat, "diagonal_matrix", longer, span=span)
    side = "rolled_columns" if above > 0 else "rolled_rows"
    return apply(flat, side, made, by, span=span)  # elements that go around are 0


def diagonal(flat: Context, span: Span, a: Number, offset: Value) -> Value:
    """`np.diagonal` of a matrix: a view."""
    above = _place(offset)
    if rank(a) != MOST:
        raise Unfit(f"needs a matrix, not shape {whole_shape_text(a.type.shape)}")
    if key(flat, a, 0) != key(flat, a, 1):
        return seen(flat, a, _along(flat, span, a, above))
    square = _from(flat, span, a, above)
    return seen(flat, a, apply(flat, "diagonal", square, span=span))


def trace(flat: Context, span: Span, a: Number, offset: Value) -> Value:
    """`np.trace` of a matrix."""
    above = _place(offset)
    if rank(a) == MOST and key(flat, a, 0) == key(flat, a, 1):
        return apply(flat, "trace", _from(flat, span, a, above), span=span)
    of = cast(Draft, diagonal(flat, span, a, offset))
    return apply(flat, "sum_all", of, span=span)


def _from(flat: Context, span: Span, a: Number, above: int) -> Number:
    """The square part of a square matrix that has a diagonal of it as the main one."""
    if not above:
        return a
    later = Slice(Literal(abs(above)), Special.NONE, Special.NONE)
    before = Slice(Special.NONE, Literal(-abs(above)), Special.NONE)
    index = (before, later) if above > 0 else (later, before)
    made = part(flat, cast(Draft, a), Group(Container.TUPLE, index), span)
    return cast(Draft, made)


def _along(flat: Context, span: Span, a: Number, above: int) -> Draft:
    """A diagonal of a matrix that may have more rows than columns, or fewer."""
    down, right = max(-above, 0), max(above, 0)
    lengths: list[Number] = []
    for axis, less in enumerate((down, right)):
        size = length(flat, a, axis, span)
        lengths.append(_moved(flat, "sub", size, less, span))
    count = flat.apply(TABLE["min"], lengths, span)
    places = counted_up(flat, span, cast(Number, count), Special.NONE)
    index = tuple(_moved(flat, "add", places, k, span) for k in (down, right))
    made = part(flat, cast(Draft, a), Group(Container.TUPLE, index), span)
    return cast(Draft, made)


def _moved(flat: Context, op: str, value: Value, by: int, span: Span) -> Number:
    """Whole numbers, some places on or back."""
    found = cast(Number, value)
    if not by:
        return found
    return cast(Number, flat.operate(TABLE[op], (found, Literal(by)), span))


def diagflat(flat: Context, span: Span, v: Number, k: Value) -> Value:
    """`np.diagflat`: a matrix of a diagonal, all elements one behind the other."""
    if rank(v) > 1:
        v = apply(flat, "raveled", v, span=span)
    return diag(flat, span, v, k)


def known_diagflat(flat: Context, span: Span, v: Grid, k: Value) -> Grid:
    """`np.diagflat` of known elements."""
    return known_diag(flat, span, Grid((len(v.items),), v.items), k)
