"""Matrices of no rows have as many columns as there are independents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load

HEAD = "import numpy as np\n\n\n# ad: {}\ndef f({}):\n{}"
CASES: dict[str, tuple[str, tuple[Any, ...], tuple[int, int]]] = {
    "return x[:0]": ('x: "Vector[n]"', (np.ones(2),), (0, 2)),
    "return x[len(x):]": ('x: "Vector[n]"', (np.ones(2),), (0, 2)),
    "r = []\nfor i in range(len(x) - 2):\n    r.append(x[i] * y)\nreturn np.array(r)": (
        'x: "Vector[n]", y: float',
        (np.ones(2), 1.5),
        (0, 3),
    ),
    "return [v * v for v in x if v > 5.0]": ('x: "Vector[n]"', (np.ones(3),), (0, 3)),
    "return np.array([x * y * i for i in range(k)])": (
        "x: float, y: float, k: int",
        (1.0, 2.0, 0),
        (0, 2),
    ),
    "return x[2:] * x[:-2]": ('x: "Vector[n]"', (np.ones(2),), (0, 2)),
    "return x * y": ('x: "Vector[n]", y: float', (np.zeros(0), 1.0), (0, 1)),
}


def source(kind: str, parameters: str, body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return HEAD.format(kind, parameters, lines)


@pytest.mark.parametrize("body", CASES)
def test_jacobians(body: str) -> None:
    parameters, given, shape = CASES[body]
    names = [p.partition(":")[0] for p in parameters.split(", ") if "int" not in p]
    kind = f"jacobian({', '.join(names)})"
    made = load(generate(source(kind, parameters, body), **NUMBERS))
    found = made["f_jac"](*given)
    assert found.shape == shape and found.dtype == float


def test_hessians() -> None:
    body = "s = 0.0\nfor v in x:\n    s += v ** 3\nreturn s"
    made = load(generate(source("hessian(x)", 'x: "Vector[n]"', body), **NUMBERS))
    assert made["f_hess"](np.zeros(0)).shape == (0, 0)
    assert (made["f_hess"](np.ones(2)) == [[6.0, 0.0], [0.0, 6.0]]).all()


ROWS = """\
e = t
for i in range(s.shape[0]):
    e = e + s[i, 0] ** 2 * s[i, 1] * t + s[i, 2] ** 3
return e"""


@pytest.mark.parametrize(
    "kind", ["jacobian(value=True)", "hessian(value=True)", 'hessian(sparse="coo")']
)
def test_rows_whose_length_is_known(kind: str) -> None:
    text = source(kind, 's: "Matrix[n, 3]", t: float', ROWS)
    made = load(generate(text, **NUMBERS))
    (name,) = (name for name in made if name.startswith("f_"))
    found = made[name](np.zeros((0, 3)), 2.0)
    if "value" in kind:
        assert found[0] == 2.0
        assert found[-1].tolist() == [[1.0 if "jac" in kind else 0.0]]
    else:
        assert found[2].shape == (0,)


def test_generated_code_is_read() -> None:
    text = source(
        "jacobian(x)", 'x: "Vector[n]"', "return [v * v for v in x if v > 1.0]"
    )
    output = generate(text, effort=0)
    marked = output.replace(
        "def f_jac(x: Ar", '# ad: jvp(x)\ndef f_jac(x: "Vector[n]", '
    )
    marked = marked.replace('"Vector[n]", rayLike)', '"Vector[n]")')
    twice, x = load(generate(marked, **NUMBERS)), np.array([2.0, 0.5, 3.0])
    tangent = twice["f_jac_jvp"](x, np.ones(3))[1]
    assert (tangent == [[2.0, 0.0, 0.0], [0.0, 0.0, 2.0]]).all()
    assert twice["f_jac_jvp"](x[1:2], np.ones(1))[1].shape == (0, 1)
