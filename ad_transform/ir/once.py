"""What a block computes twice is computed once, and no branch gives a value twice.

Branches that have become one, and what has gone into their arms, bring along what the
arm has already: `sqrt(s)` for the value, and for its derivative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from ad_transform.dataclass import dataclass
from ad_transform.ir.blocks import pruned
from ad_transform.ir.inner import changed_inside, is_same, with_block
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Operand,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce

Key = tuple[object, ...]


def once(function: Function) -> Function:
    """The function with equal operations on numbers done once in every block.

    Every operation keeps its bits. Linear.
    """
    if not any(isinstance(s, Branch) for s in walk(function.body)):
        return function
    return with_block(function, bounce(_once(function.block)))


def _once(block: Block) -> Task[Block]:
    body = yield from changed_inside(block.body, _once)
    seen = _Seen()
    made = [one for statement in body for one in seen.entered(statement)]
    results = tuple(seen.same.get(r, r) for r in block.results)
    if is_same(made, block.body):
        return block
    return replace(block, body=tuple(made), results=results)


@dataclass(slots=True)
class _Seen:
    """What a block has computed so far, and what stands for values that are gone."""

    known: dict[Key, Var] = field(default_factory=dict)
    same: dict[Operand, Operand] = field(default_factory=dict)

    def entered(self, statement: Statement) -> Iterator[Statement]:
        """What is left of the next statement."""
        own = statement
        if not self.same.keys().isdisjoint(statement.inputs):
            own = statement.over(self.same)
        if isinstance(own, Branch):
            own = self._told_once(own)
        elif isinstance(own, Apply) and _is_of_numbers(own):
            out = self._found(own)
            if out is not None and _may_stand_for(out, own.out):
                self.same[own.out] = out
                return
            self.known.setdefault((own.op.name, *own.args), own.out)
        yield own

    def _found(self, statement: Apply) -> Var | None:
        name, args = statement.op.name, statement.args
        found = self.known.get((name, *args))
        if found is None and statement.op.commutes:
            found = self.known.get((name, *args[::-1]))
        return found

    def _told_once(self, branch: Branch) -> Branch:
        """The branch without results that are the same as another in both arms."""
        first: dict[tuple[Operand, Operand], Var] = {}
        kept: list[int] = []
        ends = zip(branch.then.results, branch.orelse.results, strict=True)
        for k, (out, end) in enumerate(zip(branch.outs, ends, strict=True)):
            other = first.setdefault(end, out)
            is_number = not (out.type.dims or out.type.shape)
            if other is not out and is_number and _may_stand_for(other, out):
                self.same[out] = other
            else:
                kept.append(k)
        if len(kept) == len(branch.outs):
            return branch
        arms = (
            replace(block, results=tuple(block.results[k] for k in kept))
            for block in branch.blocks
        )
        args, then, orelse = pruned(branch.args, *arms)
        outs = tuple(branch.outs[k] for k in kept)
        return Branch(outs, branch.test, args, then, orelse)


def _is_of_numbers(statement: Apply) -> bool:
    return not statement.op.linear and not any(
        v.type.dims or v.type.shape for v in (statement.out, *statement.args)
    )


def _may_stand_for(value: Var, other: Var) -> bool:
    """Whether a value can be read instead of another, which keeps a user's name."""
    return value.type == other.type and (value.named or not other.named)
