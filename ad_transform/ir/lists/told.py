"""Lengths of new lists as they are known: `[0.0] * n` where it was `[0.0] * len(y)`.

A list that only tells others how long they are is then read by nobody.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Block, Function, Operand, Statement

_AS_LONG = frozenset({"set", "add_at", "sub_at", "copy", "like"})
"""Operations that give a list as long as their first argument."""
_LIKE = frozenset({"like", "rows_like", "layers_like"})
_MADE = _LIKE | {"full"}
"""Operations that make lists."""


def told(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with lists as long as another made by the length of that one, where
    it stands in the same block; `table` has the operations. Linear.
    """
    return each_block(function, lambda block: _told(block, table))


def _told(block: Block, table: Mapping[str, Elemental]) -> Block:
    if _MADE.isdisjoint(block.operations):
        return block
    lengths: dict[Operand, Operand] = {}
    body = [_by_length(statement, lengths, table) for statement in block.body]
    return with_body(block, _by_model(body))


def _by_model(body: list[Statement]) -> list[Statement]:
    """Lists, of rows too, made by the length of the first list of that length."""
    if not any(isinstance(s, Apply) and s.op.name in _LIKE for s in body):
        return body
    found: list[Statement] = []
    models: dict[Operand, Operand] = {}
    consumption, gone = Consumption(), set[Operand]()
    for statement in body:
        made = statement
        if isinstance(made, Apply) and made.op.name in _LIKE:
            model = models.get(made.args[0], made.args[0])
            if model not in gone:
                made = made.over({made.args[0]: model})
                models[made.out] = model
        gone.update(consumption.by(made))
        found.append(made)
    return found


def _by_length(
    statement: Statement,
    lengths: dict[Operand, Operand],
    table: Mapping[str, Elemental],
) -> Statement:
    if not isinstance(statement, Apply):
        return statement
    name, out = statement.op.name, statement.out
    if name == "full":
        lengths[out] = statement.args[1]
    length = lengths.get(statement.args[0]) if name in _AS_LONG else None
    if length is None:
        return statement
    lengths[out] = length
    return (
        Apply(out, table["full"], (statement.args[1], length))
        if name == "like"
        else statement
    )
