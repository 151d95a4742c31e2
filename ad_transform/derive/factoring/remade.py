"""Values that are made of others that are there, so that some need not be made.

With `v = 1 / d`, `x * v` and `y * v` are `x / d` and `y / d`, and v goes: each user of
a value may have another way that takes no more operations. With `a = x * e * e` there,
`e * (x * e - y)` is `a - y * e`. Ways are found by fingerprints: operations on two
values that are there, and products of sums with each term made so. Resubstitution in
logic synthesis does the same (Mishchenko, Chatterjee & Brayton 2006).

A way is taken only where no value is a sum of larger terms than before, see
`fingerprints`, and where all is divided by what it was divided by. Changes that gain
nothing are kept only if the next one gains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ad_transform.derive.factoring.fingerprints import Code
from ad_transform.derive.factoring.polish import copy
from ad_transform.derive.factoring.products import chooses
from ad_transform.derive.factoring.remade_graph import LEAF, SAME, Graph
from ad_transform.derive.factoring.remade_ways import NEAR, Values, Way, Ways
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Operand, Var

LONG = 400
"""Statements up to which a body is looked through."""

USERS = 6
"""Users up to which all of a value are made otherwise."""

TRIED = 4
"""Ways to make a value that are tried, the cheapest ones."""

_PRODUCTS = frozenset({"mul", "div"})


def remade(
    builder: Builder, body: Body, results: Results, primal: int
) -> tuple[Body, Results]:
    """The body and results with fewer operations, if there can be fewer. Quadratic; of
    straight code that is not LONG.

    Values that the first `primal` results need stay as they are.
    """
    if len(body) > LONG or {*map(type, body)} != {Apply} or chooses(body):
        return body, results
    graph = Graph(Code(body), body, results, primal)
    before = graph.total
    _Search(graph).run()
    if graph.total >= before:
        return body, results
    return _Writer(builder.inner(), graph).written(body, results, primal)


class _Search:
    """The search for values that need not be made."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._divisors = graph.divisors()

    def run(self) -> None:
        """Let values go as long as that saves operations."""
        while True:
            values = Values(self._graph)
            if self._merged(values.twins()):
                continue
            near = self._near(values)
            if not near:
                return
            self._ways = Ways(self._graph, values, values.steps())
            changes = {x: self._change(x) for x in near}
            hopes = {x: change for x, change in changes.items() if change <= 0}
            if not (self._gained(hopes) or self._gained_in_two(hopes)):
                return

    def _merged(self, twins: dict[int, int]) -> bool:
        """Let one value stand for another one that is the same; returns whether."""
        graph, before = self._graph, self._graph.total
        for n, m in twins.items():
            is_less = graph.prints[m].size <= graph.prints[n].size * NEAR
            if is_less and graph.free[n] and not graph.depends((m,), n):
                mark = graph.mark()
                graph.define(n, SAME, (m,))
                if graph.divisors() != self._divisors:
                    graph.back(mark)
        return graph.total < before

    def _near(self, values: Values) -> list[int]:
        """The values that nodes with coincidences are made of, in products further
        down.
        """
        graph = self._graph
        found: set[int] = set()
        stack = [*values.beside()]
        while stack:
            for a in graph.args[stack.pop()]:
                if a not in found and graph.names[a] != LEAF:
                    found.add(a)
                    if graph.names[a] in _PRODUCTS and len(graph.users[a]) == 1:
                        stack.append(a)
        return sorted(found)

    def _gained(self, near: dict[int, int]) -> bool:
        """Let values go where that saves something."""
        before = self._graph.total
        for x, change in near.items():
            if change < 0:
                self._let_go(x, -1)
        return self._graph.total < before

    def _gained_in_two(self, near: Iterable[int]) -> bool:
        """Let a value go that saves nothing, and then one near it."""
        graph, ways = self._graph, self._ways
        for x in near:
            mark = graph.mark()
            if not self._let_go(x, 0):
                continue
            self._ways = Ways(graph, Values(graph), None)
            for y in graph.left(mark):
                if self._change(y) < 0 and self._let_go(y, -1):
                    return True
            self._ways = ways
            graph.back(mark)
        return False

    def _let_go(self, x: int, most: int) -> bool:
        """Make all users of a value otherwise, if that takes at most so many operations
        more; returns whether it did.
        """
        graph = self._graph
        users = list(graph.users[x])
        mark, before = graph.mark(), graph.total
        for u in users:
            if u in graph.users[x] and not self._make_without(x, u):
                break
        done = not graph.is_alive(x) and graph.total <= before + most
        if done and graph.divisors() == self._divisors:
            return True
        graph.back(mark)
        return False

    def _change(self, x: int) -> int:
        """How many operations more there are at least, without a value; 1 if there is
        no way without it.
        """
        graph, sizes = self._graph, self._ways.sizes
        users = graph.users[x]
        if not 0 < len(users) <= USERS or x in graph.kept or graph.names[x] == LEAF:
            return 1
        change = 0 if len(users) == 1 else -sizes.get(x, 1)
        for u in users:
            if not graph.free[u]:
                return 1
            ways = self._ways_without(x, u)
            changes = [way.cost - sizes.get(v, 1) for v, way in ways]
            if not changes:
                return 1
            change += min(changes)
        return change

    def _ways_without(self, x: int, user: int) -> Iterator[tuple[int, Way]]:
        """Ways to make a user of a value without it, or a product that this user is a
        factor of and nothing else; with the value that is made.
        """
        graph = self._graph
        u = user
        while True:
            ways = (way for way in self._ways.of(u) if x not in way.nodes)
            for way in islice(ways, TRIED):
                yield u, way
            users = graph.users[u]
            if len(users) != 1 or u in graph.kept:
                return
            (above,) = users
            if not graph.free[above] or graph.names[above] not in _PRODUCTS:
                return
            if graph.names[above] == "div" and graph.args[above][0] != u:
                return
            u = above

    def _make_without(self, x: int, user: int) -> bool:
        """Make a user of a value without it in the way that costs least."""
        graph = self._graph
        best: tuple[int, int, Way] | None = None
        for u, way in list(self._ways_without(x, user)):
            if graph.depends(way.nodes, u):
                continue
            mark = graph.mark()
            self._take(u, way)
            is_better = best is None or graph.total < best[0]
            if is_better and (x not in graph.args[user] or not graph.is_alive(user)):
                best = graph.total, u, way
            graph.back(mark)
        if best is None:
            return False
        self._take(*best[1:])
        return True

    def _take(self, u: int, way: Way) -> None:
        """Make a value in a way."""
        made: list[int] = []
        for step in way.steps:
            args = tuple([a if a >= 0 else made[~a] for a in step.args])
            if step is way.steps[-1]:
                self._graph.define(u, step.name, args)
            else:
                made.append(self._graph.made(step.name, args))


