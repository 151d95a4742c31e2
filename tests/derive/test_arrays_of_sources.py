"""Sources with arrays of run-time length through the whole pipeline."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load, load_generated, run

from ad_transform.derive.explain import raw_graph
from ad_transform.read import read

CHAIN = """\
import math


# ad: MARKS
def chain(x: "Vector[n]", c: float):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = math.sin(y[i - 1]) * y[i] * c
    return y
"""

SPRINGS = """\
# ad: MARKS
def springs(x: "Vector[n]", k: float) -> float:
    energy = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[i - 1]
        if d > 0.3:
            energy += k * d * d
        else:
            energy += d**4
    return energy
"""

X, C, STEP = np.array([0.3, 0.9, -0.4, 0.7]), 1.3, 1e-6
WAYS = [*np.eye(4), None]


def differences(function):
    """The derivative of a function by x and c, a column for each of their elements."""

    def at(way, by):
        return function(X, C + by) if way is None else function(X + by * way, C)

    return np.column_stack([(at(w, STEP) - at(w, -STEP)) / (2 * STEP) for w in WAYS])


def made(source, *marks, **options):
    text = source.replace("MARKS", ", ".join(marks))
    return load(source), load_generated(text, **options)


def test_a_jacobian_has_a_row_for_every_element_of_the_result():
    plain, ours = made(CHAIN, "jacobian", "jacobian(value=True)")
    jacobian = ours["chain_jac"](X, C)
    assert jacobian.shape == (4, 5)
    assert jacobian == pytest.approx(differences(plain["chain"]), abs=1e-8)
    value, again = ours["chain_value_and_jac"](X, C)
    assert (value == plain["chain"](X, C)).all()
    assert (again == jacobian).all()


def test_a_hessian_is_symmetric_bit_for_bit():
    _, ours = made(SPRINGS, "gradient", "hessian", "hessian(value=True)")
    hessian = ours["springs_hess"](X, C)

    def gradient(x, c):
        return np.append(*ours["springs_grad"](x, c))

    assert hessian == pytest.approx(differences(gradient), abs=1e-8)
    assert (hessian == hessian.T).all()
    _, slopes, again = ours["springs_value_and_hess"](X, C)
    assert (again == hessian).all()
    assert (np.append(*slopes) == gradient(X, C)).all()


def test_a_matrix_of_tuples_needs_no_numpy():
    _, ours = made(SPRINGS, "hessian", container="tuple")
    _, arrays = made(SPRINGS, "hessian")
    hessian = ours["springs_hess"](tuple(X), C)
    assert type(hessian) is type(hessian[0]) is tuple
    assert (np.array(hessian) == arrays["springs_hess"](X, C)).all()
    assert "np" not in ours


def test_arguments_are_left_as_they_are():
    _, ours = made(CHAIN, "jacobian", "vjp")
    x, bar = X.copy(), np.ones(4)
    ours["chain_jac"](x, C)
    ours["chain_vjp"](x, C, bar)
    assert (x == X).all()
    assert (bar == 1.0).all()


def test_an_array_is_a_vertex_of_the_graph_as_written():
    first = 'def f(x: "Vector[n]", c: float):\n    return x[0] * c\n'
    source = f"# ad: gradient\n{first}"
    (request,) = read(source.encode(), "model.py").requests
    graph = raw_graph(request.function, ("x", "c"))
    assert len(graph.edges) == 3  # x to x[0], and both factors
    assert run(source).text


BUFFERS = """\
# ad: gradient
def heat(u0: "Vector[n]", c: float, steps: int) -> float:
    u = u0.copy()
    n = len(u0)
    for t in range(steps):
        w = u.copy()
        for i in range(1, n - 1):
            w[i] -= c * (u[i + 1] - 2.0 * u[i] + u[i - 1]) ** 2
        u = w
    return u[2]
"""


def test_the_length_of_an_adjoint_is_not_recorded():
    text = generate(BUFFERS, **ANY_ORDER)
    assert "size" not in text
    plain, ours = load(BUFFERS), load(text)
    x_bar, c_bar = ours["heat_grad"](X, 0.1, 3)
    above, below = (plain["heat"](X, 0.1 + s, 3) for s in (STEP, -STEP))
    assert c_bar == pytest.approx((above - below) / (2 * STEP), rel=1e-7)
    assert x_bar.shape == X.shape


POWER = """\
# ad: gradient
def f(x: "Vector[n]", b: float):
    j = 1
    return x[j**2] * b
