"""Blocks of matrices that loops add to, or store: no trip copies the matrix, and no
record holds more than the block.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import in_c
import in_fortran
import numpy as np
import pytest
from support import flat, generate, load
from targets import Targets

SOURCE = """
import numpy as np


# ad: gradient(k, value=True), jvp(k), hvp(k)
def bars(k: "Vector[m]", x: "Vector[n]") -> float:
    n = len(x)
    K, F = np.zeros((n, n)), np.zeros(n)
    for e in range(len(k)):
        c = k[e] * k[e]
        K[e : e + 2, e : e + 2] += np.array([[c, -c], [-c, c]])
        F[e : e + 2] -= k[e] * np.array([0.5, 0.25])
    K[0, 0] += 1.0
    u = np.linalg.solve(K, F + x)
    return u @ x


# ad: vjp(A), jacobian(A)
def factors(A: "Matrix[n, n]"):
    n = len(A)
    A = A.copy()
    for k in range(n - 1):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return A


# ad: gradient(A, value=True), hvp(A)
def eliminated(A: "Matrix[n, n]", x: "Vector[n]"):
    n = len(x)
    A, b = A.copy(), np.sin(x)
    for k in range(n - 1):
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k:] -= f * A[k, k:]
            b[i] -= f * b[k]
    return b @ b + A[n - 1, n - 1]


# ad: gradient(x, value=True), jvp(x), vjp(x)
def shifted(x: "Vector[n]", c: float):
    n = len(x)
    w, s = np.zeros(n), 0.0
    w[: n - 1] = x[1:]
    for t in range(n - 3):
        w[t : t + 2] = w[t + 1 : t + 3] * c + w[t : t + 2]
        old = w[t : t + 2] * 2.0
        w[t + 1 : t + 3] = old
        s += old[0] * w[t + 1]
        w[t : t + 2] -= w[t + 1 : t + 3] * w[t : t + 2]
        if w[t] > 0.1:
            s += old[1]
    return w @ w + s


# ad: gradient(A, value=True), vjp(A), jvp(A)
def swept(A: "Matrix[n, n]", c: float):
    n = len(A)
    B = np.zeros((n + 1, n + 1))
    for t in range(1, n):
        B[t, :] = A[t] * c
        B[:t, t] = A[:t, t - 1] + B[t, :t]
        B[t - 1 : t + 1, t:] *= B[t, t]
        B[:t, :t] += c * B[1 : t + 1, 1 : t + 1]
        for i in range(t):
            B[i : i + 2, 1 : t + 1] = B[i : i + 2, 1 : t + 1] * A[i, t] + B[0, t]
        B[t:, :t] = np.sin(B[t:, :t])
        B[t - 1, : t + 1] -= B[: t + 1, t - 1]
    return np.sum(B * B)


# ad: gradient(x, value=True), jvp(x), vjp(x)
def advected(x: "Vector[n]", c: float):
    n, u = len(x), x.copy()
    for _ in range(2):
        flux = np.zeros(n + 1)
        for f in range(1, n):
            flux[f] = c * u[f - 1] + 0.1 * (u[f - 1] ** 2 - u[f] ** 2)
        flux[n] = c * u[n - 1]
        u -= 0.1 * (flux[1:] - flux[:-1])
    return u @ u


# ad: gradient(A, value=True), vjp(A)
def followed(A: "Matrix[n, n]", x: "Vector[n]"):
    path = np.zeros((4, len(x)))
    for k in range(4):
        x = x + np.sin(A @ x)
        path[k] = x
    return np.sum(path**2)


# ad: gradient(k, value=True), jvp(k), vjp(k)
def meshed(k: "Vector[m]", x: "Vector[n]", ends: "Matrix[m, 2, int]"):
    K, F = 3.0 * np.eye(len(x)), np.zeros(len(x))
    for e in range(len(k)):
        c = np.exp(k[e])
        d = ends[e]
        K[np.ix_(d, d)] += np.array([[c, -c], [-2.0 * c, c]])
        K[d[:, None], ends[0]] -= k[e] * np.outer(x[d], x[d])
        F[d] -= np.array([c, 2.0 * k[e]])
        F[ends[0]] = F[d] * x[d]
        np.add.at(F, d, np.array([c, c * c]))
    return F @ np.linalg.solve(K, x)
