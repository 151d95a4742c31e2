"""Formulas of constants: monomials of named constants.

The normal form is small: a number times whole powers of atoms; an atom is a named
constant, a sum of such products, or the square root of one. Products merge equal atoms,
sums merge terms with the same atoms, so that `x * R - R * x` leaves nothing. A formula
has a text for Python and the number that this text comes to.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.ir.decimals import product, ratio, total
from ad_transform.ir.monomial import Monomial
from ad_transform.ir.nodes import Literal, Origin

LONGEST = 12
"""Names in a formula; a longer one is a number."""


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A named constant; equal where the names are."""

    literal: Literal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> tuple[str, Origin]:
        """The name and where it comes from."""
        return (self.literal.name, self.literal.origin)


@dataclass(frozen=True, slots=True)
class Total:
    """A sum of two or more products, positive ones first."""

    terms: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Root:
    """The square root of a product."""

    of: Formula


Atom: TypeAlias = Name | Total | Root
Formula: TypeAlias = "Monomial[Atom]"


def key_of(p: Formula) -> tuple[str, ...]:
    """A key that sorts formulas, the same for each way to make a formula."""
    return tuple(f"{_key(atom)}**{exponent}" for atom, exponent in p.powers)


def scaled(p: Formula, number: float) -> Formula:
    """p times a number; a sign goes into a sum that stands alone."""
    if number == -1.0 and p.constant == 1.0 and len(p.powers) == 1:
        ((atom, exponent),) = p.powers
        if isinstance(atom, Total) and exponent == 1:
            return _alone(_total([scaled(t, -1.0) for t in atom.terms]))
    return Monomial(product(p.constant, number), p.powers)


def times(p: Formula, q: Formula) -> Formula:
    """p * q."""
    return _signed(p.times(q))


def over(p: Formula, q: Formula) -> Formula:
    """p / q."""
    return _signed(p.over(q))


def _signed(p: Formula) -> Formula:
    """The formula in order; a sign may go into a sum."""
    constant, powers = p.ordered(_key)
    if constant == -1.0 and len(powers) == 1:
        return scaled(Monomial(1.0, powers), constant)
    return Monomial(constant, powers)


def plus(p: Formula, q: Formula) -> Formula:
    """p + q."""
    merged: dict[frozenset[tuple[Atom, int]], Formula] = {}
    for term in (*terms_of(p), *terms_of(q)):
        key = frozenset(term.powers)
        known = merged.get(key, Monomial(0.0, term.powers))
        constant = total(known.constant, term.constant)
        merged[key] = Monomial(constant, known.powers)
    left = [term for term in merged.values() if term.constant]
    if not left:
        return Monomial(0.0)
    return left[0] if len(left) == 1 else _alone(_total(left))


def root(p: Formula) -> Formula:
    """The square root of p."""
    return Monomial(1.0, ((Root(p), 1),))


def _alone(total: Total) -> Formula:
    return Monomial(1.0, ((total, 1),))


def _total(terms: list[Formula]) -> Total:
    return Total(tuple(sorted(terms, key=lambda t: (t.constant < 0.0, key_of(t)))))


def _key(atom: Atom) -> str:
    match atom:
        case Name(literal):
            return literal.name
        case Root(inner):
            return f"~{key_of(inner)}"  # behind the names
        case Total(terms):
            return f"~{[key_of(term) for term in terms]}"


def terms_of(p: Formula) -> tuple[Formula, ...]:
    """The terms of a sum that stands alone, else the product itself."""
    if len(p.powers) == 1:
        ((atom, exponent),) = p.powers
        if isinstance(atom, Total) and exponent == 1 and p.constant == 1.0:
            return atom.terms
    return (p,)


def names(p: Formula) -> list[Literal]:
    """The named constants of a formula, in the order of its text, repeated ones too."""
    found: list[Literal] = []
    for atom, _ in p.powers:
        if isinstance(atom, Name):
            found.append(atom.literal)
        elif isinstance(atom, Total):
            for term in atom.terms:
                found += names(term)
        else:
            found += names(atom.of)
    return found


def is_whole(p: Formula) -> bool:
    """Whether the text of a formula makes a whole number: no float, no quotient."""
    return abs(p.constant) == 1.0 and all(
        exponent > 0 and _is_whole(atom) for atom, exponent in p.powers
    )


def is_whole_name(literal: Literal) -> bool:
    """Whether the name of a literal is that of a whole number."""
    return literal.whole or not isinstance(literal.value, float)


def _is_whole(atom: Atom) -> bool:
    match atom:
        case Name(literal):
            return is_whole_name(literal)
        case Total(terms):
            return all(term.powers and is_whole(term) for term in terms)
    return False


# --- text and number ------------------------------------------------------------------


def text_of(p: Formula) -> str:
    """The formula as black writes it."""
    top, bottom = ratio(p.constant)
    above = [_power_text(a, e) for a, e in p.powers if e > 0]
    below = [_power_text(a, -e) for a, e in p.powers if e < 0]
    below += [repr(bottom)] if bottom != 1.0 else []
    if top == -1.0 and above:
        above[0] = f"-({above[0]})" if "**" in above[0] else f"-{above[0]}"
    elif top != 1.0 or not above:
        above.insert(0, repr(top).replace("e+", "e"))
    return " / ".join([" * ".join(above), *below])


def _power_text(atom: Atom, exponent: int) -> str:
    text = _atom_text(atom)
    if exponent == 1:
        return text
    return f"{text}**{exponent}" if isinstance(atom, Name) else f"{text} ** {exponent}"


def _atom_text(atom: Atom) -> str:
    match atom:
        case Name(literal):
            return literal.name
        case Root(inner):
            return f"math.sqrt({text_of(inner)})"
        case Total(terms):
            return f"({sum_text(terms)})"


def sum_text(terms: tuple[Formula, ...]) -> str:
    """A sum without brackets."""
    text = text_of(terms[0])
    for term in terms[1:]:
        sign = " - " if term.constant < 0.0 else " + "
        text += sign + text_of(term.positive)
    return text


def definition(p: Formula) -> str:
    """The text of a formula that stands alone."""
    terms = terms_of(p)
    return sum_text(terms) if len(terms) > 1 else text_of(p)


def evaluated(p: Formula) -> float:
    """The value of the text; infinite or NaN where it fails. Powers by products."""
    constant, powers = p
    value, bottom = (1.0, 1.0) if constant == 1.0 else ratio(constant)
    if len(powers) > 1:
        powers = tuple(sorted(powers, key=_is_below))
    try:
        for atom, exponent in powers:
            number = _plain_power(_atom_value(atom), abs(exponent))
            value = value * number if exponent > 0 else value / number
    except (ArithmeticError, ValueError):
        return math.nan
    return value / bottom


def _is_below(power: tuple[Atom, int]) -> bool:
    return power[1] < 0


def _plain_power(base: float, n: int) -> float:
    result = base
    for _ in range(n - 1):
        result *= base
    return result


def _atom_value(atom: Atom) -> float:
    if isinstance(atom, Name):
        return float(atom.literal.value)
    if isinstance(atom, Root):
        return math.sqrt(evaluated(atom.of))
    value = evaluated(atom.terms[0])
    for term in atom.terms[1:]:
        value += evaluated(term)
    return value
