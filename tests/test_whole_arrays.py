"""Arithmetic on whole arrays: derivatives against those of sixty digits."""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import exact_numpy
import natural_arrays
import numpy as np
import pytest
from amounts import LONG, NUMBERS, part
from mpmath import mp, mpf
from support import generate, load, load_generated, run

SOURCES = {"known": natural_arrays.of_known_shapes(), "open": natural_arrays.SOURCE}
NAMES = re.findall(r"(?m)^def (\w+)", natural_arrays.SOURCE)
STEP = mpf(10) ** -20
CLOSE: dict[str, Any] = {"rel": 1e-11, "abs": 1e-12}
KINDS = {"known": "jvp", "open": "jvp, hvp"}
SWEPT = dict(zip(NAMES, itertools.cycle(("gradient", "vjp"))))
"""What is swept alike: each has one of the two in turn, or both."""
BENT = part(NAMES, 3)
"""Those whose Hessian is made, too."""


@cache
def generated(shapes: str) -> dict[str, Any]:
    source = SOURCES[shapes]
    for name in part(NAMES, 3) if shapes == "known" else NAMES:
        kinds = f"{KINDS[shapes]}, {'gradient, vjp' if LONG else SWEPT[name]}"
        kinds += ", hessian" * (shapes == "open" and name in BENT)
        source = source.replace(f"def {name}(", f"# ad: {kinds}\ndef {name}(")
    result = run(source, **NUMBERS)
    assert result.text is not None, result.diagnostics
    return load(result.text)


@cache
def plain() -> dict[str, Any]:
    return load(natural_arrays.SOURCE)


@cache
def precise() -> dict[str, Any]:
    return load(natural_arrays.SOURCE, exact_numpy.modules())


def numbers(value: Any) -> list[Any]:
    """The numbers of a nest in order."""
    if isinstance(value, list | tuple | np.ndarray):
        return [x for item in value for x in numbers(item)]
    return [value]


def arguments(function: Callable[..., Any], scale: float) -> list[Any]:
    """Numbers for the parameters, as their annotations want them."""
    found: list[Any] = []
    parameters = inspect.signature(function).parameters.values()
    for seed, parameter in enumerate(parameters):
        dims = re.findall(r"\b[nmk]\b", str(parameter.annotation))
        shape = [natural_arrays.SIZES[d] for d in dims]
        made = 0.7 + scale * np.sin(
            1.0 + 1.7 * np.arange(np.prod(shape, dtype=int)) + seed
        )
        found.append(made.reshape(shape) if shape else float(made[0]))
    return found


def along(
    function: Callable[..., Any], at: list[Any], way: list[Any]
) -> Callable[[Any], Any]:
    """The function of a number that goes along a straight line."""
    start = [exact_numpy.lifted(a) for a in at]
    step = [exact_numpy.lifted(a) for a in way]
    return lambda t: function(*(a + t * w for a, w in zip(start, step, strict=True)))


@pytest.mark.parametrize("name", part(NAMES, 3))
def test_first_derivatives_of_known_shapes(name: str) -> None:
    check_first(generated("known"), name)


@pytest.mark.parametrize("name", NAMES)
def test_first_derivatives_of_run_time_shapes(name: str) -> None:
    check_first(generated("open"), name)


@pytest.mark.parametrize("name", NAMES)
def test_second_derivatives_of_run_time_shapes(name: str) -> None:
    at, way = (arguments(plain()[name], scale) for scale in (0.4, -0.3))
    line = along(precise()[name], at, way)
    with mp.workdps(80):
        bend = (line(STEP) - 2 * line(mpf(0)) + line(-STEP)) / STEP**2
    product = numbers(generated("open")[f"{name}_hvp"](*at, *way))
    assert np.dot(product, numbers(way)) == pytest.approx(float(bend), **CLOSE)
    if name not in BENT:
        return
    H = generated("open")[f"{name}_hess"](*at)
    assert np.array_equal(H, H.T)
    assert (H @ numbers(way)).tolist() == pytest.approx(product, **CLOSE)


def check_first(made: dict[str, Any], name: str) -> None:
    """Value, tangent, adjoint and gradient of a function."""
    function = plain()[name]
    at, way = arguments(function, 0.4), arguments(function, -0.3)
    line = along(precise()[name], at, way)
    with mp.workdps(60):
        slope = float((line(STEP) - line(-STEP)) / (2 * STEP))
    value, tangent = made[f"{name}_jvp"](*at, *way)
    assert value == pytest.approx(function(*at), rel=1e-13)
    assert tangent == pytest.approx(slope, **CLOSE)
    if f"{name}_vjp" in made:
        again, adjoint = made[f"{name}_vjp"](*at, 1.0)
        assert again == pytest.approx(value, **CLOSE)
        assert np.dot(numbers(adjoint), numbers(way)) == pytest.approx(slope, **CLOSE)
    if f"{name}_grad" in made:
        gradient = numbers(made[f"{name}_grad"](*at))
        assert np.dot(gradient, numbers(way)) == pytest.approx(slope, **CLOSE)


