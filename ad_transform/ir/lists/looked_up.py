"""Keys that a branch enters where they are not there are not looked for behind it.

if k not in keys:                    place = keys.index(k) if k in keys else -1
    keys.append(k)                   if place < 0:
    values.append(f(k))                  place = len(keys)
place = keys.index(k)                    keys.append(k)
if place < 0:                            values.append(f(k))
    raise KeyError(k)                x = values[place]
x = values[place]
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import each_block
from ad_transform.ir.elemental import Elemental
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
from ad_transform.ir.types import INT

Operands = tuple[Operand, ...]
Makers = dict[Operand, int]
"""The places in a block of the makers of values."""

_LISTS = {"place": 1, "place_beside": 2, "place_among": 3}
"""Searches for a key, with the number of lists side by side that they search."""


def looked_up(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function that looks for a key once. Linear. `table` has the operations."""
    if function.block.all_operations.isdisjoint(_LISTS):
        return function
    return each_block(function, lambda block: _once(block, table), leaves=False)


def _once(block: Block, table: Mapping[str, Elemental]) -> Block:
    if block.operations.keys().isdisjoint(_LISTS):
        return block
    makers: Makers = {out: k for k, s in enumerate(block.body) for out in s.outs}
    body = list(block.body)
    known: dict[Operand, Operand] = {}
    for statement in block.body:
        found = _second(statement, body, makers)
        if found is not None and isinstance(statement, Apply):
            at, first, is_absent = found
            branch = body[at]
            assert isinstance(branch, Branch)
            place = Var(INT, statement.out.hint or "place")
            body[at] = _with_place(branch, first, is_absent, place, table)
            known[statement.out] = place
    if not known:
        return block
    return _told(Block(block.params, tuple(body), block.results), known)


def _second(
    statement: Statement, body: list[Statement], makers: Makers
) -> tuple[int, Apply, bool] | None:
    """For a second search: the place of the branch that has entered the key, the first
    search, and the answer of its test where the key is absent; else None.
    """
    if not isinstance(statement, Apply) or statement.op.name not in _LISTS:
        return None
    count = _LISTS[statement.op.name]
    lists, keys = statement.args[:count], statement.args[count:]
    at = makers.get(lists[0])
    branch = body[at] if at is not None else None
    if at is None or not isinstance(branch, Branch):
        return None
    if any(makers.get(one) != at for one in lists):
        return None
    tested = _tested(branch.test, body, makers)
    if tested is None:
        return None
    first, is_absent = tested
    own = first.args[count:]
    if first.op is not statement.op or not _are_alike(own, keys, body, makers):
        return None
    places = [branch.outs.index(one) for one in lists if isinstance(one, Var)]
    pairs = list(zip(places, first.args, own, strict=False))
    arms = branch.blocks if is_absent else branch.blocks[::-1]
    enters = all(_enters(branch, arms[0], k, old, key) for k, old, key in pairs)
    stays = all(_is(branch, arms[1], arms[1].results[k], old) for k, old, _ in pairs)
    return (at, first, is_absent) if enters and stays else None


def _tested(
    test: Operand, body: list[Statement], makers: Makers
) -> tuple[Apply, bool] | None:
    """The search that a test is about, `place < 0`; and whether the test says that the
    key is absent, or the opposite.
    """
    says = True
    while test in makers:
        made = body[makers[test]]
        if not isinstance(made, Apply):
            return None
        if made.op.name == "not":
            (test,), says = made.args, not says
            continue
        if made.op.name != "lt" or made.args[1] != Literal(0):
            return None
        at = makers.get(made.args[0])
        place = body[at] if at is not None else None
        is_place = isinstance(place, Apply) and place.op.name in _LISTS
        return (place, says) if is_place and isinstance(place, Apply) else None
    return None


def _are_alike(
    ones: Operands, others: Operands, body: list[Statement], makers: Makers
) -> bool:
    """Whether keys are the same, or made by the same operations of the same values."""
    pairs, seen = list(zip(ones, others, strict=True)), 0
    while pairs:
        one, other = pairs.pop()
        if one is other or (isinstance(one, Literal) and one == other):
            continue
        made = [body[makers[key]] for key in (one, other) if key in makers]
        seen += 1
        match made:
            case [Apply() as a, Apply() as b] if a.op is b.op and seen < _MOST:
                if len(a.args) != len(b.args) or a.out.type.is_array:
                    return False
                pairs += zip(a.args, b.args, strict=True)
            case _:
                return False
    return True


_MOST = 8
"""Operations that make a key."""


def _is(branch: Branch, arm: Block, inner: Operand, outer: Operand) -> bool:
    """Whether a value of an arm is the parameter for an operand outside."""
    given = zip(arm.params, branch.args, strict=True)
    return any(param is inner and arg == outer for param, arg in given)


def _enters(branch: Branch, arm: Block, place: int, old: Operand, key: Operand) -> bool:
    """Whether a result of an arm is the old list with one more item, the key."""
    result = arm.results[place]
    made = next((s for s in arm.body if result in s.outs), None)
    if not isinstance(made, Apply) or made.op.name != "append":
        return False
    group, item = made.args
    is_key = item == key if isinstance(item, Literal) else _is(branch, arm, item, key)
    return is_key and _is(branch, arm, group, old)


def _with_place(
    branch: Branch,
    first: Apply,
    is_absent: bool,
    place: Var,
    table: Mapping[str, Elemental],
) -> Branch:
    """The branch with one more result: the place of the key behind it."""
    arms: list[Block] = []
    more = Var(INT, first.out.hint)
    for arm, enters in zip(branch.blocks, (is_absent, not is_absent), strict=True):
        param = replace(more)
        body, result = arm.body, param
        if enters:
            group = arm.params[branch.args.index(first.args[0])]
            result = replace(place)
            body = (Apply(result, table["size"], (group,)), *body)
        arms.append(Block((*arm.params, param), body, (*arm.results, result)))
    return Branch(
        (*branch.outs, place), branch.test, (*branch.args, first.out), arms[0], arms[1]
    )


def _told(block: Block, known: dict[Operand, Operand]) -> Block:
    """The block where some places are known, and known not to be below 0."""
    placed = set(known.values())
    env = dict(known)
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env)
        match made:
            case Apply(op=op, args=(of, Literal(value=0))) if of in placed:
                if op.name == "lt":
                    env[made.out] = Literal(False)
                    continue
            case Apply(op=op, args=(Literal(value=False),)) if op.name == "not":
                env[made.out] = Literal(True)
                continue
            case Check(test=Literal(value=True)):
                continue
        if statement.outs and statement.outs[0] in known:
            continue
        body.append(made)
    results = tuple(env.get(result, result) for result in block.results)
    return Block(block.params, tuple(body), results)
