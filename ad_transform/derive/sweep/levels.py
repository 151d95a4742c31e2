"""A body cut into levels: runs of statements, and the swept statements between them.

The level of a value is the number of swept statements in a row that it depends on. A
swept statement stands behind the run of its level, and its values are inputs of the
next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ad_transform.ir.nodes import Apply, Branch, Call, Operand, Scan, Statement, While


@dataclass(slots=True)
class Level:
    """The statements of a run in order, and the swept statements behind it."""

    run: list[Statement] = field(default_factory=list)
    swept: list[Branch | Scan | While] = field(default_factory=list)

    @property
    def operations(self) -> list[Apply]:
        """The operations of the run: what a graph is made of."""
        return [s for s in self.run if isinstance(s, Apply)]


@dataclass(slots=True)
class Levels:
    """A body in levels; `mask` tells of every value which swept statements it depends
    on, by their places in `swept`.
    """

    levels: list[Level]
    place: dict[Operand, int]
    mask: dict[Operand, int]


def in_levels(body: Sequence[Statement], varied: Mapping[Operand, int]) -> Levels:
    """The body in levels. Swept is what has blocks and gives a value that is varied."""
    found = Levels([Level()], {}, {})
    bit = 1
    for statement in body:
        level, mask = 0, 0
        for operand in statement.inputs:
            level = max(level, found.place.get(operand, 0))
            mask |= found.mask.get(operand, 0)
        own = found.levels[level]
        if isinstance(statement, Branch | Scan | While) and any(
            out in varied for out in statement.outs
        ):
            own.swept.append(statement)
            level, mask = level + 1, mask | bit
            bit <<= 1
            if level == len(found.levels):
                found.levels.append(Level())
        elif isinstance(statement, Call) and any(o in varied for o in statement.outs):
            raise ValueError(f"cannot differentiate the call of {statement.callee}")
        else:
            own.run.append(statement)
        for out in statement.outs:
            found.place[out], found.mask[out] = level, mask
    return found
