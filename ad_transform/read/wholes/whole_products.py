"""Products and equations of whole arrays of run-time length: numpy's functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import blocks
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.structured import Group, Unread
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes import contractions
from ad_transform.read.wholes.whole_layouts import (
    Rule,
    identity,
    of_square,
    rank,
    raveled,
    require_square,
    seen,
)
from ad_transform.read.wholes.wholes import agree, apply, length, operated


def dot(flat: Context, span: Span, a: Number, b: Number) -> Value:
    """`np.dot`."""
    if not rank(a) or not rank(b):
        return operated(flat, TABLE["mul"], (a, b), span)
    return matmul(flat, span, a, b)


_PRODUCTS = {(1, 1): "dot", (2, 1): "mat_vec", (1, 2): "vec_mat", (2, 2): "mat_mat"}


def matmul(flat: Context, span: Span, a: Number, b: Number) -> Value:
    """`a @ b`."""
    if not rank(a) or not rank(b):
        raise Unfit("needs vectors or matrices", "write `*` for a product of numbers")
    agree(flat, a, rank(a) - 1, b, 0, span)
    return apply(flat, _PRODUCTS[rank(a), rank(b)], a, b, span=span)


def outer(flat: Context, span: Span, a: Number, b: Number) -> Draft:
    """`np.outer`, of all elements."""
    return apply(flat, "outer", *(_line_of(flat, x, span) for x in (a, b)), span=span)


def _line_of(flat: Context, a: Number, span: Span) -> Number:
    """All elements of an array as a vector."""
    if not rank(a):
        raise Unfit("needs arrays", "write `*` for a product of numbers")
    return a if rank(a) == 1 else apply(flat, "raveled", a, span=span)


def kronecker(flat: Context, span: Span, a: Number, b: Number) -> Value:
    """`np.kron`; an array with fewer axes gets axes of length 1 in front."""
    most = max(rank(a), rank(b))
    if not most:
        return operated(flat, TABLE["mul"], (a, b), span)
    sides = [_with_axes(flat, span, x, most) for x in (a, b)]
    lines = [cast(Number, raveled(flat, span, x)) for x in (a, b) if rank(x)]
    if len(lines) < len(sides):
        return operated(flat, TABLE["mul"], (a, b), span)
    every = apply(flat, "raveled", outer(flat, span, *lines), span=span)
    sizes = tuple(size for side in sides for size in side)
    order = [place for k in range(most) for place in (k, most + k)]
    line = blocks.turned(flat, blocks.Block(every, sizes), order, span).line
    if most == 1:
        return line
    rows, columns = (
        blocks.product(flat, side, span) for side in zip(*sides, strict=True)
    )
    return blocks.rows_of(flat, line, rows, columns, span)


def _with_axes(flat: Context, span: Span, a: Number, most: int) -> list[Number]:
    """The lengths of an array's axes, behind as many of length 1 as are missing."""
    own = [length(flat, a, k, span) for k in range(rank(a))]
    return [Literal(1)] * (most - rank(a)) + own


def inner(flat: Context, span: Span, a: Number, b: Number) -> Value:
    """`np.inner`, over the last axes of both."""
    if not rank(a) or not rank(b):
        return operated(flat, TABLE["mul"], (a, b), span)
    return _contracted(flat, span, (a, b), (-1, -1))


def vdot(flat: Context, span: Span, a: Number, b: Number) -> Value:
    """`np.vdot`: of all elements."""
    if rank(a) < MOST and rank(b) < MOST:
        return inner(flat, span, a, b)
    lines = [
        x if rank(x) == 1 else apply(flat, "raveled", x, span=span) for x in (a, b)
    ]
    return matmul(flat, span, *lines)


