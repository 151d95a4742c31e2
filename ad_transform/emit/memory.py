"""Sentences of a docstring on the values that loops hold for the way back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from ad_transform.ir.loops.ends import without_ends
from ad_transform.ir.nodes import Function, Scan, While
from ad_transform.ir.types import Type
from ad_transform.later import later

with later():
    from ad_transform.emit.schedule.arm_records import with_arm_records


def sentences(function: Function, has_tuples: bool) -> Iterator[str]:
    """Sentences on the values that a function holds of its loops, and on trips that run
    again. Arms may record less than others: each records its own, in a list of tuples
    if the target has such.
    """
    written = without_ends(function)
    loops = [s for s in written.nested if isinstance(s, Scan | While) and s.stacks]
    held = [loop for loop in loops if loop.snapshots and loop.snapshots.step]
    records = [len(loop.stacks) for loop in loops if loop not in held]
    if records:
        most = max(records)
        in_arms = with_arm_records(function, has_tuples)
        varies = min(records) < most or in_arms is not function
        number = f"up to {most}" if varies else str(most)
        many = f"loops hold {number}" if len(records) > 1 else f"loop holds {number}"
        stacks = chain.from_iterable(s.stacks for s in loops if s not in held)
        words = _called((stack.type.entry for stack in stacks), most)
        yield f"Its {many} {words} for each trip."
    yield from dict.fromkeys(_of(loop, loop in written.body) for loop in held)


def _called(entries: Iterable[Type], most: int) -> str:
    """The word for so many entries: lists, such as copies of states, or values."""
    are_lists = {bool(entry.dims) for entry in entries}
    words = [word for word in ("value", "list") if (word == "list") in are_lists]
    return " or ".join(f"{word}{'s' * (most > 1)}" for word in words)


def _of(loop: Scan | While, outermost: bool) -> str:
    """Griewank & Walther 2000: comb(k + r, k) trips with k states, r times each.

    A `while` holds states before its trips are known, an inner loop runs once more.
    """
    most = loop.snapshots.most if loop.snapshots else 0
    times = "r" if outermost and isinstance(loop, Scan) else "r + 1"
    states = f"{most} state{'s' * (most > 1)}"
    return (
        f"A loop holds {states}: up to comb({most} + r, {most}) trips, none runs "
        f"forward more than {times} times."
    )
