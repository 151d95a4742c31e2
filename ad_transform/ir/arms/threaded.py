"""A branch on a flag goes into the arms of the branch that decides the flag.

A helper that returns early inside a loop over a table is a chain of two branches for
each item: one that may return, and one on the flag `returned` that goes on. The arm
that sets the flag knows it, so the second branch is only needed in the other:
`if t <= 10.0: ... elif t <= 20.0: ... else: ...`, as one would write it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import TypeGuard

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import another, pruned, renewed
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.inner import changed_at, holding, is_same
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    checks,
    checks_inside,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL
from ad_transform.later import later

with later():
    from ad_transform.ir.loops.invariant import never_raises


DEEP = 10
"""Branches one inside the other, behind which code stays flat: it would be mostly
margin.
"""

MOST = 100
"""Branches one in the last arm of the other that return in their arms."""

_LEAST = 2
"""Statements that may stand in both arms, where one of them does not know the flag."""


def threaded(function: Function, reach: int = 0, *, returns: bool = False) -> Function:
    """The function with branches on flags in the arms that decide these.

    Up to `reach` operations may stand between, those that the second branch needs, and
    others. A value that only the second one read is no result of both. Linear; where it
    `returns` in the arms of its last branch, cubic in the number of these, which is at
    most `MOST`.
    """
    ends = MOST if returns else 0
    block = bounce(_threaded(function.block, reach, Consumption(), 0, ends))
    if block is function.block:
        return function
    body = live(block.body, block.results)
    return replace(function, block=replace(block, body=body))


def _threaded(
    block: Block, reach: int, consumption: Consumption, depth: int, ends: int
) -> Task[Block]:
    """A block; at the end of the function, a branch at its end returns in its arms, and
    no `else` stands behind it, up to `ends` times.
    """
    if not block.holders:
        return block
    body: Sequence[Statement] = block.body
    if Branch in block.kinds:
        body = _joined(block, reach, consumption, depth)
    last = _ending(body, block.results) if ends else None
    arms: Sequence[Block] = ()
    if last is not None:
        place = max(holding(body))
        if body[place] is not last:
            body = [*body[:place], last]
        arms = last.blocks
    places = block.holders if len(body) == len(block.body) else holding(body)
    body = yield from changed_at(
        places,
        body,
        lambda held: _threaded(
            held,
            reach,
            consumption,
            depth if held in arms[1:] else depth + 1,
            ends - 1 if held in arms else 0,
        ),
        leaves=False,
    )
    if is_same(body, block.body):
        return block
    return replace(block, body=tuple(body))


def _joined(
    block: Block, reach: int, consumption: Consumption, depth: int
) -> list[Statement]:
    """The statements, every branch on a flag in the branch before it; deep inside of
    others only where it is an `elif` there.
    """
    found: list[Statement] = []
    used = _Uses(block)
    start = 0
    for at in block.holders:
        found += block.body[start:at]
        start, statement = at + 1, block.body[at]
        if isinstance(statement, Branch):
            if depth < DEEP:
                _bring(found, reach, statement, consumption)
            place = _before(found, reach, statement)
            last = found[place] if place >= 0 else None
            if isinstance(last, Branch) and (depth < DEEP or _is_elif(statement)):
                gone = consumption.by(statement)
                between = found[place + 1 :]
                ahead, inside = _needed(between, last, statement)
                moved = (*ahead, *inside)  # a store would come before what reads
                rest = [one for one in between if one not in moved]
                read = {arg for one in (*ahead, *rest) for arg in one.inputs}
                is_free = gone.isdisjoint(read) and not any(map(_stores, moved))
                if is_free and used.only_by(inside, statement):
                    both = _both(last, statement, gone, inside)
                    if both is not None:
                        found[place:] = [*ahead, both, *rest]
                        continue
        found.append(statement)
    found += block.body[start:]
    return found


def _ending(body: Sequence[Statement], results: Sequence[Operand]) -> Branch | None:
    """The last branch, if it gives all results, without its other values: nobody needs
    these, nor what is computed behind it.
    """
    while body and isinstance(body[-1], Apply):
        body = body[:-1]
    last = body[-1] if body else None
    values = {r for r in results if isinstance(r, Var)}
    if not isinstance(last, Branch) or not values or not values.issubset(last.outs):
        return None
    if len(values) == len(last.outs):
        return last
    kept = [k for k, out in enumerate(last.outs) if out in values]
    arms = [replace(b, results=tuple(b.results[k] for k in kept)) for b in last.blocks]
    return replace(
        last, outs=tuple(last.outs[k] for k in kept), then=arms[0], orelse=arms[1]
    )


class _Uses:
    """The readers of the values of a block, asked for where branches might be one."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._readers: Counter[Operand] | None = None

    def only_by(self, statements: Sequence[Statement], last: Statement) -> bool:
        """Whether the values of some statements are read by themselves and the last
        alone, they are few, and it changes arrays: a branch of numbers waits for its
        operands.
        """
        if not statements:
            return True
        changes = any(out.type.dims for out in last.outs)
        if len(statements) > _LEAST or not changes:
            return False
        if self._readers is None:
            each = (o for s in self.block.body for o in s.inputs)
            self._readers = Counter((*each, *self.block.results))
        own = Counter(o for s in (*statements, last) for o in s.inputs)
        outs = [out for s in statements for out in s.outs]
        return all(self._readers[out] == own[out] for out in outs)


