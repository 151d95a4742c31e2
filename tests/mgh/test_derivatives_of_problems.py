"""Derivatives of 35 problems as a user writes them, at the paper's starting points."""

import pytest
from problems import derivatives, problems, starting_points
from support import flat

NAMES = tuple(starting_points())
CANCELLED = {"brown_badly_scaled": 1e-10, "trigonometric": 1e-11}
"""Where entries are small differences of numbers that are rounded already."""


def test_they_are_all_there() -> None:
    assert len(NAMES) == 35


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_have_twelve_digits(name: str) -> None:
    problem, digits = problems()[name], CANCELLED.get(name, 1e-12)
    for kind, exact in zip(("jac", "grad", "hess"), derivatives(problem), strict=True):
        found, wanted = flat(getattr(problem, kind)(problem.start)), flat(exact)
        rest = 1e-16 * max(map(abs, wanted))
        for a, b in zip(found, wanted, strict=True):
            assert abs(a - b) <= digits * abs(b) + rest, (kind, a, float(b))
