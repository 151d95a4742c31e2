"""Derivatives of functions too long for all orders cost no more by the term."""

from __future__ import annotations

import pytest
from sized_sources import pair_potential
from support import run

from ad_transform.derive.accumulation import (
    auto_orders,
    candidates,
    race,
)


def test_the_first_pass_is_not_in_reverse_order_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On top of reverse order a pair took 60 operations."""
    for module in (candidates, race, auto_orders):
        monkeypatch.setattr(module, "LARGE", 700)
    atoms = 8
    (derived,) = run(pair_potential(atoms, "hessian"), inline="always").derived
    assert derived.counts.total < 47 * atoms * (atoms - 1) // 2


def test_gradients_are_not_in_reverse_order_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In reverse order a pair takes an operation more."""
    for module in (candidates, race, auto_orders):
        monkeypatch.setattr(module, "LARGE", 50)
    source = pair_potential(3, "gradient")
    (derived,) = run(source, inline="always").derived
    (reverse,) = run(source, inline="always", order="reverse").derived
    assert derived.order == auto_orders.BESIDE
    assert derived.counts.total <= reverse.counts.total - 3
    monkeypatch.setattr(auto_orders, "TWO", 50)
    (alone,) = run(source, inline="always").derived
    assert [*alone.rivals] == [auto_orders.BESIDE]
    assert alone.counts.total == derived.counts.total


def test_of_large_graphs_one_order_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (candidates, race, auto_orders):
        monkeypatch.setattr(module, "LARGE", 50)
    (derived,) = run(pair_potential(4, "gradient"), inline="always").derived
    assert [*derived.rivals] == [auto_orders.BESIDE]


def test_another_order_is_drafted_only_where_it_has_clearly_fewer_products(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (candidates, race, auto_orders):
        monkeypatch.setattr(module, "LARGE", 50)
    drafted, draft = [], candidates.Candidates.draft
    monkeypatch.setattr(
        candidates.Candidates,
        "draft",
        lambda own, name, variant: drafted.append(name) or draft(own, name, variant),
    )
    rows = "".join(f"    x = x * y + sin(y) * {k}.5\n" for k in range(20))
    head = "from math import sin\n\n\n# ad: gradient\ndef f(x: float, y: float):\n"
    assert run(f"{head}{rows}    return x\n").text
    assert {*drafted} == {"reverse"}
    assert run(pair_potential(5, "gradient"), inline="always").text
    assert {*drafted} == {"reverse", auto_orders.BESIDE}
