"""Eigenvalues, eigenvectors and pseudo-inverses without numpy: in C, in Fortran, and in
Python with tuples for arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import in_c
import in_fortran
import numpy as np
import pytest
from amounts import NUMBERS
from support import case, flat, generate, load
from targets import Targets

from ad_transform.elementals.helpers import called

SOURCE = """
import numpy as np


# ad: gradient(A, value=True), jvp(A), vjp(A), hvp(A)
def spectrum(A: "Matrix[n, n]"):
    w, V = np.linalg.eigh(A)
    return np.sum(w**3) + np.sum(V[:, 0] ** 4) * w[0] + (V[0] * V[-1]) @ np.exp(w)


# ad: gradient(A, value=True), jvp(A)
def steps(A: "Matrix[n, n]", k: int):
    total = 0.0
    for _ in range(k):
        w = np.linalg.eigvalsh(A)
        total += w[-1] * np.sum(w * w)
        A = 0.9 * A + 0.01 * np.outer(w, w)
    return total


# ad: gradient(A, value=True), jvp(A), vjp(A), hvp(A)
def inverted(A: "Matrix[m, n]"):
    P = np.linalg.pinv(A)
    return np.sum(P**2) + np.sum(np.sin(P @ A)) + P[0, -1]


# ad: gradient(A, y, value=True), jvp(A, y), vjp(A, y), hvp(A, y)
def fitted(A: "Matrix[m, n]", y: "Vector[m]"):
    x = np.linalg.lstsq(A, y, rcond=None)[0]
    return np.sum(x**2) + np.sum((A @ x - y) ** 2)


# ad: jvp(t)
def spectra(A: "Matrix[n, n]", t: float):
    w, V = np.linalg.eigh(A)
    return w, V, t


# ad: jvp(t)
def inverse(A: "Matrix[m, n]", t: float):
    return np.linalg.pinv(A), t


# ad: jvp(t)
def solution(A: "Matrix[m, n]", y: "Vector[m]", t: float):
    return np.linalg.lstsq(A, y, rcond=None)[0], t
