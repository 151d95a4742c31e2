"""Matrices by what is in them: rows, columns and values."""

from typing import Any

import numpy as np
import pytest
from support import exactly, flat, generate, hessian, jacobian, load, load_exact, run

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
    rows, cols, values = load(generate(source))[name](**AT)
    assert list(zip(rows.tolist(), cols.tolist(), strict=True)) == first + LAST[kind]
    dense = np.zeros((4, 4))
    dense[rows, cols] = values
    wanted = numerical(load_exact(source)["f"], exactly(AT), tuple(AT))
    assert flat(dense) == pytest.approx([float(w) for w in flat(wanted)], rel=1e-13)


def test_scipy_builds_matrices_from_them() -> None:
    coo = pytest.importorskip("scipy.sparse").coo_array
    source = ARROW.format('jacobian(sparse="coo", value=True), jacobian')
    made = load(generate(source))
    value, (rows, cols, values) = made["f_value_and_jac_sparse"](**AT)
    matrix = coo((values, (rows, cols)), shape=(4, 4)).toarray()
    assert matrix.tolist() == made["f_jac"](**AT).tolist()
    assert value == load(source)["f"](**AT)


def test_results_belong_to_the_caller() -> None:
    function = load(generate(ARROW.format('jacobian(sparse="coo")')))["f_jac_sparse"]
    for part in function(**AT):
        part[:] = 7
    assert function(**AT)[0].tolist() == [0, 0, 1, 1, 2, 2, 3]


def test_a_matrix_of_zeros_is_empty() -> None:
    source = '# ad: hessian(sparse="coo")\ndef f(x):\n    return 2.0 * x\n'
    found = load(generate(source))["f_hess_sparse"](1.0)
    assert [part.tolist() for part in found] == [[], [], []]
    assert [part.dtype.kind for part in found] == ["i", "i", "f"]


def test_tuples_need_no_numpy() -> None:
    text = generate(ARROW.format('jacobian(sparse="coo", container="tuple")'))
    assert "numpy" not in text
    assert load(text)["f_jac_sparse"](**AT)[1] == (0, 1, 1, 2, 0, 3, 2)


def test_one_vector_and_a_setup() -> None:
    source = "# ad: jacobian(x, y, sparse='coo', packed=True, split=True)\n"
    source += "def f(x, y, k):\n    return x * k * k, y\n"
    made = load(generate(source))
    setup = made["f_jac_sparse_setup"](3.0)
    found: Any = made["f_jac_sparse"]([1.0, 2.0], setup)
    assert [part.tolist() for part in found] == [[0, 1], [0, 1], [9.0, 1.0]]


REFUSED = {
    "AD020": 'jacobian(sparse="csr")',
    "AD022": 'gradient(sparse="coo")',
    "AD031": 'jacobian(sparse="coo")',
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_there_is_not_is_refused(code: str) -> None:
    source = f'# ad: {REFUSED[code]}\ndef f(x: "Vector[n]"):\n    return x[0]\n'
    (found,) = run(source).diagnostics
    assert found.code == code
    assert found.help
