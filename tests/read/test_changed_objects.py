"""Objects whose fields are assigned: values are Python's, bit for bit; what may be
another object is refused.
"""

from __future__ import annotations

from typing import Any

import pytest
from amounts import search
from reading import codes
from support import flat, generate, load, load_generated, same_bits

from ad_transform.ir.evaluate import evaluate
from ad_transform.read import read

HEAD = """import copy, math
import numpy as np
from dataclasses import dataclass, field, replace
from typing import NamedTuple

@dataclass
class Vec:
    x: float
    y: float = 0.0
    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y)
    def __mul__(self, s): return Vec(self.x * s, self.y * s)
    __rmul__ = __mul__
    def scale(self, s):
        self.x *= s
        self.y *= s
        return self

@dataclass
class Body:
    pos: Vec
    vel: Vec
    m: float = 1.0
    count: int = 0
    def step(self, dt):
        self.pos += self.vel * dt
        self.count += 1
    def kinetic(self): return 0.5 * self.m * (self.vel.x**2 + self.vel.y**2)

@dataclass
class Sim:
    bodies: list
    t: float = 0.0
    e: float | None = None
    def run(self, dt, n):
        for _ in range(n):
            for b in self.bodies:
                b.step(dt)
            self.t += dt
        if self.e is None:
            self.e = self.t
        return self

@dataclass
class Arr:
    v: np.ndarray
    s: float = 0.0

@dataclass(frozen=True)
class Still:
    x: float

@dataclass
class PID:
    kp: float
    ki: float
    kd: float
    total: float = 0.0
    last: float = 0.0
    def update(self, err, dt):
        self.total += err * dt
        d = (err - self.last) / dt
        self.last = err
        return self.kp * err + self.ki * self.total + self.kd * d

@dataclass
class Counter:
    n: int = 0
    best: float = math.inf
    def see(self, v):
        self.n += 1
        if v < self.best:
            self.best = v

# ad: gradient(a, b)
def f(a: float, b: float, k: int):
"""

