"""Small loops of known trips over known arrays, written out before they are
differentiated.

What is written out is one straight run, whose orders are searched as a whole: it has no
lists of tangents, a column each, and no records. It is taken where it runs for less,
lists and loops counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from ad_transform.derive.linearise import is_zero
from ad_transform.elementals import TABLE
from ad_transform.ir.count import trips
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Bundle,
    Function,
    Operand,
    Scan,
    Solve,
    While,
    walk,
)
from ad_transform.ir.price import NOMINAL
from ad_transform.ir.written_out import written_out
from ad_transform.ir.written_values import Unwritten


def unrolled(function: Function, most: int) -> Function | None:
    """The function without its lists and the loops around them, where all sizes are
    known; None where there is no list, or more than `most` statements are gone through.

    Loops stay where all carry numbers only, for they have short derivatives, and where
    a mark says how many of their states are held.
    """
    every = walk(function.body)
    if not any(out.type.dims for s in every for out in s.outs):
        return None
    if any(isinstance(s, Scan | While) and s.snapshots for s in every):
        return None
    try:
        return written_out(function, TABLE, most)
    except Unwritten:
        return None


def is_short(derivative: Function, most: int) -> bool:
    """Whether the derivative of what was written out is no longer than twice that."""
    entries = sum(1 for result in derivative.results if not is_zero(result))
    return len(derivative.body) + entries <= 2 * most


def running(bundle: Bundle, weights: Mapping[str, int]) -> int:
    """What a call costs: operations by their weights, everything else by what it moves,
    at nominal trips of loops.
    """
    return sum(_of_block(one.block, weights) for one in bundle.functions)


def _of_block(block: Block, weights: Mapping[str, int]) -> int:
    total = 0
    waiting = [(block, 1)]
    while waiting:
        own, times = waiting.pop()
        for statement in own.body:
            if isinstance(statement, Apply):
                total += times * _of_operation(statement, weights)
                continue
            inner = times
            if isinstance(statement, Scan | While):
                known = trips(statement)
                inner *= known if isinstance(known, int) else NOMINAL
                total += inner * (1 + len(statement.stacks))
            blocks = statement.blocks
            if isinstance(statement, Solve):
                blocks = blocks[:1]  # the residual is never run
            waiting += ((inside, inner) for inside in blocks)
    return total


def _of_operation(statement: Apply, weights: Mapping[str, int]) -> int:
    op, made = statement.op, _elements(statement.out)
    if op.layout is None or op.name in _READ:
        return sum(weights[kind] for kind in op.classes)
    return made if op.name in _MADE else 1


def _elements(value: Operand) -> int:
    return prod(d if isinstance(d, int) else NOMINAL for d in value.type.dims)


_READ = frozenset({"get", "size"})

_MADE = frozenset({"full", "grid", "block", "like", "rows_like", "copy", "copy_rows"})
