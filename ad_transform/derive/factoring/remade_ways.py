"""Ways to make a value by operations on values that are there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from ad_transform.derive.factoring.coincidences import (
    ONES,
    SUMS,
    Coincidences,
    coincidences,
)
from ad_transform.derive.factoring.fingerprints import PRIME
from ad_transform.derive.factoring.remade_graph import LEAF, SAME, Graph, Ids
from ad_transform.ir.nodes import Literal

FACTORS = 3
"""Factors beside a sum up to which a product is multiplied out."""

NEAR = 1 + 1e-9
_PRODUCTS = frozenset({"mul", "div"})

Factor = tuple[str, int]
"""A node, and whether it multiplies (`mul`) or divides (`div`)."""


class Step(NamedTuple):
    """An operation on nodes, or on the value of an earlier step: ~0, ~1 and so on."""

    name: str
    args: Ids


class Way(NamedTuple):
    """Steps that make a value; the last one is the value."""

    steps: tuple[Step, ...]

    @property
    def nodes(self) -> list[int]:
        """The nodes that it needs."""
        return [a for step in self.steps for a in step.args if a >= 0]

    @property
    def cost(self) -> int:
        """The number of its operations."""
        return len(self.steps) - (self.steps[-1].name == SAME)


Steps = dict[int, list[Step]]
"""Operations by the numbers of what they make."""


class Values:
    """The values that are there, by their numbers, and what they make."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        by: dict[int, int] = {}
        divided: set[int] = set()
        prints, real = graph.prints, graph.real
        for n in graph.alive():
            number = prints[n][0]
            if number and real[n] and number not in by:
                by[number] = n
            if graph.names[n] == "div":
                divided.add(prints[graph.args[n][1]][0])
        self._by = by
        self._factors = [number for number in by if number not in ONES]
        self._divisors = [number for number in self._factors if number in divided]

    @cached_property
    def _shifted(self) -> dict[int, int]:
        """The values by their numbers, also as sums and differences give them."""
        primes = -PRIME, 0, PRIME
        return {number + p: n for number, n in self._by.items() for p in primes}

    def steps(self) -> Steps:
        """Operations on two values that make a third one, by its number, without those
        that make it now.
        """
        by, found = self._by, self.coincidences
        steps: Steps = {number: [] for number in by}
        for x, y, z in found.sums:
            a, b, c = by[x], by[y], by[z]
            steps[z].append(Step("add", (a, b)))
            steps[x].append(Step("sub", (c, b)))
            steps[y].append(Step("sub", (c, a)))
        for x, y, z in found.products:
            a, b, c = by[x], by[y], by[z]
            steps[z].append(Step("mul", (a, b)))
            if y in self._divisors:
                steps[x].append(Step("div", (c, b)))
            if x in self._divisors and a != b:
                steps[y].append(Step("div", (c, a)))
        return steps

    @cached_property
    def coincidences(self) -> Coincidences:
        """The coincidences among them."""
        return coincidences(self._graph, self._by)

    def twins(self) -> dict[int, int]:
        """Nodes whose number an earlier node has, and those."""
        by, prints = self._by, self._graph.prints
        return {
            n: m
            for n in self._graph.operations()
            if (m := by.get(prints[n][0])) is not None and m != n
        }

    def beside(self) -> set[int]:
        """The nodes that coincidences are about."""
        sums, products, factored = self.coincidences
        numbers = {number for triple in (*sums, *products) for number in triple}
        return {self._by[number] for number in numbers}.union(factored)

    def same(self, number: int) -> Iterator[Step]:
        """The value with a number, or with its negative."""
        if number in self._by:
            yield Step(SAME, (self._by[number],))
        if PRIME - number in self._by:
            yield Step("neg", (self._by[PRIME - number],))

    def steps_to(self, number: int) -> Iterator[Step]:
        """Operations on two values that make a number."""
        by, keys, numbers = self._by, self._shifted.keys(), list(self._by)
        inverse_of = self._graph.inverse_of
        for d in sorted(keys & map(number.__sub__, numbers)):
            a, b = by[(number - d) % PRIME], self._shifted[d]
            if a <= b:
                yield Step("add", (a, b))
        for d in sorted(keys & map(number.__add__, numbers)):
            yield Step("sub", (self._shifted[d], by[(d - number) % PRIME]))
        others = [number * inverse_of(x) % PRIME for x in self._factors]
        for y in sorted(by.keys() & others):
            a, b = by[number * inverse_of(y) % PRIME], by[y]
            if a <= b and y not in ONES:
                yield Step("mul", (a, b))
        for x in self._divisors:
            a = number * x % PRIME
            if a in by:
                yield Step("div", (by[a], by[x]))


