"""Long functions of several results: single-use orders where they are clearly fewer."""

from __future__ import annotations

import random

import pytest
from support import run

from ad_transform.derive.accumulation import auto_orders, candidates, race

FORMS = (
    *("{a} * {b}",) * 4,
    *("{a} + {b}",) * 2,
    *("{a} - 0.5 * {b}", "math.sin({a})"),
    *("math.exp(-{a} * {b})", "{a} / (1.0 + {b} * {b})"),
)


def windowed(seed: int, ends: int, operations: int, window: int) -> str:
    """The Jacobian of a function whose values read some of the last few."""
    numbers = random.Random(seed)
    values = [f"x{k}" for k in range(ends)]
    lines = ["import math", "", "", "# ad: jacobian"]
    lines.append(f"def f({', '.join(f'{x}: float' for x in values)}):")
    for k in range(operations):
        a, b = (numbers.choice(values[-window:]) for _ in range(2))
        lines.append(f"    v{k} = {numbers.choice(FORMS).format(a=a, b=b)}")
        values.append(f"v{k}")
    return "\n".join((*lines, f"    return {', '.join(values[-ends:])}", ""))


def test_a_single_use_order_is_finished_beside_the_plainest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auto_orders, "MEDIUM", 50)
    (auto,) = run(windowed(0, 5, 60, 12)).derived
    costs = dict(auto.rivals)
    assert auto.order == "single-use-forward"
    assert auto.counts.total == costs.pop("single-use-forward")
    assert min(costs.values()) >= auto.counts.total + 9


def test_of_large_graphs_a_single_use_order_is_taken_by_its_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (candidates, race, auto_orders):
        monkeypatch.setattr(module, "LARGE", 50)
    source = windowed(2, 5, 60, 12)
    (auto,) = run(source).derived
    (markowitz,) = run(source, order="markowitz").derived
    assert [*auto.rivals] == ["single-use-forward"]
    assert auto.counts.total < markowitz.counts.total


def test_it_is_left_out_where_it_is_not_clearly_fewer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auto_orders, "MEDIUM", 50)
    drafted, draft = [], candidates.Candidates.draft
    monkeypatch.setattr(
        candidates.Candidates,
        "draft",
        lambda own, name, variant: drafted.append(name) or draft(own, name, variant),
    )
    (auto,) = run(windowed(4, 5, 60, 12)).derived
    assert {*drafted} == {*race.PLAINEST}
    assert {*auto.rivals} <= {*race.PLAINEST}
