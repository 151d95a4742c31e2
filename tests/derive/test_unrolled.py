"""Small loops over lists of known length are written out where that is cheaper."""

from typing import Any

import pytest
from support import generate, load, run

from ad_transform.run.job import Result

SOURCE = """
from math import exp
import numpy as np

# ad: jacobian(value=True)
def product(A: "Matrix[2, 2]", b: "Vector[2]"):
    y = [0.0] * 2
    for i in range(2):
        for j in range(2):
            y[i] += A[i, j] * b[j]
    return np.array(y)

# ad: gradient, hessian, hvp, vjp, gradient(packed=True, name="energy_packed")
def energy(x: "Vector[3]"):
    d = [0.0] * 2
    for i in range(2):
        d[i] = x[i + 1] - x[i]
    e = 0.0
    for i in range(2):
        e += d[i] ** 2 if d[i] > 0.0 else exp(-d[i])
    return e

# ad: jacobian
def blurred(x: "Vector[7]"):
    k = [0.25, 0.5, 0.25]
    out = np.zeros(5)
    for i in range(5):
        for j in range(3):
            out[i - 5] += k[j] * x[i + j]
    return out
"""
TOTALS = {
    "product_value_and_jac": 8,
    "energy_grad": 12,
    "energy_hess": 9,
    "energy_hvp": 12,
    "energy_vjp": 20,
    "energy_packed": 12,
    "blurred_jac": 0,
}
POINTS = {
    "product": ([[0.3, -0.4], [1.5, 2.1]], [1.7, 0.6]),
    "energy": ([0.3, 1.2, -0.7],),
    "energy_hvp": ([0.3, 1.2, -0.7], [0.1, 0.2, 0.3]),
    "energy_vjp": ([0.3, 1.2, -0.7], 1.5),
    "blurred": ([0.3, 1.2, -0.7, 0.4, 0.9, 1.1, 5.0],),
}


def flat(value: Any) -> list[float]:
    if isinstance(value, float):
        return [value]
    return [number for item in value for number in flat(item)]


@pytest.fixture(scope="module")
def made() -> tuple[Result, Result]:
    """Written out, and with loops and lists."""
    return run(SOURCE), run(SOURCE, unroll=0)


def test_what_is_written_out_has_fewer_operations(made):
    counts = [{d.function.name: d.counts.total for d in one.derived} for one in made]
    assert counts[0] == TOTALS
    assert all(total < counts[1][name] for name, total in TOTALS.items())


@pytest.mark.parametrize("name", TOTALS)
def test_the_numbers_are_those_of_the_loops(made, name):
    point = POINTS.get(name, POINTS[name.partition("_")[0]])
    found, wanted = (flat(load(one.text)[name](*point)) for one in made)
    assert found == pytest.approx(wanted, rel=1e-14, abs=1e-300)


def test_no_list_of_tangents_and_no_loop_is_left(made):
    assert "for" not in made[0].text.split() and "[0]" not in made[0].text
    assert "    d_0 = x_1 - x_0\n" in made[0].text


LONG = """
# ad: jacobian
def f(x: "Vector[{n}]"):
    out = [0.0] * {n}
    for i in range({n}):
        out[i] = x[i] * x[i - 1]
    return out
"""
CHECKPOINT = """
# ad: gradient
def f(x: float):
    # ad: checkpoint(snapshots=2)
    for i in range(4):
        x = x * x
    y = [x, x * x]
    for i in range(2):
        y[i] = y[i] * x
    return y[0] * y[1]
"""


@pytest.mark.parametrize("source", [LONG.format(n=60), CHECKPOINT])
def test_long_loops_and_those_that_are_marked_stay(source):
    assert generate(source) == generate(source, unroll=0).replace("unroll=0", "default")


def test_numbers_of_trips_have_no_names(made):
    assert "i = 0" not in made[1].text and "d[0] = x_1 - x_0" in made[1].text


def test_numbers_of_comprehensions_have_none_either():
    source = (
        "# ad: gradient\ndef f(a, b):\n    return sum(b * a**k for k in range(3))\n"
    )
    assert "k = " not in (text := generate(source)) and "b * (2.0 * a)" in text


def test_seeds_are_arrays_where_results_are():
    source = LONG.format(n=4).replace("jacobian", "vjp")
    assert "f_bar: ArrayLike" in generate(source)


def test_equal_items_are_one():
    assert "out_dot = [0.0] * 60" in generate(LONG.format(n=60))


def test_the_option_says_how_long():
    source = LONG.format(n=6)
    assert " for " not in generate(source, unroll=60)
    assert " for " in generate(source, unroll=20)
