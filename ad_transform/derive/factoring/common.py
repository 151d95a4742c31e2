"""Rows of literals, and the pairs that several of them have, each made once.

A row is a product of literals, some below the line, or a sum, some with a minus sign.
The pair that most rows have becomes a literal of its own, until no two rows share one:
a pair that n rows share saves n - 1 operations. This is the fast extraction of logic
synthesis (Rajski & Vasudevamurthy 1992).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import Protocol

WINDOW = 50_000
"""Pairs of literals that are looked at together. Pairs made for one window serve the
next ones, but are not chosen for them."""

Row = dict[int, int]
"""The number of times that a row has each literal: a as it is, ~a below the line or
with a minus."""

Pair = tuple[int, int]
"""Two literals as a pool names them together."""


class Pool(Protocol):
    """The pairs of literals that there are, and the names of pairs."""

    pairs: dict[Pair, int]

    def pair(self, a: int, b: int, /) -> Pair:
        """The pair of two literals of one row, in any order; ~a and ~b may have the
        same.
        """
        ...

    def literal(self, pair: Pair) -> int:
        """The literal of a pair, made if there is none yet."""
        ...


def share(pool: Pool, rows: Sequence[Row]) -> None:
    """Put a literal for each pair that two rows have into these rows."""
    for window in _windows(rows):
        _Window(pool, window).share()


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
    """Rows whose common pairs are made once, and the rows of each pair."""

    def __init__(self, pool: Pool, rows: Sequence[Row]) -> None:
        self.pool = pool
        self.users: dict[Pair, dict[int, Row]] = {}
        users = self.users
        for k, row in enumerate(rows):
            for pair in self._unknown_pairs(row):
                if pair in users:
                    users[pair][k] = row
                else:
                    users[pair] = {k: row}

    def _unknown_pairs(self, row: Row) -> list[Pair]:
        """The pairs of a row, once pairs that other windows made are put into it."""
        known = self.pool.pairs
        while True:
            pairs = self._all_pairs(row)
            pair = next((p for p in pairs if p in known), None) if known else None
            if pair is None:
                return pairs
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
        """Make a pair and put it into its rows; returns the new pairs."""
        users, literal = self.users, self.pool.literal(pair)
        new: dict[Pair, None] = {}
        for k, row in [*users[pair].items()]:
            near = _places(row, pair)
            before = self._pairs(row, near)
            put = _replace(row, pair, literal)
            after = self._pairs(row, (*near, put))
            for gone in before:
                if gone not in after:
                    users[gone].pop(k, None)  # of a and ~a one is left
            for came in after:
                if came not in before:
                    users.setdefault(came, {})[k] = row
                    new[came] = None
        return [p for p in new if len(users[p]) > 1]

    def _all_pairs(self, row: Row) -> list[Pair]:
        """The pairs in a row, of each two literals once."""
        pair, literals = self.pool.pair, [*row]
        found: list[Pair] = []
        for k, a in enumerate(literals, start=1):
            if row[a] > 1:
                found.append(pair(a, a))
            found += [pair(a, b) for b in literals[k:]]
        return found

    def _pairs(self, row: Row, literals: Sequence[int]) -> dict[Pair, None]:
        """The pairs in a row that have one of these literals."""
        pair = self.pool.pair
        found: dict[Pair, None] = {}
        for a in literals:
            if a in row:
                twice = row[a] > 1
                for b in row:
                    if a != b or twice:
                        found[pair(a, b)] = None
        return found


def _places(row: Row, pair: Pair) -> Pair:
    """The literals of a pair as they stand in a row, or those of its opposite."""
    a, b = pair
    return pair if a in row and b in row else (~a, ~b)


def _replace(row: Row, pair: Pair, literal: int) -> int:
    """Put a literal for a pair as often as it is there; returns its form in the row."""
    a, b = _places(row, pair)
    often = row[a] // 2 if a == b else min(row[a], row[b])
    _take(row, a, often)
    _take(row, b, often)
    put = ~literal if a < 0 else literal
    row[put] = row.get(put, 0) + often
    return put


def _take(row: Row, literal: int, often: int) -> None:
    left = row[literal] - often
    if left:
        row[literal] = left
    else:
        del row[literal]
