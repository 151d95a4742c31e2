"""Statements of which only one arm runs, as functions are flattened.

Both arms are flattened, each in a block of its own, and what they bind is joined
behind them: a name that differs becomes a promise, made when something reads it. The
flags of `exits` are joined at once, for they decide what runs next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from itertools import zip_longest

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import LENGTHS
from ad_transform.ir.nodes import Literal
from ad_transform.read import choices, joining, maybe
from ad_transform.read.code import Body, Fork
from ad_transform.read.context import Context
from ad_transform.read.described import either
from ad_transform.read.drafts import (
    DraftApply,
    DraftArm,
    DraftCheck,
    DraftChoice,
    DraftStatement,
    made,
)
from ad_transform.read.exits import AWAY, FLAGS, RESULT, RETURNED
from ad_transform.read.fields import filler
from ad_transform.read.frames import Frame, Promise
from ad_transform.read.naming import named, shown
from ad_transform.read.values import (
    STRUCTURED,
    Array,
    Cell,
    Dict,
    Draft,
    Maybe,
    Object,
    Special,
    Value,
    is_whole,
    kind_of,
)

Bindings = dict[str, Value | Promise | None]
TRUE, FALSE = Literal(True), Literal(False)


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """What an arm computes; what names stand for at its end, and stood for before.

    `heap` has what cells hold at its end, `held` what they held before; `fields` and
    `kept` have the same of fields of objects.
    """

    body: list[DraftStatement]
    after: Bindings
    before: Bindings
    heap: Bindings
    held: Bindings
    fields: Bindings
    kept: Bindings
    start: int

    @property
    def is_gone(self) -> bool:
        """Whether nothing behind the arm ever runs after it."""
        return self.after.get(AWAY) == TRUE

    def is_over(self, frame: Frame) -> bool:
        """Whether no name matters any more after the arm: the function is over."""
        over = RETURNED if frame.loops else AWAY
        return self.after.get(over) == TRUE

    @property
    def only_fails(self) -> bool:
        """Whether the arm does nothing but raise, and look up lengths to say."""
        match self.body:
            case [*before, DraftCheck(test=Literal(value=False))]:
                return self.is_gone and all(map(is_length, before))
        return False

    @property
    def raises(self) -> bool:
        """Whether the arm raises whatever happens, and first computes what it says."""
        match self.body:
            case [*_, DraftCheck(test=Literal(value=False))]:
                return self.is_gone
        return False


def is_length(statement: DraftStatement) -> bool:
    """Whether a statement only looks up a length."""
    match statement:
        case DraftApply(op=op, args=[_]):
            return op.name in _LENGTHS
    return False


_LENGTHS = frozenset({"size", *LENGTHS})
"""What is read of a list or an array, costs nothing and never fails."""


def fork(flat: Context, test: Value, made: Fork) -> None:
    """`if test: ... else: ...`; what is read of a refused test's arms is said."""
    known = choices.truth(flat, test, "`if`", made.span)
    if isinstance(known, Literal):
        flat.perform(made.then if known.value else made.orelse)
        return

    def arm(body: Body, holds: bool) -> Callable[[], None]:
        def run() -> None:
            maybe.learn(flat, known, holds)
            flat.perform(body)

        return run

    arms = arm(made.then, True), arm(made.orelse, False)
    _branch(flat, known, *arms, made.span, made.notes)


def guarded(flat: Context, away: Value, rest: Body, span: Span) -> None:
    """What stands behind statements that may have left: it runs unless they have."""
    frame = flat.frame

    def gone() -> None:
        frame.bind(AWAY, TRUE)

    def here() -> None:
        maybe.learn(flat, away, False)
        _lower(frame)
        flat.perform(rest)

    _branch(flat, away, gone, here, span, ())


def unless(flat: Context, flag: Value, rest: Body, span: Span) -> None:
    """What runs where a flag is down; where it is up nothing changes."""
    otherwise(flat, flag, lambda: flat.perform(rest), span)


def otherwise(flat: Context, flag: Value, run: Callable[[], None], span: Span) -> None:
    """Run something where a flag is down."""

    def here() -> None:
        _lower(flat.frame)
        run()

    _branch(flat, flag, lambda: None, here, span, ())


def where(flat: Context, test: Value, run: Callable[[], None], span: Span) -> None:
    """Run something where a test holds."""
    if isinstance(test, Literal):
        if test.value:
            run()
        return
    _branch(flat, test, run, lambda: None, span, ())


