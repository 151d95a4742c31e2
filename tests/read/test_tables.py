"""Lists and dicts as tables: values are Python's, what may change is refused."""

from __future__ import annotations

from typing import Any

import pytest
from amounts import ANY_ORDER
from reading import codes, function, marked
from support import generate, load

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.text import format_function

HEAD = """import math
from dataclasses import dataclass
import numpy as np

A = {"air": 1.4, "he": 1.66}
B = {1: (1.5, 2), 5: (0.25, 3.0), 1.0: (2.5, 4)}
C = [1.5, 2, 0.25]
M = np.array([[1.0, 2.0], [0.5, 3.0]])
D = [[1.5, 2.0], [0.25, 3.0], [0.5, 4.0]]
E = ({"k": 1.5}, {"k": 2.5})
G = {"b": 5.0 / 3.0, "c": -1.0}
S = {"near": {"R": 50.0, "n": 1.5}, "far": {"R": -40.0, "n": 1.25}}
H = [(1.0, 0.5), (float("inf"), math.pi)]


@dataclass
class Held:
    table: dict


def change(d, by):
    d["a"] += by


def change_often(d, by):
    for i in range(int(by)):
        d["a"] += by


def second(u, rows):
    v, sign = u, -1.0
    return sign * v[1] + rows[0][1]


# ad: gradient
def f(x, y: float, k: int, gas: str):
"""

POINT = (1.5, 2.0, 1, "he")
READ = [
    ("return x * A[gas] + A['he']", (1.5, 2.0, 0, "air")),
    ("return x * A[gas] if gas in A else y", (1.5, 2.0, 0, "ne")),
    ("a, b = B[k]\nreturn x * a + b", (1.5, 2.0, 5, "")),
    ("a, b = B[k]\nreturn x * a + b", (1.5, 2.0, 1, "")),
    ("d = {'a': x, 'b': x * y}\nreturn d['a'] * d['b'] + d[gas]", (1.5, 2.0, 0, "b")),
    ("return x * C[k] + sum(t * y for t in C) + len(C)", (1.5, 2.0, -1, "")),
    ("return x * D[k][k - 1] + E[1]['k']", (1.5, 2.0, 1, "")),
    ("return x * {True: 2.0, False: y}[x > 1]", (1.5, 2.0, 1, "")),
    ("return x * len(A) + sum(A.values()) + sum(A[k] for k in A)", (1.5, 2.0, 1, "")),
    ("s = y\nfor g, v in A.items():\n    s += v * (g == gas)\nreturn s * x", POINT),
    ("return x * G['b'] + G[gas] * max({'a': x, 'b': y}.values())", (1.5, 2.0, 1, "b")),
    ("return x * A.get(gas, y) + A.get('he', x) * A.get('ne', y)", POINT),
    ("return x * A.get(gas, y) + A.get('he', x) * A.get('ne', y)", (1.5, 2.0, 1, "b")),
    ("return C[1:][k] * x", POINT),
    ("return x * S['near']['n']", POINT),
    ("for _, s in S.items():\n    x = x * s['n'] + s['R']\nreturn x", POINT),
    (
        "n = 1.0\nfor s in S.values():\n    x *= s['n'] - n\n    n = s['n']\nreturn x",
        POINT,
    ),
    ("return x * S.get('far')['n']", POINT),
    ("s = y\nfor u, r in H:\n    s += min(x, u) * r\nreturn s * sorted(C)[0]", POINT),
    ("g = lambda s, *, a, b: s * a + b\nreturn g(x, **{'b': y, 'a': 2.0})", POINT),
    ("d = {**A, 'air': x, **{'ne': y}} | {'he': x}\nreturn d[gas] * d['ne']", POINT),
    ("d = {k: v * x for k, v in A.items() if v > 1.5}\nreturn d[gas] * len(d)", POINT),
    ("d = dict(zip(('ne', 'he'), (x, y)), ar=x) | A\nreturn d['ar'] * d[gas]", POINT),
    ("u = C\nfor t in u[1:] + C:\n    x += t * sum(u)\nreturn x", POINT),
    ("for row in D:\n    u, v = row\n    x += u * v\nreturn x", POINT),
    ("u = np.array([[1.0, x], [y, 2.0]]) @ M\nreturn u[0][1] * x", POINT),
    ("return second(C, D) * x + max(list(C))", POINT),
]
LONG = [
    "for i, (t, u) in enumerate(zip(T, T[1:])):\n    x += (i + t) * u * y - i / 2",
    "for i, t in enumerate(T[::-1], 3):\n    x = x * 0.5 + i**2 * t - t * y - i",
    "for g, t in zip(('he', 'ne') * 9, T):\n    x += t if g == gas else t * y - t * t",
    "z = [x, y] * 20\nfor i in range(40):\n    z[i] += T[i]\n    x += z[i] * z[i - 1]",
    "r = [[x, y], [y]]\nfor i, t in enumerate(T):\n    x += r[i % 2][0] * t - i + y",
    "z, p = [x] * 40, [(x, 1.0)]\nfor i, t in enumerate(T):\n    z[i] += t * z[i - 1]\n"
    "    p = [*p, (t, z[i])]\n    x += z[i] * p[i][1] * 0.1",
    "for i in range(2 * len(T)):\n    x += (T[i // 2] - i) * (y - T[i % 7]) * 0.01 * i",
]

