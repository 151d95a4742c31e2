"""Blocks where some of their tests are known.

Where `left = b if a else False` holds, `a` and `b` do, and where `a or b` does not,
neither does. In place of a branch on what is known stands the arm that is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

from ad_transform.ir.blocks.blocks import alike_in_both
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Statement,
    Substitution,
    Var,
)
from ad_transform.ir.types import BOOL


@lru_cache(maxsize=1 << 12)  # arms are asked again for each of those around them
def tests_where(block: Block, value: Operand, holds: bool) -> Mapping[Operand, Literal]:
    """The tests of a block that follow from one of its values, a known test."""
    return facts({out: s for s in block.body for out in s.outs}, value, holds)


_TRUTH = (Literal(False), Literal(True))


def facts(
    makers: Mapping[Operand, Statement], value: Operand, holds: bool
) -> Mapping[Operand, Literal]:
    """The tests that follow from a known one, with their values. `makers` has the
    statements that made them.
    """
    found: dict[Operand, Literal] = {}
    waiting = [(value, holds)]
    while waiting:
        one, holds = waiting.pop()
        if not isinstance(one, Var) or one.type != BOOL or one in found:
            continue  # `not x` of a number tells nothing of it
        found[one] = _TRUTH[holds]
        match makers.get(one):
            case Apply(op=op, args=args) if op.name == "not":
                waiting.append((args[0], not holds))
            case Apply(op=op, args=args) if op.name == ("both" if holds else "either"):
                waiting += [(arg, holds) for arg in args]
            case Branch() as branch:
                waiting += _known_of(branch, branch.outs.index(one), holds)
    return found


def _known_of(branch: Branch, place: int, holds: bool) -> list[tuple[Operand, bool]]:
    """The tests around a branch, and results of it, that follow from a known result."""
    other = Literal(not holds)
    then, orelse = (block.results[place] == other for block in branch.blocks)
    if then == orelse:
        return []
    arm = branch.then if orelse else branch.orelse
    inside = tests_where(arm, arm.results[place], holds)
    given = zip((*arm.params, *arm.results), (*branch.args, *branch.outs), strict=True)
    known = ((outer, inside.get(inner, inner)) for inner, outer in given)
    told = [
        (outer, literal.value)
        for outer, literal in known
        if isinstance(literal, Literal) and isinstance(literal.value, bool)
    ]
    return [(branch.test, orelse), *told]


def taken(block: Block, known: Mapping[Operand, Operand]) -> Block:
    """The block where tests are known: in place of a branch stands the arm taken."""
    env: Substitution = dict(known)
    body = tuple(_placed(block.body, env))
    results = tuple(env.get(result, result) for result in block.results)
    return Block(block.params, body, results)


def _placed(body: Sequence[Statement], env: Substitution) -> list[Statement]:
    found: list[Statement] = []
    for statement in body:
        made = statement.over(env)
        if not isinstance(made, Branch):
            found.append(made)
        elif isinstance(made.test, Literal):
            arm = made.then if made.test.value else made.orelse
            env.update(zip(arm.params, made.args, strict=True))
            found += _placed(arm.body, env)
            ends = (env.get(result, result) for result in arm.results)
            env.update(zip(made.outs, tuple(ends), strict=True))
        else:
            made = made.map_blocks(partial(_given, args=made.args))
            env.update(alike_in_both(made))
            found.append(made)
    return found


def _given(arm: Block, args: Sequence[Operand]) -> Block:
    """An arm, its tests decided by the literals among its arguments."""
    pairs = zip(arm.params, args, strict=True)
    known: Substitution = {
        param: arg for param, arg in pairs if isinstance(arg, Literal)
    }
    return taken(arm, known) if known else arm
