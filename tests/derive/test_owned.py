"""Loops change whole arrays in place where nothing else sees them."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from amounts import ANY_ORDER, NUMBERS
from support import generate, load, load_generated

LOOPS = (
    "t = 0.0\nfor v in x * y:\n    t += v * v\nreturn t",
    "z = x * y\nfor i in range(1, len(x)):\n    z[i] += z[i - 1] * y[0]\nreturn z @ x",
    "z = x + y\nt = 0.0\nfor i in range(len(z)):\n    if z[i] > 1.0:\n"
    "        t += z[i] * x[i]\nreturn t",
)
SEEN = (
    "s, z = 0.0, x * y\nfor i in range(len(x)):\n    z[i] = z[0] * y[i]\n"
    "    s += z @ z\nreturn s"
)


@pytest.mark.parametrize("body", [*LOOPS, SEEN])
def test_a_loop_copies_only_what_is_seen_in_between(body: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    source = f'# ad: gradient\ndef f(x: "Vector[n]", y: "Vector[n]"):\n{lines}'
    text = generate(f"import numpy as np\n\n\n{source}", **NUMBERS)
    inside = re.findall(r"(?m)^ {8,}.*(?:np\.array|copy|_like|broadcast)", text)
    assert bool(inside) == (body == SEEN)
    plain, slope = load(f"import numpy as np\n\n\n{source}")["f"], load(text)["f_grad"]
    x, y, h = np.array([0.7, -0.4, 1.1]), np.array([0.9, 0.2, 0.5]), 2.0**-17
    rise = [(plain(x, y + h * e) - plain(x, y - h * e)) / (2.0 * h) for e in np.eye(3)]
    assert slope(x, y)[1] == pytest.approx(rise, rel=1e-7, abs=1e-8)


def test_what_is_new_and_seen_by_nobody_else_is_not_copied() -> None:
    body = (
        "    y = x * a\n    y[y < 0.0] = 0.0\n"
        "    return np.cumprod(y + 1.0)[-1] + x[-1]\n"
    )
    source = f'# ad: gradient(x)\ndef f(x: "Vector[n]", a: "Vector[n]"):\n{body}'
    text = generate(f"import numpy as np\n\n\n{source}", **ANY_ORDER)
    assert not re.findall(r"= np\.array\((\w+)\)", text)
    assert "x_bar: NDArray[np.float64] = " in text
    x, a = np.array([0.5, -2.0, 3.0]), np.array([2.0, 1.5, 0.5])
    assert load(text)["f_grad"](x, a).tolist() == [5.0, 0.0, 2.0]


STORED = """
import numpy as np

# ad: gradient(y)
def f(x: "Vector[n]", y: "Vector[n]", k: int):
    z = np.sin(y)
    for _ in range(k):
        z = z.copy()
        z[1:] += x[:-1]
    u = np.zeros(len(x))
    u[1:] = z[:-1]
    return u @ x

# ad: gradient(y)
def g(x: "Vector[n]", y: "Vector[n]"):
    z = np.sin(y)
    return z[:-1] @ x[1:]

# ad: vjp(y)
def h(x: "Vector[n]", y: "Vector[n]"):
    u = np.zeros(len(x))
    u[1:] = y[:-1] * x[1:]
    return u
"""


def test_copies_and_shapes_are_not_computed() -> None:
    text = generate(STORED, **ANY_ORDER)
    f, g, h = text.split("\ndef ")[1:]
    assert ".copy()" not in f
    assert "zeros_like(y)" in g
    assert "    u = np.zeros(len(x))\n    u[1:] = " in h
    x, y, made, plain = np.arange(3.0), np.ones(3), load(text), load(STORED)
    assert np.allclose(made["f_grad"](x, y, 2), np.cos(1.0) * np.array([1.0, 2.0, 0.0]))
    assert np.allclose(made["g_grad"](x, y), np.cos(1.0) * np.array([1.0, 2.0, 0.0]))
    assert made["h_vjp"](x, y, y)[0].tolist() == plain["h"](x, y).tolist()


LU = """
import numpy as np

# ad: gradient
def f(A: "Matrix[n, n]"):
    U, det = A.copy(), 1.0
    for k in range(len(A)):
        p = k + np.argmax(np.abs(U[k:, k]))
        if p != k:
            {exchange}
            det = -det
        det *= U[k, k]
        for i in range(k + 1, len(A)):
            U[i, k:] -= U[i, k] / U[k, k] * U[k, k:]
    return det
