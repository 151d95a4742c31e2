"""Constants of the user keep their names in derivative code, and lend them to none."""

from __future__ import annotations

import pytest
from support import generate, load, marked

SOURCE = """import math

R = 8.314
HALF = 0.5
TENTH = 0.1
SIZE = 12.0
PAIR = 0.37
OTHER = 0.37


def f(x, y):
    g = 9.81
    u = R * x * y + HALF * x**2 + TENTH * y + SIZE * x**3 / y
    return u * u + g * u + PAIR * x * y * y + OTHER * x**2 + 0.91 * x
"""


@pytest.fixture(scope="module")
def text():
    return generate(marked(SOURCE, "f", "gradient", 'hessian(container="tuple")'))


def test_telling_numbers_have_their_names(text):
    code = text.partition("def f_grad")[2]
    assert "8.314" not in code and "R * " in code
    assert "g = 9.81" in code and code.count("9.81") == text.count("g = 9.81")


def test_plain_numbers_are_lent_no_name():
    body = "# ad: gradient(x)\ndef f(x, r):\n    return 0.25 * x**2 + H * r\n"
    assert "return 0.5 * x" in generate("H = 0.5\n\n\n" + body)


def test_a_number_that_is_also_written_out_stays():
    body = (
        "# ad: gradient\ndef f(x):\n    return x**2 * (K + x) + 0.37 * (K * x) ** 2\n"
    )
    code = generate("K = 0.37\n\n\n" + body)
    assert load(code)["f_grad"](2.0) == pytest.approx(
        2 * 2.0 * 2.37 + 4.0 + 0.37 * 2 * 0.37**2 * 2.0
    )


def test_what_a_parameter_hides_stays_a_number():
    source = "R = 8.314\n\n\ndef k(x):\n    return R * x * x\n\n\n"
    code = generate(source + "# ad: gradient(x)\ndef f(x, R):\n    return R + k(x)\n")
    assert load(code)["f_grad"](1.5, 2.0) == 16.628 * 1.5


def test_the_numbers_are_the_same(text):
    space = load(text)
    step = 1e-6
    above, below = space["f_grad"](1.3 + step, 0.7), space["f_grad"](1.3 - step, 0.7)
    for k, entry in enumerate(space["f_hess"](1.3, 0.7)[0]):
        assert entry == pytest.approx((above[k] - below[k]) / (2 * step), rel=1e-6)
