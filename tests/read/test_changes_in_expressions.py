"""Expressions of which a part may not run change lists, dicts and objects there."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from reading import curves, indented, slopes
from support import generate, load, load_generated, run

HEAD = """import math
import numpy as np


class Tank:
    def __init__(self, level):
        self.level = level
        self.draws = 0

    def draw(self, v):
        self.level -= v * self.level
        self.draws += 1
        return self.level


def worth(stock, k):
    stock[k] = stock[k] * 1.5
    return stock[k] ** 2


def warmed(cells, k):
    cells[k]["t"] += 0.25 * cells[k]["q"]
    return cells[k]["t"]


# ad: gradient(a, b, value=True), hessian(a, b)
def f(a: float, b: float, n: int):
"""
# fmt: off
BODIES = {
    "a list": """
stock = [a, b, a * b]
total = 0.0
for k in range(n):
    total += worth(stock, k % 3) if k > 1 else 0.5 * a
return total * stock[1]
""",
    "a list, never where it is asked again": """
stock, total = [a, b, a * b], a
if a > b and (a > b or stock.pop() > 0.2):
    total += stock[0]
return total * stock.pop() + b * len(stock)
""",
    "a dict": """
stock = {"low": a, "high": b}
total = worth(stock, "low") if n > 2 else worth(stock, "high") * a
return total + stock["low"] * stock["high"]
""",
    "a memo": """
memo = {}

def fib(i):
    if i in memo:
        return memo[i]
    memo[i] = a * i + b if i < 2 else fib(i - 1) + a * fib(i - 2)
    return memo[i]

return fib(n) * len(memo)
""",
    "recursion": """
stock = [a, b]

def left(k, held):
    total = worth(stock, k % 2) * held
    total += left(k - 1, held * 0.5) if k > 0 else stock[0]
    return total

return left(n, b)
""",
    "and": """
stock = [a, b]
total = 0.0
for k in range(n):
    if k > 1 and worth(stock, k % 2) > 0.3:
        total += stock[0] * stock[1]
    elif k == 1 or worth(stock, 0) > 0.1 and worth(stock, 1) > 0.2:
        total += a
return total + stock[0]
""",
    "inside one another": """
seen = []

def note(v):
    seen.append(v)
    return v * v

y = note(a) if n > 2 else note(b) + (note(a * b) if n > 1 else note(b) * 2)
return y + sum(seen) * len(seen)
""",
    "in a comprehension": """
cache = {}

def power(k):
    if k not in cache:
        cache[k] = a ** (k + 1) + b
    return cache[k]

return sum(power(k % 3) if k % 2 else power(0) * b for k in range(n + 2))
""",
    "an object": """
tank = Tank(a + 1.0)
total = 0.0
for k in range(n):
    total += tank.draw(b * 0.1) if k % 2 else tank.level
return total * tank.draws + tank.level
""",
    "counted": """
count = 0

def sin(v):
    nonlocal count
    count += 1
    return math.sin(v)

y = sin(a) if n > 2 else sin(sin(b)) * a
return y * count + b
""",
    "dicts in a list": """
cells = [{"t": a, "q": b}, {"t": b, "q": a}]
total = 0.0
for k in range(n):
    total += warmed(cells, k % 2) if k != 1 else 0.0
return total * cells[0]["t"] + cells[1]["t"]
""",
    "taken out": """
queue = [a * k + b for k in range(n)]
v = queue.pop() if queue else a
u = queue.pop() if len(queue) > 2 else a * a
return v * u + len(queue)
""",
    "a whole array": """
u = np.array([a, b, a * b])

def scaled(c):
    u[:] = c * u
    return np.sum(u)

y = scaled(a) if n > 2 else scaled(b) * scaled(2.0)
return y * u[1]
""",
    "tested": """
queue = [a * k + b for k in range(n)]
total = 0.0
while queue and queue.pop() > 0.2:
    total += a * queue[-1] if queue else b
return total + len(queue)
""",
    "tested each time": """
seen = []

def near(v):
    seen.append(v)
    return v * v

while near(a) < 9.0:
    a += 0.5 * b
    if len(seen) > n:
        return a * seen[1]
else:
    b *= a
return a * b * seen[0]
""",
}
# fmt: on


@pytest.mark.parametrize("name", BODIES)
def test_values_and_derivatives(name: str) -> None:
    source = HEAD + indented(BODIES[name])
    f, derived = load(source)["f"], load_generated(source)
    for a, b, n in ((0.31, 0.9, 4), (0.77, 1.3, 2), (1.2, 0.4, 5)):
        value, found = derived["f_value_and_grad"](a, b, n)
        assert value == f(a, b, n)
        assert list(found) == pytest.approx(slopes(f, a, b, n), rel=1e-5, abs=1e-6)
        wanted = np.array(curves(f, a, b, n))
        assert derived["f_hess"](a, b, n) == pytest.approx(wanted, rel=1e-3, abs=1e-3)


def test_it_is_what_an_if_is() -> None:
    body = "stock = [a, b]\n{}return a * b * total * stock[0]"
    lines = (
        "total = worth(stock, 0) if n > 2 else b\n",
        "if n > 2:\n    total = worth(stock, 0)\nelse:\n    total = b\n",
    )
    one, other = (
        generate(HEAD + indented(body.format(line)), **ANY_ORDER).split("\n\n\n", 1)[1]
        for line in lines
    )
    assert one == other


def test_what_differs_is_said() -> None:
    body = "u = [a, b]\nx = worth(u, 0) if n > 1 else (a, b)\nreturn x"
    found = run(HEAD + indented(body)).diagnostics[0]
    assert found.code == "AD107"
    assert found.message.startswith("a conditional expression is ")
