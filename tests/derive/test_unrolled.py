"""Small loops over lists of known length are written out where that is cheaper."""

from typing import Any

import numpy as np
import pytest
from amounts import ANY_ORDER, QUICK, only_long
from support import generate, load, load_generated, run

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
AS_LOOPS = {
    "product_value_and_jac": 14,
    "energy_grad": 12,
    "energy_hess": 21,
    "energy_hvp": 14,
    "energy_vjp": 20,
    "energy_packed": 12,
    "blurred_jac": 11,
}
POINTS = {
    "product": ([[0.3, -0.4], [1.5, 2.1]], [1.7, 0.6]),
    "energy": ([0.3, 1.2, -0.7],),
    "energy_hvp": ([0.3, 1.2, -0.7], [0.1, 0.2, 0.3]),
    "energy_vjp": ([0.3, 1.2, -0.7], 1.5),
    "blurred": ([0.3, 1.2, -0.7, 0.4, 0.9, 1.1, 5.0],),
}


def flat(value: Any) -> list[float]:
    if not isinstance(value, tuple | list | np.ndarray):
        return [float(value)]
    return [number for item in value for number in flat(item)]


@pytest.fixture(scope="module")
def made() -> tuple[Result, Result]:
    """Written out, and with loops and lists."""
    return run(SOURCE, **QUICK), run(SOURCE, unroll=0, **QUICK)


def test_what_is_written_out_has_no_more_operations(made):
    counts = [{d.function.name: d.counts.total for d in one.derived} for one in made]
    assert counts == [TOTALS, AS_LOOPS]
    assert all(total <= AS_LOOPS[name] for name, total in TOTALS.items())


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
    assert " for " in generate(source, unroll=12)


ELIMINATION = """
import numpy as np

# ad: {kind}(unroll={most})
def gauss(A: "Matrix[3, 3]", b: "Vector[3]"):
    A, x, n = A.copy(), b.copy(), len(b)
    for k in range(n):
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k:] -= f * A[k, k:]
            x[i] -= f * x[k]
    for k in range(n - 1, -1, -1):
        x[k] = (x[k] - A[k, k + 1 :] @ x[k + 1 :]) / A[k, k]
    return x
"""


@pytest.mark.parametrize(
    "kind", ["vjp", "jvp", pytest.param("jacobian", marks=only_long)]
)
def test_slices_in_nested_loops_are_written_out(kind):
    sources = (ELIMINATION.format(kind=kind, most=n) for n in (300, 0))
    texts = [generate(source, **ANY_ORDER) for source in sources]
    assert " for " not in texts[0] and "raise" not in texts[0].partition("f = ")[2]
    A, b = [[4.0, 1.0, 2.0], [1.0, 5.0, 1.5], [0.5, 1.0, 6.0]], [1.0, -2.0, 3.0]
    given = {"vjp": (A, b, b), "jvp": (A, b, A, b), "jacobian": (A, b)}[kind]
    name = {"vjp": "gauss_vjp", "jvp": "gauss_jvp", "jacobian": "gauss_jac"}[kind]
    one, other = (load(text)[name](*given) for text in texts)
    assert type(one[1]) is type(other[1])
    assert flat(one) == pytest.approx(flat(other), rel=1e-13, abs=1e-15)
    if kind != "jacobian":
        assert np.allclose(one[0], np.linalg.solve(A, b), rtol=1e-13)


WHOLE = """
import numpy as np

# ad: vjp
def f(A: "Matrix[3, 4]", x: "Vector[4]"):
    A, y = A.copy(), np.zeros(3)
    for k in range(1, 4):
        A[k - 1, :k] += A[1:, k].sum() * x[:k] - A[k - 1, :k].T
        A[:, k] = A[:, k] / np.outer(x[:k], x[k:]).sum()
        B = A[:, :k] @ A[:k, :k].T if k < 3 else A[:, :3]
        y[:k] = y[:k][::-1] + (A[:k] @ x) * B[0, 0] + A[:, :k].sum(axis=0)
    return y
"""


def test_what_is_computed_with_whole_arrays_is_written_out():
    texts = [generate(WHOLE, unroll=n, **ANY_ORDER) for n in (1000, 0)]
    assert " for " not in texts[0] and " for " in texts[1]
    A = [[0.5, -0.7, 1.1, 0.3], [0.2, 0.9, -0.4, 0.8], [1.3, 0.1, 0.6, -0.2]]
    given = (A, [0.3, 1.2, -0.7, 0.9], [1.0, -2.0, 0.5])
    one, other = (flat(load(text)["f_vjp"](*given)) for text in texts)
    assert one == pytest.approx(other, rel=1e-13, abs=1e-14)


def test_the_sum_of_no_items_is_zero():
    source = """\
# ad: gradient(value=True)
def f(x: float) -> float:
    items = [x, x * x, 2.0 * x]
    total = 0.0
    for i in range(3):
        if len(items) > 1:
            total = total + items.pop()
        total = total + sum(items[1:])
    return total * x
"""
    value, slope = load_generated(source)["f_value_and_grad"](1.5)
    assert (value, slope) == (1.5**2 * (2.0 + 2.0 * 1.5), 4.0 * 1.5 + 6.0 * 1.5**2)
