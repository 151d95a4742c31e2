"""Matrices by what is in them: rows, columns and values."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from amounts import ANY_ORDER, NUMBERS
from support import (
    exactly,
    flat,
    generate,
    hessian,
    jacobian,
    load,
    load_exact,
    load_generated,
    run,
)

ARROW = """
from math import sin

# ad: {}
def f(a: float, b: float, c: float, d: float):
    return a * b, sin(c) * b, d + a, c
"""
SUM = """
from math import exp

# ad: {}
def f(a: float, b: float, c: float, d: float):
    return a * a * b + c * d + exp(d)
"""
AT = {"a": 0.3, "b": 1.7, "c": -0.6, "d": 2.1}
CASES = {
    "jacobian": (ARROW, jacobian, "f_jac_sparse", [(0, 0), (0, 1), (1, 1), (1, 2)]),
    "hessian": (SUM, hessian, "f_hess_sparse", [(0, 0), (0, 1), (1, 0), (2, 3)]),
}
LAST = {"jacobian": [(2, 0), (2, 3), (3, 2)], "hessian": [(3, 2), (3, 3)]}


@pytest.mark.parametrize("kind", CASES)
def test_only_what_is_not_zero_is_given(kind: str) -> None:
    source, numerical, name, first = CASES[kind]
    source = source.format(f'{kind}(sparse="coo")')
    rows, cols, values = load_generated(source)[name](**AT)
    assert list(zip(rows.tolist(), cols.tolist(), strict=True)) == first + LAST[kind]
    dense = np.zeros((4, 4))
    dense[rows, cols] = values
    wanted = numerical(load_exact(source)["f"], exactly(AT), tuple(AT))
    assert flat(dense) == pytest.approx([float(w) for w in flat(wanted)], rel=1e-13)


def test_scipy_builds_matrices_from_them() -> None:
    coo = pytest.importorskip("scipy.sparse").coo_array
    source = ARROW.format('jacobian(sparse="coo", value=True), jacobian')
    made = load_generated(source)
    value, (rows, cols, values) = made["f_value_and_jac_sparse"](**AT)
    matrix = coo((values, (rows, cols)), shape=(4, 4)).toarray()
    assert matrix.tolist() == made["f_jac"](**AT).tolist()
    assert value == load(source)["f"](**AT)


def test_results_belong_to_the_caller() -> None:
    function = load_generated(ARROW.format('jacobian(sparse="coo")'))["f_jac_sparse"]
    for part in function(**AT):
        part[:] = 7
    assert function(**AT)[0].tolist() == [0, 0, 1, 1, 2, 2, 3]


def test_a_matrix_of_zeros_is_empty() -> None:
    source = '# ad: hessian(sparse="coo")\ndef f(x):\n    return 2.0 * x\n'
    found = load_generated(source)["f_hess_sparse"](1.0)
    assert [part.tolist() for part in found] == [[], [], []]
    assert [part.dtype.kind for part in found] == ["i", "i", "f"]


def test_tuples_need_no_numpy() -> None:
    text = generate(ARROW.format('jacobian(sparse="coo", container="tuple")'))
    assert "numpy" not in text
    assert load(text)["f_jac_sparse"](**AT)[1] == (0, 1, 1, 2, 0, 3, 2)


def test_one_vector_and_a_setup() -> None:
    source = "# ad: jacobian(x, y, sparse='coo', packed=True, split=True)\n"
    source += "def f(x, y, k):\n    return x * k * k, y\n"
    made = load_generated(source)
    setup = made["f_jac_sparse_setup"](3.0)
    found: Any = made["f_jac_sparse"]([1.0, 2.0], setup)
    assert [part.tolist() for part in found] == [[0, 1], [0, 1], [9.0, 1.0]]


BODIES = {
    ("jacobian", 36): """
    y = np.zeros(20)
    for i in range(20):
        if k > i:
            y[i] = x[i] * x[i - 1]
        elif i % 2:
            y[i] += x[i] ** 2
    return y[:18]
""",
    ("hessian", 31): """
    s = 0.0
    for a, b in zip(x[:10], x[1:]):
        s += (a - b * a) ** 2 if a > 0.7 else b
    return s
""",
    ("jacobian", 170): """
    y, s = [], 1.0
    for i in range(18):
        s *= x[i]
        y.append(s + x[i + 2])
    y.pop()
    return y
""",
    ("jacobian", 18): """
    y = [[0.0] * 3 for _ in range(6)]
    for i in range(6):
        for j in range(3):
            a = x[3 * i + j]
            while a < 3.0:
                a = a * 2.0 + 0.1
            y[i][j] = a
    return y
