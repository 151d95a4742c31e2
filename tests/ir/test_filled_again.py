"""What a list was filled with is not stored in it again, if nothing changed it."""

from __future__ import annotations

import numpy as np
import pytest
from programs import program
from support import generate, load

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.filled_again import not_filled_again
from ad_transform.ir.verify import verify

LOOP = """function f primal {primal} nest .
parameter x (%1: float[n]) nest array(.)
  %2: int = size(%1)
  %3: int = sub(%2, 1)
  %4: float[n] = {made}
  %5: float[n] = {ahead}
  %6: float[n] = scan ({range}) (%5) () ()
  body (%10: int, %11: float[n])
    %12: int = add(%10, 1)
    %13: float[n] = {before}
    %14: float[n] = set(%13, 0.0, %10)
    %15: float[n] = {behind}
    give %15
  %7: float = sum_of(%6)
  give %7
"""
PLAIN = {
    "primal": 0,
    "made": "full(0.0, %2)",
    "ahead": "add_at(%4, 1.0, -1)",
    "range": "1, %3, 1",
    "before": "add_at(%11, 5.0, 0)",
    "behind": "add_at(%14, 2.0, %10)",
}
HELD = {
    "behind another": {},
    "like another": {"made": "like(%1, 0.0)"},
    "of numbers": {"ahead": "set(%4, 0.0, 0)"},
    "back": {"range": "%3, 0, -1", "ahead": "set(%4, 7.0, 0)"},
}
STORED = {
    "in a copy": {"made": "copy(%1)"},
    "with other numbers": {"made": "full(1.0, %2)"},
    "where one was stored": {"ahead": "set(%4, 7.0, 1)"},
    "where one was added": {"ahead": "add_at(%4, 7.0, 1)"},
    "where the trip stores": {"before": "set(%11, 3.0, %10)"},
    "where a trip before stores": {"behind": "add_at(%14, 2.0, %12)"},
    "for the value": {"primal": 1},
}


def made_of(changes: dict[str, object]) -> tuple[bool, bool]:
    """Whether the store is gone, and the program gives the same."""
    before = program(LOOP.format(**PLAIN | changes))
    verify(before)
    made = not_filled_again(before)
    verify(made)
    x = [1.0, 2.0, 4.0, 8.0]
    return made is not before, evaluate(made, (x,)) == evaluate(before, (x,))


@pytest.mark.parametrize("changes", HELD.values(), ids=HELD)
def test_it_is_not_stored(changes: dict[str, object]) -> None:
    assert made_of(changes) == (True, True)


@pytest.mark.parametrize("changes", STORED.values(), ids=STORED)
def test_it_is_stored(changes: dict[str, object]) -> None:
    assert made_of(changes) == (False, True)


HORNER = """
# ad: hessian
def f(c: "Vector[n]", x: float):
    s = 0.0
    for v in reversed(c):
        s = s * x + v
    return s
"""


RISK = """
# ad: hessian
def f(w: "Vector[n]", mu: "Vector[n]", S: "Matrix[n, n]", lam: float):
    v = 0.0
    for i in range(len(w)):
        for j in range(len(w)):
            v += w[i] * S[i, j] * w[j]
    return sum(a * b for a, b in zip(w, mu)) - lam * v
"""


def test_lengths_are_not_below_0() -> None:
    text = generate(RISK)
    assert "] = 0.0\n" not in text
    w, mu = np.array([0.5, -2.0]), np.array([1.0, 3.0])
    S = np.array([[2.0, 0.5], [-1.0, 4.0]])
    found = load(text)["f_hess"](w, mu, S, 0.25)
    assert found[:2, :2] == pytest.approx(-0.25 * (S + S.T))
    assert found[:2, 2:4].tolist() == np.eye(2).tolist()
    assert found[8, :2] == pytest.approx(-(S + S.T) @ w)
    assert found[8, 4:8] == pytest.approx(-np.outer(w, w).ravel())
    assert not found[2:4, 2:].any() and not found[4:8, 4:8].any() and found[8, 8] == 0.0


def test_no_loop_goes_over_a_block_of_a_hessian_that_is_0() -> None:
    text = generate(HORNER)
    assert "] = 0.0\n" not in text
    found = load(text)["f_hess"]([1.0, 2.0, 3.0], 0.5)
    corner = np.zeros((4, 4))
    corner[3] = corner[:, 3] = [0.0, 1.0, 1.0, 6.0]
    assert found.tolist() == corner.tolist()
