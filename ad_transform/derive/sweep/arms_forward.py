"""The forward sweep through a branch: each arm computes values and tangents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.derive.sweep.body import merged
from ad_transform.derive.sweep.forward import (
    Forward,
    ForwardRule,
    Operands,
    Pushed,
    handed,
    whole,
)
from ad_transform.ir.blocks.blocks import pruned
from ad_transform.ir.nodes import Block, Branch, Literal, Operand, Var
from ad_transform.ir.trampoline import Task


def forth_through_branch(
    parent: Forward, branch: Branch, rules: Mapping[type, ForwardRule]
) -> Task[None]:
    """Enter the branch with its tangents."""
    active = [k for k, a in enumerate(branch.args) if a in parent.tangents]
    given = [parent.tangents[branch.args[k]] for k in active]
    outer = handed(given)
    rows = [j for j, out in enumerate(branch.outs) if out in parent.varied]
    arms: list[tuple[Block, Pushed]] = []
    params = tuple(Var(o.type, o.hint) for o in outer)
    inner: dict[Operand, Operand] = dict(zip(outer, params, strict=True))
    for place, block in enumerate(branch.blocks):
        own = merged(block)
        given_to = (*own.params, *params)
        parent.context.hold_still(branch, place, given_to, (*branch.args, *outer))
        tangents = tuple(
            tuple(inner.get(t[d], t[d]) for t in given)
            for d in range(parent.directions)
        )
        columns = tuple(own.params[k] for k in active)
        ends = tuple(own.results[j] for j in rows)
        sweep = Forward(parent.context, own.body, columns, tangents, ends, own.results)
        pushed = yield sweep.sweep(rules)
        arms.append((Block((*own.params, *params), pushed.body, own.results), pushed))
    _enter(parent, branch, rows, arms, dict(zip(params, outer, strict=True)))


def _enter(
    parent: Forward,
    branch: Branch,
    rows: list[int],
    arms: list[tuple[Block, Pushed]],
    handed_in: Mapping[Operand, Var],
) -> None:
    tangents = [pushed.tangents for _, pushed in arms]
    outside = {p: o for p, o in handed_in.items() if not o.type.dims}
    outs: list[Var] = []
    places: list[int] = []
    ends: list[list[Operand]] = [[] for _ in arms]
    for n, j in enumerate(rows):
        out = branch.outs[j]
        tangent: list[Operand] = []
        for d in range(parent.directions):
            either = [t[d][n] for t in tangents]
            if all(isinstance(t, Literal) and t == either[0] for t in either):
                tangent.append(either[0])
                continue
            stays = outside.get(either[0])
            if stays is not None and either[0] is either[1]:
                tangent.append(stays)  # the arms hand on their own arguments
                continue
            places.append(j)
            outs.append(Var(out.type, parent.context.called(out, d)))
            for end, t in zip(ends, either, strict=True):
                end.append(t)
            tangent.append(outs[-1])
        parent.enter(out, tuple(tangent))
    then, orelse = (
        _with_tangents(block, end, [block.results[j] for j in places])
        for (block, _), end in zip(arms, ends, strict=True)
    )
    args: Operands
    args, then, orelse = pruned((*branch.args, *handed_in.values()), then, orelse)
    every = (*branch.outs, *outs)
    parent.added.append(Branch(every, branch.test, args, then, orelse))


def _with_tangents(
    block: Block, tangents: Sequence[Operand], values: Sequence[Operand]
) -> Block:
    """The arm with tangents as results; an array without a tangent gets zeros."""
    body, found = whole(block.body, tangents, values)
    return Block(block.params, body, (*block.results, *found))
