"""Lists of rows that are stored into parts of a matrix, or added there, where a run may
find no row: `A[e:, :k] += np.array(rows or 0.0)`.

An array of no rows has no columns and does not fit, and a number fits everywhere.
"""

from __future__ import annotations

from collections import Counter

from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.inner import each_block
from ad_transform.ir.nodes import Apply, Block, Bundle, Function, Operand, Statement
from ad_transform.ir.typing import BLOCKS, CUTS

# fmt: off
_CHANGES = frozenset(
    f"{way}_{form}"
    for way in ("put", "gained", "lost")
    for form in (
        *(f"cut_{rows}" for rows in CUTS),
        *(f"block_{rows}_{columns}" for rows, columns in BLOCKS
          if "at" not in (rows, columns)),
    )
)
# fmt: on


def with_rows_or_none(bundle: Bundle) -> Bundle:
    """The bundle with numbers for lists without rows that parts of matrices get.
    Linear.
    """
    *before, main = map(_function, bundle.functions)
    if all(a is b for a, b in zip((*before, main), bundle.functions, strict=True)):
        return bundle
    return Bundle(main, tuple(before))


def _function(function: Function) -> Function:
    return function if function.outside is not None else each_block(function, _block)


def _block(block: Block) -> Block:
    if not block.operations.get("of_rows"):
        return block
    uses = Counter(v for s in block.body for v in s.inputs)
    uses.update(block.results)
    made = {s.out: s for s in block.operations["of_rows"] if _may_be_none(s)}
    changed: set[Operand] = set()
    for one in block.body:
        if isinstance(one, Apply) and one.op.name in _CHANGES:
            value = one.args[1]
            if value in made and uses[value] == 1:
                changed.add(value)
    body = tuple(_or_none(s) if changed & {*s.outs} else s for s in block.body)
    return Block(block.params, body, block.results) if changed else block


def _may_be_none(made: Apply) -> bool:
    """Whether only a run knows how many rows a list has."""
    return not isinstance(made.out.type.shape[0], int)


def _or_none(made: Statement) -> Statement:
    assert isinstance(made, Apply)
    return Apply(made.out, TABLE["of_any_rows"], made.args)
