"""Monomials: a constant times integer powers of numbered atoms."""

from __future__ import annotations

from typing import NamedTuple

from ad_transform.ir.constants import product

Powers = tuple[tuple[int, int], ...]


class Monomial(NamedTuple):
    """constant * product(atom ** exponent); `powers` are by ascending atom, none 0."""

    constant: float
    powers: Powers

    @property
    def mask(self) -> int:
        """The atoms as a bit set."""
        found = 0
        for atom, _ in self.powers:
            found |= 1 << atom
        return found

    @property
    def operations(self) -> int:
        """Multiplications and divisions that it takes by itself."""
        degree, divided = 0, False
        for _, exponent in self.powers:
            degree += abs(exponent)
            divided = divided or exponent > 0
        return degree - (self.constant == 1.0 and divided)


class Definition(NamedTuple):
    """`made` is op(*args); a monomial without atoms stands for its constant."""

    made: Monomial
    op: str
    args: tuple[Monomial, ...]


def multiplies(m: Monomial) -> bool:
    """Whether there is an atom above the line."""
    for _, exponent in m.powers:  # noqa: SIM110  asked millions of times
        if exponent > 0:
            return True
    return False


def joined(m: Powers, n: Powers, sign: int) -> Powers:
    """The powers of m * n ** sign."""
    found = dict(m)
    for atom, exponent in n:
        total = found.get(atom, 0) + sign * exponent
        if total:
            found[atom] = total
        else:
            del found[atom]
    return tuple(sorted(found.items()))


def times(m: Monomial, n: Monomial) -> Monomial:
    """m * n."""
    return Monomial(product(m.constant, n.constant), joined(m.powers, n.powers, 1))


def over(m: Monomial, n: Monomial) -> Monomial:
    """m / n."""
    constant = m.constant if n.constant == 1.0 else m.constant / n.constant
    return Monomial(constant, joined(m.powers, n.powers, -1))


def power(m: Monomial, n: int) -> Monomial:
    """m ** n."""
    return Monomial(m.constant**n, tuple((a, e * n) for a, e in m.powers))


def exact(c: float, d: float) -> bool:
    """Whether c * d is not rounded."""
    if abs(c) == 1.0 or abs(d) == 1.0:
        return True
    (m, below_m), (n, below_n) = c.as_integer_ratio(), d.as_integer_ratio()
    p, below_p = (c * d).as_integer_ratio()
    return m * n * below_p == p * below_m * below_n


def cancels(m: Monomial, n: Monomial) -> bool:
    """Whether m * n has fewer atoms than its factors: one is divided by itself."""
    mine = dict(m.powers)
    return any(mine.get(atom) == -exponent for atom, exponent in n.powers)


def whole(m: Monomial, n: Monomial) -> Monomial | None:
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
        return Monomial(m.constant, tuple(mine.items()))
    constant = m.constant / n.constant
    if not exact(constant, n.constant) or constant * n.constant != m.constant:
        return None
    return Monomial(constant, tuple(mine.items()))


def raised(m: Monomial, n: Monomial) -> Monomial | None:
    """m * n where m is divided by every atom of n, which has no divisor itself."""
    mine = dict(m.powers)
    for atom, exponent in n.powers:
        if exponent < 0 or mine.get(atom, 0) >= 0:
            return None
    return times(m, n) if abs(n.constant) == 1.0 else None
