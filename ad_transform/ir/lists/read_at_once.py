"""An element that is added to, read and stored anew is read together with its addend.

`z_bar[i] += v`, `t = z_bar[i]` and `z_bar[i] = 0.0` become `t = z_bar[i] + v` and
`z_bar[i] = 0.0`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Operand,
    Statement,
    Var,
    walk,
)

_TOTAL = {"add_at": "add", "sub_at": "sub"}


def read_at_once(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such elements read so; those of its value stay as they are.
    Linear. `table` has the operations.
    """
    changes = not function.block.all_operations.isdisjoint(_TOTAL)
    if not changes or not any(map(_is_change, walk(function.body))):
        return function
    sacred = of_value(function)

    def changed(block: Block) -> Block:
        return with_body(block, _read(block, sacred, table))

    return each_block(function, changed)


def _is_change(statement: Statement) -> bool:
    """Whether it adds a number to an element."""
    is_change = isinstance(statement, Apply) and statement.op.name in _TOTAL
    return is_change and not statement.inputs[1].type.dims


def _read(
    block: Block, sacred: frozenset[Operand], table: Mapping[str, Elemental]
) -> list[Statement]:
    readers: dict[Operand, list[Statement]] = {}
    for statement in block.body:
        for operand in statement.inputs:
            readers.setdefault(operand, []).append(statement)
    given = set(block.results)
    gone: dict[Operand, Apply] = {}  # additions, by their array
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Apply) and _is_change(statement):
            reading = readers.get(statement.out, [])
            is_free = statement.out not in given and statement.out not in sacred
            if is_free and _is_renewed(statement, reading):
                gone[statement.out] = statement
                continue
        change = gone.get(statement.inputs[0]) if statement.inputs else None
        if change is None or not isinstance(statement, Apply):
            body.append(statement)
            continue
        array, value, *_ = change.args
        if statement.op.name == "set":
            body.append(replace(statement, args=(array, *statement.args[1:])))
            continue
        before = Var(statement.out.type)
        body.append(replace(statement, out=before, args=(array, *statement.args[1:])))
        total = table[_TOTAL[change.op.name]]
        body.append(replace(statement, op=total, args=(before, value)))
    return body


def _is_renewed(change: Apply, reading: list[Statement]) -> bool:
    """Whether an element is read and stored anew behind a change, and no other one."""
    if [s.op.name if isinstance(s, Apply) else "" for s in reading] != ["get", "set"]:
        return False
    get, store = (s.inputs for s in reading)
    place = change.args[2:]
    is_there = get[1:] == place and store[2:] == place
    return is_there and store[0] is change.out and change.out not in store[1:]
