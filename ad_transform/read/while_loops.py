"""`while`: a loop that goes on as long as its test holds."""

from __future__ import annotations

from ad_transform.read import choices, long_loops, loop_ends, unrolling
from ad_transform.read.code import Repeat
from ad_transform.read.context import Context
from ad_transform.read.drafts import DraftStatement
from ad_transform.read.flags import RESULT, TRUE
from ad_transform.read.loops import Loop, continued, settled
from ad_transform.read.snapshots import say_again
from ad_transform.read.trip_ends import Types
from ad_transform.read.values import Special, Value


def repeat(flat: Context, made: Repeat) -> None:
    """`while test: ... else: ...`."""
    surely = _starts(flat, made)
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
        loop.run(trip)
        known.append(tests[0][1])
        refused.append(flat.module.report.has_error)
        loop.surely = surely
        continued(loop, tests[0], made.span)
        return loop

    loop = settled(flat, attempt)
    if known[-1] == TRUE and loop.last is None:
        if not refused[-1]:  # else what would leave it may be what is refused
            help_ = "leave it with `break` or `return`"
            flat.refuse("AD101", "the loop never ends", made.span, help_)
        flat.frame.bind(RESULT, Special.REFUSED)
    loop_ends.go_on(flat, loop, made, endless=known[-1] == TRUE)


_TEST = (
    "an array is changed in the test of a `while`",
    "write `while True:`, and `break` in an `if` where the test fails",
)


def _starts(flat: Context, made: Repeat) -> bool:
    """Whether it is known that a `while` makes a trip: `k = 0`, `while k < 9`."""
    saved = flat.snapshot()
    with flat.module.shared.apart() as report:
        _, holds = choices.unchanging(
            flat,
            lambda: choices.truth(flat, flat.run(made.test), "`while`", made.span),
            _TEST,
            made.span,
        )
    flat.restore(saved)
    if report.has_error:
        say_again(flat)
    return holds == TRUE
