"""Constants that are next to a small fraction are added and multiplied as fractions."""

import pytest
from support import generate, load

from ad_transform.ir.decimals import product, quotient, total

SUMS = [
    (0.25, -1 / 3, -1 / 12),
    (1 / 6, -0.5, -1 / 3),
    (2 / 3, -1.0, 2 / 3 - 1.0),  # an exponent is exact
    (1 / 3, 1 / 6, 0.5),
    (1 / 7, 1.5, 23 / 14),
    (1 / 7, 2, 1 / 7 + 2),
    (0.1, 0.2, 0.3),
]


@pytest.mark.parametrize(("one", "other", "sum_"), SUMS)
def test_sums_of_fractions(one: float, other: float, sum_: float) -> None:
    assert total(one, other) == total(other, one) == sum_


def test_products_and_quotients_of_fractions() -> None:
    assert product(total(0.25, -1 / 3), 12.0) == -1.0
    assert product(10.0, 1 / 37) == 10 / 37
    assert quotient(2 / 7, 3.0) == 2 / 21


def test_what_is_next_to_no_small_fraction_is_rounded() -> None:
    a, b = 0.6180339887498949, 0.14159265358979312
    assert (total(a, b), product(a, b), quotient(a, b)) == (a + b, a * b, a / b)
    assert total(1 / 3, -0.3333) == 1 / 3 - 0.3333  # few of its digits are known


GIBBS = """\
# ad: hessian(container="tuple")
def gibbs(t, a, b, c):
    h = a * t / 2 + b * t**2 / 3 + c * t**3 / 4
    s = a * t + b * t**2 / 2 + c * t**3 / 3
    return t * (h - s)
"""


def test_terms_that_differ_by_a_fraction_have_its_short_multiples() -> None:
    """There was 0.9999999999999998 * c, which no other factor fitted."""
    text = generate(GIBBS.replace("hessian(", "hessian(t, "))
    assert "return ((-(t * (b + t * c) + a),),)" in text
    ((bend,),) = load(text)["gibbs_hess"](2.0, 3.0, 5.0, 7.0)
    assert bend == -3.0 - 5.0 * 2.0 - 7.0 * 4.0
