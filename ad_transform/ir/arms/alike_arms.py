"""Arms one behind the other that give the same numbers are one arm.

`0.0 if u > 5.0 else 0.0 if u < -5.0 else u_bar` becomes `0.0 if u > 5.0 or u < -5.0
else u_bar`. Such arms belong to values that are cut off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import another, pruned
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.types import BOOL


def alike_arms(function: Function) -> Function:
    """The function with such arms as one; not those of its value, which are as the user
    has them. Linear.
    """
    if not any(isinstance(s, Branch) for s in function.nested):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _changed(block, sacred), leaves=False)


def _changed(block: Block, sacred: Set[Operand]) -> Block:
    if Branch not in block.kinds:
        return block
    body: list[Statement] = []
    for statement in block.body:
        made: tuple[Statement, ...] = (statement,)
        while isinstance(made[-1], Branch) and sacred.isdisjoint(made[-1].outs):
            joined = _joined(made[-1])
            if joined is None:
                break
            made = (*made[:-1], *joined)
        body += made
    return with_body(block, body)


def _joined(branch: Branch) -> tuple[Branch, Branch] | None:
    """The test of both, and the branch on it; None where there is no such `elif`."""
    *tests, inner = branch.orelse.body or (None,)
    if not branch.outs or branch.then.body or not isinstance(inner, Branch):
        return None
    if inner.then.body or not _is_one_test(tests, inner.test):
        return None
    places = {out: k for k, out in enumerate(inner.outs)}
    given: list[Operand] = []
    for numbers, result in zip(branch.then.results, branch.orelse.results, strict=True):
        if not isinstance(result, Var) or result not in places:
            return None
        if numbers != inner.then.results[places[result]]:
            return None
        if not isinstance(numbers, Literal):
            return None
        given.append(inner.orelse.results[places[result]])
    outer: dict[Operand, Operand] = dict(
        zip(branch.orelse.params, branch.args, strict=True)
    )
    if any(isinstance(a, Var) and a not in outer for a in inner.args):
        return None  # the other arm needs statements for the test
    holds = Var(BOOL)
    params = tuple(another(p, {}) for p in branch.orelse.params)
    first = Block(params, (), (Literal(True),))
    second = Block(branch.orelse.params, tuple(s for s in tests if s), (inner.test,))
    both = Branch((holds,), branch.test, *pruned(branch.args, first, second))
    args = tuple(outer.get(a, a) for a in inner.args)
    orelse = replace(inner.orelse, results=tuple(given))
    then = Block(inner.then.params, (), branch.then.results)
    return both, Branch(branch.outs, holds, *pruned(args, then, orelse))


def _is_one_test(body: Sequence[Statement | None], test: Operand) -> bool:
    """Whether statements are one expression for a test."""
    reads = Counter(operand for s in body if s for operand in s.inputs)
    reads[test] += 1
    return all(
        isinstance(s, Apply)
        and not (s.out.named or s.out.type.dims)
        and reads[s.out] == 1
        for s in body
    )
