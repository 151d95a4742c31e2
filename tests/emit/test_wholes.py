"""Whole arrays of run-time length in C and Fortran: what numpy computes."""

from __future__ import annotations

import re
from functools import cache
from math import isnan
from typing import Any

import in_c
import in_fortran
import numpy as np
import pytest
from support import flat, load, same_bits
from targets import Targets

from ad_transform.emit.wholes.rows import EVERY

SOURCE = """
import numpy as np
from scipy import special


# ad: gradient(x, value=True), hessian(x)
def logistic(x: "Vector[n]", A: "Matrix[m, n]", y: "Vector[m]"):
    p = 1.0 / (1.0 + np.exp(-(A @ x)))
    r = np.where(p > 0.5, p - y, 0.5 * y)
    return np.sum(r * r) + 0.1 * np.dot(x, x) + x[1:] @ x[:-1]


# ad: vjp(x)
def heat(x: "Vector[n]", steps: int):
    u = x.copy()
    if steps > 2:
        u[1:] *= np.cos(x[1:])
    for k in range(steps):
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u[-1] *= 0.5 if k % 2 == 0 else u[0]
    return u


# ad: jvp(x), vjp(x)
def parts(x: "Vector[n]", A: "Matrix[m, n]", y: "Vector[m]", i: "Vector[k, int]"):
    z = x[x > 0.7]
    B = A * x + y[:, None]
    C = B.T @ B - np.outer(x, x[::-1])
    w = np.roll(x, 2) * x[i[0]] + C[:, 1] + np.sum(B, axis=0) + np.diag(C)
    w[i] += np.tanh(w[i])
    w[w < 0.0] = 0.0
    return np.sum(z**2) * w, np.mean(B, axis=1) * np.max(B), np.cumsum(w)[-2]


# ad: gradient(x, value=True, inline="never"), jvp(x, inline="never")
def kept(x: "Vector[n]", A: "Matrix[m, n]"):
    y = scaled(A, x[0])
    return np.sum(y @ x) * total(y[0] * x)


def scaled(A, a):
    if a > 0.5:
        A = A * a
    return np.sin(A)


def total(y):
    if y[0] > 1.0:
        return np.sum(y * y)
    return y @ y


# ad: gradient(x)
def ordered(x: "Vector[n]", A: "Matrix[m, n]", y: "Vector[m]"):
    S = A @ A.T + np.eye(len(y))
    z = np.linalg.solve(S, y * x[0]) + np.linalg.inv(S)[1]
    t = np.median(x) + np.quantile(x * x, 0.3) + np.sort(x)[1] + np.linalg.det(S * x[1])
    u = np.interp(y, np.sort(x), x * x) @ np.linalg.cholesky(S * x[0])[2]
    w = np.gradient(np.convolve(x, y), 0.5)[1] * np.sum(np.convolve(y, x * x, "same"))
    return z @ z + t * u + w + np.linalg.slogdet(S * x[2])[1]


# ad: gradient(x)
def lines(x: "Vector[n]", A: "Matrix[m, n]"):
    B = np.sort(A * x, axis=0) + np.cumprod(A + x, axis=0)
    c = np.mean(B > 0.5, axis=1) @ B + np.sum(B > 0.1, axis=0) * x
    return np.sum(np.sort(B, axis=1) @ x) + c @ x + np.prod(B, axis=0) @ x


# ad: shapes(T=[h, i, j]), gradient(T)
def layers(T):
    s = np.sum(T, axis=1)
    t = np.mean(T, axis=(0, 2)) ** 3
    return np.sum(s * s) + np.sum(t) + np.sum(np.max(T, axis=2))


# ad: shapes(T=[h, i, j]), gradient(A, T, value=True)
def pairs(A: "Matrix[m, n]", T):
    D = A[:, None, :] - 0.5 * A[None]
    S = T @ np.swapaxes(T, 1, 2) + T.sum(axis=(1, 2), keepdims=True)
    return np.sum(np.exp(-np.sum(D**2, axis=-1))) + np.sum(np.sin(S))


# ad: shapes(T=[h, i, j]), jvp(T), vjp(T)
def moved(T):
    return T.transpose(2, 0, 1) * T[0, 0, 0]


# ad: jacobian(x, y)
def two(x: "Vector[n]", y: "Vector[m]"):
    return x @ x + y[0] * y[1], np.kron(x, y * y) * x[0]


# ad: jvp(x), jacobian(x)
def some(x: "Vector[n]"):
    u = []
    for v in x:
        if v > 0.7:
            u.append(v * x[0])
    return u, np.outer(x[x < 0.9], x), x[1]


# ad: error(A)
def doubtful(A: "Matrix[m, n]", x: "Vector[n]"):
    S = A[:, :3] + np.eye(len(A))
    return np.std(A * x, axis=1), np.linalg.det(S)


# ad: gradient(x)
def tails(x: "Vector[n]", y: "Vector[m]"):
    z = special.digamma(x) * special.log_ndtr(-x) + special.betaln(x, x + y[0])
    t = special.digamma(-1.5 * x[1]) + special.log_ndtr(-9.0 * x[0])
    return np.sum(z) + t * special.erfinv(x[0]) * special.ndtri(0.01 * x[1])


# ad: gradient(x, y), jvp(x, y)
def both(x: "Vector[n]", y: "Vector[m]"):
    v = np.concatenate([x, np.sin(y)])
    return v @ v + v[0] * v[-1]


# ad: gradient(x)
def grown(x: "Vector[n]", i: "Vector[k, int]"):
    v = np.concatenate([x, np.linspace(x[0], 2.0, len(i))]) ** 0.5
    total = 0.0
    for k in i:
        v = v[:-1] * x[k]
        total += np.sum(v) / np.linalg.norm(v)
    return total + np.prod(x) * np.argmax(x) + np.trace(np.tril(np.outer(x, x), -1))


# ad: gradient(z)
def placed(z: "Vector[l]", i: "Vector[k, int]"):
    s = np.linspace(-7.0, 5.0, len(z))
    last = np.sum(np.where(np.interp(z, s, s) >= 5.0, 1.0, 0.0))
    first = z[0] * (np.argmax(z[1:]) + 10.0 * np.argmin(z[1:]) + 100.0 * last)
    line = np.sort(z)
    for x in (z[0], z[2]):
        first += z[3] * np.searchsorted(line, x) ** 2
        first += z[3] * np.searchsorted(line, x, side="right") ** 3
    return first + 1000.0 * np.argsort(i)[0] * z[0] + np.argsort(z)[-2] * z[1]
"""
POINTS: dict[str, dict[str, Any]] = {
    "x": {"x": 0.7 + 0.3 * np.sin(np.arange(5.0) + 1.0)},
    "A": {"A": np.cos(np.arange(15.0)).reshape(3, 5)},
    "y": {"y": np.array([0.25, 0.75, 1.5])},
    "i": {"i": np.array([1, -1, 3])},
    "steps": {"steps": 3},
    "T": {"T": np.sin(np.arange(24.0)).reshape(2, 3, 4)},
    "z": {"z": np.array([2.0, -1.0, np.nan, 5.0, np.nan, -7.0])},
}
SEEDS = {
    "heat": np.cos(np.arange(5.0)),
    "parts": (np.ones(5), np.arange(3.0), 0.5),
    "moved": np.cos(np.arange(24.0)).reshape(4, 2, 3),
}


