"""Sums of terms: taking out common factors, counting, writing.

A term is a monomial of values and sums: `-2.0 * x * (y + z) / w`.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of
from ad_transform.ir.decimals import total as sum_of
from ad_transform.ir.monomial import Monomial, multiple
from ad_transform.ir.nodes import Operand, Var


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of at least one term."""

    terms: tuple[Term, ...]


Factor: TypeAlias = Var | Sum
Term: TypeAlias = Monomial[Factor]


def multiplied(m: Term, n: Term) -> Term:
    """m * n, in which nothing cancels: x / x is not 1."""
    return m.times(_apart(n) if _meet(m, n, 1) else n)


def divided(m: Term, n: Term) -> Term:
    """m / n, in which nothing cancels; a compound divisor stays as it is."""
    simple = abs(n.constant) == 1.0 and len(n.powers) == 1 and n.powers[0][1] == 1
    return m.over(n if simple and not _meet(m, n, -1) else _apart(n))


def _meet(m: Term, n: Term, sign: int) -> bool:
    """Whether m * n ** sign has a value both above and below the line."""
    mine = dict(m.powers)
    for atom, exponent in n.powers:
        if atom in mine and mine[atom] * exponent * sign < 0:
            return True
    return False


def _apart(term: Term) -> Term:
    """The term as one factor that is not looked into, except for its sign."""
    return multiple(float(term.sign), Sum((term.positive,)))


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
    """The terms with all plain numbers added up, at the place of the first one."""
    places = [k for k, t in enumerate(terms) if not t.powers]
    if len(places) < 2:
        return terms
    total = reduce(sum_of, (terms[k].constant for k in places))
    kept = [t for t in terms if t.powers]
    if total or not kept:
        kept.insert(places[0], Monomial(total))
    return kept


def _counted(terms: list[Term]) -> list[Term]:
    """The terms with three or more that are whole multiples of one as one multiple."""
    if len(terms) < 3:
        return terms
    groups: dict[frozenset[tuple[Factor, int]], list[Term]] = {}
    for term in terms:
        if term.constant.is_integer() and abs(term.constant) < 2**20:
            groups.setdefault(frozenset(term.powers), []).append(term)
    for group in groups.values():
        number = reduce(sum_of, (t.constant for t in group))
        if len(group) > 2 and number:
            place = next(k for k, t in enumerate(terms) if t is group[0])
            same = {id(t) for t in group}
            terms[place] = Monomial(number, group[0].powers)
            terms = [t for t in terms if id(t) not in same]
    return terms


Shared = tuple[str, "Factor | float"]


def _inside(term: Term) -> Term:
    """The term with the sums among its factors factored."""
    for f, _ in term.powers:
        if type(f) is Sum:
            break
    else:
        return term
    made: Term = Monomial(term.constant)
    for f, exponent in term.powers:
        factor = multiple(1.0, factored(f) if isinstance(f, Sum) else f)
        for _ in range(abs(exponent)):
            made = multiplied(made, factor) if exponent > 0 else divided(made, factor)
    return made


def _candidates(term: Term) -> list[Shared]:
    """The factors that may be taken out of a term and leave something of it."""
    constant, powers = term
    if len(powers) == 1 and powers[0][1] == 1 and abs(constant) == 1.0:
        return []
    found: list[Shared] = [("over", f) for f, exponent in powers if exponent < 0]
    found += [("times", f) for f, exponent in powers if exponent > 0]
    if powers and abs(constant) != 1.0:
        found.append(("constant", abs(constant)))
    return found


def _most_shared(terms: list[Term]) -> Shared | None:
    tally = Counter(c for t in terms for c in _candidates(t))
    if not tally:
        return None
    shared, count = tally.most_common(1)[0]  # ties: the first seen
    return shared if count > 1 else None


def _take_out(terms: list[Term], shared: Shared) -> list[Term]:
    """The terms that share a factor as one term, at the place of the first one."""
    group = [t for t in terms if shared in _candidates(t)]
    inner = factored(Sum(tuple(_without(t, shared) for t in group)))
    sign = 1.0
    if all(t.sign < 0 for t in inner.terms):
        sign, inner = -1.0, Sum(tuple(t.positive for t in inner.terms))
    one = _with(multiple(sign, inner), shared)
    place = next(k for k, t in enumerate(terms) if t is group[0])
    rest = [t for t in terms if shared not in _candidates(t)]
    return [*rest[:place], one, *rest[place:]]


def _without(term: Term, shared: Shared) -> Term:
    match shared:
        case ("constant", _):
            return Monomial(float(term.sign), term.powers)
        case ("times", Var() | Sum() as factor):
            return term.over(multiple(1.0, factor))
        case (_, Var() | Sum() as factor):
            return term.times(multiple(1.0, factor))
    raise AssertionError(shared)


def _with(term: Term, shared: Shared) -> Term:
    match shared:
        case ("constant", float(c)):
            return term.scaled(c)
        case ("times", Var() | Sum() as factor):
            return multiplied(multiple(1.0, factor), term)
        case (_, Var() | Sum() as factor):
            return divided(term, multiple(1.0, factor))
    raise AssertionError(shared)


# --- counting and writing ----------------------------------------------------------


def cost(total: Sum) -> int:
    """The greatest number of operations that `write` makes."""
    return (
        sum(_term_cost(t) for t in total.terms)
        + len(total.terms)
        - 1
        + (_flippable(total) is None)
    )


def _term_cost(term: Term) -> int:
    inner = sum(cost(f) for f, _ in term.powers if isinstance(f, Sum))
    return term.positive.operations + inner


def _flippable(total: Sum) -> int | None:
    """The place of a term that begins the sum without a negation; None if none can.

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
    if term.constant != -1.0 or all(exponent < 0 for _, exponent in term.powers):
        return term
    for k, (factor, exponent) in enumerate(term.powers):
        if exponent == 1 and isinstance(factor, Sum) and _has_negative(factor):
            turned = Sum(tuple(t.signed(-1) for t in factor.terms))
            rest = Monomial(1.0, (*term.powers[:k], *term.powers[k + 1 :]))
            return multiplied(multiple(1.0, turned), rest)
    return None


def _has_negative(total: Sum) -> bool:
    return any(t.sign < 0 for t in total.terms)


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
    constant = term.constant if signed else abs(term.constant)
    factors = [_write_factor(builder, f) for f in _repeated(term, 1)]
    divisors = [_write_factor(builder, f) for f in _repeated(term, -1)]
    if constant != 1.0 or not factors:
        factors.insert(0, literal_of(constant))
    value = factors[0]
    for factor in factors[1:]:
        value = builder.apply("mul", value, factor)
    for divisor in divisors:
        value = builder.apply("div", value, divisor)
    return value


def _repeated(term: Term, sign: int) -> list[Factor]:
    """The factors above the line (1) or below it (-1), as often as they stand there."""
    return [f for f, exponent in term.powers for _ in range(sign * exponent)]


def _write_factor(builder: Builder, factor: Factor) -> Operand:
    return write(builder, factor) if isinstance(factor, Sum) else factor
