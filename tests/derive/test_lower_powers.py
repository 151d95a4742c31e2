"""Slopes of powers that are there are quotients, with the same limits at 0."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import (
    exactly,
    flat,
    hessian,
    invoke,
    jacobian,
    load_exact,
    load_generated,
    run,
)

# fmt: off
TOTALS = {
    "math.exp(x) ** y":                     4,
    "x**y + y**x":                         13,
    "x**x + y":                             5,
    "z * x**y":                             6,
    "x**y * y**z":                         13,
    "z * x ** (y + 1.0)":                   7,
    "(1.0 + x) ** y":                       6,
    "y ** (1.0 - x) / (1.0 - x)":           8,
    "z * y**x * math.exp(-x * y)":         14,
    "(x * y) ** z":                         8,
    "z * (x * y) ** 0.25":                  7,
}
# fmt: on
POINT = {"x": 0.8, "y": 1.3, "z": 0.6}


def source_of(expression: str, kind: str) -> str:
    names = ", ".join(n for n in POINT if n in expression.replace("math.exp", ""))
    return f"import math\n\n\n# ad: {kind}\ndef f({names}):\n    return {expression}\n"


@pytest.mark.parametrize("expression", TOTALS)
def test_operations(expression):
    source = source_of(expression, "gradient(value=True)")
    (derived,) = run(source, container="tuple", **ANY_ORDER).derived
    assert derived.counts.total == TOTALS[expression]


@pytest.mark.parametrize("expression", TOTALS)
@pytest.mark.parametrize("kind", ["gradient", "hessian"])
def test_derivatives_are_right(expression, kind):
    names = [n for n in POINT if n in expression.replace("math.exp", "")]
    source = source_of(expression, f"{kind}(value=True)")
    text = run(source, container="tuple", **ANY_ORDER).text
    assert text is not None
    point = exactly({n: POINT[n] for n in names})
    made = f"f_value_and_{'grad' if kind == 'gradient' else 'hess'}"
    found = flat(invoke(load_exact(text)[made], point)[-1])
    by_hand = {"gradient": jacobian, "hessian": hessian}[kind]
    expected = flat(by_hand(load_exact(source)["f"], point, names))
    assert found == pytest.approx(expected, rel=1e-25)


# fmt: off
AT_ZERO = [  # a, x, y; the slopes of a * x**y by a, x and y
    ((3.0, 0.0, 2.0), (0.0, 0.0, 0.0)),
    ((3.0, 0.0, 1.5), (0.0, 0.0, 0.0)),
    ((3.0, 0.0, 1.0), (0.0, 3.0, 0.0)),
    ((3.0, -2.0, 2.0), None),
    ((3.0, 0.0, 0.5), ZeroDivisionError),
    ((3.0, 0.0, -1.0), ZeroDivisionError),
    ((3.0, 0.0, 0.0), ValueError),  # the logarithm
]
# fmt: on


@pytest.mark.parametrize(("point", "slopes"), AT_ZERO)
def test_what_a_slope_is_at_zero(point, slopes):
    source = "# ad: gradient(value=True)\ndef f(a, x, y):\n    return a * x**y\n"
    made = load_generated(source, container="tuple", **ANY_ORDER)["f_value_and_grad"]
    if isinstance(slopes, tuple):
        assert made(*point)[1] == slopes
        return
    with pytest.raises(slopes or ValueError):  # the logarithm of a negative number
        made(*point)


def test_no_exponent_that_is_a_parameter_of_a_loop_divides_by_zero():
    source = (
        "# ad: gradient(x, value=True)\ndef f(x, n, k: int):\n    s = 0.0\n"
        "    for i in range(k):\n        s = s + (i + 1.0) * x ** (n + i)\n"
        "    return s\n"
    )
    made = load_generated(source, container="tuple", **ANY_ORDER)["f_value_and_grad"]
    assert made(0.0, 1.0, 3) == (0.0, 1.0)
    assert made(0.0, 0.0, 3) == (1.0, 2.0)
    assert made(2.0, 1.0, 3) == (34.0, 45.0)
    with pytest.raises(ZeroDivisionError):
        made(0.0, 0.5, 3)


@pytest.mark.parametrize("y", [2.0, 1.0, 0.0, 0.5])
def test_a_power_times_its_base_keeps_the_limit(y):
    source = source_of("math.exp(x) ** y", "gradient(x, value=True)")
    made = load_generated(source, container="tuple", **ANY_ORDER)["f_value_and_grad"]
    assert made(-800.0, y)[1] == 0.0  # where exp underflows
    assert made(0.0, y)[1] == y


def test_second_derivatives_keep_what_they_are_at_zero():
    source = "# ad: hessian(x)\ndef f(x, y):\n    return x**y\n"
    made = load_generated(source, container="tuple", **ANY_ORDER)["f_hess"]
    values = [made(0.0, y)[0][0] for y in (3.0, 2.0, 1.0)]
    assert values == [0.0, 2.0, 0.0]