def _lower(frame: Frame) -> None:
    for name in FLAGS:
        if name in frame.names:
            frame.bind(name, FALSE)


def _branch(
    flat: Context,
    test: Value,
    then: Callable[[], None],
    orelse: Callable[[], None],
    span: Span,
    notes: tuple[str, ...],
) -> None:
    first = _way(flat, then)
    if isinstance(test, Draft) and first.only_fails:
        holds = flat.apply(TABLE["not"], (test,), span)
        if isinstance(holds, Draft):
            _guard(flat, first, holds, notes)
        orelse()
        return
    if isinstance(test, Draft) and first.raises:
        arms = DraftArm(first.body), DraftArm([])
        flat.add(DraftChoice(test, *arms, notes=notes))
        orelse()
        return
    second = _way(flat, orelse)
    if isinstance(test, Draft) and second.only_fails:
        _guard(flat, second, test, notes)
        maybe.learn(flat, test, True)
        _taken(flat, first)
        return
    if isinstance(test, Draft) and second.raises:
        arms = DraftArm([]), DraftArm(second.body)
        flat.add(DraftChoice(test, *arms, notes=notes))
        maybe.learn(flat, test, True)
        _taken(flat, first)
        return
    _join(flat, test, first, second, span, notes)


def _guard(flat: Context, way: _Way, holds: Draft, notes: tuple[str, ...]) -> None:
    """What an arm that only fails checks, and the lengths that it says."""
    *lengths, check = way.body
    assert isinstance(check, DraftCheck)
    for statement in lengths:
        flat.add(statement)
    flat.add(check.where(holds, notes))


def _way(flat: Context, run: Callable[[], None]) -> _Way:
    """An arm that is run, and all that it has bound taken back."""
    scopes = (flat.frame, flat.heap, flat.heap.fields)
    for scope in scopes:
        scope.trail.append({})
    start = flat.heap.fields.tick()
    body, _ = flat.block(run)
    found: list[tuple[Bindings, Bindings]] = []
    for scope in scopes:
        before = scope.trail.pop()
        found.append(({name: scope.names.get(name) for name in before}, before))
        scope.restore(before)
    (after, before), (heap, held), (fields, kept) = found
    return _Way(body, after, before, heap, held, fields, kept, start)


def _taken(flat: Context, way: _Way) -> None:
    """Do after all, here, what an arm has done."""
    for statement in way.body:
        flat.add(statement)
    ends = (
        (flat.frame, way.after),
        (flat.heap, way.heap),
        (flat.heap.fields, way.fields),
    )
    for scope, after in ends:
        for name, value in after.items():
            if value is not None:
                scope.bind(name, value)


def _join(
    flat: Context,
    test: Value,
    first: _Way,
    second: _Way,
    span: Span,
    notes: tuple[str, ...],
) -> None:
    """Put the branch behind the other statements and join what its arms bind."""
    frame = flat.frame
    before = first.before | second.before
    known = test if isinstance(test, Draft) else None
    choice = None
    if known is not None:
        arms = DraftArm(first.body), DraftArm(second.body)
        choice = DraftChoice(known, *arms, notes=notes)
        flat.add(choice)
    contents = (_contents(flat, first), _contents(flat, second))
    _join_cells(flat, choice, first, second)
    _join_fields(flat, choice, first, second, contents)
    ends = [way.is_over(frame) for way in (first, second)]
    for name in before:
        old = frame.names.get(name)
        values = [way.after.get(name, old) for way in (first, second)]
        if name in FLAGS:
            joined = _flag(flat, choice, name, values, span)
            frame.bind(name, joined)
            continue
        stays = name == RESULT or name in frame.lent
        if all(ends) and not stays:
            continue
        if stays:
            values = [Special.UNUSED if v is None else v for v in values]
        else:
            values = [
                Special.UNUSED if over else v
                for v, over in zip(values, ends, strict=True)
            ]
        frame.bind(name, _promise(flat, choice, name, values, old, contents))


def _join_cells(
    flat: Context, choice: DraftChoice | None, first: _Way, second: _Way
) -> None:
    """Let every cell that one of the arms has written hold what either leaves there."""
    heap = flat.heap
    for key in first.held | second.held:
        old = heap.names.get(key)
        if old is None:
            continue  # it is the arm's own
        values = [way.heap.get(key, old) for way in (first, second)]
        heap.bind(key, _joined_cell(flat, choice, key, values))