BODIES = {
    "anew, or left by return": """
p = Vec(a, b)
for i in range(k):
    if p.x > 1.5:
        return p.x * p.y
    p = Vec(p.x + b * p.y, p.y + 0.1 * a)
    p.y *= 1.5
return p.x - p.y
""",
    "swapped, or left by return": """
p, q = Vec(a, b), Vec(b, a)
for i in range(k):
    if i > 2:
        return p.x * q.y
    p, q = q, p
    a += p.x * q.y
return p.x - a
""",
    "own": """
def g(u, w):
    p = Vec(u)
    for i in range(9):
        p.y += p.x * w
        p.x *= 0.5
    return p
s = 0.0
for i in range(k):
    s += g(a + i, b).y * g(b, a).x
return s
""",
    "armloop": """
if a > 0.4:
    p = Vec(a, b)
else:
    p = Vec(b, a)
for i in range(k):
    p.x += b * p.y
    p.y *= 0.5
return p.x * p.y
""",
    "looploop": """
p = Vec(a)
for i in range(k):
    p = Vec(p.x + b, a)
for i in range(k):
    p.x += b * p.y
return p.x * p.y
""",
    "tailloop": """
p = None
for i in range(k + 1):
    p = Vec(a * i, b)
for i in range(k):
    p.x += b
    p.y += p.x
return p.x * p.y
""",
    "tailarm": """
p = Vec(b)
for i in range(k + 1):
    p = Vec(a * i, b)
if k > 1:
    p.x += b
else:
    p.y = a
return p.x * p.y
""",
    "armarm": """
if a > 0.4:
    p, q = Vec(a, b), Vec(b)
else:
    p, q = Vec(b, a), Vec(a)
if k > 1:
    p.x += q.x
q.x = p.y
return p.x * p.y + q.x
""",
    "vecs": """
ps = [Body(Vec(a, b), Vec(b, a)), Body(Vec(b), Vec(a))]
for i in range(k):
    for p in ps:
        p.vel.x -= 0.1 * p.pos.x
        p.pos += 0.1 * p.vel
return ps[0].pos.x * ps[1].vel.x
""",
    "vecs2": """
x, v = Vec(a, b), Vec(b, a)
for i in range(k):
    v.x -= 0.1 * x.x
    x = x + 0.1 * v
    x.y += 1.0
return x.x * v.x + x.y
""",
    "nbody": """
s = Sim([Body(Vec(a, b), Vec(b)), Body(Vec(b), Vec(a, 1.0))])
s.run(0.1, k)
return s.bodies[0].pos.x * s.bodies[1].pos.y + s.t + s.e
""",
    "pid": """
pid = PID(a, b, 0.1)
x = 1.0
for i in range(k):
    u = pid.update(1.5 - x, 0.1)
    x += 0.1 * u
return x * pid.total
""",
    "while": """
p = Vec(a, b)
while p.x < 3.0:
    p.x += b * p.x
    p.y += 1
    if p.y > 5: break
return p.x * p.y
""",
    "tuple": """
p = Vec(a, b)
p.x, p.y = p.y, p.x * a
return p.x - p.y * b
""",
    "loopnew": """
t = 0.0
for i in range(k):
    p = Vec(a * i)
    p.y = p.x * b
    t += p.y
return t
""",
    "rebind": """
p = Vec(a, b)
for i in range(k):
    p = Vec(p.x + p.y, p.y)
    p.y *= a
return p.x * p.y
""",
    "chosen": """
if a > 0.4:
    p = Vec(a, b)
else:
    p = Vec(b, a)
p.x *= 2.0
return p.x * p.y
""",
    "chosen_expr": """
p = Vec(a, b) if a > 0.4 else Vec(b)
p.x *= 2.0
return p.x * p.y
""",
    "index": """
ps = [Vec(a, b), Vec(b, a)]
for i in range(2):
    ps[i].x += ps[1 - i].y
return ps[0].x * ps[1].x
""",
    "indexlen": """
ps = [Vec(a * i, b) for i in range(4)]
for i in range(1, len(ps)):
    ps[i].x += ps[i - 1].x * b
return ps[-1].x * a
""",
    "enumerate": """
ps = [Vec(a, b), Vec(b, a)]
for i, p in enumerate(ps):
    p.x += i * b
return ps[0].x * ps[1].x
""",
    "enumlong": """
ps = [Vec(a + i, b) for i in range(40)]
for i, p in enumerate(ps):
    p.x += i * b * p.y
    p.y = p.x * 0.5 + math.sin(p.x)
return sum(p.x * p.y for p in ps)
""",
    "zip": """
ps = [Vec(a, b), Vec(b, a)]
for p, w in zip(ps, (2.0, 3.0)):
    p.x *= w
return ps[0].x * ps[1].x
""",
    "array": """
s = Arr(np.array([a, b, 1.0]))
for i in range(k):
    s.v = s.v * 0.5 + a
    s.s += s.v[0]
return s.s * s.v[1]
""",
    "arrayadd": """
s = Arr(np.array([a, b, 1.0]))
s.v += a
s.v[1] = b * b
return s.v[0] * s.v[1]
""",
    "arrayzero": """
s = Arr(np.zeros(3))
for i in range(k):
    s.v += np.array([a, b, 0.1]) * i
return s.v[0] * s.v[1] + s.v.sum()
""",
    "arrayel": """
s = Arr(np.zeros(3))
for i in range(3):
    s.v[i] = a * i + b
    s.v[i] += s.v[i - 1]
return s.v.sum()
""",
    "counter": """
c = Counter()
x = a
for i in range(k + 1):
    x = x * b + 0.1
    c.see(x)
return c.best * c.n
""",
    "copy": """
p = Vec(a, b)
q = copy.copy(p)
q.x = 3.0 * b
r = copy.deepcopy(Body(p, p))
r.pos.x += 1.0
return p.x * q.x * r.vel.x
""",
    "hist": """
p = Vec(a, b)
hist = []
for i in range(k):
    p.x += 0.1 * p.y
    hist.append(p.x)
return sum(hist) + p.x
""",
    "histcopy": """
p = Vec(a, b)
hist = []
for i in range(k):
    p.x += 0.1 * p.y
    hist.append(replace(p))
return sum(h.x for h in hist) + p.x
""",
    "histtuple": """
p = Vec(a, b)
hist = []
for i in range(k):
    p.x += 0.1 * p.y
    hist.append((p.x, p.y))
return sum(h[0] for h in hist) + p.x
""",
    "best": """
best = None
for i in range(k + 1):
    p = Vec(a * i, b)
    p.y += p.x
    if best is None or p.y > best.y:
        best = p
return best.y * best.x
""",
    "swap": """
p, q = Vec(a, b), Vec(b, a)
p.x, q.x = q.x, p.x
p, q = q, p
p.y += 2.0
return p.x * p.y + q.x
""",
    "nested": """
def g(p, h):
    p.x += h
    return p
q = g(g(Vec(a, b), a), b)
return q.x * q.y
""",
    "early": """
def g(p, h):
    if p.x > h:
        p.x = h
        return
    p.x += h
q = Vec(a, b)
g(q, b)
g(q, 0.4)
return q.x * q.y
""",
    "chain": """
return Vec(a, b).scale(2.0).scale(b).x
""",
    "dict": """
d = {'p': Vec(a, b)}
d['p'].x += b
return d['p'].x * a
""",
    "dictloop": """
d = {'p': Vec(a, b), 'q': Vec(b)}
for name, p in d.items():
    p.x += b
return d['p'].x * d['q'].x
""",
    "cond": """
p = Vec(a, b)
for i in range(k):
    if i % 2:
        p.x += b
    else:
        p.y *= a
return p.x * p.y
""",
    "ret": """
p = Vec(a, b)
for i in range(k):
    p.x += b
    if p.x > 1.0:
        return p.x * p.y
return p.x
""",
    "mean": """
ps = [Vec(a, b), Vec(b, a)]
m = sum(p.x for p in ps) / len(ps)
for p in ps:
    p.x -= m
return ps[0].x * b + max(p.y for p in ps)
""",
    "left": """
ps = [Vec(a, b), Vec(b, a), Vec(a * b, a)]
for k in range(3):
    q = 0.3
    for p in ps:
        p.x += q * b
        q -= 0.1
        if p.x > 1.0:
            break
    for one, other in zip(ps, ps[1:]):
        flow = 0.3 * (one.x - other.x) * a
        one.x -= flow
        other.x += flow
return sum(p.x * p.y for p in ps)
""",
    "left, of one name with the loop around": """
ps = [Vec(a, b), Vec(b, a), Vec(a * b, a)]
total = 0.0
for k in range(3):
    total += a * k
    for k in range(4):
        if ps[0].x < 0.3 * k:
            break
    total += b * k
return total
""",
    "perhaps": """
p = Vec(a, b)
s = p.scale(b).x if k > 1 else p.x
return s * p.x + p.y
""",
    "annot": """
p = Vec(a, b)
p.x: float = a * b
return p.x
""",
    "listfield": """
s = Sim([])
for i in range(k):
    s.bodies.append(a * i)
    s.t += s.bodies[-1]
return s.t
""",
    "default": """
s = Sim([a], 1.0)
s.bodies = [a, b]
return s.bodies[1] * s.t
""",
    "result": """
p = Body(Vec(a, b), Vec(b))
p.step(0.5)
return p.pos.x, p.count * 1.0
""",
}
POINTS = [(0.5, 0.25, 0), (0.3, 0.7, 1), (1.1, 0.9, 3)]

