"""Values that are computed with the other sign, where that saves negations.

Every value of derivative code may be computed as its negative, if its users know: a
product of two negatives is a product, `x - (-y)` is a sum. So a sign costs an operation
only where no user can take it on:

    -x * -y = x * y      -x / y = x / -y = -(x / y)
    -x + y = y - x       x - -y = x + y

The values to be turned are searched from each negation outwards, as
Kernighan and Lin (1970) search partitions: the best next value is turned even if that
gains nothing yet, and of all stages the cheapest is kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from ad_transform.derive.factoring.negations import negates
from ad_transform.derive.factoring.polish import copy
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var

USERS = 100
"""Statements that may use a value which is turned: each is looked at, every time."""

REACH = 8
"""Values that are turned from one negation outwards at most."""

_PRODUCTS = frozenset({"mul", "div"})
_OPEN = frozenset({"mul", "div", "add", "sub", "neg"})


def turned_differences(
    builder: Builder, body: Body, results: Results, primal: int
) -> tuple[Body, Results]:
    """The same as `turned`, where `x - y` behind `y - x` is the negative of that."""
    sacred = needed(body, results[:primal])
    made: dict[tuple[Operand, ...], Var] = {}
    told: list[Statement] = []
    for s in body:
        told.append(s)
        if isinstance(s, Apply) and s.op.name == "sub" and not s.out.type.dims:
            other = made.get(s.args[::-1])
            made[s.args] = s.out
            if other is not None and s.out not in sacred:
                told[-1] = Apply(s.out, TABLE["neg"], (other,))
    return turned(builder, tuple(told), results, primal)


def turned(
    builder: Builder, body: Body, results: Results, primal: int
) -> tuple[Body, Results]:
    """The body and results with fewer negations, if there can be fewer. Linear.

    Values that the first `primal` results need stay as they are.
    """
    if not negates(body):
        return body, results
    search = Search(body, results, primal)
    search.run()
    if not search.turned:
        return body, results
    return _Writer(builder, search).written(body, results)


class Search:
    """The search for values to be turned: computed with the other sign."""

    def __init__(self, body: Body, results: Results, primal: int) -> None:
        self.turned: set[Operand] = set()
        self.sacred = needed(body, results[:primal])
        self.made: dict[Operand, Apply] = {}
        self.fixed: set[Operand] = set(results)
        self._users: dict[Operand, list[Apply]] = {}
        self._changes: dict[Operand, int] = {}
        for statement in body:
            if isinstance(statement, Apply) and self._is_open(statement):
                self.made[statement.out] = statement
                for a in dict.fromkeys(statement.args):
                    if a in self.made:
                        self._users.setdefault(a, []).append(statement)
            else:
                self.fixed.update(statement.inputs)

    def _is_open(self, statement: Apply) -> bool:
        out = statement.out
        if statement.op.name not in _OPEN or out in self.sacred or not out.type.is_real:
            return False
        return not out.type.dims and all(a.type.is_real for a in statement.args)

    def run(self) -> None:
        """Turn the values that save negations."""
        negations = [v for v, s in self.made.items() if s.op.name == "neg"]
        for value in negations:
            if self.cost(self.made[value]):
                for start in (value, *self.made[value].args):
                    if self._may_turn(start) and self._turn_from(start):
                        break

    def _turn_from(self, start: Operand) -> bool:
        """Turn some values from one outwards; returns whether that saves a negation."""
        chain, gain, best, length = [start], -self.flip(start), 0, 0
        while gain <= 0 and len(chain) < REACH:
            found = None
            for value in dict.fromkeys(self._around(chain)):
                change = self.change(value)
                if found is None or change < found[0]:
                    found = change, value
            if found is None:
                break
            gain -= self.flip(found[1])
            chain.append(found[1])
        if gain > best:
            length = len(chain)
        for value in chain[length:]:
            self.flip(value)
        return length > 0

    def _around(self, chain: list[Operand]) -> Iterator[Operand]:
        """The values at statements near a chain that take a negation."""
        for one in chain:
            for statement in self._near(one):
                if self.cost(statement):
                    for value in (statement.out, *statement.args):
                        if self._may_turn(value) and value not in chain:
                            yield value

    def _may_turn(self, value: Operand) -> bool:
        return value in self.made and len(self._users.get(value, ())) <= USERS

    def flip(self, value: Operand) -> int:
        """Turn a value, or turn it back; returns the number of new negations."""
        change = self.change(value)
        self.turned ^= {value}
        for statement in self._near(value):
            for one in (statement.out, *statement.args):
                self._changes.pop(one, None)
        return change

    def change(self, value: Operand) -> int:
        """The number of negations that are added if a value is turned, or turned back.

        The number is kept until a value beside it is turned.
        """
        found = self._changes.get(value)
        if found is None:
            near = self._near(value)
            before = sum(map(self.cost, near))
            self.turned ^= {value}
            found = sum(map(self.cost, near)) - before
            if value in self.fixed:
                found += 1 if value in self.turned else -1
            self.turned ^= {value}
            self._changes[value] = found
        return found

    def _near(self, value: Operand) -> tuple[Apply, ...]:
        """The statement of a value, and the statements that use it."""
        return (self.made[value], *self._users.get(value, ()))

    def cost(self, statement: Apply) -> int:
        """The number of negations that a statement takes beside its own operation."""
        wrong = statement.out in self.turned
        signs = [a in self.turned for a in statement.args]
        name = statement.op.name
        if name == "neg":
            return int(wrong == signs[0])
        numbers = any(type(a) is Literal for a in statement.args)
        if name in _PRODUCTS:
            return int(not numbers and wrong != (signs[0] != signs[1]))
        first, second = signs[0] != wrong, (signs[1] != wrong) != (name == "sub")
        return int(first and second and not numbers)


class _Writer:
    """Code with values turned."""

    def __init__(self, builder: Builder, search: Search) -> None:
        self._fresh = builder.inner()
        self._search = search
        self._env: dict[Operand, Operand] = {}
        self._turned: dict[Operand, Operand] = {}

    def written(self, body: Body, results: Results) -> tuple[Body, Results]:
        fresh, env, search = self._fresh, self._env, self._search
        for statement in body:
            if not isinstance(statement, Apply):
                fresh.simplify(statement, env)
            elif statement.out not in search.made:
                copy(fresh, statement, env, statement.out in search.sacred)
            else:
                self._write(statement)
        made = tuple(env.get(r, r) for r in results)
        return live(tuple(fresh.body), made), made

    def _write(self, statement: Apply) -> None:
        out, before = statement.out, len(self._fresh.body)
        value = self._made(statement)
        if out not in self._search.turned:
            if not self._fresh.rebind(value, out, before):
                self._env[out] = value
            return
        self._turned[out] = value
        if out in self._search.fixed:
            before = len(self._fresh.body)
            positive = self._fresh.apply("neg", value)
            if not self._fresh.rebind(positive, out, before):
                self._env[out] = positive

    def _made(self, statement: Apply) -> Operand:
        """The value of a statement, with the sign that it needs."""
        turned = self._search.turned
        wrong, name = statement.out in turned, statement.op.name
        signs = [a in turned for a in statement.args]
        args = [self._operand(a) for a in statement.args]
        if name == "neg":
            return args[0] if wrong != signs[0] else self._fresh.apply("neg", *args)
        if name in _PRODUCTS:
            return self._product(name, args, wrong != (signs[0] != signs[1]))
        first, second = signs[0] != wrong, (signs[1] != wrong) != (name == "sub")
        x, y = args
        return self._sum(x, y, first, second)

    def _operand(self, value: Operand) -> Operand:
        found = self._turned.get(value)
        return self._env.get(value, value) if found is None else found

    def _product(self, name: str, args: list[Operand], wrong: bool) -> Operand:
        """A product or a quotient, with the other sign where it is `wrong`."""
        if not wrong:
            return self._fresh.apply(name, *args)
        for k, a in enumerate(args):
            if type(a) is Literal:
                args[k] = _negative(a)
                return self._fresh.apply(name, *args)
        return self._fresh.apply("neg", self._fresh.apply(name, *args))

    def _sum(self, x: Operand, y: Operand, minus_x: bool, minus_y: bool) -> Operand:
        apply = self._fresh.apply
        if minus_x and minus_y:
            if type(x) is Literal:
                return apply("sub", _negative(x), y)
            if type(y) is Literal:
                return apply("sub", _negative(y), x)
            return apply("neg", apply("add", x, y))
        if minus_x:
            return apply("sub", y, x)
        return apply("sub" if minus_y else "add", x, y)


def _negative(number: Literal) -> Operand:
    return literal_of(-number_of(number))
