"""Tables of classes: objects of classes that known keys choose."""

from tests.support import load_generated, run

SOURCE = """
from dataclasses import dataclass

@dataclass
class Euler:
    h: float
    def step(self, x):
        return x + self.h * x * x

@dataclass
class Exact:
    h: float
    def step(self, x):
        return x / (1.0 - self.h * x)

METHODS = {"euler": Euler, "exact": Exact}
ORDERS = [("euler", Euler, 1), ("exact", Exact, 9)]
"""
MARK = "# ad: gradient(x)\n"


def test_known_keys_and_loops_choose() -> None:
    body = (
        "def f(x: float):\n    s = METHODS['euler'](0.5).step(x)\n"
        "    for name, of, order in ORDERS:\n        s += order * of(0.5).step(x)\n"
        "    return s\n"
    )
    assert load_generated(SOURCE + MARK + body)["f_grad"](1.0) == 4.0 + 9.0 / 0.25


def test_what_a_run_chooses_is_refused_with_a_way_out() -> None:
    body = "def f(x: float, m: str):\n    return METHODS[m](0.5).step(x)\n"
    (found,) = run(SOURCE + MARK + body).diagnostics
    assert "an entry of the class 'Euler' or the class 'Exact'" in found.message
    assert found.help == "make and use the object in each arm: `Euler(...).f(x)`"
