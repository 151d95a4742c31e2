"""Arrays that methods and nested functions change for their callers, `u += f`.

Two objects of one class, and any nested function that changes an array in a loop, were
refused; `p.v += w` was not seen by a list that had got `p.v` before.
"""

import numpy as np
import pytest
from support import generate, load, run

HEAD = """import numpy as np


class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v

    def push(self, f):
        self.v += f / self.m


# ad: gradient(value=True)
def f(x: "Vector[m]", y: "Vector[3]", z: "Vector[3]", t: float, n: int):
"""
BODIES = {
    "two objects": (
        "p, q = Body(1.5, y.copy()), Body(t, -z)\nfor i in range(n):\n"
        "    d = q.v - p.v\n    p.push(t * d)\n    q.push(-d)\nreturn p.v @ q.v"
    ),
    "twice each": (
        "p, q = Body(1.5, y.copy()), Body(t, 2 * z)\nfor i in range(n):\n"
        "    p.push(z)\n    q.push(y)\n    p.push(q.v)\nreturn p.v @ q.v"
    ),
    "exchanged": (
        "p, q = Body(1.5, y.copy()), Body(t, z.copy())\nfor i in range(n):\n"
        "    p.push(z)\n    q.push(y)\n    p.v, q.v = q.v, p.v\nreturn p.v @ (q.v + t)"
    ),
    "copies kept": (
        "p = Body(1.5, y.copy())\nh = []\nfor i in range(n):\n    p.push(t * z)\n"
        "    h.append(p.v.copy())\nreturn h[0] @ p.v"
    ),
    "copies of a list kept": (
        "p = Body(t, [t])\nh = []\nfor i in range(n):\n    p.v += [y[i], z[i]]\n"
        "    p.v += (t, y[0])\n    h.append(list(p.v))\n"
        "return sum(h[0]) * z[2] + sum(p.v) * len(h[-1])"
    ),
    "a nested function": (
        "def add(u, v):\n    u += t * v\np, q = x.copy(), 2 * x\nfor i in range(n):\n"
        "    add(p, x)\n    add(q, p)\nreturn p @ q"
    ),
    "nested twice": (
        "def add(a, u, v):\n    v += a * u\ndef steps(r, s):\n    for i in range(n):\n"
        "        add(t, r, s)\n        add(-t, s, r)\nr, s = x.copy(), 0.0 * x\n"
        "steps(r, s)\nreturn r @ x + s @ s"
    ),
    "an element": (
        "def add(u, v):\n    u[0] += t * v[1]\np = x.copy()\nadd(p, p)\nadd(p, x)\n"
        "return p @ x"
    ),
}


def indented(body: str) -> str:
    return "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize("name", BODIES)
def test_callers_see_what_is_changed(name: str) -> None:
    source = HEAD + indented(BODIES[name])
    plain, made = load(source)["f"], load(generate(source))["f_value_and_grad"]
    random = np.random.default_rng(5)
    at = [random.uniform(0.5, 1.5, k) for k in (4, 3, 3)]
    to = [random.normal(size=k) for k in (4, 3, 3)]
    value, (*slopes, slope) = made(*at, 0.75, 2)
    assert value == pytest.approx(plain(*at, 0.75, 2), rel=1e-14)
    h = 2.0**-14
    up = plain(*(a + h * d for a, d in zip(at, to, strict=True)), 0.75 + h, 2)
    down = plain(*(a - h * d for a, d in zip(at, to, strict=True)), 0.75 - h, 2)
    along = slope + sum(s @ d for s, d in zip(slopes, to, strict=True))
    assert along == pytest.approx((up - down) / (2.0 * h), rel=1e-6)


@pytest.mark.parametrize(
    "body",
    [
        "p = Body(t, y.copy())\nq = Body(t, p.v)\np.push(z)\nq.push(z)\nreturn q.v @ z",
        "p = Body(t, y.copy())\nq = Body(t, z.copy())\nfor i in range(n):\n"
        "    p.push(z)\n    q.push(y)\n    q.v = p.v\nreturn p.v @ q.v",
        "p = Body(t, y.copy())\nh = []\nfor i in range(n):\n    p.v += z\n"
        "    h.append(p.v)\nreturn h[0] @ z",
        "p = Body(t, x.copy())\nh = []\nfor i in range(n):\n    p.v += x\n"
        "    h.append(p.v)\nreturn h[0] @ x",
        "p = Body(t, [t])\nh = []\nfor i in range(n):\n    p.v += [y[i]]\n"
        "    h.append(p.v)\nreturn sum(h[0])",
        "p = x.copy()\ndef add(u):\n    u += t\n    u[0] += p[1]\nadd(p)\nreturn p @ x",
        "p = x.copy()\ndef get():\n    return p[1]\ndef add(u):\n    u += t\n"
        "    u[0] += get()\nadd(p)\nreturn p @ x",
        "p = x.copy()\nv = p[1:]\ndef add(u):\n    u += t\nadd(p)\nreturn p @ x + v[0]",
    ],
)
def test_another_name_of_the_array_is_refused(body: str) -> None:
    found = run(HEAD + indented(body)).diagnostics
    assert "AD124" in {one.code for one in found}
