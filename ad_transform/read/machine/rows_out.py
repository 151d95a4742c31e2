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
    from ad_transform.read.values.layouts import Pool, Row
    from ad_transform.read.values.storage import Cell, Lists, Rows
    from ad_transform.read.values.structured import Group, Key, Made, Object
    from ad_transform.read.values.values import Number, Value

_Content: TypeAlias = "Value | Promise"


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """Where a list that has been taken out stands: its place among the lists, where its
    items begin and how many there are; and what said so by then.
    """

    of: Lists
    place: Number
    start: Number
    size: Number
    marks: tuple[_Content, _Content]


@dataclass(slots=True, eq=False)
class RowsOut:
    """What has been taken out of lists of lists, and of lists of rows by identity, or
    while one goes over them; the identities of dicts that have been taken out, or put
    in; in which loops dicts are made, and with which keys; the objects that dicts stand
    for, by identity, and where these are made; where lists `of_tuples` are made; the
    times between which lists are written by what makes them. For `homes`: where lists
    of rows are made, and the `classes` of dicts by their keys; for `pools`: the lists
    of objects that others are references to. Objects are `handed` from lists whose
    objects do not change to others, and fields `stored`, at some times.
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
    sites: dict[Span, Row] = field(default_factory=dict)
    pools: dict[Pool, Rows] = field(default_factory=dict)
    handed: list[tuple[int, Class, Span]] = field(default_factory=list)
    stored: list[int] = field(default_factory=list)
    permitted: list[tuple[int, int]] = field(default_factory=list)

    def back(self, clock: int) -> None:
        """Forget which objects have been handed on, and fields stored, since a time."""
        self.handed = [one for one in self.handed if one[0] <= clock]
        self.stored = [time for time in self.stored if time <= clock]

    def has_row(self, value: Value) -> bool:
        """Whether a value is a list that has been taken out of a list of rows."""
        return self.rows.get(id(value)) is value

    def is_of_trip(self, identity: object, running: Sequence[object]) -> bool:
        """Whether a dict is made in the trip that runs: no other one puts it in."""
        loops = self.made.get(identity)
        if loops is None or len(loops) != len(running):
            return False
        return all(one is other for one, other in zip(loops, running, strict=True))
