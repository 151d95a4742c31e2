"""Constants of the user keep their names in derivative code, and lend them to none."""

from __future__ import annotations

import math
from fractions import Fraction

import black
import pytest
from amounts import ANY_ORDER
from support import generate, load, load_generated, marked

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
    kinds = "gradient", 'hessian(container="tuple")'
    return generate(marked(SOURCE, "f", *kinds), **ANY_ORDER)


def test_numbers_have_their_names(text):
    code = text.partition("def f_grad")[2]
    assert "8.314" not in code and "R * " in code
    assert "g = 9.81" in code and code.count("9.81") == text.count("g = 9.81")


def test_plain_numbers_are_lent_no_name():
    body = "# ad: gradient(x)\ndef f(x, r):\n    return 0.25 * x**2 + H * r\n"
    assert "return 0.5 * x" in generate("H = 0.5\n\n\n" + body, **ANY_ORDER)


def test_a_number_that_is_also_written_out_stays():
    body = (
        "# ad: gradient\ndef f(x):\n    return x**2 * (K + x) + 0.37 * (K * x) ** 2\n"
    )
    code = generate("K = 0.37\n\n\n" + body, **ANY_ORDER)
    assert load(code)["f_grad"](2.0) == pytest.approx(
        2 * 2.0 * 2.37 + 4.0 + 0.37 * 2 * 0.37**2 * 2.0
    )


def test_what_a_parameter_hides_stays_a_number():
    source = "R = 8.314\n\n\ndef k(x):\n    return R * x * x\n\n\n"
    code = generate(
        source + "# ad: gradient(x)\ndef f(x, R):\n    return R + k(x)\n", **ANY_ORDER
    )
    assert load(code)["f_grad"](1.5, 2.0) == 16.628 * 1.5


def constants_of(source: str) -> list[str]:
    """The constants that a file of derivatives makes, with its functions below."""
    text = generate(source, **ANY_ORDER)
    assert black.format_str(text, mode=black.Mode()) == text
    load(text)
    return [line for line in text.splitlines() if line.startswith("_")]


# fmt: off
FORMULAS = [
    ("return 1.5 * J2 * RE**2 / x",         "_MINUS_1_5_J2_RE2 = -1.5 * J2 * RE**2"),
    ("return R * x**2",                     "_2R = 2.0 * R"),
    ("return x**2 * (R - J2) / y",          "_C1 = 2.0 * (R - J2)"),
    ("return x * (1.0 - R)",                "_1_MINUS_R = 1.0 - R"),
    ("return -R * math.exp(x)",             "_MINUS_R = -R"),
    ("return R / 3 * x**2",                 "_2R_OVER_3 = 2.0 * R / 3.0"),
    ("return math.sin(2 * math.pi * x)",    "_2pi = 2.0 * math.pi"),
    ("return x * math.sqrt(R) * J2",        "_C1 = J2 * math.sqrt(R)"),
    ("return x**3 * N",                     "_3N = 3.0 * N"),
    ("return x**2 * A_LONG_NAME * ANOTHER_LONG_NAME",
                                      "_C1 = 2.0 * ANOTHER_LONG_NAME * A_LONG_NAME"),
]
# fmt: on

DEFINITIONS = """import math

J2 = 1.08262668e-3
RE = 6378137.0
R = 8.314
N = 4
A_LONG_NAME = 1.1
ANOTHER_LONG_NAME = 1.2


"""


@pytest.mark.parametrize(("line", "constant"), FORMULAS)
def test_what_named_constants_are_multiplied_by_is_a_constant(line, constant):
    source = f"{DEFINITIONS}# ad: gradient(x)\ndef f(x, y):\n    {line}\n"
    assert constants_of(source) == [constant]


def test_a_formula_takes_no_name_of_the_file():
    source = DEFINITIONS + (
        "_2R = 1.0\n\n\n# ad: gradient(x)\ndef f(x, _C1):\n    return R * x**2 * _C1\n"
    )
    assert constants_of(source) == ["_C2 = 2.0 * R"]


def test_functions_of_a_file_share_a_formula():
    mark = "# ad: gradient, hvp\n"
    source = DEFINITIONS + mark + "def f(x):\n    return R * x**2\n"
    assert constants_of(source) == ["_2R = 2.0 * R"]


