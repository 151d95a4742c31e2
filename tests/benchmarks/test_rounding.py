"""The table of estimates: coverage, tightness and cost over the corpus of formulas."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import pytest
from measuring import seconds
from rounding.estimated import BOUNDED, PUBLISHED, SHORT, TRAIN, WIDE
from rounding.formulas import Table
from rounding.test_estimates import check_long_program
from rounding.truth import (
    Sample,
    has_library_calls,
    points,
    program,
    samples,
    value_at,
)

from ad_transform.derive.rounding.derive import estimate
from ad_transform.derive.rounding.error_options import ErrorOptions
from ad_transform.emit.python.module import print_function, print_module
from ad_transform.options import Options

POINTS = 200
ALL = "linear, all tested"
MODELS = {
    "linear": ErrorOptions(),
    "linear, all tested": ErrorOptions(tests="all"),
    "iri": ErrorOptions("iri"),
    "actual": ErrorOptions("actual"),
    "enclosure": ErrorOptions("enclosure"),
}


def printed(function: Callable[..., Any], asked: ErrorOptions) -> Callable[..., Any]:
    """The generated function of value and estimates."""
    derived = estimate(program(function), (), asked)
    scope: dict[str, Any] = {}
    exec(print_module([print_function(derived, (), Options())], {}, None), scope)
    made: Callable[..., Any] = scope[derived.function.name]
    return made


def drawn(asked: ErrorOptions, table: Table, library: bool = True) -> list[Sample]:
    found: list[Sample] = []
    for name, formula in table.items():
        traced = program(formula.function)
        if library or not has_library_calls(traced):
            source = points(name, formula, table is WIDE, POINTS)
            found += samples(traced, asked, source)
    return found


def at(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def bound_and_rms(table: Table, asked: ErrorOptions) -> list[str]:
    found = drawn(asked, table)
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


def actual(table: Table) -> str:
    found = [s for s in drawn(ErrorOptions("actual"), table, library=False) if s.error]
    off = [float(abs(s.estimates[0] - s.error) / abs(s.error)) for s in found]
    middle, far = statistics.median(off), at(off, 0.99)
    return (
        f"actual     off by {middle:.1e} in the median, {far:.1e} at 99 % (no library)"
    )


def enclosed(table: Table) -> str:
    found = drawn(ErrorOptions("enclosure"), table)
    inside = sum(s.estimates[0] <= -s.error <= s.estimates[1] for s in found)
    known = sum(map(math.isfinite, (s.estimates[1] for s in found)))
    plain = [
        s for s in drawn(ErrorOptions("enclosure"), table, library=False) if s.error
    ]
    wider = [float(max(map(abs, s.estimates)) / abs(s.error)) - 1 for s in plain]
    return (
        f"enclosure  holds {inside} of {len(found)} points, finite at {known}, "
        f"wider than the truth by {at(wider, 0.99):.1e} at 99 % (no library)"
    )


TABLES = {
    "published formulas": PUBLISHED,
    "formulas with ours": SHORT,
    "formulas of a train": TRAIN,
    "formulas on bounded ranges": BOUNDED,
    "formulas that cancel": WIDE,
}


@pytest.mark.parametrize("kind", TABLES)
def test_figures(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = TABLES[kind]
    lines = bound_and_rms(table, ErrorOptions())
    lines += (f"{line} (all tested)" for line in bound_and_rms(table, MODELS[ALL]))
    lines += [actual(table), enclosed(table)]
    with capsys.disabled():
        print(f"\n{len(table)} {kind}, {POINTS} points")
        print("\n".join(lines))


def test_cost_per_call(capsys: pytest.CaptureFixture[str]) -> None:
    ratios: dict[str, list[float]] = {name: [] for name in MODELS}
    for name, formula in BOUNDED.items():
        function = formula.function
        point = next(
            p
            for p in points(name, formula, False, 50)
            if value_at(program(function), p) is not None
        )
        calls = [(printed(function, asked), point) for asked in MODELS.values()]
        base, *times = seconds((function, point), *calls)
        for model, time in zip(MODELS, times, strict=True):
            ratios[model].append(time / base)
    medians = {model: statistics.median(r) for model, r in ratios.items()}
    with capsys.disabled():
        text = ", ".join(f"{model} {m:.1f}" for model, m in medians.items())
        print(f"\ncost of a call in calls of the source, median: {text}")
    assert medians["linear"] <= 7
    assert medians[ALL] <= 12
    assert medians["actual"] <= 10


def test_ten_thousand_operations() -> None:
    check_long_program(10_000)