class _Writer:
    """Code that is written as a graph says."""

    def __init__(self, fresh: Builder, graph: Graph) -> None:
        self._fresh = fresh
        self._graph = graph
        self._values: dict[int, Operand] = {}
        self._env: dict[Operand, Operand] = {}
        self._changed = graph.changed()

    def written(
        self, body: Body, results: Results, primal: int
    ) -> tuple[Body, Results]:
        """The code."""
        graph = self._graph
        self._statements = {graph.node(s.out): s for s in body if type(s) is Apply}
        for n in self._statements:
            if graph.is_alive(n):
                self._write_all(n)
        made = tuple([self._value(graph.node(r)) for r in results])
        return live(tuple(self._fresh.body), made), made

    def _write_all(self, n: int) -> None:
        """Write a value behind all that it needs."""
        stack = [n]
        while stack:
            n = stack[-1]
            missing = [a for a in self._graph.args[n] if not self._is_there(a)]
            if missing and n not in self._values:
                stack += missing
                continue
            stack.pop()
            if n not in self._values:
                self._values[n] = self._written(n)

    def _is_there(self, n: int) -> bool:
        return n in self._values or self._graph.names[n] == LEAF

    def _value(self, n: int) -> Operand:
        operand = self._graph.operands[n]
        if self._graph.names[n] == LEAF:
            assert operand is not None
            return operand
        return self._values[n]

    def _written(self, n: int) -> Operand:
        graph, fresh = self._graph, self._fresh
        name, statement = graph.names[n], self._statements.get(n)
        args = [self._value(a) for a in graph.args[n]]
        if statement is not None and (not graph.free[n] or n not in self._changed):
            for old, new in zip(statement.args, args, strict=True):
                if type(old) is Var and new is not old:
                    self._env[old] = new
            copy(fresh, statement, self._env, statement.out in graph.sacred)
            return self._env.get(statement.out, statement.out)
        if name == SAME:
            return args[0]
        before = len(fresh.body)
        value = fresh.apply(name, *args)
        if statement is None or not fresh.rebind(value, statement.out, before):
            return value
        return statement.out
