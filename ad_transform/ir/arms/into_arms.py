"""Statements beside a branch that go into one of its arms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.blocks.decided import taken
from ad_transform.ir.nodes import Block, Branch, Literal, Operand, Statement, Var

_ZERO = Literal(0.0)


def into_arm(
    branch: Branch,
    arm: int,
    before: Sequence[Statement],
    behind: Sequence[Statement],
    read: Set[Operand],
) -> Branch:
    """The branch with some statements in an arm: those before it in front of the arm's
    own, those behind it after these.

    It gives their results that are read elsewhere, too: 0 in the other arm, where those
    before it are not read. In place of a branch on a test known there stands the arm
    that is taken.
    """
    own, other = branch.blocks[arm], branch.blocks[1 - arm]
    moving = (*before, *behind)
    made = {out for s in moving for out in s.outs}
    inner: dict[Operand, Operand] = dict(zip(branch.args, own.params, strict=True))
    inner.update(zip(branch.outs, own.results, strict=True))
    new: list[Var] = []
    for one in (value for s in moving for value in s.inputs):
        if one not in made and one not in inner and isinstance(one, Var):
            inner[one] = another(one, {})
            new.append(one)
    first = [_inside(statement, inner) for statement in before]
    last = [_inside(statement, inner) for statement in behind]
    left = [k for k, arg in enumerate(branch.args) if arg not in made]
    outs = tuple(out for s in moving for out in s.outs if out in read)
    taking = Block(
        (*(own.params[k] for k in left), *_vars(inner[o] for o in new)),
        (*first, *own.body, *last),
        (*own.results, *(inner[o] for o in outs)),
    )
    if any(isinstance(s, Branch) and isinstance(s.test, Literal) for s in moving):
        taking = taken(taking, {})
    beside = Block(
        (*(other.params[k] for k in left), *(another(v, {}) for v in new)),
        other.body,
        (*other.results, *(_ZERO for _ in outs)),
    )
    then, orelse = (beside, taking) if arm else (taking, beside)
    args = (*(branch.args[k] for k in left), *new)
    return Branch((*branch.outs, *outs), branch.test, args, then, orelse)


def _inside(statement: Statement, inner: dict[Operand, Operand]) -> Statement:
    """The statement over the names of values in the arm; its results are entered."""
    inputs = tuple(inner.get(one, one) for one in statement.inputs)
    known = (inner.get(out) or another(out, {}) for out in statement.outs)
    outs = _vars(known)
    inner.update(zip(statement.outs, outs, strict=True))
    return statement.rebuilt(outs, inputs, statement.blocks)


def _vars(values: Iterable[Operand]) -> tuple[Var, ...]:
    return tuple(value for value in values if isinstance(value, Var))
