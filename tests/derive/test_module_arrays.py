"""Arrays of known numbers are made once, and no caller sees or changes them."""

import numpy as np
from support import generate, load

SOURCE = """
import numpy as np
R = 3.0
K = np.array([[1.0, 2.0, 0.5], [3, 4, R]])

# ad: jvp(x), gradient(x)
def read(x: "Vector[n]"):
    w = np.array([0.5, 0.25, 0.125])
    return np.sum(np.sin(K @ x[:3])) + w @ x[1:4]


# ad: jvp(x)
def seen(x: "Vector[n]", k: int):
    A = np.array([[1, 2], [0.5, 1]])
    w = np.array([0.5, 0.25, 0.125])
    u = np.array([0.5, 0.25, 0.125])
    v = u
    v += x[1:]
    return A.T, w[1:], u, np.array([[1, 2], [0.5, 1]]) + x[0], A[::-1] if k else A
"""
POINT = np.array([0.3, -1.2, 0.7, 2.0])
TEXT = generate(SOURCE)


def test_arrays_are_written_once() -> None:
    head, jvp, grad, _ = TEXT.split("\ndef ")
    assert "_READ_K = np.array([[1.0, 2.0, 0.5], [3.0, 4.0, R]])" in head
    assert "np.array(" not in jvp + grad
    assert "_READ_W.copy()" not in jvp + grad


def test_what_is_handed_out_is_a_copy() -> None:
    made, wanted = load(TEXT), load(SOURCE)["seen"](POINT, 1)
    for _ in range(2):
        found, _ = made["seen_jvp"](POINT, np.ones(4), 1)
        for got, want in zip(found, wanted, strict=True):
            assert np.array_equal(got, want)
            got[...] = 99.0
