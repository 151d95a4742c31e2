"""Formulas of constants: products of a number and powers of what has a name.

The normal form is small: a coefficient times whole powers of atoms; an atom is a named
constant, a sum of such products, or the square root of one. Products merge equal atoms,
sums merge terms with the same atoms, so that `x * R - R * x` leaves nothing. A formula
has a text for Python and the number that this text comes to.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from ad_transform.ir.nodes import Literal

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
    def key(self) -> tuple[str, str]:
        """The name and where it comes from."""
        return (self.literal.name, self.literal.origin.value)


@dataclass(frozen=True, slots=True)
class Total:
    """A sum of two or more products, positive ones first."""

    terms: tuple[Product, ...]


@dataclass(frozen=True, slots=True)
class Root:
    """The square root of a product."""

    of: Product


Atom: TypeAlias = Name | Total | Root
Powers: TypeAlias = tuple[tuple[Atom, int], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """coefficient * product(atom ** exponent); no exponent is 0, no atom twice."""

    coefficient: float
    powers: Powers = ()

    @property
    def key(self) -> tuple[str, ...]:
        """What sorts formulas: by names, so that any way to make one gives the same."""
        return tuple(f"{_key(atom)}**{exponent}" for atom, exponent in self.powers)

    def scaled(self, number: float) -> Product:
        """The product times a number; a sign goes into a sum that stands alone."""
        if number == -1.0 and self.coefficient == 1.0 and len(self.powers) == 1:
            ((atom, exponent),) = self.powers
            if isinstance(atom, Total) and exponent == 1:
                return _alone(_total([t.scaled(-1.0) for t in atom.terms]))
        return replace(self, coefficient=multiplied(self.coefficient, number))


def times(p: Product, q: Product, sign: int = 1) -> Product:
    """p * q ** sign."""
    powers = dict(p.powers)
    for atom, exponent in q.powers:
        total = powers.pop(atom, 0) + sign * exponent
        if total:
            powers[atom] = total
    compute = multiplied if sign > 0 else divided
    coefficient = compute(p.coefficient, q.coefficient)
    ordered = tuple(sorted(powers.items(), key=lambda power: _key(power[0])))
    return Product(1.0, ordered).scaled(coefficient)  # a sign may go into a sum


def plus(p: Product, q: Product) -> Product:
    """p + q."""
    merged: dict[frozenset[tuple[Atom, int]], Product] = {}
    for term in (*terms_of(p), *terms_of(q)):
        key = frozenset(term.powers)
        known = merged.get(key, Product(0.0, term.powers))
        coefficient = added(known.coefficient, term.coefficient)
        merged[key] = Product(coefficient, known.powers)
    left = [term for term in merged.values() if term.coefficient]
    if not left:
        return Product(0.0)
    return left[0] if len(left) == 1 else _alone(_total(left))


def root(p: Product) -> Product:
    """The square root of p."""
    return Product(1.0, ((Root(p), 1),))


def power(p: Product, n: int) -> Product:
    """p ** n."""
    coefficient = powered(p.coefficient, n)
    return Product(coefficient, tuple((a, e * n) for a, e in p.powers if n))


def _alone(total: Total) -> Product:
    return Product(1.0, ((total, 1),))


def _total(terms: list[Product]) -> Total:
    return Total(tuple(sorted(terms, key=lambda t: (t.coefficient < 0.0, t.key))))


def _key(atom: Atom) -> str:
    match atom:
        case Name(literal):
            return literal.name
        case Root(inner):
            return f"~{inner.key}"  # behind the names
        case Total(terms):
            return f"~{[term.key for term in terms]}"


def terms_of(p: Product) -> tuple[Product, ...]:
    """The terms of a sum that stands alone, else the product itself."""
    if len(p.powers) == 1:
        ((atom, exponent),) = p.powers
        if isinstance(atom, Total) and exponent == 1 and p.coefficient == 1.0:
            return atom.terms
    return (p,)


def names(p: Product) -> list[Literal]:
    """The named constants of a formula, in the order of its text, repeated ones too."""
    found: list[Literal] = []
    for atom, _ in p.powers:
        match atom:
            case Name(literal):
                found.append(literal)
            case Total(terms):
                found += (name for term in terms for name in names(term))
            case Root(inner):
                found += names(inner)
    return found


def is_whole(p: Product) -> bool:
    """Whether the text of a formula makes a whole number: no float, no quotient."""
    return abs(p.coefficient) == 1.0 and all(
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


# --- plain numbers --------------------------------------------------------------------


def multiplied(c: float, d: float) -> float:
    """c * d, or its neighbour if the product of the decimals is that short number."""
    if abs(c) == 1.0:
        return d if c > 0.0 else -d
    if abs(d) == 1.0:
        return c if d > 0.0 else -c
    return _shorter(c * d, c, d, Fraction.__mul__)


def divided(c: float, d: float) -> float:
    """c / d, or its neighbour if the quotient of the decimals is that short number."""
    return _shorter(c / d, c, d, Fraction.__truediv__)


def added(c: float, d: float) -> float:
    """c + d, or its neighbour if the sum of the decimals is that short number."""
    return _shorter(c + d, c, d, Fraction.__add__)


def powered(c: float, n: int) -> float:
    """c ** n by multiplication alone, so that every machine finds the same."""
    result = 1.0
    for _ in range(abs(n)):
        result = multiplied(result, c)
    return result if n >= 0 else divided(1.0, result)


_SHORT = 12
_LONG = 15


Exact: TypeAlias = Callable[[Fraction, Fraction], Fraction]


def _shorter(rounded: float, c: float, d: float, exact: Exact) -> float:
    """3.0 * 0.3 is 0.9, not 0.8999999999999999: the sum of both decimals, if it is
    short and not further from the computed number than a rounding of each allows.
    """
    if not math.isfinite(rounded) or not _is_long(rounded):
        return rounded
    return _short_neighbour(rounded, c, d, exact)


@lru_cache(maxsize=1 << 14)
def _short_neighbour(rounded: float, c: float, d: float, exact: Exact) -> float:
    x, y = Fraction(repr(c)), Fraction(repr(d))
    decimal = float(exact(x, y))
    near = abs(decimal - rounded) <= 2.0 * math.ulp(rounded)
    return decimal if near and _digits(decimal) <= _SHORT else rounded


def _is_long(number: float) -> bool:
    """Whether a number has so many digits that a shorter spelling is looked for."""
    small = abs(number) < _WHOLE and number.is_integer()
    return not small and _digits(number) >= _LONG


_WHOLE = 1e14  # a whole number below it has fewer than _LONG digits


def _digits(number: float) -> int:
    mantissa = repr(number).partition("e")[0]
    return len(mantissa.replace(".", "").replace("-", "").strip("0"))


# --- text and number ------------------------------------------------------------------


def text_of(p: Product) -> str:
    """The formula as black writes it."""
    top, bottom = ratio(p.coefficient)
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


def sum_text(terms: tuple[Product, ...]) -> str:
    """A sum without brackets."""
    text = text_of(terms[0])
    for term in terms[1:]:
        sign = " - " if term.coefficient < 0.0 else " + "
        text += sign + text_of(replace(term, coefficient=abs(term.coefficient)))
    return text


def definition(p: Product) -> str:
    """The text of a formula that stands alone."""
    terms = terms_of(p)
    return sum_text(terms) if len(terms) > 1 else text_of(p)


def evaluated(p: Product) -> float:
    """What the text comes to; infinite or NaN where it fails. Powers by products."""
    value, bottom = ratio(p.coefficient)
    try:
        for atom, exponent in sorted(p.powers, key=lambda power: power[1] < 0):
            number = _plain_power(_atom_value(atom), abs(exponent))
            value = value * number if exponent > 0 else value / number
    except (ArithmeticError, ValueError):
        return math.nan
    return value / bottom


def ratio(coefficient: float) -> tuple[float, float]:
    """Numerator and denominator: 2.0 and 3.0 for 0.6666666666666666, if that helps."""
    return _long_ratio(coefficient) if _is_long(coefficient) else (coefficient, 1.0)


@lru_cache(maxsize=1 << 14)
def _long_ratio(coefficient: float) -> tuple[float, float]:
    near = Fraction(coefficient).limit_denominator(_DENOMINATORS)
    if near.numerator / near.denominator == coefficient:
        return float(near.numerator), float(near.denominator)
    return coefficient, 1.0


_DENOMINATORS = 1000


def _plain_power(base: float, n: int) -> float:
    result = base
    for _ in range(n - 1):
        result *= base
    return result


def _atom_value(atom: Atom) -> float:
    match atom:
        case Name(literal):
            return float(literal.value)
        case Root(inner):
            return math.sqrt(evaluated(inner))
        case Total(terms):
            value = evaluated(terms[0])
            for term in terms[1:]:
                value += evaluated(term)
            return value
