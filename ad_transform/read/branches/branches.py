"""Branches: one arm of their statements runs, as functions are flattened.

Both arms are flattened, each in a block of its own, and their bindings are joined
behind them, see `merged`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.branches import maybe
from ad_transform.read.branches.flags import AWAY, FALSE, RESULT, TRUE, lower
from ad_transform.read.branches.ways import Way, run_apart
from ad_transform.read.code import Body, Fork
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import (
    DraftApply,
    DraftArm,
    DraftCheck,
    DraftChoice,
)
from ad_transform.read.values.frames import Frame, made_at
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.branches import choices
    from ad_transform.read.branches.merged import join

T = TypeVar("T")


def fork(flat: Context, test: Value, made: Fork) -> None:
    """`if test: ... else: ...`; if the test is refused, both arms are read for their
    faults.
    """
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
    notes = () if flat.frame.quiet else made.notes
    _branch(flat, known, *arms, made.span, notes)


def guarded(flat: Context, away: Value, rest: Callable[[], T], span: Span) -> T | None:
    """Run `rest` unless the statements before it have left; the result of `rest`, None
    if it does not run.
    """
    frame = flat.frame
    given: list[T] = []

    def gone() -> None:
        frame.bind(AWAY, TRUE)

    def here() -> None:
        maybe.learn(flat, away, False)
        lower(frame)
        given[:] = [rest()]

    _branch(flat, away, gone, here, span, ())
    return given[0] if given else None


def unless(flat: Context, flag: Value, rest: Body, span: Span) -> None:
    """Run a body if a flag is down; if it is up, nothing changes."""
    otherwise(flat, flag, lambda: flat.perform(rest), span)


def otherwise(flat: Context, flag: Value, run: Callable[[], None], span: Span) -> None:
    """Run a function if a flag is down."""

    def here() -> None:
        lower(flat.frame)
        run()

    _branch(flat, flag, lambda: None, here, span, ())


def where(flat: Context, test: Value, run: Callable[[], None], span: Span) -> None:
    """Run a function if a test holds."""
    if isinstance(test, Literal):
        if test.value:
            run()
        return
    _branch(flat, test, run, lambda: None, span, ())


def either(
    flat: Context,
    test: Value,
    then: Callable[[], None],
    orelse: Callable[[], None],
    span: Span,
) -> None:
    """Run one function or the other."""
    if isinstance(test, Literal):
        (then if test.value else orelse)()
    elif test is not Special.REFUSED:
        _branch(flat, test, then, orelse, span, ())


def _branch(
    flat: Context,
    test: Value,
    then: Callable[[], None],
    orelse: Callable[[], None],
    span: Span,
    notes: tuple[str, ...],
) -> None:
    first = run_apart(flat, then)
    if isinstance(test, Draft) and first.only_fails:
        holds: Value | None = turned(flat, test)
        if not isinstance(holds, Draft):
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
    second = run_apart(flat, orelse)
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
    join(flat, test, first, second, span, notes)


def turned(flat: Context, test: Number) -> Value | None:
    """The operand of a test that has just been made by `not`; else None."""
    match flat.statements:
        case [*_, DraftApply(op=op, args=[of], out=out)] if out is test:
            return of if op.name == "not" else None
    return None


def _guard(flat: Context, way: Way, holds: Draft, notes: tuple[str, ...]) -> None:
    """Add the check of an arm that only fails, and the lengths in its message."""
    *lengths, check = way.body
    assert isinstance(check, DraftCheck)
    for statement in lengths:
        flat.add(statement)
    flat.add(check.where(holds, notes))


def _taken(flat: Context, way: Way) -> None:
    """Add the statements of an arm here, and its bindings."""
    for statement in way.body:
        flat.add(statement)
    bound(flat, way)


def bound(flat: Context, way: Way) -> None:
    """Give names, arrays and fields the values at the end of an arm."""
    ends = (
        (flat.frame, way.after),
        (flat.heap, way.heap),
        (flat.heap.fields, way.fields),
    )
    for scope, after in ends:
        for name, value in after.items():
            if value is not None:
                scope.bind(name, value)
    flat.heap.join(way.held)


def result(flat: Context, frame: Frame, name: str, span: Span) -> Value | None:
    """The result of a function; None if it never returns. A function without a `name`
    is a search of `in_python`.
    """
    away = frame.names.get(AWAY)
    if away is None or (name and away == FALSE):  # a loop may have set it back
        return None
    value = frame.names.get(RESULT, Special.UNUSED)
    value = made_at(value, span)
    if value is Special.UNUSED:
        message = f"{name!r} only raises"
        help_ = "return a value where the arguments are good"
        if not name:
            message = "what is looked for here is never there"
            help_ = "test for it before: `if k in d:`"
        return flat.refuse("AD105", message, span, help_)
    if away == TRUE or value in (Special.NONE, Special.REFUSED):
        return value
    if away is Special.REFUSED or frame.hazy:
        return Special.REFUSED
    message = f"{name!r} may come to its end without `return`"
    return flat.refuse("AD105", message, span, "end it with `return` and a value")
