"""Loops that hand on what they are given leave no trace in derivatives."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from support import generate, load

SOURCE = """
import numpy as np


# ad: hvp(u), jvp(u), gradient(u)
def number(u, k: float, n: int):
    for i in range(n):
        u = u + k * i
    return u * u


# ad: hvp(u), jvp(u), vjp(u)
def array(u: "Vector[m]", k: float, n: int):
    # ad: checkpoint(snapshots=2)
    for _ in range(n):
        u = u + k * 2.0
    return np.sum(u * u)


# ad: jvp(u), vjp(u)
def moved(u: "Vector[m]", k: float, n: int):
    while n > 0:
        u = u + k
        n -= 1
    return u


# ad: hvp(u)
def checked(u, k: float, n: int):
    for i in range(n):
        assert i < 3
        u = u + k
    return u * u
"""


@cache
def made() -> str:
    return generate(SOURCE, effort=0)


def text_of(name: str) -> str:
    return made().partition(f"def {name}(")[2].partition("\ndef ")[0]


@pytest.mark.parametrize("name", ["number_hvp", "array_hvp", "moved_vjp"])
def test_they_are_not_there(name: str) -> None:
    assert "pass" not in text_of(name)
    assert text_of(name).count("for ") + text_of(name).count("while ") <= 1


def test_derivatives_are_the_same() -> None:
    own, at = load(made()), np.array([0.5, -1.0, 2.0])
    seed = np.array([1.0, 0.25, -2.0])
    for n in (0, 1, 3):
        end = 0.5 + 0.1 * sum(range(n))
        assert own["number_hvp"](0.5, 2.0, 0.1, n) == 4.0
        assert own["number_grad"](0.5, 0.1, n) == pytest.approx(2.0 * end)
        assert own["number_jvp"](0.5, 2.0, 0.1, n)[1] == pytest.approx(4.0 * end)
        assert own["array_hvp"](at, seed, 0.1, n) == pytest.approx(2.0 * seed)
        back = own["array_vjp"](at, 1.0, 0.1, n)[1]
        assert back == pytest.approx(2.0 * (at + 0.2 * n))


def test_what_comes_out_shares_no_memory_with_a_seed() -> None:
    own, at, seed = load(made()), np.zeros(3), np.ones(3)
    for kind in ("jvp", "vjp"):
        found = own[f"moved_{kind}"](at, seed, 1.0, 2)[1]
        assert found.tolist() == [1.0, 1.0, 1.0]
        assert not np.shares_memory(found, seed)


def test_what_is_asserted_in_them_stays() -> None:
    own = load(made())["checked_hvp"]
    assert own(0.5, 1.0, 0.1, 3) == 2.0
    with pytest.raises(AssertionError):
        own(0.5, 1.0, 0.1, 4)