WRITTEN = [
    "e = [d]\nd['a'] = y\nreturn e[0]['a'] + x",
    "d = {'a': [x, y]}\nd['a'] += [x * x]\nreturn sum(d['a'])",
    "d = {'a': np.array([x, y])}\nd['a'] += x\nreturn d['a'][1]",
    "d['a'] += x * d['b']\nd['c'] = d['a'] * y\nreturn sum(d.values()) * len(d)",
    "e = d\nif k > 1:\n    d['a'] *= x\nreturn d['a'] * e['a']",
    "e = d\nfor i in range(k):\n    d['a'] += x * e['b']\nreturn d['a'] * e['a']",
    "for i in range(k):\n    if i > 0:\n        d['a'] *= x\nreturn d['a'] + x",
    "for i in range(k):\n    change(d, x * i)\nreturn d['a'] * d['b']",
    "for i in range(k):\n    d = {'a': d['b'], 'b': d['a'] * x}\nreturn d['a'] - x",
    "e = dict(d)\nfor key in e:\n    e[key] *= x\nreturn e['a'] * d['a']",
    "if k > 1:\n    e = {'u': x * y}\nelse:\n    e = {'u': x}\nreturn e['u'] * y",
    "e = d\nd.update({'b': x}, c=y)\nd.update([('a', 3.0)])\nreturn e['a'] * e['b']",
    "n = {0: x, 1: y}\nfor i in range(k):\n    n[i % 2] *= 2.0\nreturn n[0] - n[1]",
    "d['b' if k > 1 else 'a'] -= x\nreturn d['a'] * d['b']",
    "def g():\n    return d['a'] * x\nd['a'] = y\nu = g()\nd['a'] += k\nreturn g() - u",
    "g = lambda z: z * x\nfor i in range(k):\n    d['a'] += g(d['b'])\nreturn d['a']",
    "g = lambda: d['a']\nif k > 1:\n    d['a'] = x * y\n    x = g()\nreturn x + g()",
    "e = dict(u=y)\nwhile e['u'] < 9:\n    e['u'] += k + 1\nreturn e['u']",
    "for i in range(k):\n    r = {q: 0.0 for q in d}\n    r['a'] += x * d['b']\n"
    "    d = {q: v + r[q] for q, v in d.items()}\nreturn d['a'] * d['b']",
    "for i in range(k):\n    old = d\n    d = {'a': old['b'], 'b': old['a'] * x}\n"
    "    d['a'] += old['a']\nreturn d['a'] - x",
    "for i in range(k):\n    d = {'a': d['b'] + i, 'b': d['a'] * x}\n"
    "for i in range(k + 1):\n    e = {'u': y * i}\n    for j in range(i):\n"
    "        e['u'] += d['a'] * x\nreturn e['u'] + d['b']",
    "for i in range(k):\n    e = {'a': x, 'b': y}\n    e['a'] += d['b']\n"
    "    if i > 1:\n        break\n    d = e\nreturn d['a']",
]
AT_THE_HEAD = "e = {'a': y, 'b': x}\nfor i in range(k + 3):\n    d['a'] += y * d['a']\n"
HELD_ELSEWHERE = [
    "for i in range(k):\n    d['a'] += y\n    d = {'a': x, 'b': y}\nreturn d['a']",
    "g = lambda e=d: e['a']\nd['a'] = 1.0\nreturn g()",
    "change_often(d, x)\nreturn d['a']",
]
MAY_BE_ANOTHER = [
    "e = d if k > 1 else {'a': x, 'b': y}\ne['a'] = 1.0\nreturn d['a']",
    "e = d if k > 1 else {'a': x, 'b': y}\nd['a'] = 1.0\nreturn e['a']",
    "z = np.array([x, y])\nd = {'a': z}\nd['a'] += x\nreturn z[0]",
    "z = [x, y]\nd = {'a': z, 'b': z}\nd['a'] += [x]\nreturn sum(d['b'])",
    AT_THE_HEAD + "    if i == 2:\n        break\n    e = d\nreturn e['a']",
    AT_THE_HEAD + "    if i % 2:\n        e = d\nreturn e['a']",
    AT_THE_HEAD + "    if i > 2:\n        return e['a']\n    e = d\nreturn x",
    "def keep():\n    nonlocal e\n    e = d\n"
    + AT_THE_HEAD
    + "    if i == 2:\n        break\n    keep()\nreturn e['a']",
    "p = Held({'a': y, 'b': x})\n"
    + AT_THE_HEAD
    + "    if i == 2:\n        break\n    p.table = d\nreturn p.table['a']",
    "for i in range(k):\n    e = {'a': x, 'b': y}\n    if i > 1:\n        d = e\n"
    "    e['a'] += y\nreturn d['a']",
]


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(("body", "point"), READ)
def test_is_what_python_looks_up(body: str, point: tuple[Any, ...]) -> None:
    (found,) = evaluate(function(source(body)), point)
    assert found == load(source(body))["f"](*point)


