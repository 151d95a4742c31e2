"""Random definitions of constants, against what numpy makes of them (rule 13)."""

from __future__ import annotations

import random

import numpy as np
import pytest
from amounts import NUMBERS, seeds
from support import load, run

HEAD = """import math
import numpy as np
BASE = np.array([0.5, 1.5, 2.5])
TIMES = (1.0, 2.0, 4.0)
TABLE = np.array([[1.0, 0.5, 0.25], [0.0, 2.0, 1.0], [3.0, 1.0, 1.5]])
"""

MODELS = """

# ad: gradient(x)
def at(x: float, i: int) -> float:
    return x * K[i]

# ad: gradient(x)
def over(x: "Vector[3]") -> float:
    return np.sum(np.asarray(K) * x)
"""

VECTORS = (
    "BASE",
    "np.array(TIMES)",
    "np.arange(3.0)",
    "np.arange(3)",
    "np.arange(1.0, 2.5, 0.5)",
    "np.linspace(0.0, 1.0, 3)",
    "np.ones(3)",
    "np.zeros(3)",
    "np.full(3, 0.5)",
    "np.array([math.sin(2.0), 1.0, 0.5])",
    "TABLE[1]",
    "TABLE[:, 2]",
    "np.diag(TABLE)",
)
UNARY = (
    "np.exp(-{})",
    "np.sin({})",
    "np.sqrt(1.0 + {} ** 2)",
    "np.cumsum({})",
    "{}[::-1]",
    "np.concatenate([{}[1:], {}[:1]])",
    "np.roll({}, 1)",
    "TABLE @ {}",
    "np.abs({})",
    "(-{})",
    "np.log(2.0 + np.abs({}))",
    "np.clip({}, -1.0, 1.0)",
    "np.array([v * 0.5 for v in {}])",
)
BINARY = (
    "({} + {})",
    "({} - {})",
    "({} * {})",
    "({} / (2.0 + np.abs({})))",
    "np.maximum({}, {})",
    "np.where({} > 1.0, {}, 0.25)",
    "({} * np.sum({}))",
    "({} * ({})[1])",
    "np.outer({}, {})[1]",
    "({} + np.max({}))",
)


def definition(choose: random.Random, depth: int) -> str:
    """An expression for three numbers."""
    kind = choose.random()
    if depth == 0 or kind < 0.15:
        return choose.choice(VECTORS)
    form = choose.choice(UNARY if kind < 0.55 else BINARY)
    if form in UNARY:
        return form.replace("{}", definition(choose, depth - 1))
    return form.format(*(definition(choose, depth - 1) for _ in "ab"))


@pytest.mark.parametrize("seed", seeds(15, 60))
def test_numbers_are_those_of_numpy(seed: int) -> None:
    choose = random.Random(seed)
    line = f"K = {definition(choose, choose.randint(1, 3))}"
    names: dict[str, object] = {}
    exec(f"{HEAD}{line}\n", names)
    want = np.asarray(names["K"], dtype=float)
    for container in ("array", "tuple"):
        result = run(f"{HEAD}{line}\n{MODELS}", container=container, **NUMBERS)
        if container == "tuple" and {d.code for d in result.diagnostics} == {"AD033"}:
            continue  # only numpy computes it
        assert result.text is not None, (line, result.diagnostics)
        made = load(result.text)
        near = pytest.approx(want, rel=1e-13, abs=1e-13)
        assert [made["at_grad"](2.0, i) for i in (0, 1, 2)] == near, line
        assert np.asarray(made["over_grad"]([1.0, 2.0, 3.0])) == near, line
