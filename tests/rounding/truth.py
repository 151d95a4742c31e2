"""Points, true errors, and functions of estimates evaluated."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import corpus
from exact import MPMATH
from mpmath import mp
from tracing import trace, traced_math

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Apply, Function

DIGITS = 400
Point = tuple[float, ...]


@cache
def program(name: str, function: Callable[..., Any]) -> Function:
    """The IR of a formula of the corpus."""
    corpus.__dict__["math"], real = traced_math(), corpus.__dict__["math"]
    assert isinstance(real, ModuleType)
    try:
        return trace(function)
    finally:
        corpus.__dict__["math"] = real


def points(
    name: str, ranges: tuple[tuple[float, float], ...], wide: bool, count: int
) -> Iterator[Point]:
    """Random points: uniform, or with uniform exponents of ten."""
    source = random.Random(name)
    for _ in range(count):
        drawn = [source.uniform(low, high) for low, high in ranges]
        yield tuple(10.0**x for x in drawn) if wide else tuple(drawn)


def bit_patterns(name: str, width: int, count: int) -> Iterator[Point]:
    """Random doubles of any magnitude, infinities and NaN among them."""
    source = random.Random(name)
    for _ in range(count):
        bits = (source.getrandbits(64) for _ in range(width))
        yield tuple(_double(b) for b in bits)


def _double(bits: int) -> float:
    (value,) = struct.unpack("<d", bits.to_bytes(8, "little"))
    return float(value)


def truth(function: Function, point: Point, digits: int = DIGITS) -> tuple[Any, ...]:
    """The exact results of a program; literals are the doubles they are."""
    with mp.workdps(digits):
        return evaluate(function, tuple(map(mp.mpf, point)), MPMATH)


def has_library_calls(function: Function) -> bool:
    return any(
        isinstance(s, Apply) and s.op.ulps not in (0.0, 0.5) and not _square(s)
        for s in function.body
    )


def _square(statement: Apply) -> bool:
    return statement.op.name == "pow" and getattr(statement.args[1], "value", 0) == 2


def finite(*values: float) -> bool:
    return all(map(math.isfinite, values))
