"""Common pairs of summands: what several sums add or subtract alike is made once.

A sum whose parts nothing else uses is a row of what it adds and subtracts. Sums that
have no pair in common with another one, or with a sum of the value, stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ad_transform.derive.factoring.common import Pair, Row, share
from ad_transform.derive.factoring.polish import (
    Body,
    Results,
    Trees,
    copy,
    members_of,
    summands_of,
)
from ad_transform.ir.blocks import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Literal, Operand

Term = tuple[int, int]
"""A summand, and how often it is added."""

LONGEST = 24
"""Summands from which on a sum shares nothing, so that the work is linear."""

_SUMS = frozenset({"add", "sub", "neg"})


def shared_sums(
    builder: Builder, body: Body, results: Results, primal: int
) -> tuple[Body, Results]:
    """The body and results with common pairs of summands made once. Linear.

    What the first `primal` results need stays as it is.
    """
    trees = Trees(body, results, primal, _SUMS)
    pool, rows = _read(body, trees)
    before = {root: row.copy() for root, row in rows.items()}
    share(pool, list(rows.values()))
    changed = {root for root, row in rows.items() if row != before[root]}
    if not changed:
        return body, results
    writer = _Writer(builder.inner(), pool, {})
    gone = {m.out for root in changed for m in members_of(trees.made[root], trees)}
    for statement in body:
        if not isinstance(statement, Apply):
            writer.fresh.follow(statement, writer.env)
        elif statement.out in changed:
            writer.write(statement, rows[statement.out])
        elif statement.out not in gone:
            sacred = statement.out in trees.sacred
            copy(writer.fresh, statement, writer.env, sacred)
    made = tuple(writer.env.get(r, r) for r in results)
    return live(tuple(writer.fresh.body), made), made


class _Pool:
    """Summands and their pairs by number; ~n is summand n with a minus."""

    def __init__(self) -> None:
        self.pairs: dict[Pair, int] = {}
        self.made: dict[int, Pair] = {}
        self.values: dict[int, Operand] = {}
        self._numbers: dict[Operand, int] = {}

    def number(self, value: Operand) -> int:
        found = self._numbers.setdefault(value, len(self._numbers) + len(self.made))
        self.values[found] = value
        return found

    def give(self, statement: Apply) -> None:
        """Know a sum of two that is there."""
        x, y = map(self.number, statement.args)
        pair = self.pair(x, y if statement.op.name == "add" else ~y)
        number = self.number(statement.out)
        opposite = pair[1] < 0 and pair[0] != x
        self.pairs.setdefault(pair, ~number if opposite else number)

    def pair(self, a: int, b: int) -> Pair:
        """(a, b) for their sum and (a, ~b) for the difference, with a <= b; of the
        opposite it is the same.
        """
        x, y = sorted((max(a, ~a), max(b, ~b)))
        return (x, y) if (a < 0) is (b < 0) else (x, ~y)

    def literal(self, pair: Pair) -> int:
        if pair not in self.pairs:
            number = len(self._numbers) + len(self.made)
            self.pairs[pair] = number
            self.made[number] = pair
        return self.pairs[pair]


def _read(body: Body, trees: Trees) -> tuple[_Pool, dict[Operand, Row]]:
    """The sums that may be made anew, as rows, and what there is before them."""
    pool, rows = _Pool(), dict[Operand, Row]()
    for statement in body:
        if not isinstance(statement, Apply) or statement.op.name not in _SUMS:
            continue
        out = statement.out
        if out in trees.sacred or not out.type.is_real:
            if not rows and len(statement.args) > 1:
                pool.give(statement)
        elif out not in trees.inner:
            row = Counter(_literals(statement, trees, pool))
            if 1 < len(row) <= LONGEST and _is_plain(row):
                rows[out] = row
    return pool, rows


def _is_plain(row: Row) -> bool:
    """Whether every summand is there once."""
    return row.total() == len(row) and not any(~n in row for n in row)


def _literals(root: Apply, trees: Trees, pool: _Pool) -> Iterable[int]:
    stack = summands_of(root, 1) or []
    while stack:
        visit = stack.pop()
        statement = trees.parts(visit.value)
        inner = summands_of(statement, visit.sign) if statement else None
        if inner:
            stack += inner
        else:
            number = pool.number(visit.value)
            yield number if visit.sign > 0 else ~number


class _Writer:
    """Rows written as sums, each pair before the first row that has it."""

    def __init__(
        self, fresh: Builder, pool: _Pool, env: dict[Operand, Operand]
    ) -> None:
        self.fresh = fresh
        self.pool = pool
        self.env = env
        self.turned: set[int] = set()  # differences that are made the other way round

    def write(self, root: Apply, row: Row) -> None:
        """Write the sum of a row in the place of its root."""
        terms = _net(row)
        if not any(often > 0 for _, often in map(self._turned, terms)):
            self._turn(terms)
        self._make(n for n, _ in terms)
        before = len(self.fresh.body)
        value = self._sum(terms)
        if not self.fresh.rebind(value, root.out, before):
            self.env[root.out] = value

    def _turn(self, terms: list[Term]) -> None:
        """Let the first difference that is not made yet be made the other way round."""
        for n, _ in terms:
            if n not in self.pool.values and self.pool.made[n][1] < 0:
                self.turned.add(n)
                return

    def _make(self, numbers: Iterable[int]) -> None:
        """Make the pairs among some summands, and those that they are made of."""
        needed, pending = set[int](), [*numbers]
        while pending:
            n = pending.pop()
            if n not in self.pool.values and n not in needed:
                needed.add(n)
                a, b = self.pool.made[n]
                pending += (a, max(b, ~b))
        for n in sorted(needed):
            a, b = self.pool.made[n]
            sign = -1 if n in self.turned else 1
            terms = [(a, sign), (b, sign) if b >= 0 else (~b, -sign)]
            self.pool.values[n] = self._sum(terms)

    def _turned(self, term: Term) -> Term:
        n, often = term
        return (n, -often) if n in self.turned else term

    def _sum(self, terms: list[Term]) -> Operand:
        """The sum of summands that are made, what is added first."""
        apply = self.fresh.apply
        total: Operand | None = None
        turned = sorted(map(self._turned, terms), key=lambda term: term[1] < 0)
        negative = all(often < 0 for _, often in turned)
        for n, often in turned:
            value = self.env.get(self.pool.values[n], self.pool.values[n])
            if abs(often) > 1:
                value = apply("mul", Literal(float(abs(often))), value)
            if total is None:
                total = value
            else:
                total = apply(
                    "sub" if often < 0 and not negative else "add", total, value
                )
        if total is None:
            return Literal(0.0)
        return apply("neg", total) if negative else total


def _net(row: Row) -> list[Term]:
    """How often each summand is added, less how often it is subtracted."""
    net = Counter[int]()
    for n, often in row.items():
        net[max(n, ~n)] += often if n >= 0 else -often
    return [(n, often) for n, often in net.items() if often]
