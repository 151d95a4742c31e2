"""Parts of arrays that no later trip stores are read in the finished array, others are
recorded.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from amounts import pairs
from support import generate, load

PARTS = (
    "k, k",
    "k + 1, k - 1",
    "k, k + 1 :",
    "k + 1 :, k",
    ":k, k",
    "k, :k",
    "k - 1, k:",
    "k : k + 2, k",
    "k + 1 :, k + 1 :",
    ":k, : k + 1",
    ":, k",
    "k + 1",
    "1, k",
    ": k - 1",
)


READ = "A[{stored}] += 0.1 * np.sum(A[{read}] ** 2)"
STORED = """v = np.cos(A[{read}])
        A[{read}] = v
        A[{stored}] += 0.1 * np.sum(A[{read}] ** 3)"""
"""Bodies of loops that need what is in a part, and what they have stored there."""


def _source(body: str, stored: str, read: str) -> str:
    return f"""
import numpy as np


# ad: gradient(A, value=True)
def f(A: "Matrix[n, n]"):
    A = A.copy()
    for k in range(1, len(A) - 1):
        {body.format(stored=stored, read=read)}
    return np.sum(A * A)
"""


@pytest.mark.parametrize("body", [READ, STORED])
@pytest.mark.parametrize(("stored", "read"), pairs(PARTS, PARTS, 4))
def test_all_parts_that_trips_read_and_store(stored: str, read: str, body: str) -> None:
    source = _source(body, stored, read)
    A = np.random.default_rng(7).normal(size=(5, 5))
    way = np.random.default_rng(8).normal(size=(5, 5))
    plain, made = load(source)["f"], load(generate(source))
    value, grad = made["f_value_and_grad"](A)
    assert value == plain(A)
    h = 1e-6
    rise = (plain(A + h * way) - plain(A - h * way)) / (2.0 * h)
    assert np.sum(grad * way) == pytest.approx(rise, rel=1e-6)


FACTORS = """
import numpy as np


# ad: vjp(A)
def factors(A: "Matrix[n, n]"):
    A = A.copy()
    for k in range(len(A) - 1):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return A


# ad: gradient(A)
def volume(A: "Matrix[n, n]"):
    L = np.zeros((len(A), len(A)))
    for j in range(len(A)):
        L[j, j] = np.sqrt(A[j, j] - L[j, :j] @ L[j, :j])
        L[j + 1 :, j] = (A[j + 1 :, j] - L[j + 1 :, :j] @ L[j, :j]) / L[j, j]
    return np.sum(np.log(np.diag(L)))
"""


def test_factorisations_record_nothing() -> None:
    text = generate(FACTORS)
    assert "append" not in text and "values for each trip" not in text
    made = load(text)
    A = np.random.default_rng(3).normal(size=(4, 4))
    A = A @ A.T + 4.0 * np.eye(4)
    assert made["volume_grad"](A).sum() == pytest.approx(
        _slope(load(FACTORS)["volume"], A, np.ones((4, 4)))
    )
    value, adjoint = made["factors_vjp"](A, np.eye(4))
    assert np.array_equal(value, load(FACTORS)["factors"](A))
    rise = _slope(lambda X: np.trace(load(FACTORS)["factors"](X)), A, A.T)
    assert np.sum(adjoint * A.T) == pytest.approx(rise)


def _slope(f, x, way):  # type: ignore[no-untyped-def]
    return (f(x + 1e-6 * way) - f(x - 1e-6 * way)) / 2e-6


@pytest.mark.parametrize(
    ("stored", "read", "lasts"),
    [
        ("k + 1 :, k + 1 :", ":k, k", True),
        ("k + 1 :, k + 1 :", "k, k + 1 :", True),
        ("k - 1, k:", "k, k + 1 :", False),
        ("k + 1 :, k + 1 :", "k : k + 2, k + 1", False),
        ("1, k", "1, k + 1 :", False),
        (":, k", "k + 1, :k", True),
    ],
)
def test_what_a_later_trip_changes_is_recorded(
    stored: str, read: str, lasts: bool
) -> None:
    text = generate(_source(READ, stored, read))
    assert bool(re.search(r"\.append\(", text)) is not lasts
