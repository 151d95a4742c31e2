"""Values behind loops that nothing reads, or that are lists of another known length."""

from __future__ import annotations

import numpy as np
import pytest
from reading import curves, indented, slopes
from support import load, load_generated

HEAD = "# ad: gradient(a, b, value=True), hessian(a, b)\n"
HEAD += "def f(a: float, b: float, n: int):\n"
# fmt: off
BODIES = {
    "a list of another length": """
v = [a, b]
for k in range(n):
    v = [a * b]
return sum(v) * len(v)
""",
    "a list that is empty after a trip": """
v = [a, a * b]
for k in range(n):
    v = []
    for j in range(len(v)):
        v[j] = 0.5
return a * b + sum(v)
""",
    "a list with a first item after a trip": """
v = []
for k in range(n):
    v = []
    v.append(a * k)
t = b
for x in v:
    t += x * b
return t + len(v)
""",
    "a list of another length that later loops read": """
v, w, t = [a, b], [b] * n, a * b
for i in range(n):
    v = [a]
for i in range(2):
    t += sum(x * y for x, y in zip(w, v))
    for j in range(2):
        t = 0.5 * t
return t + sum(v)
""",
    "rows of another number": """
v = [(a, b), (b, a * a)]
for k in range(n):
    v = [(a * k, b)]
return sum(x * y for x, y in v)
""",
    "a target that a later loop leaves": """
t, v = a, [a, b]
for k in range(len(v)):
    v[k] = 0.5 * v[k]
for i in range(n):
    for j in range(n):
        for k in range(n - 1):
            t += 0.2 * b * v[1]
    for k in range(n):
        t = 0.9 * t + v[0]
        if k > 0:
            break
return t
""",
    "constant lists in trips that are run once more": """
w, t = [b], a
table = ((1.0, 2.0), (3.0, 4.0, 5.0))
for i in range(2):
    for j in range(n):
        w.append(a)
        for x, y in zip((0.5, 0.25, 2.0), w):
            t += 0.1 * x * y
        for x in table[j % 2]:
            t += x * a * b
    w = [a]
return t
""",
}
# fmt: on


@pytest.mark.parametrize("name", BODIES)
def test_values_and_derivatives(name: str) -> None:
    source = HEAD + indented(BODIES[name])
    f, derived = load(source)["f"], load_generated(source)
    for a, b, n in ((0.7, 0.3, 0), (0.7, 0.3, 1), (0.4, 0.9, 3)):
        value, found = derived["f_value_and_grad"](a, b, n)
        assert value == f(a, b, n)
        assert list(found) == pytest.approx(slopes(f, a, b, n), rel=1e-5, abs=1e-6)
        wanted = np.array(curves(f, a, b, n))
        assert derived["f_hess"](a, b, n) == pytest.approx(wanted, rel=1e-3, abs=1e-3)
