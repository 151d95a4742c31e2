"""Values that an arm alone makes for the way back are made there once more, where that
is quick.

`cost += 0.1 * level * level` in one arm of a loop that records `level` has the slope
`0.1 * level` on the way back: one operation costs less than to append to a list and to
take from it. It is so where an operation or two make all that the arm would record, of
numbers that are recorded anyway or are the same in all trips.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.ir.loops.divided import Arm, Division, Work, each_division
from ad_transform.ir.loops.same_values import Value
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
from ad_transform.ir.trampoline import Task, bounce

_QUICK = frozenset({"add", "sub", "mul", "neg"})
_MOST = 2
"""Quick operations that take less time than to append and to take back."""


def arms_again(function: Function) -> Function:
    """The function with such operations on the way back; linear, times the depth of
    branches and loops.
    """
    return each_division(function, lambda: Work(_changed))


def _changed(
    bodies: tuple[Block, Block], found: Sequence[Division], known: Mapping[Value, Var]
) -> tuple[tuple[Block, Block], Set[Var]]:
    needs = _needs(found, known)
    return (bodies[0], bounce(_block(bodies[1], found, known, needs))), frozenset()


def _block(
    block: Block,
    found: Sequence[Division],
    known: Mapping[Value, Var],
    needs: Mapping[Division, Sequence[Value]],
) -> Task[Block]:
    """A block of the way back in which arms make values again."""
    changed: dict[Statement, Statement] = {}
    for one in found:
        if needs[one]:
            changed[one.back] = yield _branch(one, known, needs)
    if not changed:
        return block
    return replace(block, body=tuple(changed.get(s, s) for s in block.body))


def _needs(
    found: Sequence[Division], known: Mapping[Value, Var]
) -> Mapping[Division, Sequence[Value]]:
    """The values that the arms of each division make others of, inner arms included."""
    every = [*found]
    for one in every:  # the list grows meanwhile
        every += (inner for arm in one.arms for inner in arm.inner)
    needs: dict[Division, Sequence[Value]] = {}
    for one in reversed(every):  # inner ones first
        own: dict[Value, None] = {}
        for arm in one.arms:
            for _, values, _ in _again(arm, known):
                own |= dict.fromkeys(v for v in values if isinstance(v[1], Var))
            for inner in arm.inner:
                own |= dict.fromkeys(needs[inner])
        needs[one] = [*own]
    return needs


def _again(
    arm: Arm, known: Mapping[Value, Var]
) -> Sequence[tuple[Apply, Sequence[Value], Var]]:
    """Operations that make the records of an arm of known values; none if not quick."""
    found: list[tuple[Apply, Sequence[Value], Var]] = []
    for end, name in arm.kept if arm.own is not None else ():
        assert arm.own is not None
        made = arm.own.made.get(end)
        if made is None or made.op.name not in _QUICK or made.out.type != name.type:
            return ()
        values = [arm.own.value(arg) for arg in made.args]
        if not all(v in known or isinstance(v[1], Literal) for v in values):
            return ()
        found.append((made, values, name))
    return found if len(found) <= _MOST else ()


def _branch(
    division: Division,
    known: Mapping[Value, Var],
    needs: Mapping[Division, Sequence[Value]],
) -> Task[Branch]:
    """A branch of the way back that takes some more values for its arms."""
    branch = division.back
    args = (*branch.args, *(known[value] for value in needs[division]))
    arms: list[Block] = []
    for block, arm in zip(branch.blocks, division.arms, strict=True):
        more = needs[division]
        arms.append((yield _arm(block, arm, more, needs)))
    return Branch(branch.outs, branch.test, args, arms[0], arms[1])


def _arm(
    block: Block,
    arm: Arm,
    given: Sequence[Value],
    needs: Mapping[Division, Sequence[Value]],
) -> Task[Block]:
    """An arm that takes some more values, for itself and for branches in it."""
    more = {v: Var(v[1].type, v[1].hint) for v in given if isinstance(v[1], Var)}
    made: Block = yield _block(block, arm.inner, more, needs)
    env: dict[Operand, Operand] = {}
    first: list[Statement] = []
    for apply, values, name in _again(arm, more):
        out = env[name] = Var(name.type, name.hint)
        args = tuple(more.get(value, value[1]) for value in values)
        first.append(Apply(out, apply.op, args))
    body = (*first, *(s.over(env) for s in made.body))
    results = tuple(env.get(r, r) for r in made.results)
    return Block((*block.params, *more.values()), body, results)
