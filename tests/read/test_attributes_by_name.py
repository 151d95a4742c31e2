"""`getattr` and `hasattr` with a name that is known."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import generate, load, run

HEAD = """import math
from dataclasses import dataclass, field
from typing import NamedTuple


class Pair(NamedTuple):
    a: float
    b: float = 2.0


@dataclass
class Beam:
    a: float
    b: float = 2.0
    w: list = field(default_factory=list)

    @property
    def area(self):
        return self.a * self.b


# ad: gradient(x)
def f(x: float, k: int):
    """
BODIES = {
    'return getattr(Pair(x), "a") * x': 1.4,
    "return sum(getattr(Pair(x), s) for s in Pair._fields)": 1.0,
    'return getattr(Pair(x), "z", 3.0) * x + getattr(Pair(x), "a", 1.0)': 4.0,
    'p = Beam(x)\n    return sum(getattr(p, s) for s in ("a", "b", "area"))': 3.0,
    'p = Beam(x)\n    s = 0.0\n    for name in ("a", "b"):\n'
    "        s += getattr(p, name) * x\n    return s": 3.4,
    'return x if hasattr(Pair(x), "b") else 1.0': 1.0,
    'return 3 * x if not hasattr(Pair(x), "z") else 1.0': 3.0,
    'return getattr(math, "expm1")(0.0 * x) + x': 1.0,
}
REFUSED = {
    'getattr(Beam(x), "w").append(x)\n    return x': "is for numbers and texts",
    'return getattr(Beam(x), "a" if k else "b")': "a name that is known",
    'return getattr(x, "real")': "needs an object of a class",
    'return x if hasattr(Beam(x), "z") else 1.0': "an attribute that the class has",
}


@pytest.mark.parametrize("body", BODIES)
def test_derivatives(body: str) -> None:
    slope = load(generate(f"{HEAD}{body}\n", **ANY_ORDER))["f_grad"]
    assert slope(0.7, 1) == pytest.approx(BODIES[body], rel=1e-12)


@pytest.mark.parametrize("body", REFUSED)
def test_refusals(body: str) -> None:
    (found,) = run(f"{HEAD}{body}\n").diagnostics
    assert found.code == "AD106" and REFUSED[body] in found.message
