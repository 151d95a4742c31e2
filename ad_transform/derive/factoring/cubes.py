"""Cubes: monomials of numbered values, and the operations that make them.

The atoms stand in ascending order, so that equal products are equal cubes (a word of
Brayton & McMullen 1982).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

from ad_transform.ir.monomial import Monomial

Cube: TypeAlias = Monomial[int]


class Definition(NamedTuple):
    """`made` is op(*args); a monomial without atoms stands for its constant."""

    made: Cube
    op: str
    args: tuple[Cube, ...]


def bits(m: Cube) -> int:
    """The atoms as a bit set."""
    found = 0
    for atom, _ in m.powers:
        found |= 1 << atom
    return found


def signed_bits(m: Cube) -> int:
    """The atoms above the line as even bits, those below it as odd ones."""
    found = 0
    for atom, exponent in m.powers:
        found |= (1 if exponent > 0 else 2) << 2 * atom
    return found


def trace(m: Cube) -> int:
    """The sum of the numbers of the factors, 0 for a constant.

    Monomials with different traces are different.
    """
    return sum([exponent * _trace_of(atom) for atom, exponent in m.powers])


@cache
def _trace_of(atom: int) -> int:
    """A number as if drawn by lot: two monomials have one trace by mischance only."""
    return pow(_BASE, atom + 1, _PRIME)


_BASE, _PRIME = 0x9E3779B97F4A7C15, 2**61 - 1


def multiplies(m: Cube) -> bool:
    """Whether an atom stands above the line."""
    for _, exponent in m.powers:  # noqa: SIM110  asked millions of times
        if exponent > 0:
            return True
    return False


def times(m: Cube, n: Cube) -> Cube:
    """m * n."""
    return m.times(n).ordered()


def over(m: Cube, n: Cube) -> Cube:
    """m / n."""
    return m.over(n).ordered()


def exact(c: float, d: float) -> bool:
    """Whether c * d is exact, without rounding."""
    return c in _UNITS or d in _UNITS or _is_product(c * d, c, d)


_UNITS = (1.0, -1.0)


def _is_product(found: float, c: float, d: float) -> bool:
    """Whether a number is c * d to the last digit."""
    (m, below_m), (n, below_n) = c.as_integer_ratio(), d.as_integer_ratio()
    p, below_p = found.as_integer_ratio()
    return m * n * below_p == p * below_m * below_n


def whole(m: Cube, n: Cube) -> Cube | None:
    """m / n where n is a part of m: each power of n is one of m, of the same sign.

    None where it is not, or where the constants have no exact quotient.
    """
    mine = dict(m.powers)
    for atom, exponent in n.powers:
        own = mine.get(atom, 0)
        if (own < exponent) if exponent > 0 else (own > exponent):
            return None
        if own == exponent:
            del mine[atom]
        else:
            mine[atom] = own - exponent
    if n.constant == 1.0:
        return tuple.__new__(Monomial, (m.constant, tuple(mine.items())))
    if n.constant == -1.0 and type(m.constant) is type(n.constant) is float:
        return tuple.__new__(Monomial, (-m.constant, tuple(mine.items())))
    below = n.constant
    constant = m.constant / below
    product = constant * below
    if product != m.constant:
        return None
    units = constant in _UNITS or below in _UNITS
    if not units and not _is_product(product, constant, below):
        return None
    return Monomial(constant, tuple(mine.items()))


def raised(m: Cube, n: Cube) -> Cube | None:
    """m * n where m is divided by every atom of n, which has no divisor itself.

    None where it is not, or where the constants have no exact product.
    """
    mine = dict(m.powers)
    for atom, exponent in n.powers:
        if exponent < 0 or atom not in mine or mine[atom] >= 0:
            return None
    return times(m, n) if exact(m.constant, n.constant) else None
