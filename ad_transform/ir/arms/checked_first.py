"""A check stands in front of the branch that it makes needless, or in its arm.

    y = x * x if given else 0.0          if not given:
    if not given:                            raise TypeError("a value is None")
        raise TypeError("...")           y = x * x

The other arm computes nothing: nothing else is raised if the check fails. Told tests
(`ir.arms.told_tests`) then leave the arm alone that is taken.

    if x < 1.0:                          if x < 1.0:
        y, given = 2.0 * x, True             y = 2.0 * x
    else:                                else:
        y, given = f(x), g(x)                y = f(x)
    if not given:                            if not g(x):
        raise TypeError("...")                   raise TypeError("...")

Such code comes from helpers that give None in some cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.decided import facts
from ad_transform.ir.blocks.inner import each_block, is_same
from ad_transform.ir.loops.invariant import never_raises
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)

Known = tuple[Operand, object]
"""A test, and whether it holds where a check behind it does not fail."""


def checked_first(function: Function) -> Function:
    """The function with checks in front of branches on their tests. Linear."""
    kinds = function.block.all_kinds
    if Check not in kinds or Branch not in kinds:
        return function
    return each_block(function, _first)


def _first(block: Block) -> Block:
    if not {Check, Branch} <= block.kinds:
        return block
    places: dict[Operand, int] = {}
    for place, statement in enumerate(block.body):
        places.update((out, place) for out in statement.outs)
    makers: dict[Operand, Statement] = {}
    branches: dict[Known, int] = {}
    fronts: dict[int, list[Statement]] = {}
    arms: dict[int, list[tuple[Check, bool, Operand]]] = {}
    inner: dict[Operand, int] = {}
    for place, statement in enumerate(block.body):
        if isinstance(statement, Check):
            inside = _inside(statement, makers) if statement.test in inner else None
            if inside is not None:
                arms.setdefault(inner[statement.test], []).append((statement, *inside))
                continue
            found = facts(makers, statement.test, True)
            known = [branches.get((t, told.value), place) for t, told in found.items()]
            given = [places.get(value, -1) for value in statement.inputs]
            front = min((k for k in known if k > max(given, default=-1)), default=place)
            branches = {test: k for test, k in branches.items() if k >= front}
            inner.clear()
        else:
            front = place
            _keep_quiet(branches, statement, place)
            if not _is_quiet(statement):
                inner.clear()
            inner.update((out, place) for out in statement.outs if statement.blocks)
            makers.update((out, statement) for out in statement.outs)
        fronts.setdefault(front, []).append(statement)
    for place, checks in arms.items():
        fronts[place][-1] = _with_checks(cast(Branch, fronts[place][-1]), checks)
    body = tuple(s for k in sorted(fronts) for s in _in_front(fronts[k]))
    return block if is_same(body, block.body) else replace(block, body=body)


def _inside(
    check: Check, makers: Mapping[Operand, Statement]
) -> tuple[bool, Operand] | None:
    """The arm of the branch that made a test where the test does not surely hold, and
    the test there; None if it may fail in both, or if the check shows values.
    """
    branch = makers[check.test]
    if not isinstance(branch, Branch) or set(check.inputs) != {check.test}:
        return None
    index = branch.outs.index(cast(Var, check.test))
    ends = [block.results[index] for block in branch.blocks]
    if ends.count(Literal(True)) != 1:
        return None
    holds = ends[1] == Literal(True)
    return holds, ends[0 if holds else 1]


def _with_checks(
    branch: Branch, checks: Sequence[tuple[Check, bool, Operand]]
) -> Branch:
    """A branch with checks at the end of its arms."""
    arms = [branch.orelse, branch.then]
    for check, holds, test in checks:
        arm = arms[holds]
        inside = replace(check, test=test)
        arms[holds] = Block(arm.params, (*arm.body, inside), arm.results)
    orelse, then = arms
    return replace(branch, then=then, orelse=orelse)


def _in_front(statements: Sequence[Statement]) -> list[Statement]:
    """Checks, then the branch that they stand in front of."""
    return sorted(statements, key=lambda s: not isinstance(s, Check))


def _keep_quiet(branches: dict[Known, int], made: Statement, place: int) -> None:
    """Note a branch by the tests whose arm computes nothing; and forget those that no
    check may pass, for something may be raised behind them.
    """
    empty: list[Known] = []
    if isinstance(made, Branch):
        ways = ((made.then, False), (made.orelse, True))
        empty = [(made.test, holds) for arm, holds in ways if not arm.body]
    if not _is_quiet(made):
        for test in branches.keys() - set(empty):
            del branches[test]
    for test in empty:
        branches.setdefault(test, place)


def _is_quiet(made: Statement) -> bool:
    """Whether a statement never raises."""
    if isinstance(made, Branch):
        return all(map(_is_quiet, (*made.then.body, *made.orelse.body)))
    return isinstance(made, Apply) and (made.op.name in _TESTS or never_raises(made))


_TESTS = frozenset({"both", "either", "not"})
