"""Long loops, and whether they stay loops.

A short loop is unrolled. A long one stays a loop if values that it reads by index have
tables; whether they have is seen by trying, and a failed attempt is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ad_transform.read.code import Attempt, Body, Each, Fork, Repeat
from ad_transform.read.compiling.exits import ways_of
from ad_transform.read.containers import sequences
from ad_transform.read.containers.sequences import Unkept, Unmade
from ad_transform.read.loops.trip_ends import DECIDES
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.snapshots import say_again
from ad_transform.read.values.structured import Group

FEW = 8
"""Trips up to which a short loop is unrolled."""

SHORT = 100
"""Instructions of all its trips up to which a loop is short."""

LONG = 300
"""Instructions of all its trips above which a loop over tables stays one if it can."""

VERY_LONG = 3000
"""The same where it goes over variables: written out, each trip reads its own, and
Jacobians have zeros."""


def is_short(made: Each, trips: int) -> bool:
    """Whether a loop is unrolled: not where its states are to be counted."""
    short = trips <= FEW and trips * _size(made.body) <= SHORT
    return short and not made.snapshots


def is_worth_trying(made: Each, over: Group) -> bool:
    """Whether a loop over these items gains by staying one."""
    very_long = len(over.items) * _size(made.body) > VERY_LONG
    return very_long or sequences.is_table(over)


def attempted(flat: Context, made: Each, trips: int, count: Callable[[], None]) -> bool:
    """Whether a loop that is long stays one, with tables for reads by its index.

    `count` reads it as a loop. If it may not stay one, all that has been done is taken
    back.
    """
    unkept = flat.module.shared.unkept
    length = trips * _size(made.body)
    if made.span in unkept or length <= LONG:
        return False
    saved = flat.snapshot()
    bound = [(scope, dict(scope)) for scope in _scopes(flat)]
    flat.tried.append(length > VERY_LONG)
    try:
        with flat.module.shared.apart() as report:
            count()
    except Unmade:
        is_kept = False
    else:
        said = report.sorted()
        is_kept = not any(one.severity == "error" for one in said)
    finally:
        flat.tried.pop()
    if is_kept:
        flat.module.report.extend(said)
        return True
    unkept.add(made.span)
    if flat.sites:
        raise Unkept
    _back(bound)  # names behind the loop were bound already
    flat.restore(saved)
    say_again(flat)
    return False


TRIES = 16
"""Trips up to which a loop that is refused is written out, if that is not refused."""


def or_written_out(
    flat: Context, stay: Callable[[], None], write_out: Callable[[], None]
) -> None:
    """Let a loop stay one; write it out where a name is of another kind after some
    trips. Where that is refused, too, it is refused as the loop that it is.
    """
    shared = flat.module.shared
    if shared.is_written_out:  # tries inside one another would take too long
        stay()
        return
    saved, changes = flat.snapshot(), len(flat.changes)
    bound = [(scope, dict(scope)) for scope in _scopes(flat)]
    for way, is_last in ((stay, False), (write_out, True)):
        shared.is_written_out = is_last
        try:
            with shared.apart() as report:
                way()
        finally:
            shared.is_written_out = False
        said = report.sorted()
        wrong = [one for one in said if one.severity == "error"]
        decided = any(one.message.endswith(DECIDES) for one in wrong)
        if not wrong or not (decided or is_last):
            flat.module.report.extend(said)
            return
        shared.lost.extend(said)
        _back(bound)
        flat.restore(saved)
        say_again(flat)
        del flat.changes[changes:]
    stay()


def _scopes(flat: Context) -> Iterator[dict[str, Any]]:
    """All scopes that names and arrays are looked up in."""
    yield flat.heap.last
    for frame in (flat.frame, flat.heap, flat.heap.fields):
        yield frame.names
        yield from frame.trail


def _back(bound: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """Restore scopes to their bindings from before. This comes before all else is
    restored, which brings back cells that a promise from before has made since.
    """
    for scope, before in bound:
        scope.clear()
        scope.update(before)


def _size(body: Body) -> int:
    """About how many operations a body has."""
    total = 0
    for i in body:
        total += 1
        if isinstance(i, Fork | Attempt):
            total += sum(map(_size, ways_of(i)))
        elif isinstance(i, Each | Repeat):
            total += SHORT
    return total
