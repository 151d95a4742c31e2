"""Vectors of arrays of run-time length (`packed=True`) in C and Fortran."""

from __future__ import annotations

from typing import Any

import in_c
import in_fortran
import numpy as np
import pytest
from support import flat, load
from targets import Targets

SOURCE = """
import numpy as np


# ad: gradient(x, s, t, packed=True), gradient(x, s, t, packed=True, value=True)
# ad: hvp(x, s, t, packed=True), jvp(x, s, t, packed=True), vjp(x, s, t, packed=True)
# ad: error(x, s, t, packed=True)
def lists(x: "Vector[n]", s: float, t: float):
    u = x.copy()
    for i in range(1, len(x)):
        u[i] += s * u[i - 1] ** 2
    return np.sum(np.tanh(u) * t)


# ad: gradient(A, x, s, packed="q", value=True), hvp(A, x, s, packed=True)
# ad: jvp(A, x, s, packed=True), vjp(A, x, s, packed=True)
def matrices(x: "Vector[n]", s: float, A: "Matrix[3, n]", y: "Vector[3]", k: int):
    return np.sum(np.tanh(A @ x) * y) + s * x[0] * k


# ad: gradient(A, w, packed=True), hvp(A, w, packed=True)
def layers(w: "Vector[n]", A: "Array[2, n, 3]", z: "Vector[n]", q: str):
    s = 0.0
    for i in range(len(w)):
        for j in range(3):
            if A[0, i, j] > 0.5:
                s += A[1, i, j] * w[i] * z[i]
            elif q == "x":
                s -= A[0, i, j] ** 3
    return s


def half(v, k):
    return v[::2] * k


# ad: gradient(x, y, packed=True, inline="never")
# ad: hvp(x, y, packed=True, inline="never")
def kept(x: "Vector[4]", y: "Matrix[n, 2]", k: int):
    w = half(y[:, 0], x[0])
    # ad: checkpoint(snapshots=2)
    for i in range(k):
        y = np.sin(y) * x[:2] + y[::-1] * x[2]
    return np.sum(y) + np.sum(w) * x[3]


# ad: jvp(x, y, packed=True), vjp(x, y, packed=True), jacobian(x, y, packed=True)
def several(x: "Vector[n]", y: "Vector[n]", z: "Vector[n]"):
    return x * y + z, np.sum(x)


# ad: gradient(x, b, packed=True, split=True)
def parted(x: "Vector[n]", b: float, z: "Vector[n]"):
    return np.sum(np.exp(z) * np.sqrt(z) * x**2) * b
"""
# fmt: off
SIZES = {
    "lists": (1, 2), "matrices": (4, 1), "layers": (7, 0), "kept": (2, 4),
    "several": (2, 0), "parted": (1, 1),
}
# fmt: on
"""How many numbers vectors have: so many times n, and so many."""
MADE = Targets(SOURCE)


@pytest.fixture(scope="module")
def library(tmp_path_factory: Any) -> Any:
    folder = tmp_path_factory.mktemp("c")
    return in_c.compiled([in_c.counted(MADE.text("c"))], folder)[0]


@pytest.fixture(scope="module", params=["c", "fortran"])
def functions(request: Any, tmp_path_factory: Any) -> Any:
    """The functions in a language, of arguments by name."""
    if request.param == "c":
        return in_c.functions(request.getfixturevalue("library"), MADE.flat("c"))
    folder = tmp_path_factory.mktemp("fortran")
    own = in_fortran.compiled(MADE.text("fortran"), folder, "-fcheck=all")
    return in_fortran.functions(own, "model_grad", MADE.flat("fortran"))


def arguments(one: Any, n: int) -> dict[str, Any]:
    """Arguments of a derived function."""
    times, more = SIZES[one.source]
    vector = 0.7 + 0.5 * np.sin(np.arange(float(times * n + more)))
    every: dict[str, Any] = {
        "p": vector,
        "q": vector if one.source == "matrices" else "x",
        "p_dot": np.cos(vector * 9.0),
        "y": np.array([0.5, -1.0, 2.0]),
        "z": np.cos(np.arange(float(n))) + 1.25,
        "k": 3,
    }
    bars = {"several_bar": [np.arange(1.0, n + 1.0), 0.5]}
    every |= {f"{one.source}_bar": bars.get(f"{one.source}_bar", 0.7)}
    wanted = {p.name for p in one.function.parameters}
    return {k: v for k, v in every.items() if k in wanted}


KINDS = {
    "lists": "grad value_and_grad hvp jvp vjp err",
    "matrices": "value_and_grad hvp jvp vjp",
    "layers": "grad hvp",
    "kept": "grad hvp",
    "several": "jvp vjp jac",
}
NAMES = [f"{name}_{kind}" for name in KINDS for kind in KINDS[name].split()]


def test_there_are_no_others() -> None:
    assert [one.function.name for one in MADE.derived] == [*NAMES, "parted_grad"]


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("name", NAMES)
def test_vectors_are_those_of_python(name: str, n: int, functions: Any) -> None:
    (one,) = (one for one in MADE.derived if one.function.name == name)
    at = arguments(one, n)
    wanted = flat(load(MADE.text("math"))[name](**at))
    listed = {k: _listed(v) for k, v in at.items()}
    near = 1e-2 if name.endswith("err") else 1e-13
    found = functions[name](listed | {"n": n})
    assert found == pytest.approx(wanted, rel=near, abs=1e-14)


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def test_the_length_of_a_part_stands_behind_the_vector() -> None:
    text = MADE.text("c")
    assert "\nvoid lists_grad(const double *p, int64_t n, double *grad) {\n" in text
    assert "// q holds A, x and s.\n" in text
    assert "// grad has 4 * n + 1 entries.\n" in text
    text = MADE.text("fortran")
    assert "  real(dp), intent(in) :: p(n + 2)\n" in text


def test_all_memory_is_given_back(library: Any) -> None:
    own = in_c.functions(library, MADE.flat("c"))
    values = {"p": [0.5] * 10, "k": 2, "n": 3}
    for most in range(20):
        library.ad_test_most(most)
        own["kept_grad"](values)
        assert library.ad_test_live() == 0
    library.ad_test_most(-1)


@pytest.mark.parametrize("n", [1, 4])
def test_a_setup_goes_with_it(n: int, functions: Any) -> None:
    (one,) = (one for one in MADE.derived if one.function.name == "parted_grad")
    own = load(MADE.text("math"))
    at = arguments(one, n)
    setup = own["parted_grad_setup"](0.5 + np.arange(float(n)))
    wanted = own["parted_grad"](at["p"], setup).tolist()
    given = {"p": at["p"].tolist(), "setup": setup.tolist(), "n": n}
    assert functions["parted_grad"](given) == pytest.approx(wanted, rel=1e-14)
