"""A `return` in a loop may return an array that the trip has computed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from support import flat, generate, load

HEAD = "import numpy as np\n"
WHOLE = {
    "parameter": """
    for j in range(k):
        if x[j] > 1.0:
            return x
    return x * a
""",
    "many": """
    y = x.copy()
    while True:
        y *= 1.5
        if y[0] > 5.0:
            return -y
        if y[1] > a * 6.0 - k:
            y *= 2.0
            return y
""",
    "tuple": """
    y = x * a
    for j in range(k):
        y = np.sin(y) * a
        if y[0] > 0.9:
            return y * 2.0, k * a
    return y, a
""",
    "nested": """
    for i in range(k):
        for j in range(len(x)):
            if x[j] * i > 2.0:
                return np.outer(x, x * a)
        if i > 2:
            return np.outer(x, x) * i
    return np.outer(x, x + a)
""",
    "lists": """
    out = []
    for j in range(k):
        out.append(x[0] * j + a)
        if x[0] * j > 1.0:
            return np.array(out) * a
    return x * a
""",
    "changed": """
    z = picked(x * a, a, k)
    z[0] = z[1] * a
    return z * x
""",
}
PICKED = """
def picked(x, a, k):
    for j in range(k):
        if x[j] > 1.0:
            return x
    return x * a

"""
SUMMED = """
def end(y, a, k):
    for j in range(k):
        y = y * np.exp(-y) * a
        if y[0] < 0.3:
            return y * a
    return y

"""
POINTS = [
    (np.array([0.7, 1.3, -0.4]), 1.1, 0),
    (np.array([0.7, 1.3, -0.4]), 1.6, 3),
    (np.array([0.2, 0.3, 0.1]), 1.2, 3),
]
STEP = 2.0**-17


def source(name: str, *marks: str) -> str:
    lines = "".join(f"# ad: {mark}\n" for mark in marks)
    head = 'def f(x: "Vector[n]", a: float, k: int):'
    return f"{HEAD}{PICKED}\n{lines}{head}{WHOLE[name]}"


@cache
def made(name: str) -> tuple[Any, dict[str, Any]]:
    text = source(name, "jvp", "vjp", "jacobian")
    return load(text)["f"], load(generate(text))


@pytest.mark.parametrize("at", POINTS)
@pytest.mark.parametrize("name", WHOLE)
def test_is_what_python_returns(name: str, at: tuple[Any, float, int]) -> None:
    f, own = made(name)
    x, a, k = at
    x_dot, a_dot = np.cos(x + 1.0), 0.7
    value, tangent = own["f_jvp"](x, a, x_dot, a_dot, k)
    want = f(x.copy(), a, k)
    assert flat(value) == flat(want)
    ends = (flat(f(x + t * x_dot, a + t * a_dot, k)) for t in (STEP, -STEP))
    slope = np.subtract(*ends) / (2.0 * STEP)
    assert flat(tangent) == pytest.approx(slope.tolist(), rel=1e-8, abs=1e-8)
    assert own["f_jac"](x, a, k) @ [*x_dot, a_dot] == pytest.approx(flat(tangent))
    seed = tuple(map(np.cos, value)) if isinstance(value, tuple) else np.cos(value)
    again, bars = own["f_vjp"](x, a, seed, k)
    assert flat(again) == flat(want)
    pulled = np.dot(flat(list(bars)), [*x_dot, a_dot])
    assert pulled == pytest.approx(np.dot(flat(seed), flat(tangent)), rel=1e-11)


@pytest.mark.parametrize("at", POINTS)
def test_helpers_return_so(at: tuple[Any, float, int]) -> None:
    body = (
        'def f(x: "Vector[n]", a: float, k: int):\n    return sum(end(x, a, k)) * a\n'
    )
    text = f"{HEAD}{SUMMED}\n# ad: gradient\n# ad: hvp\n{body}"
    f, own = load(text)["f"], load(generate(text))
    x, a, k = at
    x_dot, a_dot = np.cos(x + 1.0), 0.7
    grad = flat(list(own["f_grad"](x, a, k)))
    ends = (f(x + t * x_dot, a + t * a_dot, k) for t in (STEP, -STEP))
    rise = np.subtract(*ends) / (2.0 * STEP)
    assert np.dot(grad, [*x_dot, a_dot]) == pytest.approx(rise, rel=1e-8)
    sides = [
        flat(list(own["f_grad"](x + t * x_dot, a + t * a_dot, k)))
        for t in (STEP, -STEP)
    ]
    slope = np.subtract(*sides) / (2.0 * STEP)
    product = own["f_hvp"](x, a, x_dot, a_dot, k)
    assert flat(list(product)) == pytest.approx(slope.tolist(), rel=1e-7, abs=1e-7)
