"""A loop goes back without the trip that left it, where that changes no adjoint.

for _ in range(50):                  for _ in range(50):
    f = x * x - a                        f = x * x - a
    if abs(f) < 1e-12:                   if abs(f) < 1e-12:
        saved.append((True, x))              break
        break                            saved.append(x)
    saved.append((False, x))             x = x - f / (2.0 * x)
    x = x - f / (2.0 * x)            for x in reversed(saved):
for left, x in reversed(saved):          ...
    if not left:
        ...

Here the loop back is one over fewer trips, so what the last one has recorded is not
read; a target that records trip by trip need not record it (`ir.ends`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.exits import exit_of, read_in
from ad_transform.ir.inner import changed_inside, is_same, with_block
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.statements import checks
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import INT

Env = dict[Operand, Operand]


def without_last_trips(function: Function) -> Function:
    """The function with loops back that begin before the trip that left the loop.

    Linear in the statements, times the branches one inside the other.
    """
    if not any(isinstance(s, While) and s.stacks for s in walk(function.body)):
        return function
    return with_block(function, bounce(_without(function.block)))


def _without(block: Block) -> Task[Block]:
    body = list(block.body)
    readers = _readers(block)
    for loop in (s for s in block.body if isinstance(s, While)):
        left = exit_of(loop)
        backs = _backs(loop, readers) if left is not None else []
        if not backs or left is None:
            continue
        fewer, trips = _trips_back(loop, left.flag)
        (count,) = trips.outs
        ended: dict[Statement, Scan | None] = {
            back: _ended(loop, left.flag, back, count) for back in backs
        }
        if None not in ended.values():
            place = body.index(backs[0])
            behind = (ended.get(s) or s for s in body[place:])
            body[place:] = [fewer, trips, *behind]
    body = yield from changed_inside(body, _without)
    return block if is_same(body, block.body) else replace(block, body=tuple(body))


def _readers(block: Block) -> Mapping[Operand, list[Statement | None]]:
    """The statements that read each list of a block; None stands for its end."""
    found: dict[Operand, list[Statement | None]] = {}
    for statement in block.body:
        for one in statement.inputs:
            found.setdefault(one, []).append(statement)
    for one in block.results:
        found.setdefault(one, []).append(None)
    return found


def _backs(
    loop: While, readers: Mapping[Operand, list[Statement | None]]
) -> list[Scan]:
    """The loops back over what a loop records; none if anything else may read it."""
    backs = [s for s in readers.get(loop.trips, ()) if _goes_back(loop, s)]
    read = [s for stack in loop.stacks for s in readers.get(stack, ())]
    found = [s for s in dict.fromkeys(backs) if isinstance(s, Scan) and s in read]
    others = any(s not in found for s in read)
    return [] if others or loop.snapshots is not None else found


def _goes_back(loop: While, statement: Statement | None) -> bool:
    """Whether a statement is a loop over the trips of the other, the last one first."""
    if not isinstance(statement, Scan) or statement.snapshots is not None:
        return False
    whole = statement.start == Literal(0) and statement.step == Literal(1)
    own = set(statement.entries) <= set(loop.stacks)
    once = statement.inputs.count(loop.trips) == 1 and statement.stop is loop.trips
    return statement.backwards and whole and own and once and not statement.stacks


def _ended(loop: While, place: int, back: Scan, count: Var) -> Scan | None:
    """The loop back as it is for all trips but one that left, `count` in number; None
    where that one changes what the loop back carries.
    """
    block = back.body
    if block.params[0] in read_in(block) or any(map(checks, walk(block.body))):
        return None
    flag = loop.body.results[place]
    entries = block.params[len(block.params) - len(back.entries) :]
    twins = _twins(loop, back)

    def over(value: bool) -> Env:
        known = _known(loop.body, flag, value)
        return {own: known[other] for own, other in twins.items() if other in known}

    leaving, staying = over(True), over(False)
    if not leaving:
        return None
    ends = Builder(TABLE, LAWS).inline(_taken(block, leaving), block.params)
    if ends != block.params[1 : 1 + len(back.carries)]:
        return None
    made = _taken(block, staying)
    kept = [k for k, entry in enumerate(entries) if entry not in staying]
    if not kept:
        return None
    params = tuple(param for param in block.params if param not in staying)
    return replace(
        back,
        stop=count,
        entries=tuple(back.entries[k] for k in kept),
        body=replace(made, params=params),
    )


def _twins(loop: While, back: Scan) -> Env:
    """What the loop forth calls the values that a trip back has from it, or computes as
    it does. Linear in both.
    """
    records = loop.body.results[len(loop.carries) :]
    entered = dict(zip(loop.stacks, records, strict=True))
    entries = zip(back.body.params[::-1], back.entries[::-1], strict=False)
    read = zip(loop.body.params[len(loop.carries) :], loop.reads, strict=True)
    outside = {outer: param for param, outer in read}
    params = back.body.params[1 + len(back.carries) :]
    found: Env = {
        param: outside[outer]
        for param, outer in zip(params, back.reads, strict=False)
        if outer in outside
    }
    found.update(
        (param, entered[stack]) for param, stack in entries if isinstance(stack, Var)
    )
    made = {(s.op, s.args): s.out for s in loop.body.body if isinstance(s, Apply)}
    for statement in back.body.body:
        if isinstance(statement, Apply):
            args = tuple(found.get(arg, arg) for arg in statement.args)
            if (statement.op, args) in made:
                found[statement.out] = made[statement.op, args]
    return found


def _known(block: Block, value: Operand, holds: bool) -> Mapping[Operand, Literal]:
    """What the tests of a block are where one of its values, a test, is known."""
    makers = {out: s for s in block.body for out in s.outs}
    found: dict[Operand, Literal] = {}
    waiting = [(value, holds)]
    while waiting:
        one, holds = waiting.pop()
        if not isinstance(one, Var) or one in found:
            continue
        found[one] = Literal(holds)
        match makers.get(one):
            case Apply(op=op, args=args) if op.name == "not":
                waiting.append((args[0], not holds))
            case Apply(op=op, args=args) if op.name == ("and" if holds else "or"):
                waiting += [(arg, holds) for arg in args]
            case Branch() as branch:
                waiting += _known_of(branch, branch.outs.index(one), holds)
    return found


def _known_of(branch: Branch, place: int, holds: bool) -> list[tuple[Operand, bool]]:
    """What is known of the tests around a branch and of its values, one of which is."""
    other = Literal(not holds)
    then, orelse = (block.results[place] == other for block in branch.blocks)
    if then == orelse:
        return []
    arm = branch.then if orelse else branch.orelse
    inside = _known(arm, arm.results[place], holds)
    given = zip((*arm.params, *arm.results), (*branch.args, *branch.outs), strict=True)
    known = ((outer, inside.get(inner, inner)) for inner, outer in given)
    told = [
        (outer, literal.value)
        for outer, literal in known
        if isinstance(literal, Literal) and isinstance(literal.value, bool)
    ]
    return [(branch.test, orelse), *told]


def _taken(block: Block, known: Mapping[Operand, Operand]) -> Block:
    """The block where tests are known: in place of a branch stands the arm taken."""
    env: Env = dict(known)
    body = tuple(_placed(block.body, env))
    results = tuple(env.get(result, result) for result in block.results)
    return Block(block.params, body, results)


def _placed(body: Sequence[Statement], env: Env) -> list[Statement]:
    found: list[Statement] = []
    for statement in body:
        made = statement.over(env)
        if not isinstance(made, Branch):
            found.append(made)
        elif isinstance(made.test, Literal):
            arm = made.then if made.test.value else made.orelse
            env.update(zip(arm.params, made.args, strict=True))
            found += _placed(arm.body, env)
            ends = (env.get(result, result) for result in arm.results)
            env.update(zip(made.outs, tuple(ends), strict=True))
        else:
            made = made.map_blocks(partial(_given, args=made.args))
            env.update(_in_both_arms(made))
            found.append(made)
    return found


def _in_both_arms(branch: Branch) -> Env:
    """The values of a branch that are what it is given, whichever arm is taken."""
    given: list[Env] = [
        dict(zip(arm.params, branch.args, strict=True)) for arm in branch.blocks
    ]
    ends = (
        tuple(known.get(r, r) for known, r in zip(given, results, strict=True))
        for results in zip(*(arm.results for arm in branch.blocks), strict=True)
    )
    return {
        out: end
        for out, (end, other) in zip(branch.outs, ends, strict=True)
        if end is other or (isinstance(end, Literal) and end == other)
    }


def _given(arm: Block, args: Sequence[Operand]) -> Block:
    """An arm where some of what it is given is known."""
    pairs = zip(arm.params, args, strict=True)
    known: Env = {param: arg for param, arg in pairs if isinstance(arg, Literal)}
    return _taken(arm, known) if known else arm


def _trips_back(loop: While, flag: int) -> tuple[Apply, Branch]:
    """The number of trips but for one that left the loop, as the out of a branch."""
    fewer, chosen = Var(INT), Var(INT, loop.trips.hint)
    counted = Apply(fewer, TABLE["sub"], (loop.trips, Literal(1)))
    then, orelse = ((Var(INT), Var(INT)) for _ in range(2))
    arms = Block(then, (), (then[0],)), Block(orelse, (), (orelse[1],))
    args = (fewer, loop.trips)
    return counted, Branch((chosen,), loop.outs[flag], args, *arms)
