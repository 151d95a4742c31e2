"""Common pairs of factors: few products and quotients, in nearly linear work.

Every monomial is a row of literals, factors above the line and below it. The pair that
most rows have in common is made once and becomes a literal of its own, until no two
rows share a pair: two factors above the line, the same two below it, or a factor above
over one below. A pair that n rows share saves n - 1 operations. This is the fast
extraction of logic synthesis (Rajski & Vasudevamurthy 1992) with quotients.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from ad_transform.derive.factoring.cubes import (
    Cube,
    Definition,
    over,
    times,
    whole,
)
from ad_transform.ir.monomial import Monomial

WINDOW = 50_000
"""Pairs of literals that are looked at together. What was made for one window serves
the next ones, but is not chosen for them."""

TRIED = 32
"""Given values with one factor that are tried as a part of a monomial: the first."""

Pair = tuple[int, int]
"""Two literals: (a, b) with a <= b is their product, (a, ~b) is a over b."""


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
    for window in _windows(list(rows.values())):
        _Window(pool, window).share()
    for made, row in rows.items():
        pool.finish(made, row)
    for m in wishes:
        if not pool.has(m):  # it may be part of another one
            positive = m.signed(-1)
            pool.definitions.append(Definition(m, "neg", (positive,)))
    return pool.definitions


def _without_signs(wishes: Iterable[Cube]) -> Iterator[Cube]:
    """The monomials, those out that are the negative of one that is made anyway."""
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


Row = Counter[int]
"""How often each literal stands in a monomial: a above the line, ~a below it."""


class _Pool:
    """The values that literals stand for, and how those are made that are not given."""

    def __init__(self, given: Iterable[Cube]) -> None:
        self.values: list[Cube] = []
        self.definitions: list[Definition] = []
        self.pairs: dict[Pair, int] = {}
        self._numbers: dict[Cube, int] = {}
        self._parts: dict[int, list[Cube]] = {}
        for m in given:
            self._number(m)
            if len(m.powers) > 1 or m.powers[0][1] != 1:
                parts = self._parts.setdefault(m.powers[-1][0], [])
                if abs(m.constant) == 1.0 and len(parts) < TRIED:
                    parts.append(m)

    def has(self, m: Cube) -> bool:
        """Whether it is there; constants always are."""
        return not m.powers or m in self._numbers

    def _number(self, m: Cube) -> int:
        if m not in self._numbers:
            self._numbers[m] = len(self.values)
            self.values.append(m)
        return self._numbers[m]

    def row(self, m: Cube) -> Row:
        """The literals of a monomial; raises KeyError if one is not given."""
        row: Row = Counter()
        while (part := self._part(m)) is not None:
            literal, m = part
            row[literal] += 1
        for atom, exponent in m.powers:
            literal = self._numbers[Monomial(1.0, ((atom, 1),))]
            row[literal if exponent > 0 else ~literal] = abs(exponent)
        if m.constant != 1.0 or all(literal < 0 for literal in row):
            row[self._number(Monomial(m.constant))] += 1
        return row

    def _part(self, m: Cube) -> tuple[int, Cube] | None:
        """The largest given value that is a part of a monomial, and the rest of it."""
        found: list[tuple[int, int, Cube]] = []
        for atom, _ in m.powers:
            for part in self._parts.get(atom, ()):
                size = sum(abs(exponent) for _, exponent in part.powers)
                if (rest := whole(m, part)) is not None:
                    found.append((-size, self._numbers[part], rest))
                elif (rest := whole(m, part.power(-1))) is not None:
                    found.append((-size, ~self._numbers[part], rest))
        return min(found)[1:] if found else None

    def literal(self, pair: Pair) -> int:
        """The literal of a pair, which is made if it is not there."""
        if pair not in self.pairs:
            a, b = pair
            x, y = self.values[a], self.values[max(b, ~b)]
            made = over(x, y) if b < 0 else times(x, y)
            if not self.has(made):
                op = "div" if b < 0 else "mul"
                self.definitions.append(Definition(made, op, (x, y)))
            self.pairs[pair] = self._number(made)
        return self.pairs[pair]

    def finish(self, made: Cube, row: Row) -> None:
        """Make a monomial of the literals that are left of it."""
        above = self._product({a: n for a, n in row.items() if a >= 0})
        below = self._product({~a: n for a, n in row.items() if a < 0})
        assert above is not None
        done = above if below is None else self.literal((above, ~below))
        assert self.values[done] == made

    def _product(self, row: dict[int, int]) -> int | None:
        """The literal of a product of powers."""
        total: int | None = None
        for literal, exponent in row.items():
            for factor in self._squarings(literal, exponent):
                if total is None:
                    total = factor
                else:
                    total = self.literal(pair_of(total, factor))
        return total

    def _squarings(self, literal: int, exponent: int) -> Iterator[int]:
        """The squares of squares that a power is the product of."""
        while exponent:
            if exponent % 2:
                yield literal
            exponent //= 2
            if exponent:
                literal = self.literal((literal, literal))


def pair_of(a: int, b: int) -> Pair:
    """The pair of two literals of one row."""
    if a < 0 and b < 0:
        a, b = ~a, ~b
    elif a < 0:
        return b, a
    elif b < 0:
        return a, b
    return (a, b) if a <= b else (b, a)


def _windows(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows in groups of about WINDOW pairs."""
    window: list[Row] = []
    room = WINDOW
    for row in rows:
        window.append(row)
        room -= len(row) ** 2 // 2
        if room < 0:
            yield window
            window, room = [], WINDOW
    yield window