"""


@pytest.mark.parametrize(
    "exchange", ["U[[k, p]] = U[[p, k]]", "U[[k, p], :] = U[[p, k], :]"]
)
def test_rows_change_places_and_are_recorded_as_rows(exchange: str) -> None:
    text = generate(LU.format(exchange=exchange), **ANY_ORDER)
    assert "np.add.at" not in text and "np.array([" not in text
    assert re.search(r"\.append\(\(copy_U, U_ratio, U_pick\)\)", text)
    A = np.array([[0.1, 2.0, -1.0], [3.0, 0.5, 0.2], [1.0, -0.7, 4.0]])
    slope = load(text)["f_grad"](A)
    assert np.allclose(slope, np.linalg.det(A) * np.linalg.inv(A).T)


def test_places_that_stand_twice_keep_the_last() -> None:
    source = """
import numpy as np

# ad: vjp(x)
def f(x: "Vector[n]", i: int):
    y = x.copy()
    y[[0, i]] = x[[1, 2]]
    return y
"""
    x, y_bar = np.array([1.0, 2.0, 4.0]), np.array([10.0, 20.0, 30.0])
    value, x_bar = load(generate(source, **ANY_ORDER))["f_vjp"](x, y_bar, 0)
    assert value.tolist() == [4.0, 2.0, 4.0] and x_bar.tolist() == [0.0, 20.0, 40.0]


RECORDED = """\
import math


def h(p, q=0.5):
    if q * p > 0.7:
        return math.tanh(p) * (q + p)
    return math.exp(-(p * p)) * (1.0 + p)


# ad: gradient(a, b, x, y)
def f(a: float, b: float, x: "Vector[n]", y: "Vector[m]", k: int) -> float:
    t = 0.0
    u = 0.0
    s = 1.0
    v0 = 0.25
    v3 = b
    M = [[a, 0.0], [1.0, b], [0.0, 0.5]]
    for i in range(0, len(x), 2):
        for j, e1 in enumerate(y):
            M[i % 3][0] += math.sin(a)
            t += (math.sin(v0) / (1.5 + v3 * v3) + x[i])
            M = [[M[i][0] + 0.1 * M[j][1] for j in range(2)] for i in range(3)]
            v3 += h((x[j % len(x)] - b))
    for row in M:
        u += row[0] * row[1]
    return t * u + s + M[0][0] * M[2][1]
"""


def test_a_recorded_matrix_may_be_changed_where_others_wait() -> None:
    made = load_generated(RECORDED, order="reverse", effort=0)
    function, x, y = load(RECORDED)["f"], [0.3, -0.2, 0.9], [0.5, 0.1]

    def slope(at: Callable[[float], float]) -> float:
        return (8 * (at(1e-4) - at(-1e-4)) - at(2e-4) + at(-2e-4)) / 12e-4

    wanted = (
        slope(lambda h: function(0.4 + h, 0.7, x, y, 2)),
        slope(lambda h: function(0.4, 0.7 + h, x, y, 2)),
    )
    assert made["f_grad"](0.4, 0.7, x, y, 2)[:2] == pytest.approx(wanted, rel=1e-8)


READERS = (
    "for i in range(k):\n            s += np.sum(np.cos(z * s))",
    "while s < k:\n            s += 0.5 + np.sum(z * s) ** 2",
    "if k > 1:\n            s += np.sum(np.cos(z * s))",
)


@pytest.mark.parametrize("reader", READERS)
def test_loops_and_branches_read_what_a_trip_has_changed(reader: str) -> None:
    source = f"""
import numpy as np

# ad: gradient(x, value=True), jvp(x)
def f(x: "Vector[n]", k: int):
    z, s = np.zeros(len(x)), 0.5
    for t in range(1, len(x)):
        z[t - 1 : t + 1] -= np.sin(x[t - 1 : t + 1])
        {reader}
    return s + z @ z
"""
    plain, made = load(source)["f"], load(generate(source, **NUMBERS))
    x, way, h = np.array([0.7, -0.4, 1.1]), np.array([0.5, 1.0, -0.25]), 2.0**-17
    for k in (0, 2):
        value, grad = made["f_value_and_grad"](x, k)
        again, tangent = made["f_jvp"](x, way, k)
        assert value == again == plain(x, k)
        rise = (plain(x + h * way, k) - plain(x - h * way, k)) / (2.0 * h)
        assert [grad @ way, tangent] == pytest.approx([rise, rise], rel=1e-7)
