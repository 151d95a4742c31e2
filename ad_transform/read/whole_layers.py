"""Reductions of arrays of three axes along one of them, or two: those of a matrix.

The axes that are left become its rows, and those that go its columns, or the other way
round; what comes out is laid out in the axes that are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Type
from ad_transform.read import extents
from ad_transform.read.arguments import Unfit, whole
from ad_transform.read.context import Context
from ad_transform.read.grids import grid_of
from ad_transform.read.values import Array, Group, Number, Special, Value
from ad_transform.read.whole_layouts import dim
from ad_transform.read.wholes import apply, line_of, whole_of

_NAMES = (
    "sum mean max min amax amin prod median ptp std var average quantile percentile "
    "any all count_nonzero argmax argmin linalg.norm"
)
ALONG = frozenset(f"numpy.{name}" for name in _NAMES.split())
"""Functions of lines of elements that give one number for each."""

_AXES = 3


@dataclass(frozen=True, slots=True)
class Lines:
    """A matrix, what a function gets beside it, and the axes that are left."""

    flat: Context
    matrix: Number
    keywords: Mapping[str, Value]
    left: tuple[Number, ...]
    span: Span

    def back(self, found: Value) -> Value:
        """What a function has given, in the axes that are left."""
        if len(self.left) < 2 or not isinstance(found, Number):
            return found
        return laid_out(self.flat, found, self.left, self.span)


def is_of_three(values: Sequence[Value]) -> bool:
    """Whether the first argument is an array of three axes."""
    first = values[0] if values else Special.NONE
    if isinstance(first, Array):
        return len(first.axes) == _AXES
    depth = 0
    while isinstance(first, Group) and first.items:
        first, depth = first.items[0], depth + 1
    return depth == _AXES


def _line_and_sizes(
    flat: Context, array: Value, span: Span
) -> tuple[Number, tuple[Number, ...]]:
    """The elements of an array as a vector, and how long its axes are."""
    if isinstance(array, Array):
        sizes = extents.shape(flat, array, span).items
        line = line_of(flat, array, span)
        return line, tuple(size for size in sizes if isinstance(size, Number))
    grid = grid_of(flat, array, span)
    assert grid is not None
    whole = whole_of(flat, Group(Container.LIST, grid.items), span)
    return whole, tuple(map(Literal, grid.shape))


def lines_of(flat: Context, given: Sequence[tuple[str, Value]], span: Span) -> Lines:
    """The matrix of an array, given the arguments of a function; raises Unfit."""
    (_, array), *others = given
    keywords = {
        word.strip("@?"): value for word, value in others if value is not Special.NONE
    }
    gone = _places(keywords.pop("axis", Special.NONE))
    if keywords.pop("keepdims", Special.NONE) not in (Special.NONE, Literal(False)):
        raise Unfit("keeps no axes of three", "leave `keepdims` out")
    line, sizes = _line_and_sizes(flat, array, span)
    if not gone:
        return Lines(flat, line, keywords, (), span)
    left = tuple(size for k, size in enumerate(sizes) if k not in gone)
    behind = 2 in gone
    if gone in ({1}, {0, 2}):
        matrix: Number = apply(flat, "rows_across", line, *sizes, span=span)
        axis = 1 if gone == {1} else 0
    else:
        away = tuple(size for k, size in enumerate(sizes) if k in gone)
        parts = (left, away) if behind else (away, left)
        lengths = tuple(_product(flat, part, span) for part in parts)
        matrix, axis = laid_out(flat, line, lengths, span), int(behind)
    return Lines(flat, matrix, {**keywords, "axis": Literal(axis)}, left, span)


def _places(axis: Value) -> set[int]:
    """The axes that go, one or two of three; none of them are all."""
    if axis is Special.NONE:
        return set()
    items = axis.items if isinstance(axis, Group) else (axis,)
    places = [whole(item) for item in items]
    found = {p % _AXES for p in places if p is not None and -_AXES <= p < _AXES}
    if not 0 < len(found) == len(places) < _AXES:
        raise Unfit("needs written axes, one or two of three", "write `axis=0`")
    return found


def _product(flat: Context, sizes: Sequence[Number], span: Span) -> Number:
    found = sizes[0]
    for size in sizes[1:]:
        found = extents.number(flat, "mul", (found, size), span)
    return extents.known(flat, found)


def laid_out(
    flat: Context, line: Number, lengths: Sequence[Number], span: Span
) -> Number:
    """A vector as a matrix."""
    shape = tuple(dim(flat, size) for size in lengths)
    type_ = Type(line.type.kind, (), shape)
    return flat.declare(TABLE["laid_out"], (line, *lengths), type_, span)
