"""A body cut into levels: runs of statements, and the swept statements between them.

The level of a value is the number of swept statements in a row that it depends on. A
swept statement stands behind the run of its level, and its values are inputs of the
next. Swept are statements with blocks, operations on arrays and calls; a change of an
array stands behind all that reads the array as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TypeGuard

from ad_transform.dataclass import dataclass
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Call,
    Operand,
    Scan,
    Solve,
    Statement,
    Var,
    While,
)
from ad_transform.ir.typing import is_mixed

Swept = Apply | Branch | Scan | While | Solve | Call


@dataclass(slots=True)
class Level:
    """The statements of a run in order, and the swept statements behind it.

    `operations` are those of the run on numbers: the vertices of a graph.
    """

    run: list[Statement] = field(default_factory=list)
    operations: list[Apply] = field(default_factory=list)
    swept: list[Swept] = field(default_factory=list)


@dataclass(slots=True)
class Levels:
    """A body in levels. `mask` has, for every value, a bit for each swept statement,
    and each other one that changes arrays, that it depends on.
    """

    levels: list[Level]
    place: dict[Operand, int]
    mask: dict[Operand, int]


def is_operation(statement: Statement) -> TypeGuard[Apply]:
    """Whether a statement may be a vertex of a graph: an operation on numbers, or one
    on arrays of one shape, element by element.
    """
    if type(statement) is not Apply or statement.op.layout is not None:
        return False
    return not is_mixed(statement.op, statement.out.type, statement.args)


def in_levels(body: Sequence[Statement], varied: Mapping[Operand, int]) -> Levels:
    """The body in levels. Swept statements have blocks or arrays and a varied value."""
    found = Levels([Level()], {}, {})
    places, masks = found.place, found.mask
    consumption = Consumption()
    read: dict[Operand, int] = {}  # the last level in which an array is read
    bit = 1
    for statement in body:
        mask = 0
        known = [o for o in statement.inputs if type(o) is Var and o in places]
        level = max([places[o] for o in known], default=0)
        for value in known:
            mask |= masks[value]
        consumed = consumption.by(statement)
        for array in consumed:
            level = max(level, read.get(array, 0))
        place, own = level, found.levels[level]
        if is_operation(statement):
            own.run.append(statement)
            own.operations.append(statement)
        elif isinstance(statement, Swept) and not varied.keys().isdisjoint(
            statement.outs
        ):
            own.swept.append(statement)
            place = level + 1
            if place == len(found.levels):
                found.levels.append(Level())
        else:
            own.run.append(statement)
        if place > level or consumed:
            mask, bit = mask | bit, bit << 1
        for operand in statement.inputs:
            if type(operand) is Var and operand.type.dims:
                read[operand] = max(level, read.get(operand, 0))
        for out in statement.outs:
            places[out], masks[out] = place, mask
    return found
