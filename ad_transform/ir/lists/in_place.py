"""Elements that are read, changed and written back are changed in place.

`a[i] = a[i] + w` is `a[i] += w`: on the way back its adjoint is read, and not taken,
cleared and given back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Block, Function, Operand, Statement
from ad_transform.ir.trampoline import Task, bounce

_SUMS = {"add": "add_at", "sub": "sub_at"}


def in_place(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with its elements changed in place; `table` has the operations.

    Linear.
    """
    if "set" not in function.block.all_operations:
        return function
    block = bounce(_changed(function.block, table))
    return function if block is function.block else replace(function, block=block)


def _changed(block: Block, table: Mapping[str, Elemental]) -> Task[Block]:
    read = _reads(block)
    makers: dict[Operand, Apply] = {}
    made: dict[Statement, Statement | None] = {}
    for statement in block.body:
        if isinstance(statement, Apply):
            makers[statement.out] = statement
            if _writes(statement):
                made |= _sum(statement, makers, read, table)
        elif statement.blocks:
            inner: list[Block] = []
            for held in statement.blocks:
                inner.append((yield _changed(held, table)))
            if any(a is not b for a, b in zip(inner, statement.blocks, strict=True)):
                rest = statement.outs, statement.inputs
                made[statement] = statement.rebuilt(*rest, tuple(inner))
    if not made:
        return block
    body = (made.get(statement, statement) for statement in block.body)
    return replace(block, body=tuple(s for s in body if s is not None))


def _writes(statement: Statement) -> bool:
    return isinstance(statement, Apply) and statement.op.name == "set"


def _reads(block: Block) -> Counter[Operand]:
    """The number of reads of each value, in a block that writes to elements."""
    read: Counter[Operand] = Counter()
    if any(map(_writes, block.body)):
        read.update(o for s in block.body for o in s.inputs)
        read.update(block.results)
    return read


def _sum(
    statement: Apply,
    makers: Mapping[Operand, Apply],
    read: Counter[Operand],
    table: Mapping[str, Elemental],
) -> dict[Statement, Statement | None]:
    """The substitutes of a write that adds to an element, and of the statements that
    only the write reads; none for any other write.
    """
    array, value, *index = statement.args
    found = makers.get(value)
    if found is None or read[value] != 1:
        return {}
    change = _SUMS.get(found.op.name)
    for k, arg in enumerate(found.args[: 1 if change == "sub_at" else 2]):
        old = makers.get(arg)
        if change is None or old is None or read[arg] != 1:
            continue
        if old.op.name == "get" and old.args == (array, *index):
            args = (array, found.args[1 - k], *index)
            last = Apply(statement.out, table[change], args)
            return {old: None, found: None, statement: last}
    return {}
