"""Monomials: exact on fractions, names of constants kept, no rule of signs twice."""

from __future__ import annotations

from fractions import Fraction

from amounts import ANY_ORDER
from hypothesis import given, settings
from hypothesis import strategies as st
from support import generate

from ad_transform.derive.factoring.terms import Sum, divided, multiplied
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.monomial import Monomial, cancels, multiple
from ad_transform.ir.nodes import Literal, Origin, Var
from ad_transform.ir.types import FLOAT

VALUES = {"x": Fraction(2), "y": Fraction(3), "z": Fraction(5)}
MONOMIALS = st.builds(
    lambda c, powers: Monomial(c, tuple(powers.items())),
    st.sampled_from([1.0, -1.0, 0.5, -3.0]),
    st.dictionaries(st.sampled_from("xyz"), st.sampled_from([-2, -1, 1, 3])),
)
G = number_of(Literal(9.81, "G", Origin.MODULE))


def value(m):
    result = Fraction(m.constant)
    for atom, exponent in m.powers:
        result *= VALUES[atom] ** exponent
    return result


@settings(deadline=None)
@given(MONOMIALS, MONOMIALS)
def test_products_and_quotients_are_exact(m, n):
    assert value(m.times(n)) == value(m) * value(n)
    if n.constant in (1.0, -1.0, 0.5):  # the quotient of others is rounded
        assert value(m.over(n)) == value(m) / value(n)
    assert cancels(m, n) == any(
        atom not in dict(m.times(n).powers) for atom, _ in (*m.powers, *n.powers)
    )


@settings(deadline=None)
@given(MONOMIALS)
def test_signs_are_apart_from_the_rest(m):
    assert m.positive.signed(m.sign) == m
    assert value(m.signed(-1)) == -value(m)
    assert value(m.ordered()) == value(m)
    assert value(m.power(2)) == value(m) ** 2


def test_names_of_constants_go_with_the_constant():
    made = multiple(2.0, "x").scaled(G).over(Monomial(3.0)).times(multiple(-1.0, "y"))
    assert literal_of(made.constant).name == "-2.0 * G / 3.0"
    assert literal_of(multiple(G, "x").power(2).constant).name == "G**2"


def test_in_a_sum_nothing_is_divided_by_itself():
    x = Var(FLOAT)
    one, square = multiple(1.0, x), Monomial(1.0, ((x, 2),))
    for m in (divided(one, one), divided(square, one)):
        assert any(isinstance(factor, Sum) for factor, _ in m.powers)
    whole = multiplied(divided(multiple(1.0, Var(FLOAT)), one), one)
    assert len(whole.powers) == 3


def test_a_named_constant_is_named_after_laws_labels_sums_and_common_factors():
    text = generate(
        "G = 9.81\n\n\n# ad: gradient\ndef f(x, y):\n"
        "    return (G * x * y - 0.5 * (G * x) * y * y) * (2.0 * G * x / y)\n",
        **ANY_ORDER,
    )
    assert "G = 9.81" in text
    assert "9.81" not in text.split("def f_grad")[1]
    assert "96.2" not in text and "19.62" not in text
