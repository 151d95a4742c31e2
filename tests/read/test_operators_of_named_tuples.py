"""NamedTuples whose class defines operators, and sums of objects in generators."""

import pytest

from tests.support import load, load_generated, run

STATE = """
import math
from typing import NamedTuple


class State(NamedTuple):
    x: float
    v: float

    def __add__(self, other):
        return State(self.x + other.x, self.v + other.v)

    def __sub__(self, other):
        return State(self.x - other[0], self.v - other[1])

    def __rsub__(self, other):
        return State(other[0] - self.x, other[1] - self.v)

    def __mul__(self, k):
        return State(self.x * k, self.v * k)

    __rmul__ = __mul__

    def __neg__(self):
        return State(-self.x, -self.v)

    def __abs__(self):
        return math.hypot(self.x, self.v)

    def __matmul__(self, other):
        return self.x * other.x + self.v * other.v
"""
OBJECT = STATE.replace("(NamedTuple)", "").replace("class ", "@dataclass\nclass ")
OBJECT = OBJECT.replace("typing import NamedTuple", "dataclasses import dataclass")
BODIES = [
    "    s = State(x, y)\n    for k in range(n):\n        s += 0.1 * State(s.v, -s.x)\n"
    "    return abs(-s) * (s @ State(y, 1.0))\n",
    "    s = sum((k * State(x, 1.0) for k in range(n)), State(0.0, y))\n"
    "    return s.x * s.v\n",
    "    s = sum([State(x, y), State(1.0, x)], start=State(0.0, 0.0))\n"
    "    return s.x * s.v\n",
]
TUPLES = "    s = (1.0, 2.0) - State(x, y)\n    t = s - (y, x)\n    return s[0] * t.v\n"
CASES = [*((STATE, body) for body in (*BODIES, TUPLES)), *((OBJECT, b) for b in BODIES)]


@pytest.mark.parametrize(("head", "body"), CASES)
def test_operators_are_those_of_the_class(head: str, body: str) -> None:
    source = f"{head}\n# ad: gradient(value=True)\ndef f(x, y, n: int = 4):\n{body}"
    f = load(source)["f"]
    value, slopes = load_generated(source)["f_value_and_grad"](1.5, 0.25)
    assert value == f(1.5, 0.25)
    for k, slope in enumerate(slopes):
        one, other = [1.5, 0.25], [1.5, 0.25]
        one[k], other[k] = one[k] + 1e-6, other[k] - 1e-6
        assert slope == pytest.approx((f(*one) - f(*other)) / 2e-6, rel=1e-7)


@pytest.mark.parametrize("start", ["((0.0, 0.0),)", "[0.0, 0.0]"])
def test_a_sum_of_tuples_with_a_start_is_refused_with_a_reason(start: str) -> None:
    body = f"    return sum(((k * x, 1.0) for k in range(n)), {start})[0]\n"
    found = run("# ad: gradient\ndef f(x, n: int):\n" + body).diagnostics
    assert found and all(d.code == "AD107" and d.help for d in found)
