"""A new elemental is one row, and one line of the oracle: here softsign, x / (1 + |x|).

All kinds of derivative and all models of errors know it then, enclosures included.
"""

from __future__ import annotations

from collections.abc import Iterator

import exact
import pytest
from elementals.test_figures import (
    test_no_error_is_larger_than_the_row_says as errors_are_small_enough,
)
from elementals.test_figures import (
    test_the_domain_is_where_value_and_partials_are as domain_is_right,
)
from elementals.test_table import check_complete as row_is_complete
from mpmath import mp, mpf
from rounding.test_rows import (
    test_functions_stay_near_their_curves as stays_near_its_curve,
)
from rounding.test_rows import (
    test_guards_are_the_partials_or_infinite as guards_are_right,
)
from support import load_generated

from ad_transform import elementals
from ad_transform.elementals.helpers import HELPERS
from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import Curve, Elemental

KINDS = "gradient, jacobian, hessian, hvp, jvp, vjp"
MODELS = ("linear", "actual", "enclosure", "iri")
SOURCE = f"""\
from somewhere import softsign


# ad: {KINDS}
def f(x: float, y: float) -> float:
    return softsign(x * y) * y


# ad: {", ".join(f'error(x, model="{model}")' for model in MODELS)}
def g(x: float, y: float) -> float:
    return softsign(x * y) * y
"""


def softsign() -> Elemental:
    """The row: all that is said of the new function."""
    return printed(
        "softsign",
        "x",
        ("1 / ((1 + abs(x)) * (1 + abs(x)))",),
        points=((0.5,), (-1.25,), (3.0,)),
        ulps=1.6,
        enclosure=Curve("1 / ((1 + abs(x)) * (1 + abs(x)))", 1, "2 * d"),
        known_as=("somewhere.softsign",),
        helper='''\
def _softsign(x: float) -> float:
    """Softsign, between -1 and 1."""
    return x / (1.0 + fabs(x))
''',
    )


@pytest.fixture(autouse=True)
def row(monkeypatch: pytest.MonkeyPatch) -> Iterator[Elemental]:
    """The row in the tables for the time of a test."""
    made = softsign()
    monkeypatch.setitem(elementals.TABLE, made.name, made)
    monkeypatch.setitem(elementals._RECOGNISED, made.known_as[0], made)
    monkeypatch.setitem(exact._LIBRARY, made.name, lambda x: x / (1 + abs(x)))
    yield made
    del HELPERS["_softsign"]


def truth(x: mpf, y: mpf) -> mpf:
    return x * y / (1 + abs(x * y)) * y


def test_the_row_passes_the_tests_of_rows(row: Elemental) -> None:
    row_is_complete(row)
    errors_are_small_enough(row)
    domain_is_right(row)
    stays_near_its_curve(row)
    guards_are_right(row)


def test_every_kind_and_every_model(row: Elemental) -> None:
    f = load_generated(SOURCE)
    x, y = 0.7, 1.3
    slopes = [mp.diff(truth, (x, y), n) for n in ((1, 0), (0, 1))]
    curves = [mp.diff(truth, (x, y), n) for n in ((2, 0), (1, 1), (1, 1), (0, 2))]
    assert f["f_grad"](x, y) == pytest.approx([*map(float, slopes)])
    assert f["f_jac"](x, y).ravel() == pytest.approx([*map(float, slopes)])
    assert f["f_hess"](x, y).ravel() == pytest.approx([*map(float, curves)])
    assert f["f_hvp"](x, y, 1.0, 0.0) == pytest.approx([*map(float, curves[:2])])
    assert f["f_jvp"](x, y, 0.0, 1.0)[1] == pytest.approx(float(slopes[1]))
    assert f["f_vjp"](x, y, 2.0)[1] == pytest.approx([2 * float(s) for s in slopes])
    value, bound, _ = f["g_err"](x, y)
    error = mpf(value) - truth(mpf(x), mpf(y))
    assert 0 < abs(error) <= bound < 1e-14
    value, low, high = f["g_err_enclosure"](x, y)
    assert low <= -error <= high < 1e-14
    assert f["g_err_actual"](x, y)[2] < 1e-14
    assert 0 < f["g_err_iri"](x, y)[1] < 1e-14
