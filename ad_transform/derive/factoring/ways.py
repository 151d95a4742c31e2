"""Ways to make a monomial of others by one operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.derive.factoring.cubes import (
    Cube,
    Definition,
    multiplies,
    over,
    raised,
    whole,
)
from ad_transform.ir.monomial import Monomial

Found = Sequence[tuple[Cube, Definition]]
"""Ways to make a value d by one operation: the operand that is missing, and the
definition of d with it. With a given `x`, `x * y` needs `y`: `(y, mul(x, y))`."""

Ways = Callable[[Cube, Cube], Found]
"""The ways to make d by one operation on a: the other operand is d / a, a / d or d * a,
but for its constant."""


def from_constants(d: Cube) -> Found:
    """The ways to make d by a sign or a constant: `-x` from `x`, `2 * x` from `x`."""
    negative = d.signed(-1)
    found = [(negative, Definition(d, "neg", (negative,)))]
    alone, above = abs(d.constant) == 1.0, multiplies(d)
    if alone and above:
        return found
    for sign in (1.0, -1.0):
        constant: Cube = Monomial(sign * d.constant)
        if not alone:
            rest = Monomial(sign, d.powers)
            found.append((rest, Definition(d, "mul", (constant, rest))))
        if not above:
            divisor = Monomial(sign, d.powers).power(-1)
            found.append((divisor, Definition(d, "div", (constant, divisor))))
    return found


def quotients(d: Cube, a: Cube) -> Found:
    """The ways to make d from a value a that consists of atoms of d: a product with the
    rest, or the quotient of a higher power by a.
    """
    rest = whole(d, a)
    if rest is None:
        return _higher(d, a) if abs(a.constant) == 1.0 else _NOTHING
    return _with(d, a, rest)


def _with(d: Cube, a: Cube, rest: Cube) -> Found:
    """The ways to make d of a and the rest of d."""
    found = [(rest, _defined(Definition, (d, "mul", (a, rest))))]
    if rest.powers and not multiplies(rest):
        divisor = over(a, d)
        if abs(divisor.constant) == 1.0:
            found.append((divisor, Definition(d, "div", (a, divisor))))
    return found


def by_multiples(d: Cube, a: Cube) -> Found:
    """The same, where a may be a multiple, too: `x / y` is `2 * x` by `2 * y`."""
    rest = whole(d, a)
    return _higher(d, a) if rest is None else _with(d, a, rest)


def may_make(d: int, a: int) -> bool:
    """Whether there may be a way by the signed bits of d and a: a is part of d, or d is
    divided by all of a.
    """
    beside = ~d
    return not a & beside or not a << 1 & beside


def _higher(d: Cube, a: Cube) -> Found:
    above = raised(d, a)
    if above is None:
        return _NOTHING
    return [(above, _defined(Definition, (d, "div", (above, a))))]


def reciprocals(d: Cube, a: Cube) -> Found:
    """The same where only constants are divided, for divisions are dear."""
    rest = whole(d, a)
    return _NOTHING if rest is None else [(rest, Definition(d, "mul", (a, rest)))]


_NOTHING: Found = ()

_defined = tuple.__new__  # half the time of calling the class
