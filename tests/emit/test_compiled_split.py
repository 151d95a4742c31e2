"""Functions behind a setup in C and Fortran: arrays go from one into the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import in_c
import in_fortran
import numpy as np
from support import flat, load
from targets import Targets

from ad_transform.derive.kinds.kinds import Derived

SOURCE = """
import numpy as np


# ad: gradient(x, split=True), hvp(x, split=True)
def mixed(x: "Vector[n]", A: "Matrix[n, n]", p: float):
    B = np.linalg.inv(A + 5.0 * np.eye(len(x)))
    w = np.exp(-p) * (B @ x)
    return w @ w + np.sin(p) * x[0]


# ad: gradient(x, split=True)
def alone(x: "Vector[n]", A: "Matrix[m, n]"):
    return np.sum((np.exp(A) @ x) ** 2)


# ad: gradient(x, y, split=True)
def parts(x: "Vector[n]", y: float, d: "Vector[m]", e: "Vector[k]", b: bool, j: int):
    u = np.cumsum(d[d > 0.5])
    v = np.cumsum(e)
    s = np.sum(x) * np.sum(u) * y
    if b:
        s += np.sum(v * y) + u[-1] * v[j] * x[j]
    return s


# ad: gradient(x, split=True)
def chosen(x: "Vector[n]", d: "Matrix[m, k]", e: "Vector[m]"):
    u, v = d[d[:, 0] > 0.5], np.cumsum(e[e > 0.7])
    return np.sum(u @ x[:2]) ** 2 + np.sum(v) * x[1] ** 3 + v[-1] * u[0, 1] * x[0]
"""
X, D = [0.5, -1.25, 2.0], [0.25, 0.75, 1.5, 0.625]
ARGUMENTS: dict[str, dict[str, Any]] = {
    "mixed": {"x": X, "A": [[1.0, 0.5, 2.0], [0.25, 3.0, 1.0], X], "p": 0.75},
    "alone": {"x": X, "A": [[1.0, 0.5, 0.25], X]},
    "parts": {"x": X, "y": 1.5, "d": D, "e": D, "b": True, "j": 1},
    "chosen": {"x": X, "d": [[1.0, 0.5], [0.25, 3.0], [0.75, 1.5], X[:2]], "e": D},
}
SEEDS = {"x_dot": [1.0, 0.5, -2.0]}
MADE = Targets(SOURCE)


def setups() -> dict[str, Any]:
    """What the setup of each function gives in Python."""
    python = load(MADE.text("math"))
    found = {}
    for one in MADE.derived:
        given = {p.name for p in one.before[-1].parameters}
        values = ARGUMENTS[one.source]
        own = {name: value for name, value in values.items() if name in given}
        found[one.function.name] = python[one.before[-1].name](**own)
    return found


def in_two(derived: Derived) -> Iterator[Derived]:
    """A derived function and its setup, each as a function of its own."""
    rest: dict[str, Any] = {"before": (), "setup": "", "independents": ()}
    yield derived
    yield replace(derived, function=derived.before[-1], kind="expand", **rest)


def check(own: dict[str, Any]) -> None:
    python = load(MADE.text("math"))
    for name, setup in setups().items():
        source = name.partition("_")[0]
        values = ARGUMENTS[source] | (SEEDS if name.endswith("_hvp") else {})
        early = own[f"{name}_setup"](values)
        np.testing.assert_allclose(early, flat(setup), rtol=1e-14)
        taken = {
            *python[name].__code__.co_varnames[: python[name].__code__.co_argcount]
        }
        late = {key: value for key, value in values.items() if key in taken}
        wanted = flat(python[name](**late, setup=setup))
        lists = [x.tolist() if isinstance(x, np.ndarray) else x for x in _items(setup)]
        given = {**late, "setup": lists if isinstance(setup, tuple) else lists[0]}
        np.testing.assert_allclose(own[name](given), wanted, rtol=1e-13)


def _items(setup: Any) -> tuple[Any, ...]:
    return setup if isinstance(setup, tuple) else (setup,)


def test_c_gives_what_python_gives(tmp_path):
    text = MADE.text("c")
    (library,) = in_c.compiled([in_c.counted(text)], tmp_path)
    check(in_c.functions(library, [two for d in MADE.flat("c") for two in in_two(d)]))
    assert library.ad_test_live() == 0
    lines = "    const double *setup,\n    int64_t m,\n    double *grad\n"
    assert f"void alone_grad(\n    const double *x,\n    int64_t n,\n{lines}" in text


def test_fortran_gives_what_python_gives(tmp_path):
    library = in_fortran.compiled(MADE.text("fortran"), tmp_path)
    both = [two for d in MADE.flat("fortran") for two in in_two(d)]
    check(in_fortran.functions(library, "model_grad", both))
