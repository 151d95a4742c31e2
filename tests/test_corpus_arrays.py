"""Arrays of run-time length, differentiated: against forward mode by overloading.

Tangents are compared one by one, adjoints by <y_bar, J x_dot> = <J^T y_bar, x_dot>.
"""

from __future__ import annotations

import copy
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import duals
import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load, load_generated, run

sys.path.insert(0, str(Path(__file__).parent / "read"))

from test_arrays_read import POINTS, SOURCE

PLAIN = frozenset({"table"})  # powers of duals
NAMES = sorted(POINTS.keys() - PLAIN)


def flat(value: Any) -> list[Any]:
    """The numbers of a nest in order."""
    if isinstance(value, list | tuple | np.ndarray):
        return [x for item in value for x in flat(item)]
    return [value]


def shaped(like: Any, numbers: Iterator[float]) -> Any:
    """Numbers in the shape of a nest."""
    if isinstance(like, list | tuple | np.ndarray):
        return [shaped(item, numbers) for item in like]
    return next(numbers)


def modules() -> dict[str, ModuleType]:
    """A `math` and a `numpy` of duals."""
    made = duals.modules()
    made["math"].prod = __import__("math").prod  # type: ignore[attr-defined]
    made["math"].fsum = sum  # type: ignore[attr-defined]
    numpy = ModuleType("numpy")
    numpy.zeros = _zeros  # type: ignore[attr-defined]
    numpy.dot = np.dot  # type: ignore[attr-defined]
    return {**made, "numpy": numpy}


def _zeros(shape: Any) -> Any:
    found = np.empty(shape, dtype=object)
    found[...] = 0.0
    return found


def lifted(value: Any, slopes: Any) -> Any:
    """An argument with its slopes."""
    if not isinstance(value, list):
        return duals.Dual(value, slopes)
    found = _zeros(np.shape(value))
    for place in np.ndindex(found.shape):
        found[place] = duals.Dual(np.array(value)[place], np.array(slopes)[place])
    return found


def sources(kind: str) -> str:
    return re.sub(r"# ad:.*", f"# ad: {kind}", SOURCE)


@pytest.fixture(scope="module")
def generated() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in ("jvp", "vjp"):
        result = run(sources(kind), **NUMBERS)
        assert result.text is not None, result.diagnostics
        found |= load(result.text)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_tangents_and_adjoints(name: str, generated: dict[str, Any]) -> None:
    rng = np.random.default_rng(len(name))
    plain = load(SOURCE, modules())[name]
    for point in POINTS[name]:
        active = [k for k, v in enumerate(point) if isinstance(flat(v)[0], float)]
        dots = [shaped(point[k], iter(rng.normal(size=99))) for k in active]
        args = [np.array(v) if isinstance(v, list) else v for v in point]
        for k, slopes in zip(active, dots, strict=True):
            args[k] = lifted(point[k], slopes)
        result = plain(*args)
        slopes = [duals.dual(x).slope for x in flat(result)]
        last = max(active) + 1
        given = copy.deepcopy(point)
        value, tangent = generated[f"{name}_jvp"](*given[:last], *dots, *given[last:])
        assert flat(value) == [duals.dual(x).value for x in flat(result)]
        assert np.allclose(flat(tangent), slopes, rtol=1e-10, atol=1e-12)
        bar = shaped(result, iter(rng.normal(size=99)))
        _, adjoint = generated[f"{name}_vjp"](*given[:last], bar, *given[last:])
        assert given == point  # arguments are never changed
        one = sum(a * b for a, b in zip(flat(bar), slopes, strict=True))
        other = sum(a * b for a, b in zip(flat(adjoint), flat(dots), strict=True))
        assert abs(one - other) <= 1e-10 * (1 + abs(one)), (point, one, other)


TIES = """
# ad: gradient, hvp
def f(x: "Vector[n]"):
    return max(x) ** 2 + min(v * v for v in x)
"""


def test_all_that_are_equal_share_the_derivative_of_an_extreme() -> None:
    made = load_generated(TIES)
    assert flat(made["f_grad"]([2.0, 2.0, 2.0])) == [8.0 / 3.0] * 3
    assert flat(made["f_grad"]([3.0, 2.0, 3.0, 3.0])) == [2.0, 4.0, 2.0, 2.0]
    assert flat(made["f_grad"]([math.nan, 2.0]))[1] == 0.0
    product = flat(made["f_hvp"]([3.0, 1.0, 3.0], [1.0, 1.0, 0.0]))
    assert product == [0.5, 2.0, 0.5]


def test_a_sum_is_that_of_python() -> None:
    source = "# ad: gradient(value=True)\ndef f(x, n: int):\n    "
    text = generate(source + "return sum(x**k for k in range(n))\n")
    assert re.search(r"return sum\(.*, 0\.0\)", text)
    source = source.replace("(value=True)", "")
    assert "sum(" not in generate(source + "return sum(x**k for k in range(n))\n")


SHAPES = """
# ad: gradient
def f(x: "Vector[n]", A: "Matrix[n, 2]", k: "Vector[2, int]"):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * A[i, k[0]] * A[i, k[1]]
    return s
"""


@pytest.mark.parametrize("container", ["array", "tuple"])
def test_shapes_are_checked(container: str) -> None:
    result = run(SHAPES, container=container)
    assert result.text is not None
    assert ("numpy" in result.text) is (container == "array")
    grad = load(result.text)["f_grad"]
    x_bar, a_bar = grad([1, 2], [[1, 2], [3, 4]], [0, 1])
    assert flat(x_bar) == [2.0, 12.0] and flat(a_bar) == [2.0, 1.0, 8.0, 6.0]
    assert isinstance(x_bar, tuple if container == "tuple" else np.ndarray)
    for wrong in (
        ([1, 2, 3], [[1, 2], [3, 4]], [0, 1]),
        ([1, 2], [[1, 2, 3], [3, 4, 5]], [0, 1]),
        ([1, 2], [[1, 2], [3, 4]], [0, 1, 0]),
    ):
        with pytest.raises(ValueError, match=r"has shape .* not "):
            grad(*wrong)


def test_small_arrays_are_known_one_by_one() -> None:
    source = '# ad: hessian(x), gradient(A, packed=True)\ndef f(x: "Vector[2]", '
    source += (
        'A: "Matrix[2, 2]"):\n    return x[0] * x[1] * A[0, 1] + A[1][0] * x[-1]\n'
    )
    result = run(source)
    assert result.text is not None
    made = load(result.text)
    hess = made["f_hess"](np.array([1.0, 2.0]), [[1, 2], [3, 4]])
    assert hess.tolist() == [[0.0, 2.0], [2.0, 0.0]]
    with pytest.raises(ValueError, match=r"A has shape \(1, 2\), not \(2, 2\)"):
        made["f_hess"]([1.0, 2.0], [[1, 2]])


def test_packed_vectors_of_two_unknown_lengths_are_refused() -> None:
    source = 'def f(x: "Vector[n]", y: "Vector[m]"):\n    return x[0] * y[1]\n'
    result = run(f"# ad: gradient(packed=True)\n{source}")
    assert [d.code for d in result.diagnostics] == ["AD031"]
    assert result.diagnostics[0].help
