"""Functions of arrays whose elements are known: what numpy itself computes."""

from typing import Any

import numpy as np
import pytest
from reading import IMPORTS, codes, function
from support import load, load_generated

from ad_transform.ir.evaluate import evaluate

POINT = (
    [0.3, -1.2, 0.7],
    [1.5, 0.25, -0.5],
    [[2.0, 0.5, 0.25], [0.5, 3.0, -0.5], [0.25, -0.5, 1.5]],
    [[0.1, -0.2, 0.3], [1.1, 0.4, -0.6]],
)
HEAD = 'x: "Vector[3]", y: "Vector[3]", S: "Matrix[3, 3]", A: "Matrix[2, 3]"'

# fmt: off
EXPRESSIONS = """
    x * y + 2.0 | 1.0 / (x - 2.0) | -x ** 2 | x % y | abs(x) | A - x | A * A[:, :1]
    np.exp(x) | np.maximum(x, 0.0) | np.hypot(x, y) | np.clip(x, -1.0, 0.5)
    np.where(x > 0.0, x, y) | np.where(A > 0.2, A, 0.0) | np.sign(x) | np.tanh(A)
    x[1:] | x[::-1] | x[:, None] | A[1] | A[:, 1] | A[:, ::2] | A[0, 1:] | A[None, 1]
    x.T | A.T | A.T[1] | A.ravel() | A.reshape(3, 2) | A.reshape((-1,)) | A.flatten()
    np.transpose(A) | np.squeeze(x[:, None]) | np.expand_dims(x, 1) | np.flip(A, 1)
    np.sum(A) | np.sum(A, axis=0) | A.sum(axis=-1) | A.sum(1, keepdims=True) | x.sum()
    np.mean(A, axis=1) | A.mean() | A.max() | A.min(axis=0) | np.ptp(x) | np.prod(A)
    np.var(x) | x.var(ddof=1) | np.std(A, axis=0) | np.linalg.norm(x)
    np.linalg.norm(A) | np.linalg.norm(A, axis=1) | np.linalg.norm(x, 1)
    np.linalg.norm(x, 3) | np.linalg.norm(A, 1.5, axis=1)
    np.einsum("...i,i->...", A, x) | np.einsum("...j,kj", A, S) | np.kron(A, x)
    np.kron(x, A) | np.linalg.norm(x, np.inf)
    np.cumsum(x) | np.cumsum(A, axis=1) | A.cumsum()
    np.cumprod(x) | np.diff(x) | np.diff(A, axis=0) | 1.0 * np.any(x > 0.5)
    1.0 * np.all(A > -1.0)
    x @ y | S @ x | x @ S | A @ S | np.dot(x, y) | np.dot(2.0, x) | np.inner(x, y)
    np.vdot(A, A) | np.outer(x, y) | np.cross(x, y) | np.kron(A, S) | np.trace(S)
    np.einsum("ij,j->i", A, x) | np.einsum("ij,kj", A, S) | np.einsum("ii", S)
    np.linalg.det(S) | np.linalg.inv(S) | np.linalg.solve(S, x)
    np.linalg.solve(S, A.T) | np.linalg.cholesky(S) | np.linalg.matrix_power(S, 3)
    np.linalg.det(S[:2, :2]) | np.linalg.matrix_power(S, 0)
    np.concatenate([x, y]) | np.concatenate((A, S), axis=0) | np.stack([x, y])
    np.stack([x, y], axis=1) | np.hstack([x, y]) | np.hstack([A, A]) | np.vstack([x, A])
    np.column_stack([x, y]) | np.diag(x) | np.diag(S) | np.tril(S) | np.triu(A)
    np.roll(x, 1) | np.roll(A, -1, axis=1) | np.tile(x, 2) | np.broadcast_to(x, (2, 3))
    np.eye(3) * x | np.linspace(0.0, 1.0, 3) * x | np.array([x[0], x.sum()]) * 2.0
    np.linspace(x[1], 1.0, 3, False)
    np.array([x, y]) @ x | np.copy(x) + y | np.polyval([1.0, 2.0], x[0]) * y
"""
# fmt: on


TEXTS = [t.strip() for t in EXPRESSIONS.replace("\n", "|").split("|") if t.strip()]


@pytest.mark.parametrize("text", TEXTS)
def test_value_is_that_of_numpy(text: str) -> None:
    source = f"{IMPORTS}# ad: jacobian\ndef f({HEAD}):\n    return {text}\n"
    flat = [v for p in POINT for v in np.ravel(p).tolist()]
    ours = evaluate(function(source), flat)
    names = dict(zip("xySA", map(np.array, POINT), strict=True))
    theirs = eval(text, {"np": np}, names)
    assert list(ours) == pytest.approx(np.ravel(theirs).tolist(), rel=1e-14, abs=1e-15)


CHANGED = (
    "y = x\ny += 1.0",
    "y = x.copy()\ny += 1.0",
    "y = x[1:]\ny *= 2.0",
    "y = x * 1.0\ny += 1.0",
    "y = [x]\nx += 1.0\ny = y[0]",
)


@pytest.mark.parametrize("body", CHANGED)
def test_changes_are_seen_by_all_names(body: str) -> None:
    lines = "".join(f"    {line}\n" for line in (*body.splitlines(), "return x @ x"))
    source = f'{IMPORTS}# ad: gradient\ndef f(x: "Vector[2]"):\n{lines}'
    program, names, point = function(source), dict[str, Any](), [0.25, 1.0]
    exec(source, names)
    given = point if len(program.block.params) == 2 else [point]
    assert evaluate(program, given) == (float(names["f"](np.array(point))),)


