"""What a loop records twice under two names is recorded once."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

import in_c
import numpy as np
import pytest
from amounts import ANY_ORDER
from support import flat, generate, load
from targets import Targets

SOURCE = """
import numpy as np


# ad: hessian(value=True)
def filtered(z: "Vector[n]", q: float, r: float, dt: float):
    x = np.array([0.0, 1.0])
    P = np.eye(2)
    F = np.array([[1.0, dt], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    ll = 0.0
    for zi in z:
        x = F @ x
        P = F @ P @ F.T + q * np.eye(2)
        y = zi - H @ x
        S = H @ P @ H.T + r
        K = P @ H.T / S[0, 0]
        x = x + (K * y[0]).ravel()
        P = (np.eye(2) - K @ H) @ P
        ll += -0.5 * (y[0] ** 2 / S[0, 0] + np.log(S[0, 0]))
    return ll
"""
MADE = Targets(SOURCE)
AT = {"z": [1.0, 2.0, 2.5], "q": 0.1, "r": 0.5, "dt": 0.3}


def test_no_name_stands_twice() -> None:
    """P[0, 0] and P[0, 0] + r have one tangent."""
    nodes = list(ast.walk(ast.parse(MADE.text("math"))))
    others = {id(n.slice) for n in nodes if isinstance(n, ast.Subscript)}
    others |= {id(shape) for n in nodes for shape in _shapes(n)}
    tuples = (n for n in nodes if isinstance(n, ast.Tuple) and id(n) not in others)
    for one in tuples:
        names = Counter(n.id for n in one.elts if isinstance(n, ast.Name))
        assert not names or max(names.values()) == 1, ast.unparse(one)


def _shapes(node: ast.AST) -> list[ast.expr]:
    """The shape that an array is given: a square one says one length twice."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return node.args if is_call and node.func.attr == "reshape" else []


def test_in_c(tmp_path: Any) -> None:
    (library,) = in_c.compiled([in_c.counted(MADE.text("c"))], tmp_path)
    name = "filtered_value_and_hess"
    wanted = flat(load(MADE.text("math"))[name](**{**AT, "z": np.array(AT["z"])}))
    found = in_c.functions(library, MADE.flat("c"))[name](AT)
    assert found == pytest.approx(wanted, rel=1e-13)


def test_what_stands_for_a_maximum_is_recorded_as_that(tmp_path: Any) -> None:
    """It is the maximum itself when the function runs."""
    source = "# ad: gradient(x)\ndef f(x: float, k: int):\n    u = [x, x * x, 2.0]\n"
    source += "    u[k % 3] += x\n    c = 0.5\n    for i in range(k):\n"
    made = Targets(source + "        c *= max(u) ** 3\n    return c + sum(u)\n")
    (library,) = in_c.compiled([in_c.counted(made.text("c"))], tmp_path)
    found = in_c.functions(library, made.flat("c"))["f_grad"]({"x": 0.5, "k": 2})
    assert found == [load(made.text("math"))["f_grad"](0.5, 2)]


CONSTANT = """
import math

MU = 398600.4418


# ad: gradient(c, k)
def grown(c: float, k: float, n: int):
    y = c
    for _ in range(n):
        y = y + 0.001 * math.exp(-k / c) * y**2 * math.log(2.0 * MU / 3.0)
    return y
"""


def test_what_constants_make_is_computed_once_and_not_recorded() -> None:
    text = generate(CONSTANT, **ANY_ORDER)
    assert text.count("log(") == 1 and text.index("log(") < text.index("    for _")
    plain, by = load(CONSTANT)["grown"], load(text)["grown_grad"]
    rise = plain(1.5 + 1e-6, 0.3, 4) - plain(1.5 - 1e-6, 0.3, 4)
    assert by(1.5, 0.3, 4)[0] == pytest.approx(rise / 2e-6, rel=1e-8)
    assert by(1.5, 0.3, 0) == (1.0, 0.0)


ELEMENTS = """
# ad: gradient(k, value=True)
def pulled(k: "Vector[n]", force: float, steps: int):
    n = len(k)
    x, v = [0.0] * n, [0.0] * n
    for _ in range(steps):
        for i in range(n):
            left = x[i - 1] if i > 0 else 0.0
            a = -k[i] * (x[i] - left)
            if i < n - 1:
                a += k[i + 1] * (x[i + 1] - x[i])
            else:
                a += force
            v[i] += 0.1 * a
        for i in range(n):
            x[i] += 0.1 * v[i]
    return v[0]
"""


def test_elements_that_an_arm_has_read_are_read_again() -> None:
    text = generate(ELEMENTS, **ANY_ORDER)
    assert "Its loop holds 1 list for each trip." in text
    assert "x_before_list.append(x.copy())" in text
    plain, made = load(ELEMENTS)["pulled"], load(text)["pulled_value_and_grad"]
    k = np.array([1.1, 0.7, 1.3])
    value, slopes = made(k, 0.5, 6)
    assert value == plain(k, 0.5, 6)
    for i, step in enumerate(1e-6 * np.eye(3)):
        rise = plain(k + step, 0.5, 6) - plain(k - step, 0.5, 6)
        assert slopes[i] == pytest.approx(rise / 2e-6, rel=1e-6, abs=1e-10)
