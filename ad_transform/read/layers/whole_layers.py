"""Reductions of arrays of three axes along one of them, or two: those of a matrix.

The axes that are left become its rows, and those that go its columns, or the other way
round; the result is laid out in the axes that are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.read.arrays.blocks import ONE, Block, product, rows_of
from ad_transform.read.layers.layered import block_of, value_of
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Number, Special, Value
from ad_transform.read.wholes.wholes import apply

_NAMES = (
    "sum mean max min amax amin prod median ptp std var average quantile percentile "
    "any all count_nonzero argmax argmin linalg.norm"
)
ALONG = frozenset(f"numpy.{name}" for name in _NAMES.split())
"""Functions of lines of elements that give one number for each."""

_AXES = 3


@dataclass(frozen=True, slots=True)
class Lines:
    """A matrix, the keywords for a function of it, and the lengths of the axes left."""

    flat: Context
    matrix: Number
    keywords: Mapping[str, Value]
    left: tuple[Number, ...]
    span: Span

    def back(self, found: Value) -> Value:
        """The result of a function, laid out in the axes that are left."""
        if len(self.left) < 2 or not isinstance(found, Number):
            return found
        if not found.type.shape:
            found = apply(self.flat, "vector", found, span=self.span)
        return value_of(self.flat, Block(found, self.left), self.span)


def is_of_three(values: Sequence[Value]) -> bool:
    """Whether the first argument is an array of three axes."""
    first = values[0] if values else Special.NONE
    if isinstance(first, Array):
        return len(first.axes) == _AXES
    depth = 0
    while isinstance(first, Group) and first.items:
        first, depth = first.items[0], depth + 1
    return depth == _AXES


def lines_of(flat: Context, given: Sequence[tuple[str, Value]], span: Span) -> Lines:
    """The matrix of an array, given the arguments of a function; raises Unfit."""
    (_, array), *others = given
    keywords = {
        word.strip("@?"): value for word, value in others if value is not Special.NONE
    }
    gone = _places(keywords.pop("axis", Special.NONE))
    keeps = keywords.pop("keepdims", Special.NONE) not in _NOT_KEPT
    block = block_of(flat, array, span)
    line, sizes = block.line, block.sizes
    if not gone:
        return Lines(flat, line, keywords, (ONE,) * _AXES if keeps else (), span)
    left = tuple(size for k, size in enumerate(sizes) if k not in gone)
    wide = tuple(ONE if k in gone else size for k, size in enumerate(sizes))
    behind = 2 in gone
    if gone in ({1}, {0, 2}):
        matrix: Number = apply(flat, "rows_across", line, *sizes, span=span)
        axis = 1 if gone == {1} else 0
    else:
        away = tuple(size for k, size in enumerate(sizes) if k in gone)
        parts = (left, away) if behind else (away, left)
        lengths = [product(flat, part, span) for part in parts]
        matrix, axis = rows_of(flat, line, lengths[0], lengths[1], span), int(behind)
    said = {**keywords, "axis": Literal(axis)}
    return Lines(flat, matrix, said, wide if keeps else left, span)


_NOT_KEPT = (Special.NONE, Literal(False))


def _places(axis: Value) -> set[int]:
    """The axes that a reduction goes along, one or two of three; none for all; raises
    Unfit.
    """
    if axis is Special.NONE:
        return set()
    items = axis.items if isinstance(axis, Group) else (axis,)
    places = [whole(item) for item in items]
    found = {p % _AXES for p in places if p is not None and -_AXES <= p < _AXES}
    if not 0 < len(found) == len(places) < _AXES:
        raise Unfit("needs written axes, one or two of three", "write `axis=0`")
    return found
