"""Laws of choices between numbers: derivatives at kinks are such.

A tree stands for `0 if y > x else 0.5 if x == y else 1`: its leaves are numbers, its
tests are values outside, or comparisons of such made where they are needed. Two trees
by the same tests are multiplied or added leaf by leaf.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.ir.build import Builder
from ad_transform.ir.laws.patterns import Args
from ad_transform.ir.nodes import Apply, Block, Branch, Literal, Operand, Var

DEEPEST = 8
"""Choices within a choice up to which trees are looked at."""


@dataclass(frozen=True, slots=True)
class Made:
    """A comparison that is made in the arm that reads it."""

    op: str
    args: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """`then if test else orelse`."""

    test: Operand | Made
    then: Tree | float
    orelse: Tree | float


def tree_of(b: Builder, operand: Operand) -> Tree | None:
    """The tree of a value, if it is a choice between numbers."""
    made = b.definition.get(operand) if isinstance(operand, Var) else None
    if not isinstance(made, Branch) or len(made.outs) > 1:
        return None
    found = _read(made, {a: a for a in made.inputs}, DEEPEST)
    return found if isinstance(found, Tree) else None


Env = dict[Operand, Any]


def _read(branch: Branch, env: Env, depth: int) -> Tree | None:
    arms: list[Tree | float] = []
    for block in (branch.then, branch.orelse):
        arm = _arm(block, {p: env.get(a, a) for p, a in _pairs(block, branch)}, depth)
        if arm is None:
            return None
        arms.append(arm)
    test = env.get(branch.test, branch.test)
    return Tree(test, arms[0], arms[1])


def _pairs(block: Block, branch: Branch) -> zip[tuple[Var, Operand]]:
    return zip(block.params, branch.args, strict=True)


def _arm(block: Block, env: Env, depth: int) -> Tree | float | None:
    result = block.results[0]
    for statement in block.body:
        if isinstance(statement, Apply):
            if statement.op.result != "bool":
                return None
            args = tuple(env.get(a, a) for a in statement.args)
            if any(isinstance(a, Made) for a in args):
                return None
            env[statement.out] = Made(statement.op.name, args)
        elif (
            not isinstance(statement, Branch)
            or statement.outs != (result,)
            or depth == 0
        ):
            return None
        else:
            return _read(statement, env, depth - 1)
    if isinstance(result, Literal) and result.name:
        return None  # constants keep their names
    if isinstance(result, Literal) and isinstance(result.value, int | float):
        return float(result.value)
    return None


# --- two trees become one -------------------------------------------------------------

_COMPUTE: dict[str, Callable[[float, float], float]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
}


def combine(op: str) -> Callable[[Builder, Args], Operand | None]:
    """The law of `op` on two choices between numbers by the same tests."""
    compute = _COMPUTE[op]

    def combined(b: Builder, args: Args) -> Operand | None:
        one, two = (tree_of(b, a) for a in args)
        if one is None or two is None:
            return None
        tree = _merged(one, two, compute, {})
        return None if tree is None else planted(b, tree)

    return combined


def _merged(
    one: Tree | float,
    two: Tree | float,
    compute: Callable[[float, float], float],
    known: Mapping[Operand | Made, bool],
) -> Tree | float | None:
    """The tree of an operation on two trees; None where their tests differ."""
    one, two = _decided(one, known), _decided(two, known)
    if not isinstance(one, Tree) and not isinstance(two, Tree):
        return compute(one, two)
    tests = {t.test for t in (one, two) if isinstance(t, Tree)}
    if len(tests) > 1:
        return None
    (test,) = tests
    arms = [_merged(one, two, compute, {**known, test: held}) for held in (True, False)]
    if arms[0] is None or arms[1] is None:
        return None
    return arms[0] if arms[0] == arms[1] else Tree(test, arms[0], arms[1])


def _decided(tree: Tree | float, known: Mapping[Operand | Made, bool]) -> Tree | float:
    while isinstance(tree, Tree) and tree.test in known:
        tree = tree.then if known[tree.test] else tree.orelse
    return tree


def planted(b: Builder, tree: Tree | float) -> Operand:
    """The value of a tree."""
    if not isinstance(tree, Tree):
        return Literal(tree + 0.0)  # 0.0, not -0.0
    test = tree.test
    if isinstance(test, Made):
        test = b.apply(test.op, *test.args)
    outer = tuple(dict.fromkeys((*_values(tree.then), *_values(tree.orelse))))
    arms = [_planted_arm(b.inner(), arm, outer) for arm in (tree.then, tree.orelse)]
    return b.branch(test, outer, arms[0], arms[1])[0]


def _planted_arm(inner: Builder, tree: Tree | float, outer: tuple[Var, ...]) -> Block:
    params = tuple(Var(v.type, v.hint) for v in outer)
    inside: dict[Operand, Operand] = dict(zip(outer, params, strict=True))
    return inner.block(params, (planted(inner, _moved(tree, inside)),))


def _moved(tree: Tree | float, env: Mapping[Operand, Operand]) -> Tree | float:
    if not isinstance(tree, Tree):
        return tree
    test = tree.test
    if isinstance(test, Made):
        test = Made(test.op, tuple(env.get(a, a) for a in test.args))
    else:
        test = env.get(test, test)
    return Tree(test, _moved(tree.then, env), _moved(tree.orelse, env))


def _values(tree: Tree | float) -> list[Var]:
    """The values outside that the tests need."""
    if not isinstance(tree, Tree):
        return []
    asked = tree.test.args if isinstance(tree.test, Made) else (tree.test,)
    own = [a for a in asked if isinstance(a, Var)]
    return [*own, *_values(tree.then), *_values(tree.orelse)]
