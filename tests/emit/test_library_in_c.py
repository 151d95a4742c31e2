"""What is read of the library as Python has it, compiled: heaps, and dicts of a run."""

from __future__ import annotations

from typing import Any

import pytest
from in_c import COUNTING, compiled, functions
from support import flat, load
from targets import Targets

HEAD = """\
import bisect
import heapq
from collections import Counter, defaultdict


"""

BODIES = {
    "merged": """
h = [a * v for v in x]
heapq.heapify(h)
s = 0.0
while len(h) > 1:
    p = heapq.heappop(h)
    s += (p + heapq.heapreplace(h, 1.7 * p)) ** 2
return s + h[0]
""",
    "events": """
h = [(v, i) for i, v in enumerate(x)]
heapq.heapify(h)
s = a
for _ in range(5):
    t, i = heapq.heappop(h)
    s += t * t * (i + 1)
    heapq.heappush(h, (t + a * x[i], i))
return s
""",
    "kept": """
w = []
for v in x:
    bisect.insort(w, v * a)
return sum(v * v * i for i, v in enumerate(w))
""",
    "sums": """
d = defaultdict(float)
for i, v in enumerate(x):
    d[i % k, i % 2] += a * v * v
return sum(v**2 * (i + 2 * j + 1) for (i, j), v in d.items())
""",
    "counts": """
n = Counter(i % k for i in range(2 * k + 1))
m = {}
for i, v in enumerate(x):
    m[i % k] = m.get(i % k, 0.0) + v * v
m.pop(0)
return sum(n[j] * v * a for j, v in m.items()) * n[0]
""",
}
GIVEN = 'def {}(x: "Vector[n]", a: float, k: int):\n'
POINT = {"x": [0.3, 1.8, 1.1, 0.45, 2.5], "a": 0.7, "k": 3}


def source() -> str:
    text = HEAD
    for name, body in BODIES.items():
        lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
        text += f"# ad: gradient, hvp(x)\n{GIVEN.format(name)}{lines}\n\n"
    return text


def test_c_computes_what_python_does(tmp_path: Any) -> None:
    targets = Targets(source())
    (library,) = compiled([COUNTING + targets.text("c")], tmp_path)
    found = functions(library, targets.flat("c"))
    python = load(targets.text("math"))
    along = {"x_dot": [1.0, -0.5, 0.25, 2.0, 0.75]}
    for name in BODIES:
        for kind, point in (("grad", POINT), ("hvp", POINT | along)):
            wanted = flat(python[f"{name}_{kind}"](**point))
            made = found[f"{name}_{kind}"](point)
            assert made == pytest.approx(wanted, rel=1e-13)
    assert library.ad_test_live() == 0