class Ways:
    """Ways to make the values of a graph, as it is now, otherwise. `sizes` are the
    operations that go with a value.
    """

    def __init__(self, graph: Graph, values: Values, steps: Steps | None) -> None:
        self._graph = graph
        self._values = values
        self._steps = steps
        self._found: dict[int, list[Way]] = {}
        self.sizes = graph.sizes()

    def of(self, u: int) -> list[Way]:
        """Ways to make a value, the cheapest ones first; of equal ones that with fewer
        values that have to be made, for these may go next.
        """
        found = self._found.get(u)
        if found is None:
            number, size = self._graph.prints[u][:2]
            name, args = self._graph.names[u], self._graph.args[u]
            own = (name, args), (name, args[::-1])
            steps = self._made(number, size, u)
            found = [Way((step,)) for step in steps if step not in own]
            if self._graph.names[u] in _PRODUCTS:
                found += self._multiplied_out(u)
            found.sort(key=self._rank)
            self._found[u] = found
        return found

    def _rank(self, way: Way) -> tuple[int, int]:
        names = self._graph.names
        return way.cost, sum(names[n] != LEAF for n in way.nodes)

    def _made(self, number: int, size: float, u: int) -> Iterator[Step]:
        """Operations that make a number, not of some value and nothing made of it."""
        steps = [*self._values.same(number)]
        if self._steps is None or number not in self._steps:
            steps += self._values.steps_to(number)
        else:
            steps += self._steps[number]
        for step in steps:
            if self._is_allowed(step, size) and not self._graph.depends(step.args, u):
                yield step

    def _is_allowed(self, step: Step, size: float) -> bool:
        """Whether an operation has terms of at most such size, and is no number."""
        graph = self._graph
        if len(step.args) < 2:
            return graph.prints[step.args[0]].size <= size * NEAR
        a, b = step.args
        if type(graph.operands[a]) is Literal is type(graph.operands[b]):
            return False
        x, y = graph.prints[a], graph.prints[b]
        if step.name in SUMS:
            return x.size + y.size <= size * NEAR or (x.exact and y.exact)
        return x.size * (y.size if step.name == "mul" else y.inverse) <= size * NEAR

    # --- products of sums --------------------------------------------------------

    def _multiplied_out(self, u: int) -> Iterator[Way]:
        """Ways to make a product of the terms of a sum in it."""
        for total, factors in self._sums_in(u):
            for count in range(1, len(factors) + 1):
                for inside in combinations(range(len(factors)), count):
                    for way in self._with_factors(u, total, factors, inside):
                        if not self._graph.depends(way.nodes, u):
                            yield way

    def _sums_in(self, u: int) -> Iterator[tuple[int, list[Factor]]]:
        """Sums that are factors of a product, with the other factors."""
        graph = self._graph
        stack: list[tuple[int, list[Factor]]] = [(u, [])]
        while stack:
            n, factors = stack.pop()
            name, (a, b) = graph.names[n], graph.args[n]
            sides = [(a, (name, b)), (b, (name, a))]
            for inner, other in sides if name == "mul" else sides[:1]:
                below = [other, *factors]
                if graph.names[inner] in SUMS and a != b:
                    yield inner, below
                elif len(below) < FACTORS and self._is_open(inner):
                    stack.append((inner, below))

    def _is_open(self, n: int) -> bool:
        """Whether a factor is a product that nothing else uses."""
        graph = self._graph
        is_product = graph.names[n] in _PRODUCTS and graph.free[n]
        return is_product and len(graph.users[n]) == 1

    def _with_factors(
        self, u: int, total: int, factors: list[Factor], inside: Ids
    ) -> Iterator[Way]:
        """Ways to make a product with some of its factors in the terms of a sum."""
        graph = self._graph
        into = [f for k, f in enumerate(factors) if k in inside]
        outside = [f for k, f in enumerate(factors) if k not in inside]
        goals = [self._times(graph.prints[t][:2], into) for t in graph.args[total]]
        _, size = self._times((0, sum(size for _, size in goals)), outside)
        if size > graph.prints[u].size * NEAR:
            return
        there = [
            [s for s in self._values.same(number) if s.name == SAME]
            for number, _ in goals
        ]
        terms: list[list[Step]] = []
        for t, same, goal in zip(graph.args[total], there, goals, strict=True):
            found = [*self._made(*goal, u)] if any(there) and not same else same
            plain = [Step(into[0][0], (t, into[0][1]))] if len(into) == 1 else []
            terms.append([*found, *plain])
        most = self.sizes.get(u, 0) + 1
        for first in terms[0]:
            for second in terms[1]:
                way = _joined(graph.names[total], first, second, outside)
                if way.cost <= most:
                    yield way

    def _times(
        self, start: tuple[int, float], factors: list[Factor]
    ) -> tuple[int, float]:
        """The number and size of a value times some factors."""
        number, size = start
        for name, f in factors:
            found = self._graph.prints[f]
            is_above = name == "mul"
            other = found.number if is_above else self._graph.inverse_of(found.number)
            number = number * other % PRIME
            size *= found.size if is_above else found.inverse
        return number, size


def _joined(name: str, first: Step, second: Step, outside: list[Factor]) -> Way:
    """The way to make a sum of two terms times some factors."""
    steps: list[Step] = []
    terms: list[int] = []
    for step in (first, second):
        if step.name == SAME:
            terms.append(step.args[0])
        else:
            terms.append(~len(steps))
            steps.append(step)
    steps.append(Step(name, (terms[0], terms[1])))
    for factor_name, f in outside:
        steps.append(Step(factor_name, (~(len(steps) - 1), f)))
    return Way(tuple(steps))
