"""Operators of dataclasses are the methods that they define."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from flows import Flows
from support import generate, load, load_generated, run

CLASS = """
from dataclasses import dataclass


@dataclass(frozen=True)
class Vec:
    x: float
    y: float

    def __add__(self, other: "Vec") -> "Vec":
        return Vec(self.x + other.x, self.y + other.y)

    def __mul__(self, k: float) -> "Vec":
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __truediv__(self, k):
        return self * (1 / k)

    def __rsub__(self, k):
        return Vec(k - self.x, k - self.y)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __imul__(self, k):
        return self

    def __call__(self, t, scale=1.0):
        return (self.x * t + self.y) * scale
"""
BODY = """

def path(x, y, s):
    a = Vec(x, y)
    b = -a + 3.0 * a * s
    b += Vec(y, x * x) / s
    for _ in range(20):
        b = b + (s - a) * (0.1 * s)
    return b.x * b(x, scale=s) + sum(map(a, [x, y]))
"""
REFUSED = "a = np.ones(2) * a", "a = a % 2"


def test_value_and_derivatives() -> None:
    Flows(CLASS + BODY, ["path"]).check("path", (1.5, -0.5, 0.75))


@pytest.mark.parametrize("line", REFUSED)
def test_what_no_method_makes_is_refused(line: str) -> None:
    body = f"# ad: gradient\ndef f(x):\n    a = Vec(x, x)\n    {line}\n    return a.x\n"
    found = run(f"import numpy as np\n{CLASS}\n\n{body}").diagnostics
    assert any(d.code == "AD107" and "Vec" in d.message for d in found), found


def test_values_of_a_method_with_underscores_are_called_after_it_without() -> None:
    call = (
        "    def __call__(self, t):\n        y = t * t\n        return y * self.x * y"
    )
    body = "# ad: gradient\ndef f(p: A, x):\n    return p(x) * p(x * p(x))"
    head = "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: float\n"
    assert " call_y = " in generate(f"{head}{call}\n{body}\n", **ANY_ORDER)


WHOLE = """import math

class Vec:
    def __init__(self, x=0.0, y=0.0):
        self.x = x
        self.y = y

    def __mul__(self, s):
        if isinstance(s, Vec):
            return self.x * s.x + self.y * s.y
        if isinstance(s, (int, float)):
            return Vec(self.x * s, self.y * s)
        return NotImplemented

    __rmul__ = __mul__

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __abs__(self):
        return math.sqrt(self * self)

    def __matmul__(self, other):
        return self.x * other.y - self.y * other.x

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __len__(self):
        return 2

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return abs(self) < abs(other)

    @classmethod
    def unit(cls, i):
        return cls(*(1.0 if j == i else 0.0 for j in range(2)))


# ad: gradient(value=True)
def f(x: float, y: float, n: int):
    a, b = Vec(x, y), 2.0 * Vec.unit(1) * y
    c = a
    for _ in range(n):
        a += b
        b = b * 0.5
    total = a * b + abs(c) + (a @ b) + c[1] * len(a)
    if b < a:
        total += 2.0 * x
    if a == b or isinstance(x, Vec):
        total -= x
    return total
"""


@pytest.mark.parametrize("point", [(0.4, 0.6, 3), (-0.3, 2.0, 0)])
def test_operators_of_ordinary_classes(point):
    f = load(WHOLE)["f"]
    value, gradient = load_generated(WHOLE)["f_value_and_grad"](*point)
    assert value == f(*point)
    x, y, n = point
    rises = f(x + 1e-6, y, n) - f(x - 1e-6, y, n), f(x, y + 1e-6, n) - f(x, y - 1e-6, n)
    assert gradient == pytest.approx([rise / 2e-6 for rise in rises], rel=1e-7)


def test_what_a_number_is_an_instance_of_is_refused_where_a_run_decides():
    text = (
        "# ad: gradient\ndef f(x):\n    return x * x if isinstance(x, float) else x\n"
    )
    (found,) = run(text).diagnostics
    assert (found.code, found.help[:23]) == ("AD107", "ask for `(int, float)`,")


HELD = """
class Grid:
    def __init__(self, n, m):
        self.n, self.m, self.stores = n, m, 0
        self.data = [0.0] * (n * m)

    def __getitem__(self, ij):
        i, j = ij
        return self.data[i * self.m + j]

    def __setitem__(self, ij, v):
        i, j = ij
        self.stores += 1
        self.data[i * self.m + j] = 2.0 * v

    def __contains__(self, i):
        return 0 <= i < self.n

class Sum:
    def __init__(self, x):
        self.x = x

    def __add__(self, o):
        return self if o == 0 else Sum(o.x + self.x)

    __radd__ = __add__

    def __or__(self, o):
        return self.x * o.x


# ad: gradient
def f(x: float, y: float, n: int):
    g = Grid(n, 2)
    for i in range(n):
        g[i, 0] = x * i
        g[i, 1] = y + i
        g[i, 0] += g[i, 1] * y
    h = g
    h[0, 1] *= x
    a, b = sum([Sum(x), Sum(y), Sum(x * y)]), sum([Sum(x)])
    s = (a | b) + (g.stores * y if 2 in g and n not in g else x)
    return s + sum(g[i, 0] ** 2 * g[i, 1] for i in range(n))
"""


def test_items_members_and_sums() -> None:
    f, grad = load(HELD)["f"], load(generate(HELD, **ANY_ORDER))["f_grad"]
    for n in (1, 3):
        rises = [
            (f(0.4 + h, 0.6 + k, n) - f(0.4 - h, 0.6 - k, n)) / 2e-6
            for h, k in ((1e-6, 0.0), (0.0, 1e-6))
        ]
        assert grad(0.4, 0.6, n) == pytest.approx(rises, rel=1e-7)


def test_a_sum_that_no_method_makes_is_refused() -> None:
    body = "# ad: gradient\ndef f(x):\n    return sum([Vec(x, x), Vec(x, 1.0)]).x\n"
    (found,) = run(f"{CLASS}\n{body}").diagnostics
    assert found.message == "`sum` adds an object of 'Vec' to an int"
