"""Monomials: a constant times whole powers of atoms.

One class for every product; what differs is what the atoms are:

    formulas of constants     named constants, their sums and their roots
    laws, labels of edges     values: `2.0 * x` is Monomial(2.0, ((x, 1),))
    terms of sums             values and sums
    common factors            numbers of values

A constant that named constants have gone into is a number with a formula (a
`ir.constants.Constant`, and that formula is a monomial of names). Whatever multiplies
monomials keeps the names by that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from ad_transform.ir import decimals

Atom = TypeVar("Atom")

_made = tuple.__new__  # where very many are made: half the time of calling the class


class Monomial(NamedTuple, Generic[Atom]):
    """constant * product(atom ** exponent); no exponent is 0, no atom stands twice.

    The powers stand in the order in which their atoms came: a comparison puts them into
    order first (`ordered`).
    """

    constant: float
    powers: tuple[tuple[Atom, int], ...] = ()

    @property
    def sign(self) -> int:
        """-1 where the constant is negative, else 1."""
        return -1 if self.constant < 0.0 else 1

    @property
    def positive(self) -> Monomial[Atom]:
        """The monomial without its sign."""
        return self if self.constant >= 0.0 else self.signed(-1)

    def signed(self, sign: int) -> Monomial[Atom]:
        """The monomial times 1 or -1."""
        if sign > 0:
            return self
        constant, powers = self
        return _made(Monomial, (-constant, powers))

    def scaled(self, number: float) -> Monomial[Atom]:
        """The monomial times a number."""
        return Monomial(decimals.product(number, self.constant), self.powers)

    def times(self, other: Monomial[Atom]) -> Monomial[Atom]:
        """The product; atoms above and below the line cancel."""
        c, powers = self
        d, others = other
        constant = d if type(c) is float and c == 1.0 else decimals.product(c, d)
        return _made(Monomial, (constant, joined(powers, others, 1)))

    def over(self, other: Monomial[Atom]) -> Monomial[Atom]:
        """The quotient; atoms that stand in both cancel."""
        constant = self.constant
        if other.constant != 1.0:
            constant = decimals.quotient(constant, other.constant)
        return _made(Monomial, (constant, joined(self.powers, other.powers, -1)))

    def power(self, n: int) -> Monomial[Atom]:
        """The n-th power; n is not 0."""
        constant = decimals.power(self.constant, n)
        return Monomial(constant, tuple((a, e * n) for a, e in self.powers))

    def ordered(self, key: Callable[[Atom], Any] | None = None) -> Monomial[Atom]:
        """The same with its atoms in ascending order."""
        constant, powers = self
        if len(powers) < 2:
            return self
        if key is None:
            return _made(Monomial, (constant, tuple(sorted(powers))))
        by_atom = sorted(self.powers, key=lambda power: key(power[0]))
        return Monomial(self.constant, tuple(by_atom))

    @property
    def operations(self) -> int:
        """Multiplications and divisions that it takes by itself; a sign that nothing
        takes in is one, too.
        """
        constant, powers = self
        degree, multiplied = 0, False
        for _, exponent in powers:
            if exponent > 0:
                degree += exponent
                multiplied = True
            else:
                degree -= exponent
        return degree - 1 if multiplied and constant == 1.0 else degree


Powers = tuple[tuple[Atom, int], ...]


def joined(m: Powers[Atom], n: Powers[Atom], sign: int) -> Powers[Atom]:
    """The powers of m * n ** sign."""
    if not m and sign > 0:
        return n
    if not n:
        return m
    found = dict(m)
    for atom, exponent in n:
        total = exponent if sign > 0 else -exponent
        if atom in found:
            total += found[atom]
            if not total:
                del found[atom]
                continue
        found[atom] = total
    return tuple(found.items())


def multiple(constant: float, atom: Atom) -> Monomial[Atom]:
    """constant * atom."""
    return _made(Monomial, (constant, ((atom, 1),)))


def cancels(m: Monomial[Atom], n: Monomial[Atom]) -> bool:
    """Whether m * n has fewer atoms than its factors: one is divided by itself."""
    mine = dict(m.powers)
    for atom, exponent in n.powers:  # noqa: SIM110  asked very often
        if atom in mine and mine[atom] == -exponent:
            return True
    return False
