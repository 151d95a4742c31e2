"""What is in the arrays of a function while it is flattened.

An array is an object: names that share it see one another's writes. What it holds is
a value of the IR, and a write makes a new one. The heap keeps what every object holds,
and is like the names of a frame where arms and loops take back what they have done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ad_transform.diagnostics import Span
from ad_transform.ir.dims import Dim, plus
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.values import (
    Array,
    Axis,
    Cell,
    Draft,
    Frame,
    Number,
    Promise,
    Value,
)


@dataclass(slots=True, eq=False)
class Loan:
    """A cell (`taker`) that may be the object that another one is (`giver`), or not.

    Then a write to either must not be followed by a look at the other.
    """

    giver: Cell
    taker: Cell
    seen: bool = False  # the giver has been read since
    changed: bool = False  # the taker has been written


class Aliased(Exception):
    """Two names may stand for one array, and one of them has been written."""


Adopt = Callable[[str, "Value | Promise"], "Value | Promise"]
"""What a loop makes of a cell that was there before it."""


class Heap(Frame):
    """The contents of cells, by their keys; see `Frame` for how they are taken back."""

    __slots__ = (
        "cells",
        "dims",
        "folds",
        "last",
        "loans",
        "naturals",
        "running",
        "seen",
        "written",
    )

    def __init__(self) -> None:
        super().__init__()
        self.cells: dict[str, Cell] = {}
        self.last: dict[str, Value | Promise] = {}  # of cells whose block has ended
        self.running: list[tuple[int, Adopt]] = (
            []
        )  # that are being run, and their levels
        self.loans: list[Loan] = []
        self.seen: set[Cell] = set()
        self.written: set[Cell] = set()
        self.dims: dict[Draft, Dim] = {}  # of whole numbers that are lengths
        self.folds = 0  # how many totals have been formed
        self.naturals: set[Draft] = set()  # whole numbers that are not below 0

    def allocate(
        self,
        content: Draft,
        container: Container,
        span: Span,
        lengths: tuple[Number | None, ...] = (),
        level: int | None = None,
    ) -> Array:
        """A new array that holds `content`.

        It is as old as the scopes that were open at a `level`, now if it is not given.
        """
        type_, key = content.type, f"[{len(self.cells)}]"
        known = lengths or (None,) * len(type_.dims)
        cell = Cell(type_, container, key, span, content, known, content.hint)
        self.cells[key] = cell
        self._enter(key, content, self.level if level is None else level)
        return Array(cell, (Axis(),) * len(type_.dims))

    @property
    def level(self) -> int:
        """How many arms and trips are being run."""
        return len(self.trail)

    def _enter(self, key: str, content: Draft, level: int) -> None:
        """Let a cell be there since a level: loops begun since then find it outside."""
        held: Value | Promise = content
        if level:
            self.trail[level - 1].setdefault(key, None)
        for loop, adopt in self.running:
            if loop > level:
                self.trail[loop - 1].setdefault(key, held)
                held = adopt(key, held)
        self.names[key] = held

    def restore(self, before: Mapping[str, Value | Promise | None]) -> None:
        """Let cells hold what they held before; those that are gone keep their last."""
        for key, value in before.items():
            if value is None and key in self.names:
                self.last[key] = self.names[key]
        super().restore(before)

    def held(self, cell: Cell, span: Span) -> Value:
        """What a cell holds by now, or held last: a draft, or REFUSED."""
        found = self.names.get(cell.key) or self.last[cell.key]
        return found.at(span) if isinstance(found, Promise) else found

    def read(self, cell: Cell, span: Span) -> Value:
        """What a cell holds, for a program that looks at it; raises Aliased."""
        self.seen.add(cell)
        for loan in self.loans:
            if loan.giver is cell:
                if loan.changed:
                    raise Aliased(cell.hint, loan.taker.hint)
                loan.seen = True
        return self.held(cell, span)

    def write(self, cell: Cell, content: Draft) -> None:
        """Let a cell hold something else from now on; raises Aliased."""
        self.written.add(cell)
        takers = [cell]
        for loan in reversed(self.loans):
            if loan.giver is cell:
                raise Aliased(loan.taker.hint, cell.hint)
            if loan.taker in takers:
                if loan.seen:
                    raise Aliased(loan.giver.hint, cell.hint)
                loan.changed = True
                takers.append(loan.giver)
        content.hint = content.hint or cell.hint
        self.bind(cell.key, content)

    def lend(
        self, giver: Cell, taker: Cell, like: Cell | None = None, since: bool = False
    ) -> None:
        """Remember that a cell may be the object that another one is.

        It has a history where it goes on as `like` did, or `since` it has been in use.
        """
        loan = Loan(giver, taker)
        for one in self.loans:
            if one.giver is giver and one.taker is like:
                loan.seen, loan.changed = one.seen, one.changed
        if since:
            loan.seen, loan.changed = giver in self.seen, taker in self.written
        self.loans.append(loan)

    def dim(self, length: Number) -> Dim:
        """The dim of an array with so many elements; the same for the same number."""
        if isinstance(length, Literal):
            return int(length.value)
        return self.dims.setdefault(length, f"len.{len(self.dims)}")

    def longer(self, out: Draft, length: Number, by: int) -> None:
        """Remember that a whole number is a length and so much more."""
        if isinstance(length, Draft) and length in self.dims:
            self.dims[out] = plus(self.dims[length], by)
