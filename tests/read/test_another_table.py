"""Dicts, sets and deques that get another name, or whose name gets another one."""

from __future__ import annotations

import numpy as np
import pytest
from reading import curves, indented, slopes
from support import load, load_generated

HEAD = "from collections import OrderedDict, deque\n\n\n"
HEAD += "# ad: gradient(a, b, value=True), hessian(a, b)\n"
HEAD += "def f(a: float, b: float, n: int):\n"
# fmt: off
BODIES = {
    "a set united in an arm": """
seen, t = {0}, 0.0
for k in range(n):
    v = k * k % 7
    if v not in seen:
        t += a ** v * b
        seen = seen | {v}
return t * len(seen)
""",
    "a set united in each trip": """
seen, t = set(), 0.0
old = seen
for k in range(n):
    seen = seen | {(k % 3, k % 2)}
    if k == 3:
        seen = seen - {(1, 1)}
    seen.add((k + 10, 0))
    t += a * b * len(seen)
return t * (len(seen) + len(old))
""",
    "one set or another": """
one, other = {1, 2}, {2, 3, 4}
s = one if n > 2 else other
s = s | {n}
return a * b * len(s) * (len(one) + 2 * len(other))
""",
    "a set for each trip": """
front, t = {0}, 0.0
while len(front) < 9:
    new = set()
    for v in sorted(front):
        new.add(v + 1)
        new.add(2 * v)
    t += a * b * len(new)
    front = new
return t + len(front)
""",
    "one deque or another": """
q = deque([a])
r = q if n > 1 else deque([b, a])
if n > 2:
    s = deque([b])
else:
    s = deque([a, b])
s.append(a * b)
return r[0] * s[0] + len(q) * s[-1] * len(s)
""",
    "exchanged": """
q, r, s, t = deque([a]), deque([b]), set(), {n}
for k in range(n):
    q, r = r, q
    q.append(a * k)
    s, t = t, s
    s.add(k)
return q[0] * r[0] + q[-1] * len(s) + b * len(t)
""",
    "a deque for each trip": """
queue, t = deque([a, b]), 0.0
for k in range(n):
    later = deque()
    while queue:
        v = queue.popleft()
        if v * v < 4.0:
            later.append(v * 1.5)
            later.append(v * b + 0.5)
        t += v * a
    queue = later
return t + len(queue)
""",
    "a dict united in place": """
d = {0: a}
e = d | {1: b}
for k in range(n):
    e |= {k: a * b * k}
return sum(e.values()) * len(e) + d[0]
""",
    "updated": """
d, e = {0: a}, {}
for k in range(n):
    e[k] = a * b * k
    d.update({k + 1: b * k})
d.update(e)
return sum(d.values()) * len(d)
""",
    "a dict united in each trip": """
d = {0: a}
for k in range(n):
    d = d | {k % 3: a * b * k}
    d = {**d, 7: b * k}
return sum(d.values()) * len(d)
""",
    "a dict that begins anew": """
d, t = {}, 0.0
for k in range(n + 3):
    d[k] = a * k + b
    if k % 3 == 2:
        t += sum(d.values()) * a
        d = {}
return t + len(d) + sum(d.values())
""",
    "a dict made of the one before": """
p = {0: 1.0}
for k in range(n):
    new = {}
    for i, v in p.items():
        new[i + 1] = new.get(i + 1, 0.0) + v * a
        new[i] = new.get(i, 0.0) + v * b
    p = new
return sum(v * i * i for i, v in p.items()) + len(p)
""",
    "the first entry": """
d, t = OrderedDict(x=a, y=2.0 * b), 0.0
d.move_to_end("x")
d.move_to_end("x", last=False)
key, v = d.popitem(last=False)
cache = OrderedDict()
for k in (1, 2, 1, 3, 2, n, 1):
    if k in cache:
        cache.move_to_end(k)
        u = cache[k] * b
    else:
        u = a ** k * b
        t += u
        if len(cache) >= 2:
            cache.popitem(last=False)
    cache[k] = u
return t * sum(cache.values()) + v * d["y"] + len(key)
""",
    "cleared": """
d, t = {}, 0.0
for k in range(n + 3):
    d[k, k % 2] = a * k + b
    if k % 3 == 2:
        t += sum(d.values()) * b
        d.clear()
return t + len(d)
""",
    "a list of pairs cleared": """
rows, t = [], 0.0
for k in range(n + 3):
    rows.append((k, a * k + b))
    if k % 3 == 2:
        t += sum(v * i for i, v in rows) * b
        rows.clear()
return t + len(rows)
""",
}
# fmt: on


@pytest.mark.parametrize("name", BODIES)
def test_values_and_derivatives(name: str) -> None:
    source = HEAD + indented(BODIES[name])
    f, derived = load(source)["f"], load_generated(source)
    for a, b, n in ((0.31, 0.9, 4), (0.77, 1.3, 2), (1.2, 0.4, 0)):
        value, found = derived["f_value_and_grad"](a, b, n)
        assert value == f(a, b, n)
        assert list(found) == pytest.approx(slopes(f, a, b, n), rel=1e-5, abs=1e-6)
        wanted = np.array(curves(f, a, b, n))
        assert derived["f_hess"](a, b, n) == pytest.approx(wanted, rel=1e-3, abs=1e-3)
