"""What is generated goes into SciPy as it is, and the paper's minima are found."""

import pytest
from problems import MINIMIZED, PRODUCTS, problems, starting_points
from scipy.optimize import least_squares, minimize, root

# fmt: off
SQUARES = {
    "rosenbrock": 0.0, "freudenstein_roth": 48.9842, "powell_badly_scaled": 0.0,
    "beale": 0.0, "jennrich_sampson": 124.362, "helical_valley": 0.0,
    "bard": 8.21487e-3, "gaussian": 1.12793e-8, "meyer": 87.9458,
    "box": 0.0, "powell_singular": 0.0, "wood": 0.0,
    "kowalik_osborne": 3.07505e-4, "brown_dennis": 85822.2, "osborne_1": 5.46489e-5,
    "biggs": 0.0, "osborne_2": 4.01377e-2, "watson": 2.28767e-3,
    "extended_rosenbrock": 0.0, "extended_powell": 0.0, "penalty_1": 7.08765e-5,
    "penalty_2": 2.93660e-4, "variably_dimensioned": 0.0, "trigonometric": 2.79506e-5,
    "brown_almost_linear": 0.0, "discrete_boundary_value": 0.0,
    "discrete_integral_equation": 0.0, "broyden_tridiagonal": 0.0,
    "broyden_banded": 0.0, "linear_full_rank": 10.0, "linear_rank_1": 190 / 41,
    "linear_rank_1_with_zeros": 227 / 37, "chebyquad": 3.51687e-3,
}
# fmt: on
"""The sums of squares that the paper gives, six digits of them."""


ZEROS = {"gulf": (50.0, 25.0, 1.5), "brown_badly_scaled": (1e6, 2e-6)}


def test_all_problems_have_a_minimum() -> None:
    assert {*SQUARES, *ZEROS} == {*starting_points()}


@pytest.mark.parametrize("name", ZEROS)
def test_zeros_of_the_paper(name: str) -> None:
    assert max(map(abs, problems()[name].residuals(ZEROS[name]))) < 1e-9


@pytest.mark.parametrize("name", SQUARES)
def test_least_squares(name: str) -> None:
    p = problems()[name]
    found = least_squares(p.residuals, p.start, p.jac)
    assert 2.0 * found.cost == pytest.approx(SQUARES[name], rel=3e-6, abs=1e-11)


@pytest.mark.parametrize("name", MINIMIZED)
@pytest.mark.parametrize("method", ["BFGS", "Newton-CG", "trust-exact"])
def test_minimize(name: str, method: str) -> None:
    p = problems()[name]
    hess = None if method == "BFGS" else p.hess
    found = minimize(p.squares, p.start, jac=p.grad, hess=hess, method=method)
    assert 2.0 * found.fun == pytest.approx(SQUARES[name], rel=3e-6, abs=1e-7)


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_with_the_hessian(name: str) -> None:
    p = problems()[name]
    options = {"jac": p.grad, "hessp": p.hvp, "method": "trust-krylov"}
    found = minimize(p.squares, p.start, **options)
    assert found.success
    assert 2.0 * found.fun == pytest.approx(SQUARES[name], abs=1e-6)


@pytest.mark.parametrize(
    "name",
    ["rosenbrock", "broyden_tridiagonal", "discrete_boundary_value", "broyden_banded"],
)
def test_root(name: str) -> None:
    p = problems()[name]
    found = root(p.residuals, p.start, jac=p.jac)
    assert found.success
    assert max(map(abs, p.residuals(found.x))) < 1e-7
