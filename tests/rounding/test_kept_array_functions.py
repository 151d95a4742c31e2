"""Estimates through functions that are kept, and that take and give arrays.

A few random programs run in the suite, always the same; `AD_TRANSFORM_PROGRAMS=2000`
runs so many.
"""

from __future__ import annotations

import os
import random
from functools import cache
from typing import Any

import exact_numpy
import numpy as np
import pytest
from amounts import NUMBERS, amount
from mpmath import mp, mpf
from rounding.array_calls import HEAD, ONE_OR_OTHER, Cut
from rounding.test_estimates import MODELS, near
from rounding.test_structured_estimates import holds
from support import generate, load, run

MARK = ", ".join(f'error(model="{m}", name="f_{m}")' for m in MODELS)
COUNT = int(os.environ.get("AD_TRANSFORM_PROGRAMS", amount(4, 24)))

RHS = """import numpy as np


def rhs(t, y, p):
    out = np.zeros(len(y))
    out[0] = p[0] * (y[1] - y[0])
    out[1] = y[0] * (p[1] - y[2]) - y[1]
    out[2] = y[0] * y[1] - p[2] * y[2]
    return out


def step(t, y, h, p):
    k1 = rhs(t, y, p)
    k2 = rhs(t + h / 2, y + h / 2 * k1, p)
    k3 = rhs(t + h / 2, y + h / 2 * k2, p)
    k4 = rhs(t + h, y + h * k3, p)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


# ad: MARK
def f(y: SHAPE, p: SHAPE, h: float, n: int):
    t = 0.0
    for _ in range(n):
        y = step(t, y, h, p)
        t += h
    return y[0] + y[2]
"""
POINT = ([1.0, 1.5, 20.0], [10.0, 28.0, 8.0 / 3.0], 0.01, 5)


def flat(value: Any) -> list[Any]:
    several = isinstance(value, tuple | list) or getattr(value, "ndim", 0)
    return [w for v in value for w in flat(v)] if several else [value]


@cache
def programs(source: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is generated of a source whose functions are kept, and are inlined."""
    one, other = (generate(source, inline=w, **NUMBERS) for w in ("never", "always"))
    return load(one), load(other)


def wrong(source: str, point: tuple[Any, ...]) -> list[str]:
    """The models that claim what is not so, of the program whose functions are kept."""
    exact = load(source, exact_numpy.modules())["f"]
    with mp.workdps(60):
        true = flat(exact(*map(exact_numpy.lifted, point)))
        found = []
        for model in MODELS:
            values, *rest = map(flat, programs(source)[0][f"f_{model}"](*point))
            for value, own, *estimates in zip(values, true, *rest, strict=True):
                if not holds(model, mpf(value) - own, tuple(estimates)):
                    found.append(f"{model}: {value} {own} {estimates}")
    return found


@pytest.mark.parametrize("shape", ["'Vector[n]'", "'Vector[3]'"])
def test_steps_with_arrays_are_kept(shape: str) -> None:
    source = RHS.replace("MARK", MARK).replace("SHAPE", shape)
    assert not wrong(source, POINT)
    kept, inlined = programs(source)
    for model in MODELS:
        (value, *own), (same, *other) = (
            made[f"f_{model}"](*POINT) for made in (kept, inlined)
        )
        assert value == same
        assert own == near(other, rel=0.05 if model == "iri" else 1e-9)


def test_the_text_of_steps_with_arrays() -> None:
    source = RHS.replace("MARK", "error").replace("SHAPE", "'Vector[n]'")
    text = generate(source, inline="never")
    names = [line[4:-1] for line in text.splitlines() if line.startswith("def _")]
    assert [n.partition("(")[0] for n in names[-4:]] == [
        "_rhs",
        "_step",
        "_rhs_linear",
        "_step_linear",
    ]
    helpers = text[text.index("def _rhs(") : text.index("def f_err(")]
    assert "np." not in helpers  # they take and give lists
    assert "_enclosure" not in text  # nothing in them decides
    inlined = generate(source, inline="always")
    assert len(text.splitlines()) < 0.8 * len(inlined.splitlines())


def test_steps_with_arrays_that_would_be_long_text_are_kept() -> None:
    calls = "    y = step(0.0, y, h, p)\n" * 8
    source = RHS.replace("MARK", "error").replace("SHAPE", "'Vector[n]'")
    source = source[: source.index("    t = 0.0")] + calls + "    return y[0]\n"
    one, other = (generate(source, inline=way) for way in ("auto", "always"))
    assert one.count("def _step(") == one.count("def _step_linear(") == 1
    assert len(one.splitlines()) < 0.3 * len(other.splitlines())


SOLVER = """import numpy as np


def matrix(x, s):
    A = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        A[i, i] = 2.0 + x[i] * x[i]
        for j in range(i):
            A[i, j] = s / (1.0 + i + j)
    return A


def solved(A, b):
    x = [0.0] * len(b)
    for i in range(len(b)):
        x[i] = b[i]
        for j in range(i):
            x[i] -= A[i, j] * x[j]
        x[i] /= A[i, i]
    return x, x[0] * 0.3


def scaled(u, s):
    for i in range(len(u)):
        u[i] *= s


# ad: MARK
def f(x: "Vector[n]", s: float):
    A = matrix(x, s)
    b = A @ np.sin(x) + s
    u, v = solved(A, b)
    scaled(u, v)
    w, v = solved(A.T @ A, np.array(u))
    return w[1] - v, np.array(w)
"""


@pytest.mark.parametrize("x", [[0.3, 0.7, -1.3], [1.1, 0.4]])
def test_matrices_pairs_and_changes_go_through_calls(x: list[float]) -> None:
    source = SOLVER.replace("MARK", MARK)
    assert not wrong(source, (x, 0.37))
    text = generate(source, inline="never", **NUMBERS)
    assert "def _matrix(" in text and "def _solved" in text
    assert "def _scaled(" not in text  # it changes what it is given, as in all kinds


RECURSION = """import numpy as np


def rec(y, n):
    if n == 0:
        return y * 0.9
    return rec(0.5 * y + y[0] / 3.0, n - 1) + y[1]


# ad: MARK
def f(y: "Vector[n]", k: int):
    return np.sum(rec(y * 1.1, k))
"""


@pytest.mark.parametrize("k", [0, 1, 4])
def test_whole_arrays_go_through_recursion(k: int) -> None:
    assert not wrong(RECURSION.replace("MARK", MARK), ([0.3, 0.7, -1.1], k))


def test_what_is_refused_with_functions_of_arrays_is_inlined() -> None:
    assert run(ONE_OR_OTHER.replace("MARK", "gradient"), inline="never").text is None
    assert not wrong(ONE_OR_OTHER.replace("MARK", MARK), ([0.3, 0.7], 0.3))


@pytest.mark.parametrize("seed", range(COUNT))
def test_no_claim_is_wrong_of_random_functions_of_arrays(seed: int) -> None:
    source = random.Random(f"arrays {seed}")
    text = HEAD + Cut(source, "f").text(MARK)
    if run(text, inline="always", **NUMBERS).text is None:
        pytest.skip("arrays of two kinds in one name")
    for n in (2, 3):
        numbers = np.random.default_rng([seed, n]).uniform(-1.0, 1.0, (n + 1, n))
        x, A = 1.5 * numbers[0], 0.5 * numbers[1:]
        assert not wrong(text, (x.tolist(), A.tolist(), source.uniform(-1, 1), n))
