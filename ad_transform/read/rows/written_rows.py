"""Lists that are written where they stand, in a list of lists: their other holders."""

from __future__ import annotations

from collections.abc import Iterator

from ad_transform.read.machine.aliases import Aliases, Look, RowWrite
from ad_transform.read.values.storage import Cell


def written_rows(of: Aliases) -> Iterator[tuple[Look, Cell]]:
    """The looks that may be out of date as a list in a list of lists is written, each
    with the list of lists. They are at copies of the list that were taken out before,
    and at lists that became items, which another list of lists may have. Where a loop
    decides which list that is, or both are in one loop, any order is taken to be
    possible.
    """
    for write in of.row_writes:
        for out in of.outs:
            if _are_kin(of, write.matrix, out.matrix):
                yield from _seen_late(of, write, out.time, out.cell)
                if any(_are_kin(of, share.row, out.cell) for share in of.shares):
                    yield Look(out.time, out.cell, out.span), write.matrix
        shares = [s for s in of.shares if _are_kin(of, write.matrix, s.matrix)]
        for share in shares:
            yield from _seen_late(of, write, share.time, share.row)
            others = [s.row for s in of.shares if s.event != share.event]
            others += (out.cell for out in of.outs)
            is_twice = any(_are_kin(of, row, share.row) for row in others)
            if is_twice or of.again(share):
                yield Look(share.time, share.row, share.row.span), write.matrix
        for one in (*of.held, *(of.copies if write.grows else ())):
            if _are_kin(of, write.matrix, one.cell):
                yield one, write.matrix


def _seen_late(
    of: Aliases, write: RowWrite, time: int, cell: Cell
) -> Iterator[tuple[Look, Cell]]:
    """The looks at a cell, as it was at a time, that may come behind a write."""
    for look in of.looks:
        behind = time < write.time < look.time
        if look.cell is cell:
            again = any(
                r.has(write.time) and r.has(look.time) and of.born[cell] < r.start
                for r in of.rounds
            )
        elif cell in (givers := _givers_of(of, look.cell)):
            stays = not of.turns.keys().isdisjoint(givers)
            again = any(
                r.has(write.time)
                and r.has(look.time)
                and (stays or of.born[look.cell] < r.start)
                for r in of.rounds
            )
        else:
            continue
        if behind or again:
            yield look, write.matrix


def _are_kin(of: Aliases, one: Cell, other: Cell) -> bool:
    """Whether two cells may be one object, or one that both were before."""
    if one is other:
        return True
    return not _givers_of(of, one).isdisjoint(_givers_of(of, other))


def _givers_of(of: Aliases, cell: Cell) -> set[Cell]:
    """A cell, and all cells that it may be."""
    found: set[Cell] = set()
    stack: list[Cell | None] = [cell]
    while stack:
        one = stack.pop()
        if one is None or one in found:
            continue
        found.add(one)
        stack += of.choices.get(one, ())
        turn = of.turns.get(one)
        stack += (turn.start, turn.end) if turn is not None else ()
    return found
