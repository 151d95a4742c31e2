"""Loops over arrays that hold few of their states, in C and Fortran."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import in_c
import in_fortran
import numpy as np
import pytest
from support import ORIGIN, flat, load

from ad_transform.diagnostics import Listing
from ad_transform.emit.compiled.wholes.flattening import flattened
from ad_transform.options import Options
from ad_transform.run.deriving import derive_all
from ad_transform.run.printing import print_all

# Each has `u`, a vector of run-time length, `k` and a number of steps.
BODIES = {
    "elements": """\
    v = u.copy()
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        for i in range(1, len(v) - 1):
            v[i] = v[i] + k * (v[i - 1] - 2.0 * v[i] + v[i + 1]) * v[i]
    return float(np.sum(v * v))
""",
    "two_lists": """\
    old = u.copy()
    new = np.zeros(len(u))
    # ad: checkpoint(snapshots=2)
    for s in range(steps):
        for i in range(1, len(u) - 1):
            new[i] = old[i] + k * (old[i + 1] - 2.0 * old[i] + old[i - 1]) * old[i]
        new[0] = old[0]
        new[-1] = old[-1]
        old, new = new, old
    t = 0.0
    for i in range(len(u)):
        t += old[i] ** 2 + 0.1 * new[i]
    return t
""",
    "history": """\
    hist = [u[0]]
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        hist.append(hist[-1] + k * np.sin(hist[-1]) * u[s % len(u)])
    return hist[-1] * hist[len(hist) // 2]
""",
    "tested": """\
    v = u.copy()
    trips = 0
    # ad: checkpoint(snapshots=3)
    while trips < steps:
        trips += 1
        for i in range(len(v)):
            v[i] -= k * v[i] ** 2
        if max(v) < 0.2:
            break
    return v[0] * trips + v[-1]
""",
    "nested": """\
    v = u.copy()
    t = 0.0
    # ad: checkpoint(snapshots=2)
    for s in range(steps):
        # ad: checkpoint(snapshots=2)
        for q in range(s % 4):
            v[q % len(v)] += k * v[0] * v[1]
        t += v[0]
    return t * v[2]
""",
    "rows": """\
    rows = [[0.0] * len(u) for _ in range(steps + 1)]
    for i in range(len(u)):
        rows[0][i] = u[i]
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        for i in range(len(u)):
            rows[s + 1][i] = rows[s][i] + k * rows[s][i - 1] ** 2
    return rows[steps][0] * rows[steps // 2][1]
""",
    "whole": """\
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        u = u + k * np.sin(np.roll(u, 1))
    return np.sum(u * u)
""",
    "matrix": """\
    A = np.outer(u, u[1:])
    t = 0.0
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        A = A[::-1] * k + np.sin(A) - 0.1 * u[:, None]
        t += A[0, 1]
        A[1:] *= 0.9
    return np.sum(A * A) + t
""",
    "in_a_loop": """\
    t = 0.0
    for q in range(3):
        # ad: checkpoint(snapshots=2)
        for s in range(steps):
            u = u[::-1] * k + np.sin(u)
            t += u[0] * s
        u = u - 0.1
    return np.sum(u * u) * t
""",
    "tested_whole": """\
    # ad: checkpoint(snapshots=3)
    while np.sum(u) > 0.5 and steps > 0:
        u = u - 0.1 * k * u * u
        steps -= 1
    return np.sum(u * u)
""",
}
KINDS = "gradient(u, k), jvp(u, k), vjp(u, k), hvp(u, k)"
HEAD = "# ad: {}\ndef {}(u: 'Vector[n]', k: float, steps: int):\n"
SOURCE = "import numpy as np\n\n\n" + "\n\n".join(
    HEAD.format(KINDS, name) + body for name, body in BODIES.items()
)
U = [0.4, 0.9, 0.6, 0.7]
SEEDS = {"u_dot": [0.5, -1.0, 0.25, 2.0], "k_dot": 0.5}


@cache
def derived() -> Any:
    return derive_all(SOURCE.encode(), "model.py", Options(effort=0), Listing())


@cache
def text_in(target: str) -> str:
    reading, made, _ = derived()
    return print_all(reading, made, ORIGIN, replace(Options(effort=0), target=target))


def flat_in(target: str) -> list[Any]:
    return [flattened(one, target)[0] for one in derived()[1]]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("c")
    (found,) = in_c.compiled([in_c.counted(text_in("c"))], folder)
    return found


def check(functions: Any) -> None:
    """See that all give what Python gives."""
    own = load(text_in("math"))
    for one in derived()[1]:
        name = one.function.name
        names = {p.name for p in one.function.parameters}
        seeds = {n: s for n, s in SEEDS.items() if n in names}
        seeds |= {f"{one.source}_bar": 0.7} if name.endswith("_vjp") else {}
        for steps in (0, 1, 2, 7, 19):
            values = {"u": U, "k": 0.05, "steps": steps, **seeds}
            arrays = {
                n: np.array(v) if type(v) is list else v for n, v in values.items()
            }
            wanted = flat(own[name](**arrays))
            assert functions[name](values) == pytest.approx(wanted, rel=1e-13), name


def test_they_are_those_of_python_in_c(library):
    check(in_c.functions(library, flat_in("c")))
    assert library.ad_test_live() == 0


def test_they_are_those_of_python_in_fortran(tmp_path):
    library = in_fortran.compiled(text_in("fortran"), tmp_path)
    check(in_fortran.functions(library, "model_grad", flat_in("fortran")))


HELD = [
    name for name in BODIES if name not in ("history", "nested", "rows", "in_a_loop")
]


@pytest.mark.parametrize("name", HELD)
def test_memory_does_not_grow_with_the_trips(name, library):
    own = in_c.functions(library, flat_in("c"))[f"{name}_grad"]
    values = {"u": U, "k": 0.01, "steps": 400}
    library.ad_test_most(60)
    found = own(values)
    library.ad_test_most(-1)
    assert found == pytest.approx(own(values), rel=0.0)


def test_where_memory_ends_all_of_it_is_given_back(library):
    own = in_c.functions(library, flat_in("c"))
    for name in BODIES:
        for most in range(0, 24, 3):
            library.ad_test_most(most)
            own[f"{name}_grad"]({"u": U, "k": 0.05, "steps": 9})
            assert library.ad_test_live() == 0
    library.ad_test_most(-1)
