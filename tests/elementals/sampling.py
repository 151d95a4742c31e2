"""Points over the domain of an elemental, and its error there."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

from exact import MPMATH
from mpmath import mp, mpf

from ad_transform.ir.elemental import Elemental

Point = tuple[float, ...]
DIGITS = 60
Failure = (ArithmeticError, ValueError, TypeError)


def _bits(source: random.Random) -> float:
    value = math.ldexp(source.uniform(1.0, 2.0), source.randint(-1070, 1020))
    return value if source.random() < 0.5 else -value


def _coordinate(source: random.Random) -> float:
    """A number of one of several kinds of size."""
    return source.choice(
        (
            source.uniform(-1.0, 1.0),
            source.uniform(-3.0, 3.0),
            source.uniform(0.0, 40.0),
            source.uniform(-700.0, 700.0),
            math.ldexp(source.uniform(-1.0, 1.0), source.randint(-40, 40)),
            1.0 + math.ldexp(source.uniform(-1.0, 1.0), -source.randint(1, 30)),
            float(source.randint(-50, 50)),
            _bits(source),
        )
    )


def points(row: Elemental, count: int, seed: str = "") -> Iterator[Point]:
    """Deterministic points of the width of the row's own ones."""
    source = random.Random(f"{row.name} {seed}")
    model = row.points[0]
    for _ in range(count):
        yield tuple(
            type(x)(_whole(source) if isinstance(x, int) else _coordinate(source))
            for x in model
        )


def _whole(source: random.Random) -> int:
    return source.randint(1, 4)


def error_in_ulps(row: Elemental, point: Point) -> float | None:
    """Computed less exact in ulps of what is computed; None where there is no result.

    Of rows without a relative error it is in ulps of the result and 1 together.
    """
    try:
        value = row.compute(*point)
    except Failure:
        return None
    if not isinstance(value, float) or not math.isfinite(value):
        return None
    with mp.workdps(_digits(point)):
        try:
            exact: Any = MPMATH(row)(*map(_exactly, point))
        except Failure:
            return None
        if not isinstance(exact, mpf) or not mp.isfinite(exact):
            return None
        if value == 0.0 and abs(exact) < mpf(10) ** (20 - DIGITS):
            return 0.0  # sin(pi * x) of a whole x, by an inexact pi
        unit = math.ulp(value if row.ulps < math.inf else 1.0 + abs(value))
        return float(abs(exact - mpf(value)) / mpf(unit))


def slope(row: Elemental, point: Point, k: int) -> Any:
    """The derivative at a point by the difference quotient with 60 digits."""
    compute, h = MPMATH(row), mpf(10) ** -20
    ends = [[mpf(x) if isinstance(x, float) else x for x in point] for _ in range(2)]
    ends[0][k] -= h
    ends[1][k] += h
    return (compute(*ends[1]) - compute(*ends[0])) / (2 * h)


def _exactly(x: float | int) -> Any:
    return mpf(x) if isinstance(x, float) else x


def _digits(point: Point) -> int:
    """Enough for sums of numbers of any size."""
    sizes = [math.frexp(x)[1] for x in point if x]
    spread = max(sizes, default=0) - min(sizes, default=0)
    deepest = max(map(abs, sizes), default=0)
    return DIGITS + (int(0.302 * (spread + 2 * deepest)) if deepest > 60 else 20)
