"""What has just been stored under a key is not looked for again."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from reading import curves, indented, slopes
from support import generate, load, load_generated

HEAD = "# ad: gradient(a, b, value=True), hessian(a, b)\n"
HEAD += "def f(a: float, b: float, n: int):\n"
# fmt: off
ONCE = {
    "a memo": """
memo = {}

def fib(i):
    if i in memo:
        return memo[i]
    memo[i] = a * i + b if i < 2 else fib(i - 1) + a * fib(i - 2)
    return memo[i]

return fib(n + 3)
""",
    "in a loop": """
d, s = {}, 0.0
for k in range(n + 2):
    key = k % 3
    d[key] = d.get(key, b) * a + k
    s += d[key] ** 2
return s + sum(d.values()) * a
""",
    "by pair": """
d, s = {}, 0.0
for i in range(n):
    for j in range(2):
        d[i % 2, j] = a * i + b * j
        s += d[i % 2, j] ** 2 * b
return s * a
""",
    "where it was not there": """
d, s = {}, 0.0
for k in range(n + 2):
    if k % 3 not in d:
        d[k % 3] = a * b + k
    s += d[k % 3] ** 2
return s + a
""",
    "where it was not there, by pair": """
d = {}

def power(i, j):
    if (i, j) not in d:
        d[i, j] = a ** (i + 1) * b ** j
    return d[i, j]

return sum(power(k % 2, k % 3) for k in range(n + 4))
""",
    "called by a name": """
d, s = {}, 0.0
for k in range(n + 2):
    key = k % 3
    d[key] = ((a * b + k) * (a + b) + (a - b) * k) * (a * a + b * b) * a * b
    t = ((a * b + k) * (a + b) + (a - b) * k) * (a * a + b * b) * a * b
    t = ((t * b + k) * (t + b) + (t - b) * k) * (t * t + b * b) * t * b
    s += d[key] ** 2 + t
return s
""",
    "made alike": """
d, s = {}, 0.0
for k in range(n + 2):
    d[k % 3 + 1] = a * b * k
    s += d[k % 3 + 1] ** 2
return s + sum(d.values())
""",
}
AGAIN = {
    "another key": """
d, s = {}, 0.0
for k in range(n + 2):
    d[k % 3] = a * k
    d[k * k % 3] = b
    s += d[k % 3] * a
return s
""",
    "taken out": """
d, s = {}, 0.0
for k in range(n + 2):
    d[k] = a * k
    d[k + 1] = d.pop(k) * b
    d[k] = d.get(k, b) * a
    s += d[k] * a
return s + len(d)
""",
    "another name": """
d, s = {}, 0.0
e = d
for k in range(n + 2):
    d[k] = a * k
    e[k] += b
    s += d[k] * a
return s
""",
    "in an arm": """
d, s = {}, 0.0
for k in range(n + 2):
    d[k % 2] = a * k
    if k > 1:
        d[k % 2] = b * k
    s += d[k % 2] * a
return s
""",
    "in a loop behind": """
d, s = {}, 0.0
for k in range(n + 2):
    d[k] = a * k
    for j in range(k):
        d[j] = d[j] * b
        s += d[k] * d[j]
return s
""",
    "by a call": """
d, s = {}, 0.0

def change(k):
    d[k] = d[k] * b

for k in range(n + 2):
    d[k] = a * k
    change(k)
    s += d[k] * a
return s
""",
    "a whole number": """
d, s = {}, 0.0
for k in range(n + 2):
    d[k % 2] = 1
    s += d[k % 2] / 2 * a
    d[k % 2] = a * k
    s += d[k % 2] * b
return s + sum(d.values())
""",
    "two lists": """
keys, values, s = [], [b], 0.0
for k in range(n + 2):
    if k % 3 not in keys:
        keys.append(k % 3)
        values.append(a * k)
    s += values[keys.index(k % 3)] * a
return s
""",
    "lists that get another item": """
keys, values, s = [], [], 0.0
for k in range(n + 2):
    if k % 3 not in keys:
        keys.append((k + 1) % 3)
        values.append(a * k)
    s += values[keys.index(keys[-1])] * a
return s
""",
}
# fmt: on


@pytest.mark.parametrize("name", [*ONCE, *AGAIN])
def test_values_and_derivatives(name: str) -> None:
    source = HEAD + indented({**ONCE, **AGAIN}[name])
    f, derived = load(source)["f"], load_generated(source)
    for a, b, n in ((0.31, 0.9, 4), (0.77, 1.3, 2), (1.2, 0.4, 0)):
        value, found = derived["f_value_and_grad"](a, b, n)
        assert value == f(a, b, n)
        assert list(found) == pytest.approx(slopes(f, a, b, n), rel=1e-5, abs=1e-6)
        wanted = np.array(curves(f, a, b, n))
        assert derived["f_hess"](a, b, n) == pytest.approx(wanted, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("name", ONCE)
def test_it_is_not_looked_for(name: str) -> None:
    source = HEAD.replace(", hessian(a, b)", "") + indented(ONCE[name])
    text = generate(source, **ANY_ORDER)
    assert "KeyError" not in text
    assert text.count(".get(") <= 1 + (name == "a memo")
