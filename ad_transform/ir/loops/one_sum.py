"""Sums that are added to each other behind their loop are one sum in it.

A loop has `a_bar = a_bar + s * t` and `b_sum = b_sum + s * u`, and behind it stands
`a_bar - b_sum`: what is derived through `1 - a` looks so. With one sum it has
`a_bar = a_bar + s * t - s * u`. A sum of several terms stays by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.adding import Sums
from ad_transform.ir.blocks.carried import without_carries
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)

_FLIPPED = {"add": "sub", "sub": "add"}

_MOST = 1
"""Terms that a trip adds to a sum which goes into another."""


def one_sum(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such sums in one; those of its value stay. Linear. `table` has
    the operations.
    """
    if not any(isinstance(s, Scan) and len(s.carries) > 1 for s in function.nested):
        return function
    sacred, sums = of_value(function), Sums()
    return each_block(
        function, lambda block: _one_sum(block, sacred, sums, table), leaves=False
    )


def _one_sum(
    block: Block, sacred: Set[Operand], sums: Sums, table: Mapping[str, Elemental]
) -> Block:
    if Scan not in block.kinds:
        return block
    made: dict[Operand, int] = {
        out: k
        for k, statement in enumerate(block.body)
        if type(statement) is Scan and statement.snapshots is None
        for out in statement.finals
    }
    if not made:
        return block
    read = Counter(block.times_read)
    body: list[Statement | None] = []
    env: dict[Operand, Operand] = {}
    for statement in block.body:
        now = statement.over(env) if env else statement
        body.append(now)
        if type(now) is not Apply or now.op.name not in _FLIPPED:
            continue
        if not all(read[arg] == 1 for arg in now.args):
            continue
        places = {made.get(arg, -1) for arg in now.args}
        place = places.pop()
        loop = body[place] if place >= 0 and not places else None
        if isinstance(loop, Scan) and sacred.isdisjoint(loop.outs):
            joined = _joined(loop, now, sums, table)
            if joined is not None:
                body[place], env[now.out] = joined
                body[-1] = None
                made[env[now.out]], read[env[now.out]] = place, read[now.out]
    kept = [statement for statement in body if statement is not None]
    return with_body(block, kept, env)


def _joined(
    loop: Scan, total: Apply, sums: Sums, table: Mapping[str, Elemental]
) -> tuple[Scan, Var] | None:
    """The loop with one sum for two, and its value; None if they stay apart."""
    kept, gone = (loop.outs.index(arg) for arg in total.args if isinstance(arg, Var))
    if loop.carries[gone] != Literal(0.0) and total.op.name == "add":
        kept, gone = gone, kept
    if loop.carries[gone] != Literal(0.0) or kept == gone:
        return None
    if not (sums.is_sum(loop, kept) and sums.is_sum(loop, gone)):
        return None
    block = loop.body
    chain: list[Apply] = []
    value: Operand = block.params[1 + gone]
    body: list[Statement] = []
    for statement in block.body:
        if value not in statement.inputs:
            body.append(statement)
            continue
        if not isinstance(statement, Apply):
            return None
        chain.append(statement)
        value = statement.out
        if len(chain) > _MOST:
            return None
    end = block.results[kept]
    value = block.params[1 + gone]
    for statement in chain:
        (term,) = (arg for arg in statement.args if arg is not value)
        name = statement.op.name
        name = _FLIPPED[name] if total.op.name == "sub" else name
        value = statement.out
        out = Var(value.type, loop.outs[kept].hint)
        body.append(Apply(out, table[name], (end, term)))
        end = out
    results = list(block.results)
    results[kept] = end
    changed = replace(block, body=tuple(body), results=tuple(results))
    made = without_carries(replace(loop, body=changed), {gone})
    return made, loop.outs[kept]
