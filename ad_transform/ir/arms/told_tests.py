"""Tests whose outcome is known, in the arm of a branch or behind a check.

    if away:                             if away:
        if away:                             keys.append(key)
            keys.append(key)             if lost:
    if lost:                                 raise KeyError(key)
        raise KeyError(key)              values[place] += x
    if lost:
        values.append(x)
    else:
        values[place] += x

Such tests come from code that is read in several places, like that of dicts. Whole
numbers that have been compared are not compared again: behind `place < 0` it is known
what `place >= 0` is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import alike_in_both
from ad_transform.ir.blocks.decided import facts
from ad_transform.ir.blocks.inner import changed_at, is_same, with_block
from ad_transform.ir.blocks.live import live
from ad_transform.ir.dims import fit
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Operand,
    Statement,
    Substitution,
    Var,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL, INT, Kind

Said = dict[Operand, dict[tuple[str, Operand], bool]]
"""Whether a whole number is less than others, or the same, as far as that is known."""


def told_tests(function: Function) -> Function:
    """The function without branches on known tests. Linear in the statements, and in
    the values handed on through branches.
    """
    if not any(isinstance(s, Branch) for s in function.nested):
        return function
    block = bounce(_told(function.block, {}, {}))
    if block is function.block:
        return function
    body = live(block.body, block.results)
    return with_block(function, Block(block.params, body, block.results))


def _told(block: Block, known: Mapping[Operand, Operand], said: Said) -> Task[Block]:
    """A block where some values are known. `said` has the answers of tests before, by
    values that the block is given, and gets those of tests in it.
    """
    if not known and not said and Branch not in block.kinds and not block.holders:
        return block
    env: Substitution = dict(known)
    params = set(block.params)
    makers: dict[Operand, Statement] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        if type(made) is Apply:  # nearly always
            if made.out.type.kind is Kind.BOOL and made.out.type == BOOL:
                answer = _answer(made, makers, said)
                if answer is not None:
                    env[made.out] = answer  # it stays for branches that stay after all
            body.append(made)
            makers[made.out] = made
            continue
        arm = _taken(made, block) if isinstance(made, Branch) else None
        if isinstance(made, Branch) and arm is not None:
            own: Substitution = dict(zip(arm.params, made.args, strict=True))
            inner: Block = yield _told(arm, own, said)
            placed = [s.over(own) for s in inner.body]
            body += placed
            makers.update((out, s) for s in placed for out in s.outs)
            env.update(zip(made.outs, inner.results, strict=True))
            continue
        if isinstance(made, Branch):
            test = statement.inputs[0]
            if isinstance(made.test, Literal) and (test in makers or test in params):
                made = replace(made, test=test)
            made = yield _in_arms(made, makers, said)
            env.update(_alike(made))
        elif made.blocks:
            (made,) = yield from changed_at((0,), (made,), _from_outside)
        elif isinstance(made, Check):
            if made.test == Literal(True):
                continue
            found = facts(makers, made.test, True)
            env.update(found)
            _say(said, makers, found)
        body.append(made)
        makers.update((out, made) for out in made.outs)
    if not env and is_same(body, block.body):
        return block
    results = tuple(env.get(result, result) for result in block.results)
    return Block(block.params, tuple(body), results)


def _taken(branch: Branch, around: Block) -> Block | None:
    """The arm of a branch on a known test, if its arguments and results may stand for
    its parameters and for the values of the branch: a list of any length, and a float,
    may be one of three items and a whole number in an arm.
    """
    if not isinstance(branch.test, Literal):
        return None
    arm = branch.then if branch.test.value else branch.orelse
    if any(a.type != p.type for a, p in zip(branch.args, arm.params, strict=True)):
        return None
    pairs = zip(branch.outs, arm.results, strict=True)
    wider = [(out, result) for out, result in pairs if out.type != result.type]
    if not all(_is_shorter(result, out) for out, result in wider):
        return None
    return None if _gives_types(around, {out for out, _ in wider}) else arm


def _alike(branch: Branch) -> Substitution:
    """The results of a branch that are the same in both arms. A list that is shorter
    here than in the arms is left out: types of other lists may follow from its result.
    """
    found = alike_in_both(branch)
    return {
        out: end
        for out, end in found.items()
        if out.type == end.type or not out.type.dims
    }


def _is_shorter(one: Operand, other: Var) -> bool:
    """Whether an operand is a list with lengths that those of another one allow."""
    here, there = one.type, other.type
    is_list = bool(here.dims) and here.kind is there.kind
    return is_list and fit(here.dims, there.dims)


def _gives_types(block: Block, lists: Set[Var]) -> bool:
    """Whether a block makes lists of others: their types follow from those of these."""
    return bool(lists) and any(
        isinstance(statement, Apply)
        and statement.out.type.is_array
        and not lists.isdisjoint(statement.args)
        for statement in block.body
    )


def _from_outside(block: Block) -> Task[Block]:
    """A trip, which knows no values around it."""
    return _told(block, {}, {})


def _in_arms(
    branch: Branch, makers: Mapping[Operand, Statement], said: Said
) -> Task[Branch]:
    """A branch whose arms know its test."""
    arms: list[Block] = []
    for arm, holds in zip(branch.blocks, (True, False), strict=True):
        found = facts(makers, branch.test, holds)
        given = list(zip(arm.params, branch.args, strict=True))
        pairs = [(param, found.get(a, a)) for param, a in given]
        known: Substitution = {
            param: arg
            for param, arg in pairs
            if type(arg) is Literal and arg.type == param.type
        }
        own: Said = {}
        _say(own, makers, found)
        inside = {arg: param for param, arg in given}
        told: Said = {}
        for param, arg in given if said or own else ():
            for (name, second), truth in (*_of(said, arg), *_of(own, arg)):
                other = second if isinstance(second, Literal) else inside.get(second)
                if other is not None:
                    told.setdefault(param, {})[name, other] = truth
        arms.append((yield _told(arm, known, told)))
    if is_same(arms, branch.blocks):
        return branch
    return branch.rebuilt(branch.outs, branch.inputs, tuple(arms))


# --- answers about whole numbers ------------------------------------------------------

_AS = {
    "lt": ("lt", False, True),
    "ge": ("lt", False, False),
    "gt": ("lt", True, True),
    "le": ("lt", True, False),
    "eq": ("eq", False, True),
    "ne": ("eq", False, False),
}
"""For a comparison: "lt" or "eq", whether operands are exchanged, its answer then."""


def _of(said: Said, one: Operand) -> Iterable[tuple[tuple[str, Operand], bool]]:
    return said.get(one, {}).items()


def _compared(test: Statement) -> tuple[Operand, tuple[str, Operand], bool] | None:
    """The question of a comparison of whole numbers, and the answer of a true one."""
    if not isinstance(test, Apply) or test.op.name not in _AS:
        return None
    if any(arg.type != INT for arg in test.args):
        return None
    name, turned, truth = _AS[test.op.name]
    one, other = reversed(test.args) if turned else test.args
    return one, (name, other), truth


def _say(
    said: Said, makers: Mapping[Operand, Statement], found: Mapping[Operand, Literal]
) -> None:
    """Note the answers that known tests give about whole numbers."""
    for test, literal in found.items():
        asked = _compared(makers[test]) if test in makers else None
        if asked is not None:
            one, question, truth = asked
            said.setdefault(one, {})[question] = (literal.value is True) == truth


def _answer(
    asked: Apply, makers: Mapping[Operand, Statement], said: Said
) -> Operand | None:
    """The known outcome of a test, or another test that is the same."""
    if asked.op.name == "not":
        (of,) = asked.args
        if isinstance(of, Literal):
            return Literal(not of.value)
        maker = makers.get(of)
        if isinstance(maker, Apply) and maker.op.name == "not":
            (test,) = maker.args  # where it is a number, `not not x` is another value
            return test if test.type == BOOL else None
        return None
    compared = _compared(asked)
    if compared is None:
        return None
    one, question, truth = compared
    known = said.get(one, {}).get(question)
    return None if known is None else Literal(known == truth)
