"""Bodies of inner blocks, made ready for a sweep."""

from __future__ import annotations

from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Block


def merged(block: Block) -> Block:
    """The block with equal operations done once; every operation keeps its bits."""
    builder = Builder(TABLE, {})
    results = builder.absorb(block.body, block.results)
    return Block(block.params, tuple(builder.body), results)