MADE = Targets(SOURCE)


@cache
def python() -> dict[str, Any]:
    return load(MADE.text("math"))


def arguments(made: Any) -> dict[str, Any]:
    """Numbers for the parameters of a derivative, its seeds among them."""
    known = {name: value[name] for name, value in POINTS.items()}
    known["x_dot"] = np.sin(np.arange(5.0))
    known["y_dot"] = np.cos(np.arange(3.0))
    known["T_dot"] = np.cos(np.arange(24.0)).reshape(2, 3, 4)
    names = [p.name for p in made.function.parameters]
    return {name: known.get(name, SEEDS.get(made.source)) for name in names}


def listed(value: Any) -> Any:
    """Arrays as lists."""
    if isinstance(value, tuple):
        return [listed(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def lists(made: Any) -> dict[str, Any]:
    """The same, arrays as lists."""
    return {name: listed(value) for name, value in arguments(made).items()}


def check(language: str, functions: Any) -> None:
    """See that the functions of a library give what those in Python give."""
    for made in MADE.derived:
        name = made.function.name
        wanted = [float(v) for v in flat(python()[name](**arguments(made)))]
        own = functions[name](lists(made))
        assert own == pytest.approx(wanted, rel=1e-13, abs=1e-15), name


NEAR = (-2.5, -1.5, -0.75, -0.5, -0.0, 0.25, 0.5, 1.5, 1e300, np.inf, -np.inf, np.nan)


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "rint"])
def test_what_is_nearest_is_what_numpy_gives(name):
    compute = EVERY[f"{name}_of"].compute
    assert all(same_bits(compute(x), float(getattr(np, name)(x))) for x in NEAR)


def test_what_is_in_order_is_what_numpy_gives():
    numbers = [2.0, np.nan, -1.0, 2.0, np.inf, 0.5, np.nan, -1.0]
    assert EVERY["sorting"].compute(numbers) == [*np.argsort(numbers, kind="stable")]
    line, places = [*np.sort(numbers)], (-2.0, -1.0, 1.0, 2.0, 9.0, np.nan)
    for name, side in (("before", "left"), ("behind", "right")):
        found = [EVERY[name].compute(line, x) for x in places]
        assert found == [*np.searchsorted(line, places, side)]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("c")
    return in_c.compiled([in_c.counted(MADE.text("c"))], folder, "-O0")[0]


def test_lengths_are_counted_from_those_with_names():
    assert "n_minus_2 = n - 2;" in MADE.text("c")


def test_a_number_is_not_asked_whether_it_is_nan():
    assert not re.search(r"\b(\d\S*) != \1", MADE.text("c"))


def test_in_c(library):
    check("C", in_c.functions(library, MADE.flat("c")))
    assert library.ad_test_live() == 0


def test_one_block_that_is_missing_ends_it(library):
    own = in_c.functions(library, MADE.flat("c"))
    for made in MADE.flat("c"):
        run, given = own[made.function.name], lists(made)
        library.ad_test_miss(-1)
        assert not any(map(isnan, run(given)))
        for place in range(library.ad_test_miss(-1)):
            library.ad_test_miss(place)
            assert all(map(isnan, run(given))), (made.function.name, place)
    assert library.ad_test_live() == 0
    library.ad_test_miss(-1)


def test_in_fortran(tmp_path):
    library = in_fortran.compiled(MADE.text("fortran"), tmp_path, "-O0")
    check("Fortran", in_fortran.functions(library, "model_grad", MADE.flat("fortran")))
