"""`np.maximum(x, 0.0, out=x)`: what a function of numpy makes goes into an array."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load, run

HEAD = """
import numpy as np


def into(v, w):
    return np.multiply(v, w, out=w)


def clipped(v):
    np.maximum(v, 0.0, out=v)


# ad: gradient(x), jvp(x), hvp(x), gradient(x, name="plain", container="tuple")
def f(x: "Vector[n]", trips: int):
"""
BODIES = [
    "v, w = x.copy(), np.zeros_like(x)\nfor _ in range(trips):\n"
    "    v += np.sin(v) * 0.1 - 0.2\n    np.maximum(v, 0.0, out=v)\n"
    "    np.exp(-v, out=w)\n    v[:] = v + w * 0.3\nclipped(v)\n"
    "return np.sum(v**2) + np.sum(w)",
    "y = x + 1.0\nz = y\ninto(x, z)\nz = np.add(y, 1.0, out=z)\nz[0] = 5.0\n"
    "return np.sum(y**2)",
    "y = x * 2.0\nb = np.zeros(len(x))\nnp.dot(np.outer(x, x), x, out=b)\n"
    "np.cumsum(y, out=y)\nreturn np.sum(y**2) + b @ b",
    "np.square(x, out=x)\nreturn np.sum(x**2)",
]
X, DOT = np.array([0.3, -1.0, 0.8]), np.array([0.2, 0.5, -0.4])


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("body", BODIES)
def test_value_and_derivatives(body: str) -> None:
    made, plain = load(generate(source(body), **NUMBERS)), load(source(body))["f"]
    h = 1e-5
    rate = (plain(X + h * DOT, 3) - plain(X - h * DOT, 3)) / (2 * h)
    value, tangent = made["f_jvp"](X, DOT, 3)
    assert value == pytest.approx(plain(X.copy(), 3), rel=1e-15)
    assert tangent == pytest.approx(rate, rel=1e-7)
    slope = made["f_grad"](X, 3)
    assert slope @ DOT == pytest.approx(rate, rel=1e-7)
    assert made["plain"](X, 3) == pytest.approx(slope, rel=1e-12)
    up, down = (made["f_grad"](X + t * DOT, 3) for t in (h, -h))
    product = made["f_hvp"](X, DOT, 3)
    assert product == pytest.approx((up - down) / (2 * h), rel=1e-6, abs=1e-8)
    assert X.tolist() == [0.3, -1.0, 0.8]


@pytest.mark.parametrize(
    "change",
    [
        "np.add.at(T, [0], 1.0)",
        "np.exp(T, out=T)",
        "np.exp(T, T)",
        "y = np.exp(np.ones(2), T)",
        "return np.hypot(1.0, 2.0, T)",
        "np.random.shuffle(T)",
    ],
)
def test_a_table_that_is_written_is_no_constant(change: str) -> None:
    text = (
        f"import numpy as np\nT = np.array([1.0, 2.0])\ndef g():\n    {change}\n"
        "# ad: gradient\ndef f(x):\n    return x * T[0]\n"
    )
    (found,) = run(text).diagnostics
    assert (found.code, found.span.line) == ("AD122", 2)
