"""Sources that only a run takes apart, and what they compute exactly.

They are over arrays of run-time length, or call themselves.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from exact import BUILTINS, modules
from mpmath import mp, mpf
from support import load, load_generated, marked

DIGITS = 120
HEAD = "import math\n\n\n"
SOURCES = {
    "dot": """def f(x: "Vector[n]", y: "Vector[n]"):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s
""",
    "heat": """def f(x: "Vector[n]", k: float, m: int):
    u = [v * k for v in x]
    for _ in range(m):
        w = u.copy()
        for i in range(1, len(u) - 1):
            w[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1])
            w[i] += 0.1 * k
        u = w
    return u[1] + sum(u)
""",
    "grown": """def f(x: float, n: int):
    xs = [x]
    for i in range(n):
        xs.append(xs[i] * 0.7 + 0.3 / (1.5 + xs[i] * xs[i]))
        if xs[i] > 0.4:
            xs[i] = xs[i] / 3.0
    return xs[n] - xs[0], sum(xs)
""",
    "gauss": """def f(A: "Matrix[n, n]", b: "Vector[n]"):
    for k in range(len(b)):
        for i in range(k + 1, len(b)):
            m = A[i, k] / A[k, k]
            for j in range(k + 1, len(b)):
                A[i, j] -= m * A[k, j]
            b[i] -= m * b[k]
    x = [0.0] * len(b)
    for i in range(len(b) - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, len(b)):
            s -= A[i, j] * x[j]
        x[i] = s / A[i, i]
    return x[0]
""",
    "newton": """def f(c: "Vector[n]", x: float):
    e = [1.0]
    while abs(e[-1]) > 1e-3:
        p, q = 0.0, 0.0
        for v in c:
            p, q = p * x + v, q * x + p
        e.append(p / q)
        x -= e[-1]
    return x + sum(e)
""",
    "slices": """def f(x: "Vector[n]", k: int):
    y = x.copy()
    y[1:] = x[:-1]
    y[k] = y[k] * x[0]
    return sum(v * w for v, w in zip(x, y[::-1]))
""",
    "variance": """def f(x: "Vector[n]"):
    s = 0.0
    for v in x:
        s += v
    m = s / len(x)
    return math.fsum([(v - m) ** 2 for v in x]) / (len(x) - 1)
""",
    "stray": """def f(x: "Vector[n]"):
    s = 0.0
    for v in x:
        s += v * v
    return abs((s - 0.7) ** 1.5)
""",
    "power": """def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half if n % 2 == 0 else x * half * half


def f(x: float, n: int):
    return power(math.sin(x) * 1.1, n) - 0.3
""",
    "pair": """def pair(x, y, n):
    if n == 0:
        return x, y
    u, v = pair(y, x * 0.9 + 0.1, n - 1)
    if u > v:
        return u - 0.1 * v, v
    return u, v - 0.1 * u


def f(x: float, n: int):
    s = 0.0
    for i in range(n):
        p, q = pair(x, s + 0.1, i)
        s = s + p * q
    return s, x * 0.3
""",
}
POINTS: list[tuple[str, tuple[Any, ...]]] = [
    ("dot", ([0.3, 0.7, -0.2], [1.1, 0.9, 2.3])),
    ("dot", ([], [])),
    ("heat", ([0.3, 0.7, 0.2, 0.9], 0.3, 4)),
    ("heat", ([0.3, 0.7], 0.3, 0)),
    ("grown", (0.3, 5)),
    ("gauss", ([[4.1, 0.3, 0.2], [0.7, 3.3, 0.1], [0.6, 0.4, 2.7]], [0.1, 0.2, 0.7])),
    ("newton", ([0.3, 0.7, -1.9], 1.9)),
    ("slices", ([0.3, 0.7, -0.2, 1.3], 2)),
    ("variance", ([0.3, 0.7, -0.2, 1.3e3],)),
    ("stray", ([0.3, 0.7, -0.9],)),
    ("power", (0.7, 5)),
    ("power", (1.3, 17)),
    ("pair", (0.7, 4)),
]
"""Sources and arguments."""


class _Exact(ast.NodeTransformer):
    """Literals of many digits for floats; no shapes."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, float):
            return node
        return ast.Call(ast.Name("mpf", ast.Load()), [node], [])

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)


@cache
def exactly(text: str) -> Callable[..., Any]:
    """The function `f` of a source, with many digits."""
    tree = ast.fix_missing_locations(_Exact().visit(ast.parse(text)))
    names = {**BUILTINS, "mpf": mpf}
    function: Callable[..., Any] = load(ast.unparse(tree), modules(), names)["f"]
    return function


def many_digits(value: Any) -> Any:
    """Floats with many digits; lists as arrays of them."""
    if isinstance(value, list):
        return np.array([many_digits(v) for v in value], dtype=object)
    return mpf(value) if isinstance(value, float) else value


def arrays(value: Any) -> Any:
    return np.array(value) if isinstance(value, list) else value


@cache
def made(name: str, mark: str) -> dict[str, Any]:
    """The source and what is generated from it, executed."""
    text = marked(HEAD + SOURCES[name], "f", mark)
    return {**load_generated(text), "f": load(HEAD + SOURCES[name])["f"]}


def errors(name: str, args: tuple[Any, ...]) -> list[Any]:
    """What the results are computed less exact."""
    with mp.workdps(DIGITS):
        exact = exactly(HEAD + SOURCES[name])(*map(many_digits, args))
        values = made(name, "error")["f"](*map(arrays, args))
        pair = zip(_several(values), _several(exact), strict=True)
        return [mpf(float(value)) - true for value, true in pair]


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def estimates(
    name: str, args: tuple[Any, ...], model: str, options: str = ""
) -> list[tuple[Any, ...]]:
    """For each result the value and its estimates."""
    mark = f'error(model="{model}", name="f_err"{options})'
    found = made(name, mark)["f_err"](*args)
    return list(zip(*map(_several, found), strict=True))
