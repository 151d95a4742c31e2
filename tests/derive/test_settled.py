"""Products as they were made before, where that costs nothing."""

from __future__ import annotations

import operator
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ad_transform.derive.factoring.cover import cover
from ad_transform.derive.factoring.cubes import Definition, times
from ad_transform.derive.factoring.settle import settled
from ad_transform.derive.factoring.ways import quotients, reciprocals
from ad_transform.ir.monomial import Monomial

X, Y, Z, W = ATOMS = [Monomial(1.0, ((k, 1),)) for k in range(4)]
DO = {"mul": operator.mul, "div": operator.truediv, "neg": operator.neg}
VALUES = [Fraction(p) for p in (2, 3, 5, 7)]
POWERS = st.dictionaries(st.integers(0, 3), st.sampled_from([-1, 1, 2]), min_size=2)
MONOMIALS = st.builds(lambda p: Monomial(1.0, tuple(sorted(p.items()))), POWERS)


def product(x, y):
    return Definition(times(x, y), "mul", (x, y))


def by_made(definitions):
    return {d.made: d for d in definitions}


def exact(monomial):
    result = Fraction(monomial.constant)
    for atom, exponent in monomial.powers:
        result *= VALUES[atom] ** exponent
    return result


def test_what_costs_the_same_is_made_as_before():
    before = [product(Y, Z), product(X, times(Y, Z))]
    found = [product(X, Y), product(times(X, Y), Z)]
    wanted = [before[-1].made]
    assert settled(found, wanted, dict.fromkeys(ATOMS), by_made(before)) == before


def test_what_saves_an_operation_is_taken():
    xy, xyz, xyw = times(X, Y), times(times(X, Y), Z), times(times(X, Y), W)
    before = [product(Y, Z), product(X, times(Y, Z)), product(Y, W)]
    before.append(product(X, times(Y, W)))
    found = [product(X, Y), product(xy, Z), product(xy, W)]
    made = settled(found, [xyz, xyw], dict.fromkeys(ATOMS), by_made(before))
    assert by_made(made) == by_made(found)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(MONOMIALS, min_size=1, max_size=6))
def test_all_that_is_wanted_is_made_of_no_more(wanted):
    found = cover(ATOMS, wanted, quotients)
    before = by_made(cover(ATOMS, wanted, reciprocals))
    values = {m: exact(m) for m in ATOMS}
    for made, op, args in settled(found, wanted, dict.fromkeys(ATOMS), before):
        parts = (values[a] if a.powers else Fraction(a.constant) for a in args)
        values[made] = DO[op](*parts)
    assert all(values[m] == exact(m) for m in wanted)
    assert len(values) - len(ATOMS) <= len(found)
