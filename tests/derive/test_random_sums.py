"""Random sums over loops, which loops back join: values are Python's, slopes those of
forward mode; in functions that stay functions, too.
"""

from __future__ import annotations

import random

import hyperduals
import pytest
from amounts import NUMBERS, seeds
from hyperduals import Hyper, hyper
from support import flat, generate, load, same_bits

HEAD = (
    '(a: float, b: float, x: "Vector[n]", y: "Vector[m]") -> float:\n'
    "    total = acc = 0.0\n    s, w = a, [0.0] * len(x)\n"
    "    v0, v1, v2 = 0.25, -0.5, a\n"
)
CALLING = """\
def f(a: float, b: float, x: "Vector[n]", y: "Vector[m]") -> float:
    t = 0.0
    for q in range(3):
        t += g(a * b, b - 0.1 * q, x, y) * a
    return t + g(b, a, x, y)
"""
RESULTS = ["total + 0.5 * acc", "total * acc + s", "total + acc + w[0]", "acc - total"]
RANGES = ["len(x)", "len(x)", "len(y)", "1, len(x)", "len(x) - 1, -1, -1"]
FORMS = [
    "({} + {})", "({} - {})", "{} * {}", "{} * {}", "math.sin({})", "-({})",
    "{0} / (1.5 + {1} * {1})", "math.tanh({})", "math.exp(-({0} * {0}))", "0.0",
    "({} if {} > 0.2 else 0.0)",
]  # fmt: skip
LENGTHS = {"a": 1, "b": 1, "x": 4, "y": 3}


class _Writer:
    """A body of sums over loops."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []

    def expression(self, names: list[str], depth: int = 0) -> str:
        if depth > 1 or self.rng.random() < 0.3:
            return self.rng.choice(names)
        parts = (self.expression(names, depth + 1) for _ in range(2))
        return self.rng.choice(FORMS).format(*parts)

    def say(self, depth: int, line: str) -> None:
        self.lines.append("    " * (depth + 1) + line)

    def statement(self, depth: int, names: list[str], index: str) -> None:
        """One statement of a trip; `index` is a place in x."""
        rng, value = self.rng, self.expression(names)
        total = rng.choice(["total", "acc"])
        sign = rng.choice(["+=", "-="])
        match rng.randrange(8 if depth < 3 and len(self.lines) < 16 else 5):
            case 0 | 1:
                self.say(depth, f"{total} {sign} {value}")
            case 2:
                self.say(depth, f"{rng.choice(['v0', 'v1', 'v2', 's'])} = {value}")
            case 3:
                self.say(depth, f"w[{index}] {rng.choice(['=', '+=', '-='])} {value}")
            case 4:
                self.say(depth, f"if {value} > {rng.choice(['0.6', '0.9'])}:")
                self.say(depth + 1, "continue")
            case 5:
                self.say(depth, f"if {value} < {rng.choice(['0.1', '-0.2'])}:")
                self.block(depth + 1, names, index)
                self.say(depth, "else:")
                self.say(depth + 1, f"{rng.choice(['v0', 'v1'])} = 0.0")
            case _:
                self.loop(depth, names, rng.choice(["3", "len(y)", index]))

    def loop(self, depth: int, names: list[str], ends: str) -> None:
        i = "ijkl"[depth]
        self.say(depth, f"for {i} in range({ends}):")
        own = [f"x[{i} % len(x)]", f"y[{i} % len(y)]", f"w[{i} % len(x)]"]
        self.block(depth + 1, names + own, f"{i} % len(x)")

    def block(self, depth: int, names: list[str], index: str) -> None:
        for _ in range(self.rng.randint(1, 4 - depth)):
            self.statement(depth, names, index)


def source(seed: int, name: str) -> str:
    """A function of one to three such loops."""
    writer = _Writer(seed)
    for _ in range(writer.rng.randint(1, 3)):
        names = ["a", "b", "s", "v0", "v1", "v2"]
        writer.loop(0, names, writer.rng.choice(RANGES))
    writer.say(0, f"return {writer.rng.choice(RESULTS)}")
    return f"def {name}{HEAD}" + "\n".join(writer.lines) + "\n"


def check(text: str, seed: int) -> None:
    """The value and the slopes of `f` in a source are right."""
    made = load(generate(text, **NUMBERS))
    plain = load(text)["f"]
    sloped = load(text, hyperduals.modules(), hyperduals.BUILTINS)
    rng = random.Random(seed)
    a, b = (rng.uniform(-1.0, 1.0) for _ in range(2))
    x, y = ([rng.uniform(-1.0, 1.0) for _ in range(n)] for n in (4, 3))
    value, gradient = made["f_value_and_grad"](a, b, x, y)
    assert same_bits(value, plain(a, b, x, y))
    slopes = []
    for k in range(9):
        at = iter(Hyper(v, float(k == j)) for j, v in enumerate((a, b, *x, *y)))
        args = (
            [next(at) for _ in range(n)] if n > 1 else next(at)
            for n in LENGTHS.values()
        )
        slopes.append(hyper(sloped["f"](*args)).s)
    assert flat(gradient) == pytest.approx(slopes, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_sums_over_loops(seed):
    mark = "# ad: gradient(value=True)\n"
    check(f"import math\n\n\n{mark}{source(seed, 'f')}", seed)


@pytest.mark.parametrize("seed", seeds(2, 40))
def test_sums_in_functions_that_stay(seed):
    mark = '# ad: gradient(value=True, inline="never")\n'
    called = source(seed, "g")
    check(f"import math\n\n\n{called}\n\n{mark}{CALLING}", seed)
