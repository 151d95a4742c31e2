"""Points, true errors, and functions of estimates evaluated."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from exact import MPMATH
from mpmath import mp
from rounding.formulas import Formula
from tracing import trace, traced_math

from ad_transform.derive.rounding.derive import estimate
from ad_transform.derive.rounding.error_options import ErrorOptions
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Apply, Function
from ad_transform.ir.verify import verify

DIGITS = 400
Point = tuple[float, ...]


@cache
def program(function: Callable[..., Any]) -> Function:
    """The IR of a formula of the corpus."""
    scope = function.__globals__
    scope["math"], real = traced_math(), scope["math"]
    try:
        return trace(function)
    finally:
        scope["math"] = real


def points(name: str, formula: Formula, wide: bool, count: int) -> Iterator[Point]:
    """Random points: uniform, or with uniform exponents of ten."""
    source = random.Random(name)
    while count:
        drawn = [source.uniform(low, high) for low, high in formula.ranges]
        point = tuple(10.0**x for x in drawn) if wide else tuple(drawn)
        if formula.given(*point):
            count -= 1
            yield point


def bit_patterns(name: str, width: int, count: int) -> Iterator[Point]:
    """Random doubles of any magnitude, infinities and NaN among them."""
    source = random.Random(name)
    for _ in range(count):
        bits = (source.getrandbits(64) for _ in range(width))
        yield tuple(_double(b) for b in bits)


def _double(bits: int) -> float:
    (value,) = struct.unpack("<d", bits.to_bytes(8, "little"))
    return float(value)


@cache
def truth(function: Function, point: Point, digits: int = DIGITS) -> Any:
    """The exact result of a program, None where it has none; literals are doubles."""
    try:
        with mp.workdps(digits):
            (exact,) = evaluate(function, tuple(map(mp.mpf, point)), MPMATH)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return exact if isinstance(exact, mp.mpf) and mp.isfinite(exact) else None


@cache
def estimating(
    function: Function, asked: ErrorOptions, names: tuple[str, ...] = ()
) -> Function:
    """The function of value and estimates, which is under the law."""
    made = estimate(function, names, asked).function
    verify(made)
    return made


@dataclass(frozen=True, slots=True)
class Sample:
    """A point with the value, its true error (computed less exact), its estimates."""

    point: Point
    value: float
    error: Any
    estimates: tuple[float, ...]


def samples(
    function: Function,
    asked: ErrorOptions,
    drawn: Iterable[Point],
    digits: int = DIGITS,
) -> Iterator[Sample]:
    """The points at which the function has a finite value, and is defined exactly."""
    made = estimating(function, asked)
    for point in drawn:
        value = value_at(function, point)
        if value is None:
            continue
        got, *estimates = _estimated(made, point)
        assert same(got, value)
        exact = truth(function, point, digits)
        if exact is not None:
            with mp.workdps(digits):
                yield Sample(point, value, mp.mpf(value) - exact, tuple(estimates))


@cache
def _estimated(made: Function, point: Point) -> tuple[float, ...]:
    """The value and its estimates; several tests ask for those of one point."""
    return evaluate(made, point)


@cache
def value_at(function: Function, point: Point) -> float | None:
    """The value if it is a finite float."""
    try:
        (value,) = evaluate(function, point)
    except (ArithmeticError, ValueError, TypeError):
        return None
    finite = isinstance(value, float) and all(map(math.isfinite, (value, *point)))
    return value if finite else None


def same(a: float, b: float) -> bool:
    """Bit for bit."""
    return struct.pack("<d", a) == struct.pack("<d", b)


def has_library_calls(function: Function) -> bool:
    return any(
        isinstance(s, Apply) and s.op.ulps not in (0.0, 0.5) and not _square(s)
        for s in function.body
    )


def _square(statement: Apply) -> bool:
    return statement.op.name == "pow" and getattr(statement.args[1], "value", 0) == 2
