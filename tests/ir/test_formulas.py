"""Constants as formulas: any way to make one gives the same, and its number."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ad_transform.ir.constants import Constant, literal_of, number_of
from ad_transform.ir.decimals import product
from ad_transform.ir.nodes import Literal, Origin

R = number_of(Literal(8.314, "R", Origin.MODULE))
G = number_of(Literal(9.81, "G", Origin.MODULE))
B = number_of(Literal(10.0, "B", Origin.LOCAL))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (G * R, "G * R"),
        (2.0 * (R * 3.0), "6.0 * R"),
        (-(R - G), "G - R"),
        (-(-1.0 - R), "1.0 + R"),
        ((R - G) * 2.0 / R, "2.0 * (R - G) / R"),
        (R * R * G / G**2, "R**2 / G"),
        (-(R**2), "-(R**2)"),
        (R / 3.0, "R / 3.0"),
        (R + R + 1.0 - R, "1.0 + R"),
        (3.0 * R * 0.3, "0.9 * R"),
    ],
)
def test_normal_form(number, text):
    assert literal_of(number).name == text
    assert number == pytest.approx(
        eval(text, {"R": 8.314, "G": 9.81}), abs=0.0, rel=0.0
    )


def test_what_cancels_is_a_plain_number():
    for number, value in [(R / R, 1.0), (R - R, 0.0), (2.0 * R / R, 2.0)]:
        assert number == value and not isinstance(number, Constant)


def test_a_name_and_its_negative_are_kept_and_a_local_one_has_no_formula():
    assert literal_of(-1.0 * -R) is literal_of(R)
    assert literal_of(1.0 * B).name == "B"
    assert literal_of(2.0 * B) == Literal(20.0) and not literal_of(2.0 * B).name
    assert literal_of(-B).name == ""
    assert literal_of(B * R).name == "10.0 * R"


def test_formulas_stay_short():
    number = R
    for k in range(40):
        number = number + number_of(Literal(1.0, f"K{k}", Origin.MODULE))
    assert len(literal_of(number).name) < 150 and number == pytest.approx(48.314)


def test_no_formula_overflows():
    big = number_of(Literal(1e200, "BIG", Origin.MODULE))
    assert not isinstance(big * big, Constant) and math.isinf(big * big)
    with pytest.raises(ZeroDivisionError):
        R / 0.0


OPERATIONS = (operator.add, operator.sub, operator.mul, operator.truediv)
LEAVES = st.sampled_from([R, G, 2.0, -1.0, 0.5, 3.0])


@settings(deadline=None)
@given(st.recursive(LEAVES, lambda x: st.tuples(st.sampled_from(OPERATIONS), x, x)))
def test_the_text_of_a_formula_comes_to_its_number(tree):
    def value(tree, convert):
        if not isinstance(tree, tuple):
            return convert(tree)
        return tree[0](value(tree[1], convert), value(tree[2], convert))

    try:
        number = value(tree, lambda leaf: leaf)
        exact = value(tree, Fraction)
    except ZeroDivisionError:
        return
    if isinstance(number, Constant):
        text = literal_of(number).name
        assert eval(text, {"R": 8.314, "G": 9.81}) == pytest.approx(number, rel=1e-12)
    size = max(1.0, abs(float(exact)))
    assert number == pytest.approx(float(exact), rel=1e-6, abs=1e-6 * size)


@settings(deadline=None)
@given(st.integers(-999, 999), st.integers(-999, 999), st.integers(0, 3))
def test_products_of_short_decimals_are_short(m, n, digits):
    c, d = m / 10**digits, n / 10
    wanted = float(Fraction(m, 10**digits) * Fraction(n, 10))
    assert abs(product(c, d)) == abs(wanted)
