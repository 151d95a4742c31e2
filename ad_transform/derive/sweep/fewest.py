"""The values that the way forth hands to the way back: as few as it can do with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.sweep.cut import Split, split
from ad_transform.derive.sweep.recomputed import recomputed, without_records
from ad_transform.ir.nodes import Operand, Statement

Ways = tuple[Sequence[Statement], Sequence[Statement]]
"""The statements forth, and those back."""


def fewest(
    ways: Ways,
    results: Sequence[Operand],
    late: Iterable[Operand],
    free: Sequence[Operand],
    lasting: Collection[Operand],
) -> Split:
    """The way back divided so that few values are handed to it, see `split`. Cheap
    operations on numbers and `lasting` arrays alone are done once more there.
    """
    forth, back = ways
    known = [v for v in free if v in lasting or not v.type.dims]
    cheap = recomputed(forth, known)
    made = [s.out for s in cheap]
    part = split(back, results, late, (*free, *made))
    part, more = without_records(part, forth, (*known, *made))
    again = read_by(part.late, results, (*cheap, *more))
    return replace(part, late=(*again, *part.late))


def read_by(
    late: tuple[Statement, ...],
    results: Iterable[Operand],
    cheap: Sequence[Statement],
) -> tuple[Statement, ...]:
    """The statements among those done once more that the way back reads."""
    needed = {o for s in late for o in s.inputs}.union(results)
    kept = []
    for statement in reversed(cheap):
        if not needed.isdisjoint(statement.outs):
            kept.append(statement)
            needed.update(statement.inputs)
    return tuple(reversed(kept))
