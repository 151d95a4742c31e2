"""Axes by position, diagonals and arrays one behind the other: as numpy has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS, part
from support import generate, load

SIZES = {"k": 2, "m": 3, "n": 4}
HEAD = """import numpy as np

GRID = np.linspace(0.0, 1.0, 4)
WTS = [1.0, 2.0, 4.0, 8.0]
"""
BODIES = {
    "sum_0": ("A: mn", "A.sum(0) * A[0]"),
    "sum_1": ("A: mn", "A.sum(1)"),
    "np_sum_0": ("A: mn", "np.sum(A, 0)"),
    "np_sum_last": ("x: n", "np.sum(x, -1) * x"),
    "mean_1": ("A: mn", "np.mean(A, 1) + A.mean(1)"),
    "prod_0": ("x: n", "np.prod(x, 0) * x"),
    "any_0": ("A: mn", "np.where(np.any(A > 1.2, 0), A[0], 1.0)"),
    "of_list": ("x: n", "np.sum([v * v for v in x], 0) * x"),
    "of_rows": ("A: mn", "np.sum([row * row for row in A], axis=0)"),
    "mean_of_rows": ("A: mn", "np.mean([row * row for row in A], 0)"),
    "diag_above": ("x: m", "np.diag(x, k=1)"),
    "diag_below": ("x: m, y: n", "np.diag(x, -1) @ y + np.diag(x, 1) @ y"),
    "diag_far": ("x: m", "np.diag(x, 2) - np.diag(x, -2)"),
    "diag_of": ("A: nn", "np.diag(A, 1) * np.diag(A, k=-1) * A.diagonal()[1:]"),
    "diagonal_of": ("A: nn", "np.diagonal(A, 2) + A.diagonal(offset=-2)"),
    "trace_above": ("A: nn", "np.trace(A, offset=1) * A[0] + np.trace(A, -2)"),
    "fro": ("A: mn", "np.linalg.norm(A, 'fro') * A[0]"),
    "norms": ("A: mn", "np.linalg.norm(A, 1) * A[0] + np.linalg.norm(A, np.inf)"),
    "diff_from": ("x: n", "np.diff(x, prepend=0.0)"),
    "diff_to": ("x: n, y: k", "np.diff(x, n=2, prepend=y, append=[1.0])"),
    "inverse_power": ("A: kk", "np.linalg.matrix_power(A, -2)"),
    "no_power": ("A: kk", "np.linalg.matrix_power(A, 0) @ A"),
    "cross": ("A: km, B: km", "np.cross(A, B)"),
    "cross_of_one": ("A: km, y: m", "np.cross(A, y) + np.cross(y, A * A)"),
    "cross_down": ("A: mn, B: mn", "np.cross(A, B, axis=0)"),
    "by_columns": ("A: mn", "A.reshape((4, 3), order='F') @ A"),
    "line_by_columns": ("A: mn", "A.ravel(order='F') * A.flatten('F') * A.ravel()"),
    "rolled": ("A: mn", "np.roll(A, (1, 2), axis=(0, 1)) * A"),
    "turned": ("A: mn", "np.transpose(A, axes=(1, 0)) @ A.transpose((0, 1))"),
    "beside_points": (
        "x: n",
        "np.interp(x, [0.5, 1.2], x[2:], left=-1.0, right=x[0])",
    ),
    "all_joined": ("A: mn, B: kk", "np.concatenate((A, B * B), axis=None)"),
    "all_joined_2": ("A: mn, x: n", "np.concatenate((x, A, 2.0), None)"),
    "rows_below": ("A: mn, x: n", "np.vstack((x, A, x * x))"),
    "rows": ("A: mn, B: kn", "np.vstack((A, B)) @ A[0]"),
    "beside": ("A: mn, B: mk", "np.hstack((A, B))"),
    "dot_of_constant": ("x: n", "np.dot(GRID, x) * x + np.inner(x, GRID)"),
    "dot_of_list": ("x: n", "np.dot(WTS, x) * x + np.vdot(x, x)"),
    "scaled": ("x: n", "np.dot(x[0], x) + np.dot(x, 2.0)"),
    "inner_of_rows": ("A: mn, B: kn", "np.inner(A, B)"),
    "vdot_of_all": ("A: mn, B: mn", "np.vdot(A, B) * A[0]"),
    "columns_beside": ("A: mn, x: m", "np.column_stack((A, x, A[:, 0] * x))"),
    "columns_of_rows": ("A: mn, B: mk", "np.column_stack([A * A, B])"),
    "each_with_each": (
        "x: m, y: n",
        "np.subtract.outer(x, y) * np.multiply.outer(x, y) + np.add.outer(x, y * y)",
    ),
    "of_larger": ("x: m, y: n", "np.maximum.outer(x, y) / np.divide.outer(x, y)"),
    "at_floors": ("x: n", "x[np.floor(x - x[0]).astype(int) % 2] * x"),
    "as_mask": ("x: n", "(x > 0.5).astype(float) * x + x.astype(np.float64)"),
    "counted": ("x: n", "np.array(x > 0.5, dtype=int) * x"),
    "on_diagonal": ("A: nn", "A[np.diag_indices(4)] * A[0]"),
    "on_its_diagonal": ("A: nn, x: n", "A[np.diag_indices_from(A)] * x"),
    "in_its_triangles": (
        "A: nn, B: nn",
        "B[np.triu_indices_from(A, 1)] * A[np.tril_indices_from(B, k=-1)]",
    ),
}


def names(known: bool) -> Sequence[str]:
    """The functions: all with arrays of any length, and half of known shapes."""
    return part([*BODIES], 2) if known else [*BODIES]


def source(known: bool) -> str:
    """The functions, each with a mark."""
    text = HEAD
    for name in names(known):
        parameters, body = BODIES[name]
        made = [p.split(": ") for p in parameters.split(", ")]
        shown = ", ".join(f'{x}: "{_shape(dims, known)}"' for x, dims in made)
        text += f"\n\n# ad: jvp, vjp\ndef {name}({shown}):\n    return {body}\n"
    return text


def _shape(dims: str, known: bool) -> str:
    lengths = [str(SIZES[d]) if known else d for d in dims]
    return f"{('Vector', 'Matrix')[len(dims) - 1]}[{', '.join(lengths)}]"


@cache
def generated(known: bool) -> dict[str, Any]:
    return load(generate(source(known), **NUMBERS))


@cache
def plain() -> dict[str, Any]:
    return load(source(False))


def numbers(value: Any) -> np.ndarray:
    """All numbers of an array, or of several."""
    parts = value if isinstance(value, tuple) else (value,)
    return np.concatenate([np.ravel(part) for part in parts])


@pytest.mark.parametrize(
    ("name", "known"),
    [(name, known) for known in (True, False) for name in names(known)],
)
def test_value_tangent_and_adjoint(name: str, known: bool) -> None:
    shapes = [
        [SIZES[d] for d in dims] for dims in re.findall(r": (\w+)", BODIES[name][0])
    ]
    given = [
        0.6 + np.cos(np.arange(np.prod(s)) + k).reshape(s) for k, s in enumerate(shapes)
    ]
    dots = [np.sin(2.0 + 3.0 * x) for x in given]
    f = plain()[name]
    wanted = f(*given)
    value, tangent = generated(known)[f"{name}_jvp"](*given, *dots)
    assert np.shape(value) == np.shape(wanted)
    assert numbers(value) == pytest.approx(numbers(wanted), rel=1e-15, abs=1e-15)
    ends = [
        f(*(x + h * d for x, d in zip(given, dots, strict=True))) for h in (1e-3, -1e-3)
    ]
    slope = numbers(ends[0] - ends[1]) / 2e-3
    assert numbers(tangent) == pytest.approx(slope, rel=1e-5, abs=1e-5)
    bar = np.cos(3.0 * np.arange(wanted.size)).reshape(wanted.shape)
    _, adjoint = generated(known)[f"{name}_vjp"](*given, bar)
    forth = numbers(tangent) @ numbers(bar)
    assert numbers(adjoint) @ numbers(tuple(dots)) == pytest.approx(forth, rel=1e-12)


def test_matrices_are_joined_by_numpy() -> None:
    head = "import numpy as np\n\n\n# ad: vjp\n"
    matrices = 'A: "Matrix[m, n]", B: "Matrix[k, n]"'
    text = generate(f"{head}def f({matrices}):\n    return np.vstack((A, B))\n")
    assert "np.concatenate((A, B))" in text and "ravel" not in text


NEIGHBOURS = """import numpy as np

# ad: jvp, vjp
def paths(A: "Matrix[n, n]"):
    D = A.copy()
    s = np.zeros((len(A), len(A) - 1))
    for k in range(len(A)):
        D = np.minimum(D, D[:, k : k + 1] + D[k : 1 + k, :])
        s += A[:, k : k + 1] * D[k : k + 1, 1:]
    return s
"""


def test_one_row_or_column_that_stays_one_goes_with_all_others() -> None:
    A = 1.0 + np.sin(np.arange(16.0)).reshape(4, 4)
    dot, bar = np.cos(A), np.sin(np.arange(12.0)).reshape(4, 3)
    f = load(NEIGHBOURS)["paths"]
    own = load(generate(NEIGHBOURS, **NUMBERS))
    value, tangent = own["paths_jvp"](A, dot)
    assert np.array_equal(value, f(A))
    near = (f(A + 1e-6 * dot) - f(A - 1e-6 * dot)) / 2e-6
    assert np.allclose(tangent, near, atol=1e-8)
    _, adjoint = own["paths_vjp"](A, bar)
    assert np.isclose(np.sum(adjoint * dot), np.sum(bar * tangent), rtol=1e-12)
