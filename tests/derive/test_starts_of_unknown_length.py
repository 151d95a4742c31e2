"""Tangents of arrays whose length no type tells are as long where a loop starts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load

SOURCE = """
import numpy as np

# ad: gradient(x), hvp(x), jvp(x), error
def f(x: "Vector[n]", m: int, trips: int):
    a, b = x[:m], x[m:]
    c, d, e = np.zeros_like(b), np.ones(len(a)), np.ones(m)
    for _ in range(trips):
        c = c + b * a[0]
        d = d * np.cos(a)
        e = e + a * np.sum(c)
    return np.sum(c**3) + np.sum(d**2) + np.sum(e * d)
"""
X, DOT = np.linspace(0.3, 1.2, 5), np.cos(np.arange(5.0))


@pytest.mark.parametrize("trips", [0, 1, 3])
@pytest.mark.parametrize("first", [1, 2, 4])
def test_parts_of_an_array(first: int, trips: int) -> None:
    made, plain = load(generate(SOURCE, **NUMBERS)), load(SOURCE)["f"]
    h = 1e-5

    def at(function: Any, t: float) -> Any:
        return function(X + t * DOT, first, trips)

    slope = (at(plain, h) - at(plain, -h)) / (2 * h)
    value, tangent = made["f_jvp"](X, DOT, first, trips)
    assert value == at(plain, 0.0)
    assert tangent == pytest.approx(slope, rel=1e-8, abs=1e-10)
    assert at(made["f_grad"], 0.0) @ DOT == pytest.approx(tangent, rel=1e-12, abs=1e-14)
    change = (at(made["f_grad"], h) - at(made["f_grad"], -h)) / (2 * h)
    product = made["f_hvp"](X, DOT, first, trips)
    assert product == pytest.approx(change, rel=1e-7, abs=1e-8)
    assert 0.0 <= at(made["f_err"], 0.0)[2] < 1e-13
