"""The raw program computes what Python computes, and nothing else was done to it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from amounts import amount
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import IMPORTS, agree, function, marked, ops

POINTS = [(0.7, -1.3), (2.5, 0.25), (-0.0, 3.0), (float("nan"), 1.0), (1e300, -1e300)]

BODIES = {
    "chained": "u = v = x * y\nreturn u + v",
    "tuple and swap": "u, v = x, y\nu, v = v, u\nreturn u - v",
    "nested tuple": "(a, (b, c)) = x, (y, x * y)\nreturn a - b / (1.0 + c * c)",
    "starred": "a, *b = x, y, x * y\nreturn a - b[0] - b[-1] + len(b)",
    "augmented": "x += y\nx -= 2\nx *= y\nx /= 3.0\nx **= 2\nreturn x",
    "floor and remainder": "x //= 0.3\ny %= 0.7\nreturn x + y",
    "annotated": "a: float = x * y\nb: int\nreturn a",
    "walrus": "return (a := x * y) + a * (b := a + 1.0) - b",
    "semicolons": "a = x; b = y; return a * b",
    "unary": "return -x + +y - -2.0 * - -x",
    "negative literals": "return -2 ** 2 * x + (-2) ** 2 * y + 2 ** -1",
    "powers": "return x ** 2 + y ** -1 + x ** 2.0 + 2 ** y + x ** 0",
    "comparison as number": "return (x > y) * x + (x <= y) * y",
    "chain in assert": "assert -9e9 < x <= 9e9 and not y != y or x == x\nreturn x",
    "assert that fails": "assert x > 1, f'x is {x}, not {y}'\nreturn x * y",
    "assert with formats": "assert x > 1, f'{x!r} {y:.3f}{x!s:>20}'\nreturn x * y",
    "assert with one format": "assert x > 1, f'{y:.3f}'\nreturn x * y",
    "assert with a value": "assert x > 1, y\nreturn x * y",
    "expression statement": "x + y\n'text'\n...\nreturn x",
    "print": "print(x, y, f'{x!r}', sep='')\nreturn x",
    "sequences": "t = (x, y)\nreturn t[0] + t[-1] * sum([x, y, x]) + max(t) + min(t)",
    "slices": "t = [x, y, x * y]\na, b = t[1:]\nreturn a - b + t[::-1][0]",
    "spread": "t = (x, y)\nreturn max(*t, 1.0) + sum((*t, 2), 0.5) + len([*t, x])",
    "several maxima": "return max(x, y, 0.5) - min(x, 2, y)",
    "lambda": "g = lambda t, c=y: t * c + x\nreturn g(x) + g(2.0, c=3)",
    "late binding": "c = x\ng = lambda: c * 2\nc = y\nreturn g()",
    "default binds early": "c = x\ng = lambda t=c: t * 2\nc = y\nreturn g()",
    "nested def": "def g(a, b=2, *, c):\n    d = a * b\n    return d, d + c\n"
    "u, v = g(x, c=y)\nreturn u * v",
    "function as value": "h = abs\ng = math.sin\nreturn h(g(x)) + (lambda f: f(y))(g)",
    "shadowed builtin": "max = min\nreturn max(x, y)",
    "shadowed module": "np = 2.0\nreturn np * x",
    "local import": "import math as m\nfrom math import cos as c, pi\n"
    "return m.atan(x) * c(y) * pi",
    "fsum and prod": "return math.fsum([x, y, 1.0]) + math.prod((x, y, 2))",
    "dist and hypot": "return math.dist((x, y), [1.0, 2]) + math.hypot(x, y, 3.0)",
    "divmod": "q, r = divmod(x, 0.3)\nreturn q + r",
    "two-argument log": "return math.log(x, 3.0) + math.log(1.0 + x * x)",
    "casts": "return float(2) * x + int(y) + bool(x)",
    "numpy spelling": "return np.square(0.5) + float(np.maximum(x, y))",
    "results": "return x * y, [y, (x,)], 2.0",
    "deep brackets": f"return {'(' * 60}x{' + y)' * 60}",
    "long sum": f"return {' + '.join(['x * y'] * 300)}",
    "long product of signs": f"return {'-' * 301}x",
    "continued line": "u = x \\\n    + y\nreturn (u *\n    x  # inside\n    - y)",
    "strings": "s = 'a' 'b'\nassert s == 'ab', 'not ' 'so'\nreturn x",
    "unicode names": "é = x\nﬁ = y\nreturn é * fi",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_forms(body: str, capsys: Any) -> None:
    agree(IMPORTS + marked(body), *POINTS)


CALLS = """
def g(a, /, b=2.0, *, c=A):
    "doc"
    r = a * b + c
    return r, a - b

