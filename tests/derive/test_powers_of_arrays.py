"""Powers with exponents in arrays, at a base of 0: nothing singular is computed."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load

SOURCE = """
import numpy as np


# ad: gradient(x), gradient(x, name="plain", container="tuple"), hvp(x), hessian(x)
def series(x: float, c: "Vector[n]"):
    return np.sum(c * x ** np.arange(len(c)))


# ad: gradient(x), gradient(x, name="each", container="tuple"), hvp(x)
def powers(x: "Vector[n]", y: "Vector[n]"):
    return np.sum(x**y)


# ad: gradient(y), gradient(y, name="exponents", container="tuple")
def bases(x: "Vector[n]", y: "Vector[n]"):
    return np.sum(x**y)
"""


@cache
def made() -> dict[str, Any]:
    return load(generate(SOURCE, **NUMBERS))


C = np.array([3.0, -1.5, 0.7, 0.2])


@pytest.fixture(autouse=True)
def _no_warnings():  # type: ignore[no-untyped-def]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("x", [0.0, 0.4, -1.3])
def test_a_power_series(x: float) -> None:
    slope = C[1] + 2 * C[2] * x + 3 * C[3] * x**2
    curvature = 2 * C[2] + 6 * C[3] * x
    assert made()["series_grad"](x, C) == pytest.approx(slope, rel=1e-14)
    assert made()["plain"](x, C) == pytest.approx(slope, rel=1e-14)
    assert made()["series_hvp"](x, 2.0, C) == pytest.approx(2 * curvature, rel=1e-14)
    assert made()["series_hess"](x, C).item() == pytest.approx(curvature, rel=1e-14)


def test_bases_and_exponents_that_are_0() -> None:
    x, y = np.array([0.0, 0.0, 2.0, 3.0]), np.array([0.0, 2.0, 0.0, 2.0])
    assert made()["powers_grad"](x, y).tolist() == [0.0, 0.0, 0.0, 6.0]
    assert made()["each"](x, y) == (0.0, 0.0, 0.0, 6.0)
    assert made()["powers_hvp"](x, np.ones(4), y).tolist() == [0.0, 2.0, 0.0, 2.0]
    x[0] = 1.0
    slope = [0.0, 0.0, np.log(2.0), 9.0 * np.log(3.0)]
    assert made()["bases_grad"](x, y) == pytest.approx(slope, rel=1e-15)
    assert made()["exponents"](x, y) == pytest.approx(slope, rel=1e-15)