def _is_short(block: Block) -> bool:
    """Whether a block may stand in both arms: no loop does."""
    holds = (isinstance(block.body[k], Scan | While) for k in block.holders)
    return len(block.body) <= _LEAST and not any(holds)


def _is_elif(branch: Branch) -> bool:
    """Whether the arms do no more than test again, or do little: no margin is lost."""
    return all(
        len(arm.body) <= _LEAST
        or all(isinstance(s, Branch) or _is_test(s) for s in arm.body)
        for arm in branch.blocks
    )


def _before(found: Sequence[Statement], reach: int, second: Branch) -> int:
    """The place of the statement before a branch, past operations that may come in
    another order: those that may raise between branches that are alike.
    """
    may_move = partial(_may_move, second=second)
    place = _past(found, reach, may_move)
    first = found[place] if place >= 0 else None
    if isinstance(first, Branch) and _are_alike(first, second):
        return place
    return _past(found, reach, lambda s: may_move(s) and never_raises(s))


def _bring(
    found: list[Statement], reach: int, second: Branch, consumption: Consumption
) -> None:
    """Move the last branch on the test of the second to the end, past branches that
    neither read its numbers nor change its arrays. Such is an arm whose values are
    made again: another branch may go back before its adjoint does.
    """
    first, place = _last_alike(found, reach, second)
    if first is None or any(out.type.dims for out in first.outs):
        return
    between = found[place + 1 :]
    if not any(isinstance(one, Branch) for one in between):
        return
    read = {*first.outs}
    kept = {*first.inputs}
    for one in between:
        if checks(one) or checks_inside(one) or not read.isdisjoint(one.inputs):
            return
        if not kept.isdisjoint(consumption.by(one)):
            return
    found[place:] = [*between, first]


def _last_alike(
    found: Sequence[Statement], reach: int, second: Branch
) -> tuple[Branch | None, int]:
    """The last branch within reach that is like a second one, and its place."""
    for place in range(len(found) - 1, max(len(found) - 1 - reach, -1), -1):
        first = found[place]
        if isinstance(first, Branch) and _are_alike(first, second):
            return first, place
    return None, -1


def _are_alike(first: Branch, second: Branch) -> bool:
    """Whether two branches have one test, give no flags, and check nothing."""
    if first.test is not second.test:
        return False
    if any(out.type == BOOL for out in (*first.outs, *second.outs)):
        return False
    return not any(checks(one) or checks_inside(one) for one in (first, second))


def _past(
    found: Sequence[Statement], reach: int, moves: Callable[[Apply], bool]
) -> int:
    """The place of the last statement that does not move, or of one out of reach."""
    place = len(found) - 1
    while place >= 0 and reach:
        statement = found[place]
        if not isinstance(statement, Apply) or not moves(statement):
            break
        place, reach = place - 1, reach - 1
    return place


def _may_move(statement: Apply, second: Branch) -> bool:
    """Whether an operation makes no array, or changes one that the branch has not."""
    if _stores(statement):
        return not {statement.args[0], statement.out}.intersection(second.inputs)
    return not statement.out.type.dims and not statement.op.consumes


def _stores(statement: Statement) -> bool:
    """Whether it changes an element of a list."""
    return type(statement) is Apply and statement.op.name in _STORES


_STORES = frozenset({"set", "add_at", "sub_at"})


def _needed(
    between: Sequence[Statement], first: Branch, second: Branch
) -> tuple[list[Statement], list[Statement]]:
    """The operations between two branches that the second needs: those that may stand
    in front of both, and those that need the first. The others may wait for both.
    """
    needed = set(second.inputs)
    made: set[Operand] = set(first.outs)
    for statement in between:
        if not made.isdisjoint(statement.inputs):
            made.update(statement.outs)
    ahead: list[Statement] = []
    inside: list[Statement] = []
    for statement in reversed(between):
        if needed.isdisjoint(statement.outs):
            continue
        needed.update(statement.inputs)
        (ahead if made.isdisjoint(statement.inputs) else inside).append(statement)
    return ahead[::-1], inside[::-1]


