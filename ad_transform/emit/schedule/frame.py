"""A body under construction."""

from __future__ import annotations

from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.emit.schedule.lines import Line
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var


@dataclass(slots=True)
class Frame:
    """A body under construction: its lines, and the pieces of its values.

    It stands `indent` columns in, bodies inside it a `step` deeper.

    `pending` are the nested values that read lists and have not been used yet; `owned`
    are the values whose names a loop may go on with, once nothing else reads them;
    `looped` are the final carries of the loops of this body; `lists` are those of its
    arms that the next loop begins with its own.
    """

    indent: int
    step: int
    lines: list[Line] = field(default_factory=list)
    values: dict[Var, Piece] = field(default_factory=dict)
    targets: dict[Var, Var] = field(default_factory=dict)
    pending: dict[Var, Piece] = field(default_factory=dict)
    owned: set[Var] = field(default_factory=set)
    looped: set[Var] = field(default_factory=set)
    lists: list[Line] = field(default_factory=list)

    def within(self) -> Frame:
        """A body inside this one."""
        return Frame(self.indent + self.step, self.step)

    def beside(self) -> Frame:
        """A body that is written at the same indentation."""
        return Frame(self.indent, self.step)
