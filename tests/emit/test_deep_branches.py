"""Chains of `elif` may be as long as they like: no pass recurses over them."""

from __future__ import annotations

import sys

from ad_transform.elementals import TABLE
from ad_transform.emit.python.expressions import text_atom, value_atom
from ad_transform.emit.schedule.adoption import adopted
from ad_transform.emit.schedule.arm_lists import Keep, TakeBack
from ad_transform.emit.schedule.arm_records import Back, Forth
from ad_transform.emit.schedule.lines import Bind, Break, If, Update, walk
from ad_transform.emit.schedule.recording import recorded_behind
from ad_transform.ir.arms.computed_once import computed_once
from ad_transform.ir.arms.threaded import without_known_checks
from ad_transform.ir.blocks.adding import Sums
from ad_transform.ir.blocks.live import live
from ad_transform.ir.loops.divided import divisions
from ad_transform.ir.loops.same_values import Values
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Parameter,
    Scan,
    Var,
)
from ad_transform.ir.nodes import walk as walk_statements
from ad_transform.ir.trampoline import bounce
from ad_transform.ir.types import BOOL, FLOAT, INT

DEPTH = 2 * sys.getrecursionlimit()


def test_what_a_chain_gives_a_carry_is_bound_to_it():
    name, value = Var(FLOAT, "x"), Var(FLOAT, "x")
    line: If | Bind = Bind(value, text_atom("1.0"))
    for _ in range(DEPTH):
        line = If(text_atom("c"), [Bind(value, text_atom("2.0"))], [line])
    lines = [line, Update((name,), (value_atom(value, 1, False),))]
    (chain,) = adopted(lines, lambda _: 1)
    found = [each for each in walk([chain]) if isinstance(each, Update)]
    assert len(found) == DEPTH + 1
    assert all(each.vars == (name,) for each in found)


def test_a_way_out_deep_in_a_chain_is_found():
    line: If | Break = Break()
    for _ in range(DEPTH):
        line = If(text_atom("c"), [], [line])
    lines = [line]
    made = recorded_behind(lines, None, set(), {Var(FLOAT)})  # type: ignore[arg-type]
    assert made == lines


def _adding(depth: int) -> Block:
    """A block that adds to its parameter in so many arms."""
    total = Var(FLOAT)
    out = Var(FLOAT)
    block = Block((total,), (Apply(out, TABLE["add"], (total, Literal(1.0))),), (out,))
    for _ in range(depth):
        given, other, made = Var(FLOAT), Var(FLOAT), Var(FLOAT)
        beside = Block((other,), (), (other,))
        branch = Branch((made,), Literal(True), (given,), beside, block)
        block = Block((given,), (branch,), (made,))
    return block


def test_what_stands_in_front_of_a_chain_is_not_computed_in_it():
    block, x, own = _adding(DEPTH), Var(FLOAT, "x"), Var(FLOAT)
    (chain,) = block.body
    body = (
        Apply(own, TABLE["add"], (x, Literal(1.0))),
        chain.over({block.params[0]: x}),
    )
    inner = Block((x,), body, (own, *chain.outs))
    made = computed_once(Function("f", (Parameter("x", (x,)),), inner, LEAF, 1))
    (_, branch) = made.body
    assert own in branch.args
    assert sum(isinstance(s, Apply) for s in walk_statements(made.body)) == 1


def test_checks_that_hold_are_found_deep_in_a_chain():
    test = Var(BOOL)
    block = Block((test,), (Check(test, ("wrong",)),), ())
    for _ in range(DEPTH):
        given, other = Var(BOOL), Var(BOOL)
        beside = Block((other,), (), ())
        block = Block((given,), (Branch((), given, (given,), block, beside),), ())
    made = without_known_checks(block, (Literal(True),))
    assert any(isinstance(s, Check) for s in walk_statements(block.body))
    assert not any(isinstance(s, Check) for s in walk_statements(made.body))


def test_what_nobody_needs_is_gone_beside_a_check_deep_in_a_chain():
    test = Var(BOOL)
    idle = Apply(Var(BOOL), TABLE["not"], (test,))
    block = Block((test,), (idle, Check(test, ("wrong",))), ())
    for _ in range(DEPTH):
        given, other = Var(BOOL), Var(BOOL)
        beside = Block((other,), (), ())
        block = Block((given,), (Branch((), given, (given,), block, beside),), ())
    left = [type(s) for s in walk_statements(live(block.body, ()))]
    assert left == [Branch] * DEPTH + [Check]


def test_sums_are_seen_through_a_chain():
    block = _adding(DEPTH)
    body = Block((Var(INT), *block.params), block.body, block.results)
    bounds = Literal(0), Literal(3), Literal(1)
    loop = Scan((Var(FLOAT),), *bounds, (Literal(0.0),), (), (), body)
    assert Sums().are_all(loop)
    assert Sums().is_sum(loop, 0)


def _given_deep() -> tuple[Block, Block]:
    """A block that gives what the last arm computes, and one that reads it there."""
    value, read, back = Var(FLOAT), Var(FLOAT), Var(FLOAT)
    add, zero = TABLE["add"], Literal(0.0)
    first = Block((), (Apply(value, add, (Literal(1.0), Literal(2.0))),), (value,))
    second = Block((read,), (Apply(back, add, (read, Literal(1.0))),), (back,))
    for _ in range(DEPTH):
        made, given, sent, unread = (Var(FLOAT) for _ in range(4))
        beside = Block((), (), (zero,)), Block((unread,), (), (zero,))
        branch = Branch((made,), Literal(True), (), beside[0], first)
        first = Block((), (branch,), (made,))
        branch = Branch((sent,), Literal(True), (given,), beside[1], second)
        second = Block((given,), (branch,), (sent,))
    return first, second


def test_what_the_last_arm_of_a_chain_records_is_recorded_there():
    first, second = _given_deep()
    sides = (first, Values.of(first, {})), (second, Values.of(second, {}))
    values = [(first.results[0], second.params[0])]
    found = bounce(divisions(*sides, values))
    forth = Forth([])
    for one in found:
        bounce(forth.enter(one))
    made = bounce(forth.block(first, found))
    back = bounce(Back(forth.lists).block(second, found))
    all_forth: list[object] = [*walk_statements(made.body)]
    all_back: list[object] = [*walk_statements(back.body)]
    kept = [s.held for s in all_forth if isinstance(s, Keep)]
    taken = [s.held for s in all_back if isinstance(s, TakeBack)]
    assert kept == taken
    assert len(kept) == len(forth.started) == 1
    assert back.body[0].inputs == (Literal(True),)
