"""Rows that have been taken out of lists of lists while a function is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

from ad_transform.dataclass import dataclass

if TYPE_CHECKING:
    from ad_transform.diagnostics import Span
    from ad_transform.read.values.classes import Class
    from ad_transform.read.values.frames import Frame, Promise
    from ad_transform.read.values.layouts import Layout, Pool, Row
    from ad_transform.read.values.storage import Cell, Lists, Rows
    from ad_transform.read.values.structured import Group, Key, Made, Object
    from ad_transform.read.values.values import Number, Value

_Content: TypeAlias = "Value | Promise"


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """The place of a list that has been taken out: its index among the lists, the start
    of its items and their number; and the contents of the two lists that told these.
    """

    of: Lists
    place: Number
    start: Number
    size: Number
    marks: tuple[_Content, _Content]


@dataclass(slots=True, eq=False)
class RowsOut:
    """Lists, rows and dicts that stand in other lists, or have been taken out of these.

    `of_lists`   lists taken out of lists of lists, by their first cells
    `in_place`   a list that `rows[k] += items` has changed where it stands
    `events`     by call of a function of `in_python`, the time of its first store
    `views`      lists that are views into lists of lists, by identity
    `known`      rows of known length taken out of lists of rows, by identity
    `rows`       lists taken out of lists of rows, by identity
    `dicts`      identities of dicts that have been taken out, or put in
    `made`       by dict, the loops that run where it is made
    `keyed`      by dict, its keys
    `boxes`      the objects behind dicts, by the identity of the dict
    `boxed`      the identities of dicts that are objects, by that of the object
    `classes`    the classes of dicts, by their keys; see `homes`
    `of_tuples`  places where lists of tuples are made
    `of_arrays`  by the cell of a matrix that holds a list of arrays, the place where
                 the list is made, and its layout as a list that grows
    `sites`      places where lists of rows are made; see `homes`
    `pools`      lists of objects to which other lists refer; see `pools`
    `handed`     times at which objects of unchanging lists go into other lists
    `stored`     times at which fields are stored
    `permitted`  spans of time with writes that reach one place of a list only
    """

    of_lists: dict[Cell, Taken] = field(default_factory=dict)
    in_place: Value | None = None
    events: dict[int, tuple[Frame, int]] = field(default_factory=dict)
    views: dict[int, tuple[Value, Taken]] = field(default_factory=dict)
    known: dict[int, tuple[Group, Rows]] = field(default_factory=dict)
    rows: dict[int, Group] = field(default_factory=dict)
    dicts: dict[object, None] = field(default_factory=dict)
    made: dict[object, tuple[object, ...]] = field(default_factory=dict)
    keyed: dict[Made, tuple[Key, ...]] = field(default_factory=dict)
    boxes: dict[object, Object] = field(default_factory=dict)
    boxed: dict[object, Made] = field(default_factory=dict)
    classes: dict[tuple[Key, ...], Class] = field(default_factory=dict)
    of_tuples: dict[Span, None] = field(default_factory=dict)
    of_arrays: dict[Cell, tuple[Span, Layout | None]] = field(default_factory=dict)
    sites: dict[Span, Row] = field(default_factory=dict)
    pools: dict[Pool, Rows] = field(default_factory=dict)
    handed: list[tuple[int, Class, Span]] = field(default_factory=list)
    stored: list[int] = field(default_factory=list)
    permitted: list[tuple[int, int]] = field(default_factory=list)

    def back(self, clock: int) -> None:
        """Forget the objects handed on, and the fields stored, since a time."""
        self.handed = [one for one in self.handed if one[0] <= clock]
        self.stored = [time for time in self.stored if time <= clock]

    def has_row(self, value: Value) -> bool:
        """Whether a value is a list that has been taken out of a list of rows."""
        return self.rows.get(id(value)) is value

    def is_of_trip(self, identity: object, running: Sequence[object]) -> bool:
        """Whether a dict is made in the trip that runs, so that no other trip stores
        it.
        """
        loops = self.made.get(identity)
        if loops is None or len(loops) != len(running):
            return False
        return all(one is other for one, other in zip(loops, running, strict=True))
