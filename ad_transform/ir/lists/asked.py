"""A search in a list for a test alone becomes the question whether the item is there.

if (u.index(v) if v in u else -1) < 0:        if v not in u:
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import each_block
from ad_transform.ir.blocks.live import live
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
)

_ASKED = {
    "place": "absent",
    "place_beside": "absent_beside",
    "place_among": "absent_among",
}


def asked(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with a question in place of each search whose place only tests read.
    Linear. `table` has the operations.
    """
    if function.block.all_operations.isdisjoint(_ASKED):
        return function
    body = live(function.body, function.results)  # arms that do not read it want none
    needed = replace(function, block=replace(function.block, body=body))
    return each_block(needed, lambda block: _asked(block, table))


def _is_place(statement: Statement) -> bool:
    return isinstance(statement, Apply) and statement.op.name in _ASKED


def _asked(block: Block, table: Mapping[str, Elemental]) -> Block:
    places = {s.outs[0]: s for s in block.body if _is_place(s)}
    if not places:
        return block
    read: Counter[Operand] = Counter(o for s in block.body for o in s.inputs)
    read.update(block.results)
    tests = {
        s.args[0]: s
        for s in block.body
        if isinstance(s, Apply)
        and s.op.name == "lt"
        and s.args[0] in places
        and s.args[1] == Literal(0)
        and read[s.args[0]] == 1
    }
    body: list[Statement] = []
    gone = set(tests.values())
    for statement in block.body:
        test = tests.get(statement.outs[0]) if _is_place(statement) else None
        if test is not None and isinstance(statement, Apply):
            op = table[_ASKED[statement.op.name]]
            body.append(Apply(test.out, op, statement.args))
        elif statement not in gone:
            body.append(statement)
    return Block(block.params, tuple(body), block.results)
