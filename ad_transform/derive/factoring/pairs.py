"""Common pairs of factors: few products and quotients, in nearly linear work.

Every monomial is a row of literals, factors above the line and below it. A pair that
rows have in common is two factors above the line, the same two below it, or a factor
above over one below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ad_transform.derive.factoring.common import Pair, Row, share
from ad_transform.derive.factoring.cubes import (
    Cube,
    Definition,
    over,
    times,
    whole,
)
from ad_transform.ir.monomial import Monomial

TRIED = 32
"""Given values with one factor that are tried as a part of a monomial: the first."""


def by_pairs(given: Iterable[Cube], wanted: Iterable[Cube]) -> list[Definition] | None:
    """Definitions of all wanted monomials, operands first.

    None if a factor is not given by itself. Quadratic in the factors of a monomial (at
    most `products.LONGEST`), linear in the number of monomials.
    """
    pool = _Pool(given)
    wishes = dict.fromkeys(m for m in wanted if not pool.has(m))
    try:
        rows = {m: pool.row(m) for m in _without_signs(wishes)}
    except KeyError:
        return None
    share(pool, list(rows.values()))
    for made, row in rows.items():
        pool.finish(made, row)
    for m in wishes:
        if not pool.has(m):  # it may be part of another one
            positive = m.signed(-1)
            pool.definitions.append(Definition(m, "neg", (positive,)))
    return pool.definitions


def _without_signs(wishes: Iterable[Cube]) -> Iterator[Cube]:
    """The monomials without the negatives of ones that are made anyway."""
    wishes = dict.fromkeys(wishes)
    for m in wishes:
        if m.constant > 0 or not _sign_costs(m, wishes):
            yield m
        elif (positive := m.signed(-1)) not in wishes:
            yield positive


def _sign_costs(m: Cube, wishes: Iterable[Cube]) -> bool:
    """Whether a negative monomial is best made from the positive one.

    A constant takes the sign in, and so does the one of a reciprocal.
    """
    if m.signed(-1) in wishes:
        return True
    return m.constant == -1.0 and any(exponent > 0 for _, exponent in m.powers)


class _Pool:
    """The values of literals, and the definitions of those that are not given."""

    def __init__(self, given: Iterable[Cube]) -> None:
        self.pair = pair_of
        self.values: list[Cube] = []
        self.definitions: list[Definition] = []
        self.pairs: dict[Pair, int] = {}
        self._numbers: dict[Cube, int] = {}
        self._atoms: dict[int, int] = {}  # the numbers of those that are given
        self._parts: dict[int, list[Cube]] = {}
        for m in given:
            number = self._number(m)
            if m.constant == 1.0 and len(m.powers) == 1 and m.powers[0][1] == 1:
                self._atoms[m.powers[0][0]] = number
            if len(m.powers) > 1 or m.powers[0][1] != 1:
                parts = self._parts.setdefault(m.powers[-1][0], [])
                if abs(m.constant) == 1.0 and len(parts) < TRIED:
                    parts.append(m)

    def has(self, m: Cube) -> bool:
        """Whether a monomial is given or made; constants always are."""
        return not m.powers or m in self._numbers

    def _number(self, m: Cube) -> int:
        number = self._numbers.get(m)
        if number is None:
            number = self._numbers[m] = len(self.values)
            self.values.append(m)
        return number

    def row(self, m: Cube) -> Row:
        """The literals of a monomial; raises KeyError if one is not given."""
        row: Row = {}
        while (part := self._part(m)) is not None:
            literal, m = part
            row[literal] = row.get(literal, 0) + 1
        for atom, exponent in m.powers:
            literal = self._atoms[atom]
            if exponent > 0:
                row[literal] = exponent
            else:
                row[~literal] = -exponent
        if m.constant != 1.0 or not row or max(row) < 0:
            literal = self._number(Monomial(m.constant))
            row[literal] = row.get(literal, 0) + 1
        return row

    def _part(self, m: Cube) -> tuple[int, Cube] | None:
        """The largest given value that is a part of a monomial, and the rest of it."""
        parts = self._parts
        if not parts:
            return None
        found: list[tuple[int, int, Cube]] = []
        for atom, _ in m.powers:
            for part in parts.get(atom, ()):
                size = sum(abs(exponent) for _, exponent in part.powers)
                if (rest := whole(m, part)) is not None:
                    found.append((-size, self._numbers[part], rest))
                elif (rest := whole(m, part.power(-1))) is not None:
                    found.append((-size, ~self._numbers[part], rest))
        return min(found)[1:] if found else None

    def literal(self, pair: Pair) -> int:
        """The literal of a pair, made if there is none yet."""
        known = self.pairs.get(pair)
        if known is None:
            a, b = pair
            x, y = self.values[a], self.values[max(b, ~b)]
            made = over(x, y) if b < 0 else times(x, y)
            if not self.has(made):
                op = "div" if b < 0 else "mul"
                self.definitions.append(Definition(made, op, (x, y)))
            known = self.pairs[pair] = self._number(made)
        return known

    def finish(self, made: Cube, row: Row) -> None:
        """Make a monomial of its remaining literals."""
        above = self._product({a: n for a, n in row.items() if a >= 0})
        below = self._product({~a: n for a, n in row.items() if a < 0})
        assert above is not None
        done = above if below is None else self.literal((above, ~below))
        assert self.values[done] == made

    def _product(self, row: dict[int, int]) -> int | None:
        """The literal of a product of powers."""
        total: int | None = None
        for literal, exponent in row.items():
            one = exponent == 1
            for factor in (literal,) if one else self._squarings(literal, exponent):
                if total is None:
                    total = factor
                else:
                    total = self.literal(pair_of(total, factor))
        return total

    def _squarings(self, literal: int, exponent: int) -> Iterator[int]:
        """The repeated squares whose product is a power."""
        while exponent:
            if exponent % 2:
                yield literal
            exponent //= 2
            if exponent:
                literal = self.literal((literal, literal))


def pair_of(a: int, b: int) -> Pair:
    """The pair of two literals of one row: (a, b) with a <= b is their product, (a, ~b)
    is a over b.
    """
    if a < 0 and b < 0:
        a, b = ~a, ~b
    elif a < 0:
        return b, a
    elif b < 0:
        return a, b
    return (a, b) if a <= b else (b, a)
