"""Arrays whose elements are known one by one: their shapes, and moves of elements.

A grid is a shape and its elements in C order; a number is a grid without axes. Grids
exist only while one operation is read: before and behind it there are groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import cast

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR, Type
from ad_transform.later import later
from ad_transform.read.arrays import views
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Special, Value

with later():
    from ad_transform.read.arrays import (
        extents,
        packing,
    )

Shape = tuple[int, ...]
Place = tuple[int, ...]

SMALL = 16
"""Elements of an array of known shape up to which it is known one by one."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Elements in C order; `site` is where the array is made that it is a view of."""

    shape: Shape
    items: tuple[Value, ...]
    site: Span | None = None

    @property
    def rank(self) -> int:
        return len(self.shape)

    def at(self, place: Sequence[int]) -> Value:
        """The element at a place; axes of length 1 have one element everywhere."""
        k = 0
        for n, i in zip(self.shape, place, strict=True):
            k = k * n + (i if n > 1 else 0)
        return self.items[k]

    def over(self, place: Sequence[int]) -> Value:
        """The element for a place of an array that this one is broadcast to."""
        return self.at(place[len(place) - self.rank :])


def places(shape: Shape) -> Iterator[Place]:
    """All places of a shape, in C order."""
    return product(*map(range, shape))


def made_of(shape: Shape, item: Callable[[Place], Value]) -> Grid:
    """The grid of the items that `item` gives for every place."""
    return Grid(shape, tuple(map(item, places(shape))))


def is_array(value: Value) -> bool:
    """Whether a value is an array of numpy."""
    if isinstance(value, Group):
        return value.container is Container.ARRAY
    if isinstance(value, Draft):
        return bool(value.type.shape)
    return isinstance(value, Array) and value.cell.container is Container.ARRAY


def holds_array(value: Value) -> bool:
    """Whether a value is an array, or a list or tuple with one in it."""
    if isinstance(value, Group) and not is_array(value):
        return any(map(holds_array, value.items))
    return is_array(value)


def grid_of(flat: Context, value: Value, span: Span) -> Grid | None:
    """An array or nested list whose elements are known one by one; None for others.

    Raises Unfit where rows differ in shape.
    """
    if isinstance(value, Draft | Literal):
        is_number = value.type != STR and not value.type.shape
        return Grid((), (value,)) if is_number else None
    if isinstance(value, Group):
        return _of_group(flat, value, span)
    if isinstance(value, Array):
        return _of_array(flat, value, span)
    return None


def _of_group(flat: Context, group: Group, span: Span) -> Grid | None:
    found = [grid_of(flat, item, span) for item in group.items]
    rows = [row for row in found if row is not None]
    if len(rows) < len(found):
        return None
    shapes = {row.shape for row in rows}
    if len(shapes) > 1:
        shown = " and ".join(map(shape_text, sorted(shapes)))
        raise Unfit(f"gets rows of shapes {shown}", "write rows of one shape")
    inner = rows[0].shape if rows else ()
    items = tuple(item for row in rows for item in row.items)
    site = group.site if group.container is Container.ARRAY else None
    return Grid((len(rows), *inner), items, site)


def _of_array(flat: Context, array: Array, span: Span) -> Grid | None:
    if array.cell.container is not Container.ARRAY:
        return None
    lengths = extents.shape(flat, array, span).items
    shape = tuple(n.value for n in lengths if isinstance(n, Literal))
    if len(shape) < len(lengths) or prod(map(int, shape)) > SMALL:
        return None
    return made_of(cast(Shape, shape), lambda place: _element(flat, array, place, span))


def _element(flat: Context, array: Array, place: Place, span: Span) -> Value:
    for k in place[:-1]:
        array = views.placed(flat, array, Literal(k), span)
    return views.at(flat, array, Literal(place[-1]), span)


def group_of(flat: Context, grid: Grid, span: Span) -> Value:
    """A new array of the elements of a grid; the number of one without axes."""
    if Special.REFUSED in grid.items:
        return Special.REFUSED
    group = _nested(grid.shape, grid.items, span)
    if not isinstance(group, Group) or span not in flat.sites:
        return group
    flat.made.add(span)
    wide = flat.sites[span]
    kind = Type(wide.kind) if wide is not None else None
    made = packing.packed(flat, group.items, Container.ARRAY, span, kind)
    if not isinstance(made, Array) or wide is None or not wide.shape:
        return made
    content = flat.heap.read(made.cell, span)
    name = "of_list" if len(wide.shape) == 1 else "of_rows"
    return flat.apply(TABLE[name], (cast(Draft, content),), span)


