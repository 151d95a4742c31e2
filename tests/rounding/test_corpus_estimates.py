"""Estimates against true errors from 400 digits, over the corpus."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import pytest
from amounts import LONG, amount
from rounding.estimated import BOUNDED, SHORT, TRAIN, WIDE
from rounding.formulas import Table
from rounding.truth import (
    Sample,
    bit_patterns,
    has_library_calls,
    points,
    program,
    samples,
)

from ad_transform.derive.rounding.error_options import ErrorOptions

POINTS, PATTERNS = amount(20, 30), amount(2, 15)
FEW = amount(5, POINTS)
"""Points of a formula where nothing is said of all of them together."""
SLACK = 1 + 1e-12
MODELS = "iri", "actual"
"""Of which each formula has one in turn, or both."""
ALL = [
    (name, wide) for wide, table in ((False, BOUNDED), (True, WIDE)) for name in table
]


def drawn(
    name: str, wide: bool, asked: ErrorOptions, count: int = POINTS
) -> list[Sample]:
    formula = (WIDE if wide else BOUNDED)[name]
    source = points(name, formula, wide, count)
    return list(samples(program(formula.function), asked, source))


def patterns(name: str, wide: bool, asked: ErrorOptions) -> list[Sample]:
    formula = (WIDE if wide else BOUNDED)[name]
    source = bit_patterns(name, len(formula.ranges), PATTERNS)
    return list(samples(program(formula.function), asked, source, 1300))


def covered(sample: Sample) -> bool:
    low, high = sample.estimates
    return bool(low <= -sample.error <= high)


@pytest.mark.parametrize(("name", "wide"), ALL)
def test_bound_covers(name: str, wide: bool) -> None:
    for s in drawn(name, wide, ErrorOptions(), FEW):
        assert abs(s.error) <= s.estimates[0] * SLACK, s.point


@pytest.mark.parametrize(("name", "wide"), ALL)
def test_enclosure_holds_and_is_finite(name: str, wide: bool) -> None:
    for s in drawn(name, wide, ErrorOptions("enclosure"), FEW):
        assert covered(s), s.point
        assert math.isfinite(s.estimates[1] - s.estimates[0])


@pytest.mark.parametrize(("name", "wide"), ALL)
def test_any_bits(name: str, wide: bool) -> None:
    """Nothing raises; what is finite is true."""
    for s in patterns(name, wide, ErrorOptions()):
        assert abs(s.error) <= s.estimates[0] * SLACK, s.point
    for s in patterns(name, wide, ErrorOptions("enclosure")):
        assert covered(s), s.point
    place = ALL.index((name, wide))
    for model in MODELS if LONG else MODELS[place % 2 :: 2]:
        for s in patterns(name, wide, ErrorOptions(model)):
            assert not any(map(math.isnan, s.estimates)), s.point


def gathered(
    asked: ErrorOptions,
    pick: Callable[[Sample], Any],
    library: bool,
    table: Table = BOUNDED,
) -> list[Any]:
    """What `pick` says of all points of the bounded corpus with an error."""
    names = [
        name
        for name, formula in table.items()
        if library or not has_library_calls(program(formula.function))
    ]
    found = (s for name in names for s in drawn(name, False, asked) if s.error)
    return sorted(map(pick, found))


@pytest.mark.parametrize(("table", "most"), [(SHORT, 3.7), (TRAIN, 9.0)])
def test_the_bound_is_near(table: Table, most: float) -> None:
    """The longer a sum, the less likely is the worst case."""

    def ratio(s: Sample) -> float:
        return float(s.estimates[0] / abs(s.error))

    assert statistics.median(gathered(ErrorOptions(), ratio, True, table)) < most


def test_rms_is_a_standard_deviation() -> None:
    ratios = gathered(
        ErrorOptions(), lambda s: float(abs(s.error) / s.estimates[1]), True
    )
    share = [sum(r <= k for r in ratios) / len(ratios) for k in (1, 2, 3)]
    assert 0.55 <= share[0] <= 0.65
    assert share[1] > 0.9
    assert share[2] > 0.99


def test_the_actual_error_is_the_actual_error() -> None:
    deviations = gathered(
        ErrorOptions("actual"),
        lambda s: float(abs(s.estimates[0] - s.error) / abs(s.error)),
        False,
    )
    assert statistics.median(deviations) < 2**-52
    assert deviations[len(deviations) * 99 // 100] < 1e-13


def test_enclosures_without_library_calls_are_tight() -> None:
    excess = gathered(
        ErrorOptions("enclosure"),
        lambda s: float(max(map(abs, s.estimates)) / abs(s.error)) - 1,
        False,
    )
    assert excess[len(excess) * 99 // 100] < 0.01
