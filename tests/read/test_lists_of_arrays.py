"""Lists of arrays, as numpy's users make them: `[row.copy() for row in A]`, `list(A)`.

`u + v` of two such arrays joined them as lists, `2 * u` repeated one, and `u[1:]` was a
copy: values were wrong.
"""

import numpy as np
import pytest
from support import generate, load, run

HEAD = """import numpy as np


# ad: gradient(value=True)
def f(P: "Matrix[m, n]", Q: "Matrix[3, 2]", t: float, k: int):
"""
BODIES = {
    "a sum": "h = [p.copy() for p in P]\nq = h[0] + h[1]\nreturn q[0] * len(q)",
    "a multiple": "h = [p.copy() for p in P]\nq = 2 * h[0]\nreturn q[0] * t + len(q)",
    "each one": (
        "s = t\nfor p in [p.copy() for p in P]:\n    q = p + p\n    s += q[0]\nreturn s"
    ),
    "rows": "h = [P[i] for i in range(k)]\nq = h[0] + h[1]\nreturn q[0] * t + len(q)",
    "rows by name": "h = [p for p in P]\nq = t * h[0] + h[1]\nreturn q[0] + len(q)",
    "list": "h = list(P)\nq = h[0] + t * h[1]\nreturn q[1] + len(q)",
    "map": "h = list(map(lambda r: r * t, P))\nq = h[0] + h[1]\nreturn q[0] + len(q)",
    "made of numbers": (
        "h = [np.array([t * q for q in p]) for p in P]\nq = h[0] + h[1]\nreturn q[1]"
    ),
    "of two": (
        "h = [np.array([P[i, 0], t]) for i in range(k)]\nq = h[0] + h[1]\n"
        "return q[0] * len(q)"
    ),
    "a slice": "h = [p.copy() for p in P]\nu = h[0][1:]\nu[0] = t * t\nreturn h[0][1]",
    "all of one": "h = [p.copy() for p in P]\nu = h[0][:]\nu[0] = t\nreturn h[0][0]",
    "a slice of either": (
        "h = [p.copy() for p in P]\nu = h[0][1:] if k > 2 else h[1][1:]\nu[0] = t * t\n"
        "return h[0][1] * h[1][1]"
    ),
    "given on": (
        "def g(u, v):\n    return (u + v)[0]\nh = [p.copy() for p in P]\n"
        "return g(h[0], h[1]) * t"
    ),
    "some": (
        "h = [p.copy() for p in P]\nif k > 2:\n    h = h[1:]\nq = h[0] + h[1]\n"
        "return q[0] * t + len(q)"
    ),
    "compared": "h = [p.copy() for p in P]\nreturn t * np.sum((h[0] > h[1]) * h[0])",
    "back": (
        "s = t\nfor p in reversed([p.copy() for p in P]):\n    q = p + p\n"
        "    s = s * 0.5 + q[0]\nreturn s"
    ),
    "rows of known length": (
        "h = [q.copy() for q in Q]\nu = h[k % 3] + h[0]\nreturn u[0] * t + len(u)"
    ),
    "known rows": (
        "h = [Q[0], t * Q[1], Q[2]]\nu = h[k % 3] + h[0]\nreturn u[0] + len(u)"
    ),
    "one of two": (
        "h = [P[0].copy(), P[1].copy()]\nfor i in range(k):\n"
        "    h[i % 2] = h[i % 2] + 2 * h[0]\nreturn h[0][0] * t"
    ),
    "a list that grows": (
        "h = [t * Q[0], Q[1]]\nwhile len(h) < k + 2:\n    h.append(h[-1] + h[-2])\n"
        "return h[-1][0] + len(h[-1])"
    ),
    "de Casteljau": (
        "b = [p.copy() for p in P]\nwhile len(b) > 1:\n"
        "    b = [(1 - t) * p + t * q for p, q in zip(b, b[1:])]\nreturn np.sum(b[0])"
    ),
    "de Casteljau with few": (
        "b = list(Q)\nwhile len(b) > 1:\n"
        "    b = [(1 - t) * p + t * q for p, q in zip(b[:-1], b[1:])]\n"
        "return b[0][0] * b[0][1]"
    ),
    "element by element": (
        "h = [p.copy() for p in P]\nfor i in range(1, len(h)):\n"
        "    r = h[i][0] / h[0][0]\n    for j in range(len(h[0])):\n"
        "        h[i][j] -= r * h[0][j]\nreturn t * np.sum(h[1][1:]) + h[2][2]"
    ),
    "lists beside": (
        "h = [p.copy() for p in P]\nu = list(h[0]) + [t]\nv = h[0] + h[1]\n"
        "w = [2 * q for q in v] + u\nreturn w[0] * len(w) + u[-1] * len(u) * sum(w)"
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_arrays_in_a_list_are_arrays(name: str) -> None:
    body = "".join(f"    {line}\n" for line in BODIES[name].split("\n"))
    plain = load(HEAD + body)["f"]
    made = load(generate(HEAD + body))["f_value_and_grad"]
    random = np.random.default_rng(2)
    for k in (2, 3):
        P, Q = random.uniform(0.5, 1.5, (4, 3)), random.uniform(0.5, 1.5, (3, 2))
        value, (P_bar, Q_bar, t_bar) = made(P, Q, 0.375, k)
        assert value == pytest.approx(plain(P, Q, 0.375, k), rel=1e-14)
        dP, dQ, h = random.normal(size=(4, 3)), random.normal(size=(3, 2)), 2.0**-14
        up = plain(P + h * dP, Q + h * dQ, 0.375 + h, k)
        down = plain(P - h * dP, Q - h * dQ, 0.375 - h, k)
        slope = np.sum(P_bar * dP) + np.sum(Q_bar * dQ) + t_bar
        assert slope == pytest.approx((up - down) / (2.0 * h), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(
    "body",
    [
        "A = 2.0 * P\nh = list(A)\nA[0] = P[1]\nreturn (h[0] + h[1])[0]",
        "A = 2.0 * P\nh = [r for r in A]\nA[0, 0] = t\nreturn h[0][0]",
        "h = [p.copy() for p in P]\nh[0] += h[1]\nreturn h[0][0]",
        "h = (t * Q[0], Q[1])\nq = h[k % 2] + h[0]\nreturn q[0]",
    ],
)
def test_two_names_of_an_array_are_not_mixed_up(body: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    result = run(HEAD + lines)
    assert result.text is None
    assert {d.code for d in result.diagnostics} <= {"AD107", "AD124", "AD030"}
