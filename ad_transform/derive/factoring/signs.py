"""The signs in which values are computed, searched when nothing else is gained.

Where `turned` turns one value after the other, this looks at whole expressions (see
`sign_trees`), and at values that are there in both signs:

    -x * -y = x * y      -x / y = x / -y = -(x / y)
    -x + y = y - x       x - -y = x + y

The search goes outwards from values whose sign costs something, as Kernighan and Lin
(1970) search partitions: the best next value is changed even if that gains nothing yet,
and what gains nothing in the end is taken back.
"""

from __future__ import annotations

from collections.abc import Iterator

from ad_transform.derive.factoring.extract import LONG
from ad_transform.derive.factoring.polish import copy
from ad_transform.derive.factoring.sign_trees import (
    BOTH,
    MINUS,
    PLUS,
    Trees,
    Written,
    is_negative,
)
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.nodes import Apply, Literal, Operand, Var

USERS = 100
"""Trees that may use a value whose sign is changed: each is looked at, every time."""

REACH = 4
"""Values that are changed from one outwards at most."""

LEAST = 1 / 150
"""The part of the operations of long code that has to be saved."""

EXCESS = 1
"""So many operations more may be there on the way, where a change gains nothing."""


def signs(
    builder: Builder, body: Body, results: Results, primal: int
) -> tuple[Body, Results]:
    """The body and results with fewer operations for signs, if there can be fewer.
    Linear.

    What the first `primal` results need stays as it is.
    """
    if not _may_save(body):
        return body, results
    trees = Trees(body, results, primal)
    if not trees.saved:
        return body, results
    search = Search(trees)
    search.run()
    if not _is_enough(trees.saved - search.total, body):
        return body, results
    return _Writer(builder, trees, search.signs).written(body, results)


def _may_save(body: Body) -> bool:
    """Whether there are negations, or differences beside the other ones, that are
    enough to be looked at.
    """
    made: set[tuple[Operand, ...]] = set()
    count = 0
    for statement in body:
        if type(statement) is Apply:
            name = statement.op.name
            count += name == "neg" or (name == "sub" and statement.args[::-1] in made)
            if name == "sub":
                made.add(statement.args)
    return _is_enough(count, body)


def _is_enough(saved: int, body: Body) -> bool:
    """Whether so many operations are worth the work: in long code a few are not."""
    return saved > 0 and (len(body) < LONG or saved >= LEAST * len(body))


class Search:
    """The signs in which values are there, and what that costs in `total`."""

    def __init__(self, trees: Trees) -> None:
        self._trees = trees
        self.signs: dict[Operand, int] = {}
        for base, sign in trees.needs.items():
            if sign != PLUS and type(base) is not Literal:
                self.signs[base] = sign if base in trees.made else BOTH
        self._costs = {root: self._cost(root) for root in trees.leaves}
        self._changes: dict[tuple[Operand, int], int] = {}
        self._tried: dict[Operand, int] = {}  # by the total at that time
        both = sum(1 for sign in self.signs.values() if sign == BOTH)
        self.total = sum(self._costs.values()) + both

    def run(self) -> None:
        """Change what saves something."""
        for root in self._trees.leaves:
            if self._costs[root]:
                for base in (root, *self._trees.leaves[root]):
                    self._start(base)
        for base, now in list(self.signs.items()):
            if now == BOTH:
                self._start(base)

    def _start(self, base: Operand) -> None:
        """Change values from one outwards, once while nothing else has changed."""
        if self._tried.get(base) != self.total:
            for sign in self.others(base):
                if self.change(base, sign) <= EXCESS:
                    self._change_from(base, sign)
            self._tried[base] = self.total

    def _change_from(self, base: Operand, sign: int) -> None:
        """Change some values from one outwards, if that saves something."""
        before = self.total
        chain = {base: self.signs.get(base, PLUS)}
        self.move(base, sign)
        while self.total >= before and len(chain) < REACH:
            found = None
            for value in self._around(chain):
                for other in self.others(value):
                    change = self.change(value, other)
                    if found is None or change < found[0]:
                        found = change, value, other
            if found is None:
                break
            least, value, other = found
            if least >= 0 and self.total + least > before + EXCESS:
                break
            chain[value] = self.signs.get(value, PLUS)
            self.move(value, other)
        if self.total >= before:
            for value, old in chain.items():
                self.move(value, old)

    def _around(self, chain: dict[Operand, int]) -> Iterator[Operand]:
        """Values beside those of a chain where a sign costs something."""
        met = set(chain)
        for one in chain:
            for root in self._near(one):
                if self._costs[root]:
                    for value in (root, *self._trees.leaves[root]):
                        if value not in met:
                            met.add(value)
                            yield value

    def others(self, base: Operand) -> Iterator[int]:
        """The signs in which a value may be there and is not now."""
        if len(self._trees.users.get(base, ())) > USERS:
            return
        needs, now = self._trees.needs.get(base, 0), self.signs.get(base, PLUS)
        if base not in self._trees.made:
            needs |= PLUS
        for sign in (PLUS, MINUS, BOTH):
            if sign != now and sign & needs == needs:
                yield sign

    def move(self, base: Operand, sign: int) -> None:
        """Let a value be there in such signs."""
        self.total += self.change(base, sign)
        self.signs[base] = sign
        for root in self._near(base):
            self._costs[root] = self._cost(root)
            for value in (root, *self._trees.leaves[root]):
                for other in (PLUS, MINUS, BOTH):
                    self._changes.pop((value, other), None)

    def change(self, base: Operand, sign: int) -> int:
        """How many operations more there are if a value is there in other signs.

        What it was stays true until a value beside it changes.
        """
        found = self._changes.get((base, sign))
        if found is None:
            near, now = self._near(base), self.signs.get(base, PLUS)
            before = sum(map(self._costs.__getitem__, near))
            self.signs[base] = sign
            found = sum(map(self._cost, near)) - before
            found += (sign == BOTH) - (now == BOTH)
            self.signs[base] = now
            self._changes[base, sign] = found
        return found

    def _near(self, base: Operand) -> list[Operand]:
        """The roots of the trees that a value is part of."""
        users = self._trees.users.get(base, [])
        return [base, *users] if base in self._trees.made else users

    def _cost(self, root: Operand) -> int:
        """Operations that a tree takes for signs, beside the second one of its root."""
        plus, minus = self._trees.costs(root, self.signs)
        sign = self.signs.get(root, PLUS)
        if sign == BOTH:
            return min(plus, minus)
        return plus if sign == PLUS else minus


