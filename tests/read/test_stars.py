"""`*args` and `**kwargs` of functions that are called: slopes against mpmath's."""

from __future__ import annotations

import pytest
from support import jacobian, load, load_exact, load_generated, run

HEADER = """\
import math
from dataclasses import dataclass
from functools import partial
from itertools import islice


@dataclass
class Line:
    a: float
    b: float
    c: float

    def at(self, t):
        return line(self.a, self.b, self.c) * t


def line(a, b, c):
    return a * b + b * c * c


def total(*terms, scale=1.0):
    s = 0.0
    for t in terms:
        s += t
    return scale * s + len(terms)


def poly(x, *coeffs):
    return sum(c * x**i for i, c in enumerate(coeffs))


def wrap(f):
    def inner(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)

    return inner


def step(f, t, y, h, *args, **options):
    k = f(t, y, *args)
    middle = f(t + h / 2.0, y + h / 2.0 * k, *args)
    return y + h * middle * options.get("gain", 1.0)


def decay(t, y, rate, power=2.0):
    return -rate * y**power * math.exp(-t)


def rest(n, x, *others):
    if n == 0:
        return x * sum(others)
    return rest(n - 1, math.sin(x), *others)


def held(x, **kwargs):
    gain = kwargs.get("gain", 3.0)
    if "other" in kwargs:
        return gain * x * kwargs["other"]
    return gain * x**2 + len(kwargs)




# ad: gradient(x, y)
def f(x, y, n: int):
"""
BODIES = [
    "return total(x, y, x * y, scale=2.0) + total() * x + total(*(x, y), y)",
    "return poly(x, 1.0, y, 3.0 * x) + poly(y)",
    "return wrap(total)(x, x * y, scale=y) + wrap(poly)(x, y, y)",
    "u = step(decay, 0.0, x, 0.1, y)\nreturn step(decay, 0.1, u, 0.1, y, 3.0, gain=x)",
    "u = x\nfor k in range(n):\n    u = step(decay, 0.1 * k, u, 0.1, y)\nreturn u",
    "return rest(3, x, y, 2.0) + rest(n, y, x)",
    "return held(x) * y + held(y, gain=x) + held(x, other=y, gain=2.0) + held(x, a=1)",
    "return (lambda *a: a[0] * a[-1] ** 2)(x, 2.0, y)",
    "return partial(total, x, scale=y)(y, 3.0)",
    "a, *b = (x, y, x * y)\nreturn poly(a, *b)",
    "u = [0.0] * 3\nfor k in range(3):\n    u[k] = x**k\nreturn Line(*u).at(y)",
    "u = [x * k + y for k in range(n)]\nreturn line(*u[1:]) * line(2.0, *u[2:])",
    "u = [x * k + y for k in range(n)]\nreturn Line(u[0], *u[2:]).at(x)",
    "u = [x * k + y for k in range(n)]\nreturn line(*u[1:3], c=y)",
    "u = [x * k + y for k in range(n)]\na, b = islice(u, 1, 3)\nreturn a * b",
]


@pytest.mark.parametrize("body", BODIES)
def test_they_take_the_rest(body):
    source = HEADER + "".join(f"    {line}\n" for line in body.split("\n"))
    values = {"x": 0.7, "y": 1.3, "n": 4}
    wanted = jacobian(load_exact(source)["f"], values, ["x", "y"])
    made = load_generated(source)["f_grad"](**values)
    assert made == pytest.approx([float(v) for v in wanted[0]], rel=1e-12)


def test_an_array_that_has_not_so_many_items_raises_as_in_python():
    source = HEADER + "    return line(*[x * k + y for k in range(n)])\n"
    made = load_generated(source)["f_grad"]
    for function in (load(source)["f"], made):
        with pytest.raises(TypeError, match="line"):
            function(0.7, 1.3, 4)


def test_defaults_leave_open_how_many_are_taken():
    body = "    return line(*[x * k + y for k in range(n)])\n"
    source = HEADER.replace("line(a, b, c)", "line(a, b, c=1.0)") + body
    assert "cannot be taken apart" in run(source).diagnostics[0].message


def test_what_is_wrong_with_a_call_shows_the_definition():
    source = HEADER + "    return total(x, by=y)\n"
    (found,) = run(source).diagnostics
    assert found.message == "'total' got an unexpected keyword argument 'by'"
    assert found.help == "it is defined as `total(*terms, scale)`"