class _Window:
    """Rows whose common pairs are made once, and which rows have a pair."""

    def __init__(self, pool: _Pool, rows: Sequence[Row]) -> None:
        self.pool = pool
        self.users: dict[Pair, dict[int, Row]] = {}
        for k, row in enumerate(rows):
            self._use_known(row)
            for pair in dict.fromkeys(_pairs(row, row)):
                self.users.setdefault(pair, {})[k] = row

    def _use_known(self, row: Row) -> None:
        """Put in what was made for other windows."""
        known = self.pool.pairs
        while known:
            pair = next((p for p in _pairs(row, row) if p in known), None)
            if pair is None:
                return
            _replace(row, pair, known[pair])

    def share(self) -> None:
        """Make the pair that most rows have, until none is in two of them."""
        queue = [(-len(rows), pair) for pair, rows in self.users.items()]
        queue = [entry for entry in queue if entry[0] < -1]
        heapify(queue)
        while queue:
            count, pair = heappop(queue)
            now = -len(self.users[pair])
            if now < count:  # it has a later entry
                continue
            if now == count:
                for changed in self._make(pair):
                    heappush(queue, (-len(self.users[changed]), changed))
            elif now < -1:
                heappush(queue, (now, pair))

    def _make(self, pair: Pair) -> list[Pair]:
        """Make a pair and put it into its rows; the pairs that are new by that."""
        literal = self.pool.literal(pair)
        new: dict[Pair, None] = {}
        for k, row in [*self.users[pair].items()]:
            near = (*_places(row, pair),)
            before = dict.fromkeys(_pairs(row, near))
            put = _replace(row, pair, literal)
            after = dict.fromkeys(_pairs(row, (*near, put)))
            for gone in before:
                if gone not in after:
                    del self.users[gone][k]
            for came in after:
                if came not in before:
                    self.users.setdefault(came, {})[k] = row
                    new[came] = None
        return [p for p in new if len(self.users[p]) > 1]


def _pairs(row: Row, literals: Iterable[int]) -> Iterator[Pair]:
    """The pairs in a row of which one of these literals is a part."""
    for a in literals:
        if a in row:
            for b in row:
                if a != b or row[a] > 1:
                    yield pair_of(a, b)


def _places(row: Row, pair: Pair) -> Pair:
    """The literals of a pair as they stand in a row: a product may be below."""
    a, b = pair
    return pair if a in row and b in row else (~a, ~b)


def _replace(row: Row, pair: Pair, literal: int) -> int:
    """Put a literal for a pair as often as that is there; as it stands there then."""
    a, b = _places(row, pair)
    often = row[a] // 2 if a == b else min(row[a], row[b])
    for factor in (a, b):
        row[factor] -= often
        if not row[factor]:
            del row[factor]
    put = ~literal if a < 0 else literal
    row[put] += often
    return put
