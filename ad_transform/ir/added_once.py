"""An element that is added to twice in a row is added to once; one that is 0 before is
stored.

`x_bar[i] += a * b` and `x_bar[i] += c * v` become `x_bar[i] += a * b + c * v`. Where
`x_bar` is new in front of a loop, and each trip adds to an element of its own, it is
`x_bar[i] = a * b + c * v`. So it is in a loop over the elements of the trip's row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from ad_transform.ir.carried import changes, has_own_places, times_read
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.inner import each_block, of_value, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    walk,
)

_ADDING = {"add_at": 1, "sub_at": -1}
"""What adds to an element, and the sign of what it adds."""
_ROOM = {"like": 1, "rows_like": 1, "full": 0, "grid": 0}
"""What makes room for elements, and the place of what they are at first."""


def added_once(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such elements added to once, or stored; those of its value stay
    as they are. Linear. `table` has the operations.
    """
    if not any(map(_adds, walk(function.body))):
        return function
    sacred = of_value(function)
    joined = each_block(function, lambda block: _joined(block, sacred, table))
    return each_block(joined, lambda block: _stored(block, sacred, table))


def _adds(statement: Statement) -> bool:
    return isinstance(statement, Apply) and statement.op.name in _ADDING


def _is_one(statement: Apply) -> bool:
    """Whether it adds a number to an element of a list."""
    return (
        statement.op.name in _ADDING
        and len(statement.args) == 3
        and not statement.args[1].type.dims
    )


def _joined(
    block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Block:
    """A block with an element added to once where that was twice."""
    read = times_read(block)
    made: dict[Operand, int] = {}  # what adds to an element, by place
    body: list[Statement | None] = []
    for statement in block.body:
        if not isinstance(statement, Apply) or not _is_one(statement):
            body.append(statement)
            continue
        place = made.get(statement.args[0], -1)
        before = body[place] if place >= 0 else None
        both: tuple[Apply, ...] = (statement,)
        if (
            isinstance(before, Apply)
            and before.args[2] == statement.args[2]
            and read[before.out] == 1
            and statement.out not in sacred
        ):
            body[place] = None
            both = _both(before, statement, table)
        body += both
        made[statement.out] = len(body) - 1
    return with_body(block, [s for s in body if s is not None])


def _both(
    before: Apply, behind: Apply, table: Mapping[str, Elemental]
) -> tuple[Apply, Apply]:
    """What two add to an element, and the one that adds it."""
    array, one, place = before.args
    other = behind.args[1]
    first, second = (_ADDING[each.op.name] for each in (before, behind))
    name, sign = ("add" if first == second else "sub"), first
    if first < second:
        one, other, sign = other, one, second
    total = Apply(Var(other.type), table[name], (one, other))
    op = before.op if sign == first else behind.op
    return total, replace(behind, op=op, args=(array, total.out, place))


def _stored(
    block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Block:
    """A block with elements stored that were 0 and are added to once."""
    if not any(isinstance(s, Scan) or _adds(s) for s in block.body):
        return block
    empty: set[Operand] = set()
    found: list[Statement] = []
    for statement in block.body:
        made = statement
        if isinstance(made, Apply) and made.op.name in _ROOM:
            if made.args[_ROOM[made.op.name]] == Literal(0.0):
                empty.add(made.out)
        elif isinstance(made, Apply) and _is_one(made):
            if made.args[0] in empty and made.out not in sacred:
                found += _store(made, table)
                continue
        elif isinstance(made, Scan) and not empty.isdisjoint(made.carries):
            pairs = enumerate(zip(made.outs, made.carries, strict=False))
            mine = {k for k, (out, c) in pairs if c in empty and out not in sacred}
            made = _storing_in_rows(_storing(made, mine, table), mine, table)
        found.append(made)
    return with_body(block, found)


def _storing(loop: Scan, mine: Set[int], table: Mapping[str, Elemental]) -> Scan:
    """A loop that stores what it adds to an element of its own in each trip, of some of
    its carries.
    """
    if not mine or not has_own_places(loop):
        return loop
    index = loop.body.params[0]
    adds = {
        add.out
        for k, add in changes(loop).items()
        if k in mine and _is_one(add) and add.args[2] is index
    }
    return _with_stores(loop, adds, table)


def _storing_in_rows(
    loop: Scan, mine: Set[int], table: Mapping[str, Elemental]
) -> Scan:
    """A loop of which the loops inside store what they add, to an element of its own in
    each trip, of the row of the trip outside.
    """
    if not mine or not has_own_places(loop):
        return loop
    index, *params = loop.body.params
    read = times_read(loop.body)
    ends: dict[Operand, Operand] = {
        params[k]: loop.body.results[k] for k in mine if read[params[k]] == 1
    }
    body: list[Statement] = []
    for statement in loop.body.body:
        made = statement
        if isinstance(made, Scan) and index in made.reads and has_own_places(made):
            inner = made.body.params
            row = inner[1 + len(made.carries) + made.reads.index(index)]
            adds = {
                add.out
                for k, add in changes(made).items()
                if ends.get(made.carries[k]) is made.outs[k] and read[made.outs[k]] == 1
                if add.op.name in _ADDING and add.args[2:] == (row, inner[0])
            }
            made = _with_stores(made, adds, table)
        body.append(made)
    changed = with_body(loop.body, body)
    return loop if changed is loop.body else replace(loop, body=changed)


def _with_stores(loop: Scan, adds: Set[Var], table: Mapping[str, Elemental]) -> Scan:
    """A loop that stores what it adds, by what that gives."""
    body: list[Statement] = []
    for statement in loop.body.body:
        if isinstance(statement, Apply) and statement.out in adds:
            body += _store(statement, table)
        else:
            body.append(statement)
    changed = with_body(loop.body, body)
    return loop if changed is loop.body else replace(loop, body=changed)


def _store(add: Apply, table: Mapping[str, Elemental]) -> Sequence[Apply]:
    """What stores an element, in place of what adds to it."""
    array, value, *places = add.args
    if add.op.name == "add_at":
        return (replace(add, op=table["set"]),)
    less = Apply(Var(value.type), table["neg"], (value,))
    return less, replace(add, op=table["set"], args=(array, less.out, *places))
