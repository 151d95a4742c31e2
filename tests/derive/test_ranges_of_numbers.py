"""`np.arange` with a step, of whole numbers and of floats: a run tells how many."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load, run

HEAD = """
import numpy as np


# ad: gradient(x, h), hvp(x, h), gradient(x, h, name="plain", container="tuple"), error
def f(x: float, h: float, m: int, k: int):
"""
BODIES = [
    "return np.sum(x ** np.arange(m, -1, -1)) * h",
    "return np.sum(np.arange(k, m, 2) * x) ** 2 + h",
    "return np.sum(np.sin(np.arange(m, k, -3) * x * h))",
    "a = np.arange(k, m, 3)\nreturn len(a) * x * h + np.sum((x * a) ** 2)",
    "t = np.arange(0.0, m, h)\nreturn np.sum(np.sin(x * t))",
    "t = np.arange(x, 3.0, h)\nreturn np.sum(t * t * t)",
    "t = np.arange(m, k - 0.01, -h)\nreturn np.sum(np.exp(-x * t * t))",
    "t = np.arange(m + 0.5)\nreturn np.sum(np.exp(-x * t)) * h",
    "return np.sum(np.arange(0, m, 2, dtype=float) * x) ** 2 * h",
]


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("ends", [(7, 2), (2, 7), (4, 4), (6, -2)])
def test_value_and_derivatives(body: str, ends: tuple[int, int]) -> None:
    text = source(body)
    made, plain = load(generate(text, **NUMBERS)), load(text)["f"]
    at, dot, e = np.array([0.81, 0.31]), np.array([0.4, -0.7]), 1e-6
    up, down = at + e * dot, at - e * dot
    value = plain(*at, *ends)
    slope = np.array(made["f_grad"](*at, *ends))
    rate = (plain(*up, *ends) - plain(*down, *ends)) / (2 * e)
    assert slope @ dot == pytest.approx(rate, rel=1e-7, abs=1e-7)
    assert made["plain"](*at, *ends) == pytest.approx(slope, rel=1e-12, abs=1e-14)
    more, less = (np.array(made["f_grad"](*one, *ends)) for one in (up, down))
    product = made["f_hvp"](*at, *dot, *ends)
    assert product == pytest.approx((more - less) / (2 * e), rel=1e-6, abs=1e-6)
    assert made["f_err"](*at, *ends)[0] == pytest.approx(value, rel=1e-14)


def test_refusal_of_a_step_that_only_a_run_knows() -> None:
    (found,) = run(source("return np.sum(np.arange(0, m, k)) * x * h")).diagnostics
    assert (found.code, found.span.line) == ("AD106", 7)
    assert found.help == "write `k * np.arange(n)`"


@pytest.mark.parametrize("shape", ["m, k", "(k, -1)", "a.shape", "2 * k, m // 2"])
def test_ranges_become_matrices(shape: str) -> None:
    body = (
        "a = np.zeros((m, k)) + x\n"
        f"return np.sum(np.sin(a * h)) + np.sum(np.arange(a.size).reshape({shape}) * x)"
    )
    made, plain = load(generate(source(body), **NUMBERS)), load(source(body))["f"]
    at, e = (0.8, 0.3, 4, 3), 1e-5
    rate = (plain(0.8 + e, *at[1:]) - plain(0.8 - e, *at[1:])) / (2 * e)
    assert made["f_grad"](*at)[0] == pytest.approx(rate, rel=1e-8)
    assert made["plain"](*at)[0] == pytest.approx(rate, rel=1e-8)
    assert made["f_err"](*at)[0] == pytest.approx(plain(*at), rel=1e-14)
