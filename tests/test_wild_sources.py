"""Random sources that use much of the language: values are Python's to the bit, slopes
and curvatures those of forward mode.

The points are drawn at random, so that no condition holds by a hair.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS, seeds
from hyperduals import BUILTINS, Hyper, hyper, modules
from support import flat, load, run, same_bits
from wild_sources import source

POINTS = 3
OPTIONS = (
    {},
    {"container": "tuple"},
    {"inline": "never"},
    {"inline": "always"},
    {"container": "tuple", "inline": "never"},
    {"order": "forward"},
    {"order": "reverse"},
)
PYTHONS = (IndexError, ZeroDivisionError, OverflowError, ValueError, UnboundLocalError)
"""What a source may raise at a point, such as where the vector is empty."""


def generated(number: int, text: str) -> dict[str, Any] | None:
    """The functions made of a source; None where it is refused with a way out."""
    several = ", math" in text.rpartition("return")[2]
    kinds = "jvp, vjp" if several else "jvp, vjp, hvp"
    options = {**NUMBERS, **OPTIONS[number % len(OPTIONS)]}
    result = run(text.replace("KIND", kinds), **options)
    if result.text is None:
        errors = [d for d in result.diagnostics if d.severity == "error"]
        assert errors and all(d.help and d.span.line for d in errors), errors
        return None
    return load(result.text)


def points(number: int) -> list[dict[str, Any]]:
    """Arguments, with vectors of any length."""
    seed = random.Random(-1 - number)
    found: list[dict[str, Any]] = []
    for k in range(POINTS):
        abc = {name: seed.uniform(-1.5, 1.5) for name in "abc"}
        length = seed.choice((0, 1, 2, 3, 4)) if k else 3
        x = [seed.uniform(-1.5, 1.5) for _ in range(length)]
        kind = seed.choice(("one", "two", "three"))
        found.append({**abc, "n": seed.randint(0, 4), "kind": kind, "x": x})
    return found


def vector(values: list[Any]) -> Any:
    """A vector of numpy that keeps its numbers as they are."""
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


def lifted(point: dict[str, Any], dots: dict[str, Any]) -> dict[str, Any]:
    """A point with slopes along `dots`, twice the same."""
    given: dict[str, Any] = dict(point)
    for name in "abc":
        given[name] = Hyper(point[name], dots[name], dots[name])
    pairs = zip(point["x"], dots["x"], strict=True)
    return given | {"x": vector([Hyper(v, s, s) for v, s in pairs])}


def near(got: float, want: float, scale: float) -> bool:
    return abs(got - want) <= 1e-8 * (1 + abs(want) + scale)


def check(number: int, size: int) -> str:
    """The source with a number is differentiated rightly, or refused by name."""
    text = source(number, size)
    ours = generated(number, text)
    if ours is None:
        return "refused"
    plain, sloped = load(text)["f"], load(text, modules(), BUILTINS)["f"]
    for point in points(number):
        try:
            want = plain(**point | {"x": vector(point["x"])})
        except PYTHONS:
            continue
        seed = random.Random(number)
        way = [seed.uniform(-1, 1) for _ in range(3 + len(point["x"]))]
        dots = {"a": way[0], "b": way[1], "c": way[2], "x": way[3:]}
        found = [hyper(v) for v in flat(sloped(**lifted(point, dots)))]
        slopes = [v.s for v in found]
        if all(map(math.isfinite, slopes)):
            compare(ours, point, dots, want, found)
    return "right"


def compare(
    ours: dict[str, Any],
    point: dict[str, Any],
    dots: dict[str, Any],
    want: Any,
    found: list[Hyper],
) -> None:
    """What was generated against a value, and the slopes and curvatures found of it."""
    way, slopes = flat(list(dots.values())), [v.s for v in found]
    scale = max(map(abs, slopes))
    seeds = {f"{name}_dot": dot for name, dot in dots.items()}
    value, tangent = ours["f_jvp"](**point, **seeds)
    assert same_bits(list(map(float, flat(value))), list(map(float, flat(want)))), point
    for got, slope in zip(flat(tangent), slopes, strict=True):
        assert near(got, slope, scale), (point, got, slope)
    bars = [0.75 + 0.5 * k for k in range(len(slopes))]
    bar = tuple(bars) if isinstance(want, tuple) else bars[0]
    again, adjoint = ours["f_vjp"](**point, f_bar=bar)
    assert same_bits(flat(again), flat(value)), point
    one, other = np.dot(bars, slopes), np.dot(flat(adjoint), way)
    assert near(other, one, scale), (point, other, one)
    if "f_hvp" in ours and math.isfinite(found[0].st):
        bent = np.dot(flat(ours["f_hvp"](**point, **seeds)), way)
        assert near(bent, found[0].st, 10 * scale), (point, bent, found[0].st)


@pytest.mark.parametrize("number", seeds(4, 12))
def test_values_slopes_and_curvatures(number: int) -> None:
    check(number, 4 + number % 6)
