"""The results of a function in a compiled language, as pieces."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.function import Returned, returned_operands
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scheduler import Scheduler


def fitting(indent: int) -> Returned:
    """A function that makes the results, each short enough for a line or two."""

    def returned(scheduler: Scheduler, frame: Frame) -> Sequence[Piece]:
        operands = returned_operands(scheduler.function)
        pieces = [scheduler.piece(operand, frame) for operand in operands]
        return [scheduler.fitted(piece, frame, indent) for piece in pieces]

    return returned
