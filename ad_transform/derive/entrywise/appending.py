"""Entries of results, appended to lists: rows, columns and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.entrywise.places import ZERO, Operands, Places
from ad_transform.derive.entrywise.unknown import Unknown
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.laws.patterns import is_number
from ad_transform.ir.nodes import Apply, Literal, Operand, Var, hint_of
from ad_transform.ir.types import FLOAT, INT, Type


@dataclass(frozen=True, slots=True)
class Same:
    """A mark in the place of a column: a result's value before an addition."""

    array: Operand
    index: Operands
    span: Span | None = field(default=None, compare=False)

    def unknown(self) -> Unknown:
        """The error for a result that is read while its entries are made."""
        name = hint_of(self.array)
        said = f"`{name}`" if name else "a result"
        if self.index:
            what = f"elements of {said} are read once they are stored"
            return Unknown(what, self.span)
        return Unknown(f"more is computed of the sum {said}", self.span)


Slopes = dict[Operand | Same, Operand]
"""The partials of a number by columns."""


@dataclass(frozen=True, slots=True)
class Growing:
    """The rows, columns and values of a result's entries so far, or another list for
    these; `since` has the number of entries when each row was stored last.
    """

    lists: tuple[Var, ...]
    since: Var | None = None

    @property
    def parts(self) -> tuple[Var, ...]:
        """All lists of these entries."""
        return (*self.lists, *([self.since] if self.since else []))

    def over(self, parts: Sequence[Var]) -> Growing:
        """The same entries in other lists."""
        count = len(self.lists)
        since = parts[count] if self.since else None
        return Growing(tuple(parts[:count]), since)


@dataclass(slots=True, eq=False)
class Appending(Places):
    """A block in the making: the entries of results so far, and the partials of numbers
    by columns, None until they are known.
    """

    growing: dict[int, Growing] = field(default_factory=dict)
    slopes: dict[Operand, Slopes | None] = field(default_factory=dict)

    def end(self, key: int, row: Operand) -> None:
        """Drop the entries of a row so far: only later ones count."""
        own = self.growing[key]
        assert own.since is not None
        count = self.text.keep(TABLE["size"], own.lists[:1])
        since = self.text.keep(TABLE["set"], (own.since, count, row))
        assert isinstance(since, Var)
        self.growing[key] = Growing(own.lists, since)

    def append(
        self,
        key: int,
        row: Operand,
        value: Operand,
        sign: int,
        same: Same | None = None,
    ) -> None:
        """Append the entries of a number that is stored in a row, or added to it."""
        for column, slope in (self.slopes.get(value) or {}).items():
            if column == same:
                continue
            if isinstance(column, Same):
                raise column.unknown()
            self.entry(key, row, column, slope, sign)

    def entry(
        self, key: int, row: Operand, column: Operand, slope: Operand, sign: int
    ) -> None:
        """Append an entry."""
        signed = self.negative(slope) if sign < 0 else slope
        own = self.growing[key]
        parts = []
        for list_, number in zip(own.lists, (row, column, signed), strict=True):
            grown = self.text.keep(TABLE["append"], (list_, number))
            assert isinstance(grown, Var)
            parts.append(grown)
        self.growing[key] = Growing(tuple(parts), own.since)

    def times(self, a: Operand, b: Operand) -> Operand:
        if is_number(a, 1) or is_number(b, 1):
            return b if is_number(a, 1) else a
        return self.text.keep(TABLE["mul"], (a, b))

    def sum(self, a: Operand, b: Operand) -> Operand:
        return self.text.keep(TABLE["add"], (a, b))

    def negative(self, a: Operand) -> Operand:
        if isinstance(a, Literal):
            return Literal(-a.value)  # type: ignore[operator]
        return self.text.keep(TABLE["neg"], (a,))

    def grown(self, keys: Sequence[int]) -> tuple[Var, ...]:
        return tuple(part for key in keys for part in self.growing[key].parts)

    def hold(self, keys: Sequence[int], parts: Sequence[Var]) -> None:
        """Give results other lists of entries."""
        rest = list(parts)
        for key in keys:
            own = self.growing[key]
            count = len(own.parts)
            self.growing[key], rest = own.over(rest[:count]), rest[count:]


def empty(text: Builder) -> Growing:
    """Lists without entries."""
    parts = []
    for type_, hint in ((INT, "rows"), (INT, "cols"), (FLOAT, "values")):
        zero = Literal(0) if type_ is INT else Literal(0.0)
        out = Var(Type(type_.kind, (0,)), hint)
        text.body.append(Apply(out, TABLE["full"], (zero, ZERO)))
        parts.append(out)
    return Growing(tuple(parts))
