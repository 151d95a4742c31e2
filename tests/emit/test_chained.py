"""Two comparisons of one value are written as a chain, which says the same."""

from __future__ import annotations

import math

import pytest
from support import generate, load

# fmt: off
CHAINS = {
    "x > a and x < b": "a < x < b",
    "x >= a and x <= b": "a <= x <= b",
    "a < x and b >= x": "a < x <= b",
    "x < b and x > a": "a < x < b",
    "a <= x < b": "a <= x < b",
    "a > x > b": "b < x < a",
    "a < x and x < b and k > 0": "a < x < b and k > 0",
    "k > 0 and a < x and x < b": "k > 0 and a < x < b",
    "k > 0 and k < n": "0 < k < n",
    "x + a < b and b <= 2.0 * x": "x + a < b <= 2.0 * x",
}
NONE = [
    "x < b + a and x > 2.0 * a",  # the second sum is made where the first test holds
    "a < x and b < x",
    "x < b or x > a",
    "x == a and x < b",
    "a < x and k < n",
]
# fmt: on
NUMBERS = [-1.0, 0.5, 2.0, math.nan]


def source(test: str) -> str:
    head = "# ad: gradient(x)\ndef f(x, a, b, k: int, n: int):\n"
    return f"{head}    if {test}:\n        return x * x\n    return 3.0 * x\n"


def agrees(test: str, text: str) -> None:
    """The derivative takes the arm that the source takes."""
    f = load(text)["f_grad"]
    for x in NUMBERS[1:3]:
        for a in NUMBERS:
            for b in NUMBERS:
                for k in range(3):
                    holds = eval(test, {}, {"x": x, "a": a, "b": b, "k": k, "n": 2})
                    assert f(x, a, b, k, 2) == (2.0 * x if holds else 3.0)


@pytest.mark.parametrize("test, chain", CHAINS.items())
def test_a_chain(test: str, chain: str) -> None:
    text = generate(source(test))
    assert f" {chain} " in text or f" {chain}:" in text
    agrees(test, text)


@pytest.mark.parametrize("test", NONE)
def test_no_chain(test: str) -> None:
    text = generate(source(test))
    assert f" {test} " in text or f" {test}:" in text
    agrees(test, text)
