"""Loops that stay loops, as functions are flattened.

The body is flattened once. A name that the body binds is a promise at the head
of a trip: what is read there becomes a carry of the loop, and what is read behind the
loop only becomes one, too; nobody pays for the rest. Types of carries are a fixpoint:
where an int has become a float at the end of a trip, the body is run again from a
float, and all that the first run did is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import cast

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal, Origin
from ad_transform.ir.types import BOOL, FLOAT, INT, Type
from ad_transform.read import (
    choices,
    chosen,
    handed,
    joining,
    maybe,
    rebinding,
    widening,
)
from ad_transform.read.cells import Cells
from ad_transform.read.context import Context
from ad_transform.read.described import either
from ad_transform.read.drafts import (
    Carry,
    DraftAnd,
    DraftApply,
    DraftLoop,
    DraftStatement,
)
from ad_transform.read.fields import are_one, refuse_field
from ad_transform.read.flags import (
    AWAY,
    BROKEN,
    FALSE,
    FLAGS,
    RESULT,
    RETURNED,
    TRUE,
    flag_of,
)
from ad_transform.read.frames import Frame, Promise
from ad_transform.read.naming import entry_name, item_names, named, shown
from ad_transform.read.references import References
from ad_transform.read.tails import Tails, are_alike
from ad_transform.read.values import (
    CARRIED,
    UNNAMED,
    Array,
    Cell,
    Dict,
    Draft,
    Group,
    Identity,
    Maybe,
    Number,
    Object,
    Special,
    Value,
    is_whole,
    kind_of,
    regroup,
)

Ends = dict[str, "Value | Promise | None"]


@dataclass(slots=True)
class Types:
    """What runs of a body have found: the types of carries that are wider than what
    they start from, by name and leaf; by name what stands for a value that may be None,
    and which objects from before a loop may become one that trips make anew.
    """

    wide: dict[tuple[str, int], Type] = field(default_factory=dict)
    absent: dict[str, Value] = field(default_factory=dict)
    givers: dict[str, dict[Identity, None]] = field(default_factory=dict)


_UNBOUND = "bind it before the loop"

_ALIKE = "let it be a number, or a tuple of one length, all the time"

_SUM = "begin with an array, and add in a loop: `s = np.zeros(n)`, `s = s + u`"

_ZEROS = "bind an array to it before the loop, `np.zeros(n)` or `np.zeros_like(x)`"

_KEYS = 'write all its keys out before the loop: `d = {"a": 0.0}`'
_FUNCTION = "keep in a bool which one it is, and choose behind: `g = f if flag else h`"

_BOUND = -1
"""In place of a leaf: the name of a whole array or a dict that a trip changes."""

_OTHER = -2
"""In place of a leaf: the name of a dict that is another one after a trip."""


@dataclass(slots=True, eq=False)
class Loop:
    """A loop in the making; `binds` are the names that its body may bind.

    `surely` says that who looks behind the loop has made a trip at least, `stale` that
    a carry was found to be wider than this run of the body took it for: `types` then
    says how wide.
    """

    flat: Context
    frame: Frame
    binds: Sequence[str]
    types: Types
    span: Span
    surely: bool = False
    draft: DraftLoop = field(init=False)
    cells: Cells = field(init=False)
    references: References = field(init=False)
    tails: Tails = field(init=False)
    givers: dict[Cell, Cell] = field(default_factory=dict)  # before the loop
    last_cells: dict[Cell, Cell | None] = field(default_factory=dict)
    old: Ends = field(default_factory=dict)
    ends: Ends = field(default_factory=dict)
    heads: dict[str, Value] = field(default_factory=dict)  # at the head of a trip
    leaves: dict[str, list[Carry]] = field(default_factory=dict)
    last: Carry | None = None  # the flag that ends the loop before its time
    stale: bool = False
    closed: bool = False
    settled: bool = False
    shown: dict[rebinding.Base, rebinding.Changed] = field(default_factory=dict)
    changes: int = field(init=False)  # those of whole arrays before the loop

    def __post_init__(self) -> None:
        self.changes = len(self.flat.changes)
        fields = self.flat.heap.fields
        more = [name for name, leaf in self.types.wide if leaf == _BOUND]
        keys = tuple(name for name in more if name in fields.owners)
        self.binds = (*self.binds, *(name for name in more if name not in keys))
        others = (name for name, leaf in self.types.wide if leaf == _OTHER)
        self.references = References(self, keys, frozenset(others))
        self.draft = DraftLoop(self.span)
        self.cells = Cells(self)
        self.tails = Tails(self)

    # --- the body -------------------------------------------------------------------

    def run(self, body: Callable[[], None]) -> None:
        """Run a trip: what it binds is taken back, and known from then on."""
        frame = self.frame
        frame.trail.append({})
        self.cells.begin()
        frame.loops += 1
        for name in self.binds:
            self.old[name] = frame.names.get(name)
            frame.bind(name, Promise(self._head(name), (self.old[name],)))
        for key, held in self.references.begin():
            self.old[key] = held
            self.flat.heap.fields.bind(key, Promise(self._head(key), (held,)))
        statements, gone = self.flat.block(lambda: self._trip(body))
        self.draft.body = statements
        frame.loops -= 1
        before = frame.trail.pop()
        self.ends = {name: frame.names.get(name) for name in before}
        self._find_changed()
        self._find_changed_fields()
        frame.restore(before)
        self.cells.end()
        self._close(gone)

    def _find_changed(self) -> None:
        """Find whole arrays and dicts that a trip has changed: it binds their names."""
        for name, end in self.ends.items():
            if name.startswith("<") or name in self.binds:
                continue
            if any(map(_is_rebound, rebinding.inside([end]))):
                self.types.wide[name, _BOUND] = FLOAT
                self.stale = True

    def _find_changed_fields(self) -> None:
        """The same of fields of objects from before the loop."""
        for key, end in self.references.end().items():
            self.ends[key] = end
            if key not in self.references.keys:
                self.types.wide[key, _BOUND] = FLOAT
                self.stale = True

    def _trip(self, body: Callable[[], None]) -> Value:
        body()
        return gone(self.flat, self.span)

    def _head(self, name: str) -> Callable[[Span], Value]:
        def make(span: Span) -> Value:
            old = self.old[name]
            if isinstance(old, Promise):
                old.at(span)  # which may ask for what is being made here
            if name not in self.heads:
                self.heads[name] = self._taken(name, span)
                if self.closed:
                    self._end(name, span)
                if self.settled:
                    handed.give_up(self)
            return self.heads[name]

        return make

    def _taken(self, name: str, span: Span) -> Value:
        """What a name stands for at the head of a trip, made of carries."""
        old = self.old[name]
        self.leaves[name] = []
        if old is None:
            if not self.frame.hazy:
                message = f"{name!r} may be read before the loop has bound it"
                self.flat.refuse("AD103", message, span, _UNBOUND)
            return Special.REFUSED
        start = old.at(span) if isinstance(old, Promise) else old
        if name in self.types.absent:
            is_given, value = maybe.given_of(start), maybe.value_of(start)
            if value is Special.UNUSED:
                value = maybe.made(self.types.absent[name], self._unused)
            start = Maybe(cast(Number, is_given), value)
        is_field = name in self.references.keys
        return self._carried(name, start, self.references.word(name) * is_field)

    def _unused(self, type_: Type) -> Value:
        """A whole array before the loop that nobody looks at."""
        return joining.unused(self.flat, self.draft.before, type_, self.span)

    def _carried(self, name: str, start: Value, hint: str = "") -> Value:
        """Carries for a name; numbers in it are called `hint`."""
        if self.references.is_one(name, start):
            return start
        if isinstance(start, Object):
            own = item_names(start, hint or name)
            held = self.references.starts(start)
            items = tuple(map(self._carried, (name,) * len(own), held, own))
            return Object(start.of, items, self.references.head(name, start))
        if isinstance(start, CARRIED):
            own = item_names(start, hint or name)
            items = tuple(map(self._carried, (name,) * len(own), start.items, own))
            return regroup(kind_of(start), items, getattr(start, "site", None))
        if isinstance(start, Maybe):
            is_given = self._carried(name, start.given, f"{hint or name}_given")
            value = self._carried(name, start.value, hint)
            return Maybe(cast(Number, is_given), value)
        if isinstance(start, Dict):
            pairs = zip(start.keys, start.items, strict=True)
            called = ((entry_name(hint or name, key), item) for key, item in pairs)
            entries = tuple(self._carried(name, item, own) for own, item in called)
            is_one = (name, _OTHER) not in self.types.wide
            return Dict(start.keys, entries, start.identity if is_one else None)
        if isinstance(start, Array) and start.is_whole:
            leaf = len(self.leaves[name])
            taken = self.cells.taken(name, start, leaf, hint or name)
            if taken is None:
                return Special.REFUSED
            self.leaves[name].append(taken[0])
            self.givers[taken[1].cell] = start.cell
            return taken[1]
        if not isinstance(start, Draft | Literal):
            return start  # it may not change
        leaves = self.leaves[name]
        type_ = self.types.wide.get((name, len(leaves)), start.type)
        carry = self.carry(start, type_, hint or name)
        leaves.append(carry)
        return carry.param

    def counter(self, start: Number, name: str) -> Carry:
        """A carry that counts, called like the target of the loop."""
        return self.carry(start, INT, name.strip("_") or "index")

    def item_counter(self, start: Number) -> Carry:
        """A carry that counts where the loop of the source has items, and no index."""
        carry = self.carry(start, INT, "i")
        for draft in (carry.param, carry.out):
            draft.depth = UNNAMED
        return carry

    def carry(self, start: Number, type_: Type, name: str) -> Carry:
        first = widening.typed(self.draft.before, start, type_, self.span)
        carry = Carry(Draft(type_, self.span), first, Draft(type_, self.span))
        if isinstance(first, Literal) and (first.origin is Origin.LOCAL or first.notes):
            carry.start = Literal(first.value)  # the name is that of the carry
            carry.out.notes = first.notes
        for draft in (carry.param, carry.out):
            draft.optional = widening.may_be_none(start)
            if not name.startswith("<"):
                named(self.frame, draft, name, ())
            else:
                draft.hint = FLAGS.get(name, "")
        self.draft.carries.append(carry)
        return carry

    # --- the end of the body ----------------------------------------------------------

    def _close(self, gone: Value) -> None:
        """Settle what every carry is at the end of a trip; that may make others."""
        for end in self.ends.values():  # or an int might be found to be a float late
            if isinstance(end, Promise) and end.is_number:
                end.at(self.span)
        done = 0
        while done < len(self.heads) or self.cells.settle():
            names = list(self.heads)[done:]
            done += len(names)
            for name in names:
                self._end(name, self.span)
        self.closed = True
        if gone != FALSE:
            self.last = self.tails.flag(gone, AWAY)

    def _end(self, name: str, span: Span) -> None:
        head, end = self.heads[name], self.ends.get(name)
        value = end.at(span) if isinstance(end, Promise) else end
        if Special.REFUSED in (head, value) or value is None:
            return
        handed.refuse_shared(self)
        handed.refuse_view(self, name, value)
        if not self._fits(name, head, value, iter(self.leaves[name])):
            word = self.references.word(name)
            self._refuse_kinds(word, (head, value), self.span)

    def _fits(
        self, name: str, head: Value, end: Value, leaves: Iterator[Carry]
    ) -> bool:
        """Give the carries of a name their ends; False where the shapes differ."""
        if Special.REFUSED in (head, end):
            return True  # it has been said
        if maybe.is_open(head) or maybe.is_open(end):
            return self._fits_open(name, head, end, leaves)
        if self.references.is_one(name, head):
            return self._is_still(name, head, end)
        if isinstance(head, Object) and isinstance(end, Object):
            if head.of is not end.of:
                return False
            held = self.references.finals(name, head, end)
            pairs = zip(head.items, held, strict=True)
            return all(self._fits(name, h, e, leaves) for h, e in pairs)
        if isinstance(head, CARRIED):
            is_longer = isinstance(end, Group) and len(head.items) != len(end.items)
            if isinstance(head, Group) and (
                isinstance(end, Array)
                or is_whole(end)
                or (is_longer and head.container is Container.LIST)
            ):
                self.flat.refit(head)
            return (
                isinstance(end, CARRIED)
                and kind_of(head) == kind_of(end)
                and len(head.items) == len(end.items)
                and all(
                    self._fits(name, h, e, leaves)
                    for h, e in zip(head.items, end.items, strict=True)
                )
            )
        if isinstance(head, Dict):
            if head.is_like(end) and head.identity not in (None, end.identity):
                self.types.wide[name, _OTHER] = FLOAT
                self.stale = True
            return head.is_like(end) and all(
                self._fits(name, h, e, leaves)
                for h, e in zip(head.items, end.items, strict=True)
            )
        if isinstance(head, Array) and head.cell in self.givers:
            carry = next(leaves)
            self.last_cells[head.cell] = end.cell if isinstance(end, Array) else None
            leaf = self.leaves[name].index(carry)
            return self.cells.fits(name, carry, head, end, leaf)
        if not isinstance(head, Draft):
            same = isinstance(head, Literal) and head == end
            return same or head is end
        if not isinstance(end, Draft | Literal) or not are_alike(head, end):
            return False
        carry = next(leaves)
        if len(carry.param.type.shape) != len(end.type.shape):
            return False
        wide = widening.joint(carry.param.type, end.type)
        if wide != carry.param.type:
            self._widen(name, self.leaves[name].index(carry), wide)
            return True
        carry.end = widening.typed(self.draft.body, end, wide, self.span)
        return True

    def _is_still(self, name: str, head: Value, end: Value) -> bool:
        """Whether an object is the same at the end of a trip; else it is found to be
        another one, and the trip begins again with a copy of it.
        """
        if not isinstance(head, Object) or not isinstance(end, Object):
            return False
        if not are_one(head, end):
            if self.closed:
                refuse_field(self.flat, head.identity, self.span)
            self.types.wide[name, _OTHER] = FLOAT
            self.stale = True
        return head.of is end.of

    def _fits_open(
        self, name: str, head: Value, end: Value, leaves: Iterator[Carry]
    ) -> bool:
        """The same where one of both is None or may be."""
        if isinstance(head, Maybe):
            last = maybe.value_of(end)
            last = head.value if last is Special.UNUSED else last
            fit = self._fits(name, head.given, maybe.given_of(end), leaves)
            return self._fits(name, head.value, last, leaves) and fit
        if head is end:
            return True
        known = maybe.value_of(end if head is Special.NONE else head)
        if isinstance(known, Array) and known.cell.container is Container.ARRAY:
            self.flat.remake(known)
        filler = maybe.filled(known)
        if self.closed or head is not self.heads[name] or filler is None:
            return False
        self.types.absent[name] = filler
        self.stale = True
        return True

    def _widen(self, name: str, leaf: int, wide: Type) -> None:
        if self.closed:
            message = f"{name!r} becomes {wide} in a loop inside this one"
            help_ = f"let it start as one: `{name} = {wide}(...)`"
            self.flat.refuse("AD107", message, self.span, help_)
        self.types.wide[name, leaf] = wide
        self.stale = True

    # --- behind the loop --------------------------------------------------------------

    def behind(self, name: str) -> Promise:
        """What a name stands for behind the loop."""

        def make(span: Span) -> Value:
            end = self.ends.get(name)
            value = end.at(span) if isinstance(end, Promise) else end
            if value is Special.REFUSED:
                return value
            if name in self.heads:
                found = self._outs(name, self.heads[name], iter(self.leaves[name]))
            elif value is None:
                return Special.REFUSED
            else:
                found = self._tail(name, value, span)
            self._note_views(name, found)
            return found

        return Promise(make, (self.old.get(name), self.ends.get(name)))

    def _note_views(self, name: str, found: Value) -> None:
        """Remember that a whole array behind the loop may be one of before, or one that
        the last trip has given the name.
        """
        outs = list(filter(is_whole, rebinding.inside([found])))
        if not outs:
            return
        ends = self.old.get(name), self.ends.get(name)
        parts = tuple(filter(is_whole, rebinding.inside(ends)))
        self.flat.views.update((out, parts) for out in outs if out not in parts)

    def _outs(self, name: str, head: Value, leaves: Iterator[Carry]) -> Value:
        """The value behind the loop of the shape that it has at the head of a trip."""
        if self.references.is_one(name, head):
            return head
        if isinstance(head, Object):
            items = tuple(self._outs(name, item, leaves) for item in head.items)
            return self.references.behind(head, items)
        if isinstance(head, CARRIED):
            items = tuple(self._outs(name, item, leaves) for item in head.items)
            return regroup(kind_of(head), items, getattr(head, "site", None))
        if isinstance(head, Maybe):
            is_given = self._outs(name, head.given, leaves)
            return Maybe(cast(Number, is_given), self._outs(name, head.value, leaves))
        if isinstance(head, Dict):
            entries = tuple(self._outs(name, item, leaves) for item in head.items)
            return Dict(head.keys, entries, head.identity)
        if isinstance(head, Array) and head.cell in self.givers:
            end = self.last_cells.get(head.cell) or head.cell
            giver = self.givers[head.cell]
            return self.cells.out(name, next(leaves), giver, head.cell, end)
        return next(leaves).out if isinstance(head, Draft) else head

    def _tail(self, name: str, end: Value, span: Span) -> Value:
        """A name that no trip reads: only what the last one gives it counts."""
        old = self.old.get(name)
        if old is None and name != RESULT and not self.surely:
            if self.frame.hazy:
                return Special.REFUSED
            message = f"{name!r} is not bound where the loop makes no trip"
            return self.flat.refuse("AD103", message, span, _UNBOUND)
        start = old.at(span) if isinstance(old, Promise) else old
        word = self.references.word(name)
        found = self.tails.paired(start or Special.UNUSED, end, word)
        if found is None:
            return self._refuse_kinds(word, (start or Special.NONE, end), span)
        return found

    def _refuse_kinds(self, name: str, ends: tuple[Value, Value], span: Span) -> Value:
        """AD107 for what is of another kind after some trips."""
        message = f"{shown(name)} is {either(ends)}, as the loop decides"
        help_ = _ALIKE
        if any(map(is_whole, ends)):
            help_ = _SUM if name.startswith("<") else _ZEROS
        if any(map(chosen.is_function, ends)):
            help_ = _FUNCTION
        if all(isinstance(end, Dict) for end in ends):
            help_ = _KEYS
        return self.flat.refuse("AD107", message, span, help_)

    def flag(self, name: str) -> Value:
        """A flag behind the loop."""
        end = flag_of(self.ends.get(name))
        if end == FALSE or not isinstance(end, Draft | Literal):
            return end
        return self.tails.flag(end, name).out


def gone(flat: Context, span: Span) -> Value:
    """Whether the trip that has been run is the last one: broken off, or returned."""
    names = flat.frame.names
    flags = [flag_of(names.get(name)) for name in (BROKEN, RETURNED)]
    one, other = flags
    if TRUE in flags:
        return TRUE
    if Special.REFUSED in flags:
        return FALSE
    if one == FALSE or one is other:
        return other
    if other == FALSE:
        return one
    return choices.lazily(flat, one, False, lambda: other, span)


def _is_rebound(value: Value) -> bool:
    """Whether a value is one whose names stand for another where it is changed."""
    return is_whole(value) or isinstance(value, Dict)


def continued(loop: Loop, test: tuple[list[DraftStatement], Value], span: Span) -> None:
    """Give a loop its test: it goes on unless the last trip was the last one."""
    body, value = test
    known = value if isinstance(value, Draft | Literal) else FALSE
    if loop.last is not None:
        left, out = Draft(BOOL, span), Draft(BOOL, span)
        first = DraftApply(left, TABLE["not"], (loop.last.param,))
        if known == TRUE and not body:
            body, known = [first], left
        else:
            body, known = [first, DraftAnd(out, left, True, body, known)], out
    loop.draft.test, loop.draft.result = body, known


def settled(flat: Context, attempt: Callable[[Types], Loop]) -> Loop:
    """The loop, once its carries are wide enough."""
    types = Types()
    while True:
        saved = flat.snapshot()
        with flat.module.shared.apart() as report:
            loop = attempt(types)
        if not loop.stale:
            flat.module.report.extend(report.sorted())
            flat.add(loop.draft)
            loop.cells.behind()
            for key in loop.references.keys:
                flat.heap.fields.bind(key, loop.behind(key))
            loop.settled = True
            handed.give_up(loop)
            return loop
        flat.restore(saved)


def trips(
    flat: Context,
    count: Number,
    trip: Callable[[Draft], None],
    span: Span,
    binds: Sequence[str] = (),
) -> Loop:
    """A counted loop over `range(count)`, which may bind some names."""

    def attempt(types: Types) -> Loop:
        loop = Loop(flat, flat.frame, binds, types, span)
        index = Draft(INT, span, "i")
        flat.heap.naturals.add(index)
        loop.draft.index = index
        loop.draft.bounds = (Literal(0), count, Literal(1))
        loop.run(lambda: trip(index))
        return loop

    return settled(flat, attempt)
