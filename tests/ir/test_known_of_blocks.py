"""What blocks know of their statements is what one finds by looking at each."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from structured import programs

from ad_transform.ir.nodes import Apply, Block, Function, Statement, walk


def statements(block: Block) -> Iterator[Statement]:
    """All of them, those of inner blocks behind the one that holds them."""
    for statement in block.body:
        yield statement
        for inner in statement.blocks:
            yield from statements(inner)


def blocks(block: Block) -> Iterator[Block]:
    yield block
    for statement in block.body:
        for inner in statement.blocks:
            yield from blocks(inner)


def times(block: Block, value: object) -> int:
    read = [o for s in block.body for o in s.inputs]
    return sum(o == value for o in (*read, *block.results))


@given(programs())
def test_blocks_know_what_stands_in_them(function: Function) -> None:
    assert list(walk(function.body)) == list(statements(function.block))
    held = [s for s in walk(function.body) if s.blocks]
    assert list(function.nested) == held
    for block in blocks(function.block):
        body = block.body
        assert block.others == tuple(
            k for k, s in enumerate(body) if not isinstance(s, Apply)
        )
        assert block.holders == tuple(k for k, s in enumerate(body) if s.blocks)
        assert block.kinds == {type(s) for s in body}
        assert block.operations == {s.op.name for s in body if isinstance(s, Apply)}
        for value in {o for s in body for o in (*s.outs, *s.inputs)}:
            assert block.times_read[value] == times(block, value)
