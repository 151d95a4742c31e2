"""Changes of carries at the end of a trip: in turn, and at once where they read each
other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.lines import Update
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.ir.nodes import Operand, Var


def update(
    scheduler: Scheduler,
    outs: Sequence[Var],
    results: Sequence[Operand],
    frame: Frame,
) -> None:
    """Bind each carry again when no other one reads its old value any more. Those that
    read each other change in one statement if it fits on a line; else the new value of
    one of them gets a name, and they change in turn.

    Quadratic in the carries.
    """
    pieces = (scheduler.piece(result, frame) for result in results)
    pairs = zip(outs, pieces, strict=True)
    changes = _Changes([(out, new) for out, new in pairs if new.var is not out])
    behind: list[int] = []
    while changes.reads:
        if (place := _first_without(changes.readers)) is not None:
            _bind(scheduler, changes, [place], frame)
            changes.let_go(place)
        elif (place := _first_without(changes.reads)) is not None:
            behind.append(place)
            changes.let_go(place)
        elif (place := _to_name(scheduler, changes, frame)) is not None:
            out, piece = changes.pairs[place]
            changes.pairs[place] = out, scheduler.bind(piece, frame)
            changes.reads_no_more(place)
        else:
            _bind(scheduler, changes, list(changes.reads), frame)
            break
    for place in reversed(behind):
        _bind(scheduler, changes, [place], frame)


@dataclass(slots=True)
class _Changes:
    """Carries with their new values, and the reads of one another among those left."""

    pairs: list[tuple[Var, Piece]]
    reads: dict[int, set[int]] = field(default_factory=dict)
    readers: dict[int, set[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        places = {out: place for place, (out, _) in enumerate(self.pairs)}
        self.readers = {place: set() for place in range(len(self.pairs))}
        for place, (_, piece) in enumerate(self.pairs):
            read = {places[var] for var in values_in((piece,)) if var in places}
            self.reads[place] = read - {place}
            for other in self.reads[place]:
                self.readers[other].add(place)

    def let_go(self, place: int) -> None:
        """Remove a carry from those that are left."""
        self.reads_no_more(place)
        del self.reads[place]
        for other in self.readers.pop(place):
            self.reads[other].discard(place)

    def reads_no_more(self, place: int) -> None:
        """Note that a carry reads none of the others: its new value has a name."""
        for other in self.reads[place]:
            self.readers[other].discard(place)
        self.reads[place] = set()


def _first_without(known: Mapping[int, Set[int]]) -> int | None:
    return next((place for place, some in known.items() if not some), None)


def _to_name(scheduler: Scheduler, changes: _Changes, frame: Frame) -> int | None:
    """The carry that reads most of the others, whose new value gets a name since not
    all fit on a line; None if they fit, or are names.
    """
    pairs = [changes.pairs[place] for place in changes.reads]
    columns = sum(scheduler.columns(out) + piece.width + 4 for out, piece in pairs) + 1
    if frame.indent + columns <= scheduler.composer.limit:
        return None
    wide = [k for k in changes.reads if not changes.pairs[k][1].is_atom]
    return max(wide, key=lambda place: len(changes.reads[place]), default=None)


def _bind(
    scheduler: Scheduler, changes: _Changes, places: Sequence[int], frame: Frame
) -> None:
    """One statement that binds carries again."""
    pairs = [changes.pairs[place] for place in places]
    outs = tuple(out for out, _ in pairs)
    pieces = tuple(piece for _, piece in pairs)
    if len(pairs) == 1:
        head = scheduler.beside(Update, outs[0])
        pieces = (scheduler.fitted(pieces[0], frame, head),)
    frame.lines.append(Update(outs, pieces, _notes(new for _, new in pairs)))


def _notes(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """The comments of values that have no statement of their own."""
    made = (piece.var for piece in pieces if not piece.is_atom)
    return tuple(note for var in made if var is not None for note in var.notes)