def _join_fields(
    flat: Context,
    choice: DraftChoice | None,
    first: _Way,
    second: _Way,
    contents: tuple[joining.Contents, joining.Contents],
) -> None:
    """Let every field that one of the arms has changed hold what either leaves there;
    an object that is the arm's own has been joined by whoever names it.
    """
    fields = flat.heap.fields
    for key in first.kept | second.kept:
        old = fields.names.get(key)
        if old is None and fields.owners[key].born >= contents[0].start:
            continue
        old = old or fields.first[key]
        values: list[Value | Promise | None] = [
            way.fields.get(key) or old for way in (first, second)
        ]
        name = fields.word(key)
        fields.bind(key, _promise(flat, choice, name, values, old, contents))


def _joined_cell(
    flat: Context,
    choice: DraftChoice | None,
    key: str,
    values: list[Value | Promise | None],
) -> Value | Promise:
    one, other = values
    if one is other and one is not None:
        return one
    hint = flat.heap.cells[key].hint

    def make(span: Span) -> Value:
        ends = [v.at(span) if isinstance(v, Promise) else v for v in values]
        if choice is None or not all(isinstance(end, Draft) for end in ends):
            return Special.REFUSED
        joined = joining.joined(flat, choice, ends[0], ends[1], span)  # type: ignore[arg-type]
        if isinstance(joined, Draft):
            joined.hint = hint
        return Special.REFUSED if joined is None else joined

    return Promise(make, tuple(values))


def _contents(flat: Context, way: _Way) -> joining.Contents:
    """What a cell holds at the end of an arm, whenever that is asked."""
    heap = flat.heap
    states = {**heap.names, **{k: v for k, v in way.heap.items() if v is not None}}
    count = len(heap.cells)

    def content(cell: Cell, span: Span) -> Value:
        held = heap.then(cell, states, count)
        value = held.at(span) if isinstance(held, Promise) else held
        return Special.REFUSED if value is None else value

    own = {k: v for k, v in way.fields.items() if v is not None}
    kept, now = {**heap.fields.names, **own}, heap.fields.tick()
    return joining.Contents(content, kept, way.start, now)


def _flag(
    flat: Context,
    choice: DraftChoice | None,
    name: str,
    values: list[Value | Promise | None],
    span: Span,
) -> Value:
    """A truth value that the arms leave: the test itself where they are its two."""
    one, other = map(flag_of, values)
    if choice is None:
        return one if one == other else Special.REFUSED
    test = choice.test
    one, other = (TRUE if one is test else one), (FALSE if other is test else other)
    if (one, other) == (TRUE, FALSE):
        return test
    if (one, other) == (FALSE, TRUE):
        return flat.apply(TABLE["not"], (test,), span)
    joined = joining.joined(flat, choice, one, other, span)
    if isinstance(joined, Draft) and not joined.hint:
        joined.hint = FLAGS[name]
    return Special.REFUSED if joined is None else joined


def flag_of(flag: Value | Promise | None) -> Value:
    """A flag; one that was never raised is down."""
    assert not isinstance(flag, Promise), "flags are joined at once"
    return FALSE if flag is None else flag


def _promise(
    flat: Context,
    choice: DraftChoice | None,
    name: str,
    values: list[Value | Promise | None],
    old: Value | Promise | None,
    contents: tuple[joining.Contents, joining.Contents],
) -> Value | Promise:
    """What a name stands for behind arms that leave `values`; `old` before them."""
    one, other = values
    if one is other and one is not None:
        return one
    if old is not None and {one, other} == {old, Special.UNUSED}:
        return old  # any value will do: the one that is there
    frame, moment = flat.frame, flat.heap.now()
    in_loop = frame.loops > 0

    def make(span: Span) -> Value:
        ends = [v.at(span) if isinstance(v, Promise) else v for v in values]
        if choice is None or Special.REFUSED in ends:
            return Special.REFUSED
        if Special.UNSET in ends:
            return Special.UNSET
        is_none = name == RESULT and frame.depth == 1 and Special.NONE in ends
        if None in ends:
            if frame.hazy:
                return Special.REFUSED
            message = f"{shown(name)} is bound in one arm of an `if` only"
            help_ = "bind it in the other arm, too, or before the `if`"
            return flat.refuse("AD103", message, span, help_)
        if Special.UNUSED in ends:
            is_wanted = in_loop or any(map(is_whole, ends))  # arrays have no filler
            before = _before(old, span) if is_wanted else None
            ends = _with_what_is_there(choice, ends, before)
        one, other = ends
        ends = [_filled(frame, one, other), _filled(frame, other, one)]
        joined = joining.joined(flat, choice, ends[0], ends[1], span, contents, moment)  # type: ignore[arg-type]
        if joined is None or (is_none and isinstance(joined, Maybe)):
            said = either(ends)  # type: ignore[arg-type]
            message = f"{shown(name)} is {said}, as an `if` decides"
            help_ = "let it be a number in both arms, or tuples of one length"
            mixed = choices.way_out([end for end in ends if end is not None])
            if mixed is not None:
                help_ = mixed
            elif any(isinstance(end, Array) for end in ends):
                help_ = "let it be an array of one kind in both arms"
            elif any(isinstance(end, Dict) for end in ends):
                help_ = "let it be a dict of the same keys in both arms"
            return flat.refuse("AD107", message, span, help_)
        is_new = joined is not one and joined is not other
        if Special.UNUSED in (one, other) and is_whole(joined) and is_new:
            flat.views[joined] = tuple(filter(is_whole, (one, other)))
        if not name.startswith("<"):
            return named(frame, joined, name, ())
        return joined

    return Promise(make, tuple(values))


