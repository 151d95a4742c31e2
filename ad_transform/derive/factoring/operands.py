"""Common pairs of operands: a pair that several sums add alike, or several products
multiply alike, is made once.

A sum whose parts nothing else uses is a row of its terms, a product a row of its
factors and divisors. Those that have no pair in common with another one, or with one of
the value, stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ad_transform.derive.factoring.common import Pair, Row, share
from ad_transform.derive.factoring.pairs import pair_of
from ad_transform.derive.factoring.polish import Trees, copy, members_of
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Literal, Operand

Term = tuple[int, int]
"""An operand, and the number of times that it is there."""

LONGEST = 24
"""Operands from which on a row shares nothing, so that the work is linear."""


class Operations(Protocol):
    """The operations that rows are made of: sums, or products."""

    names: frozenset[str]

    def parts(self, statement: Apply, sign: int) -> list[tuple[Operand, int]]:
        """The operands of a statement, each with the sign that it has in the row."""
        ...

    def pair(self, a: int, b: int, /) -> Pair:
        """The pair of two operands of one row."""
        ...

    def made(self, fresh: Builder, terms: list[tuple[Operand, int]]) -> Operand:
        """The value of operands, each with the number of times that it is there."""
        ...


class Sums:
    """Added and subtracted operands; a difference is its opposite as well."""

    names = frozenset({"add", "sub", "neg"})

    def parts(self, statement: Apply, sign: int) -> list[tuple[Operand, int]]:
        if statement.op.name == "neg":
            return [(statement.args[0], -sign)]
        x, y = statement.args
        return [(x, sign), (y, sign if statement.op.name == "add" else -sign)]

    def pair(self, a: int, b: int) -> Pair:
        x, y = max(a, ~a), max(b, ~b)
        if y < x:
            x, y = y, x
        return (x, y) if (a < 0) is (b < 0) else (x, ~y)

    def made(self, fresh: Builder, terms: list[tuple[Operand, int]]) -> Operand:
        terms = sorted(terms, key=lambda term: term[1] < 0)  # added terms first
        negative = all(often < 0 for _, often in terms)
        total: Operand | None = None
        for value, often in terms:
            term = value
            if abs(often) > 1:
                term = fresh.apply("mul", Literal(float(abs(often))), value)
            op = "sub" if often < 0 and not negative else "add"
            total = term if total is None else fresh.apply(op, total, term)
        if total is None:
            return Literal(0.0)
        return fresh.apply("neg", total) if negative else total


class Products:
    """Factors and divisors."""

    names = frozenset({"mul", "div"})
    pair = staticmethod(pair_of)

    def parts(self, statement: Apply, sign: int) -> list[tuple[Operand, int]]:
        x, y = statement.args
        return [(x, sign), (y, sign if statement.op.name == "mul" else -sign)]

    def made(self, fresh: Builder, terms: list[tuple[Operand, int]]) -> Operand:
        above = self._product(fresh, [(x, often) for x, often in terms if often > 0])
        below = self._product(fresh, [(x, -often) for x, often in terms if often < 0])
        if below is None:
            return above or Literal(1.0)
        return fresh.apply("div", above or Literal(1.0), below)

    def _product(
        self, fresh: Builder, terms: list[tuple[Operand, int]]
    ) -> Operand | None:
        total: Operand | None = None
        for x, often in terms:
            for _ in range(often):
                total = x if total is None else fresh.apply("mul", total, x)
        return total


def shared_operands(
    builder: Builder, body: Body, results: Results, primal: int, operations: Operations
) -> tuple[Body, Results]:
    """The body and results with common pairs of operands made once. Linear.

    Values that the first `primal` results need stay as they are.
    """
    trees = Trees(body, results, primal, operations.names)
    pool, rows = _read(body, trees, operations)
    before = {root: row.copy() for root, row in rows.items()}
    share(pool, list(rows.values()))
    changed = {
        root for root, row in rows.items() if row.items() != before[root].items()
    }
    if not changed:
        return body, results
    writer = _Writer(builder.inner(), pool, {})
    gone = {m.out for root in changed for m in members_of(trees.made[root], trees)}
    for statement in body:
        if not isinstance(statement, Apply):
            writer.fresh.simplify(statement, writer.env)
        elif statement.out in changed:
            writer.write(statement, rows[statement.out])
        elif statement.out not in gone:
            sacred = statement.out in trees.sacred
            copy(writer.fresh, statement, writer.env, sacred)
    made = tuple(writer.env.get(r, r) for r in results)
    return live(tuple(writer.fresh.body), made), made


class _Pool:
    """Operands and their pairs by number; ~n is operand n with a minus, or below."""

    def __init__(self, operations: Operations) -> None:
        self.operations = operations
        self.pair = operations.pair
        self.pairs: dict[Pair, int] = {}
        self.made: dict[int, Pair] = {}
        self.values: dict[int, Operand] = {}
        self._numbers: dict[Operand, int] = {}

    def number(self, value: Operand) -> int:
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = len(self._numbers) + len(self.made)
        self.values[found] = value
        return found

    def give(self, statement: Apply) -> None:
        """Enter a value of the primal that is an operation on two operands."""
        signed = self.operations.parts(statement, 1)
        x, y = (_signed(self.number(value), sign) for value, sign in signed)
        pair = self.pair(x, y)
        number = self.number(statement.out)
        opposite = pair[1] < 0 and pair[0] != x
        self.pairs.setdefault(pair, ~number if opposite else number)

    def literal(self, pair: Pair) -> int:
        if pair not in self.pairs:
            number = len(self._numbers) + len(self.made)
            self.pairs[pair] = number
            self.made[number] = pair
        return self.pairs[pair]


def _signed(number: int, sign: int) -> int:
    return number if sign > 0 else ~number


def _read(
    body: Body, trees: Trees, operations: Operations
) -> tuple[_Pool, dict[Operand, Row]]:
    """The rows that may be made anew, and the pool of pairs before them."""
    pool, rows = _Pool(operations), dict[Operand, Row]()
    for statement in body:
        if not isinstance(statement, Apply) or statement.op.name not in trees.names:
            continue
        out = statement.out
        if not out.type.is_real:
            continue
        if out in trees.sacred:
            if not rows and len(statement.args) > 1:
                pool.give(statement)
        elif out not in trees.inner:
            literals = _literals(statement, trees, pool)
            if 1 < len(literals) <= LONGEST and _is_plain(literals):
                rows[out] = dict.fromkeys(literals, 1)
    return pool, rows


def _is_plain(literals: list[int]) -> bool:
    """Whether every operand is there once."""
    return len({max(n, ~n) for n in literals}) == len(literals)


def _literals(root: Apply, trees: Trees, pool: _Pool) -> list[int]:
    parts, number = pool.operations.parts, pool.number
    made, inner = trees.made, trees.inner
    found: list[int] = []
    stack = parts(root, 1)[::-1]
    while stack:
        value, sign = stack.pop()
        if value in inner:
            stack += parts(made[value], sign)[::-1]
        else:
            literal = number(value)
            found.append(literal if sign > 0 else ~literal)
    return found


class _Writer:
    """Rows written, each pair before the first row that has it."""

    def __init__(
        self, fresh: Builder, pool: _Pool, env: dict[Operand, Operand]
    ) -> None:
        self.fresh = fresh
        self.pool = pool
        self.env = env
        self.turned: set[int] = set()  # differences that are made the other way round

    def write(self, root: Apply, row: Row) -> None:
        """Write a row in the place of its root."""
        terms = _net(row)
        if not any(often > 0 for _, often in map(self._turned, terms)):
            self._turn(terms)
        before = len(self.fresh.body)
        made = self._make(n for n, _ in terms)
        value = self._value(terms)
        if not self.fresh.rebind(value, root.out, before):
            self.env[root.out] = value
            return
        values = self.pool.values  # the row may be a pair, which is named after it
        values.update({n: root.out for n in made if values[n] is value})

    def _turn(self, terms: list[Term]) -> None:
        """Make the first difference that is not made yet the other way round; of
        products put one factor above the line.
        """
        for n, _ in terms:
            if n not in self.pool.values and self.pool.made[n][1] < 0:
                self.turned.add(n)
                return

    def _make(self, numbers: Iterable[int]) -> list[int]:
        """Make the pairs among some operands, and the pairs that they are made of."""
        needed, pending = set[int](), [*numbers]
        while pending:
            n = pending.pop()
            if n not in self.pool.values and n not in needed:
                needed.add(n)
                a, b = self.pool.made[n]
                pending += (a, max(b, ~b))
        missing = sorted(needed)
        for n in missing:
            a, b = self.pool.made[n]
            if b in self.pool.made and a not in self.pool.made:
                a, b = b, a  # x + y + z rather than z + (x + y)
            sign = -1 if n in self.turned else 1
            terms = [(a, sign), (b, sign) if b >= 0 else (~b, -sign)]
            self.pool.values[n] = self._value(terms)
        return missing

    def _turned(self, term: Term) -> Term:
        n, often = term
        return (n, -often) if n in self.turned else term

    def _value(self, terms: list[Term]) -> Operand:
        """The value of operands that are made."""
        values = self.pool.values
        made = [(values[n], often) for n, often in map(self._turned, terms)]
        written = [(self.env.get(value, value), often) for value, often in made]
        return self.pool.operations.made(self.fresh, written)


def _net(row: Row) -> list[Term]:
    """The number of times that each operand is added, less its subtractions."""
    net: dict[int, int] = {}
    for n, often in row.items():
        operand = max(n, ~n)
        net[operand] = net.get(operand, 0) + (often if n >= 0 else -often)
    return [(n, often) for n, often in net.items() if often]