class _Writer:
    """Code whose values are there in such signs."""

    def __init__(
        self, builder: Builder, trees: Trees, signs: dict[Operand, int]
    ) -> None:
        self._fresh = builder.inner()
        self._trees = trees
        self._env: dict[Operand, Operand] = {}
        self._there: dict[Operand, dict[bool, Operand]] = {}
        self._ways: dict[Operand, Written] = {}
        for root in trees.leaves:
            plus, minus = trees.costs(root, signs)
            sign = signs.get(root, PLUS)
            wrong = sign == MINUS or (sign == BOTH and minus < plus)
            self._ways |= trees.ways(root, wrong, signs)

    def written(self, body: Body, results: Results) -> tuple[Body, Results]:
        """The code."""
        fresh, env, trees = self._fresh, self._env, self._trees
        for statement in body:
            if not isinstance(statement, Apply):
                fresh.simplify(statement, env)
            elif trees.is_other(out := statement.out):
                if out in trees.asked:
                    env[out] = self._taken(out, False)
            elif out in trees.made:
                self._write(statement)
            else:
                copy(fresh, statement, env, out in trees.sacred)
        made = tuple(env.get(r, r) for r in results)
        return live(tuple(fresh.body), made), made

    def _write(self, statement: Apply) -> None:
        out, before = statement.out, len(self._fresh.body)
        way = self._ways[out]
        value = self._made(statement, way)
        if way.wrong:
            self._there[out] = {True: value}
            if out in self._trees.asked:
                before = len(self._fresh.body)
                self._name(self._fresh.apply("neg", value), out, before)
        else:
            self._name(value, out, before)

    def _name(self, value: Operand, out: Var, before: int) -> None:
        if not self._fresh.rebind(value, out, before):
            self._env[out] = value
        self._there.setdefault(out, {})[False] = self._env.get(out, out)

    def _made(self, statement: Apply, way: Written) -> Operand:
        apply, name = self._fresh.apply, statement.op.name
        x, y = statement.args
        x, y = self._taken(x, way.first), self._taken(y, way.second)
        if name in ("add", "sub"):
            minus_x, minus_y = is_negative(name, way.wrong, way.first, way.second)
            if minus_x and not minus_y:
                return apply("sub", y, x)
            made = apply("sub" if minus_y and not minus_x else "add", x, y)
        else:
            made = apply(name, x, y)
        return apply("neg", made) if way.negated else made

    def _taken(self, value: Operand, negative: bool) -> Operand:
        """A value or its negative, made if it is not there."""
        if type(value) is Literal:
            return literal_of(-number_of(value)) if negative else value
        base, other = self._trees.signed(value)
        wrong = negative != other
        there = self._there.get(base)
        if there is None:
            there = self._there[base] = {False: self._env.get(base, base)}
        if wrong not in there:
            there[wrong] = self._fresh.apply("neg", there[not wrong])
        return there[wrong]