def test_a_minus_is_no_operation_of_its_own():
    source = DEFINITIONS + "# ad: gradient\ndef f(x):\n    return R / x\n"
    assert "return _MINUS_R / x / x" in generate(source, **ANY_ORDER)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("return 3.0 * (0.3 * x)", "return 0.9"),
        ("return (1.35 - 0.85) * (x * x)", "return x"),
        ("return x**1.1", "x**0.10000000000000009"),  # 1.1 is not 11/10
        ("return x / 0.3 * 3.0", "return 10.0"),
    ],
)
def test_what_folding_has_rounded_is_short_where_decimals_are(line, said):
    assert said in generate(f"# ad: gradient\ndef f(x):\n    {line}\n", **ANY_ORDER)


def test_estimates_count_on_what_constants_are_rounded_to():
    source = "R = 8.314\n\n\n# ad: error(model='actual')\ndef f(x):\n    return R * x\n"
    space = load_generated(source)
    value, error, _ = space["f_err_actual"](0.1)
    assert error == float(Fraction(value) - Fraction(8.314) * Fraction(0.1)) != 0.0


def test_the_numbers_are_the_same(text):
    space = load(text)
    step = 1e-6
    above, below = space["f_grad"](1.3 + step, 0.7), space["f_grad"](1.3 - step, 0.7)
    for k, entry in enumerate(space["f_hess"](1.3, 0.7)[0]):
        assert entry == pytest.approx((above[k] - below[k]) / (2 * step), rel=1e-6)


UNKNOWN = """import numpy as np

LN2 = np.log(2) / 5730
TAU = 2.5


# ad: gradient(x), gradient(x, value=True)
def f(x: float, y: float) -> float:
    k = 3.0 * LN2 / TAU
    return k * x * x * y
"""


def test_constants_of_unknown_number_make_constants():
    text = generate(UNKNOWN, **ANY_ORDER)
    assert "\n_6LN2_OVER_TAU = 6.0 * LN2 / TAU\n" in text
    assert "    k = 3.0 * LN2 / TAU\n" in text  # the value's own
    space = load(text)
    assert space["f_grad"](1.5, 2.0) == pytest.approx(6 * math.log(2) / 5730 / 2.5 * 3)
    assert space["f_value_and_grad"](1.5, 2.0)[1] == space["f_grad"](1.5, 2.0)


def test_a_derivative_that_is_a_whole_constant_is_a_float():
    source = DEFINITIONS + (
        "# ad: gradient, jacobian, hessian(container='tuple')\n"
        "def f(x, y):\n    m = 3\n    return N * x + m * y + x * N * N * y\n"
    )
    assert constants_of(source) == ["_N2 = N**2", "_C1 = float(N**2)"]
    made = load_generated(source)
    assert repr(made["f_hess"](1.0, 1.0)) == "((0.0, 16.0), (16.0, 0.0))"
    source = (
        DEFINITIONS + "# ad: gradient, jacobian\ndef f(x, y):\n    return N * x + y\n"
    )
    assert constants_of(source) == ["_N = float(N)"]
    made = load_generated(source)
    assert repr(made["f_grad"](1.0, 1.0)) == "(4.0, 1.0)"
    assert made["f_jac"](1.0, 1.0).dtype == float


def test_a_name_of_a_whole_number_and_of_a_float_stands_for_one_of_them():
    source = """
# ad: gradient
def f(x: float, n: int) -> float:
    j = 1
    s = 0.0
    for i in range(n):
        k = (j * 3 + i) % 5
        for _ in range(k):
            s += (0.51 * j + x) ** 2 * k
    return s
"""
    gradient = load(generate(source, **ANY_ORDER))["f_grad"]
    assert gradient(0.25, 2) == pytest.approx(2 * 0.76 * (3 * 3 + 4 * 4))


def test_a_name_that_trips_bind_anew_stands_for_none_of_its_values():
    source = """
# ad: gradient
def f(x: float) -> float:
    total = 0.0
    for k in range(3):
        upper = 10.0 if k == 0 else 20.0 if k == 1 else 35.0
        total += min(x, upper)
    return total
"""
    text = generate(source, **ANY_ORDER)
    assert "upper" not in text and "35.0" in text
    assert load(text)["f_grad"](15.0) == 2.0
