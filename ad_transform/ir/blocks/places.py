"""Blocks and the statements that hold them: where a value of a block goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import Block, Operand, Scan, Statement, Var, While


@dataclass(slots=True)
class Place:
    """A block, the statement that holds it, and where that stands."""

    block: Block
    holder: Statement | None = None
    outer: Place | None = None
    reading: dict[Operand, list[Statement]] = field(default_factory=dict)
    held: dict[Statement, tuple[Place, ...]] = field(default_factory=dict)

    def inside(self) -> Iterator[Place]:
        """The blocks that its statements hold."""
        for place in self.block.holders:
            yield from self.within(self.block.body[place])

    def within(self, statement: Statement) -> tuple[Place, ...]:
        """The blocks that one of its statements holds, the same ones each time."""
        if not statement.blocks:
            return ()
        if statement not in self.held:
            blocks = statement.blocks
            self.held[statement] = tuple(Place(b, statement, self) for b in blocks)
        return self.held[statement]

    def readers(self, value: Operand) -> list[Statement]:
        """The statements that read a value; the first question is linear."""
        if not self.reading:
            for statement in self.block.body:
                for operand in dict.fromkeys(statement.inputs):
                    self.reading.setdefault(operand, []).append(statement)
        return self.reading.get(value, [])

    def stacks(self, value: Operand) -> list[Var] | None:
        """The stacks on which the loop around puts a value of the block; none if the
        block does not give it; None where something else reads it.
        """
        places = [k for k, one in enumerate(self.block.results) if one is value]
        holder = self.holder
        if not places:
            return []
        if not isinstance(holder, Scan | While) or holder.snapshots is not None:
            return None
        count = len(holder.carries)
        if self.block is not holder.body or places[0] < count:
            return None
        return [holder.stacks[k - count] for k in places]
