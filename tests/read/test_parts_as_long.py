"""Parts of lists of one length, cut alike, are as long as one another."""

import cmath

import numpy as np
import pytest

from tests.support import generate, load, load_generated

SLICES = """
# ad: gradient(x, value=True)
def f(x: "Vector[n]"):
    u = list(x)
    v = [a * a for a in x]
    s = 0.0
    for a, b in zip(u[::2], v[::2]):
        s += a * b
    for a, b in zip(u[1:-1], v[1:-1]):
        s += a * b
    p, q = u[2:], v[2:]
    for a, b in zip(p, q):
        s += a / (1.0 + b)
    return s
"""

FOURIER = """
import math

def fft(re, im):
    n = len(re)
    if n == 1:
        return re, im
    er, ei = fft(re[::2], im[::2])
    od, oi = fft(re[1::2], im[1::2])
    outr, outi = [0.0] * n, [0.0] * n
    for k in range(n // 2):
        c, s = math.cos(2 * math.pi * k / n), -math.sin(2 * math.pi * k / n)
        tr, ti = c * od[k] - s * oi[k], s * od[k] + c * oi[k]
        outr[k], outi[k] = er[k] + tr, ei[k] + ti
        outr[k + n // 2], outi[k + n // 2] = er[k] - tr, ei[k] - ti
    return outr, outi

# ad: gradient
def f(x: "Vector[n]"):
    re, im = fft(list(x), [0.0] * len(x))
    return sum(k * (a * a + b * b) for k, (a, b) in enumerate(zip(re, im)))
"""


@pytest.mark.parametrize("n", range(6))
def test_slopes_are_those_of_the_value(n: int) -> None:
    f, made = load(SLICES)["f"], load_generated(SLICES)["f_value_and_grad"]
    x = np.linspace(0.5, 1.5, n)
    value, slopes = made(x)
    assert value == f(x)
    for k, step in enumerate(1e-6 * np.eye(n)):
        assert slopes[k] == pytest.approx((f(x + step) - f(x - step)) / 2e-6, rel=1e-7)


def test_lengths_of_parts_are_not_compared() -> None:
    assert "_size if " not in generate(SLICES)


def test_a_fourier_transform_calls_itself_on_parts() -> None:
    x = np.array([1.0, -2.0, 0.5, 3.0, 0.25, -1.0, 4.0, 2.0])
    roots = np.array(
        [[cmath.exp(-2j * cmath.pi * k * j / 8) for j in range(8)] for k in range(8)]
    )
    wanted = 2.0 * np.real(roots.conj().T @ (np.arange(8) * (roots @ x)))
    assert load_generated(FOURIER)["f_grad"](x) == pytest.approx(wanted, rel=1e-12)
