"""Two terms that several sums have in common up to a factor, made once.

The slopes of a quotient `f = n / d` are `n_x / d - f * d_x / d`. Where n and d have a
part p in common, `p_x / d * (1 - f)` is in each of them: `1 - f` is a binomial, and its
factors may differ. Sums are read as terms, monomials of values that stay as they are,
through products that others use, too. Of all pairs of terms of one sum, without the
factors that the two have in common, the one that saves most is made, again and again
(Rajski & Vasudevamurthy 1992, where such a pair is a double-cube divisor; Hosangadi,
Fallah & Kastner 2006 for polynomials). The remaining products are shared at once, for
many were taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import chain, combinations, islice

from ad_transform.dataclass import dataclass
from ad_transform.derive.factoring.extract import extracted
from ad_transform.derive.factoring.polish import Trees, atom_of, copy, polish
from ad_transform.derive.factoring.readings import (
    Factors,
    Term,
    common,
    is_normal,
    times,
    without,
)
from ad_transform.derive.factoring.terms import (
    Sum,
    divided,
    factored,
    multiplied,
    write,
)
from ad_transform.derive.factoring.terms import Term as Written
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.derive.factoring.ways import by_multiples
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import number_of
from ad_transform.ir.count import count_statements
from ad_transform.ir.decimals import product, quotient
from ad_transform.ir.monomial import Monomial
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var

LONG, LONGEST_BODY = 500, 50_000
"""Statements from which on many binomials are made at once, and up to which a body is
read.
"""

PROBE = 1_000
"""Statements of a longer body that are looked at first."""

LONGEST = 12
"""Terms of a sum, and factors of a term, up to which they are read."""

MOST = 8
"""Binomials that are made at once."""


def binomials(
    builder: Builder, body: Body, results: Results, primal: int
) -> tuple[Body, Results]:
    """The body and results with common binomials made once, and products shared after
    that, as far as that costs less. Linear; only for bodies that have no arms. A value
    that arms alone need may divide by a 0 that they keep out.

    Values that the first `primal` results need stay as they are.
    """
    if len(body) > LONGEST_BODY or not all(map(_is_straight, body)):
        return body, results
    room = len(body) - PROBE
    starts = (room * 2 // 3, room // 3, room) if room > 0 else ()
    if starts and not any(_has_some(body, results, primal, k) for k in starts):
        return body, results
    try:
        sums = _Sums(body, results, primal)
        (sums.share if len(body) <= LONG else sums.share_many)()
    except OverflowError:  # no float holds a number that is multiplied out
        return body, results
    if not sums.made:
        return body, results
    taken = _Writer(builder.inner(), sums).written(body, results)
    best = body, results
    shared = extracted(builder, *taken, primal, by_multiples, ())
    if len(body) > LONG:
        shared = islice(shared, 1)
    for found in (taken, *shared):
        for made in (found, polish(builder, *found, primal)):
            if _cost(made) < _cost(best):
                best = made
    return best


def _has_some(body: Body, results: Results, primal: int, start: int) -> bool:
    """Whether PROBE statements of a long body have common binomials.

    Most long code has none, and what is made of copies has them in many places.
    """
    piece, rest = body[start : start + PROBE], body[start + PROBE :]
    later = {*results, *chain.from_iterable(s.inputs for s in rest)}
    sacred = needed(body, results[:primal])
    outs = [out for s in piece for out in s.outs if out in later]
    first = [out for out in outs if out in sacred]
    others = [out for out in outs if out not in sacred]
    try:
        sums = _Sums(piece, (*first, *others), len(first))
        sums.share_many()
    except OverflowError:
        return False
    return bool(sums.made)


def _is_straight(statement: Statement) -> bool:
    return isinstance(statement, Apply) and statement.op.name != "where"


def _cost(made: tuple[Body, Results]) -> int:
    return count_statements(*made).total


@dataclass(frozen=True, slots=True)
class _Binomial:
    """first + second, without common factors; the smaller one of their numbers is 1."""

    first: Term
    second: Term

    @property
    def cost(self) -> int:
        """The number of its operations."""
        return 1 + sum(map(_cost_of, (self.first, self.second)))

    @property
    def is_normal(self) -> bool:
        """Whether both its numbers are neither tiny nor huge."""
        return is_normal(self.first[0]) and is_normal(self.second[0])


def _cost_of(term: Term) -> int:
    number, factors = term
    return max(len(factors) - 1, 0) + (bool(factors) and abs(number) != 1.0)


Place = tuple[Operand, Term, Term]
"""A sum, and two terms of it."""


class _Sums:
    """Sums of derivative code by their terms; `made` are the binomials in them, by
    number, and `values` the values of the other numbers.
    """

    def __init__(self, body: Body, results: Results, primal: int) -> None:
        self.trees = Trees(body, results, primal)
        self.rows: dict[Operand, list[Term]] = {}
        self.changed: set[Operand] = set()
        self.made: dict[int, _Binomial] = {}
        self.values: dict[int, Operand] = {}
        self._numbers: dict[object, int] = {}
        self._read: dict[Operand, list[Term]] = {}
        for statement in body:
            if isinstance(statement, Apply) and self._is_open(statement):
                self._enter(statement)

    def _is_open(self, statement: Apply) -> bool:
        out = statement.out
        free = out not in self.trees.sacred and out.type.is_real and not out.type.dims
        return free and statement.op.name in self.trees.names

    def _enter(self, statement: Apply) -> None:
        """Read a statement; a sum that others read as one value is a row."""
        out = statement.out
        terms = self._terms(statement)
        if len(terms) > LONGEST or any(map(_is_unfit, terms)):
            return
        if len(terms) > 1 and out not in self.trees.inner:
            self.rows[out] = terms
        elif not out.named:
            self._read[out] = terms

    def _terms(self, statement: Apply) -> list[Term]:
        name, args = statement.op.name, statement.args
        left = self._of(args[0])
        if name == "neg":
            return [(-c, f) for c, f in left]
        right = self._of(args[1])
        if name == "add":
            return left + right
        if name == "sub":
            return left + [(-c, f) for c, f in right]
        if len(right) > 1 and (name == "div" or len(left) > 1):
            right = self._as_value(args[1])
        if name == "mul":
            return [(product(c, d), times(f, g)) for c, f in left for d, g in right]
        ((d, g),) = right
        if not is_normal(d):
            return right  # is not read
        below = tuple([~n for n in g[::-1]])
        return [(c if d == 1.0 else quotient(c, d), times(f, below)) for c, f in left]

    def _of(self, value: Operand) -> list[Term]:
        """The terms of an operand."""
        if isinstance(value, Literal):
            number = number_of(value)
            if type(number) is float:  # a constant of the user keeps its name
                return [(number, ())]
        return self._read.get(value) or [(1.0, (self._number(value),))]

    def _as_value(self, value: Operand) -> list[Term]:
        """A sum as one factor, which is not multiplied out."""
        self.rows[value] = self._read.pop(value)
        return self._of(value)

    def _number(self, value: Operand | _Binomial) -> int:
        number = self._numbers.setdefault(value, len(self._numbers))
        if isinstance(value, _Binomial):
            self.made[number] = value
        else:
            self.values[number] = value
        return number

    def share(self) -> None:
        """Make the binomials that save most."""
        while len(self.made) < MOST:
            best, most = None, 0
            for binomial, places in self._met().items():
                apart = list(_apart(places))
                gain = (len(apart) - 1) * binomial.cost
                if gain > most:
                    best, most = (binomial, apart), gain
            if best is None:
                return
            self._put(*best)

    def share_many(self) -> None:
        """The same for long code: in a few rounds those that save most, and then the
        others that are left.
        """
        for _ in range(MOST):
            gains: list[tuple[int, _Binomial, list[Place]]] = []
            for binomial, places in self._met().items():
                gain = (len(list(_apart(places))) - 1) * binomial.cost
                if gain > 0:
                    gains.append((gain, binomial, places))
            if not gains:
                return
            gains.sort(key=lambda found: -found[0])
            gone: set[tuple[Operand, Term]] = set()
            for _, binomial, places in gains:
                apart = list(_apart(places, gone))
                if len(apart) > 1:
                    gone.update((root, t) for root, *both in apart for t in both)
                    self._put(binomial, apart)

    def _met(self) -> dict[_Binomial, list[Place]]:
        """The places of binomials that may be in several sums."""
        alike: dict[tuple[Factors, Factors], list[Place]] = {}
        for root, terms in self.rows.items():
            for x, y in combinations(terms, 2):
                f, g = _left(x[1], y[1])
                if f != g:
                    alike.setdefault((f, g) if f < g else (g, f), []).append(
                        (root, x, y)
                    )
        met: dict[_Binomial, list[Place]] = {}
        for places in alike.values():
            for place in places if len(places) > 1 else ():
                binomial, _ = _binomial(*place[1:])
                if binomial.is_normal:
                    met.setdefault(binomial, []).append(place)
        return met

    def _put(self, binomial: _Binomial, places: list[Place]) -> None:
        number = self._number(binomial)
        for root, x, y in places:
            _, (c, factors) = _binomial(x, y)
            terms = self.rows[root]
            terms[terms.index(x)] = c, times(factors, (number,))
            terms.remove(y)
            self.changed.add(root)


def _is_unfit(term: Term) -> bool:
    """Whether a term is not read: its number is extreme, or something cancels in it."""
    number, factors = term
    for n in factors:
        if n >= 0:  # divisors stand first
            break
        if ~n in factors:
            return True
    return len(factors) > LONGEST or not is_normal(number)


def _left(f: Factors, g: Factors) -> tuple[Factors, Factors]:
    """Two rows of factors without their common factors."""
    both = common(f, g)
    return without(f, both), without(g, both)


def _binomial(x: Term, y: Term) -> tuple[_Binomial, Term]:
    """The binomial that two terms add up to, and the term that multiplies it."""
    (c, f), (d, g) = x, y
    both = common(f, g)
    f, g = _left(f, g)
    if g < f:
        c, f, d, g = d, g, c, f
    least = c if abs(c) <= abs(d) else d
    return _Binomial((quotient(c, least), f), (quotient(d, least), g)), (least, both)


_Gone = AbstractSet[tuple[Operand, Term]]


def _apart(places: list[Place], gone: _Gone = frozenset()) -> Iterator[Place]:
    """Places that have no term in common, the first ones of all; none with terms that
    are `gone`.
    """
    taken: set[tuple[Operand, Term]] = set()
    for root, x, y in places:
        own = (root, x), (root, y)
        if x != y and taken.isdisjoint(own) and gone.isdisjoint(own):
            taken.update(own)
            yield root, x, y


class _Writer:
    """Sums written with binomials, each before the first sum that has it."""

    def __init__(self, fresh: Builder, sums: _Sums) -> None:
        self._fresh = fresh
        self._sums = sums
        self._env: dict[Operand, Operand] = {}
        self._made: dict[int, Operand] = {}

    def written(self, body: Body, results: Results) -> tuple[Body, Results]:
        """The body and results with the sums that have changed."""
        fresh, env, sums = self._fresh, self._env, self._sums
        for statement in body:
            if not isinstance(statement, Apply):
                fresh.simplify(statement, env)
            elif statement.out not in sums.changed:
                copy(fresh, statement, env, statement.out in sums.trees.sacred)
            else:
                self._write(statement.out)
        made = tuple(env.get(r, r) for r in results)
        return live(tuple(fresh.body), made), made

    def _write(self, out: Var) -> None:
        terms = self._sums.rows[out]
        for _, factors in terms:
            for n in factors:
                self._make(max(n, ~n))
        before = len(self._fresh.body)
        value = self._value(terms)
        if not self._fresh.rebind(value, out, before):
            self._env[out] = value

    def _make(self, number: int) -> None:
        one = self._sums.made.get(number)
        if one is not None and number not in self._made:
            for n in one.first[1] + one.second[1]:
                self._make(max(n, ~n))
            self._made[number] = self._value([one.first, one.second])

    def _value(self, terms: list[Term]) -> Operand:
        total = Sum(tuple(map(self._term, terms)))
        return write(self._fresh, factored(total))

    def _term(self, term: Term) -> Written:
        number, factors = term
        made: Written = Monomial(number)
        for n in factors[::-1]:  # divisors first
            join = multiplied if n >= 0 else divided
            made = join(made, self._factor(max(n, ~n)))
        return made

    def _factor(self, number: int) -> Written:
        if number in self._made:
            return atom_of(self._made[number], 1, {})
        return atom_of(self._sums.values[number], 1, self._env)
