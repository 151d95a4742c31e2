"""Tuples of numbers that grow: `t = t + (a,)`, `t += (a,)`, `t = (*t, a)`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support import flat, load, load_generated, run, same_bits

HEAD = "import numpy as np\n# ad: jvp, vjp\n"
START = 'def f(x: "Vector[n]", k: float):\n'
BODIES = {
    "from nothing": """\
t = ()
for v in x:
    t = t + (v * v * k,)
return t[0] * sum(t) + len(t)
""",
    "in an arm": """\
t = tuple()
for i in range(len(x)):
    if x[i] > 0.0:
        t += (x[i] * k,)
s = 0.0
for a in t:
    s += a * a
return s * t[-1]
""",
    "two names": """\
t = (k,)
u = t
for v in x:
    u = t
    t = t + (t[-1] * v, u[0])
return u[-1] * t[-2] + u[0] + max(t)
""",
    "handed on": """\
t = (k,)
for v in x:
    t = step(t, v)
return t[1] * t[-1] * len(t)
""",
    "begun again": """\
best = ()
cur = ()
for v in x:
    cur = cur + (v * k,) if v > 0.0 else ()
    if len(cur) > len(best):
        best = cur
return sum(best) * k
""",
    "in front": """\
t = ()
while len(t) < 3:
    t = (k * len(t),) + t
return t[0] * sum(t) * x[0]
""",
    "whole numbers": """\
t = (0,)
for v in x:
    t = t + (t[-1] + 1,)
return x[t[-1] - 1] * k * t[2]
""",
    "spread": """\
t = (1, 2.5)
for v in x:
    t = (*t, v * k)
a = np.array(t)
return np.sum(a * a) * k
""",
    "by a test": """\
t = (x[0], k)
if k > 1.0:
    t = t + (k * k,)
return t[-1] * t[0] * len(t)
""",
    "joined by sum": """\
t = sum(((v, v * k) for v in x), (0.0, k))
return t[4] * t[1] + len(t) * t[-2]
""",
    "given back": """\
t = ()
for v in x:
    t = t + (v * k,)
return t
""",
}
HELPER = "def step(t, v):\n    return t + (t[-1] * v + 1.0,)\n\n"


def source(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return HEAD.replace("# ad", f"{HELPER}# ad") + START + lines


@pytest.mark.parametrize("inline", ["always", "never"])
@pytest.mark.parametrize("name", BODIES)
def test_they_are_lists_that_nobody_changes(name: str, inline: str) -> None:
    text = source(BODIES[name])
    own, made = load(text)["f"], load_generated(text, inline=inline)
    for x, k in (([0.3, -0.7, 1.1, 0.2], 2.0), ([0.9, 0.4, -0.3], 0.5)):
        x_dot, k_dot = np.cos(np.arange(len(x))).tolist(), 0.3
        value, tangent = made["f_jvp"](x, k, x_dot, k_dot)
        wanted: Any = own(x, k)
        assert all(map(same_bits, flat(value), flat(wanted)))
        h = 1e-6
        ends = [
            np.array(
                own([v + t * d for v, d in zip(x, x_dot, strict=True)], k + t * k_dot)
            )
            for t in (h, -h)
        ]
        slope = (ends[0] - ends[1]) / (2.0 * h)
        assert flat(tangent) == pytest.approx(flat(slope), rel=1e-7, abs=1e-8)
        bar = np.sin(1.0 + np.arange(np.size(wanted)))
        seed = tuple(bar.tolist()) if isinstance(wanted, tuple) else float(bar[0])
        _, (x_bar, k_bar) = made["f_vjp"](x, k, seed)
        back = float(np.dot(x_bar, x_dot)) + k_bar * k_dot
        assert back == pytest.approx(float(np.dot(bar, flat(tangent))), rel=1e-12)


@pytest.mark.parametrize("item", ["(v * k, v)", "'b'"])
def test_other_items_are_refused(item: str) -> None:
    text = source(f"t = ()\nfor v in x:\n    t = t + ({item},)\nreturn len(t) * k\n")
    assert [one.code for one in run(text).diagnostics if "AD1" in one.code]
