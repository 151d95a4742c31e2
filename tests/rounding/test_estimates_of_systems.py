"""Estimates of what solves a system of many equations: how far it is from the root."""

from __future__ import annotations

import math
import random
from functools import cache
from typing import Any

import pytest
from mpmath import findroot, matrix, mp, mpf
from rounding.test_structured_estimates import holds
from support import load, load_generated

from ad_transform.elementals.helpers import called

SYSTEM = """import numpy as np


def g(x, p, q):
    r = np.zeros(N)
    for i in range(N):
        r[i] = 3.0 * x[i] - 0.5 * x[(i + 1) % N] ** 2 - p * (i + 1)
        r[i] += q * x[i - 1] * x[i]
    return r


# ad: MARK
def f(p: float, q: float):
    x = np.zeros(N)
    # ad: implicit(residual=g)
    for _ in range(12):
        x = x - g(x, p, q) / 3.0
    return x[0] * q + x[N - 1] ** 2, x[1] / p
"""

NUMBERS = """def g(a, b, c, d, p):
    return a + b * b - p, b + c * c * 0.3 - p, c - a * d * 0.5, d + a * b - 0.7


# ad: MARK
def f(p: float):
    a = b = c = d = 0.1
    # ad: implicit(residual=g)
    for _ in range(90):
        a = 0.5 * a + 0.5 * (p - b * b)
        b = 0.5 * b + 0.5 * (p - c * c * 0.3)
        c = 0.5 * c + 0.5 * (a * d * 0.5)
        d = 0.5 * d + 0.5 * (0.7 - a * b)
    return a * b + c * d
"""
NAMES = {"linear": "err", "actual": "err_actual", "iri": "err_iri"}


def system(count: int, p: Any, q: Any) -> Any:
    """The results at the root."""

    def equations(*x: Any) -> list[Any]:
        return [
            3 * x[i] - x[(i + 1) % count] ** 2 / 2 - p * (i + 1) + q * x[i - 1] * x[i]
            for i in range(count)
        ]

    x = findroot(equations, [p / 3 * (i + 1) for i in range(count)])
    return x[0] * q + x[count - 1] ** 2, x[1] / p


def four(p: Any) -> Any:
    def equations(a: Any, b: Any, c: Any, d: Any) -> list[Any]:
        own = mpf(0.3), mpf(0.7)
        return [
            a + b * b - p,
            b + c * c * own[0] - p,
            c - a * d / 2,
            d + a * b - own[1],
        ]

    a, b, c, d = findroot(equations, (p, p, p, 0.5))
    return a * b + c * d


@cache
def made(source: str) -> dict[str, Any]:
    marks = ", ".join(f'error(model="{model}")' for model in NAMES)
    return load_generated(source.replace("MARK", marks))


POINTS = [(random.Random(k).uniform(0.1, 0.5), 0.1 * k - 0.2) for k in range(4)]


@pytest.mark.parametrize("count", [4, 5, 7])
@pytest.mark.parametrize(("p", "q"), POINTS)
def test_the_distance_to_the_root_of_many_equations(
    count: int, p: float, q: float
) -> None:
    source = SYSTEM.replace("N", str(count))
    p /= count
    plain = load(source)["f"](p, q)
    with mp.workdps(50):
        exact = system(count, mpf(p), mpf(q))
        for model, name in NAMES.items():
            values, *own = made(source)[f"f_{name}"](p, q)
            assert values == pytest.approx(plain, rel=1e-14)
            for value, root, *estimates in zip(values, exact, *own, strict=True):
                error = mpf(value) - root
                slack = float(abs(error)) * 1e-4  # of second order
                found = [estimates[0] + slack, *(e + slack for e in estimates[1:])]
                assert holds(model, error, tuple(found))
                assert all(map(math.isfinite, estimates))


@pytest.mark.parametrize("p", [0.2, 0.4])
def test_unknowns_that_are_numbers(p: float) -> None:
    with mp.workdps(50):
        exact = four(mpf(p))
        for model, name in NAMES.items():
            value, *own = made(NUMBERS)[f"f_{name}"](p)
            assert value == load(NUMBERS)["f"](p)
            assert holds(model, mpf(value) - exact, tuple(own))


@pytest.mark.parametrize("p", [0.2, 0.4])
def test_the_gradient_at_the_root_of_four_equations(p: float) -> None:
    mark = 'error(of="gradient"), error(of="gradient", model="actual")'
    own = load_generated(NUMBERS.replace("MARK", mark))
    with mp.workdps(50):
        slope = mp.diff(four, mpf(p))
        value, bound, _ = own["f_grad_err"](p)
        error = mpf(value) - slope
        assert abs(error) <= bound < 1e-12
        _, err, unc = own["f_grad_err_actual"](p)
        assert abs(error - err) <= 1e-3 * abs(error) + unc + 1e-20


@pytest.mark.parametrize("count", [1, 4, 6])
def test_the_inverse(count: int) -> None:
    source = random.Random(count)
    entries = [source.uniform(-1.0, 1.0) for _ in range(count * count)]
    entries[0] = 0.0 if count > 1 else 0.7
    found = called("_inverse", entries, count)
    rows = (entries[k : k + count] for k in range(0, count * count, count))
    assert found == pytest.approx([float(x) for x in matrix(list(rows)) ** -1])
    assert called("_inverse", [1.0] * 9, 3) == [math.inf] * 9


def test_a_system_without_a_sure_root_has_no_estimate() -> None:
    source = NUMBERS.replace("return a + b * b - p, b", "return 0.0 * a, b")
    _, bound, _ = made(source)["f_err"](0.3)
    assert bound == math.inf