LOOPS = """
import numpy as np


def stencil(u: "Vector[n]", c: float, steps: int):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u[0] = u[1]
        u[-1] *= 0.5
    return u @ u


def layers(A: "Matrix[n, n]", x: "Vector[n]", k: int):
    h = A @ x
    for i in range(k):
        if i > 1:
            h = np.maximum(h, 0.0)
        else:
            h = np.tanh(h) + x[i] * h
    return np.sum(h) + sum(x)
"""
STEPS = {
    "stencil": (np.sin(np.arange(6.0)), 0.2),
    "layers": (np.eye(3) + 0.3, np.ones(3)),
}


SMALL = 2.0**-17
"""A step of differences in doubles."""


@pytest.mark.parametrize("count", [0, 3])
@pytest.mark.parametrize("name", STEPS)
def test_whole_arrays_go_through_loops(name: str, count: int) -> None:
    source = LOOPS.replace(f"def {name}(", f"# ad: gradient, jvp\ndef {name}(")
    plain, made, at = load(source)[name], load_generated(source), STEPS[name]
    gradient = made[f"{name}_grad"](*at, count)
    way = [np.cos(np.asarray(a)) for a in at]
    value, tangent = made[f"{name}_jvp"](*at, *way, count)
    ahead, here, back = (
        plain(*(a + t * w for a, w in zip(at, way, strict=True)), count)
        for t in (SMALL, 0.0, -SMALL)
    )
    assert value == pytest.approx(here, rel=1e-13)
    assert tangent == pytest.approx((ahead - back) / (2.0 * SMALL), rel=1e-8)
    assert np.dot(numbers(gradient), numbers(way)) == pytest.approx(tangent, rel=1e-12)
    assert [np.shape(g) for g in gradient] == [np.shape(a) for a in at]


CHANGED = """
    y = x[1:]
    y += 1.0
    return x @ x
---
    y = x * 1.0
    z = y if k > 0 else x * 2.0
    z += x
    return y @ z
"""


@pytest.mark.parametrize("body", CHANGED.split("---\n"))
def test_an_array_that_may_have_two_names_is_not_changed(body: str) -> None:
    source = (
        f'import numpy as np\n# ad: gradient\ndef f(x: "Vector[n]", k: int):\n{body}'
    )
    assert [d.code for d in run(source).diagnostics] == ["AD124"]


def test_lengths_are_checked_where_only_the_run_knows_them() -> None:
    source = 'def f(x: "Vector[n]", y: "Vector[m]"):\n    return x @ y\n'
    made = load_generated(f"# ad: gradient\n{source}")
    with pytest.raises(ValueError, match="lengths differ in x @ y: 3 and 2"):
        made["f_grad"](np.ones(3), np.ones(2))
    bound = made["f_grad"](np.ones(3), (given := np.arange(3.0)))
    assert not any(np.shares_memory(g, given) for g in bound)


ARMS = """
import numpy as np


# ad: gradient(t)
def f(x: "Vector[n]", t: float, k: int):
    if k > 1:
        u = np.sum(x[:, None] * t)
    else:
        u = t
    return u * t
"""


@pytest.mark.parametrize(("k", "slope"), [(2, 24.0), (1, 4.0)])
def test_arrays_in_an_arm_alone_are_swept(k: int, slope: float) -> None:
    found = load_generated(ARMS)["f_grad"](np.array([1.0, 2.0, 3.0]), 2.0, k)
    assert found == pytest.approx(slope)


def test_a_number_is_looked_up_among_constants() -> None:
    """Its derivative is by numbers alone, and goes through arrays."""
    text = "import numpy as np\n\n\n# ad: jacobian\ndef f(s: float):\n"
    body = "    return np.interp(s, [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]), s * s\n"
    jacobian = load(generate(text + body, **NUMBERS))["f_jac"]
    assert jacobian(0.5).tolist() == [[2.0], [1.0]]
    assert jacobian(1.5).tolist() == [[-1.0], [3.0]]


FACTORS = """    L, U = linalg.cholesky(A, lower=True), linalg.cholesky(A * x[0])
    z = linalg.solve_triangular(L, x, lower=True) + linalg.solve_triangular(U, x)
    return z @ linalg.solve(A, x) * linalg.det(A) + linalg.inv(A)[0, 1]
"""


def test_factors_of_known_shape_are_those_of_open_shape() -> None:
    """As scipy has them; those of open shape stand in `whole_bodies.txt`."""
    x, A = [0.7, 1.3, 0.4], [[3.0, 0.5, 0.2], [0.5, 2.0, 0.4], [0.2, 0.4, 1.5]]
    found = []
    for n in ("n", "3"):
        head = f'def f(x: "Vector[{n}]", A: "Matrix[{n}, {n}]"):\n{FACTORS}'
        text = f"from scipy import linalg\n\n\n# ad: gradient(x, A)\n{head}"
        found.append(numbers(load(generate(text, **NUMBERS))["f_grad"](x, A)))
    assert found[0] == pytest.approx(found[1], rel=1e-12)
