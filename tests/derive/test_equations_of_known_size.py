"""Equations, inverses and determinants of matrices whose elements are known."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER, pairs
from support import generate, load, load_generated

HEAD = "import numpy as np\n"
FOUR = """    A = np.array([[a, 1.0, 0.0, x[0]], [1.0, a, 1.0, 0.0],
                  [0.0, x[1], a, 1.0], [x[2], 0.0, 1.0, a]])
"""
BODIES = {
    "solve": FOUR + "    y = np.linalg.solve(A, x)\n    return y[0] * y[3]\n",
    "two": FOUR + "    return np.sum(np.linalg.solve(A, np.outer(x, x[:2])) ** 2)\n",
    "inv": FOUR + "    B = np.linalg.inv(A)\n    return B[0, 3] + np.trace(B)\n",
    "det": FOUR + "    return np.linalg.det(A) * x[3]\n",
    "rows": """    M = [[x[0] if i == j else 0.1 * x[1] * (i + j) for j in range(5)]
         for i in range(5)]
    return np.trace(np.linalg.inv(np.array(M) + a * np.eye(5))) * x[2]
""",
    "diag": "    A = np.diag(x) + 0.1\n    return np.linalg.inv(A)[0, 1] * a\n",
    "matrix": "    return np.linalg.inv(np.outer(x, x) + a * np.eye(4))[1, 2]\n",
}
X, A = np.array([2.5, 2.75, 3.25, 3.5]), 1.75


def _source(body: str, marks: str) -> str:
    head = f'{HEAD}# ad: {marks}\ndef f(a: float, x: "Vector[4]") -> float:\n'
    return head + body


def _slopes(function, a, x, h=1e-5):
    point = np.array([a, *x])
    steps = h * np.eye(len(point))
    ends = [[function(p[0], p[1:]) for p in (point + s, point - s)] for s in steps]
    return np.array([(np.asarray(u) - np.asarray(v)) / (2.0 * h) for u, v in ends])


@pytest.mark.parametrize(("name", "container"), pairs(BODIES, ["array", "tuple"], 2))
def test_first_derivatives(name, container):
    source = _source(BODIES[name], "gradient(a, x), jvp(x)")
    made = load_generated(source, container=container)
    model = load(source)["f"]
    a_bar, x_bar = made["f_grad"](A, X.tolist())
    want = _slopes(model, A, X)
    assert [a_bar, *x_bar] == pytest.approx(want, rel=1e-7, abs=1e-9)
    value, tangent = made["f_jvp"](A, X.tolist(), [0.3, -0.2, 0.5, 1.0])
    assert value == pytest.approx(model(A, X), rel=1e-12)
    assert tangent == pytest.approx(want[1:] @ [0.3, -0.2, 0.5, 1.0], rel=1e-6)


@pytest.mark.parametrize("name", BODIES)
def test_second_derivatives(name):
    source = _source(BODIES[name], "gradient(x), hessian(x), hvp(x)")
    made = load_generated(source)
    found = made["f_hess"](A, X)
    want = _slopes(made["f_grad"], A, X)[1:]
    assert np.asarray(found) == pytest.approx(want, rel=1e-6, abs=1e-7)
    product = made["f_hvp"](A, X, np.array([0.3, -0.2, 0.5, 1.0]))
    assert product == pytest.approx(want @ [0.3, -0.2, 0.5, 1.0], rel=1e-6, abs=1e-7)


def test_up_to_three_rows_are_written_out():
    text = generate(
        "import numpy as np\n# ad: gradient(x)\ndef f(x: 'Vector[3]') -> float:\n"
        "    return np.linalg.det(np.diag(x) + 0.5)\n",
        **ANY_ORDER,
    )
    assert "linalg" not in text
