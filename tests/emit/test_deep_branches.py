"""Chains of `elif` may be as long as they like: no pass recurses over them."""

from __future__ import annotations

import sys

from ad_transform.elementals import TABLE
from ad_transform.emit.python.expressions import text_atom, value_atom
from ad_transform.emit.schedule.adoption import adopted
from ad_transform.emit.schedule.lines import Bind, Break, If, Update, walk
from ad_transform.emit.schedule.recording import recorded_behind
from ad_transform.ir.adding import Sums
from ad_transform.ir.nodes import Apply, Block, Branch, Literal, Scan, Var
from ad_transform.ir.types import FLOAT, INT

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
    assert recorded_behind(lines, None, {Var(FLOAT)}) == lines  # type: ignore[arg-type]


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


def test_sums_are_seen_through_a_chain():
    block = _adding(DEPTH)
    body = Block((Var(INT), *block.params), block.body, block.results)
    bounds = Literal(0), Literal(3), Literal(1)
    loop = Scan((Var(FLOAT),), *bounds, (Literal(0.0),), (), (), body)
    assert Sums().are_all(loop)
    assert Sums().is_sum(loop, 0)
