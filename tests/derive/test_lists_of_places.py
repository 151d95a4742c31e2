"""Lists of arrays of whole numbers that grow: where each step of Viterbi came from."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load, run

VITERBI = """
import numpy as np


# ad: gradient(A), hvp(A), jvp(A), gradient(A, name="plain", container="tuple")
def f(A: "Matrix[k, k]", B: "Matrix[k, v]", obs: "Vector[t, int]"):
    delta = B[:, obs[0]]
    back = []
    for o in obs[1:]:
        scores = delta[:, np.newaxis] + A
        back.append(np.argmax(scores, axis=0))
        delta = scores.max(axis=0) + B[:, o]
    s = int(np.argmax(delta))
    path = [s]
    for before in reversed(back):
        s = int(before[s])
        path.append(s)
    path.reverse()
    total = B[path[0], obs[0]]
    for t in range(1, len(path)):
        total += A[path[t - 1], path[t]] ** 2 + B[path[t], obs[t]]
    return total
"""
ORDERS = """
import numpy as np


# ad: gradient(A), hvp(A), jvp(A), gradient(A, name="plain", container="tuple")
def f(A: "Matrix[k, k]", B: "Matrix[k, v]", obs: "Vector[t, int]"):
    x, hist = A[0], []
    for k in range(len(obs) // 2):
        hist.append(np.argsort(x * np.cos(k + 1.0)))
    H = np.array(hist)
    total = x[H[1, 0]] ** 2 + x[hist[-1][1]] ** 3 + np.sum(H[0] * x)
    for h in hist[1:]:
        total += np.sum(x[h] ** 2 * np.arange(len(x)))
    return total
"""
A = np.log(np.array([[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.25, 0.35, 0.4]]))
B = np.log(np.array([[0.5, 0.3, 0.2], [0.1, 0.3, 0.6], [0.3, 0.4, 0.3]]))
OBS = np.array([0, 1, 2, 2, 1, 0])


@pytest.mark.parametrize("source", [VITERBI, ORDERS])
def test_value_and_derivatives(source: str) -> None:
    made, plain = load(generate(source, **NUMBERS)), load(source)["f"]
    dot, h = np.cos(A), 1e-6
    rate = (plain(A + h * dot, B, OBS) - plain(A - h * dot, B, OBS)) / (2 * h)
    value, tangent = made["f_jvp"](A, dot, B, OBS)
    assert value == pytest.approx(plain(A, B, OBS), rel=1e-15)
    assert tangent == pytest.approx(rate, rel=1e-8)
    slope = made["f_grad"](A, B, OBS)
    assert np.sum(slope * dot) == pytest.approx(tangent, rel=1e-13)
    assert np.array(made["plain"](A, B, OBS)) == pytest.approx(slope, rel=1e-14)
    up, down = (made["f_grad"](A + t * dot, B, OBS) for t in (h, -h))
    product = made["f_hvp"](A, dot, B, OBS)
    assert product == pytest.approx((up - down) / (2 * h), rel=1e-7, abs=1e-8)


def test_floats_do_not_go_into_lists_of_places() -> None:
    source = ORDERS.replace("    H = np.array(hist)\n", "    hist.append(x)\n", 1)
    found = run(source.replace("H[", "hist[")).diagnostics[0]
    assert (found.code, found.span.line) == ("AD107", 10)
    assert "of one type" in found.message
