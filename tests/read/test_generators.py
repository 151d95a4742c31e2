"""Generators: values are Python's, gradients and Hessians those of differences."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER, part
from numpy.testing import assert_allclose
from reading import curves, indented, slopes
from support import generate, load, load_generated, run

HEAD = """import math
from dataclasses import dataclass


def orbit(x, r, n):
    for _ in range(n):
        yield x
        x = r * x * (1 - x)


def pairs(seq):
    prev = seq[0]
    for item in seq:
        yield prev, item
        prev = item


def steps(t0, t1, dt):
    t = t0
    while t < t1:
        h = min(dt, t1 - t)
        yield t, h
        t += h


def both(x, n):
    for k in range(n):
        if k > 3:
            return
        yield x * k
        for j in range(k):
            yield x + j
            x = x * 1.1
    yield x


def forever(x):
    while True:
        yield x
        x = 0.5 * x + 0.1


def chained(x, n):
    yield x
    yield from orbit(x, 2.5, n)
    yield 3.0 * x


@dataclass
class Vec:
    x: float
    y: float

    def __iter__(self):
        yield self.x
        yield self.y

    def parts(self):
        yield self.x
        yield self.y


class Row:
    def __init__(self, *items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


# ad: gradient(a, b, value=True)
def f(a: float, b: float, n: int):
"""

BODIES = {
    "sum": "return sum(v * v for v in orbit(a, b, n))",
    "plain sum": "return sum(orbit(a, b, n))",
    "loop": "s = 0.0\nfor x in orbit(a, b, n):\n    s += x * b\nreturn s",
    "names": "x = b\ns = 0.0\nfor n_, x in enumerate(orbit(a, x, n), 1):\n"
    "    s += n_ * x\nreturn s * x",
    "break": "s = 0.0\nfor x in orbit(a, b, n):\n    if x > 0.6:\n        break\n"
    "    s += x * b\nelse:\n    s += a\nreturn s",
    "else": "s = 0.0\nfor x in orbit(a, b, n):\n    if x > 2.0:\n        break\n"
    "    s += x * b\nelse:\n    s += a * a\nreturn s",
    "continue": "s = 0.0\nfor x in orbit(a, b, n):\n    if x > 0.6:\n        continue\n"
    "    s += x * b\nreturn s",
    "return": "s = 0.0\nfor x in orbit(a, b, n):\n    s += x\n    if s > 1.2:\n"
    "        return s * b\nreturn s",
    "while": "s = 0.0\nfor t, h in steps(0.0, b, 0.4):\n    s += h * (a + t * t)\n"
    "return s",
    "leaving": "s = 1.0\nfor x in both(a, n):\n    s = 0.5 * s + x * b\nreturn s",
    "leaving and breaking": "s = 1.0\nfor x in both(a, n):\n    if x > 2.0 * b:\n"
    "        break\n    if x < 0.5:\n        continue\n    s = 0.5 * s + x * b\n"
    "else:\n    s += 10.0 * a\nreturn s",
    "in a loop": "s = 0.0\nfor k in range(n):\n    for x in both(a + k, k):\n"
    "        if x > 3.0:\n            break\n        s += x * b\n    s = 0.9 * s\n"
    "return s",
    "twice": "s = 0.0\nfor x in orbit(a, b, n):\n    for y in orbit(x, 0.5, 2):\n"
    "        s += x * y\nreturn s",
    "forever": "s = 0.0\nfor k, x in enumerate(forever(a)):\n    if k == n:\n"
    "        break\n    s += x * b\nreturn s",
    "from": "s = 0.0\nfor x in chained(a, n):\n    s = s * b + x\nreturn s",
    "zip": "s = 0.0\nfor x, y in zip(orbit(a, b, n), orbit(b / 5.0, 2.0, n)):\n"
    "    s += x * y\nreturn s",
    "list": "u = list(orbit(a, b, n))\nreturn u[0] * u[-1] + u[len(u) // 2]",
    "pairs": "s = 0.0\nfor u, v in pairs([a, b, a * b]):\n    s += (v - u) ** 2 * v\n"
    "return s",
    "list of pairs": "p = list(pairs([a, b, 2.0]))\nreturn p[1][0] * p[2][1] * p[1][1]",
    "unpacked": "def three():\n    yield a\n    yield b * a\n    yield b\n"
    "p, q, r = three()\nreturn p * q + r ** 3",
    "max": "return max(orbit(a, b, n)) + min(v * b for v in orbit(a, b, n))",
    "any": "s = a * b\nif any(v > 0.7 for v in orbit(a, b, n)):\n    s = s * s\n"
    "return s",
    "next": "return next(v for v in orbit(a, b, n) if v > 0.3) * b",
    "inner": "k = 2.0 * b\ndef grid(m):\n    h = k / m\n    for i in range(m + 1):\n"
    "        yield i * h\ns = 0.0\nfor x in grid(n):\n    s += math.exp(-a * x)\n"
    "return s",
    "passed on": "def total(gen):\n    s = 0.0\n    for v in gen:\n        s += v * v\n"
    "    return s\ndef mine():\n    for k in range(n):\n        yield a * k + b\n"
    "return total(mine())",
    "kept for later": "g = orbit(a, b, n)\na = 2.0\ns = 0.0\nfor v in g:\n    s += v\n"
    "return s * a",
    "changes what it reads": "u = [a, b, a + b]\ndef items():\n    for k in range(3):\n"
    "        yield u[k]\ns = 0.0\nk = 0\nfor v in items():\n    k += 1\n    if k < 3:\n"
    "        u[k] = u[k] * v\n    s += v\nreturn s",
    "method": "v = Vec(a, b)\nreturn sum(c * c for c in v.parts())",
    "iter": "v = Vec(a, b)\ns = 0.0\nfor c in v:\n    s = s * b + c\n"
    "x, y = v\nreturn sum(c * c for c in v) + sum(v) * x * y + list(v)[1]",
    "iter that returns one": "r = Row(a, b, a * b)\nx, *y = r\ns = sum(r) * x\n"
    "for v in r:\n    s = s * b + v * max(y)\nreturn s",
    "a star of an object": "r = Row(a, b, a * b)\nu = [*r, 2.0]\n"
    "return math.hypot(*r) * u[2] + math.prod((*r, *r))",
    "iter of what changes": "u = [a * k + b for k in range(n + 2)]\nit = iter(u)\n"
    "u[0] = b * b\ns = next(iter(u)) + next(iter([]), a)\nfor v in it:\n"
    "    s = s * a + v\nreturn s + sum(iter(orbit(a, b, n)))",
    "tuple": "x, y = tuple(c * b for c in Vec(a, b).parts())\nreturn x * y",
}


BENT = part([*BODIES], 3)
"""Those that are differentiated twice, too."""


@pytest.mark.parametrize("name", BODIES)
def test_values_and_derivatives(name: str) -> None:
    head = HEAD.replace("True)", "True), hessian(a, b)") if name in BENT else HEAD
    source = head + indented(BODIES[name])
    f, derived = load(source)["f"], load_generated(source)
    for a, b, n in ((0.31, 2.9, 5), (0.47, 1.3, 2)):
        value, found = derived["f_value_and_grad"](a, b, n)
        assert value == f(a, b, n)
        assert list(found) == pytest.approx(slopes(f, a, b, n), rel=1e-5, abs=1e-6)
        if name not in BENT:
            continue
        curve = curves(f, a, b, n)
        assert_allclose(derived["f_hess"](a, b, n), curve, rtol=1e-3, atol=1e-3)


def test_a_loop_over_a_generator_is_the_loop_of_the_generator() -> None:
    text = generate(HEAD + indented(BODIES["loop"]), **ANY_ORDER)
    assert "@" not in text and ".append(" in text
    assert text.count("for _ in range(n):") == text.count("def f_")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("yield a", "a generator is not differentiated"),
        ("u = list(forever(a))\nreturn u[0]", "'forever' may give values for ever"),
        (
            "def g():\n    try:\n        yield a / b\n    except ZeroDivisionError:\n"
            "        yield a\ns = 0.0\nfor v in g():\n    s += v\nreturn s",
            "`yield` in a `try` is not supported",
        ),
        (
            "def g(k):\n    yield a\n    if k < 3:\n        yield from g(k + n)\n"
            "return sum(g(0))",
            "generators run inside one another",
        ),
        ("g = orbit(a, b, n)\nreturn sum(g) + sum(g)", "gives its items once"),
        ("x = yield a\nreturn x", "what `yield` is sent"),
    ],
)
def test_refused(body: str, said: str) -> None:
    found = run(HEAD + indented(body)).diagnostics
    assert said in found[0].message
    assert found[0].help and found[0].span is not None


LONG = """import math
from collections import deque


def each(u):
    for e in u:
        yield e


# ad: gradient
def f(a: float, b: float, n: int):
    last = deque([a, b])
    for e in each([1, 3, 2]):
BODY        last.append(a)
        a += b * (math.sin, math.cos, math.tanh, math.atan)[e](last[0])
    return a * last.popleft() + n
"""


def test_a_long_loop_that_cannot_stay_one_is_written_out_once_and_for_all() -> None:
    """It was tried as a loop again whenever the function was read again, for ever."""
    step = "        a = math.sin(a + e) * math.cos(e - a) + 0.1 * a * e\n"
    source = LONG.replace("BODY", 12 * step)
    made, plain = load_generated(source)["f_grad"], load(source)["f"]
    assert_allclose(made(0.4, 0.7, 2), slopes(plain, 0.4, 0.7, 2), rtol=1e-6)
