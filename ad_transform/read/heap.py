"""What is in the arrays of a function while it is flattened.

An array is an object: names that share it see one another's writes. What it holds is
a value of the IR, and a write makes a new one. The heap keeps what every object holds,
and is like the names of a frame where arms and loops take back what they have done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    stale: Cell | None = None  # another taker, which had been written before


class Aliased(Exception):
    """Two names may stand for one array, and one of them has been written."""


Adopt = Callable[[str, "Value | Promise"], "Value | Promise"]
"""What a loop makes of a cell that was there before it."""


Scope = dict[str, "Value | Promise | None"]
"""An arm or a trip: what the cells that it has written held before."""

_WHOLE: Scope = {}


class Heap(Frame):
    """The contents of cells, by their keys; see `Frame` for how they are taken back."""

    __slots__ = (
        "cells",
        "dims",
        "folds",
        "last",
        "loans",
        "naturals",
        "reads",
        "running",
        "seen",
        "writes",
        "written",
    )

    def __init__(self) -> None:
        super().__init__()
        self.cells: dict[str, Cell] = {}
        self.last: dict[str, Value | Promise] = {}  # of cells whose block has ended
        self.running: list[tuple[Scope, Adopt]] = []  # the loops that are being run
        self.loans: list[Loan] = []
        self.reads = 0
        self.seen: dict[Cell, int] = {}  # the last read of each cell
        self.writes = 0
        self.written: dict[Cell, int] = {}  # the last write of each cell
        self.dims: dict[Draft, Dim] = {}  # of whole numbers that are lengths
        self.folds = 0  # how many totals have been formed
        self.naturals: set[Draft] = set()  # whole numbers that are not below 0

    def allocate(
        self,
        content: Draft,
        container: Container,
        span: Span,
        lengths: tuple[Number | None, ...] = (),
        scope: Scope | None = None,
    ) -> Array:
        """A new array that holds `content`.

        It belongs to the arm or trip that is being run, or to another `scope`.
        """
        type_, key = content.type, f"[{len(self.cells)}]"
        known = lengths or (None,) * len(type_.dims)
        cell = Cell(type_, container, key, span, content, known, content.hint)
        self.cells[key] = cell
        self._enter(key, content, self.scope if scope is None else scope)
        return Array(cell, (Axis(),) * len(type_.dims))

    @property
    def scope(self) -> Scope:
        """The arm or trip that is being run."""
        return self.trail[-1] if self.trail else _WHOLE

    def _enter(self, key: str, content: Draft, scope: Scope) -> None:
        """Let a cell be there since a scope: loops begun since find it outside.

        Where the scope has come to its end nobody writes it any more.
        """
        level = _place(self.trail, scope)
        if level < 0 and scope is not _WHOLE:
            self.last[key] = content
            return
        held: Value | Promise = content
        if level >= 0:
            scope.setdefault(key, None)
        for loop, adopt in self.running:
            if _place(self.trail, loop) > level:
                loop.setdefault(key, held)
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

    def then(
        self, cell: Cell, states: Mapping[str, Value | Promise | None], count: int
    ) -> Value | Promise | None:
        """What a cell held when it was one of the first `count` ones and these were the
        states of cells; one that was not there yet holds what it held first.
        """
        found = states.get(cell.key)
        if found is None and int(cell.key[1:-1]) >= count:
            return cell.origin
        return found or self.last.get(cell.key) or self.names.get(cell.key)

    def read(self, cell: Cell, span: Span) -> Value:
        """What a cell holds, for a program that looks at it; raises Aliased."""
        chain = self._chain(cell)
        self.reads += 1
        for one in (cell, *(loan.giver for loan in chain)):
            self.seen[one] = self.reads
        for loan in self.loans:
            if loan.giver is cell:
                self._unchanged(loan, cell)
                loan.seen = True
        for loan in self._beside(chain):
            self._unchanged(loan, cell)
        for loan in chain:
            if loan.stale is not None:
                raise Aliased(cell.hint, loan.stale.hint)
        return self.held(cell, span)

    def write(self, cell: Cell, content: Draft) -> None:
        """Let a cell hold something else from now on; raises Aliased."""
        chain = self._chain(cell)
        self.writes += 1
        self.written[cell] = self.writes
        for loan in self.loans:
            if loan.giver is cell and self._is_there(loan.taker):
                raise Aliased(loan.taker.hint, cell.hint)
        for loan in chain:
            if loan.seen:
                raise Aliased(loan.giver.hint, cell.hint)
            loan.changed = True
        for loan in self._beside(chain):
            if loan.changed or loan.taker in self.seen:
                raise Aliased(loan.taker.hint, cell.hint)
        content.hint = content.hint or cell.hint
        self.bind(cell.key, content)

    def _chain(self, cell: Cell) -> list[Loan]:
        """The loans by which a cell may be others, its own first."""
        cells, found = [cell], list[Loan]()
        for loan in reversed(self.loans):
            if loan.taker in cells:
                found.append(loan)
                cells.append(loan.giver)
        return found

    def _beside(self, chain: Sequence[Loan]) -> list[Loan]:
        """The loans that others have taken from the same cells."""
        givers = {loan.giver for loan in chain}
        return [
            loan
            for loan in self.loans
            if loan.giver in givers and loan not in chain and self._is_there(loan.taker)
        ]

    def _is_there(self, cell: Cell) -> bool:
        """Whether a cell, or one that it was lent to, can still be reached."""
        if cell.key in self.names:
            return True
        return any(
            one.giver is cell and self._is_there(one.taker) for one in self.loans
        )

    def _unchanged(self, loan: Loan, cell: Cell) -> None:
        if loan.changed and self._is_there(loan.taker):
            raise Aliased(cell.hint, loan.taker.hint)

    def lend(
        self,
        giver: Cell,
        taker: Cell,
        like: Cell | None = None,
        since: int | None = None,
    ) -> None:
        """Remember that a cell may be the object that another one is.

        It has a history where it goes on as `like` did, or where it has been so since
        as many reads as `since`.
        Where another taker has been written, nobody may look at this one.
        """
        loan = Loan(giver, taker)
        for one in self.loans:
            is_other = one.giver is giver and one.taker is not like
            if is_other and one.changed and self._is_there(one.taker):
                loan.stale = one.taker
            if one.giver is giver and one.taker is like:
                loan.seen, loan.changed = one.seen, one.changed
        if since is not None:
            loan.seen = self.seen.get(giver, since) > since
            loan.changed = taker in self.written
        self.loans.append(loan)

    def outdate(self, giver: Cell, taker: Cell, since: int) -> None:
        """Let nobody look at a cell that became what another one was so many writes
        ago, if that one has been written since.
        """
        if self.written.get(giver, 0) > since:
            for loan in self.loans:
                if loan.giver is giver and loan.taker is taker:
                    loan.stale = giver

    def dim(self, length: Number) -> Dim:
        """The dim of an array with so many elements; the same for the same number."""
        if isinstance(length, Literal):
            return int(length.value)
        return self.dims.setdefault(length, f"len.{len(self.dims)}")

    def longer(self, out: Draft, length: Number, by: int) -> None:
        """Remember that a whole number is a length and so much more."""
        if isinstance(length, Draft) and length in self.dims:
            self.dims[out] = plus(self.dims[length], by)


def _place(trail: Sequence[Scope], scope: Scope) -> int:
    """The place of a scope in a trail, by identity; -1 where it has ended."""
    return next((k for k, one in enumerate(trail) if one is scope), -1)
