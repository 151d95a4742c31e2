"""Random functions that change arrays in place, share and swap them, in loops and arms:
the gradient is that of what Python runs, or the function is refused.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from amounts import NUMBERS, seeds
from support import load, run

from ad_transform.read import read

HEAD = """import numpy as np


# ad: gradient(x, a)
def f(x: "Vector[n]", a: float) -> float:
    n = len(x)
"""
X, A = [0.37, -0.81, 1.21, 0.53], 0.7
PLACES = ("0", "1", "-1", "2", "n - 1")


class Program:
    """The lines of a function body, and the names of its arrays."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.names = ["x"]
        self.made = 0
        self.lines: list[str] = []
        for _ in range(self.choose.randint(3, 9)):
            self.statement(1)
        known = self.choose.sample(self.names, min(3, len(self.names)))
        forms = ("np.sum({})", "{}[1]", "np.dot({}, x)", "{}[-1] ** 2")
        result = " + ".join(self.choose.choice(forms).format(n) for n in known)
        self.lines.append(f"    return {result}")

    @property
    def text(self) -> str:
        return HEAD + "\n".join(self.lines) + "\n"

    def name(self) -> str:
        return self.choose.choice(self.names)

    def own(self) -> str:
        return self.choose.choice(self.names[1:])

    def place(self) -> str:
        return f"{self.name()}[{self.choose.choice(PLACES)}]"

    def array(self) -> str:
        forms = (
            "{0}",
            "{0}",
            "{0} * {1}",
            "np.sin({0})",
            "{0}[::-1]",
            "{0}.copy()",
            "{0} + a",
            "np.maximum({0}, {1})",
        )
        return self.choose.choice(forms).format(self.name(), self.name())

    def statement(self, depth: int) -> None:
        """A statement that is `depth` levels in."""
        kind, before = self.choose.random(), "    " * depth
        if kind < 0.25 or len(self.names) == 1:
            self.made += 1
            self.lines.append(f"{before}u{self.made} = {self.array()}")
            if depth == 1:
                self.names.append(f"u{self.made}")
            return
        if kind < 0.5:
            sign = self.choose.choice(("=", "+="))
            place = self.choose.choice(PLACES)
            line = f"{self.own()}[{place}] {sign} {self.place()} * a"
        elif kind < 0.6:
            sign = self.choose.choice(("=", "+=", "*="))
            line = f"{self.own()}[1:] {sign} {self.name()}[:-1] * 0.5"
        elif kind < 0.68:
            sign = self.choose.choice(("+=", "*="))
            line = (
                f"{self.own()} {sign} {self.choose.choice(('a', '0.5', self.name()))}"
            )
        elif kind < 0.78:
            one, other = self.own(), self.own()
            line = f"{one}, {other} = {other}, {one}"
        elif kind < 0.95 and depth < 3:
            is_loop = self.choose.random() < 0.6
            line = (
                f"for i{depth} in range(n):" if is_loop else f"if {self.place()} > a:"
            )
            self.lines.append(before + line)
            for _ in range(self.choose.randint(1, 2)):
                self.statement(depth + 1)
            return
        else:
            line = f"{self.own()} = {self.array()}"
        self.lines.append(before + line)


def differences(model: Callable[..., float], step: float) -> np.ndarray:
    """Central differences by the elements of x, then by a."""
    found = []
    for k in range(5):
        ends = []
        for h in (step, -step):
            given = np.array([*X, A])
            given[k] += h
            ends.append(model(given[:4].copy(), given[4]))
        found.append((ends[0] - ends[1]) / (2.0 * step))
    return np.array(found)


def test_most_programs_are_not_refused() -> None:
    """Else the test below would say little."""
    sources = (Program(seed).text.encode() for seed in range(15))
    assert sum(bool(read(source, "model.py").requests) for source in sources) >= 12


@pytest.mark.parametrize("seed", seeds(15, 60))
def test_gradients_are_those_of_what_runs(seed: int) -> None:
    text = Program(seed).text
    result = run(text, **NUMBERS)
    if result.text is None:
        assert {d.code for d in result.diagnostics} <= {"AD107", "AD124"}, text
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = load(text)["f"]
        want, near = differences(model, 1e-6), differences(model, 1e-5)
        if not np.allclose(want, near, rtol=1e-4, atol=1e-4) or abs(want).max() > 1e6:
            return  # a kink is near, or it grows without end
        by_x, by_a = load(result.text)["f_grad"](np.array(X), A)
    assert np.allclose([*by_x, by_a], want, rtol=1e-4, atol=1e-4), text