def test_views_that_are_copies_here_are_not_changed() -> None:
    body = "    y = x.T\n    y -= x\n    return x @ x\n"
    assert codes(f"{IMPORTS}# ad: gradient\ndef f({HEAD}):\n{body}") == ["AD124"]


CARRIED = """
# ad: gradient(x)
def f(x: "Vector[2]", n: int):
    y, z, s = 2.0 * x, 3.0 * x, 0.0
    for i in range(n):
        y += 1.0
        s += z[0]
        z = GIVEN
    return s
"""


@pytest.mark.parametrize(
    ("given", "wanted"), [("y", ["AD124"]), ("y.copy()", []), ("y * 2.0", [])]
)
def test_a_trip_does_not_change_what_another_name_was_given(given, wanted) -> None:
    assert codes(IMPORTS + CARRIED.replace("GIVEN", given)) == wanted


BECOMES = """
# ad: gradient(x)
def f(x, A: "Matrix[4, 4]", n: int):
    y = START
    for i in range(n):
        y = y - np.linalg.solve(A, y) * x
    return y @ y
"""


@pytest.mark.parametrize(
    "start",
    [
        "np.array([x, 0.5, 0.25, -1.0])",
        "np.array([1, 0, 2, 1])",
        "np.array([1, x, 2, 1], dtype=float)",
        "np.array([1, 0, 2, 1], dtype=float)\n    y[0] = x",
    ],
)
def test_an_array_that_is_written_out_starts_a_loop_that_computes_it(start) -> None:
    source = IMPORTS + BECOMES.replace("START", start)
    made, plain, h = load_generated(source), load(source)["f"], 1e-4
    A = np.array([[3.0, 0, 1, 0], [0.5, 2, 0, 0], [0, 0, 4, 1], [0.25, 0, 0.5, 2]])
    slope = (plain(0.5 + h, A, 3) - plain(0.5 - h, A, 3)) / (2 * h)
    assert made["f_grad"](0.5, A, 3) == pytest.approx(slope, rel=1e-7)


def test_arrays_that_do_not_fit_are_refused() -> None:
    source = f"{IMPORTS}# ad: gradient\ndef f({HEAD}):\n    return A + x[1:]\n"
    assert codes(source) == ["AD107"]


WHOLE = """\
import numpy as np

TABLE = np.array([[2, -1], [-1, 2]])

# ad: gradient(value=True)
def edges(x: "Vector[3]"):
    found = 0.0
    for i, j in np.array([[0, 1], [1, 2], [2, 0]]):
        found += (x[i] - 2.0 * x[j]) ** 2
    return found

# ad: gradient(value=True)
def written(x: "Vector[3]"):
    A = np.array([[1, 2], [3, 4]])
    A[0, 0] = 9
    return x[1] * np.sum(A) + x[0] * A[1, 0]
"""

WRITTEN = """\
import numpy as np

TABLE = np.array([[2, -1], [-1, 2]])

# ad: gradient
def f(x: "Vector[3]", k: int):
    A = {}
    A[{}] = {}
    return x[0] * np.sum(A)
"""


def test_rows_of_whole_numbers_are_an_array_of_these() -> None:
    made, plain = load_generated(WHOLE), load(WHOLE)
    x = np.array([0.5, 1.25, -2.0])
    for name in ("edges", "written"):
        value, slopes = made[f"{name}_value_and_grad"](x)
        assert value == plain[name](x)
        near = [plain[name](x + h) - plain[name](x - h) for h in 1e-4 * np.eye(3)]
        assert slopes.tolist() == pytest.approx([5e3 * n for n in near], rel=1e-8)


@pytest.mark.parametrize("rows", ["np.array([[1, 2], [3, 4]])", "TABLE.copy()"])
@pytest.mark.parametrize(("place", "value"), [("0, 0", "x[1]"), ("k", "0.5 * A[0]")])
def test_numpy_cuts_floats_that_are_written_to_it(
    rows: str, place: str, value: str
) -> None:
    assert codes(WRITTEN.format(rows, place, value)) == ["AD107"]


LATER = """\
import numpy as np

# ad: gradient
def f(x: "Vector[n]"):
    y = {}
    {}
    {}
    y[0] = x[1]
    return z[0] * x[1] + y[0] + z[2]
"""
COPIED = "z = np.array(y)"


@pytest.mark.parametrize("made", ["[1, 2, 3]", "[1] * 3"])
@pytest.mark.parametrize("write", ["z[0] = x[0]", "z[1:] = x[1:]"])
def test_an_array_of_a_list_cuts_floats_that_the_list_holds_later(
    made: str, write: str
) -> None:
    assert codes(LATER.format(made, COPIED, write)) == ["AD107"]


@pytest.mark.parametrize("first", ["y[2] = x[0]", "y.append(x[0])"])
def test_an_array_of_a_list_that_holds_floats_takes_others(first: str) -> None:
    source = LATER.format("[1, 2, 3]", first, f"{COPIED}; z[2] = x[0] * x[1]")
    made = load_generated(source)
    assert made["f_grad"](np.array([0.5, 1.25])).tolist() == [1.25, 1.0 + 1.0 + 0.5]


def test_an_array_of_a_list_is_read_whatever_the_list_holds_later() -> None:
    made = load_generated(LATER.format("[1, 2, 3]", COPIED, "pass"))
    assert made["f_grad"](np.array([0.5, 1.25])).tolist() == [0.0, 2.0]
