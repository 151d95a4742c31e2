"""Estimates of random programs with branches and loops: no claim is wrong."""

from __future__ import annotations

import inspect
import random
import sys
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from exact import MPMATH
from mpmath import mp, mpf
from rounding.test_estimates import MODELS
from structured import Sizes, point, program

from ad_transform.derive.rounding.derive import estimate
from ad_transform.derive.rounding.error_options import ErrorOptions
from ad_transform.elementals import TABLE
from ad_transform.emit.python.function import printed
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Parameter,
    Var,
    walk,
)
from ad_transform.ir.types import BOOL, FLOAT
from ad_transform.ir.verify import verify

COUNT = 24
"""Programs without stacks, which no source has."""


def exactly(op: Elemental) -> Callable[..., Any]:
    """An operation with many digits, on literals too."""
    call = MPMATH(op)
    return lambda *args: call(*(mpf(a) if isinstance(a, float) else a for a in args))


def plain(seed: int) -> Function | None:
    """A program, if it has no lists."""
    sizes = Sizes(depth=1 + seed % 2, results=1 + seed % 3)
    made = program(random.Random(seed), sizes)
    lists = any(out.type.dims for s in walk(made.body) for out in s.outs)
    return None if lists else made


CASES = [(seed, made) for seed in range(2 * COUNT) if (made := plain(seed))][:COUNT]


@pytest.mark.parametrize("model", MODELS)
def test_no_claim_is_wrong(model: str) -> None:
    for seed, function in CASES:
        claims_hold(function, model, seed)


def claims_hold(function: Function, model: str, seed: int) -> None:
    """The estimates of a program hold at a point, and can be printed."""
    made = estimate(function, (), ErrorOptions(model)).function
    verify(made)
    assert printed(made, ['    """d"""'], (), 88).text
    given = point(function, seed)
    values = evaluate(function, deepcopy(given))
    count = len(values)
    found = evaluate(made, deepcopy(given))
    assert found[:count] == values
    with mp.workdps(200):
        exact = evaluate(function, lifted(given), exactly)
        for k, (value, truth) in enumerate(zip(values, exact, strict=True)):
            if isinstance(value, float):
                own = found[count + k :: count]
                assert holds(model, mpf(value) - truth, own), (seed, k)


def lifted(value: Any) -> Any:
    """Floats with many digits, in lists and tuples too."""
    if isinstance(value, list | tuple):
        return type(value)(map(lifted, value))
    return mpf(value) if isinstance(value, float) else value


def nested(depth: int) -> Function:
    """`x` if it is not below any of so many numbers, tested one inside the other."""
    x = Var(FLOAT, "x")
    inner = Block((x,), (), (x,))
    for k in range(depth):
        outer, other, test, out = Var(FLOAT), Var(FLOAT), Var(BOOL), Var(FLOAT)
        below = Apply(test, TABLE["lt"], (outer, Literal(float(k))))
        arms = inner, Block((other,), (), (other,))
        branch = Branch((out,), test, (outer,), *arms)
        inner = Block((outer,), (below, branch), (out,))
    return Function("nested", (Parameter("x", inner.params),), inner, LEAF, 1)


@pytest.mark.parametrize("model", ["linear", "enclosure"])
def test_depth_needs_no_recursion(model: str) -> None:
    """Four frames of the interpreter for each level would be more than there are."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 160)
    try:
        made = estimate(nested(45), (), ErrorOptions(model)).function
    finally:
        sys.setrecursionlimit(limit)
    assert evaluate(made, (0.5,)) == (0.5, 0.0, 0.0)


def holds(model: str, error: mpf, estimates: tuple[float, ...]) -> bool:
    """What a model says of an error."""
    first, *rest = estimates
    match model:
        case "linear":
            return bool(abs(error) <= first * (1 + 1e-6) and rest[0] <= first)
        case "actual":
            return bool(abs(error - first) <= 1e-8 * abs(error) + rest[0] + 1e-30)
        case "enclosure":
            return bool(first <= -error <= rest[0])
    return first >= 0.0
