"""Loops that stay loops, as functions are flattened.

The body is flattened once. A name that the body binds is a promise at the head of a
trip. It becomes a carry of the loop where it is read, be that in a trip or only behind
the loop; nobody pays for the rest. Types of carries are a fixpoint: where an int has
become a float at the end of a trip, the body is run again from a float, and all that
the first run did is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Head, Literal, Origin
from ad_transform.ir.types import BOOL, FLOAT, INT, Type
from ad_transform.read.arrays import rebinding
from ad_transform.read.branches import (
    choices,
    widening,
)
from ad_transform.read.branches.flags import (
    AWAY,
    BROKEN,
    FALSE,
    FLAGS,
    RETURNED,
    TRUE,
    flag_of,
)
from ad_transform.read.code import Each, Repeat
from ad_transform.read.loops import (
    behind,
    handed,
    heads,
)
from ad_transform.read.loops.cells import Cells
from ad_transform.read.loops.foreseen import Foreseen, Found
from ad_transform.read.loops.references import References
from ad_transform.read.loops.tails import Tails
from ad_transform.read.loops.trip_ends import BOUND, OTHER, Types, end_of
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import (
    Carry,
    DraftAnd,
    DraftApply,
    DraftLoop,
    DraftStatement,
)
from ad_transform.read.machine.naming import named
from ad_transform.read.machine.snapshots import say_again
from ad_transform.read.report import Report
from ad_transform.read.values.frames import Frame, Promise, is_of_source
from ad_transform.read.values.storage import Cell
from ad_transform.read.values.structured import Dict
from ad_transform.read.values.values import (
    UNNAMED,
    Draft,
    Number,
    Special,
    Value,
    is_whole,
)

Ends = dict[str, "Value | Promise | None"]


@dataclass(slots=True, eq=False)
class Loop:
    """A loop in the making; `binds` are the names that its body may bind.

    With `surely` it makes at least one trip before anything reads behind it. It is
    `stale` where a carry is wider than this run of the body has taken it for; `types`
    then says how wide.
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
    last_dicts: dict[object, object] = field(default_factory=dict)  # by those at heads
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
        more = [name for name, leaf in self.types.wide if leaf == BOUND]
        keys = tuple(name for name in more if name in fields.owners)
        self.binds = (*self.binds, *(name for name in more if name not in keys))
        others = (name for name, leaf in self.types.wide if leaf == OTHER)
        self.references = References(self, keys, frozenset(others))
        self.draft = DraftLoop(self.span)
        self.cells = Cells(self)
        self.tails = Tails(self)

    def say(self, made: Each | Repeat) -> None:
        """Give the loop its comments, unless they stand elsewhere already."""
        notes = () if self.frame.quiet else made.notes
        self.draft.notes = (*notes, Head(made.head)) if made.head else notes

    def run(self, body: Callable[[], None]) -> None:
        """Run a trip: its bindings are taken back, and known from then on."""
        frame = self.frame
        frame.trail.append({})
        self.cells.begin()
        frame.loops += 1
        for name in self.binds:
            self.old[name] = frame.names.get(name)
            frame.bind(name, Promise(heads.promised(self, name), (self.old[name],)))
        for key, held in self.references.begin():
            self.old[key] = held
            self.flat.heap.fields.bind(key, Promise(heads.promised(self, key), (held,)))
        self._show_dicts()
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

    def _show_dicts(self) -> None:
        """Make the values at the head of names that may be one dict or another. A
        change of a dict asks which names may be it, and a promise tells only its value
        before the loop.
        """
        for name in self.old:
            if (name, OTHER) not in self.types.wide:
                continue
            frame = self.frame if name in self.frame.names else self.flat.heap.fields
            head = frame.names[name]
            if any(isinstance(value, Dict) for value in rebinding.inside([head])):
                assert isinstance(head, Promise)
                head.at(self.span)

    def _find_changed(self) -> None:
        """Find whole arrays and dicts that a trip has changed: it binds their names."""
        for name, end in self.ends.items():
            if name in self.binds or not is_of_source(name):
                continue
            if any(map(_is_rebound, rebinding.inside([end]))):
                self.types.wide[name, BOUND] = FLOAT
                self.stale = True

    def _find_changed_fields(self) -> None:
        """Find fields that a trip has changed, of objects from before the loop."""
        for key, end in self.references.end().items():
            self.ends[key] = end
            if key not in self.references.keys:
                self.types.wide[key, BOUND] = FLOAT
                self.stale = True

    def _trip(self, body: Callable[[], None]) -> Value:
        body()
        return gone(self.flat, self.span)

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
            if is_of_source(name):
                named(self.frame, draft, name, ())
            else:
                draft.hint = FLAGS.get(name, "")
        self.draft.carries.append(carry)
        return carry

    def _close(self, gone: Value) -> None:
        """Settle the end of every carry in a trip; that may make other carries."""
        for end in self.ends.values():
            # or an int might be found to be a float late, or an object another one
            if isinstance(end, Promise) and (end.is_number or end.is_object):
                end.at(self.span)
        done = 0
        while done < len(self.heads) or self.cells.settle():
            names = list(self.heads)[done:]
            done += len(names)
            for name in names:
                end_of(self, name, self.span)
        self.closed = True
        if gone != FALSE:
            self.last = self.tails.flag(gone, AWAY)

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
    around = flat.foreseen[-1] if flat.foreseen else Foreseen()
    found = around.next()
    guessed: tuple[Span | None, Types | None] = (None, None)
    inside = Foreseen()
    if found is not None:
        guessed, inside = (found.span, around.guess(found.types)), found.inside
    flat.foreseen.append(inside)
    try:
        loop, report = _tried(flat, attempt, guessed, inside)
    finally:
        flat.foreseen.pop()
    around.now.append(Found(loop.span, loop.types, inside))
    flat.module.report.extend(report.sorted())
    flat.add(loop.draft)
    loop.cells.behind()
    for key in loop.references.keys:
        flat.heap.fields.bind(key, behind.promised(loop, key))
    loop.settled = True
    handed.give_up(loop)
    return loop


def _tried(
    flat: Context,
    attempt: Callable[[Types], Loop],
    guessed: tuple[Span | None, Types | None],
    inside: Foreseen,
) -> tuple[Loop, Report]:
    """The loop with carries that are wide enough, and the report of its last run. A
    guess is given up if it is not wide enough, or that of another loop.
    """
    span, guess = guessed
    types = guess or Types()
    while True:
        saved = flat.snapshot()
        inside.begin(len(flat.heap.cells))
        try:
            with flat.module.shared.apart() as report:
                loop = attempt(types)
        except Unfit:
            flat.restore(saved)  # or later statements would stand in its trip
            raise
        is_wrong = types is guess and (loop.stale or loop.span != span)
        if not (loop.stale or is_wrong):
            return loop, report
        flat.restore(saved)
        flat.module.shared.lost.extend(report.sorted())
        if report.has_error:
            say_again(flat)
        if is_wrong:
            types = Types()


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
