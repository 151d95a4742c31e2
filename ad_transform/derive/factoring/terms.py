"""Sums of terms: taking out common factors, counting, writing.

A term is sign * constant * factors / divisors; a factor is a value or a sum.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of, product
from ad_transform.ir.nodes import Operand, Var


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of at least one term."""

    terms: tuple[Term, ...]


Factor = Var | Sum


@dataclass(frozen=True, slots=True)
class Term:
    """sign * constant * product(factors) / product(divisors), constant >= 0."""

    sign: int
    constant: float
    factors: tuple[Factor, ...]
    divisors: tuple[Factor, ...]

    def signed(self, sign: int) -> Term:
        """The term times +1 or -1."""
        if sign > 0:
            return self
        return Term(-self.sign, self.constant, self.factors, self.divisors)

    def times(self, other: Term) -> Term:
        """The product of two terms."""
        return Term(
            self.sign * other.sign,
            product(self.constant, other.constant),
            self.factors + other.factors,
            self.divisors + other.divisors,
        )

    def over(self, other: Term) -> Term:
        """The quotient of two terms; a compound divisor stays as it is."""
        if other.divisors or other.constant != 1.0 or len(other.factors) != 1:
            return replace(self, divisors=(*self.divisors, Sum((other,))))
        return Term(
            self.sign * other.sign,
            self.constant,
            self.factors,
            self.divisors + other.factors,
        )

    @property
    def operations(self) -> int:
        """Multiplications and divisions at the top of the term."""
        scaled = self.constant != 1.0 or not self.factors
        return len(self.factors) + len(self.divisors) + scaled - 1


LONGEST = 200
"""Sums of more terms are not searched for common factors."""


def factored(total: Sum) -> Sum:
    """The sum with common factors, divisors and constants taken out greedily."""
    terms = _counted(_one_number([_inside(t) for t in total.terms]))
    while len(terms) <= LONGEST:
        shared = _most_shared(terms)
        if shared is None:
            break
        terms = _take_out(terms, shared)
    return Sum(tuple(terms))


def _one_number(terms: list[Term]) -> list[Term]:
    """The terms with all plain numbers added up, where the first one stood."""
    places = [k for k, t in enumerate(terms) if not (t.factors or t.divisors)]
    if len(places) < 2:
        return terms
    total = sum(terms[k].sign * terms[k].constant for k in places)
    one = Term(1 if total >= 0 else -1, abs(total), (), ())
    kept = [t for t in terms if t.factors or t.divisors]
    if total or not kept:
        kept.insert(places[0], one)
    return kept


def _counted(terms: list[Term]) -> list[Term]:
    """The terms with three or more that are whole multiples of one as one multiple."""
    groups: dict[tuple[tuple[Factor, ...], tuple[Factor, ...]], list[Term]] = {}
    for term in terms:
        if term.constant.is_integer() and term.constant < 2**20:
            groups.setdefault((term.factors, term.divisors), []).append(term)
    for group in groups.values():
        number = sum(t.sign * t.constant for t in group)
        if len(group) > 2 and number:
            one = replace(group[0], sign=1 if number > 0 else -1, constant=abs(number))
            place = next(k for k, t in enumerate(terms) if t is group[0])
            same = {id(t) for t in group}
            terms[place] = one
            terms = [t for t in terms if id(t) not in same]
    return terms


Shared = tuple[str, "Factor | float"]


def _inside(term: Term) -> Term:
    """The term with the sums among its factors factored."""
    if not any(type(f) is Sum for f in (*term.factors, *term.divisors)):
        return term
    return replace(
        term,
        factors=tuple(factored(f) if isinstance(f, Sum) else f for f in term.factors),
        divisors=tuple(factored(f) if isinstance(f, Sum) else f for f in term.divisors),
    )


def _candidates(term: Term) -> list[Shared]:
    """What may be taken out of a term so that something is left of it."""
    if term.operations < 1:
        return []
    found: list[Shared] = [("over", d) for d in dict.fromkeys(term.divisors)]
    found += [("times", f) for f in dict.fromkeys(term.factors)]
    if term.constant != 1.0 and (term.factors or term.divisors):
        found.append(("constant", term.constant))
    return found


def _most_shared(terms: list[Term]) -> Shared | None:
    tally = Counter(c for t in terms for c in _candidates(t))
    if not tally:
        return None
    shared, count = tally.most_common(1)[0]  # ties: the first seen
    return shared if count > 1 else None