def _contracted(
    flat: Context, span: Span, factors: tuple[Number, Number], axes: tuple[int, int]
) -> Value:
    """A product that is summed over an axis of each factor, 0 or -1."""
    a, b = factors
    if axes[0] == 0 and rank(a) == MOST:
        a = _turned(flat, span, a)
    if axes[1] == -1 and rank(b) == MOST:
        b = _turned(flat, span, b)
    return matmul(flat, span, a, b)


def solved(flat: Context, span: Span, a: Number, b: Number) -> Value:
    """`np.linalg.solve`."""
    if not rank(b):
        raise Unfit("needs a matrix and a vector or a matrix")
    require_square(flat, a, span)
    agree(flat, a, 1, b, 0, span)
    name = "solved_for" if rank(b) == 1 else "all_solved_for"
    return apply(flat, name, a, b, span=span)


def eigen(flat: Context, span: Span, a: Number) -> Value:
    """`np.linalg.eigh`: eigenvalues and eigenvectors."""
    vectors = of_square("eigenvectors")(flat, span, a)  # adjoints of values read them
    values = of_square("eigenvalues")(flat, span, a)
    return Group(Container.TUPLE, (values, vectors))


def pseudo_inverse(flat: Context, span: Span, a: Number) -> Value:
    """`np.linalg.pinv`."""
    if rank(a) != MOST:
        raise Unfit("needs a matrix")
    return apply(flat, "pseudo_inverse", a, span=span)


def least_squares(
    flat: Context, span: Span, a: Number, b: Number, rcond: Value
) -> Value:
    """`np.linalg.lstsq`: of its four results only the solution can be read."""
    if rcond is not Special.NONE:
        raise Unfit("takes no `rcond` but None", "write `rcond=None`")
    if rank(a) != MOST or rank(b) != 1:
        raise Unfit("needs a matrix and a vector", "write it for one column at a time")
    agree(flat, a, 0, b, 0, span)
    found = apply(flat, "least_squares", a, b, span=span)
    others = (Unread(f"{what} of numpy.linalg.lstsq") for what in _BESIDE)
    return Group(Container.TUPLE, (found, *others))


_BESIDE = ("residuals", "rank", "singular values")


def power(flat: Context, span: Span, a: Number, n: Value) -> Value:
    """`np.linalg.matrix_power`, by squares as numpy does."""
    require_square(flat, a, span)
    count = whole(n)
    if count is None:
        raise Unfit("needs a written power", "write a loop of products")
    if not count:
        return identity(flat, span, length(flat, a, 0, span))
    if count < 0:
        a, count = apply(flat, "inverse", a, span=span), -count
    if count <= 3:
        found = a
        for _ in range(count - 1):
            found = apply(flat, "mat_mat", found, a, span=span)
        return found if count > 1 else apply(flat, "copied", a, span=span)
    made: Number | None = None
    square = a
    while True:
        count, bit = divmod(count, 2)
        if bit:
            product = made and apply(flat, "mat_mat", made, square, span=span)
            made = product or square
        if not count:
            assert made is not None
            return made
        square = apply(flat, "mat_mat", square, square, span=span)


def tensordot(flat: Context, span: Span, a: Number, b: Number, axes: Value) -> Value:
    """`np.tensordot` over the last axes of one and the first of the other, or over an
    axis of each.
    """
    if isinstance(axes, Group):
        pair = _pair(axes, rank(a), rank(b))
        if pair is not None:
            return _contracted(flat, span, (a, b), pair)
    count = MOST if axes is Special.NONE else whole(axes)
    if count == 1:
        return matmul(flat, span, a, b)
    if count != MOST or (rank(a), rank(b)) != (MOST, MOST):
        return contractions.tensordot(flat, span, a, b, axes)
    return _sum(flat, span, _times(flat, span, a, b))