def view_of(grid: Grid) -> Value:
    """A view of the array that a grid comes from."""
    return _nested(grid.shape, grid.items, grid.site)


def _nested(shape: Shape, items: Sequence[Value], site: Span | None) -> Value:
    if not shape:
        return items[0]
    first, *inner = shape
    size = prod(inner)
    rows = (items[k * size : (k + 1) * size] for k in range(first))
    found = tuple(_nested(tuple(inner), row, site) for row in rows)
    return Group(Container.ARRAY, found, site)


def shape_of_known(value: Value) -> Shape:
    """The shape of an array whose items are known; that of a number is ()."""
    found: list[int] = []
    while isinstance(value, Group):
        found.append(len(value.items))
        value = value.items[0] if value.items else Special.NONE
    return tuple(found)


def shape_text(shape: Sequence[int]) -> str:
    """(3, 4), (3,) or ()."""
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """The common shape of arrays, element by element; raises Unfit."""
    rank = max(map(len, shapes))
    common = [1] * rank
    for shape in shapes:
        for k, n in enumerate(shape, rank - len(shape)):
            if n != 1 and common[k] not in (1, n):
                shown = " and ".join(shape_text(s) for s in shapes if s)
                raise Unfit(f"gets arrays of shapes {shown}", MISMATCH)
            common[k] = common[k] if n == 1 else n
    return tuple(common)


MISMATCH = "lengths along an axis have to be equal, or one of them 1"


# --- moves ----------------------------------------------------------------------------


def turned(grid: Grid, axes: Sequence[int]) -> Grid:
    """The axes in another order: axis k of the result is `axes[k]`."""
    shape = tuple(grid.shape[a] for a in axes)

    def item(place: Place) -> Value:
        old = [0] * grid.rank
        for a, i in zip(axes, place, strict=True):
            old[a] = i
        return grid.at(old)

    return Grid(shape, made_of(shape, item).items, grid.site)


def transposed(grid: Grid) -> Grid:
    """The axes in reverse order."""
    return turned(grid, range(grid.rank)[::-1])


def along(grid: Grid, axis: int) -> tuple[Shape, list[tuple[Value, ...]]]:
    """The shape without an axis, and for every place of it the elements along it."""
    rest = [k for k in range(grid.rank) if k != axis]
    last = turned(grid, [*rest, axis])
    count = grid.shape[axis]
    lines = [
        last.items[k * count : (k + 1) * count] for k in range(prod(last.shape[:-1]))
    ]
    return last.shape[:-1], lines


def relined(grid: Grid, axis: int, lines: Sequence[Sequence[Value]]) -> Grid:
    """Other elements along an axis, of which there may be another number."""
    rest = [n for k, n in enumerate(grid.shape) if k != axis]
    items = tuple(item for line in lines for item in line)
    last = Grid((*rest, len(lines[0]) if lines else 0), items)
    order = [*range(axis), grid.rank - 1, *range(axis, grid.rank - 1)]
    return turned(last, order)


def joined(grids: Sequence[Grid], axis: int) -> Grid:
    """Grids one behind the other along an axis; raises Unfit where they do not fit."""
    rests = {(*g.shape[:axis], *g.shape[axis + 1 :]) for g in grids}
    if len(rests) > 1:
        shown = " and ".join(shape_text(g.shape) for g in grids)
        raise Unfit(f"gets arrays of shapes {shown}", "join arrays of one shape")
    (rest,) = rests
    order = [*range(1, axis + 1), 0, *range(axis + 1, len(rest) + 1)]
    first = [turned(g, [axis, *(k for k in range(g.rank) if k != axis)]) for g in grids]
    items = tuple(item for g in first for item in g.items)
    return turned(Grid((sum(g.shape[0] for g in first), *rest), items), order)


def reshaped(grid: Grid, shape: Sequence[int]) -> Grid:
    """The same elements in another shape, in which one length may be -1."""
    known = prod(n for n in shape if n >= 0)
    free = len(grid.items) // known if known else 0
    whole = tuple(free if n < 0 else n for n in shape)
    if prod(whole) != len(grid.items) or sum(n < 0 for n in shape) > 1:
        wanted = shape_text(shape)
        raise Unfit(f"of shape {shape_text(grid.shape)} has no shape {wanted}")
    return Grid(whole, grid.items, grid.site)