"""


def test_a_power_of_whole_numbers_is_an_index():
    _, by_b = load_generated(POWER)["f_grad"]([0.5, 3.0], 2.0)
    assert by_b == 3.0


LATER = """\
# ad: gradient, hvp
def f(a: float, c: bool, x: "Vector[n]"):
    if c:
        if a > 0.5:
            return sum(v * v for v in x[1:])
    x[0] += a
    return x[0] * a
"""


@pytest.mark.parametrize(("a", "c"), [(0.7, True), (0.3, True), (0.7, False)])
def test_an_arm_that_reads_an_array_comes_before_what_changes_it(a, c):
    ours, left = load_generated(LATER), c and a > 0.5
    by_a = 0.0 if left else X[0] + 2.0 * a
    by_x = [0.0, *(2.0 * X[1:])] if left else [a, 0.0, 0.0, 0.0]
    got = ours["f_grad"](a, c, X)
    assert got[0] == pytest.approx(by_a) and got[1] == pytest.approx(by_x)
    bend = ours["f_hvp"](a, c, X, 1.0, np.zeros(4))
    assert bend[0] == pytest.approx(0.0 if left else 2.0)


TWO_ARMS = """\
# ad: gradient
def f(a: float, b: float, k: int, x: "Vector[n]"):
    d = a
    if k > 1:
        if b > 0.5:
            x[0] = -d
            total = a
            for v in x:
                total += v
            return total
        a = 0.0
    elif k > 0:
        x[0] = b
        return x[0] * x[1]
    return b if a > 0.0 else d
"""


INNER_ARMS = """\
# ad: gradient
def f(a: float, b: float, k: int, x: "Vector[n]"):
    if k > 1:
        if b > 0.5:
            for i in range(2):
                x[-1] = b * x[i]
            return x[0] * x[-1]
        elif b > 0.1:
            if b > a:
                return a * b
            x[-1] = a * a
            b = x[-1] * b
    elif k > 0:
        return a * x[0]
    a = 0.0
    return b
"""


@pytest.mark.parametrize("source", [TWO_ARMS, INNER_ARMS])
@pytest.mark.parametrize(
    ("b", "k"), [(0.7, 2), (0.45, 2), (0.2, 2), (0.2, 1), (0.2, 0)]
)
def test_what_an_arm_changes_forth_its_twin_does_not_read_in_another_arm(source, b, k):
    by_a, by_b, by_x = load_generated(source)["f_grad"](0.4, b, k, X)
    plain, ends = load(source)["f"], [0.4, b, *X]
    for way, slope in zip(np.eye(6) * STEP, (by_a, by_b, *by_x), strict=True):
        one, other = ends + way, ends - way
        moved = plain(*one[:2], k, one[2:]) - plain(*other[:2], k, other[2:])
        assert slope == pytest.approx(moved / (2 * STEP), abs=1e-9)


SEEDED = """\
# ad: vjp
def f(x: "Vector[n]", a: float, k: int):
    x[-1] = x[1] if a else a
    for i in range(k):
        x[0] -= a if i else k
    return x
"""


def test_a_seed_is_read_before_a_branch_on_the_way_back_changes_it():
    ours, bar = load_generated(SEEDED)["f_vjp"], np.array([0.5, -1.0, 2.0, 3.0])
    for a, k in ((0.7, 3), (0.0, 2), (0.7, 0)):
        _, (x_bar, a_bar) = ours(X, a, bar, k)
        moved = 3.0 if a else 0.0
        assert x_bar == pytest.approx([0.5, -1.0 + moved, 2.0, 0.0])
        assert a_bar == pytest.approx(3.0 - moved - 0.5 * max(k - 1, 0))


TWO_BRANCHES = """\
# ad: MARKS
def f(x: "Vector[2]", k: float) -> float:
    d = [k, x[0]]
    for i in range(2):
        d[1] -= d[0] / k
        if k > 1.5:
            break
    d[1] -= x[0] * x[0]
    if d[1] > -1.5:
        d[1] -= x[1] if d[1] > 0.5 else 0.75 * x[1]
    return d[0] + d[1]
"""


@pytest.mark.parametrize(("a", "k"), [(0.4, 1.3), (0.4, 1.7), (-1.1, 0.9)])
def test_a_branch_that_changes_an_adjoint_stands_behind_one_that_reads_it(a, k):
    """The one that reads it also reads what the other computes on the way forth."""
    plain, ours = made(TWO_BRANCHES, "gradient", unroll=0)
    at, step = np.array([a, 0.7, k]), 1e-6

    def f(p):
        return plain["f"](p[:2], p[2])

    slopes = [(f(at + w) - f(at - w)) / (2 * step) for w in step * np.eye(3)]
    assert np.append(*ours["f_grad"](at[:2], k)) == pytest.approx(slopes, abs=1e-8)
