"""Operators of dataclasses are the methods that they define."""

from __future__ import annotations

import pytest
from flows import Flows
from support import generate, run

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
REFUSED = "a *= 2.0", "a = np.ones(2) * a", "a = a % 2"


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
    assert " call_y = " in generate(f"{head}{call}\n{body}\n")
