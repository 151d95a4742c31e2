"""What a gradient by the implicit rule costs beside the loop that solves it."""

from __future__ import annotations

import pytest
from measuring import seconds
from support import generate, load

LIMIT = 1.2

KEPLER = """\
import math

def equation(guess, mean, eccentricity):
    return guess - eccentricity * math.sin(guess) - mean

# ad: gradient(mean, eccentricity)
def f(mean, eccentricity):
    guess = mean
    # ad: implicit(residual=equation)
    for _ in range(50):
        step = guess - eccentricity * math.sin(guess) - mean
        step = step / (1.0 - eccentricity * math.cos(guess))
        guess = guess - step
        if abs(step) < 1e-13:
            break
    return guess
"""

COLEBROOK = """\
import math

def equation(x, reynolds, roughness):
    return x + 2.0 * math.log10(roughness / 3.7 + 2.51 * x / reynolds)

# ad: gradient(reynolds, roughness)
def f(reynolds, roughness):
    x = 2.0
    # ad: implicit(residual=equation)
    while True:
        inner = roughness / 3.7 + 2.51 * x / reynolds
        slope = 1.0 + 2.0 * 2.51 / (reynolds * inner * math.log(10.0))
        step = (x + 2.0 * math.log10(inner)) / slope
        x = x - step
        if abs(step) < 1e-13:
            break
    return 1.0 / (x * x)
"""

TWO = """\
import math

def both(x, y, a, b):
    return x * x + y * y - a, x * y - b

# ad: gradient(a, b)
def f(a, b):
    x = math.sqrt(a)
    y = 0.1 * x
    # ad: implicit(residual=both)
    for _ in range(50):
        f = x * x + y * y - a
        g = x * y - b
        det = 2.0 * (x * x - y * y)
        dx = (f * x - g * 2.0 * y) / det
        dy = (2.0 * x * g - y * f) / det
        x -= dx
        y -= dy
        if abs(dx) + abs(dy) < 1e-14:
            break
    return x * math.exp(y)
"""

CASES = {
    "kepler": (KEPLER, (0.3, 0.9)),
    "colebrook": (COLEBROOK, (1e5, 1e-3)),
    "two": (TWO, (5.0, 0.7)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_gradient_costs_about_one_trip_more(name):
    source, point = CASES[name]
    made = load(generate(source))["f_grad"]
    first, second = seconds((load(source)["f"], point), (made, point))
    print(f"{name:20s} {second / first:8.2f}   limit {LIMIT}")
    assert second < LIMIT * first