"""
SHAPES = [(1, 1), (5, 5), (4, 2), (2, 5), (9, 9)]
SQUARE = ("spectrum", "steps")
KINDS = dict.fromkeys(("spectrum", "inverted", "fitted"), "value_and_grad jvp vjp hvp")
KINDS["steps"] = "value_and_grad jvp"
NAMES = [f"{name}_{kind}" for name in KINDS for kind in KINDS[name].split()]
AT = {"t": 1.0, "t_dot": 0.0}
MADE = Targets(SOURCE)
Functions = dict[str, Callable[[dict[str, Any]], Any]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: Any) -> Any:
    folder = tmp_path_factory.mktemp("c")
    return in_c.compiled([in_c.counted(MADE.text("c"))], folder)[0]


@pytest.fixture(scope="module", params=["c", "fortran", "tuple"])
def functions(request: Any, tmp_path_factory: Any) -> Functions:
    """The functions in a language, of arguments by name."""
    if request.param == "c":
        own = request.getfixturevalue("library")
        return dict(in_c.functions(own, MADE.flat("c")))
    if request.param == "fortran":
        folder = tmp_path_factory.mktemp("fortran")
        made = in_fortran.compiled(MADE.text("fortran"), folder, "-fcheck=all")
        return dict(in_fortran.functions(made, "model_grad", MADE.flat("fortran")))
    text = generate(SOURCE, **NUMBERS, container="tuple")
    assert "import numpy" not in text
    return {k: _flat(f) for k, f in load(text).items() if callable(f)}


def _flat(function: Callable[..., Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda values: flat(function(**values))


def test_there_are_no_others() -> None:
    made = {f.function.name for f in MADE.derived if f.independents != ("t",)}
    assert made == {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_those_with_numpy(name: str, functions: Functions) -> None:
    own = load(MADE.text("math"))[name]
    for shape in SHAPES:
        if name.startswith(SQUARE) and len({*shape}) > 1:
            continue
        given = arguments(name, shape)
        plain = {k: v.tolist() if np.shape(v) else v for k, v in given.items()}
        found, wanted = functions[name](plain), flat(own(**given))
        with case(shape):
            np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10)


def arguments(name: str, shape: tuple[int, int]) -> dict[str, Any]:
    """What a function is given for matrices of a shape."""
    (one,) = (one for one in MADE.derived if one.function.name == name)
    m, n = shape
    random = np.random.default_rng(3)
    every = {"A": random.uniform(-1, 1, (m, n)), "y": random.uniform(-1, 1, m)}
    every |= {f"{k}_dot": random.uniform(-1, 1, v.shape) for k, v in every.items()}
    every |= {f"{one.source}_bar": 0.7, "k": 3}
    wanted = {p.name for p in one.function.parameters}
    return {k: v for k, v in every.items() if k in wanted}


@cache
def matrices(symmetric: bool) -> list[Any]:
    """Those of all ranks, with equal and very different singular values."""
    random = np.random.default_rng(7)
    found = []
    for n in (1, 2, 3, 6, 17):
        m = n if symmetric else n + 2
        A = random.normal(size=(m, n))
        B = random.normal(size=(m, 1)) @ random.normal(size=(1, n))
        scales = 10.0 ** random.uniform(-3, 3, n)
        found += [A, B, A * scales, np.eye(m, n), 0.0 * A]
        found += [1e200 * A, 1e-200 * A]
    if symmetric:
        return [A + A.T for A in found]
    return [*found, *(A.T for A in found)]


def test_eigenvectors_are_orthogonal(functions: Functions) -> None:
    for place, A in enumerate(matrices(symmetric=True)):
        with case(place):
            check_spectrum(A, functions)


def check_spectrum(A: Any, functions: Functions) -> None:
    """Eigenvalues in order, eigenvectors with a first sign."""
    n = len(A)
    given = {"A": A.tolist(), **AT}
    read = np.array(functions["spectra_jvp"](given)[: n * (n + 1)])
    w, V = read[:n], read[n:].reshape(n, n)
    size = max(np.max(np.abs(A)), 1e-300)
    near = {"rtol": 0.0, "atol": 1e-13}
    np.testing.assert_allclose(w / size, np.linalg.eigvalsh(A / size), **near)
    np.testing.assert_allclose(V.T @ V, np.eye(n), **near)
    np.testing.assert_allclose(V @ (w[:, None] / size * V.T), A / size, **near)
    assert np.all(np.diff(w) >= 0.0)
    firsts = [next(x for x in v if 2.0 * abs(x) > max(abs(v))) for v in V.T]
    assert min(firsts) > 0.0


def test_pseudo_inverses_are_those_of_numpy(functions: Functions) -> None:
    for place, A in enumerate(matrices(symmetric=False)):
        with case(place):
            check_inverse(A, functions)


def check_inverse(A: Any, functions: Functions) -> None:
    """The pseudo-inverse, and the least squares that it solves."""
    m, n = A.shape
    given = {"A": A.tolist(), **AT}
    found = np.array(functions["inverse_jvp"](given)[: m * n]).reshape(n, m)
    wanted = np.linalg.pinv(A)
    size, scale = np.max(np.abs(wanted), initial=1e-300), np.linalg.cond(A)
    limit = 1e-13 * (scale if scale < 1e12 else 1.0)
    np.testing.assert_allclose(found / size, wanted / size, rtol=0.0, atol=limit)
    y = np.cos(np.arange(float(m)))
    given |= {"y": y.tolist()}
    x = np.array(functions["solution_jvp"](given)[:n])
    least = np.linalg.lstsq(A / max(np.max(np.abs(A)), 1e-300), y, rcond=None)[0]
    size = max(np.max(np.abs(least)), 1e-300) / max(np.max(np.abs(A)), 1e-300)
    assert np.max(np.abs(x / size - wanted @ y / size)) <= limit * 10.0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_no_number_gives_none(bad: float, functions: Functions) -> None:
    given = {"A": [[1.0, 2.0], [bad, 1.0]], **AT}
    assert np.all(np.isnan(functions["spectra_jvp"](given)[:6]))
    assert np.all(np.isnan(functions["inverse_jvp"](given)[:4]))


def test_the_lower_triangle_is_read() -> None:
    full, half = [1.0, 2.0, 2.0, -1.0], [1.0, 9.0, 2.0, -1.0]
    assert called("_eigen", half, 2) == called("_eigen", full, 2)


def test_all_memory_is_given_back(library: Any) -> None:
    own = in_c.functions(library, MADE.flat("c"))
    A = np.cos(np.arange(9.0)).reshape(3, 3).tolist()
    for name in ("spectrum_value_and_grad", "inverted_value_and_grad"):
        for most in range(12):
            library.ad_test_most(most)
            own[name]({"A": A})
            assert library.ad_test_live() == 0
    library.ad_test_most(-1)
