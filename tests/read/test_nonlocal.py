"""`nonlocal`: values are Python's, slopes those of differences."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from reading import curves, indented, slopes
from support import generate, load, load_generated, run

HEAD = """import math


def trapezoid(g, a, b, n):
    h = (b - a) / n
    s = 0.5 * (g(a) + g(b))
    for k in range(1, n):
        s += g(a + k * h)
    return s * h


# ad: gradient(a, b, value=True), hessian(a, b)
def f(a: float, b: float, n: int):
"""

BODIES = {
    "count": "calls = 0\ntotal = 0.0\ndef g(x):\n    nonlocal calls, total\n"
    "    calls += 1\n    y = math.exp(-a * x)\n    total += y * y\n    return y\n"
    "return g(0.1) + 2.0 * g(b) + total / calls",
    "called elsewhere": "calls = 0\nworst = 0.0\ndef g(x):\n"
    "    nonlocal calls, worst\n    calls += 1\n    y = math.sin(a * x)\n"
    "    if y > worst:\n        worst = y\n    return y\n"
    "s = trapezoid(g, 0.0, b, n)\nreturn s * worst + calls",
    "random": "state = 7\ndef uniform():\n    nonlocal state\n"
    "    state = (1103 * state + 12345) % 65536\n    return (state + 0.5) / 65536\n"
    "s = 0.0\nfor _ in range(n):\n    s += uniform() ** a * uniform() * b\nreturn s",
    "loop": "x = a\ndef step(h):\n    nonlocal x\n    x = x + h * math.cos(x)\n"
    "for k in range(n):\n    step(b / (k + 1))\n    if x > 1.4:\n        break\n"
    "return x * x",
    "parameter": "def grow(k):\n    nonlocal a\n    a = a * b + k\n"
    "grow(1.0)\ngrow(2.0)\nreturn a * a",
    "in turn": "x = a\ny = b\ndef swap():\n    nonlocal x, y\n    x, y = y, x * y\n"
    "swap()\nswap()\nfor x in (x, x * x):\n    y += x\nreturn x * y",
    "deeper": "s = a\ndef outer():\n    s2 = 1.0\n    def inner(v):\n"
    "        nonlocal s, s2\n        s = s + v * s2\n        s2 *= b\n    inner(a)\n"
    "    inner(b)\n    return s2\nreturn outer() * s",
    "arms": "s = 0.0\nt = 1.0\ndef add(v):\n    nonlocal s, t\n    if v > b:\n"
    "        s += v * a\n    else:\n        t *= v\n"
    "for k in range(n):\n    add(a * k + 0.3)\nreturn s + t * [s, b][0] + "
    "sum(t * v for v in (a, b))",
    "array": "u = [0.0] * 3\nm = 0\ndef put(v):\n    nonlocal m\n    u[m] = v\n"
    "    m += 1\nput(a)\nput(b * a)\nput(b)\nreturn u[0] * u[1] + u[2] ** 2",
    "walk": "p = a\ndef walk():\n    nonlocal p\n    for _ in range(n):\n"
    "        p = p * b + 0.1\n        yield p\n"
    "s = 0.0\nfor v in walk():\n    s += v * p\nreturn s + p",
}


@pytest.mark.parametrize("name", BODIES)
def test_values_and_derivatives(name: str) -> None:
    source = HEAD + indented(BODIES[name])
    f, derived = load(source)["f"], load_generated(source)
    for a, b, n in ((0.31, 0.9, 5), (0.77, 1.3, 2)):
        value, found = derived["f_value_and_grad"](a, b, n)
        assert value == f(a, b, n)
        assert list(found) == pytest.approx(slopes(f, a, b, n), rel=1e-5, abs=1e-6)
        wanted = np.array(curves(f, a, b, n))
        assert derived["f_hess"](a, b, n) == pytest.approx(wanted, rel=1e-3, abs=1e-3)


def test_names_are_those_of_the_source() -> None:
    text = generate(HEAD + indented(BODIES["loop"]), **ANY_ORDER)
    assert "cells" not in text and "x = x + " in text


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "x = 0.0\ndef g():\n    nonlocal x\n    x += a\nmatch n:\n"
            "    case x:\n        g()\nreturn x",
            "'x' is bound here and by a function inside",
        ),
        (
            "def g():\n    nonlocal x\n    x += a\ng()\nx = 0.0\nreturn x",
            "'x' may be read before it is bound",
        ),
    ],
)
def test_refused(body: str, said: str) -> None:
    found = run(HEAD + indented(body)).diagnostics
    assert said in found[0].message
    assert found[0].help and found[0].span is not None
