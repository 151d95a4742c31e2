"""`collections.deque`: values are Python's, gradients those of differences."""

from __future__ import annotations

from typing import Any

import pytest
from amounts import ANY_ORDER
from reading import codes
from support import flat, generate, load, load_generated, same_bits

from ad_transform.ir.evaluate import evaluate
from ad_transform.read import read

HEAD = """import math
from collections import deque
from dataclasses import dataclass
import numpy as np

@dataclass
class Win:
    q: deque
    n: int = 0
    def add(self, x):
        self.q.append(x)
        self.n += 1
    def mean(self):
        return sum(self.q) / len(self.q)

# ad: gradient(a, b)
def f(a: float, b: float, k: int):
"""

BODIES = {
    "window": """
h = deque(maxlen=3)
s = 0.0
for i in range(k + 4):
    h.append(a * i + b)
    s += sum(h) / len(h)
return s * h[-1] + h[0]
""",
    "delay": """
q = deque([0.0] * 2, maxlen=2)
x = a
for i in range(5):
    q.append(x * q[0] + x)
    x = x * b + q[0]
return q[0] * q[-1]
""",
    "delayn": """
q = deque([0.0] * (k + 1), maxlen=k + 1)
for i in range(5):
    q.append(a * q[0] + b * i)
return sum(q)
""",
    "pops": """
q = deque([a, b, 2.0])
q.appendleft(a * b)
x = q.popleft() * q.pop()
q.extend([x, b])
while q:
    x = x * 0.5 + q.popleft()
return x
""",
    "left": """
q = deque(maxlen=2)
for i in range(k + 1):
    q.appendleft(a + i)
return q[0] * q[-1] * len(q)
""",
    "full": """
q = deque(maxlen=3)
s = 0.0
for i in range(6):
    q.append(a * i)
    if len(q) == q.maxlen:
        s += max(q) - min(q) + q[1] * b
return s
""",
    "rows": """
q = deque(maxlen=2)
s = 0.0
for i in range(k + 2):
    q.append((a * i, b))
    for u, v in q:
        s += u * v
return s
""",
    "helper": """
def put(q, x):
    q.append(x)
    return len(q)
q = deque([a], 2)
n = put(q, b) + put(q, a * b)
return q[0] * q[1] * n
""",
    "field": """
w = Win(deque(maxlen=2))
for i in range(3):
    w.add(a * i + b)
return w.mean() * w.n
""",
    "list": """
q = deque([a, b, a * b], maxlen=2)
u = list(q)
q.append(3.0)
q[0] *= 2.0
return u[0] * q[0] + u[1]
""",
    "alias": """
q = deque([a], maxlen=2)
r = q
r.append(b)
return q[1] * len(q)
""",
    "store": """
q = deque([a, b], maxlen=2)
for i in range(2):
    q[i] = q[1 - i] * b
return q[0] + q[1]
""",
    "branch": """
q = deque(maxlen=3)
for i in range(4):
    if i % 2:
        q.append(a * i)
    else:
        q.appendleft(b * i)
return sum(q) + q[0] * 2
""",
    "extendn": """
u = [a * i for i in range(k + 2)]
q = deque(u, maxlen=2)
q.extendleft(u)
return q[0] + q[1] * b
""",
}

POINTS = [(0.5, 0.25, 0), (0.3, 0.7, 1), (1.1, 0.9, 3)]


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.strip().splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_a_deque_is_what_python_has(name: str) -> None:
    text = source(BODIES[name])
    found = read(text.encode(), "model.py")
    assert not [d for d in found.diagnostics if d.severity == "error"]
    for point in POINTS:
        wanted: Any = load(text)["f"](*point)
        got = evaluate(found.requests[0].function, point)
        assert same_bits(flat(list(got)), [wanted])


def test_derivatives_in_all_kinds() -> None:
    text = source(BODIES["window"])
    text = text.replace("gradient(a, b)", "gradient(a), jvp(a), vjp(a), hvp(a)")
    model, made = load(text)["f"], load_generated(text)
    tuples = load_generated(text, container="tuple")
    h, (a, b, k) = 1e-5, (0.3, 0.7, 2)
    slope = (model(a + h, b, k) - model(a - h, b, k)) / (2.0 * h)
    by_a = pytest.approx(slope, rel=1e-8)
    curve = model(a + h, b, k) - 2.0 * model(a, b, k) + model(a - h, b, k)
    for one in (made, tuples):
        assert one["f_grad"](a, b, k) == by_a
        assert one["f_jvp"](a, 1.0, b, k) == (model(a, b, k), by_a)
        assert one["f_vjp"](a, 1.0, b, k) == (model(a, b, k), by_a)
        bend = pytest.approx(curve / h**2, rel=1e-4)
        assert one["f_hvp"](a, 1.0, b, k) == bend
    assert "f_grad" in generate(text, target="c", **ANY_ORDER)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            "q = deque([a])\nr = q if k > 1 else deque([b])\nr.append(b)\nreturn q[0]",
            "AD124",
        ),
        ("q = deque([a])\nq.remove(a)\nreturn q[0]", "AD102"),
        ("q = deque([a])\nq.extend(q)\nreturn q[0]", "AD106"),
        ("q = deque([a])\nreturn q", "AD105"),
        ("for v in deque([a]):\n    b += v\nreturn b", ""),
    ],
)
def test_what_is_refused(body: str, code: str) -> None:
    assert [c for c in codes(source(body)) if c != "AD030"] == [code] * bool(code)