def _pair(axes: Group, *ranks: int) -> tuple[int, int] | None:
    """An axis of each of two factors, 0 or -1: `axes=(0, 1)`, `axes=([0], [1])`."""
    found: list[int] = []
    for item, axes_of in zip(axes.items, ranks, strict=False):
        only = item.items if isinstance(item, Group) else (item,)
        place = whole(only[0]) if len(only) == 1 else None
        if place is None or not -axes_of <= place < axes_of:
            break
        found.append(-1 if place % axes_of == axes_of - 1 else 0)
    if len(found) != len(axes.items) or len(found) != len(ranks):
        return None
    first, second = found
    return first, second


# --- sums over indices ----------------------------------------------------------------


def _times(flat: Context, span: Span, a: Number, b: Number) -> Number:
    made = operated(flat, TABLE["mul"], (a, b), span)
    assert isinstance(made, Draft)
    return made


def _done(name: str) -> Callable[[Context, Span, Number], Draft]:
    return lambda flat, span, a: apply(flat, name, a, span=span)


_sum, _turned, _column = _done("sum_all"), _done("turned"), _done("column")
_rows, _columns = _done("sum_rows"), _done("sum_columns")


def _line(flat: Context, span: Span, a: Number, b: Number) -> Number:
    agree(flat, a, 0, b, 0, span)
    return apply(flat, "vec_mat", a, b, span=span)


# fmt: off
_SUMS: Mapping[str, Rule] = {
    "i->":        _sum,
    "ij->":       _sum,
    "ij->j":      _rows,
    "ij->i":      _columns,
    "ij->ji":     _turned,
    "ii->":       of_square("trace"),
    "ii->i":      of_square("diagonal"),
    "i,i->":      matmul,
    "ij,j->i":    matmul,
    "i,ij->j":    matmul,
    "ij,jk->ik":  matmul,
    "ij,i->j":    lambda f, s, a, b: matmul(f, s, b, a),
    "ij,kj->ik":  lambda f, s, a, b: matmul(f, s, a, _turned(f, s, b)),
    "ij,ik->jk":  lambda f, s, a, b: matmul(f, s, _turned(f, s, a), b),
    "i,j->ij":    outer,
    "i,i->i":     _times,
    "ij,ij->ij":  _times,
    "ij,j->ij":   _times,
    "ij,i->ij":   lambda f, s, a, b: _times(f, s, a, _column(f, s, b)),
    "i,ij->ij":   lambda f, s, a, b: _times(f, s, _column(f, s, a), b),
    "ij,ij->":    lambda f, s, a, b: _sum(f, s, _times(f, s, a, b)),
    "ij,ji->":    lambda f, s, a, b: _sum(f, s, _times(f, s, a, _turned(f, s, b))),
    "ij,ij->i":   lambda f, s, a, b: _columns(f, s, _times(f, s, a, b)),
    "ij,ij->j":   lambda f, s, a, b: _rows(f, s, _times(f, s, a, b)),
    "i,ij,j->":   lambda f, s, a, b, c: matmul(f, s, _line(f, s, a, b), c),
}
# fmt: on
"""The forms of `np.einsum` by its subscripts, the indices called i, j, k in order."""


def einsum(flat: Context, span: Span, subscripts: Value, *arrays: Number) -> Value:
    """`np.einsum` with written subscripts."""
    text = getattr(subscripts, "value", None)
    if not isinstance(text, str):
        raise Unfit("needs written subscripts", "write `'ij,j->i'`")
    text = contractions.with_letters(text, [rank(a) for a in arrays])
    given, left = contractions.sides(text)
    bare = f"{given}->{left}"
    letters = dict.fromkeys(letter for letter in bare if letter.isalpha())
    names = str.maketrans(dict(zip(letters, "ijklmnop", strict=False)))
    form = _SUMS.get(bare.translate(names))
    parts = given.split(",")
    if form is None or [len(part) for part in parts] != [rank(a) for a in arrays]:
        return contractions.einsum(flat, span, Literal(text), *arrays)
    made = form(flat, span, *arrays)
    if contractions.is_turned(subscripts, *arrays):
        return seen(flat, arrays[0], made)
    return made