def _both(
    first: Branch, second: Branch, gone: Set[Operand], inside: Sequence[Statement]
) -> Branch | None:
    """Two branches as one, if an arm of the first knows the test of the second.

    Arrays that are `gone` behind the second are read by nothing else. Statements
    `inside`, between the two, go into both arms.
    """
    if all(out.type == BOOL for out in first.outs):
        return None  # `a or b`, which is one test
    known = [_known(first, second.test, arm) for arm in (0, 1)]
    open_ = [way for way in known if way is None]
    if len(open_) == 2 or known[0] is known[1]:
        return None
    if open_ and not _is_short(second.blocks[_arm(known)]):
        return None
    left = [k for k, out in enumerate(first.outs) if out not in gone]
    own = {*first.outs, *first.args, *(out for s in inside for out in s.outs)}
    read = (*(a for s in inside for a in s.inputs), *second.args)
    free = (a for a in read if isinstance(a, Var) and a not in own)
    more = tuple(dict.fromkeys(free))
    arms: list[Block] = []
    for k, block in enumerate(first.blocks):
        params = (*block.params, *(another(a, {}) for a in more))
        env: dict[Operand, Operand] = dict(
            zip((*first.args, *more), params, strict=True)
        )
        env.update(zip(first.outs, block.results, strict=True))
        before = (*block.body, *_again(inside, env))
        given = tuple(env.get(a, a) for a in second.args)
        told = (
            Literal(k == 0) if a is first.test else env.get(a, a) for a in second.args
        )
        behind = second.map_blocks(partial(without_known_checks, given=tuple(told)))
        way = known[k]
        if way is None:
            body, results = _nested(behind, env[second.test], given)
        else:
            chosen = behind.then if way else behind.orelse
            if open_:
                chosen = renewed(chosen)
            if any(p.type != g.type for p, g in zip(chosen.params, given, strict=True)):
                return None
            body, results = _over(chosen, given, before)
        ends = (*(block.results[k] for k in left), *results)
        arms.append(Block(params, (*before, *body), ends))
    args, then, orelse = pruned((*first.args, *more), *arms)
    outs = (*(first.outs[k] for k in left), *second.outs)
    return Branch(outs, first.test, args, then, orelse)


def _again(
    statements: Sequence[Statement], env: dict[Operand, Operand]
) -> Iterator[Statement]:
    """Statements once more, in an arm; their results are entered."""
    for statement in statements:
        outs = tuple(another(out, {}) for out in statement.outs)
        yield statement.over(env).binding(outs)
        env.update(zip(statement.outs, outs, strict=True))


def without_known_checks(block: Block, given: Sequence[Operand]) -> Block:
    """A block, and the arms in it, without checks of values that are given as True."""
    return bounce(_unchecked(block, given))


def _unchecked(block: Block, given: Sequence[Operand]) -> Task[Block]:
    pairs = zip(block.params, given, strict=True)
    holds: Mapping[Operand, Operand] = {
        param: value for param, value in pairs if value == Literal(True)
    }
    if not holds:
        return block
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Branch):
            inner = tuple(holds.get(a, a) for a in statement.args)
            arms: list[Block] = []
            for arm in statement.blocks:
                arms.append((yield _unchecked(arm, inner)))
            body.append(
                statement.rebuilt(statement.outs, statement.inputs, tuple(arms))
            )
        elif not isinstance(statement, Check) or statement.test not in holds:
            body.append(statement)
    return replace(block, body=tuple(body))


def _known(first: Branch, test: Operand, arm: int) -> bool | None:
    """The outcome of a test in an arm, if it is known there."""
    if test is first.test:
        return arm == 0
    if isinstance(test, Var) and test in first.outs:
        value = first.blocks[arm].results[first.outs.index(test)]
        return bool(value.value) if isinstance(value, Literal) else None
    return None


def _arm(known: Sequence[bool | None]) -> int:
    """The arm of the second branch that is chosen where that is known."""
    return 0 if True in known else 1


def _nested(
    branch: Branch, test: Operand, given: tuple[Operand, ...]
) -> tuple[tuple[Statement, ...], tuple[Operand, ...]]:
    """A branch inside an arm, and its results there."""
    outs = tuple(another(out, {}) for out in branch.outs)
    return (Branch(outs, test, given, *branch.blocks),), outs


def _over(
    block: Block, given: Sequence[Operand], before: Sequence[Statement]
) -> tuple[tuple[Statement, ...], tuple[Operand, ...]]:
    """The statements of a block on given values, and its results.

    A comparison made `before` is not made again.
    """
    env: dict[Operand, Operand] = dict(zip(block.params, given, strict=True))
    tests = {(s.op, s.args): s.out for s in before if _is_test(s)}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env)
        known = tests.get((made.op, made.args)) if _is_test(made) else None
        if known is None:
            body.append(made)
        else:
            env[statement.outs[0]] = known
    return tuple(body), tuple(env.get(r, r) for r in block.results)


def _is_test(statement: Statement) -> TypeGuard[Apply]:
    """Whether it compares, and is not counted as a call."""
    if not isinstance(statement, Apply) or statement.out.type != BOOL:
        return False
    return "call" not in statement.op.classes
