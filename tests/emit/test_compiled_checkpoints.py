"""Loops over arrays that hold few of their states, in C and Fortran."""

from __future__ import annotations

from typing import Any

import held_loops
import in_c
import in_fortran
import numpy as np
import pytest
from amounts import LONG
from support import flat, load
from targets import Targets

# Each has `u`, a vector of run-time length, `k` and a number of steps.
BODIES = {
    **held_loops.BODIES,
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
    "lengths_alone": """\
    A = np.outer(u, u)
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        B = np.zeros_like(A)
        B[1:-1, 1:-1] = A[2:, 1:-1] + A[:-2, 1:-1]
        A = A + k * B
    return np.sum(A * A)
""",
    "nested_wholes": """\
    w = u.copy()
    # ad: checkpoint(snapshots=2)
    for s in range(steps):
        z = w * k + 0.1
        # ad: checkpoint(snapshots=2)
        for j in range(3):
            z = z + k * np.sin(w[j])
            if z[0] > 0.4:
                z = z * 0.5
        # ad: checkpoint(snapshots=1)
        while np.sum(z) > 1.0:
            z = z * z
        w = z
    return np.sum(w * u)
""",
    "tested_whole": """\
    # ad: checkpoint(snapshots=3)
    while np.sum(u) > 0.5 and steps > 0:
        u = u - 0.1 * k * u * u
        steps -= 1
    return np.sum(u * u)
""",
}
KINDS = "gradient(u, k)", "jvp(u, k)", "vjp(u, k)", "hvp(u, k)"
HEAD = "# ad: {}\ndef {}(u: 'Vector[n]', k: float, steps: int):\n"


def kinds(turn: int) -> str:
    """The kinds of a body: gradients, and one of the others or all of them."""
    more = KINDS[1:] if LONG else [KINDS[1 + turn % 3]]
    return ", ".join([KINDS[0], *more])


SOURCE = "import numpy as np\n\n\n" + "\n\n".join(
    HEAD.format(kinds(turn), name) + body
    for turn, (name, body) in enumerate(BODIES.items())
)
U = [0.4, 0.9, 0.6, 0.7]
SEEDS = {"u_dot": [0.5, -1.0, 0.25, 2.0], "k_dot": 0.5}


MADE = Targets(SOURCE)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("c")
    (found,) = in_c.compiled([in_c.counted(MADE.text("c"))], folder)
    return found


def check(functions: Any) -> None:
    """See that all give what Python gives."""
    own = load(MADE.text("math"))
    for one in MADE.derived:
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
    check(in_c.functions(library, MADE.flat("c")))
    assert library.ad_test_live() == 0


def test_they_are_those_of_python_in_fortran(tmp_path):
    library = in_fortran.compiled(MADE.text("fortran"), tmp_path)
    check(in_fortran.functions(library, "model_grad", MADE.flat("fortran")))


HELD = [
    name
    for name in BODIES
    if name not in ("history", "nested", "rows", "in_a_loop", "nested_wholes")
]


@pytest.mark.parametrize("name", HELD)
def test_memory_does_not_grow_with_the_trips(name, library):
    own = in_c.functions(library, MADE.flat("c"))[f"{name}_grad"]
    values = {"u": U, "k": 0.01, "steps": 400}
    library.ad_test_most(60)
    found = own(values)
    library.ad_test_most(-1)
    assert found == pytest.approx(own(values), rel=0.0)


def test_where_memory_ends_all_of_it_is_given_back(library):
    own = in_c.functions(library, MADE.flat("c"))
    for name in BODIES:
        for most in range(0, 24, 3):
            library.ad_test_most(most)
            own[f"{name}_grad"]({"u": U, "k": 0.05, "steps": 9})
            assert library.ad_test_live() == 0
    library.ad_test_most(-1)