SHARED = {
    "either": "p, q = Vec(a), Vec(b)\nr = p if k > 1 else q\np.x = a\nreturn r.x",
    "either is changed": (
        "p, q = Vec(a), Vec(b)\nr = p if k > 1 else q\nr.x = a * b\nreturn p.x"
    ),
    "an arm": "p, q = Vec(a), Vec(b)\nif k > 1:\n    q = p\np.x = b\nreturn q.x",
    "a trip": (
        "p = q = Vec(a)\nfor i in range(k):\n    p.x += b\n    p = Vec(p.x)\nreturn q.x"
    ),
    "the trip before": (
        "p, q = Vec(a), Vec(b)\nfor i in range(k):\n    q.x += a\n    q = p\n"
        "    p = Vec(q.x)\nreturn q.x"
    ),
    "a list that grows": (
        "p, hist = Vec(a), []\nfor i in range(k):\n    p.x += b\n    hist.append(p)\n"
        "return sum(h.x for h in hist)"
    ),
    "its other list": (
        "hist = []\nfor i in range(k):\n    hist.append(Vec(a))\n"
        "some = [h for h in hist if h.x > b]\n"
        "for h in some:\n    h.x = b\nreturn sum(h.x for h in hist)"
    ),
    "an array": "u = np.array([a, b])\ns = Arr(u)\ns.v += a\nreturn u[0]",
    "another field": (
        "u = np.array([a, b])\ns, t = Arr(u), Arr(u)\ns.v += a\nreturn t.v[0]"
    ),
}
REFUSED = {
    "frozen": ("p = Still(a)\np.x = b\nreturn p.x", "frozen"),
    "no field": ("p = Vec(a)\np.z = b\nreturn p.x", "no field 'z'"),
    "a number": ("a.x = b\nreturn a", "an attribute of a float"),
    "itself": ("s = Sim([])\ns.bodies = [s]\nreturn a", "holds itself"),
}


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.strip().splitlines())


