"""What blocks know of their statements is what one finds by looking at each."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from structured import programs

from ad_transform.ir.nodes import (
    Apply,
    Block,
    Call,
    Function,
    Scan,
    Statement,
    Var,
    While,
    calls_inside,
    checks,
    checks_inside,
    found_inside,
    has_checks,
    is_check,
    is_whole,
    sought,
    walk,
)


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
        operations = [s for s in body if isinstance(s, Apply)]
        assert {n: [*found] for n, found in block.operations.items()} == {
            name: [s for s in operations if s.op.name == name]
            for name in {s.op.name for s in operations}
        }
        assert {v: [*places] for v, places in block.readers.items()} == {
            value: sorted(read_at(block, value))
            for value in {o for s in body for o in s.inputs} | {*block.results}
            if isinstance(value, Var)
        }
        every = [*walk(body)]
        assert block.all_kinds == {type(s) for s in every}
        assert block.all_operations == {
            s.op.name for s in every if isinstance(s, Apply)
        }
        assert block.every == tuple(blocks(block))
        holding = [b for b in block.every if b.holders]
        assert {*holding, block} <= {*block.every_holding} <= {*block.every}
        for value in {o for s in body for o in (*s.outs, *s.inputs)}:
            assert block.times_read[value] == times(block, value)
        assert block.unread[1] == {
            k for k, param in enumerate(block.params) if not times(block, param)
        }
        assert block.unread[0] != all(is_made_for_something(block, s) for s in body)


def read_at(block: Block, value: Var) -> Iterator[int]:
    """The places at which a value is read, the last for the results."""
    yield from (k for k, s in enumerate(block.body) if value in s.inputs)
    if value in block.results:
        yield len(block.body)


def is_made_for_something(block: Block, statement: Statement) -> bool:
    """Whether a check is made, or something is read: all where there are blocks."""
    outs = sought(statement)
    read = [times(block, out) > 0 for out in outs]
    if statement.blocks:
        return bool(statement.outs) and all(read)
    return checks(statement) or any(read)


@given(programs() | programs(arrays=2))
def test_statements_know_what_is_inside(function: Function) -> None:
    for statement in walk(function.body):
        if not statement.blocks:
            continue
        found_inside(statement, "is_whole", "has_checks")
        inner = [*walk((statement,))]
        assert has_checks(statement) == any(map(is_check, inner))
        assert checks_inside(statement) == any(map(checks, inner[1:]))
        assert calls_inside(statement) == any(isinstance(s, Call) for s in inner)
        holders = [s for s in inner if s.blocks]
        assert is_whole(statement) == all(map(hands_in_what_is_read, holders))


def hands_in_what_is_read(statement: Statement) -> bool:
    """Whether a statement with results has nothing in its own blocks that is not read,
    apart from the index and the carries of a loop, which read one another.
    """
    idle = set.intersection(*(set(block.unread[1]) for block in statement.blocks))
    if isinstance(statement, Scan):
        idle -= set(range(1 + len(statement.carries)))
    if isinstance(statement, While):
        idle -= set(range(len(statement.carries)))
    is_read = not any(block.unread[0] for block in statement.blocks)
    return bool(statement.outs) and is_read and not idle
