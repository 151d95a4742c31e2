"""Bounds of gradients through equations: how far they are from those at the root."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import pytest
from mpmath import findroot, mp, mpf
from support import load_generated

NEWTON = """from math import sin


def res(x, a):
    return x * x * x + a * x - 1.0


# ad: gradient, error(of="gradient")
def f(a: float, b: float):
    x = 1.0
    # ad: implicit(residual=res)
    while abs(res(x, a)) > 1e-12:
        x = x - res(x, a) / (3.0 * x * x + a)
    return b * x * x + sin(x)
"""

KEPLER = """from math import cos, sin


def res(E, e, M):
    return E - e * sin(E) - M


# ad: gradient, error(of="gradient")
def f(e: float, M: float):
    E = M
    # ad: implicit(residual=res)
    while abs(res(E, e, M)) > 1e-12:
        E = E - res(E, e, M) / (1.0 - e * cos(E))
    return (cos(E) - e) * sin(E)
"""

COLEBROOK = """from math import log10


def res(x, r, k):
    return x + 2.0 * log10(k / 3.7 + 2.51 * x / r)


# ad: gradient, error(of="gradient")
def f(r: float, k: float):
    x = 7.0
    # ad: implicit(residual=res)
    for _ in range(60):
        new = -2.0 * log10(k / 3.7 + 2.51 * x / r)
        done = abs(new - x) < 1e-12
        x = new
        if done:
            break
    return 1.0 / (x * x)
"""

PAIR = """def res(x, y, p, q):
    return x * x + y - p, y * y - x * q


# ad: gradient, error(of="gradient")
def f(p: float, q: float):
    x = p
    y = p
    # ad: implicit(residual=res)
    while abs(x * x + y - p) + abs(y * y - x * q) > 1e-12:
        u = x * x + y - p
        v = y * y - q * x
        d = 4.0 * x * y + q
        x, y = x - (2.0 * y * u - v) / d, y - (2.0 * x * v + q * u) / d
    return x * y - 2.0 * y
"""

LOOP = """def res(x, c):
    return x * x * x + c * x - 1.0


# ad: gradient, error(of="gradient")
def f(a: float, b: float):
    total = 0.0
    c = a
    for _ in range(4):
        x = 1.0
        # ad: implicit(residual=res)
        while abs(res(x, c)) > 1e-12:
            x = x - res(x, c) / (3.0 * x * x + c)
        total = total + b * x
        c = c + x
    return total
"""


def newton(a: Any, b: Any) -> Sequence[Any]:
    x = findroot(lambda x: x**3 + a * x - 1, 0.7)
    return (2 * b * x + mp.cos(x)) * -x / (3 * x * x + a), x * x


def kepler(e: Any, m: Any) -> Sequence[Any]:
    root = findroot(lambda x: x - e * mp.sin(x) - m, m)
    s, c = mp.sin(root), mp.cos(root)
    slope = ((c - e) * c - s * s) / (1 - e * c)
    return slope * s - s, slope


def colebrook(r: Any, k: Any) -> Sequence[Any]:
    def inner(x: Any) -> Any:
        return k / mpf(3.7) + mpf(2.51) * x / r

    x = findroot(lambda x: x + 2 * mp.log10(inner(x)), 7)
    own = 2 / (mp.log(10) * inner(x))
    slope = 2 / x**3 / (1 + own * mpf(2.51) / r)
    return slope * -own * mpf(2.51) * x / r**2, slope * own / mpf(3.7)


def pair(p: Any, q: Any) -> Sequence[Any]:
    x = y = p
    for _ in range(60):
        u, v, d = x * x + y - p, y * y - q * x, 4 * x * y + q
        x, y = x - (2 * y * u - v) / d, y - (2 * x * v + q * u) / d
    d = 4 * x * y + q
    by_p, by_q = (2 * y / d, q / d), (-x / d, 2 * x * x / d)
    return [y * dx + (x - 2) * dy for dx, dy in (by_p, by_q)]


def loop(a: Any, b: Any) -> Sequence[Any]:
    c, slope, total, by_a = a, mpf(1), mpf(0), mpf(0)
    for _ in range(4):
        x = newton_root(c)
        own = -x / (3 * x * x + c) * slope
        total, by_a, c, slope = total + x, by_a + b * own, c + x, slope + own
    return by_a, total


def newton_root(c: Any) -> Any:
    return findroot(lambda x: x**3 + c * x - 1, 0.7)


CASES: dict[str, tuple[str, Callable[..., Sequence[Any]], Sequence[tuple[float, ...]]]]
CASES = {
    "newton": (NEWTON, newton, ((0.2, 3.0), (-2.0, 2.0))),
    "kepler": (KEPLER, kepler, ((0.05, 0.8), (0.3, 3.0))),
    "colebrook": (COLEBROOK, colebrook, ((5e3, 1e7), (1e-6, 0.04))),
    "pair": (PAIR, pair, ((0.3, 3.0), (0.05, 1.5))),
    "loop": (LOOP, loop, ((0.2, 2.0), (-2.0, 2.0))),
}


@pytest.mark.parametrize("name", CASES)
def test_the_gradient_at_the_root_is_within_the_bound(name: str) -> None:
    source, exact, ranges = CASES[name]
    made, rng = load_generated(source), random.Random(name)
    factors: list[float] = []
    for _ in range(80):
        at = [rng.uniform(*ends) for ends in ranges]
        value, bound, _ = made["f_grad_err"](*at)
        assert value == made["f_grad"](*at)
        with mp.workdps(40):
            wanted = exact(*map(mpf, at))
            for v, b, w in zip(value, bound, wanted, strict=True):
                error = abs(mpf(v) - w)
                assert error <= b and math.isfinite(b)
                factors.append(float(b / max(error, mpf(10) ** -40)))
    assert median(factors) < 30.0
