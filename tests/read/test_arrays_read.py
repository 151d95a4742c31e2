"""Arrays of run-time length are read: every program computes what Python computes."""

from __future__ import annotations

import copy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import load

from ad_transform.ir.dims import ANY
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function
from ad_transform.ir.verify import verify
from ad_transform.read import read

V = [1.0, 2.0, 4.0, 8.0]
W = [-1.0, 2.0, 3.0]
A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
SQUARE = [[4.0, 1.0, 2.0], [1.0, 5.0, 3.0], [2.0, 3.0, 7.0]]

# fmt: off
POINTS: dict[str, list[tuple[Any, ...]]] = {
    "slices":    [(V,), (W,)],
    "overlap":   [(V,)],
    "another_length": [(V, W, 0), (V, W, 2)],
    "matrix":    [(A, [1.0, 2.0, 3.0])],
    "rows":      [(A,)],
    "table":     [(2.0, 7), (2.0, 0)],
    "overwritten": [(V, V, 0.5), (W, W, -0.5)],
    "appended":  [(V, 0.5), (V, -0.5)],
    "held_by_an_arm": [(V, 0.5, 3), (V, 0.5, 9)],
    "extremes": [([1.0, 4.0, -3.0], A), ([2.0], A)],
    "exact":   [(V,), (W,)],
    "sums":    [(V, 0.5, 2), (W, 0.5, 0)],
    "nested":  [(V, 2), (W, 0)],
    "transposed": [(A,)],
    "picked":    [(V, 5), (W, 2), ([1.0, 1.0], 3)],
    "neighbours": [(V, V), ([2.0], [1.0])],
    "early":     [(V, 3.0), (V, 30.0)],
    "changed_by_a_helper": [(V,)],
    "aliases":   [(V,), (W,)],
    "tests":     [(V,), (W,)],
    "lists":     [(V,)],
    "steps":     [(V, 3), (V, 0)],
    "gathered":  [(V, [0, 2, 2])],
    "parameter": [(V,)],
    "lu":        [(SQUARE,)],
    "thomas":    [(V, [9.0, 8.0, 7.0, 11.0], V, V)],
    "while_":    [(V,), ([1.0, -2.0],)],
    "product":   [([[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]])],
    "grown":     [(V,), (W,)],
    "swapped":   [(V, 3), (V, 0)],
    "heat":      [(V, 3)],
    "dots":      [(V, V)],
    "pairs":     [([[1.0, 2.0], [3.0, 4.0]], W)],
    "found":     [(V, 1.5), (V, 9.0)],
    "pivoted":   [([[0.5, 1.0, 2.0], [4.0, 1.5, 3.0], [2.0, 3.0, 7.0]], W)],
}
# fmt: on
CLOSE = 0.0 if sys.version_info < (3, 12) else 1e-15
"""Since Python 3.12 `sum` compensates floats, and not the numbers of numpy."""

SOURCE = (Path(__file__).parent / "arrays.txt").read_text()


@pytest.fixture(scope="module")
def programs() -> dict[str, Function]:
    found = read(SOURCE.encode(), "model.py")
    assert not found.diagnostics, found.diagnostics
    return {one.function.name: one.function for one in found.requests}


def _flat(value: Any) -> list[float]:
    if isinstance(value, list | tuple | np.ndarray):
        return [x for item in value for x in _flat(item)]
    return [float(value)]


def _array(value: Any) -> Any:
    return np.array(value) if isinstance(value, list) else value


@pytest.mark.parametrize("name", POINTS)
def test_is_what_python_runs(name: str, programs: dict[str, Function]) -> None:
    program, plain = programs[name], load(SOURCE)[name]
    verify(program)
    for point in POINTS[name]:
        want = plain(*map(_array, copy.deepcopy(point)))
        made = _flat(list(evaluate(program, point)))
        assert made == pytest.approx(_flat(want), rel=CLOSE, abs=0.0), point


def test_all_programs_are_run(programs: dict[str, Function]) -> None:
    assert programs.keys() == POINTS.keys()


REFUSED = [
    ("z = x if k > 0 else y\nz[0] = 1.0\nreturn x[0] * z[1]", "AD124"),
    ("z = x\nfor i in range(k):\n    z[0] += x[1]\n    z = y\nreturn x[0]", "AD124"),
    ("z = np.array([1, 2])\nz[k] = x[0]\nreturn z[0] * x[0]", "AD107"),
    ("return x[0, 1]", "AD107"),
    ("x.reverse()\nreturn x[0]", "AD106"),
    (
        "B = [[v, v] for v in x]\nr = B[k]\nB[0], B[k] = B[k], B[0]\nreturn r[0]",
        "AD124",
    ),
]


@pytest.mark.parametrize(("body", "code"), REFUSED)
def test_refused_with_a_way_out(body: str, code: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = (
        "import numpy as np\n\n\ndef change(x):\n    x[0] = 1.0\n    return x[0]\n\n\n"
        f'# ad: gradient\ndef f(x: "Vector[n]", y: "Vector[n]", k: int):\n{lines}'
    )
    found = read(source.encode(), "model.py").diagnostics
    assert found and found[0].code == code and found[0].help, found


def test_what_an_inner_loop_binds_has_any_length(programs: dict[str, Function]) -> None:
    assert programs["another_length"].results[0].type.dims == (ANY,)
