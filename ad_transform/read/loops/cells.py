"""Arrays through loops, as functions are flattened.

An array from outside that a trip reads or writes is carried from trip to trip; one that
it only reads is taken from outside after all. A name that stands for another array at
the end of a trip carries the array itself: at the head of a trip it is a cell of its
own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.read.arrays import array_rows, long_lists
from ad_transform.read.branches import (
    fillers,
    unlike,
    widening,
)
from ad_transform.read.machine.aliases import Round, Turn
from ad_transform.read.machine.drafts import Carry
from ad_transform.read.machine.heap import Moment, Scope
from ad_transform.read.machine.naming import named
from ad_transform.read.rows import row_lengths
from ad_transform.read.values.frames import Promise, is_of_source, made_at
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Special, Value

if TYPE_CHECKING:
    from ad_transform.read.loops.loops import Loop

_LINE = -3
"""In place of a leaf: an array that a trip changes and reads as a whole."""
_LENGTH = -4
"""The same: a list that a trip makes longer or shorter."""

Held = dict[str, "Value | Promise | None"]


@dataclass(slots=True, eq=False)
class Cells:
    """The cells of the heap while a loop is made; `outs` are the arrays behind it, by
    those at the end of a trip and before the loop.
    """

    loop: Loop
    old: Held = field(default_factory=dict)
    round: Round = field(init=False)
    first: int = 0  # the number of cells before the loop
    count: int = 0  # of the cells that there are at the end of a trip
    own: Scope = field(default_factory=dict)
    around: Scope = field(default_factory=dict)
    carries: dict[str, Carry] = field(default_factory=dict)
    ends: Held = field(default_factory=dict)
    outs: dict[tuple[Cell, Cell | None], Array] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)

    # --- cells from outside -----------------------------------------------------------

    def begin(self) -> None:
        """Make a promise of the content of every cell at the head of a trip."""
        heap = self.loop.flat.heap
        self.first = len(heap.cells)
        self.around, self.round = heap.scope, heap.aliases.begin()
        heap.trail.append(self.own)
        for key, held in list(heap.names.items()):
            heap.bind(key, self.adopt(key, held))
        heap.running.append((self.own, self.adopt))

    def adopt(self, key: str, held: Value | Promise) -> Promise:
        """A promise of the content of a cell at the head of a trip; it is `held`
        before.
        """
        self.old[key] = held
        return Promise(self._head(key), (held,))

    def end(self) -> None:
        """Take back the writes of a trip; the contents at its end are known now."""
        heap = self.loop.flat.heap
        heap.running.pop()
        self.round.end = heap.aliases.tick()
        self.count = len(heap.cells)
        before = heap.trail.pop()
        self.ends = {key: heap.names.get(key) for key in before}
        heap.restore(before)

    def _head(self, key: str) -> Callable[[Span], Value]:
        def make(span: Span) -> Value:
            if key in self.carries:
                return self.carries[key].param
            start = self.before(key, span)
            if not isinstance(start, Draft):
                return Special.REFUSED
            hint = self.loop.flat.heap.cells[key].hint
            carry = self.carries[key] = self._carry(start, key, hint)
            self._take_line(carry, key)
            self._take_length(carry, key)
            if self.loop.closed:
                self._settle(key, span)
            return carry.param

        return make

    def _take_line(self, carry: Carry, key: str) -> None:
        """Take the vector of a list to be that before the loop, until a trip changes
        it.
        """
        if (key, _LINE) not in self.loop.types.wide and isinstance(carry.start, Draft):
            self.loop.flat.lines.carry(carry.param, carry.start)

    def _take_length(self, carry: Carry, key: str) -> None:
        """Take a list for as long as before the loop, until a trip lengthens it."""
        long, start = self.loop.flat.heap.long, carry.start
        is_taken = (key, _LENGTH) not in self.loop.types.wide
        if isinstance(start, Draft) and start in long and is_taken:
            long[carry.param] = long[start]

    def _keep_length(self, carry: Carry, key: str) -> None:
        """Run the loop again where a list is not as long behind a trip."""
        long = self.loop.flat.heap.long
        if carry.param not in long:
            return
        if row_lengths.as_long(self.loop.draft, carry):
            long[carry.out] = long[carry.param]
        else:
            self.loop.types.wide[key, _LENGTH] = carry.param.type
            self.loop.stale = True

    def before(self, key: str, span: Span) -> Value:
        """The content of a cell before the loop."""
        heap = self.loop.flat.heap
        held = heap.then(heap.cells[key], self.old, self.first)
        if held is None:
            return Special.REFUSED
        return made_at(held, span)

    def _carry(self, start: Draft, key: str, hint: str, leaf: int = 0) -> Carry:
        loop = self.loop
        type_ = loop.types.wide.get((key, leaf), start.type)
        like = loop.flat.heap.cells[key].origin if key in self.old else None
        param, out = (Draft(type_, loop.span, hint) for _ in range(2))
        for draft in (param, out):
            if like is None:
                named(loop.frame, draft, hint, ())
            else:
                draft.depth, draft.within = like.depth, like.within
                draft.call = like.call
        carry = Carry(param, start, out)
        loop.draft.carries.append(carry)
        return carry

    def settle(self) -> bool:
        """Settle the contents of cells at the end of a trip; whether there were new
        ones.
        """
        fresh = [key for key in self.carries if key not in self.settled]
        for key in fresh:
            self._settle(key, self.loop.span)
        return bool(fresh)

    def _settle(self, key: str, span: Span) -> None:
        self.settled.add(key)
        carry, value = self.carries[key], self._last(key, span)
        if value is carry.param:
            carry.end, carry.is_kept = value, True
            return
        if self.loop.flat.lines.drop(carry.param):
            self.loop.types.wide[key, _LINE] = carry.param.type
            self.loop.stale = True
        if isinstance(value, Draft):
            self._give(carry, value, key, 0)
            self._keep_length(carry, key)

    def _last(self, key: str, span: Span) -> Value:
        """The content of a cell at the end of a trip."""
        heap = self.loop.flat.heap
        end = heap.then(heap.cells[key], self.ends, self.count)
        if end is None:
            return Special.REFUSED
        return made_at(end, span)

    def _give(self, carry: Carry, value: Draft, key: str, leaf: int) -> None:
        """Let a carry be `value` at the end of a trip, of the same type.

        A carry of a loop that is closed has been made for this value, and nothing else
        reads it yet: its type becomes wider. Others are made anew.
        """
        wide = widening.joint_or_none(carry.param.type, value.type)
        assert wide is not None
        carry.end = value
        if wide == carry.param.type:
            return
        if self.loop.closed:
            carry.param.type = carry.out.type = wide
        else:
            self.loop.types.wide[key, leaf] = wide
            self.loop.stale = True

    def behind(self) -> None:
        """Give cells that a trip has written the contents that the last trip leaves."""
        heap = self.loop.flat.heap
        for key, carry in self.carries.items():
            if not carry.is_kept and key in self.old:
                heap.bind(key, carry.out)
                long_lists.note_growth(self.loop.flat, self.loop.draft, carry)
        for key, end in self.ends.items():
            if end is Special.REFUSED and key in self.old:
                heap.bind(key, end)

    def wrote(self, cells: Collection[Cell]) -> bool:
        """Whether a trip writes one of some cells."""
        writes = self.loop.flat.heap.aliases.writes
        return any(time > self.round.start for time, cell in writes if cell in cells)

    # --- names that change their array ------------------------------------------------

    def taken(
        self, name: str, start: Array, leaf: int, hint: str
    ) -> tuple[Carry, Array] | None:
        """The carry of a name that is the array `start` before the loop, and the array
        at the head of a trip, called `hint`; None where its content is none.
        """
        heap, cell = self.loop.flat.heap, start.cell
        content = self.before(cell.key, self.loop.span)
        if not isinstance(content, Draft):
            return None
        carry = self._carry(content, name, _hint(hint), leaf)
        where = (cell.container, cell.span, ())
        moment = Moment(self.own, self.round.start)
        made = heap.allocate(carry.param, *where, moment=moment)
        made.cell.hint = _hint(hint)
        array_rows.hand_on(self.loop.flat, cell, made)
        heap.aliases.turns[made.cell] = Turn(self.round, cell)
        heap.aliases.look(cell, self.loop.span, self.round.start)
        return carry, made

    def fits(self, name: str, carry: Carry, head: Array, end: Value, leaf: int) -> bool:
        """Give the carry of a name its end; False where the end is no such array."""
        if isinstance(end, Group):
            self.loop.flat.refit(end)
        if isinstance(end, Draft) and end.type.shape:
            giver = self.loop.givers[head.cell]
            self.loop.flat.remake(Array(giver, head.places))
        if not isinstance(end, Array) or not end.is_whole:
            return False
        if end.cell.container is not head.cell.container:
            return False
        unlike.widen_lists(self.loop.flat, self.loop.givers[head.cell], end.cell)
        value = self._last(end.cell.key, self.loop.span)
        if not isinstance(value, Draft):
            return value is Special.REFUSED
        if widening.joint_or_none(carry.param.type, value.type) is None:
            return False
        if any(c.end is value for c in self.loop.draft.carries if c is not carry):
            self._shared(name)
        aliases = self.loop.flat.heap.aliases
        aliases.turns[head.cell].end = end.cell
        aliases.look(end.cell, self.loop.span, self.round.end)
        self._give(carry, value, name, leaf)
        return True

    def _shared(self, name: str) -> None:
        message = f"{name!r} and another name are one array at the end of a trip"
        help_ = f"let one of them be a copy: `{name} = {name}.copy()`"
        self.loop.flat.refuse("AD124", message, self.loop.span, help_)

    def out(
        self, name: str, carry: Carry, start: Cell | None, like: Cell, end: Cell
    ) -> Array:
        """The array behind the loop, in a cell that is `like` another."""
        if (end, start) not in self.outs:
            heap = self.loop.flat.heap
            where = (like.container, like.span, ())
            moment = Moment(self.around, self.round.end)
            made = heap.allocate(carry.out, *where, moment=moment)
            made.cell.hint = like.hint or _hint(name)
            array_rows.hand_on(self.loop.flat, like, made)
            turn = Turn(self.round, start, end, behind=True)
            heap.aliases.turns[made.cell] = turn
            self.outs[end, start] = made
        return self.outs[end, start]

    def _behind(self, start: Value, end: Cell) -> Array | None:
        """The array behind the loop for one that is `start` before it and `end` after
        every trip, if it is known. Where there may be no trip, arrays with other starts
        are others.
        """
        own = start.cell if isinstance(start, Array) else None
        for (last, first), made in self.outs.items():
            is_open = self.loop.surely or start is Special.UNUSED
            if last is end and (is_open or (own is not None and first is own)):
                return made
        return None

    def tail(self, name: str, start: Value, end: Array) -> Value | None:
        """The value behind the loop of an array that is `start` before it and `end`
        after every trip; None where one value cannot be both.
        """
        known = self._behind(start, end.cell)
        if known is not None:
            return known
        is_outer = end.cell.key in self.old
        if is_outer and (start is Special.UNUSED or _is_same(start, end)):
            return end
        aliases = self.loop.flat.heap.aliases
        aliases.look(end.cell, self.loop.span, self.round.end)
        value = self._last(end.cell.key, self.loop.span)
        first: Draft | None = None
        if isinstance(start, Array) and start.is_whole:
            unlike.widen_lists(self.loop.flat, start.cell, end.cell)
            held = self.before(start.cell.key, self.loop.span)
            first = held if isinstance(held, Draft) else None
            aliases.look(start.cell, self.loop.span, self.round.start)
        if isinstance(start, Group):
            self.loop.flat.refit(start)
        if not isinstance(value, Draft) or not end.is_whole:
            return Special.REFUSED if value is Special.REFUSED else None
        if start is Special.UNUSED:
            first = fillers.nothing(self.loop.draft.before, value.type, self.loop.span)
        if first is None or widening.joint_or_none(first.type, value.type) is None:
            return None
        wide = widening.joint(first.type, value.type)
        param, out = (Draft(wide, self.loop.span, _hint(name)) for _ in range(2))
        self.loop.draft.carries.append(Carry(param, first, out, value))
        giver = start.cell if isinstance(start, Array) else None
        carry = self.loop.draft.carries[-1]
        return self.out(name, carry, giver, end.cell, end.cell)


def _is_same(one: Value, other: Array) -> bool:
    """Whether two values are surely one array, all of it."""
    if not isinstance(one, Array) or not (one.is_whole and other.is_whole):
        return one is other
    return one.cell is other.cell


def _hint(name: str) -> str:
    """The name that a value would like to have: one of the source, or none."""
    return name if is_of_source(name) else ""
