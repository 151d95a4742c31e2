"""Values that are multiples of earlier ones are made of these.

A value that is read like an earlier one up to its number, or up to factors that cost
less than the value, is the earlier one times these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from ad_transform.dataclass import dataclass
from ad_transform.derive.factoring.polish import rewritten
from ad_transform.derive.factoring.readings import (
    Factors,
    Readings,
    Term,
    is_normal,
    without,
)
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.build import Builder
from ad_transform.ir.decimals import product, quotient
from ad_transform.ir.nodes import Apply, Literal, Operand

LONG, LONGEST = 2_000, 50_000
"""Statements up to which a body is read; the second for a symmetric graph: second
partials by two arguments are often multiples of those by one.
"""

DEAREST = 12
"""Operations that a value takes by itself up to which they are counted."""

WINDOW = 16
"""Values with one sum among their factors of which a value may be made."""


@dataclass(frozen=True, slots=True)
class Multiple:
    """A number times factors times an earlier value."""

    number: float
    factors: Factors
    value: Operand

    @property
    def cost(self) -> int:
        """The number of its operations."""
        return len(self.factors) + (self.number != 1.0)


def multiples(
    builder: Builder, body: Body, results: Results, primal: int, longest: int = LONG
) -> tuple[Body, Results]:
    """The body and results with multiples of earlier values made of these where that
    takes fewer operations. Linear; for bodies of at most `longest` statements.

    Values that the first `primal` results need stay as they are.
    """
    if len(body) > longest:
        return body, results
    sacred = needed(body, results[:primal])
    search = _Search(body, results)
    for statement in body:
        if isinstance(statement, Apply) and _is_number(statement):
            search.look_at(statement, statement.out in sacred)
    if not search.chosen:
        return body, results
    return rewritten(builder, body, results, sacred, search.write)


def _is_number(statement: Apply) -> bool:
    return statement.out.type.is_real and not statement.out.type.dims


class _Search:
    """The values that are made of others, and the statements that nobody needs then."""

    def __init__(self, body: Body, results: Results) -> None:
        self.chosen: dict[Operand, Multiple] = {}
        self._readings = Readings()
        self._made: dict[Operand, Apply] = {
            s.out: s for s in body if isinstance(s, Apply)
        }
        self._uses = Counter(
            chain(chain.from_iterable(s.inputs for s in body), results)
        )
        self._gone: set[Operand] = set()
        self._known: dict[Factors, tuple[float, Operand]] = {}
        self._with_sum: dict[int, list[Factors]] = {}

    def look_at(self, statement: Apply, sacred: bool) -> None:
        """Read a statement, and make it of an earlier value if that is cheaper."""
        term = self._readings.read(statement)
        best, most = None, 0
        for multiple in () if sacred else self._candidates(term, statement):
            gain = len(self._freed(statement, multiple.value)) - multiple.cost
            if gain > most and is_normal(multiple.number):
                best, most = multiple, gain
        if best:
            self._choose(statement, best)
        else:
            self._enter(statement.out, term)

    def _candidates(self, term: Term, statement: Apply) -> Iterator[Multiple]:
        c, factors = term
        same = self._known.get(factors)
        if not same and self._with_sum.keys().isdisjoint(factors):
            return
        dearest = 0 if self._is_one_operation(statement) else DEAREST
        if same and same[1] not in self._gone and (dearest or c == same[0]):
            yield Multiple(quotient(c, same[0]), (), same[1])
        if not dearest:
            return
        most = least = len(factors)
        for n in factors:
            if n not in self._with_sum:
                continue
            if least == most:  # each factor more is an operation more
                least -= len(self._freed(statement, None))
            for others in islice(self._with_sum[n], WINDOW):
                if least < len(others) < most and _contains(factors, others):
                    d, value = self._known[others]
                    rest = without(factors, others)
                    if value not in self._gone and all(map(self._is_there, rest)):
                        yield Multiple(self._number(quotient(c, d), rest), rest, value)

    def _number(self, number: float, factors: Factors) -> float:
        """The number beside the values of factors, which may be multiples of them."""
        for factor in factors:
            n = max(factor, ~factor)
            if n not in self._readings.values:
                change = quotient if factor >= 0 else product
                number = change(number, self._known[n,][0])
        return number

    def _is_one_operation(self, statement: Apply) -> bool:
        """Whether a value saves just its own operation: others need its operands."""
        times = 2 if statement.args[0] is statement.args[-1] else 1
        return all(self._uses[a] > times or a not in self._made for a in statement.args)

    def _is_there(self, factor: int) -> bool:
        """Whether a factor has a value."""
        n = max(factor, ~factor)
        if n in self._readings.values:
            return True
        return (n,) in self._known and self._known[n,][1] not in self._gone

    def _enter(self, out: Operand, term: Term) -> None:
        c, factors = term
        if factors in self._known or not factors:
            return
        self._known[factors] = c, out
        for n in factors:
            if n in self._readings.sums:
                self._with_sum.setdefault(n, []).append(factors)

    def _freed(self, statement: Apply, kept: Operand | None) -> list[Apply]:
        """The statements that nobody needs without this one; `kept` is needed."""
        freed: list[Apply] = []
        fewer: dict[Operand, int] = {}
        stack = [statement]
        while stack and len(freed) < DEAREST:
            freed.append(one := stack.pop())
            for a in one.args:
                made = self._made.get(a)
                if made and a is not kept:
                    fewer[a] = fewer.get(a, 0) + 1
                    if fewer[a] == self._uses[a]:
                        stack.append(made)
        return freed

    def _choose(self, statement: Apply, multiple: Multiple) -> None:
        self.chosen[statement.out] = multiple
        for one in self._freed(statement, multiple.value):
            self._gone.add(one.out)
            self._uses.subtract(one.args)
        self._gone.discard(statement.out)
        self._uses.update((multiple.value, *map(self._operand, multiple.factors)))

    def _operand(self, factor: int) -> Operand:
        n = max(factor, ~factor)
        return self._readings.values.get(n) or self._known[n,][1]

    def write(
        self, fresh: Builder, statement: Apply, env: dict[Operand, Operand]
    ) -> Operand | None:
        """The value of a multiple, built; None if the statement is none."""
        multiple = self.chosen.get(statement.out)
        if multiple is None:
            return None
        value = env.get(multiple.value, multiple.value)
        if multiple.number == -1.0:
            value = fresh.apply("neg", value)
        elif multiple.number != 1.0:
            value = fresh.apply("mul", Literal(multiple.number), value)
        for n in reversed(multiple.factors):  # divisors last
            op = "mul" if n >= 0 else "div"
            operand = self._operand(n)
            value = fresh.apply(op, value, env.get(operand, operand))
        return value


def _contains(m: Factors, n: Factors) -> bool:
    """Whether all factors of n are among those of m; both are ascending."""
    left = iter(m)
    return all(x in left for x in n)
