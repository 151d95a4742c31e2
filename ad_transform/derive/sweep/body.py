"""Bodies of inner blocks, made ready for a sweep."""

from __future__ import annotations

from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Block, Operand


def merged(block: Block) -> Block:
    """The block with equal operations done once; every operation keeps its bits."""
    builder = Builder(TABLE, {})
    env: dict[Operand, Operand] = {}
    for statement in block.body:
        taken = statement.over(env)
        if isinstance(taken, Apply):
            env[taken.out] = builder.adopt(taken)
        else:
            builder.body.append(taken)
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, tuple(builder.body), results)
