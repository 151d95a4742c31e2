"""The value behind two arms: one of two values, number by number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR
from ad_transform.read.arrays import array_rows, long_lists
from ad_transform.read.branches import (
    chosen,
    maybe,
    widening,
)
from ad_transform.read.branches.fillers import as_long, nothing, unused
from ad_transform.read.branches.unlike import begin_alike, widen_lists
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftChoice, DraftStatement
from ad_transform.read.machine.fields import States, are_one, home_of
from ad_transform.read.machine.heap import Moment
from ad_transform.read.values.regrouping import CARRIED, kind_of, regroup
from ad_transform.read.values.series import Range
from ad_transform.read.values.storage import Array, Cell, Deque
from ad_transform.read.values.structured import Dict, Group, Object, grows
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Maybe,
    Number,
    Special,
    Value,
    is_whole,
)


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """The contents of cells at the end of an arm, and the values of changed `fields`
    there; its start and end in time, and the depth of its frame, as reads may come from
    another frame.
    """

    held: Callable[[Cell, Span], Value]
    fields: States
    start: int
    end: int
    depth: int

    def __call__(self, cell: Cell, span: Span) -> Value:
        """The contents of a cell."""
        return self.held(cell, span)


def joined(
    flat: Context,
    choice: DraftChoice,
    one: Value,
    other: Value,
    span: Span,
    contents: tuple[Contents, Contents] | None = None,
    moment: Moment | None = None,
) -> Value | None:
    """The value that is `one` behind the first arm and `other` behind the second.

    None if their shapes differ. An end that nobody reads takes any value. `contents`
    are those of cells at the ends of the arms, `moment` is the time behind them.
    """
    return _Join(flat, choice, span, contents, moment).of(one, other)


_YES_OR_NO = (Literal(True), Literal(False))


@dataclass(frozen=True, slots=True, eq=False)
class _Join:
    """The ends of two arms, and the choice between them; see `joined`."""

    flat: Context
    choice: DraftChoice
    span: Span
    contents: tuple[Contents, Contents] | None
    moment: Moment | None

    def of(self, one: Value, other: Value) -> Value | None:
        """The value that is one or the other."""
        if one is other or (isinstance(one, Literal) and one == other):
            return one
        if Special.REFUSED in (one, other):
            return Special.REFUSED
        if Special.UNSET in (one, other):
            return Special.UNSET
        if (one, other) == _YES_OR_NO:
            return self.choice.test
        ends = (one, other)
        is_open = any(map(maybe.is_open, ends)) and Special.UNUSED not in ends
        if is_open or any(isinstance(end, Maybe) for end in ends):
            return maybe.joined(one, other, self.of)
        if are_one(one, other):
            return one
        if isinstance(one, CARRIED) or isinstance(other, CARRIED):
            return self._groups(one, other)
        if isinstance(one, Dict) or isinstance(other, Dict):
            return self._dicts(one, other)
        if isinstance(one, Array) or isinstance(other, Array):
            return self._arrays(one, other)
        if chosen.is_function(one) or chosen.is_function(other):
            held = self.contents
            depth = self.flat.frame.depth if held is None else held[0].depth
            return chosen.joined(self.choice, one, other, self._apart().of, depth)
        if isinstance(one, Range) or isinstance(other, Range):
            return self._ranges(one, other)
        if isinstance(one, Deque) or isinstance(other, Deque):
            return self._deques(one, other)
        return self._numbers(one, other)

    def _apart(self) -> _Join:
        """The same of values that hold no cells."""
        return replace(self, contents=None, moment=None)

    def _numbers(self, one: Value, other: Value) -> Value | None:
        """A number or a whole array that is one of two."""
        if one is Special.UNUSED or other is Special.UNUSED:
            used = other if one is Special.UNUSED else one
            if not isinstance(used, Draft | Literal):
                return used
            if isinstance(used, Draft) and used.type.shape:
                return self._only_whole(used, used is one)
            filler = FILLERS[used.type]
            one, other = (filler, used) if one is Special.UNUSED else (used, filler)
        if not isinstance(one, Draft | Literal):
            return None
        if not isinstance(other, Draft | Literal):
            return None
        if (one.type == STR) is not (other.type == STR):
            return None
        if len(one.type.shape) != len(other.type.shape):
            return None
        out = _out(self.choice, one, other, self.span)
        if out.type.shape:
            found = tuple(v for v in (one, other) if isinstance(v, Draft))
            self.flat.views[out] = found
        if isinstance(one, Draft) and isinstance(other, Draft):
            long_lists.note_choice(self.flat, one, other, out)
        return out

    def _groups(self, one: Value, other: Value) -> Value | None:
        flat = self.flat
        like = one if isinstance(one, CARRIED) else other
        assert isinstance(like, CARRIED)
        if home_of(one) or home_of(other):
            return self._homes(one, other)
        kind, site = kind_of(like), getattr(like, "site", None)
        sides: list[tuple[Value, ...]] = []
        for k, value in enumerate((one, other)):
            if value is Special.UNUSED:
                sides.append((value,) * len(like.items))
            elif isinstance(value, Object) and kind_of(value) == kind:
                states = self.contents[k].fields if self.contents else None
                sides.append(flat.heap.fields.items(value, self.span, states))
            elif not isinstance(value, CARRIED) or kind_of(value) != kind:
                is_array = isinstance(value, Array) or is_whole(value)
                if is_array and isinstance(like, Group):
                    flat.refit(like)
                begin_alike(flat, one, other)
                return None
            else:
                sides.append(value.items)
        if len(sides[0]) != len(sides[1]):
            if isinstance(like, Group) and grows(like):
                flat.refit(like)
            return None
        found = self._items(*sides)
        if found is not None and isinstance(like, Object):
            born = self.contents[1].end if self.contents else 0
            own = flat.heap.fields.joined(like.of, iter((one, other)), born)
            return Object(like.of, found, own)
        if found is None:
            return None
        made = regroup(kind, found, site)
        if isinstance(made, Group) and made.container is not Container.TUPLE:
            flat.heap.givers[id(made)] = made, one, other
        return made

    def _homes(self, one: Value, other: Value) -> Value | None:
        """The value that is one or another object of a list; None for other values."""
        like = home_of(one) or home_of(other)
        assert like is not None
        places: list[Value] = []
        for value in (one, other):
            home = home_of(value)
            if home is not None and home.is_beside(like):
                places.append(home.place)
            elif value is Special.UNUSED:
                places.append(value)
            else:
                return None
        place = self._apart().of(places[0], places[1])
        return like.at(place) if isinstance(place, Draft | Literal) else place

    def _items(
        self, ones: Sequence[Value], others: Sequence[Value]
    ) -> tuple[Value, ...] | None:
        """The value for each pair of ends; None if a pair does not go together."""
        items = [self.of(a, b) for a, b in zip(ones, others, strict=True)]
        found = tuple(item for item in items if item is not None)
        return found if len(found) == len(items) else None

    def _dicts(self, one: Value, other: Value) -> Value | None:
        """A dict that is one of two, joined entry by entry."""
        like = one if isinstance(one, Dict) else other
        assert isinstance(like, Dict)
        sides: list[tuple[Value, ...]] = []
        for value in (one, other):
            if value is not Special.UNUSED and not like.is_like(value):
                for table in (one, other):
                    if isinstance(table, Dict):
                        self.flat.rekey(table)
                return None
            unused = (Special.UNUSED,) * len(like.items)
            sides.append(value.items if isinstance(value, Dict) else unused)
        found = self._items(*sides)
        identity = like.which(other) if isinstance(other, Dict) else like.identity
        return None if found is None else Dict(like.keys, found, identity)

    def _deques(self, one: Value, other: Value) -> Value | None:
        """A set or a deque that is one or the other: by their lists."""
        like = one if isinstance(one, Deque) else other
        assert isinstance(like, Deque)
        sides: list[Value] = []
        for value in (one, other):
            if value is not Special.UNUSED and not like.is_like(value):
                return None
            sides.append(value.inner if isinstance(value, Deque) else value)
        inner = self.of(sides[0], sides[1])
        return None if inner is None else replace(like, inner=inner)

    def _ranges(self, one: Value, other: Value) -> Value | None:
        """A range that is one of two, joined end by end."""
        sides: list[tuple[Value, ...]] = []
        for value in (one, other):
            if isinstance(value, Range):
                sides.append((value.start, value.stop, value.step))
            elif value is Special.UNUSED:
                sides.append((value,) * 3)
            else:
                return None
        ends = self._apart()._items(*sides)
        return None if ends is None else Range(*cast("tuple[Number, ...]", ends))

    def _arrays(self, one: Value, other: Value) -> Value | None:
        """An array that is one of two: a cell of its own, lent by both."""
        flat, ends = self.flat, (one, other)
        now = Contents(flat.heap.held, flat.heap.fields.names, 0, 0, flat.frame.depth)
        held = self.contents or (now, now)
        used = [end for end in ends if isinstance(end, Array)]
        if len(used) == 1 and Special.UNUSED in ends:
            return self._only(used[0], used[0] is one, held)
        if any(map(is_whole, ends)):
            flat.remake(used[0])
        if not isinstance(one, Array) or not isinstance(other, Array):
            return None
        if one.cell is other.cell and one.places == other.places:
            return one
        if one.is_beside(other):
            pairs = zip(one.numbers, other.numbers, strict=True)
            numbers = [self._apart().of(a, b) for a, b in pairs]
            return one.moved(cast(list[Number], numbers))
        if not one.is_whole or not other.is_whole:
            for end in used:
                flat.remake(end)
            return None
        if one.cell.container is not other.cell.container:
            return None
        first, second = held[0](one.cell, self.span), held[1](other.cell, self.span)
        if not isinstance(first, Draft) or not isinstance(second, Draft):
            return Special.REFUSED
        if widening.joint_or_none(first.type, second.type) is None:
            widen_lists(flat, one.cell, other.cell)
            return None
        return self._lent(_out(self.choice, first, second, self.span), (one, other))

    def _only(
        self, end: Array, is_first: bool, held: tuple[Contents, Contents]
    ) -> Value | None:
        """An array of one arm, while nobody reads the one of the other arm."""
        if end.cell.key in self.flat.heap.names:
            return end  # it is from before the arms
        content = held[0 if is_first else 1](end.cell, self.span)
        if not isinstance(content, Draft) or not end.is_whole:
            return Special.REFUSED
        body = self._other_arm(is_first)
        there = held[1 if is_first else 0]
        filler = as_long(self.flat, body, content.type, there, self.span)
        filler = filler or nothing(body, content.type, self.span)
        pair = (content, filler) if is_first else (filler, content)
        return self._lent(_out(self.choice, *pair, self.span), (end,))

    def _other_arm(self, is_first: bool) -> list[DraftStatement]:
        """The statements of the arm beside the first one, or beside the second."""
        return (self.choice.orelse if is_first else self.choice.then).body

    def _lent(self, out: Draft, ends: Sequence[Array]) -> Array:
        """The array that is one of those at the ends of the arms; `out` is in it."""
        heap = self.flat.heap
        cells = tuple(end.cell for end in ends)
        where = (cells[0].container, cells[0].span, ())
        made = heap.allocate(out, *where, moment=self.moment)
        for cell in cells:
            array_rows.hand_on(self.flat, cell, made)
        aliases = heap.aliases
        aliases.lend(cells, made.cell)
        for cell in cells:
            aliases.look(cell, self.span, aliases.born[made.cell])
        return made

    def _only_whole(self, used: Draft, is_first: bool) -> Value:
        """A whole array of one arm, while nobody reads the one of the other arm."""
        other = unused(self.flat, self._other_arm(is_first), used.type, self.span)
        pair = (used, other) if is_first else (other, used)
        out = _out(self.choice, *pair, self.span)
        self.flat.views[out] = (used,)
        return out


def _out(choice: DraftChoice, one: Number, other: Number, span: Span) -> Draft:
    """The result of a choice that is `one` or `other`, of the type that holds both."""
    found = choice.joined.get((one, other))
    if found is None:
        type_ = widening.joint(one.type, other.type)
        found = choice.joined[one, other] = Draft(type_, span)
        found.optional = _may_be_none(choice, one, other)
        choice.outs.append(found)
        for arm, number in ((choice.then, one), (choice.orelse, other)):
            arm.results.append(widening.typed(arm.body, number, type_, span))
    return found


def _may_be_none(choice: DraftChoice, one: Number, other: Number) -> bool:
    """Whether a choice may be None; an end that its test finds given is not."""
    told: Number | None = None
    holds = False
    if isinstance(choice.test, Draft) and choice.test.tells is not None:
        told, holds = choice.test.tells
    there = one if holds else other
    return any(
        widening.may_be_none(number) and (number is not told or number is not there)
        for number in (one, other)
    )
