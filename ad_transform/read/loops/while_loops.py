"""`while`: a loop that goes on as long as its test holds."""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.read.branches import choices
from ad_transform.read.branches.flags import RESULT, TRUE
from ad_transform.read.code import Body, Fork, Push, Repeat, Skip
from ad_transform.read.compiling.exits import bound_in, fork, in_order, returns, skips
from ad_transform.read.loops import (
    long_loops,
    loop_ends,
    unrolling,
)
from ad_transform.read.loops.loops import Loop, continued, settled
from ad_transform.read.loops.trip_ends import Types
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftStatement
from ad_transform.read.machine.snapshots import say_again
from ad_transform.read.values.values import Special, Value


def repeat(flat: Context, made: Repeat) -> None:
    """`while test: ... else: ...`."""
    first = _first_test(flat, made)
    if first.changes and not skips(made.orelse):
        made = _tested_inside(made)
    surely = first.changes or first.value == TRUE
    if not surely or made.snapshots or made.solving:
        _kept(flat, made, surely)
        return
    long_loops.or_written_out(
        flat,
        lambda: _kept(flat, made, surely),
        lambda: unrolling.repeated(flat, made, long_loops.TRIES),
    )


def _kept(flat: Context, made: Repeat, surely: bool) -> None:
    known: list[Value] = []
    refused: list[bool] = []

    def attempt(types: Types) -> Loop:
        loop = Loop(flat, flat.frame, made.binds, types, made.span)
        tests: list[tuple[list[DraftStatement], Value]] = []

        def test() -> Value:
            return choices.truth(flat, flat.run(made.test), "`while`", made.span)

        def trip() -> None:
            tests.append(choices.unchanging(flat, test, _TEST, made.span))
            flat.perform(made.body)

        loop.draft.snapshots = made.snapshots
        loop.say(made)
        loop.run(trip)
        known.append(tests[0][1])
        refused.append(flat.module.report.has_error)
        loop.surely = surely
        continued(loop, tests[0], made.span)
        return loop

    loop = settled(flat, attempt)
    if known[-1] == TRUE and loop.last is None:
        if not refused[-1]:  # else the refused part may be the way out
            help_ = "leave it with `break` or `return`"
            flat.refuse("AD101", "the loop never ends", made.span, help_)
        flat.frame.bind(RESULT, Special.REFUSED)
    loop_ends.go_on(flat, loop, made, endless=known[-1] == TRUE)


_TEST = (
    "an array is changed in the test of a `while`",
    "write `while True:`, and `break` in an `if` where the test fails",
)


def _tested_inside(made: Repeat) -> Repeat:
    """A loop whose test is a part of its body: `while True`, and a `break` where the
    test fails.
    """
    span = made.span
    stops = in_order([made.orelse, (Skip(True, span),)])
    test = (*made.test, fork(Fork((), (), span), (), stops))
    body = in_order([test, made.body])
    binds = tuple(dict.fromkeys(bound_in(body)))
    always: Body = (Push(TRUE),)
    return replace(
        made, test=always, body=body, orelse=(), binds=binds, returns=returns(body)
    )


def _first_test(flat: Context, made: Repeat) -> choices.LazyWay:
    """The test of a loop when it is first asked: whether it is known that a `while`
    makes a trip, `k = 0`, `while k < 9`, and whether the test changes lists.
    """
    saved = flat.snapshot()
    with flat.module.shared.apart() as report:
        found = choices.lazy_way(
            flat,
            lambda: choices.truth(flat, flat.run(made.test), "`while`", made.span),
            made.span,
        )
    flat.restore(saved)
    if report.has_error:
        say_again(flat)
    return found
