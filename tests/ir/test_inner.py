"""Changes from the innermost blocks outwards leave what does not change as it is."""

from __future__ import annotations

from dataclasses import replace

from programs import program

from ad_transform.ir.blocks.inner import changed_inside, each_block
from ad_transform.ir.nodes import Block
from ad_transform.ir.trampoline import Task, bounce

FUNCTION = program(
    """\
function f primal 1 nest .
parameter x (%0: float)
  %1: bool = gt(%0, 1.0)
  %2: float = branch %1 (%0)
  then (%3: float)
    %4: float = mul(%3, %3)
    give %4
  else (%5: float)
    give %5
  give %2
"""
)


def as_it_is(block: Block) -> Task[Block]:
    yield from ()
    return block


def another(block: Block) -> Task[Block]:
    yield from ()
    return replace(block)


def test_statements_that_do_not_change_are_the_same_sequence() -> None:
    body = FUNCTION.body
    assert bounce(changed_inside(FUNCTION.block, as_it_is)) is body
    assert bounce(changed_inside(FUNCTION.block, another, leaves=False)) is body
    assert each_block(FUNCTION, lambda block: block) is FUNCTION


def test_blocks_are_seen_in_order_and_one_that_changes_alone_is_another() -> None:
    branch = FUNCTION.body[1]
    seen: list[Block] = []

    def change(block: Block) -> Block:
        seen.append(block)
        same = block is not branch.blocks[0]
        return block if same else replace(block)

    made = each_block(FUNCTION, change)
    assert seen == [FUNCTION.block, *branch.blocks]
    then, orelse = made.body[1].blocks
    assert then is not branch.blocks[0]
    assert orelse is branch.blocks[1]


def test_blocks_that_hold_none_are_left_alone_where_they_cannot_change() -> None:
    seen: list[Block] = []

    def change(block: Block) -> Block:
        seen.append(block)
        return replace(block)

    made = each_block(FUNCTION, change, leaves=False)
    assert seen == [FUNCTION.block]
    assert made.body[1] is FUNCTION.body[1]


def test_a_changed_block_is_in_a_sequence_of_its_own() -> None:
    body = FUNCTION.body
    test, branch = bounce(changed_inside(FUNCTION.block, another))
    assert test is body[0]
    assert branch is not body[1] is FUNCTION.body[1]
    assert (branch.outs, branch.inputs) == (body[1].outs, body[1].inputs)
