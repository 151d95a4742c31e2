"""Arms of `np.where` that are not taken: what is infinite there makes no NaN."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import QUICK
from support import generate, load

KINDS = "gradient(x, a), jvp(x, a), hvp(x, a), hessian(x, a)"
SOURCE = """\
import numpy as np


# ad: {kinds}
def f(x: "Vector[n]", a: float):
    return {result}
"""
X = np.array([-2.0, -0.5, 0.0, 0.7, 2.0])
A = 1.5
# fmt: off
RESULTS = {
    "a root over a sum":     "np.sum(np.where(x > 0, a * x**0.5 / (1 + x**0.5), x))",
    "a root and a factor":   "np.sum(np.where(x > 0, a / np.sqrt(x), x**2) * x)",
    "an exponential":        "np.sum(np.where(x != 0.0, np.exp(-(a / x) ** 2), a * x))",
    "a power":               "np.sum(np.where(x > 0.0, np.exp(-(x**a)), a * x))",
    "a square of it":        "np.sum(np.where(x > 0, np.sqrt(x) * a, x * a) ** 2)",
    "a guarded quotient":    "np.sum(np.where(x != 0.0, np.sin(x) / x, 1.0) ** 2) * a",
    "overflow":
        "np.sum(np.where(x > 1.0, a * x, np.log1p(np.exp(500.0 * x))))",
    "tests of two kinds":
        "np.sum(np.where(x > 0, a * np.log(x), x**2)"
        " + np.where(x != 0, (np.sin(x) / x) ** 2, a * x))",
    "products of three":
        "np.sum(np.where(x > 0, a / np.sqrt(x), a * x)"
        " * np.where(x != 0, x * (np.sin(x) / x), 0.0)"
        " * np.where(x > 0, x * np.log(x) + np.sin(x), 0.0))",
    "a divisor that would cancel":
        "np.sum(np.where(x > 0, a, x**2)"
        " * np.where(np.abs(x) < 1, np.sqrt(1 - x * x) ** 2, x))",
    "a root that would be squared":
        "np.sum(np.where(x > 0, a * (1 / np.sqrt(x)) ** 2, x)"
        " * np.where(x != 0, np.sin(x) / x, a))",
    "a quotient of a product in a loop":
        "np.sum(np.where(x > 0, x * (a / np.sqrt(x)), x)"
        " + np.where(x != 0, np.exp(-(np.sin(x) / x)), x)) ** 2",
    "terms that count everywhere":
        "np.sum((np.where(x != 0, x * (a / x), a * x)"
        " + np.where(x > 0, (1 / np.sqrt(x)) ** 2, a * x)) ** 2)",
    "the square of a sum":
        "np.sum(np.where(x > 0, (x**a) ** 2, x)"
        " + np.where(x != 0, (np.sin(x) / x) ** 2, a)) ** 2",
}
# fmt: on


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", RESULTS)
def test_derivatives_are_finite_and_agree(name: str) -> None:
    source = SOURCE.format(kinds=KINDS, result=RESULTS[name])
    f, made = load(source)["f"], load(generate(source, **QUICK))
    x_bar, a_bar = made["f_grad"](X, A)
    slopes = np.array([*x_bar, a_bar])
    for k in np.flatnonzero(X):  # differences would take the other arm at 0
        h = 1e-6 * (np.arange(len(X)) == k)
        wanted = (f(X + h, A) - f(X - h, A)) / 2e-6
        assert slopes[k] == pytest.approx(wanted, rel=1e-4, abs=1e-4)
    matrix = made["f_hess"](X, A)
    for seed in np.eye(len(X) + 1):
        x_dot, a_dot = seed[:-1], float(seed[-1])
        value, slope = made["f_jvp"](X, A, x_dot, a_dot)
        assert value == f(X, A)
        assert slope == pytest.approx(float(slopes @ seed))
        found = made["f_hvp"](X, A, x_dot, a_dot)
        product = np.array([*found[0], found[1]])
        assert np.isfinite(product).all()
        assert matrix @ seed == pytest.approx(product, rel=1e-9, abs=1e-9)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_nan_of_the_arm_that_is_taken_stays() -> None:
    result = "np.sum(np.where(x >= 0.0, np.sqrt(x), a) * x)"
    made = load(generate(SOURCE.format(kinds="gradient(x)", result=result), **QUICK))
    assert np.isnan(made["f_grad"](np.array([0.0, 1.0]), A)).tolist() == [True, False]
