"""Taylor coefficients, against those of mpmath."""

from functools import partial

import pytest
from mpmath import mp
from support import generate, load, load_exact, load_generated, run, same_bits

DEGREE = 5
FORMULAS = {
    "polynomial": "1.0 + t * (k - t * (2.0 + 3.0 * t))",
    "quotient": "(1.0 + t * t) / (k + t)",
    "exp sin": "exp(k * t) * sin(t) / (1.0 + t * t)",
    "roots": "sqrt(t + k) + cbrt(1.0 + t)",
    "logs": "log(t + k) * log1p(t) - log10(2.0 + t)",
    "angles": "atan(t) + asin(0.5 * t) + acos(0.3 * t) + atan2(t, k)",
    "hyperbolic": "tanh(t) + sinh(k * t) * cosh(t) + asinh(t)",
    "tan": "tan(t * t)",
    "erf": "erf(t) + expm1(t)",
    "whole powers": "t ** 7 + (t - k) ** 2 + (1.0 + t) ** 3",
    "other powers": "(t + k) ** 2.5 + (1.0 + t) ** -2 + (1.0 + t) ** k",
    "exponents": "2.0 ** t + (1.0 + t) ** (k * t)",
    "nothing": "k * k",
}
SOURCE = """
from math import *

# ad: taylor(t, degree={})
def f(t: float, k: float):
    return {}
"""


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
def test_coefficients_are_those_of_the_series(formula: str) -> None:
    source = SOURCE.replace(
        "*",
        "acos, asin, asinh, atan, atan2, cbrt, cosh, erf, "
        "exp, expm1, log, log10, log1p, sin, sinh, sqrt, tan, tanh",
        1,
    )
    source = source.format(DEGREE, formula)
    found = load_generated(source)["f_taylor"](0.4, 1.3)
    with mp.workdps(60):
        function = partial(_at, load_exact(source)["f"])
        wanted = [float(c) for c in mp.taylor(function, mp.mpf(0.4), DEGREE)]
    assert found == pytest.approx(wanted, rel=1e-12, abs=1e-13)
    assert same_bits(found[0], load(source)["f"](0.4, 1.3))


def _at(function: object, t: object) -> object:
    assert callable(function)
    return function(t, mp.mpf(1.3))


def test_whole_powers_hold_at_zero() -> None:
    source = SOURCE.replace("*", "sin", 1).format(
        4, "t ** 3 + (t * t) ** 2 + k * t ** 1"
    )
    assert load_generated(source)["f_taylor"](0.0, 2.0) == (0.0, 2.0, 0.0, 1.0, 1.0)


def test_a_polynomial_ends() -> None:
    text = generate(SOURCE.replace("*", "sin", 1).format(6, "t * t * k"))
    assert "Operations: 4 (4 mul)." in text
    assert text.rstrip().endswith("k, 0.0, 0.0, 0.0, 0.0")


REFUSED = {
    "AD020": ("taylor(t)", "t * t"),
    "AD020 low": ("taylor(t, degree=0)", "t * t"),
    "AD023": ("taylor(t, k, degree=2)", "t * k"),
    "AD029": ("taylor(t, degree=2)", "(t, k)"),
    "AD031": ("taylor(t, degree=2)", "outer(t) * k"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_series_is_refused(case: str) -> None:
    mark, formula = REFUSED[case]
    source = f"# ad: {mark}\ndef f(t: float, k: float):\n    return {formula}\n"
    source += "\n# ad: external\ndef outer(t: float) -> float: ...\n"
    (found,) = run(source).diagnostics
    assert found.code == case.partition(" ")[0]
    assert found.help
    assert found.span is not None
