"""Derivatives of 35 problems as a user writes them, at the paper's starting points."""

import pytest
from problems import derivatives, moved_by_rounding, problems, starting_points
from support import flat

NAMES = tuple(starting_points())
CANCELLED = {"brown_badly_scaled", "trigonometric"}
"""Where residuals that doubles hold leave fewer digits: 1 - 2e-6 is rounded by 5e-17,
and the gradient is -2e-6, the difference of that and 1; the tenth residual is 1e-4, a
difference of cosines whose sum is 10.
"""


def test_they_are_all_there() -> None:
    assert len(NAMES) == 35


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_have_twelve_digits(name: str) -> None:
    problem, made = problems()[name], derivatives(problems()[name])
    moved = moved_by_rounding(problem) if name in CANCELLED else ([], [], [])
    for kind, exact, more in zip(("jac", "grad", "hess"), made, moved, strict=True):
        if kind == "hess" and not problem.is_bent:
            continue
        found, wanted = flat(getattr(problem, kind)(problem.start)), flat(exact)
        rest = 1e-16 * max(map(abs, wanted))
        own = flat(more) or [0.0] * len(wanted)
        for a, b, c in zip(found, wanted, own, strict=True):
            assert abs(a - b) <= 1e-12 * abs(b) + c + rest, (kind, a, float(b))