def _take_out(terms: list[Term], shared: Shared) -> list[Term]:
    """One term for all that share a factor, standing where the first one stood."""
    group = [t for t in terms if shared in _candidates(t)]
    inner = factored(Sum(tuple(_without(t, shared) for t in group)))
    sign = 1
    if all(t.sign < 0 for t in inner.terms):
        sign, inner = -1, Sum(tuple(t.signed(-1) for t in inner.terms))
    one = _with(Term(sign, 1.0, (inner,), ()), shared)
    place = next(k for k, t in enumerate(terms) if t is group[0])
    rest = [t for t in terms if shared not in _candidates(t)]
    return [*rest[:place], one, *rest[place:]]


def _without(term: Term, shared: Shared) -> Term:
    match shared:
        case ("constant", _):
            return replace(term, constant=1.0)
        case ("times", factor):
            return replace(term, factors=_less(term.factors, factor))
        case (_, factor):
            return replace(term, divisors=_less(term.divisors, factor))


def _with(term: Term, shared: Shared) -> Term:
    match shared:
        case ("constant", float(c)):
            return replace(term, constant=c)
        case ("times", Var() | Sum() as factor):
            return replace(term, factors=(factor, *term.factors))
        case (_, Var() | Sum() as factor):
            return replace(term, divisors=(*term.divisors, factor))
    raise AssertionError(shared)


def _less(factors: tuple[Factor, ...], one: Factor | float) -> tuple[Factor, ...]:
    place = next(k for k, f in enumerate(factors) if f == one)
    return factors[:place] + factors[place + 1 :]


# --- counting and writing ----------------------------------------------------------


def cost(total: Sum) -> int:
    """Operations that `write` makes at most."""
    return (
        sum(_term_cost(t) for t in total.terms)
        + len(total.terms)
        - 1
        + (_flippable(total) is None)
    )


def _term_cost(term: Term) -> int:
    inner = (*term.factors, *term.divisors)
    return term.operations + sum(cost(f) for f in inner if isinstance(f, Sum))


def _flippable(total: Sum) -> int | None:
    """How the sum can begin without a negation: None if it cannot.

    A positive term may stand first; else a term with a constant, or with a difference
    among its factors, can take its own sign in.
    """
    for k, term in enumerate(total.terms):
        if term.sign > 0:
            return k
    for k, term in enumerate(total.terms):
        if _flipped(term) is not None:
            return k
    return None


def _flipped(term: Term) -> Term | None:
    """The negative term with its sign inside, if that is free."""
    if term.constant != 1.0 or not term.factors:
        return term
    for k, factor in enumerate(term.factors):
        if isinstance(factor, Sum) and any(t.sign < 0 for t in factor.terms):
            turned = Sum(tuple(t.signed(-1) for t in factor.terms))
            factors = (*term.factors[:k], turned, *term.factors[k + 1 :])
            return replace(term, sign=1, factors=factors)
    return None


def write(builder: Builder, total: Sum) -> Operand:
    """The value of a sum, built."""
    first = _flippable(total)
    if first is None:
        turned = Sum(tuple(t.signed(-1) for t in total.terms))
        return builder.apply("neg", write(builder, turned))
    head = total.terms[first]
    if head.sign < 0:
        head = _flipped(head) or head
    rest = [t for k, t in enumerate(total.terms) if k != first]
    value = _write_term(builder, head, signed=True)
    for term in rest:
        op = "add" if term.sign > 0 else "sub"
        value = builder.apply(op, value, _write_term(builder, term))
    return value


def _write_term(builder: Builder, term: Term, *, signed: bool = False) -> Operand:
    """The value of a term; its sign goes into the constant if `signed`."""
    constant = -term.constant if signed and term.sign < 0 else term.constant
    factors = [_write_factor(builder, f) for f in term.factors]
    divisors = [_write_factor(builder, d) for d in term.divisors]
    if constant != 1.0 or not factors:
        factors.insert(0, literal_of(constant))
    value = factors[0]
    for factor in factors[1:]:
        value = builder.apply("mul", value, factor)
    for divisor in divisors:
        value = builder.apply("div", value, divisor)
    return value


def _write_factor(builder: Builder, factor: Factor) -> Operand:
    return write(builder, factor) if isinstance(factor, Sum) else factor
