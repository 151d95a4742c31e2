"""The table of estimates: coverage, tightness and cost over the corpus of formulas."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import pytest
from measuring import seconds
from rounding.corpus import BOUNDED, WIDE
from rounding.truth import (
    Sample,
    has_library_calls,
    points,
    program,
    samples,
    value_at,
)

from ad_transform.derive.rounding.derive import Wish, estimate
from ad_transform.emit.module import print_function, print_module
from ad_transform.options import Options

POINTS = 200
ALL = "linear, all tested"
WISHES = {
    "linear": Wish(),
    "linear, all tested": Wish(tests="all"),
    "iri": Wish("iri"),
    "actual": Wish("actual"),
    "enclosure": Wish("enclosure"),
}


def printed(function: Callable[..., Any], wish: Wish) -> Callable[..., Any]:
    """The generated function of value and estimates."""
    derived = estimate(program(function), (), wish)
    scope: dict[str, Any] = {}
    exec(print_module([print_function(derived, (), Options())], {}, None), scope)
    made: Callable[..., Any] = scope[derived.function.name]
    return made


def drawn(wish: Wish, wide: bool, library: bool = True) -> list[Sample]:
    found: list[Sample] = []
    for name, (function, ranges) in (WIDE if wide else BOUNDED).items():
        traced = program(function)
        if library or not has_library_calls(traced):
            source = points(name, ranges, wide, POINTS)
            found += samples(traced, wish, source)
    return found


def at(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def bound_and_rms(wide: bool, wish: Wish) -> list[str]:
    found = drawn(wish, wide)
    erring = [s for s in found if s.error]
    covered = sum(abs(s.error) <= s.estimates[0] * (1 + 1e-12) for s in found)
    ratios = [float(s.estimates[0] / abs(s.error)) for s in erring]
    sigmas = [float(abs(s.error) / s.estimates[1]) for s in erring]
    shares = [sum(r <= k for r in sigmas) / len(sigmas) for k in (1, 2, 3)]
    return [
        f"bound      covers {covered} of {len(found)} points, "
        f"bound/true median {statistics.median(ratios):.2f}",
        "rms        covers " + ", ".join(f"{share:.1%}" for share in shares),
    ]


def actual(wide: bool) -> str:
    found = [s for s in drawn(Wish("actual"), wide, library=False) if s.error]
    off = [float(abs(s.estimates[0] - s.error) / abs(s.error)) for s in found]
    middle, far = statistics.median(off), at(off, 0.99)
    return (
        f"actual     off by {middle:.1e} in the median, {far:.1e} at 99 % (no library)"
    )


def enclosed(wide: bool) -> str:
    found = drawn(Wish("enclosure"), wide)
    inside = sum(s.estimates[0] <= -s.error <= s.estimates[1] for s in found)
    known = sum(map(math.isfinite, (s.estimates[1] for s in found)))
    plain = [s for s in drawn(Wish("enclosure"), wide, library=False) if s.error]
    wider = [float(max(map(abs, s.estimates)) / abs(s.error)) - 1 for s in plain]
    return (
        f"enclosure  holds {inside} of {len(found)} points, finite at {known}, "
        f"wider than the truth by {at(wider, 0.99):.1e} at 99 % (no library)"
    )


@pytest.mark.parametrize("wide", [False, True])
def test_figures(wide: bool, capsys: pytest.CaptureFixture[str]) -> None:
    table = bound_and_rms(wide, Wish())
    table += (f"{line} (all tested)" for line in bound_and_rms(wide, WISHES[ALL]))
    table += [actual(wide), enclosed(wide)]
    with capsys.disabled():
        kind = "cancelling, wide ranges" if wide else "bounded ranges"
        print(f"\n{len(WIDE if wide else BOUNDED)} formulas, {kind}, {POINTS} points")
        print("\n".join(table))


def test_cost_per_call(capsys: pytest.CaptureFixture[str]) -> None:
    ratios: dict[str, list[float]] = {name: [] for name in WISHES}
    for name, (function, ranges) in BOUNDED.items():
        point = next(
            p
            for p in points(name, ranges, False, 50)
            if value_at(program(function), p) is not None
        )
        calls = [(printed(function, wish), point) for wish in WISHES.values()]
        base, *times = seconds((function, point), *calls)
        for model, time in zip(WISHES, times, strict=True):
            ratios[model].append(time / base)
    medians = {model: statistics.median(r) for model, r in ratios.items()}
    with capsys.disabled():
        text = ", ".join(f"{model} {m:.1f}" for model, m in medians.items())
        print(f"\ncost of a call in calls of the source, median: {text}")
    assert medians["linear"] <= 7
    assert medians[ALL] <= 12
    assert medians["actual"] <= 10
