"""Derivatives of functions too long for all orders cost no more by the term."""

from __future__ import annotations

import pytest
from sized_sources import pair_potential
from support import run

from ad_transform.derive import candidates, race


def test_the_first_pass_is_not_in_reverse_order_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On top of reverse order a pair took 60 operations."""
    for module in (candidates, race):
        monkeypatch.setattr(module, "LARGE", 700)
    atoms = 8
    (derived,) = run(pair_potential(atoms, "hessian"), inline="always").derived
    assert derived.counts.total < 47 * atoms * (atoms - 1) // 2


def test_gradients_are_not_in_reverse_order_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In reverse order a pair takes an operation more."""
    for module in (candidates, race):
        monkeypatch.setattr(module, "LARGE", 50)
    source = pair_potential(3, "gradient")
    (derived,) = run(source, inline="always").derived
    (reverse,) = run(source, inline="always", order="reverse").derived
    assert derived.order == race.BESIDE
    assert derived.counts.total <= reverse.counts.total - 3
    monkeypatch.setattr(race, "TWO", 50)
    (alone,) = run(source, inline="always").derived
    assert alone.order == "reverse"