@pytest.mark.parametrize("point", POINTS, ids=str)
@pytest.mark.parametrize("name", BODIES)
def test_a_changed_object_is_what_python_has(name: str, point: tuple[Any, ...]) -> None:
    text = source(BODIES[name])
    try:
        wanted = flat(load(text)["f"](*point))
    except (ArithmeticError, TypeError, ValueError):
        pytest.skip("Python raises there")
    found = read(text.encode(), "model.py")
    assert all(d.severity != "error" for d in found.diagnostics), found.diagnostics
    assert same_bits(flat(list(evaluate(found.requests[0].function, point))), wanted)


@pytest.mark.parametrize("name", BODIES)
def test_functions_that_stay_functions_change_them_all_the_same(name: str) -> None:
    if name == "result":
        return  # no one number
    text = source(BODIES[name])
    ways = ({"inline": way, **search(text)} for way in ("never", "always"))
    texts = [generate(text, **options) for options in ways]
    for point in POINTS[1:]:
        one, other = (load(text)["f_grad"](*point) for text in texts)
        assert flat(one) == pytest.approx(flat(other), rel=1e-13)


@pytest.mark.parametrize("name", SHARED)
def test_what_may_be_another_object_is_not_changed(name: str) -> None:
    assert set(codes(source(SHARED[name]))) == {"AD124"}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_change_is_said(name: str) -> None:
    body, said = REFUSED[name]
    found = read(source(body).encode(), "model.py").diagnostics
    assert [d.code for d in found] == ["AD107"] and said in found[0].message


def test_a_parameter_is_not_changed_by_what_is_generated() -> None:
    text = source("return a").replace(
        "# ad: gradient(a, b)\ndef f(a: float, b: float, k: int):\n    return a\n",
        "# ad: gradient(value=True), vjp\n"
        "def f(p: Vec, h: float):\n    p.x += h * p.y\n    return p.x * p.y\n",
    )
    model, made = load(text), load_generated(text)
    for call in (made["f_value_and_grad"], lambda p, h: made["f_vjp"](p, h, 1.0)):
        p = model["Vec"](2.0, 3.0)
        value, ((by_x, by_y), by_h) = call(p, 0.5)
        assert (p.x, p.y, value) == (2.0, 3.0, 10.5)
        assert (by_x, by_y, by_h) == (3.0, 5.0, 9.0)
