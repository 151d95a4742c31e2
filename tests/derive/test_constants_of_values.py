"""What the value computes from numbers alone is a number for its derivatives."""

import pytest
from amounts import ANY_ORDER
from support import generate, load, load_generated

SOURCE = """
import math

G = 1.4

# ad: {kind}
def f(x, y):
    {body}
"""


def made(kind: str, body: str) -> str:
    return generate(SOURCE.format(kind=kind, body=body), container="tuple", **ANY_ORDER)


@pytest.mark.parametrize("kind", ["gradient(value=True)", "jvp", "vjp"])
def test_a_power_by_a_ratio_has_no_guard(kind):
    text = made(kind, "return x ** (2.0 / 3.0) * y")
    assert "x ** (2.0 / 3.0)" in text  # the value is computed as in the source
    assert "x**-0.33333333333333337" in text
    assert " if " not in text


def test_named_constants_keep_their_names():
    text = made("hessian(value=True)", "return x ** ((G - 1) / G) * y")
    assert "x ** ((G - 1.0) / G)" in text
    assert "_C1 = (G - 1.0) / G - 1.0\n" in text or "_C2 = (G - 1.0) / G\n" in text
    assert " if " not in text


def test_products_with_such_a_number_are_those_of_the_value():
    text = made("gradient(value=True)", "return x * (2.0 / 3.0) * x + y")
    assert "Operations: 5 (3 mul, 1 add, 1 div)." in text


def test_numbers_are_those_of_the_source():
    made = load_generated(
        SOURCE.format(
            kind="gradient(value=True)", body="return x ** (1 / 3) * (2.0 / 3.0 - y)"
        )
    )["f_value_and_grad"]
    x, y = 2.5, 0.3
    value, (x_bar, y_bar) = made(x, y)
    assert value == x ** (1 / 3) * (2.0 / 3.0 - y)
    assert x_bar == pytest.approx(value / 3 / x, rel=1e-15)
    assert y_bar == -(x ** (1 / 3))


def test_a_product_with_a_number_that_is_near_is_another_one():
    """0.3 / 0.1 is 2.9999999999999996."""
    body = "c = 0.3 / 0.1\n    u, v = x * c, x * 3.0\n    return math.floor(u) - v * y"
    source = SOURCE.format(kind="gradient(value=True)", body=body)
    made, plain = load_generated(source)["f_value_and_grad"], load(source)["f"]
    assert made(1.0, 1.0)[0] == plain(1.0, 1.0)


def test_products_cancel_with_what_the_value_has_made():
    text = made("gradient(value=True)", "return x / (y * math.sqrt(2.0 * math.pi))")
    assert "value_ratio * (-1.0 / y)" in text