""",
    ("jacobian", 19): """
    y = [0.0] * 18
    if k > 9.0:
        y[3] = x[2] * x[3]
    else:
        for i in range(18):
            y[i] = x[i]
    return y
""",
}


@pytest.mark.parametrize(("kind", "count"), BODIES)
def test_loops_and_branches_over_arrays_are_those_of_the_dense_matrix(
    kind: str, count: int
) -> None:
    head = f"# ad: {kind}(x, sparse='coo'), {kind}(x, name='dense')\ndef f("
    source = f"import numpy as np\n\n{head}x: 'Vector[20]', k):"
    made = load(generate(source + BODIES[kind, count], **NUMBERS))
    x = 0.5 + 0.05 * np.arange(20)
    dense, sparse = made["dense"](x, 5.0), np.zeros_like(made["dense"](x, 5.0))
    rows, cols, values = made[f"f_{kind[:4].replace('jaco', 'jac')}_sparse"](x, 5.0)
    sparse[rows, cols] = values
    assert flat(sparse) == pytest.approx(flat(dense), rel=1e-13, abs=1e-15)
    assert len(values) == count


RESIDUAL = """
import numpy as np


# ad: jacobian(x, h, sparse="coo"), jacobian(x, h)
def f(x: "Vector[n]", h: float, j: "Vector[k, int]"):
    y = np.zeros_like(x)
    y[1:-1] = (x[2:] - 2.0 * x[1:-1] + x[:-2]) / h**2 - np.exp(x[1:-1])
    y[0] = x[0] - 1.0
    y[-1] = x[-1] * h
    z = np.concatenate((y, np.roll(x, 1)[::-1]))
    w = np.diff(x * h + x[0]) * (x[1:] > 0.3)
    return z, np.sin(x[j]) * h, np.sum(np.where(x[j] > 0.3, x[j], 0.1)), w


# ad: hessian(x, h, sparse="coo"), hessian(x, h)
def energy(x: "Vector[n]", h: float, j: "Vector[k, int]"):
    return np.sum((x[1:] - x[:-1]) ** 4) / h + x[0] ** 2 + np.sum(x[j] ** 3)
"""


@cache
def banded() -> dict[str, Any]:
    text = generate(RESIDUAL, **ANY_ORDER)
    assert "NDArray[np.int64]" in text
    return load(text)


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize("name", ["f_jac", "energy_hess"])
def test_lengths_of_run_time_are_those_of_the_dense_matrix(name: str, n: int) -> None:
    at = np.linspace(0.2, 1.0, n) ** 2, 0.7, np.array([0, -1, 0, n // 2])
    dense = banded()[name](*at)
    rows, cols, values = banded()[f"{name}_sparse"](*at)
    sparse = np.zeros_like(dense)
    np.add.at(sparse, (rows, cols), values)
    np.testing.assert_allclose(sparse, dense, 1e-13, 1e-13)
    assert len(values) < 17 * n + 22 and (rows.dtype, cols.dtype) == (int, int)
    assert name == "f_jac" or (sparse == sparse.T).all()


FULL = {
    "W @ x": "not known to be sparse",
    "x / np.sum(x)": "not known to be sparse",
    "np.concatenate((x, y))[1:]": "not known to be sparse",
}


@pytest.mark.parametrize("result", FULL)
def test_matrices_that_are_full_are_refused(result: str) -> None:
    head = '# ad: jacobian(x, y, sparse="coo")\ndef f(x: "Vector[n]", y: "Vector[n]", '
    source = f'import numpy as np\n\n\n{head}W: "Matrix[n, n]"):\n    return {result}\n'
    (found,) = run(source).diagnostics
    assert found.code == "AD031" and FULL[result] in found.message and found.help


def test_loops_beside_whole_arrays_are_refused_as_such() -> None:
    source = """\
import numpy as np


# ad: jacobian(x, sparse="coo")
def f(x: "Vector[n]", c: "Vector[n]"):
    r = np.zeros(len(x))
    for i in range(1, len(x)):
        r[i] += x[i] * x[i - 1]
    return r - c
"""
    (found,) = run(source).diagnostics
    assert found.message.endswith("loops stand beside operations on whole arrays")
    assert "`r[i] -= c[i]`" in found.help
    works = source.replace("x[i - 1]", "x[i - 1] - c[i]").replace("r - c", "r")
    assert not run(works).diagnostics


REFUSED = {
    "AD020": 'jacobian(sparse="csr")',
    "AD022": 'gradient(sparse="coo")',
    "AD031": 'jacobian(sparse="coo")',
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_there_is_not_is_refused(code: str) -> None:
    source = f'# ad: {REFUSED[code]}\ndef f(x: "Vector[n]"):\n    return max(x)\n'
    (found,) = run(source).diagnostics
    assert found.code == code
    assert found.help
