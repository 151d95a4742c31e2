"""Jacobians of whole arrays by elimination of vertices that are arrays."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from amounts import ANY_ORDER, NUMBERS
from support import flat, generate, load, load_generated

from ad_transform.eliminate.linear import Dense
from ad_transform.eliminate.linear.planned import planned
from ad_transform.eliminate.randomness import Random
from ad_transform.graph.computational import EdgeClass, Graph
from ad_transform.options import Options
from ad_transform.run.job import explain

STEP = 2.0**-17
BODIES = {
    "net": "h = np.tanh(W @ x)\nz = V @ h\nreturn x + z * np.exp(-z)",
    "neck": "h = np.sin(x @ V)\nreturn y * np.exp(V @ h), np.sum(h * h) * x",
    "softmax": "e = np.exp(x - np.max(x))\nreturn e / np.sum(e), c * np.mean(x) * y",
    "solved": "z = np.linalg.solve(W, c * y - x)\nreturn z * z[1] + y, V @ z",
    "same": "return x, x, W @ y, c * np.linalg.norm(y) * x - 2.0 * x",
    "nothing": "z = x - x\nreturn np.where(y > 0.2, y * z, z), np.sin(x) * (z @ y)",
    "flux": "f = y[1:] * (x[1:] - x[:-1]) / c\nreturn f[1:] - f[:-1] + 0.5 * x[1:-1]",
    "parts": "z = W @ x\nreturn np.sin(W[:, 1:] @ z[1:]) @ z[::-1] * np.roll(x, 1)",
    "taken": "i = np.array([2, 0, 2])\nreturn V @ np.exp(y[i]) + W @ (x * y)[i]",
    "joined": "z = np.concatenate((y * x, W @ x))\nreturn np.sin(z), z[2:] @ z[:-2]",
    "moved": "z = np.roll(x * y, 1)\nreturn W @ z[::-1], V @ np.roll(z, 2)",
    "twice": "u = x[1:] * y[1:]\nreturn W[0] * u[1:][0], np.sin(u[1:] * x[1:][1:])",
    "truths": "return x * (y > 0.5), y * np.arange(len(y))",
    "number": "z = W @ x\nreturn np.where(z > 0.6, z, c) * y[0], c * y @ z",
}
SCALAR = "z = W @ x\nreturn np.sum(np.log(1.0 + np.exp(c * z))) + x @ y * c + y @ y"


def source(kinds: str, bodies: dict[str, str]) -> str:
    text = "import numpy as np\n"
    for name, body in bodies.items():
        arrays = 'x: "Vector[n]", y: "Vector[n]", c: float, '
        factors = ", ".join(f'{a}: "Matrix[n, n]"' for a in "WV")
        lines = body.replace("\n", "\n    ")
        text += f"\n\n# ad: {kinds}\ndef {name}({arrays}{factors}):\n    {lines}\n"
    return text


@cache
def made() -> tuple[str, dict[str, Any]]:
    texts = source("jacobian(x, y, c)", BODIES)
    texts += source("gradient(x, y), hessian(x, y)", {"scalar": SCALAR})
    text = generate(texts, **ANY_ORDER)
    return text, {**load(texts), **load(text)}


def given() -> list[Any]:
    x, y = np.array([0.3, 1.1, 0.7]), np.array([0.9, 0.2, 1.4])
    W = np.sin(np.arange(9.0) + 1.0).reshape(3, 3) + 2.0 * np.eye(3)
    return [x, y, np.array([0.8]), W, np.cos(np.arange(9.0)).reshape(3, 3)]


def slopes(function: Any, ends: int) -> Any:
    """Central differences by the elements of the first arguments, in columns."""

    def at(k: int, i: int, step: float) -> Any:
        x, y, c, W, V = given()
        (x, y, c)[k][i] += step
        return np.array(flat(function(x, y, float(c[0]), W, V)))

    places = [(k, i) for k in range(ends) for i in range(len(given()[k]))]
    return np.transpose([(at(*p, STEP) - at(*p, -STEP)) / (2 * STEP) for p in places])


@pytest.mark.parametrize("name", BODIES)
def test_matrices_are_those_of_differences(name: str) -> None:
    x, y, c, W, V = given()
    matrix = made()[1][f"{name}_jac"](x, y, float(c[0]), W, V)
    assert matrix.dtype == float
    np.testing.assert_allclose(matrix, slopes(made()[1][name], 3), 1e-8, 1e-8)


def test_hessians_are_symmetric_matrices_of_the_slopes_of_the_gradient() -> None:
    x, y, c, W, V = given()
    matrix = made()[1]["scalar_hess"](x, y, float(c[0]), W, V)
    assert (matrix == matrix.T).all()
    wanted = slopes(made()[1]["scalar_grad"], 2)
    np.testing.assert_allclose(matrix, wanted, 1e-8, 1e-8)


def test_nothing_is_filled_column_by_column() -> None:
    assert "for " not in made()[0]


CHAIN = """
import numpy as np


