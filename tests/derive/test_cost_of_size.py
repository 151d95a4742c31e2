"""What derivatives cost does not jump where programs get long."""

from __future__ import annotations

import pytest
from amounts import only_long
from sized_sources import (
    pair_potential,
    plain_steps,
    predator_prey,
    prey_by_runge_kutta,
    runge_kutta,
)
from support import run


def operations(source: str) -> int:
    (derived,) = run(source, inline="always").derived
    return derived.counts.total


@pytest.mark.parametrize(
    "source, total",
    [
        pytest.param(pair_potential(16, "gradient"), 120 * 24, id="16 atoms"),
        pytest.param(
            pair_potential(12, "hessian"), 2913, id="12 atoms", marks=only_long
        ),
        pytest.param(runge_kutta(30, "gradient"), 3444, id="30 steps", marks=only_long),
    ],
)
def test_products_are_shared_in_long_programs_too(source, total):
    assert operations(source) == total


@pytest.mark.parametrize("steps, total", [(8, 403), (16, 822), (32, 1654)])
def test_binomials_are_made_in_long_programs_too(steps, total):
    source = predator_prey(steps, "gradient(x, y, a, b, c, d)")
    assert operations(source) == total


@only_long
def test_a_step_takes_as_much_in_long_programs():
    """141 operations of 8 steps."""
    assert operations(prey_by_runge_kutta(32, "gradient")) <= 32 * 144


@only_long
def test_binomials_are_found_wherever_a_long_program_has_them():
    assert operations(plain_steps(128, "gradient(x, y, a, b, c, d)")) == 2678
