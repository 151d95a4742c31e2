"""Branches under expansion: each arm gives values and their coefficients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.sweep.forward import handed
from ad_transform.derive.taylor.expansion import Expansion, Operands, named
from ad_transform.ir.blocks.blocks import pruned
from ad_transform.ir.nodes import Block, Branch, Literal, Operand, Var
from ad_transform.ir.trampoline import Task, bounce


@dataclass(slots=True)
class Arm:
    """An arm under expansion: its parameters, and its results there."""

    params: tuple[Var, ...]
    own: Expansion
    results: Operands


@dataclass(slots=True)
class Arms:
    """Both arms, and the coefficients that they take beside the arguments."""

    outer: tuple[Var, ...]
    both: list[Arm] = field(default_factory=list)

    def coefficients(self, k: int) -> Iterator[Operands]:
        """The coefficients of a result in both arms, by degree."""
        each = (arm.own.coefficients(arm.results[k]) for arm in self.both)
        return zip(*each, strict=True)


def expanded_arms(parent: Expansion, branch: Branch, degree: int) -> Task[Arms]:
    """The arms with coefficients up to a degree."""
    given = [parent.up_to(degree, arg) for arg in branch.args]
    arms = Arms(handed(given))
    for block in branch.blocks:
        arms.both.append((yield expanded_block(parent, block, given, degree)))
    return arms


def expanded_block(
    parent: Expansion, block: Block, given: Sequence[Operands], degree: int
) -> Task[Arm]:
    """A block with coefficients of its parameters. Coefficients that are values become
    parameters behind the others, each once.
    """
    outer = handed(given)
    more = tuple(Var(o.type, o.hint) for o in outer)
    inner: dict[Operand, Operand] = dict(zip(outer, more, strict=True))
    own, results = parent.inner(block, degree)
    for param, coefficients in zip(block.params, given, strict=True):
        own.enter(param, [inner.get(c, c) for c in coefficients])
    yield own.expanded()
    return Arm((*block.params, *more), own, results)


def through_branch(parent: Expansion, branch: Branch) -> Task[None]:
    """Enter the coefficients of a branch's values: those of the arm that is taken."""
    arms = yield expanded_arms(parent, branch, parent.degree)
    outs: list[Var] = []
    ends: list[list[Operand]] = [list(arm.results) for arm in arms.both]
    for k, out in enumerate(branch.outs):
        found: list[Operand] = []
        for j, either in enumerate(arms.coefficients(k), 1):
            if all(isinstance(e, Literal) and e == either[0] for e in either):
                found.append(either[0])
                continue
            outs.append(Var(out.type, named(out, j)))
            found.append(outs[-1])
            for arm, end, one in zip(arms.both, ends, either, strict=True):
                end.append(arm.own.whole(arm.results[k], one))
        parent.enter(out, found)
    then, orelse = (
        arm.own.block(arm.params, end) for arm, end in zip(arms.both, ends, strict=True)
    )
    args, then, orelse = pruned((*branch.args, *arms.outer), then, orelse)
    every = (*branch.outs, *outs)
    parent.replace(branch, Branch(every, branch.test, args, then, orelse))


def chosen(parent: Expansion, branch: Branch, place: int, j: int) -> Operand:
    """The coefficient of degree j of a branch's value, if the branch stays in its
    place: it belongs to a partial, which needs lower degrees alone of its operation.
    """
    arms = bounce(expanded_arms(parent, branch, j))
    then, orelse = (_giving(arm, place, j) for arm in arms.both)
    args = (*branch.args, *arms.outer)
    return parent.builder.branch(branch.test, args, then, orelse)[0]


def _giving(arm: Arm, place: int, j: int) -> Block:
    end = arm.own.series(arm.results[place]).at(j)
    return arm.own.block(arm.params, (end,))