# ad: shapes(U=[n, 2], V=[2, n], W=[n, n], x=[n])
# ad: jacobian(x)
def chain(U, V, W, x):
    return W @ (U @ (V @ x))
"""


def test_the_order_of_a_chain_is_chosen_by_its_lengths() -> None:
    assert "W @ U @ V" in generate(CHAIN)
    assert "W @ (U @ V)" in generate(CHAIN, order="forward")
    [figures] = explain(CHAIN.encode(), "model.py", Options()).objects
    orders, chosen = figures["orders"], figures["chosen"]
    assert (orders["forward"], chosen["cost"], figures["sweep"]) == (1200, 400, 1400)


def bracketed(dims: list[int]) -> int:
    """The least multiplications of a product of matrices, by the textbook's table."""
    size = len(dims) - 1
    least = {(i, i + 1): 0 for i in range(size)}
    for length in range(2, size + 1):
        for i in range(size - length + 1):
            k = i + length
            least[i, k] = min(
                least[i, j] + least[j, k] + dims[i] * dims[j] * dims[k]
                for j in range(i + 1, k)
            )
    return least[0, size]


def test_chains_are_bracketed_as_the_textbook_has_it() -> None:
    random = Random(5)
    for _ in range(20):
        dims = [1 + random.below(9) for _ in range(8)]
        edges = dict.fromkeys(pairwise(range(8)), EdgeClass.VARIABLE)
        shapes = {v: (n,) for v, n in enumerate(dims)}
        graph = Graph.build(8, [0], [7], edges, shapes)
        labels = {
            (u, v): (Dense(shapes[u], shapes[v], np.ones((dims[v], dims[u]))),)
            for u, v in edges
        }
        assert planned(graph, labels, "auto", {}).price == bracketed(dims)


def test_sums_of_many_moves_become_one_matrix() -> None:
    step = "    x = x + 0.1 * (np.roll(x, 1) - 2.0 * x + np.roll(x, -1)) * np.sin(x)\n"
    head = "import numpy as np\n\n\n# ad: shapes(x=[n])\n# ad: jacobian(x)\n"
    text = generate(f"{head}def f(x):\n{step * 3}    return x\n", **NUMBERS)
    assert "for " not in text  # with all products of moves, sweeps are cheaper


def test_what_results_do_not_depend_on_has_columns_without_rows_too() -> None:
    """The part of one element behind the first has none: row 0 was stored into."""
    head = (
        'import numpy as np\n# ad: jacobian(x, c)\ndef f(x: "Vector[n]", c: float):\n'
    )
    made = load_generated(f"{head}    return np.cumsum(x)[1:]\n")
    assert made["f_jac"]([3.0], 2.0).shape == (0, 2)
    assert made["f_jac"]([3.0, 1.0], 2.0).tolist() == [[1.0, 1.0, 0.0]]


FILLED = """
import numpy as np

# ad: jacobian(t)
def filled(x: "Vector[n]", t: float):
    u = np.full(len(x), x[0])
    return u[:2] * u[-2:]
"""


def test_lists_that_loops_have_filled_tell_no_lengths() -> None:
    made = load_generated(FILLED)
    assert made["filled_jac"](np.array([2.0, 3.0, 4.0]), 0.5).tolist() == [[0.0], [0.0]]