@pytest.mark.parametrize("body", LONG)
def test_long_loops_over_tables_are_what_python_computes(body: str) -> None:
    text = source(f"T = tuple([0.1 * j for j in range(40)])\n{body}\nreturn x")
    (found,) = evaluate(function(text), POINT)
    assert found == load(text)["f"](*POINT)


def test_lengths_that_are_known_are_numbers() -> None:
    text = source("z = np.zeros(2 * len(C))\nz[k] = x\nreturn sum(z) * y")
    assert "float[6]" in format_function(function(text))


@pytest.mark.parametrize("k", [0, 1, 3])
@pytest.mark.parametrize("body", [*WRITTEN, *HELD_ELSEWHERE])
def test_a_dict_that_is_written_is_what_python_has(body: str, k: int) -> None:
    text, point = source("d = {'a': x, 'b': 2.0}\n" + body), (1.5, 2.0, k, "")
    (found,) = evaluate(function(text), point)
    assert found == load(text)["f"](*point)


@pytest.mark.parametrize("body", MAY_BE_ANOTHER)
def test_a_dict_that_may_have_another_name_is_not_written(body: str) -> None:
    assert codes(source("d = {'a': x, 'b': 2.0}\n" + body)) == ["AD124"]


@pytest.mark.parametrize(
    "use", ["return x * A[gas]", "d = dict(A)\nd[gas] += x\nreturn d['he']"]
)
def test_a_key_that_is_not_there_is_a_key_error(use: str) -> None:
    program = function(source(use))
    with pytest.raises(Exception, match="ne"):
        evaluate(program, (1.0, 2.0, 0, "ne"))


@pytest.mark.parametrize(
    "use",
    [
        "C[0] = 1.0",
        "C.append(1.0)",
        "del C[0]",
        "g(C)",
        "E = C",
        "E, F = C, 1",
        "C += [1]",
        "D[:][0][0] = 1.0",
        "A.pop('he')",
        "A.get",
        "u = C\n    u[0] = 1.0",
        "u = C\n    u += [1.0]",
        "for u in D:\n        u[0] = 1.0",
        "for k, u in enumerate(D):\n        u[0] = 1.0",
        "change(C, 1.0)",
        "np.put(C, 0, 1.0)",
        "np.ravel(C)[0] = 1.0",
        "return C",
        "u = C or g\n    u[0] = 1.0",
        "g.extend(C)",
        "u = []\n    u.extend(D)\n    u[0][0] = 1.0",
        "from bisect import insort\n    insort(C, 1.0)",
        "from collections import deque\n    deque(D)[0][0] = 1.0",
    ],
)
def test_a_table_that_may_change_is_no_constant(use: str) -> None:
    body = (
        source("return x * C[k]") + f"\n\ndef other(g):\n    global C, E\n    {use}\n"
    )
    assert "AD122" in codes(body) or "AD108" in codes(body)


def test_copies_of_lists_change() -> None:
    text = """
from copy import copy, deepcopy

C = [1.0, 1.5, 0.5]

# ad: gradient
def f(x: float, y: float, n: int):
    a, b, c = copy(C), C.copy(), C[:]
    a[0], b[1] = x, y
    c[2] += x * y
    d = [x] * n
    e = deepcopy(d)
    e[0], d[1] = y, 7.0 * x
    b.append(x)
    return sum(a) * b[1] + c[2] * e[1] + d[0] * e[0] + b[-1] * d[1] + C[0]
"""
    f, grad = load(text)["f"], load(generate(text, **ANY_ORDER))["f_grad"]
    ends = ((1e-6, 0.0), (0.0, 1e-6))
    rises = [(f(0.4 + h, 0.6 + k, 3) - f(0.4 - h, 0.6 - k, 3)) / 2e-6 for h, k in ends]
    assert grad(0.4, 0.6, 3) == pytest.approx(rises, rel=1e-8)


def test_a_table_that_the_library_reads_is_a_constant() -> None:
    uses = """
def other(g):
    import bisect
    from collections import deque
    stack = []
    while C[0] < 1.0 and g or C:
        stack.extend(C)
        g = bisect.bisect(C, g) + len(deque(C)) + C.index(1.0)
    assert C, f"{C} is empty"
    return C[0] or g
"""
    assert codes(source("return x * C[k]") + uses) == []


@pytest.mark.parametrize(
    "change",
    [
        "for s in S.values():\n        s['n'] = x",
        "for _, s in S.items():\n        s['n'] = x",
        "S.get('near')['n'] = x",
        "list(S.values())[0]['n'] = x",
    ],
)
def test_dicts_that_a_dict_shows_may_change(change: str) -> None:
    text = marked("return x * S['near']['n']")
    table = "S = {'near': {'n': 1.5}, 'far': {'n': 1.25}}\n"
    assert "AD122" in codes(f"{table}{text}\n\ndef other(x):\n    {change}\n")
