"""The cost of a run: operations, and moves of lists and loops.

Prices of orders count operations alone. Here programs with lists and loops are compared
with those that are written out.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from ad_transform.ir.count import trips
from ad_transform.ir.nodes import Apply, Block, Bundle, Operand, Scan, Solve, While
from ad_transform.ir.price import NOMINAL


def running(bundle: Bundle, weights: Mapping[str, int]) -> int:
    """The cost of a call, at nominal trips of loops: operations by their weights, all
    else by the values that it moves.
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
