"""Helpers that change whole arrays of their callers; names of arrays behind arms."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import part
from support import load, load_generated, run

HEAD = """\
import numpy as np

def edge(v, a):
    v[1:] = a * v[:-1] + v[1:] ** 2
    v *= 1.1
    return v[0] * a

def early(a, y):
    if y > 0.0:
        a[1:] *= 3.0
        return
    a[0] = 0.5
    for k in range(3):
        a[1:] *= y
        if a[-1] < 0.1:
            a[0] = y
            break

def both(a, b, y):
    for k in range(2):
        a[1:] += y * b[:-1]
        b[0] = a[1] * y
    return a

def renamed(a, y):
    b = a
    b[1:] *= y
    t = edge(b, y)
    a[0] += t

def another(a, y):
    a = a * 2.0
    a[1:] *= y
    return a[-1]

def binds_late(a, y):
    a[1:] *= y
    a = a * 2.0
    return a[-1]

def part(a, y):
    a[1:] *= y
    return a[1:]

def called(a, fn):
    a[1:] *= 2.0
    return a[-1] + fn(1)

def leaves(a, x, y):
    b = a * y
    if x < 0.55:
        if y > 0.6:
            return b
        b[1:] += x
    else:
        if y < 0.0:
            return np.sin(a)
        x = x * 2.0
    for k in range(3):
        b = b * x
        if b[0] > 0.5:
            return b * 2.0
    return b * x + y

def pairs(a, x, y):
    if x < 0.5:
        if y > 0.6:
            return a, x
        a = a * x
    elif y > 0.7:
        return np.sin(a), y
    return a * x + y, x * y

# ad: gradient
def f(u: "Vector[n]", x: float, y: float, m: int):
    v = u * x
    w = u * y
"""


def source(body: str) -> str:
    head = HEAD.replace("gradient\n", "gradient, hvp\n") if body in BENT else HEAD
    return head + "".join(f"    {line}\n" for line in body.splitlines())


CHANGED = [
    "return edge(v, y) + np.sum(v)",
    "q = v\nedge(v, y)\nreturn np.sum(v * q)",
    "return v[-1] * edge(v, y) + v[-1] * edge(v, x) + v[-1]",
    "a, b, c = v[-1], edge(v, y), v[-1]\nreturn a * b * c",
    "for k in range(m):\n    edge(v, y)\n    w[0] += v[-1]\nreturn np.sum(v * w)",
    "for k in range(m):\n    v, w = w, v\n    edge(v, y)\nreturn np.sum(v * v * w)",
    "early(v, x)\nearly(w, y)\nreturn np.sum(v * w)",
    "for k in range(m):\n    early(v, y)\nreturn np.sum(v * w)",
    "both(v, w, y)\nboth(w, v, x)\nreturn np.sum(v * w)",
    "both(v, v, y)\nreturn np.sum(v * w)",
    "w = both(v, w, y)\nw[0] = x\nreturn np.sum(v * w)",
    "renamed(v, y)\nreturn np.sum(v * w)",
    "return another(v, y) + np.sum(v * w)",
    "if x > 0.5:\n    edge(v, y)\nelif y > 0.0:\n    early(v, y)\n    return v[1] * x\n"
    "return np.sum(v * w)",
    "if edge(v, y) > 0.1:\n    return x * v[1]\nreturn np.sum(v * w)",
    "while True:\n    x += edge(v, 0.5)\n    if x > 2.0:\n        return v[1] + x\n"
    "    v[0] += 0.5",
    "t = another(v, y) if x > 0.5 else 0.1\nreturn t + np.sum(v)",
    "t = v[1]\nif x < 0.5:\n    if v[0] > 0.1:\n        return x * t\nelse:\n"
    "    if y > 0.6:\n        return t * y\n    v *= t\nreturn np.sum(v * w)",
    "r = leaves(v, x, y)\nr[0] = x * y\nreturn np.sum(leaves(r, y, x) * r * v)",
    "for k in range(m):\n    v, x = pairs(v, x, y)\nreturn np.sum(v * w) * x",
    "t = edge(v, y) if x > 0.5 else 0.3\nreturn t + v[1]",
    "if x > 0.5 and edge(v, y) > 0.1:\n    x = y\nreturn x + v[1]",
    "while edge(v, y) < 9.0 and x < 2.0:\n    x += 0.5\nreturn x * v[1]",
]


BENT = part(CHANGED, 3)
"""Those that are differentiated twice, too."""


@pytest.mark.parametrize("body", CHANGED)
def test_the_caller_sees_the_change(body: str) -> None:
    text = source(body)
    plain, made = load(text)["f"], load_generated(text)
    for u, x, y in ((0.3, 0.7, 0.8), (0.6, 0.4, 0.5), (0.4, 0.9, -0.4)):
        point = np.linspace(u, 2.0 * u, 4), x, y, 2
        dots = np.array([0.3, -0.4, 0.2, 0.7]), 0.6, -0.3

        def along(f, h: float, point=point, dots=dots):
            moved = [p + h * d for p, d in zip(point, dots, strict=False)]
            return f(*moved, 2)

        def flat(found):
            return np.concatenate([np.ravel(one) for one in found])

        def slope(f, h=1e-4):
            first, second = (along(f, h) - along(f, -h)) / 2, along(f, 2 * h)
            return (8 * 2 * first - second + along(f, -2 * h)) / (12 * h)

        gradient = flat(made["f_grad"](*point))
        assert abs(gradient @ flat(dots) - slope(plain)) < 1e-8
        if "f_hvp" not in made:
            continue
        product = flat(made["f_hvp"](*point[:3], *dots, 2))
        want = slope(lambda *p: flat(made["f_grad"](*p)))
        assert np.abs(product - want).max() < 1e-7


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("q = v[1:]\nedge(v, y)\nreturn np.sum(q)", "AD124"),
        ("edge(v[1:], y)\nreturn np.sum(v)", "AD124"),
        ("p = (v, y)\nedge(v, y)\nreturn p[0][1]", "AD124"),
        ("return np.sum(v * edge(v, y))", "AD124"),
        ("binds_late(v, y)\nreturn np.sum(v)", "AD124"),
        ("r = part(v, y)\nv[1] = 0.0\nreturn np.sum(r)", "AD124"),
        ("return called(v, lambda k: v[k] * x)", "AD124"),
    ],
)
def test_a_change_that_another_name_may_see_is_refused(body: str, code: str) -> None:
    assert {d.code for d in run(source(body)).diagnostics} == {code}