def _filled(frame: Frame, one: Value | None, other: Value | None) -> Value | None:
    """One of two ends. Where nobody looks at it, and arrays stand in the other, it has
    arguments of their shapes, which are there in any arm.
    """
    if one is Special.UNUSED and is_whole(other):
        return next((given for given in frame.given if given.type == other.type), one)
    if not isinstance(other, STRUCTURED):
        return one
    items = (one,) * len(other.items)
    if isinstance(one, Object) and one.identity is not None:
        return one
    if isinstance(one, STRUCTURED):
        items = one.items
    elif one is not Special.UNUSED:
        return one
    pairs = list(zip(items, other.items, strict=False))
    found = [_filled(frame, a, b) for a, b in pairs]
    if all(a is b for (a, _), b in zip(pairs, found, strict=True)):
        return one
    made = tuple(f for f in found if f is not None)
    return filler(kind_of(other), made, getattr(other, "site", None))


def _before(old: Value | Promise | None, span: Span) -> Value | None:
    """What a name stands for before a branch in a loop, where the loop has it."""
    if not isinstance(old, Promise):
        return old
    return old.at(span) if old.is_bound else None


def _with_what_is_there(
    choice: DraftChoice, ends: Sequence[Value | None], old: Value | None
) -> list[Value | None]:
    """The ends of two arms; where nobody looks at one of them it is what the other one
    is, as far as that was there before its arm, else what was there before.

    `if s > 1.0: return s, t * t` in a loop: where it has not returned nobody looks at a
    result, so the first part may be s all the time, and no trip has to choose.
    """
    found = list(ends)
    for k, arm in enumerate((choice.then, choice.orelse)):
        end = ends[k]
        if end is not None and ends[1 - k] is Special.UNUSED:
            found[1 - k] = _there(end, old, set(made(arm.body)))
    return found


def _there(end: Value, old: Value | Promise | None, inner: Set[Draft]) -> Value:
    """A value without what is made in an arm; in its place numbers from before."""
    if isinstance(end, STRUCTURED):
        is_like = isinstance(old, STRUCTURED) and kind_of(old) == kind_of(end)
        olds = old.items if is_like else ()  # type: ignore[union-attr]
        pairs = zip_longest(end.items, olds[: len(end.items)])
        made = tuple(_there(a, b, inner) for a, b in pairs)
        return filler(kind_of(end), made, None)
    if isinstance(end, Draft) and end not in inner:
        return end
    is_value = isinstance(end, Draft) and not end.type.dims
    if is_value and isinstance(old, Draft) and old.type == end.type:  # type: ignore[union-attr]
        return old
    return Special.UNUSED


def result(flat: Context, frame: Frame, name: str, span: Span) -> Value | None:
    """What a function returns; None where it never does."""
    away = frame.names.get(AWAY)
    if away is None:
        return None
    value = frame.names.get(RESULT, Special.UNUSED)
    value = value.at(span) if isinstance(value, Promise) else value
    if value is Special.UNUSED:
        message = f"{name!r} only raises"
        help_ = "return a value where the arguments are good"
        return flat.refuse("AD105", message, span, help_)
    if away == TRUE or value in (Special.NONE, Special.REFUSED):
        return value
    if away is Special.REFUSED or frame.hazy:
        return Special.REFUSED
    message = f"{name!r} may come to its end without `return`"
    return flat.refuse("AD105", message, span, "end it with `return` and a value")
