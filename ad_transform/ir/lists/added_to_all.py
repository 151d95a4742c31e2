"""A number that is added to all elements of a list is added in a loop.

The way back of `mean = sum(x) / n` adds one number to each element of `x_bar`: the list
stays, `x_bar[i] += c`, and may have the loop in common with others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.types import INT

_OWN = frozenset({"full", "like", "copy", "added", "set", "add_at", "sub_at"})
"""Operations that make a list of their own, no part of another."""


def added_to_all(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such loops. Linear. `table` has the operations."""
    if "added" not in function.block.all_operations:
        return function
    return each_block(function, lambda block: _looped(block, table))


def _is_added(statement: Statement) -> bool:
    return isinstance(statement, Apply) and statement.op.name == "added"


def _looped(block: Block, table: Mapping[str, Elemental]) -> Block:
    if not any(map(_is_added, block.body)):
        return block
    read = Counter(block.times_read)
    for statement in block.body:
        if isinstance(statement, Apply) and statement.op.name in ("size", "like"):
            read[statement.args[0]] -= 1  # its length, which stays
    made: dict[Operand, Statement] = {
        out: statement for statement in block.body for out in statement.outs
    }
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Apply) and _is_added(statement):
            array, other = statement.args
            alike = made.get(other)
            if (
                isinstance(alike, Apply)
                and alike.op.name == "like"
                and read[array] == 1
                and _is_own(made.get(array))
            ):
                size = Apply(Var(INT), table["size"], (array,))
                body += size, _loop(statement, alike.args[1], size.out, table)
                continue
        body.append(statement)
    return with_body(block, body)


def _is_own(statement: Statement | None) -> bool:
    """Whether it makes a list that may be changed."""
    if isinstance(statement, Apply):
        return statement.op.name in _OWN
    return isinstance(statement, Scan)


def _loop(
    statement: Apply, value: Operand, length: Operand, table: Mapping[str, Elemental]
) -> Scan:
    """A loop that adds a value to each element."""
    array, out = statement.args[0], statement.out
    index, param = Var(INT, "i"), Var(array.type, out.hint)
    inner: Operand = value if isinstance(value, Literal) else Var(value.type)
    added = Var(out.type, out.hint)
    params = (index, param) if isinstance(inner, Literal) else (index, param, inner)
    body = (Apply(added, table["add_at"], (param, inner, index)),)
    reads = () if isinstance(inner, Literal) else (value,)
    bounds = Literal(0), length, Literal(1)
    return Scan((out,), *bounds, (array,), reads, (), Block(params, body, (added,)))
