"""The length of lists that have grown: behind `y = [a]` and a loop that appends an
element in each of its n trips, `len(y)` is n + 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.ir.dims import ANY, plus
from ad_transform.read.arrays import extents
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import Carry, DraftLoop
from ad_transform.read.rows import row_lengths
from ad_transform.read.values.values import Draft, Number

_MORE = {"set": 0, "append": 1, "pop": -1}
"""The number of elements that an operation adds to a list."""


def note_change(flat: Context, op: str, args: Sequence[Number], made: Draft) -> None:
    """Note the length of a list that an operation has changed."""
    before, long = args[0], flat.heap.long
    if isinstance(before, Draft) and before in long and op in _MORE:
        long[made] = plus(long[before], _MORE[op])


def note_choice(flat: Context, one: Draft, other: Draft, out: Draft) -> None:
    """Note the length of a list that is one of two of the same length."""
    long = flat.heap.long
    if one in long and long[one] == long.get(other):
        long[out] = long[one]


def note_growth(flat: Context, loop: DraftLoop, carry: Carry) -> None:
    """Note the length of a list that every trip of a loop has lengthened alike."""
    heap, start = flat.heap, carry.start
    if not isinstance(start, Draft) or carry.out in heap.long:
        return
    grown = row_lengths.growth(carry.out, [loop])
    if grown is None or not grown.terms:
        return
    total = heap.long.get(start, start.type.dims[0])
    if total == ANY:
        return
    for term in grown.terms:
        total = plus(total, extents.dim_of(flat, term, loop.span))
    heap.long[carry.out] = total
