"""A value that is recorded keeps its name till then, behind a way out, too."""

from __future__ import annotations

import hyperduals
import pytest
from amounts import ANY_ORDER
from hyperduals import Hyper
from support import generate, load

SOURCE = """
import math

# ad: gradient(x, p)
def f(x: "Vector[n]", p: float):
    n = len(x)
    s = p
    total = 0.0
    u = list(x)
    for i in range(1, n):
        if u[i] >= -0.14:
            s = s * x[i]
            if u[i] > 0.15:
                return 0.0
        s = math.tanh(sum(u))
        for j in range(n - 1, 0, -1):
            if u[j] <= 0.4:
                s = s * u[j] * x[0]
            for k in range(j + 1, n):
                if u[i] >= 0.8:
                    return 0.0
                total += x[i] * s
            total += u[j] * x[j]
        total += x[i] * p
        s = max(u)
        total += u[i] * s
    return total + s
"""


def test_gradients_are_those_of_forward_mode():
    """`s_2` was recorded as it was once it had changed."""
    made = load(generate(SOURCE, container="tuple", **ANY_ORDER))["f_grad"]
    dual = load(SOURCE, hyperduals.modules())["f"]
    x, p = [0.75, -0.5, -0.625, -0.25], 0.625
    x_bar, p_bar = made(x, p)
    for k, slope in enumerate([*x_bar, p_bar]):
        args = [Hyper(v, float(k == j)) for j, v in enumerate([*x, p])]
        wanted = hyperduals.hyper(dual(args[:4], args[4])).s
        assert slope == pytest.approx(wanted, rel=1e-9, abs=1e-12)
