"""Estimates carried through contracted umbrellas, one work area for each.

Murota & Kubota 1989, section 5.
"""

from __future__ import annotations

import pytest
from support import flat, generate, load, load_generated
from support_counts import counts_of

SOURCE = """
import math


# ad: error({})
def f(x, y):
    u = math.sin(x * y + x) * x
    v = u * u + math.exp(u * y)
    w = math.sqrt(v + 1.0) / (u + 3.0)
    return w * x, w / y, w + x * y
"""
CONTRACTED = "copying-umbrellas-first"
NAMES = {"linear": "f_err", "iri": "f_err_iri", "actual": "f_err_actual"}


def _made(mark: str, order: str) -> str:
    return generate(SOURCE.format(mark), order=order)


@pytest.mark.parametrize("model", NAMES)
def test_a_work_area_gives_the_same_estimates(model: str) -> None:
    one, other = (
        load(_made(f"x, model={model}", order))[NAMES[model]](0.7, 1.3)
        for order in ("reverse", CONTRACTED)
    )
    assert flat(other) == pytest.approx(flat(one), rel=1e-13)


def test_several_results_share_what_an_umbrella_has_gathered() -> None:
    orders = "reverse", CONTRACTED, "auto"
    totals = [counts_of(_made("", order), "f_err").total for order in orders]
    assert totals == [221, 146, 146]


def test_a_report_has_every_operation_inside_of_umbrellas() -> None:
    one, other = (
        load(_made("report=True", order))["f_err"](0.7, 1.3)[-1]
        for order in ("reverse", CONTRACTED)
    )
    assert len(flat(one)) == len(flat(other)) > 30
    assert [v for v in flat(one) if isinstance(v, str)] == [
        v for v in flat(other) if isinstance(v, str)
    ]


CALLS = """
import math


def g(t):
    s = math.sin(t) * t
    return s * s + 1.0


# ad: error(inline=never)
def f(x, y):
    u = g(x * y) + g(x)
    return u * x, u / y
"""


def test_calls_inside_of_umbrellas_bring_their_totals() -> None:
    one, other = (
        load_generated(CALLS, order=order)["f_err"](0.7, 1.3)
        for order in ("reverse", CONTRACTED)
    )
    assert flat(other) == pytest.approx(flat(one), rel=1e-13)
