"""Arrays that may be one object, noted while a function is flattened and judged then.

If an `if` or a loop decides which array a name stands for, the name gets a cell of its
own, with the same contents at that time. Later writes to one of the cells do not reach
the others. So a function is refused (AD124) if a cell is written and then another one
is read that may be the same object: in this trip of a loop or the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import combinations

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.read.values.storage import Cell
from ad_transform.read.values.structured import Group


@dataclass(slots=True, eq=False)
class Round:
    """A loop: the times at which its body begins and ends."""

    start: int
    end: int = 0

    def has(self, time: int) -> bool:
        """Whether a time lies in the body."""
        return self.start < time < self.end


@dataclass(slots=True, eq=False)
class Turn:
    """The array behind a name at the head of a trip, or `behind` the loop: that of the
    `start` of the loop or that of the `end` of a trip.
    """

    round: Round
    start: Cell | None
    end: Cell | None = None
    behind: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """A read of a cell."""

    time: int
    cell: Cell
    span: Span


@dataclass(frozen=True, slots=True)
class Share:
    """An array becomes a row of a list of lists: a later write to one of them reaches
    the other. With `is_copy`, the other way is closed: rows of the list are written in
    the list only. The lists of one list of rows take an array in one `event`.
    """

    time: int
    matrix: Cell
    row: Cell
    is_copy: bool = False
    event: int = 0


@dataclass(frozen=True, slots=True)
class Release:
    """The end of an arm that made the shares from `first` to `last`: then only the
    arrays in `held`, and those in lists of lists, can be reached.
    """

    time: int
    first: int
    last: int
    held: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class RowWrite:
    """A write to a list inside a list of lists; if the list `grows`, it may move."""

    time: int
    matrix: Cell
    grows: bool


@dataclass(frozen=True, slots=True)
class Out:
    """A copy of a list that is taken out of a list of lists."""

    time: int
    matrix: Cell
    cell: Cell
    span: Span


@dataclass(frozen=True, slots=True)
class Walk:
    """A loop over a list while others grow, one of which may be the same list."""

    cell: Cell
    grown: tuple[Cell, ...]
    span: Span


Mark = tuple[int, ...]


@dataclass(slots=True, eq=False)
class Aliases:
    """The history of the cells of a function; it tells which may be the same object."""

    clock: int = 0
    born: dict[Cell, int] = field(default_factory=dict)
    choices: dict[Cell, Sequence[Cell]] = field(default_factory=dict)
    laid: dict[Cell, Cell] = field(default_factory=dict)
    named: dict[Cell, tuple[Group, ...]] = field(default_factory=dict)
    turns: dict[Cell, Turn] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    writes: list[tuple[int, Cell]] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)
    releases: list[Release] = field(default_factory=list)
    taken: list[Look] = field(default_factory=list)
    row_writes: list[RowWrite] = field(default_factory=list)
    outs: list[Out] = field(default_factory=list)
    held: list[Look] = field(default_factory=list)
    copies: list[Look] = field(default_factory=list)
    walks: list[Walk] = field(default_factory=list)
    together: set[frozenset[Cell]] = field(default_factory=set)

    # --- the history ----------------------------------------------------------------

    def tick(self) -> int:
        """The time; every question moves it on."""
        self.clock += 1
        return self.clock

    def begin(self) -> Round:
        """Note that the body of a loop begins."""
        self.rounds.append(Round(self.tick()))
        return self.rounds[-1]

    def lay_out(self, giver: Cell, taker: Cell) -> None:
        """Note a new cell with the elements of another one in other places."""
        self.lend((giver,), taker)
        self.laid[taker] = giver

    def lend(self, givers: Sequence[Cell], taker: Cell) -> None:
        """Note a new cell that may be the object of one of the givers."""
        self.choices[taker] = givers

    def look(self, cell: Cell, span: Span, time: int | None = None) -> None:
        """Note a read of a cell, now or at an earlier time."""
        self.looks.append(Look(self.tick() if time is None else time, cell, span))

    def write(self, cell: Cell) -> None:
        """Note a write to a cell."""
        self.writes.append((self.tick(), cell))

    def share(
        self, matrix: Cell, row: Cell, *, is_copy: bool = False, event: int = 0
    ) -> None:
        """Note that an array, or a copy of it, becomes a row of a list of lists. A list
        with rows of a list that must not be written must not be written either.
        """
        now = self.tick()
        self.taken += [
            Look(now, matrix, one.span) for one in self.taken if one.cell is row
        ]
        self.shares.append(Share(now, matrix, row, is_copy, event or now))

    def release(self, first: int, held: Iterable[Cell]) -> None:
        """Note the end of an arm that made the shares from the `first` on."""
        last = len(self.shares)
        self.releases.append(Release(self.tick(), first, last, tuple(held)))

    def take_out(self, cell: Cell, span: Span, matrix: Cell | None = None) -> None:
        """Note a new cell that is a copy of a row, and must not be written."""
        self.taken.append(Look(self.tick(), cell, span))
        if matrix is not None:
            self.outs.append(Out(self.clock, matrix, cell, span))

    def write_row(self, matrix: Cell, *, grows: bool) -> None:
        """Note a write to a list inside a list of lists."""
        self.row_writes.append(RowWrite(self.tick(), matrix, grows))

    def hold(self, matrix: Cell, span: Span) -> None:
        """Note a list of known items that becomes a row and has another holder."""
        self.held.append(Look(self.tick(), matrix, span))

    def copy_rows(self, matrix: Cell, span: Span) -> None:
        """Note a copy of a list of lists: both hold the same lists."""
        self.copies.append(Look(self.tick(), matrix, span))

    def walk(self, cell: Cell, grown: Iterable[Cell], span: Span) -> None:
        """Note a loop over a list during which others have grown."""
        self.walks.append(Walk(cell, tuple(grown), span))

    def mark(self) -> Mark:
        """A mark of the present history, for `back`."""
        looks, writes, taken = len(self.looks), len(self.writes), len(self.taken)
        of_rows = (len(self.row_writes), len(self.outs))
        more = (len(self.held), len(self.copies), len(self.releases), len(self.walks))
        first = (len(self.rounds), looks, writes, len(self.shares), taken)
        return (*first, self.clock, *of_rows, *more)

    def back(self, mark: Mark) -> None:
        """Forget the history since a mark; looks at earlier times that were noted since
        stay.
        """
        rounds, looks, writes, shares, taken, clock, *of_rows = mark
        del self.rounds[rounds:]
        self.looks[looks:] = [one for one in self.looks[looks:] if one.time <= clock]
        del self.writes[writes:]
        del self.shares[shares:]
        del self.taken[taken:]
        row_writes, outs, held, copies, releases, walks = of_rows
        del self.walks[walks:]
        del self.releases[releases:]
        del self.row_writes[row_writes:]
        del self.outs[outs:]
        del self.held[held:]
        del self.copies[copies:]

    # --- the same object? -------------------------------------------------------------

    def is_apart(self, one: Cell, other: Cell) -> bool:
        """Whether two cells are certainly different objects.

        They are if the later one was made while the other was there, and no branch or
        loop decides which object it is. So are a cell of a function further out and one
        of the kept function: its arguments have cells of its own.
        """
        if one not in self.born or other not in self.born:
            return True
        later = max(one, other, key=self.born.__getitem__)
        return later not in self.choices and later not in self.turns

    def longer(self) -> Iterator[Walk]:
        """The loops over a list that may be one of those that grow there."""
        if self.walks:
            self._settle()
        for walk in self.walks:
            if any(self._meet(walk.cell, one) for one in walk.grown):
                yield walk

    def conflicts(self) -> Iterator[tuple[Look, Cell]]:
        """The looks at cells that may be out of date, each with the cell that was
        written.

        Quadratic in the cells that a branch or a loop decides on.
        """
        if not (self.choices or self.turns or self.shares or self.taken):
            return
        self._settle()
        written: dict[Cell, list[int]] = {}
        for time, cell in self.writes:
            written.setdefault(cell, []).append(time)
        looks: dict[Cell, list[Look]] = {}
        for look in self.looks:
            looks.setdefault(look.cell, []).append(look)
        for cell, own in looks.items():
            for other, times in written.items():
                if other is cell or not self._meet(cell, other):
                    continue
                stale = next((one for one in own if self._is_stale(one, times)), None)
                if stale is not None:
                    yield stale, other
        for place, share in enumerate(self.shares):
            if self._is_given_away(place, share):
                continue
            for look in self.looks:
                if self._is_torn(share, look):
                    yield look, share.row if look.cell is share.matrix else share.matrix
        for one in self.taken:
            mine = (cell for time, cell in self.writes if time > one.time)
            if any(self._meet(cell, one.cell) for cell in mine):
                yield one, one.cell

    def _is_given_away(self, place: int, share: Share) -> bool:
        """Whether an array that becomes a row is, at the end of an arm, reached through
        the list only, and not written before: `rows.append(row)`, and `row = []`.
        """
        of = (r for r in self.releases if r.first <= place < r.last)
        ends = [r for r in of if not any(self._meet(c, share.row) for c in r.held)]
        if not ends:
            return False
        end, rounds = ends[0].time, [r for r in self.rounds if r.has(share.time)]
        others = (
            other.row
            for other in self.shares
            if other.event != share.event
            and (other.time < end or any(r.has(other.time) for r in rounds))
        )
        if any(self._meet(row, share.row) for row in others):
            return False
        return not any(
            share.time < time < end and self._meet(cell, share.row)
            for time, cell in self.writes
        )

    def _is_torn(self, share: Share, look: Look) -> bool:
        """Whether a look at a list of lists, or at one of its rows, comes after a write
        to the other; or after a write while all rows may be one array.
        """
        pair = (share.matrix, share.row)
        ways = (pair,) if share.is_copy else (pair, pair[::-1])
        for cell, other in ways:
            if self._meet(look.cell, cell):
                times = [t for t, c in self.writes if self._meet(c, other)]
                if any(self._is_seen(share, time, look, cell) for time in times):
                    return True
        if look.cell is not share.matrix:
            return False
        again = self.again(share)
        is_one = not share.is_copy
        return any(
            (is_one and time > share.time and self._meet(cell, share.matrix))
            or (any(r.has(time) for r in again) and self._meet(cell, share.row))
            for time, cell in (self.writes if again else ())
        )

    def _is_seen(self, share: Share, time: int, look: Look, cell: Cell) -> bool:
        """Whether a look may miss a write, in this trip or the next. The write is to a
        list of lists, or to an array that became its row; the look is at the other of
        the two.
        """
        if time < share.time:
            both = [r for r in self.again(share) if self.born[share.matrix] < r.start]
            return any(r.has(time) and r.start < look.time for r in both)
        if time < look.time:
            return True
        return any(
            r.has(time)
            and r.has(look.time)
            and (look.cell is not cell or self.born[cell] < r.start)
            for r in self.rounds
        )

    def again(self, share: Share) -> list[Round]:
        """The loops that make the same array a row in several trips."""
        inside = (r for r in self.rounds if r.has(share.time))
        return [r for r in inside if self._lasts(share.row, r, set())]

    def _lasts(self, cell: Cell, one: Round, seen: set[Cell]) -> bool:
        """Whether a cell may be the same object in several trips of a loop."""
        if cell in seen or self.born[cell] < one.start:
            return True
        seen.add(cell)
        if cell in self.choices:
            return any(self._lasts(giver, one, seen) for giver in self.choices[cell])
        turn = self.turns.get(cell)
        if turn is None:
            return False
        ends = (turn.end,) if turn.round is one else (turn.start, turn.end)
        return any(end is None or self._lasts(end, one, seen) for end in ends)

    def _is_stale(self, look: Look, times: Sequence[int]) -> bool:
        """Whether one of the writes may come before the look."""
        born = self.born[look.cell]
        if any(born < time < look.time for time in times):
            return True
        return any(
            born < one.start and one.has(look.time) and any(map(one.has, times))
            for one in self.rounds
        )

    def _settle(self) -> None:
        """Find the cells of one loop that may be one object: they start as one or end
        as one; all others are taken as apart.
        """
        turns = [
            (a, b)
            for a, b in combinations(self.turns, 2)
            if self._are_beside(self.turns[a], self.turns[b])
        ]
        fresh = True
        while fresh:
            fresh = False
            for a, b in turns:
                one, other, pair = self.turns[a], self.turns[b], frozenset((a, b))
                if pair not in self.together and (
                    self._meet(one.start, other.start) or self._meet(one.end, other.end)
                ):
                    self.together.add(pair)
                    fresh = True

    def _are_beside(self, one: Turn, other: Turn) -> bool:
        return one.round is other.round and one.behind is other.behind

    def _meet(self, one: Cell | None, other: Cell | None) -> bool:
        """Whether two cells may be the same object at one time."""
        if one is None or other is None or one is other:
            return one is other is not None
        for a, b in ((one, other), (other, one)):
            if a in self.choices:
                return any(self._meet(giver, b) for giver in self.choices[a])
        first, second = self.turns.get(one), self.turns.get(other)
        if first and second and self._are_beside(first, second):
            return frozenset((one, other)) in self.together
        if first and (not second or self.born[one] > self.born[other]):
            return any(self._meet(giver, other) for giver in self._givers(first))
        if second:
            return any(self._meet(one, giver) for giver in self._givers(second))
        return False

    def _givers(self, turn: Turn) -> list[Cell]:
        """The cells from before a loop that a cell of it may be; behind the loop also
        those of its last trip, which are gone at the head of a trip.
        """
        found: list[Cell] = []
        seen: set[Cell] = set()
        stack = [turn.end, turn.start]
        while stack:
            cell = stack.pop()
            if cell is None or cell in seen:
                continue
            seen.add(cell)
            own = self.turns.get(cell)
            if self.born[cell] < turn.round.start:
                found.append(cell)
            elif own is not None:
                stack += own.end, own.start
            elif cell in self.choices:
                stack += self.choices[cell]
            elif turn.behind:
                found.append(cell)
        return found


def clock_of(mark: Mark) -> int:
    """The time of a mark."""
    return mark[5]
