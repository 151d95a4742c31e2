"""Powers of derivative code: as they stand, as products, and by each other."""

from __future__ import annotations

from functools import cache

import pytest
from amounts import NUMBERS
from support import (
    exactly,
    flat,
    hessian,
    invoke,
    jacobian,
    load_exact,
    run,
)

from ad_transform.run.job import Result

# fmt: off
TOTALS = {
    # a sign goes into a number although a high power stands beside it, and
    # x**20 = x**19 * x, so that x**19 is a common factor
    "-math.sin(x) * math.sin(x * x / y) ** 20":   ("gradient", 16),
    "x**20 * math.sin(x) + 5.0 * x":              ("gradient", 8),
    # x**20 and x**19 by x**18
    "math.sin(y) * math.sin(x * x) ** 20":        ("hessian", 23),
    "-(x**0.5 * math.sin(x * y) ** 9)":           ("hessian", 30),
    # as products
    "math.exp(-y * x**7)":                        ("hessian", 18),
    "math.sin(x**4) + math.exp(x**2)":            ("gradient", 9),
    # half a power is one operation where the power above it is there
    "x**2.5 * math.sin(x)":                       ("gradient", 7),
    # a power of the value stays as it is
    "x**2.5 * math.cos(x)":                       ("gradient(value=True)", 9),
    "x**20 * math.sin(y)":                        ("gradient(value=True)", 8),
    # and half a power of the value is the root of its slope
    "y * x**0.5":                                 ("gradient(value=True)", 4),
    "math.exp(-y) / x**0.5":                      ("gradient(value=True)", 8),
}
# fmt: on
POINT = {"x": 0.8, "y": 1.3}


def marked(expression: str, kind: str) -> str:
    return f"import math\n\n\n# ad: {kind}\ndef f(x, y):\n    return {expression}\n"


@cache
def made(expression: str) -> Result:
    """What all orders are tried for."""
    return run(marked(expression, TOTALS[expression][0]), container="tuple")


@pytest.mark.parametrize("expression", TOTALS)
def test_powers_cost_what_is_fewest(expression):
    (derived,) = made(expression).derived
    assert derived.counts.total == TOTALS[expression][1]


@pytest.mark.parametrize("expression", TOTALS)
@pytest.mark.parametrize("kind", ["gradient", "hessian"])
def test_powers_by_each_other_are_what_they_are(expression, kind):
    source = marked(expression, kind)
    if kind == TOTALS[expression][0]:
        text = made(expression).text
    else:
        text = run(source, container="tuple", **NUMBERS).text
    assert text is not None
    point = exactly(POINT)
    suffix = "grad" if kind == "gradient" else "hess"
    found = flat(invoke(load_exact(text)[f"f_{suffix}"], point))
    numerically = {"gradient": jacobian, "hessian": hessian}[kind]
    expected = flat(numerically(load_exact(source)["f"], point, ["x", "y"]))
    assert found == pytest.approx(expected, rel=1e-25)
