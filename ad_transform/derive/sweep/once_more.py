"""Trips that are run once more on the way back, rather than recorded.

A loop inside of another records more than fits into fast memory: there a value that is
recorded takes as long as six operations. So `dx = x[j] - x[i]` and values made of it
are made again from `x`, and a trip of which ten values would be recorded records its
carries, if the rest is quickly made of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.derive.sweep.cut import Split, split
from ad_transform.derive.sweep.fewest import Ways, read_by
from ad_transform.derive.sweep.recomputed import made_in_a_trip
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import Apply, Branch, Operand, Statement, Var, walk
from ad_transform.ir.types import BOOL

VALUE = 6
"""Operations that take as long as a value that is recorded, and read again."""

RECORD = 1
"""The same for the record of a trip, in addition to its values."""

TUPLE = 2
"""The same for a tuple of several values."""

TESTS = 2
"""The same for all the tests of a trip: which arms it took is one small number."""

CALL, ROOT, ELEMENT = 6, 4, 2
"""The same for a function of the library, a root or a power, an element of a list."""


def once_more(
    ways: Ways,
    results: Sequence[Operand],
    late: Sequence[Operand],
    free: Sequence[Operand],
    carries: Sequence[Var],
    recorded: Split,
) -> Split:
    """The division of a trip that takes the least time: `recorded`, or one whose way
    back makes values again from `free` ones, or from these and the numbers that the
    trip `carries`.
    """
    forth, back = ways
    read = {o for s in back for o in s.inputs}.union(results)
    ways = live(tuple(forth), tuple(read)), back
    best, least = recorded, _time(recorded)
    numbers = tuple(v for v in carries if not v.type.is_array)
    for known in (free, (*free, *numbers)):
        part = _again(ways, results, late, free, known)
        time = _time(part)
        if time < least or (time == least and not part.saved):
            best, least = part, time
    return best


def _again(
    ways: Ways,
    results: Sequence[Operand],
    late: Sequence[Operand],
    free: Sequence[Operand],
    known: Sequence[Operand],
) -> Split:
    """The division by which all values that `known` ones give are made again."""
    forth, back = ways
    made = made_in_a_trip([s for s in forth if _is_short(s)], known)
    there = (*known, *(out for s in made for out in s.outs))
    part = split(back, results, late, there)
    again = (*read_by(part.late, results, made), *part.late)
    read = {o for s in again for o in s.inputs}.union(results)
    carried = (v for v in known if v in read and v not in free and isinstance(v, Var))
    return Split(part.early, tuple(dict.fromkeys((*part.saved, *carried))), again)


def _is_short(statement: Statement) -> bool:
    """Whether a statement is an operation on numbers, or a branch over such ones."""
    if not isinstance(statement, Apply | Branch):
        return False
    return all(
        isinstance(s, Branch) or (isinstance(s, Apply) and not s.op.consumes)
        for s in walk((statement,))
    ) and not any(out.type.is_array for out in statement.outs)


def _time(part: Split) -> int:
    """The time of a division, as a number of operations."""
    values = [v for v in part.saved if v.type != BOOL]
    records = VALUE * len(values)
    records += RECORD if part.saved else 0
    records += TUPLE if len(part.saved) > 1 else 0
    records += TESTS if len(values) < len(part.saved) else 0
    return records + sum(map(_operations, (*part.early, *part.late)))


def _operations(statement: Statement) -> int:
    """The number of operations of a statement; of a branch those of the longest arm."""
    if isinstance(statement, Apply):
        name, classes = statement.op.name, statement.op.classes
        if name == "sqrt" or "pow" in classes:
            return ROOT
        if "call" in classes:
            return CALL
        return ELEMENT if name == "get" else 1
    return 1 + max((_all(block.body) for block in statement.blocks), default=0)


def _all(body: Iterable[Statement]) -> int:
    return sum(map(_operations, body))