"""
SOURCE = SOURCE.replace("B[t, :] = A[t] * c", "B[t, :n] = A[t] * c")
NAMES = [
    "bars",
    "factors",
    "eliminated",
    "shifted",
    "swept",
    "advected",
    "followed",
    "meshed",
]
WITHOUT_COPIES = {*NAMES} - {"shifted", "swept", "meshed"}
"""The functions whose loops copy no array."""


@cache
def _targets() -> Targets:
    return Targets(SOURCE)


def _values(name: str, seed: int = 3) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    n, values = 5, {"k": rng.normal(size=4), "x": rng.normal(size=5), "c": 0.75}
    values["A"] = rng.normal(size=(n, n)) + 3.0 * np.eye(n)
    values["ends"] = np.array([[0, 1], [2, 2], [4, -1], [1, -4]])
    values |= {"k_dot": rng.normal(size=4), "x_dot": rng.normal(size=n)}
    values |= {"A_dot": rng.normal(size=(n, n)), "factors_bar": rng.normal(size=(n, n))}
    values |= {f"{one}_bar": 0.5 for one in NAMES if one != "factors"}
    wanted = load(SOURCE)[name].__code__.co_varnames
    count = load(SOURCE)[name].__code__.co_argcount
    return {**values, "of": wanted[:count]}


def _rise(function: Any, values: list[Any], place: int) -> np.ndarray[Any, Any]:
    """The derivative of all numbers that a function gives, along all of an argument."""
    x, h, found = values[place], 1e-6, []
    for at in np.ndindex(x.shape):
        ends = []
        for step in (h, -h):
            moved = x.copy()
            moved[at] += step
            given = [*values[:place], moved, *values[place + 1 :]]
            ends.append(np.array(flat(function(*given))))
        found.append((ends[0] - ends[1]) / (2.0 * h))
    return np.array(found).T


@pytest.mark.parametrize("name", NAMES)
def test_all_kinds_agree_with_differences_and_the_value_to_the_bit(name: str) -> None:
    plain, made = load(SOURCE)[name], load(_targets().text("math"))
    every = _values(name)
    values = [every[parameter] for parameter in every["of"]]
    place = next(p for p, one in enumerate(every["of"]) if one in ("k", "A", "x"))
    x_dot = every[f"{every['of'][place]}_dot"]
    slope = _rise(plain, values, place)
    value = flat(plain(*values))
    tried = 0
    for suffix in ("value_and_grad", "jac", "jvp", "vjp", "hvp"):
        function = made.get(f"{name}_{suffix}")
        if function is None:
            continue
        tried += 1
        if suffix == "value_and_grad":
            got, grad = function(*values)
            assert flat(got) == value
            assert grad.ravel() == pytest.approx(slope[0], rel=1e-6, abs=1e-6)
        elif suffix == "jac":
            assert function(*values).ravel() == pytest.approx(slope.ravel(), abs=1e-6)
        elif suffix == "vjp":
            bar = every[f"{name}_bar"]
            given = [*values[: place + 1], bar, *values[place + 1 :]]
            got, adjoint = function(*given)
            assert flat(got) == value
            wanted = np.array(flat(bar)) @ slope
            assert adjoint.ravel() == pytest.approx(wanted, rel=1e-6, abs=1e-6)
        else:
            given = [*values[: place + 1], x_dot, *values[place + 1 :]]
            got = function(*given)
            if suffix == "jvp":
                assert flat(got[0]) == value
                wanted = slope @ x_dot.ravel()
                assert flat(got[1]) == pytest.approx(list(wanted), rel=1e-6, abs=1e-6)
                continue
            grad = made[f"{name}_value_and_grad"]
            second = _rise(lambda *v, grad=grad: grad(*v)[1], values, place)
            wanted = second @ x_dot.ravel()
            assert flat(got) == pytest.approx(list(wanted), rel=1e-5, abs=1e-5)
    assert tried >= 2


def test_no_trip_copies_a_matrix() -> None:
    text = _targets().text("math")
    text = re.sub(
        r"(?s)\n\n\ndef factors_jac.*?\n\n\n", "\n\n\n", text
    )  # a column copies
    for body in re.split(r"\n\n\n", text):
        name = re.match(r"def (\w+)", body)
        if name is None or name[1].split("_")[0] not in WITHOUT_COPIES:
            continue
        copied = re.findall(r"(?m)^ {8,}.*(?:= np\.array\(\w+\)$|zeros_like)", body)
        assert not copied, (name[1], copied)


LINEAR = """
import numpy as np


# ad: gradient(k)
def work(k: "Vector[m]", u: "Vector[n]") -> float:
    K = np.zeros((len(u), len(u)))
    for e in range(len(k)):
        K[e : e + 2, e : e + 2] += k[e] * np.array([[1.0, -1.0], [-1.0, 2.0]])
    return u @ K @ u
"""


def test_a_gradient_that_needs_no_matrix_only_compares_its_lengths() -> None:
    text = generate(LINEAR)
    assert not re.search(r"(?m)^ +K\w*\[.*\] \+= |np\.array\(\[", text)
    u = np.array([0.5, -1.0, 2.0])
    wanted = [0.25 + 1.0 + 2.0, 1.0 + 4.0 + 8.0]
    slope = load(text)["work_grad"]
    assert slope([3.0, 4.0], u).tolist() == pytest.approx(wanted)
    with pytest.raises(ValueError, match="lengths differ in K"):
        slope([3.0, 4.0, 5.0], u)


def test_a_block_is_added_to_as_a_person_writes_it() -> None:
    text = _targets().text("math")
    assert re.search(r"\n        K\[e:e_plus_2, e:e_plus_2\] \+= ", text)
    assert re.search(r"\n        F\[e:e_plus_2\] -= ", text)
    assert re.search(r"\n            A_2\[i, k:\] -= f \* A", text)
    assert re.search(r"\n            A_bar\[k, k:\] -= ", text)
    assert re.search(r"\n        K\[d\[:, None\], d\] \+= ", text)
    assert re.search(r"\n        F\[d\] -= ", text)


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_compiled_languages_give_the_same(target: str, tmp_path: Path) -> None:
    made, python = _targets(), load(_targets().text("math"))
    text, derived = made.text(target), made.flat(target)
    if target == "c":
        functions: Any = in_c.functions(
            in_c.compiled([in_c.COUNTING + text], tmp_path)[0], derived
        )
    else:
        library = in_fortran.compiled(text, tmp_path)
        functions = in_fortran.functions(library, "model_grad", derived)
    for one in derived:
        every = _values(one.source)
        names = [p.name for p in one.function.parameters]
        values = {name: every[name] for name in names if name in every}
        wanted = flat(python[one.function.name](**values))
        given = {
            k: v.tolist() if hasattr(v, "tolist") else v for k, v in values.items()
        }
        got = flat(functions[one.function.name](given))
        assert got == pytest.approx(wanted, rel=1e-9, abs=1e-9), one.function.name