def check(x):
    assert x > 0, "not positive"

def h(x, f=g):
    check(x)
    (u, v), w = f(x), f(x, 3)[0]
    return u - v * w

def twice(f, x):
    return f(f(x))
"""


@pytest.mark.parametrize(
    "body",
    [
        "return h(x)",
        "u, v = g(x, y)\nreturn u * v",
        "u, v = g(x, c=y, b=3)\nreturn u / v",
        "return twice(lambda t: h(t) + y, x)",
        "return twice(abs, x) + g(*(x, y))[1]",
        "check(y)\nreturn x",
    ],
)
def test_calls_of_the_file(body: str) -> None:
    agree(f"A = 0.5\n{CALLS}\n{IMPORTS}{marked(body)}", *POINTS)


def test_default_text_is_not_code() -> None:
    program = function(marked("return x * k", "x, k=-2**2, *, s: float = 1E+3"))
    assert [p.default for p in program.parameters] == [None, "-(2**2)", "1e3"]
    assert ops(program) == ["mul"]


def test_nothing_is_merged_or_folded() -> None:
    body = "u = x * y\nv = x * y\nreturn 2 * 3 * u + v * 1 + 0 - -x"
    expected = ["mul", "mul", "mul", "mul", "mul", "add", "add", "neg", "sub"]
    assert ops(function(marked(body))) == expected


def test_copies_and_negative_literals_cost_nothing() -> None:
    body = "u = +x\nv = u\nw = v, -2.0\na, b = w\nreturn a * b"
    assert ops(function(marked(body))) == ["mul"]


# --- random programs ----------------------------------------------------------------

UNARY = ["-{}", "+{}", "abs({})", "math.sin({})", "({})", "{} ** 2", "math.atan({})"]
BINARY = ["{} + {}", "{} - {}", "{} * {}", "max({}, {})", "{} / (1.5 + {} * 0)"]
SWAP = "{0}, y = {1}, {0}"
FORMS = [
    "{0} = {1}",
    "{0} += {1}",
    SWAP,
    "{0} = u = {1}",
    "{0}: float = {1}",
]


def _expression(rng: random.Random, names: list[str], depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*names, *names, "2", "0.1", "-3.0", "math.pi", "C", "1e3"])
    if rng.random() < 0.35:
        form = rng.choice(UNARY)
        return form.format(f"({_expression(rng, names, depth - 1)})")
    left, right = (_expression(rng, names, depth - 1) for _ in range(2))
    if rng.random() < 0.15:
        return f"g({left}, b={right})"
    return "(" + rng.choice(BINARY).format(left, right) + ")"


def _program(seed: int) -> str:
    rng = random.Random(seed)
    names, lines = ["x", "y"], []
    for k in range(rng.randrange(1, 9)):
        target = rng.choice([*names, f"v{k}"])
        form = rng.choice(FORMS) if target in names else "{0} = {1}"
        if target == "y" and form == SWAP:  # `y, y = a, b` is a in CPython 3.11.2
            form = "{0} = {1}"
        lines.append(form.format(target, _expression(rng, names, 3)))
        names = [*dict.fromkeys([*names, target])]
        if form.startswith("{0} = u"):
            names = [*dict.fromkeys([*names, "u"])]
    lines.append(f"return {_expression(rng, names, 3)}, 1.0 * {rng.choice(names)}")
    head = IMPORTS + "C = 0.75\ndef g(a, b=2.0):\n    c = a * b\n    return c - a\n"
    return head + marked("\n".join(lines))


@settings(max_examples=amount(40, 150), deadline=None)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    agree(_program(seed), *POINTS)
