"""The forward sweep through a branch: each arm computes values and tangents."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.derive.sweep.body import merged
from ad_transform.derive.sweep.forward import (
    Forward,
    ForwardRule,
    Operands,
    Pushed,
    handed,
)
from ad_transform.ir.blocks import pruned
from ad_transform.ir.nodes import Block, Branch, Literal, Operand, Var
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import FLOAT


def forth_through_branch(
    parent: Forward, branch: Branch, rules: Mapping[type, ForwardRule]
) -> Task[None]:
    """Enter the branch with its tangents."""
    active = [k for k, a in enumerate(branch.args) if a in parent.tangents]
    given = [parent.tangents[branch.args[k]] for k in active]
    outer = handed(given)
    rows = [j for j, out in enumerate(branch.outs) if out in parent.varied]
    arms: list[tuple[Block, Pushed]] = []
    params = tuple(Var(FLOAT, o.hint) for o in outer)
    inner: dict[Operand, Operand] = dict(zip(outer, params, strict=True))
    for block in branch.blocks:
        own = merged(block)
        tangents = tuple(
            tuple(inner.get(t[d], t[d]) for t in given)
            for d in range(parent.directions)
        )
        columns = tuple(own.params[k] for k in active)
        ends = tuple(own.results[j] for j in rows)
        sweep = Forward(parent.context, own.body, columns, tangents, ends, own.results)
        pushed = yield sweep.sweep(rules)
        arms.append((Block((*own.params, *params), pushed.body, own.results), pushed))
    _enter(parent, branch, rows, arms, outer)


def _enter(
    parent: Forward,
    branch: Branch,
    rows: list[int],
    arms: list[tuple[Block, Pushed]],
    outer: tuple[Var, ...],
) -> None:
    (then, first), (orelse, second) = arms
    outs: list[Var] = []
    ends: tuple[list[Operand], list[Operand]] = ([], [])
    for n, j in enumerate(rows):
        out = branch.outs[j]
        tangent: list[Operand] = []
        for d in range(parent.directions):
            one, other = first.tangents[d][n], second.tangents[d][n]
            if isinstance(one, Literal) and one == other:
                tangent.append(one)
                continue
            outs.append(Var(FLOAT, _name(out, parent.directions)))
            ends[0].append(one)
            ends[1].append(other)
            tangent.append(outs[-1])
        parent.enter(out, tuple(tangent))
    blocks = (
        Block(block.params, block.body, (*block.results, *end))
        for block, end in zip((then, orelse), ends, strict=True)
    )
    args: Operands
    args, then, orelse = pruned((*branch.args, *outer), *blocks)
    every = (*branch.outs, *outs)
    parent.added.append(Branch(every, branch.test, args, then, orelse))


def _name(out: Var, directions: int) -> str:
    return f"{out.hint}_dot" if out.hint and directions == 1 else ""
