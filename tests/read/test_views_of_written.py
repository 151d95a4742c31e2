"""Views of arrays whose elements are written: refused, or what Python computes."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load, load_generated, run

HEAD = """import numpy as np


# ad: jvp(x)
def f(x: "Vector[{n}]", k: int):
    B = np.zeros(({m}, {m}))
    v = 2.0 * x
    w = x
"""
END = "    return np.sum(x * w) + np.sum(np.outer(x, x) * B) + v[1]\n"
SHOWN = {
    "turned": "w = B.T[1]\n    w[0] = x[0]",
    "turned, added": "w = B.T[1]\n    w += x",
    "turned, written": "C = B.T\n    C[1, 0] = x[1]",
    "later": "C = B.T\n    B[0, 1] = x[0]\n    w = C[1]",
    "in a loop": """C = B.T
    for i in range(k):
        B[0, i] = x[i]
    w = C[0]""",
    "by a loop": """C = np.outer(x, x)
    for i in range(k):
        B[0, i] = x[i]
        w = w + C[0]
        C = B.T""",
    "in an arm": """C = B.T if k > 5 else np.outer(x, x)
    B[0, 0] = x[0]
    w = C[0]""",
    "laid out": "w = B.ravel()[:2]\n    w[0] = x[0]\n    w = x",
    "of a vector": """v[0] = 1.0
    C = v.reshape(1, -1)
    v[1] = x[0]
    w = C[0]""",
    "diagonal": "w = np.diag(B)\n    B[1, 1] = x[0]",
    "layers, turned": "C = B[None][0].T\n    B[0, 0] = x[0]\n    w = C[0]",
    "einsum of layers": """C = np.zeros((2, {m}, {m}))
    D = np.einsum("ijk->kji", C)
    C[0, 0, 0] = x[0]
    w = D[0, 0, 0] + x""",
    "einsum without arrow": 'w = np.einsum("ji", B)[0]\n    B[0, 0] = x[0]',
    "einsum": 'w = np.einsum("ij->ji", B)[0]\n    B[0, 0] = x[0]',
    "spread": "v[0] = 1.0\n    C = np.broadcast_to(v, ({m}, {m}))\n    v[1] = x[0]\n"
    "    w = C[0]",
    "squeezed": "C = np.squeeze(B[None])\n    B[0, 0] = x[0]\n    w = C[0]",
    "zip": """for row, other in zip(B.T, np.outer(x, x)):
        B[0, 0] = x[1]
        w = w + row * other""",
    "returned": """def turn(C):
        return C.T
    C = turn(B)
    B[0, 0] = x[1]
    w = C[0]""",
    "rows, assigned in turn": "B[0], B[1] = x[: {m}], B[0]",
    "parts, exchanged": "v[1:], v[:-1] = v[:-1], v[1:]",
    "in a dict": 'd = {{"a": B.T}}\n    B[0, 0] = x[1]\n    w = d["a"][0]',
}
NEW = {
    "copy": "w = B.T[0].copy()\n    B[0, 0] = x[0]",
    "product": "w = B.T @ x\n    B[0, 0] = x[0]",
    "row": "w = B[1]\n    w[0] = x[0]",
    "column": "w = B[:, 1]\n    w[0] = x[0]",
    "triangle": "w = np.triu(B)[0]\n    B[0, 1] = x[0]",
    "flattened": "w = v.flatten()\n    v[1] = x[0]",
    "diagonal matrix": "C = np.diag(v)\n    v[1] = x[0]\n    w = C[1]",
    "before": "w = B.T[0] + 1.0\n    B = B + 1.0\n    B[0, 0] = x[0]",
}
LENGTHS = [("n", "len(x)"), ("3", "3")]
X, D = np.array([0.3, -0.4, 0.8]), np.array([0.5, 1.0, -0.25])


def source(body: str, n: str, m: str) -> str:
    return HEAD.format(n=n, m=m) + f"    {body.format(m=m)}\n{END}"


@pytest.mark.parametrize(("n", "m"), LENGTHS)
@pytest.mark.parametrize("name", SHOWN)
def test_a_view_is_never_out_of_date(name: str, n: str, m: str) -> None:
    text = source(SHOWN[name], n, m)
    result = run(text, **NUMBERS)
    if result.text is None:
        assert {found.code for found in result.diagnostics} == {"AD124"}
        return
    found, _ = load(result.text)["f_jvp"](X, D, 2)
    assert found == pytest.approx(load(text)["f"](X, 2), rel=1e-14)
    # elements that are known one by one have no copies, and the transpose is written
    assert n == "3" or name == "turned, written"


@pytest.mark.parametrize(("n", "m"), LENGTHS)
@pytest.mark.parametrize("name", NEW)
def test_new_arrays_may_be_written(name: str, n: str, m: str) -> None:
    text = source(NEW[name], n, m)
    found, _ = load(generate(text, **NUMBERS))["f_jvp"](X, D, 2)
    assert found == pytest.approx(load(text)["f"](X, 2), rel=1e-14)


BEHIND = """import numpy as np
# ad: jvp(x)
def f(x: "Vector[m]", n: int) -> float:
    u = 0.5 * x
    w = np.cos(x)
    for k in range(n):
        w = {given}
    {moved}
    u[u > -0.01] = 0.25
    return np.sum(u * w) + x[0]
"""


@pytest.mark.parametrize("moved", ["u, w = w, u", "t = w; w = u; u = t"])
def test_an_array_that_a_loop_names_is_that_array_under_its_next_name(moved: str):
    refused = run(BEHIND.format(given="x", moved=moved)).diagnostics
    assert [d.code for d in refused] == ["AD124"]
    assert "`u = x.copy()`" in refused[0].help
    source = BEHIND.format(given="x.copy()", moved=moved)
    made, model = load_generated(source)["f_jvp"], load(source)["f"]
    for n in (0, 2):
        x = np.array([0.5, -0.25, 1.0])
        assert made(x, np.ones(3), n)[0] == model(x.copy(), n)
