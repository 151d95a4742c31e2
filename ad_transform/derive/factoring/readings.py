"""Values read as a number times factors, one of which may be a sum of such terms.

A value is read through all operations below it, those of the value and shared ones too:
where `c = p - 3 * q` is a value of the source, `c + 2 * p` is read as `3 * (p - q)`. So
equal values that are computed in other ways are read alike. Nothing cancels: x / x is
not 1, and (x + y) - y is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from math import isfinite, nan

from ad_transform.ir.constants import number_of
from ad_transform.ir.decimals import product, quotient, total
from ad_transform.ir.nodes import Apply, Literal, Operand

LONGEST = 12
"""Terms of a sum, and factors of a term, up to which a value is read."""

Factors = tuple[int, ...]
"""Numbers of values and of sums, ascending; ~n is a divisor."""

Term = tuple[float, Factors]

_LEAST = 1e-100
_MOST = 1.0 / _LEAST
"""Numbers from this to its reciprocal are those of terms."""


class Readings:
    """The terms that values were read as, and the numbers of their factors: `values`
    has the values that are not read, `sums` the sums without the common factors of
    their terms.
    """

    def __init__(self) -> None:
        self.values: dict[int, Operand] = {}
        self.sums: dict[int, tuple[Term, ...]] = {}
        self._terms: dict[Operand, Term] = {}
        self._numbers: dict[object, int] = {}

    def read(self, statement: Apply) -> Term:
        """The term that a statement makes of the terms read before."""
        reader = _READERS.get(statement.op.name)
        try:
            term = reader(self, *map(self._term, statement.args)) if reader else None
        except OverflowError:
            term = None
        if term is None or len(term[1]) > LONGEST or not is_normal(term[0]):
            term = 1.0, (self._value(statement.out),)
        self._terms[statement.out] = term
        return term

    def _term(self, value: Operand) -> Term:
        if isinstance(value, Literal):
            number = number_of(value)
            if type(number) is float and isfinite(number):
                return number, ()
            return 1.0, (self._value(value),)  # a constant of the user keeps its name
        return self._terms.get(value) or (1.0, (self._value(value),))

    def _value(self, value: Operand) -> int:
        number = self._number(value)
        self.values[number] = value
        return number

    def _number(self, what: object) -> int:
        return self._numbers.setdefault(what, len(self._numbers))

    def _added(self, x: Term, y: Term) -> Term | None:
        found: dict[Factors, float] = {}
        for c, factors in (*self._spread(x), *self._spread(y)):
            before = found.get(factors)
            found[factors] = c if before is None else _sum(before, c)
        if len(found) > LONGEST or not all(map(is_normal, found.values())):
            return None
        terms = sorted(found.items())
        shared = reduce(common, found)
        lead = terms[0][1]
        if len(terms) == 1:
            return lead, shared
        inner = tuple([(_over(c, lead), without(f, shared)) for f, c in terms])
        if not all(is_normal(c) for c, _ in inner):
            return None
        number = self._number(inner)
        self.sums[number] = inner
        return lead, times(shared, (number,))

    def _totalled(self, *terms: Term) -> Term | None:
        found: Term | None
        found, *others = [t for t in terms if t[0]] or terms  # no start of 0.0
        for term in others:
            found = None if found is None else self._added(found, term)
        return found

    def _spread(self, term: Term) -> Iterable[Term]:
        """The terms of a sum times other factors; any other value is its own term."""
        c, factors = term
        sums = [n for n in factors if n in self.sums]
        if len(sums) != 1:
            return (term,)
        rest = without(factors, (sums[0],))
        return [(product(c, d), times(rest, f)) for d, f in self.sums[sums[0]]]

    def _subtracted(self, x: Term, y: Term) -> Term | None:
        return self._added(x, (-y[0], y[1]))

    def _multiplied(self, x: Term, y: Term) -> Term | None:
        return product(x[0], y[0]), times(x[1], y[1])

    def _divided(self, x: Term, y: Term) -> Term | None:
        if not y[0]:
            return None
        return _over(x[0], y[0]), times(x[1], tuple([~n for n in y[1][::-1]]))

    def _negated(self, x: Term) -> Term | None:
        return -x[0], x[1]


_READERS: Mapping[str, Callable[..., Term | None]] = {
    "add": Readings._added,
    "sub": Readings._subtracted,
    "mul": Readings._multiplied,
    "div": Readings._divided,
    "neg": Readings._negated,
    "sum": Readings._totalled,
    "sum_from": Readings._totalled,
    "fsum": Readings._totalled,
}


def is_normal(c: float) -> bool:
    """Whether a number is neither tiny nor huge. Tiny ones may stand for many numbers,
    like 0; both take others out of range.
    """
    return _LEAST <= abs(c) <= _MOST


def _sum(c: float, d: float) -> float:
    """c + d; nan if one is lost in the other, as their terms may not be."""
    found = total(c, d)
    return nan if found in (c, d) else found


def _over(c: float, d: float) -> float:
    return c if d == 1.0 else quotient(c, d)


def times(m: Factors, n: Factors) -> Factors:
    return tuple(sorted(m + n)) if m and n else m or n


def common(m: Factors, n: Factors) -> Factors:
    left = list(n)
    found = []
    for x in m:
        if x in left:
            left.remove(x)
            found.append(x)
    return tuple(found)


def without(m: Factors, n: Factors) -> Factors:
    """The factors of m without those of n, which are among them."""
    if not n:
        return m
    left = list(m)
    for x in n:
        left.remove(x)
    return tuple(left)
