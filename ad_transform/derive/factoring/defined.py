"""Definitions of monomials: by `cover` where these are not too many, else by `pairs`.

Where they are too many for a search of bounded work, both ways are tried with a budget
that is linear, and the better one is taken. Of very many a piece is made in both ways
first, for code that is made of copies, as the steps of a method are, is alike
everywhere: all are covered if that takes fewer operations there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from ad_transform.derive.factoring.cover import cover
from ad_transform.derive.factoring.cubes import Cube, Definition
from ad_transform.derive.factoring.pairs import by_pairs
from ad_transform.derive.factoring.ways import Ways, reciprocals

MANY = 6_000
"""Given and wanted monomials from which on a piece is tried first."""

PIECE = 300
"""Wanted monomials of such a piece."""

NEAR = 30
"""Wanted monomials with one atom up to which this joins them in a piece."""


def defined(
    given: Sequence[Cube], wanted: Sequence[Cube], ways: Ways
) -> Sequence[Definition] | None:
    """Definitions of all wanted monomials, operands first; of few, some may be of no
    use.

    None where there are too many of them, or a factor is not given by itself.
    """
    covered = cover(given, wanted, ways)
    if covered is not None or ways is reciprocals:
        return covered
    paired = by_pairs(given, wanted)
    if len(given) + len(wanted) < MANY or _gains_in_a_piece(given, wanted, ways):
        covered = cover(given, wanted, ways, alike=True)
    both = [found for found in (paired, covered) if found is not None]
    needed = [_needed(found, given, wanted) for found in both]
    return min(needed, key=len, default=None)


def _gains_in_a_piece(
    given: Sequence[Cube], wanted: Sequence[Cube], ways: Ways
) -> bool:
    """Whether covering takes fewer operations than pairs in the middle."""
    piece = _piece(wanted)
    atoms = {atom for m in piece for atom, _ in m.powers}
    near = [m for m in given if all(atom in atoms for atom, _ in m.powers)]
    covered, paired = cover(near, piece, ways, alike=True), by_pairs(near, piece)
    if covered is None or paired is None:
        return False
    return len(_needed(covered, near, piece)) < len(_needed(paired, near, piece))


def _piece(wanted: Sequence[Cube]) -> list[Cube]:
    """Monomials from the middle on, each with those that it has an atom in common with
    which few have.
    """
    users: dict[int, list[Cube]] = {}
    for m in wanted:
        for atom, _ in m.powers:
            users.setdefault(atom, []).append(m)
    found, middle = dict[Cube, None](), len(wanted) // 2
    for first in chain(wanted[middle:], wanted[:middle]):
        pending = [first]
        while pending and len(found) < PIECE:
            m = pending.pop()
            if m not in found:
                found[m] = None
                near = [users[atom] for atom, _ in m.powers]
                pending += chain.from_iterable(n for n in near if len(n) <= NEAR)
    return [m for m in wanted if m in found]


def _needed(
    definitions: Sequence[Definition], given: Collection[Cube], wanted: Sequence[Cube]
) -> list[Definition]:
    """The definitions that wanted monomials need."""
    made = {d.made: d.args for d in definitions}
    for m in given:
        made.pop(m, None)
    needed, pending = set[Cube](), [*wanted]
    while pending:
        m = pending.pop()
        if m in made and m not in needed:
            needed.add(m)
            pending += made[m]
    return [d for d in definitions if d.made in needed]
