"""Bounds of every entry of a gradient hold, and are not wide."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from statistics import median

import pytest
from support import flat, generate, jacobian, load, load_exact, load_generated, run

SOURCES = {
    "root": "return math.sqrt(x * x + y * y) * math.exp(-x) - math.log(x + y)",
    "rosenbrock": "return 100.0 * (y - x**2) ** 2 + (1.0 - x) ** 2",
    "cancelling": "return (x + 1e6) ** 2 * y - 1e12 * y",
    "branch": "return x * y * y if x > y else math.atan2(x, y) / (x + y)",
    "loop": "for i in range(6):\n        x = x * y - x * x / (i + 3)\n    return x",
    "kept": "return g(g(x, y), y) * g(y, x)",
}
HEAD = """import math


def g(a, b):
    return a * b - math.cos(a) / (1.0 + b)


"""
MARKS = (
    "gradient",
    'error(of="gradient")',
    'error(of="gradient", model="actual")',
    'error(of="gradient", model="enclosure")',
    'error(of="jacobian(y)", model="iri", name="by_y")',
)


FAST = {"order": "reverse", "effort": 0}


def source(name: str, marks: str = ", ".join(MARKS)) -> str:
    return f"{HEAD}# ad: {marks}\ndef f(x, y):\n    {SOURCES[name]}\n"


@cache
def errors(name: str) -> list[tuple[float, float, float, float, float, float]]:
    """Of all entries at many points: true error, bound, error computed, the rest of
    that, and the ends of the enclosure.
    """
    made, exact = load(generate(source(name), **FAST)), load_exact(source(name))["f"]
    rng = random.Random(name)
    found = []
    for _ in range(25):
        at = {"x": rng.uniform(0.2, 2.0), "y": rng.uniform(0.2, 2.0)}
        ((*wanted,),) = jacobian(exact, at, ("x", "y"))
        value, bound, _ = made["f_grad_err"](**at)
        assert value == made["f_grad"](**at)
        rest = (bound, *made["f_grad_err_actual"](**at)[1:])
        ends = made["f_grad_err_enclosure"](**at)[1:]
        true = [float(v - w) for v, w in zip(value, wanted, strict=True)]
        found += zip(true, *rest, *ends, strict=True)
    return found


@pytest.mark.parametrize("name", SOURCES)
def test_bounds_hold_and_are_reached_within_a_factor(name: str) -> None:
    found = [(abs(error), bound) for error, bound, *_ in errors(name)]
    assert all(error <= bound for error, bound in found)
    assert median(b / max(e, 1e-3 * b) for e, b in found if b) < 25.0
    assert max(error / bound for error, bound in found if bound) > 0.1


@pytest.mark.parametrize("name", SOURCES)
def test_errors_are_computed_and_enclosed(name: str) -> None:
    for error, _, computed, rest, low, high in errors(name):
        assert low <= -error <= high
        assert abs(error - computed) <= rest + 1e-6 * abs(error) + 1e-28


def test_entries_have_the_structure_of_the_derivative() -> None:
    text = "# ad: error(of=gradient)\ndef f(x: 'Vector[2]', y):\n    return x[0] * y\n"
    value, bound, rms = load_generated(text)["f_grad_err"]([1.1, 2.3], 0.7)
    assert [len(flat(part)) for part in (*value, *bound, *rms)] == [2, 1, 2, 1, 2, 1]


@pytest.mark.parametrize(
    ("mark", "code"),
    [
        ("error(of=hessian)", "AD020"),
        ('error(of="gradient(")', "AD020"),
        ('error(of="gradient(z)")', "AD023"),
        ("error(of=gradient, report=True)", "AD031"),
        ("error(of=gradient, packed=True)", "AD031"),
        ("gradient(of=gradient)", "AD022"),
    ],
)
def test_what_a_mark_may_not_say(mark: str, code: str) -> None:
    assert [d.code for d in run(source("root", mark)).diagnostics] == [code]


@pytest.mark.parametrize("n", [0, 1, 5])
def test_what_calls_itself_has_estimates(n: int) -> None:
    body = "return x if n < 1 else x * f(x, n - 1) / 3.0"
    text = f"# ad: error(of=gradient)\ndef f(x, n: int):\n    {body}\n"
    value, bound, rms = load(generate(text))["f_grad_err"](0.7, n)
    error = Fraction(value) - (n + 1) * (Fraction(0.7) / 3) ** n
    assert abs(error) <= bound < 1e-15 and rms <= bound


CHECKPOINTED = """
# ad: error(of=gradient)
def f(x, k, n: int):
    path = [x]
    # ad: checkpoint(snapshots=2)
    for i in range(n):
        path.append(path[-1] * k + 0.1 * x)
    return path[n] * path[n // 2]
"""


def test_a_checkpointed_loop_has_the_errors_of_a_plain_one() -> None:
    plain = CHECKPOINTED.replace("    # ad: checkpoint(snapshots=2)\n", "")
    held, other = (load_generated(t)["f_grad_err"] for t in (CHECKPOINTED, plain))
    assert held(0.3, 0.7, 9) == other(0.3, 0.7, 9)
