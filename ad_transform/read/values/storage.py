"""Arrays and lists of run-time length: their storage, and views of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeGuard

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal, node
from ad_transform.ir.types import Type
from ad_transform.read.values.layouts import Listed, Row, Stacked
from ad_transform.read.values.values import Draft, Entity, Number, Special, Value


@dataclass(slots=True, eq=False)
class Cell:
    """The storage of an array or list: an object with an identity.

    Its present contents stand on the heap under its `key`, as a value of the IR.
    `origin` is the first contents, `hint` the name; `lengths` are those of its axes
    where they are known (they do not change then).
    """

    type: Type
    container: Container
    key: str
    span: Span
    origin: Draft
    lengths: tuple[Number | None, ...] = ()
    hint: str = ""


FIRST = Literal(0)


@node
class Axis:
    """Every `step`-th place of an axis from `start` on, `length` of them.

    Without a start and a length it is the whole axis.
    """

    start: Number = FIRST
    step: int = 1
    length: Number | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the axis of the cell, in order."""
        return self.length is None


@node
class Rest(Entity):
    """The tuple of run-time length that `*rest` takes; it stands last in a call."""

    items: Array


@node
class Array(Entity):
    """An array or list of run-time length, or a view of one: the elements of a cell.

    `places` has an entry for every axis of the cell: the index at which it is taken, or
    the places that the view keeps.
    """

    cell: Cell
    places: tuple[Number | Axis, ...]

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes that the view keeps."""
        return tuple(p for p in self.places if isinstance(p, Axis))

    @property
    def is_whole(self) -> bool:
        """Whether it is the cell itself."""
        return all(isinstance(p, Axis) and p.is_whole for p in self.places)

    @property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers that describe the places: indices, starts and lengths."""
        found: list[Number] = []
        for p in self.places:
            if not isinstance(p, Axis):
                found.append(p)
            elif p.length is not None:
                found += p.start, p.length
        return tuple(found)

    def moved(self, numbers: Iterable[Number]) -> Array:
        """The view of the same form with other numbers."""
        rest = iter(numbers)
        places: list[Number | Axis] = []
        for p in self.places:
            if not isinstance(p, Axis):
                places.append(next(rest))
            elif p.length is not None:
                places.append(Axis(next(rest), p.step, next(rest)))
            else:
                places.append(p)
        return Array(self.cell, tuple(places))

    def is_beside(self, other: object) -> TypeGuard[Array]:
        """Whether a value is a view of the same list with other numbers."""
        if not isinstance(other, Array) or self.cell is not other.cell:
            return False
        if self.cell.container is not Container.LIST or self.is_whole:
            return False
        return all(map(_are_alike, self.places, other.places))


def _are_alike(one: Number | Axis, other: Number | Axis) -> bool:
    """Whether two places have the same form, with the same count of numbers."""
    if not isinstance(one, Axis) or not isinstance(other, Axis):
        return not isinstance(one, Axis) and not isinstance(other, Axis)
    return one.is_whole is other.is_whole and one.step == other.step


@node
class Slice(Entity):
    """`start:stop:step` as an index; None in place of a part that is not written."""

    start: Value
    stop: Value
    step: Value


@node
class Deque(Entity):
    """`collections.deque`: a reference to a list, which keeps the last `most` items."""

    inner: Value
    most: Number | None

    def is_like(self, other: Value) -> bool:
        """Whether another value can be in its place."""
        return type(other) is type(self) and other.most == self.most


@node
class Distinct(Deque):
    """A set: a reference to the list of its items, each of which is there once."""


@node
class Rows(Entity):
    """A list of rows that grows, made at `site`: one list for each place of a row.

    The rows are tuples, lists or arrays of one length, which do not change.
    """

    columns: tuple[Column, ...]
    layout: Row
    site: Span

    def changed(self, make: Callable[[Array | Lists], Value]) -> Value:
        """The list with `make` applied to each of its lists; REFUSED if one is."""
        found: list[Column] = []
        for column in self.columns:
            own = column.changed(make) if isinstance(column, Rows) else make(column)
            if not isinstance(own, Array | Rows | Lists):
                return Special.REFUSED
            found.append(own)
        return Rows(tuple(found), self.layout, self.site)

    @property
    def items(self) -> tuple[Column, ...]:
        """The lists, as the parts that loops and arms hand on."""
        return self.columns

    @property
    def first(self) -> Array:
        """One of the lists, which all have the same length."""
        column = self.columns[0]
        return column if isinstance(column, Array) else column.first

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of all the lists."""
        found: list[Cell] = []
        for column in self.columns:
            found += (column.cell,) if isinstance(column, Array) else column.cells
        return tuple(found)

    @property
    def beside(self) -> tuple[Cell, ...]:
        """The cells of the lists that have the same length."""
        found: list[Cell] = []
        for column in self.columns:
            if isinstance(column, Lists):
                found += column.starts.cell, column.sizes.cell
            else:
                found += (column.cell,) if isinstance(column, Array) else column.beside
        return tuple(found)


@node
class Lists(Entity):
    """A list of lists of any length that grows, made at `site`.

    `values` has the items of all lists one behind another. `starts` says where each
    list begins among them, `sizes` how long it is.
    Items are never taken away, and lists may share them: the lists do not change.
    """

    values: Column
    starts: Array
    sizes: Array
    layout: Listed
    site: Span

    @property
    def items(self) -> tuple[Column, ...]:
        """The lists, as the parts that loops and arms hand on."""
        return self.values, self.starts, self.sizes

    @property
    def first(self) -> Array:
        """One of the lists that have the length of this one."""
        return self.starts

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of all the lists."""
        values = self.values
        inner = (values.cell,) if isinstance(values, Array) else values.cells
        return (*inner, self.starts.cell, self.sizes.cell)


Column: TypeAlias = "Array | Rows | Lists"
"""The list of the items that stand at one place of all rows."""


@node
class Stack(Entity):
    """A list of arrays of a run-time shape that grows, made at `site`: all numbers in
    one list, and the lengths of each axis in a list of their own.
    """

    values: Array
    marks: tuple[Array, ...]
    layout: Stacked
    site: Span

    @property
    def items(self) -> tuple[Array, ...]:
        """The lists, as the parts that loops and arms hand on."""
        return self.values, *self.marks
