"""The readers of an array, and how often each runs: arrays that are computed where they
are read.
"""

from __future__ import annotations

from collections import Counter

from ad_transform.elementals.whole import BY_ELEMENT
from ad_transform.emit.wholes.arrays import is_spread
from ad_transform.ir import dims
from ad_transform.ir.nodes import Apply, Block, Operand

AGAIN = frozenset(
    {
        "mat_vec", "vec_mat", "mat_mat", "outer", "cross", "convolved", "correlated",
        "diagonal_matrix",
    }
)  # fmt: skip
"""Operations that read elements more than once."""


def readers(block: Block) -> tuple[Counter[Operand], set[Operand]]:
    """The number of statements that read each value, and the values whose elements one
    operation alone reads, once each.
    """
    count: Counter[Operand] = Counter(set(block.results))
    again: set[Operand] = set(block.results)
    for statement in block.body:
        inputs = set(statement.inputs)
        count.update(inputs)
        if not isinstance(statement, Apply) or statement.op.name in AGAIN:
            again |= inputs
        elif statement.op.name in BY_ELEMENT:
            shape = statement.out.type.shape
            again.update(v for v in inputs if _is_spread(v, shape))
    return count, {v for v, n in count.items() if n == 1 and v not in again}


def _is_spread(value: Operand, shape: dims.Dims) -> bool:
    return is_spread(value.type.shape, shape)
