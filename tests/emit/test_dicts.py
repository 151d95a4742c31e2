"""Lists of keys are dicts and sets in Python, where they are looked for in them."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load, run, same_bits

from ad_transform.options import Options
from ad_transform.run.job import explain

HEAD = """\
# ad: gradient(x)
def f(x: "Vector[n]", k: "Vector[n, int]"):
    d, e, seen, t = {}, {}, set(), 1.0
"""
# fmt: off
DICTS = {
    "sums":         "for i in range(len(x)):\n"
                    "    d[k[i]] = d.get(k[i], 0.0) + x[i] * x[i]\n"
                    "return sum(v * v for v in d.values())",
    "asked first":  "for i in range(len(x)):\n    if k[i] in d:\n"
                    "        d[k[i]] *= x[i]\n    else:\n        d[k[i]] = x[i]\n"
                    "return sum(v * v for v in d.values())",
    "and asked":    "for i in range(len(x)):\n"
                    "    if x[i] > 0.0 and k[i] not in d:\n        d[k[i]] = x[i]\n"
                    "return sum(v * v for v in d.values()) + len(d) * x[0]",
    "by text":      "for i in range(len(x)):\n"
                    "    d[f'a{k[i]}'] = d.get(f'a{k[i]}', 1.0) * x[i]\n"
                    "return sum(v * v for v in d.values())",
    "by pair":      "for i in range(len(x)):\n"
                    "    d[k[i], i % 2] = d.get((k[i], i % 2), 1.0) * x[i]\n"
                    "return sum(v * v for v in d.values())",
    "by three":     "for i in range(len(x)):\n    if (k[i], 0, i % 3) not in d:\n"
                    "        d[k[i], 0, i % 3] = 1.0\n    d[k[i], 0, i % 3] *= x[i]\n"
                    "for (a, b, c), v in d.items():\n    t = t * v + a + c\nreturn t",
    "gone over":    "for i in range(len(x)):\n    d[k[i]] = d.get(k[i], 1.0) * x[i]\n"
                    "for key in d:\n    t = t * x[key] + key\nreturn t",
    "with values":  "for i in range(len(x)):\n    d[k[i]] = d.get(k[i], 1.0) * x[i]\n"
                    "for key, v in d.items():\n    t = t * v + key\nreturn t",
    "pairs":        "for i in range(len(x)):\n    d[i, k[i]] = x[i] * x[i]\n"
                    "for (a, b), v in d.items():\n    if b > 1:\n"
                    "        t = t * v + a * b\n    elif t > 90.0:\n        break\n"
                    "for a, b in d:\n    t = t * x[b] + a\nreturn t",
    "copied":       "for i in range(len(x)):\n    d[k[i]] = x[i] * x[i]\n"
                    "e = d.copy()\ne[7] = x[0]\nd[8] = e[7] * e.get(3, t)\n"
                    "return sum(e.values()) + len(d) * x[1] * d.get(7, 2.0) * d[8]",
    "at the end":   "for i in range(len(x)):\n    d[k[i]] = x[i] * x[i]\n"
                    "if len(d) > 1:\n    d.popitem()\nd[9] = x[1] * d.get(2, 1.0)\n"
                    "return sum(v * v for v in d.values())",
}
SETS = {
    "seen":         "for i in range(len(x)):\n    if k[i] not in seen:\n"
                    "        seen.add(k[i])\n        t *= x[i]\nreturn t",
    "of three":     "for i in range(len(x)):\n    if (k[i], i % 2, 3) not in seen:\n"
                    "        seen.add((k[i], i % 2, 3))\n        t *= x[i]\nreturn t",
    "of pairs":     "for i in range(len(x)):\n    if (k[i], i % 2) not in seen:\n"
                    "        seen.add((k[i], i % 2))\n        t *= x[i]\n"
                    "return t * x[0] if (3, 0) in seen else t",
}
LISTS = {
    "taken out":    "for i in range(len(x)):\n    if k[i] in d:\n"
                    "        t += d.pop(k[i])\n    else:\n        d[k[i]] = x[i]\n"
                    "return t * t",
    "in a list":    "u = [j % 3 for j in k]\nfor i in range(len(x)):\n"
                    "    if i in u:\n        t += x[i] * x[i] * u.index(i)\nreturn t",
}
# fmt: on
X = np.array([0.3, 1.2, -0.7, 0.9, 1.6, 0.4])
K = np.array([3, 1, 3, 2, 1, 3])


def text_of(body: str) -> str:
    lines = (f"    {line}\n" for line in body.splitlines())
    return generate(HEAD + "".join(lines), **ANY_ORDER)


@pytest.mark.parametrize("name", [*DICTS, *SETS, *LISTS])
def test_gradients_are_those_of_differences(name: str) -> None:
    body = {**DICTS, **SETS, **LISTS}[name]
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    plain, made = load(HEAD + lines)["f"], load(text_of(body))["f_grad"](X, K)
    for j in range(len(X)):
        high, low = X.copy(), X.copy()
        high[j] += 1e-6
        low[j] -= 1e-6
        rise = plain(high.tolist(), K.tolist()) - plain(low.tolist(), K.tolist())
        assert made[j] == pytest.approx(rise / 2e-6, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", DICTS)
def test_a_dict_says_where_keys_are(name: str) -> None:
    text = text_of(DICTS[name])
    assert ".index(" not in text and "in zip(d_key" not in text
    assert re.search(
        r"d_key: dict\[(int|str|tuple\[int, int(, int)?\]), int\] = \{\}", text
    )


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_asked_what_is_in_it(name: str) -> None:
    text = text_of(SETS[name])
    kinds = {"of pairs": "tuple[int, int]", "of three": "tuple[int, int, int]"}
    kind = kinds.get(name, "int")
    assert f"seen: set[{kind}] = set()" in text and "seen.add(" in text


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_which_items_come_twice_or_go_stay_lists(name: str) -> None:
    text = text_of(LISTS[name])
    assert "dict[" not in text and "set[" not in text and ".index(" in text


def test_a_loop_goes_over_the_keys() -> None:
    assert "for key in d_key:" in text_of(DICTS["gone over"])
    assert "for i, key in enumerate(d_key):" in text_of(DICTS["with values"])
    pairs = text_of(DICTS["pairs"])
    assert "for a_2, b_2 in d_key:" in pairs
    assert "d_key_list = list(d_key)" in pairs  # one that is left, and its way back
    assert "a, b = d_key_list[i]" in pairs and "b_2 = d_key_list[i][1]" in pairs


def test_what_is_in_it_reads_well() -> None:
    body = "for i in range(len(x)):\n    d[k[i]] = x[i]\n"
    body += "    if (k[i], 1) in e:\n        t *= x[i]\n    e[k[i], i % 2] = t\n"
    text = text_of(f"{body}return t")
    assert "if not " not in text and re.search(r"\(\w+, 1\) in e_key", text)


BEGUN = """\
# ad: gradient(x)
def f(x: "Vector[n]", start: int):
    d = {start: x[0]}
    d[start + 1] = d[start] * x[1]
    for i in range(len(x)):
        if i in d:
            d[i] *= x[i]
    return sum(d.values())
"""


def test_the_first_key_is_looked_for_nowhere() -> None:
    text = generate(BEGUN, **ANY_ORDER)
    assert "    d_key[start] = len(d_key)\n    d_value.append(" in text
    assert load(text)["f_grad"]([2.0, 3.0, 5.0], 7).tolist() == [4.0, 2.0, 0.0]


COPIES = {
    "known, copied":       ("d = {1: x[0]}", "d.copy()"),
    "known, dict":         ("d = {1: x[0]}", "dict(d)"),
    "known, copy.copy":    ("d = {1: x[0]}", "copy.copy(d)"),
    "known, deepcopy":     ("d = {1: x[0]}", "copy.deepcopy(d)"),
    "of a run, copied":    ("d = {k[1]: x[0]}", "d.copy()"),
    "of a run, copy.copy": ("d = {k[1]: x[0]}", "copy.copy(d)"),
    "of a run, deepcopy":  ("d = {k[1]: x[0]}", "copy.deepcopy(d)"),
    "of floats, copied":   ("d = defaultdict(float)\n    d[1] = x[0]", "d.copy()"),
    "of floats, deepcopy": (
        "d = defaultdict(float)\n    d[1] = x[0]", "copy.deepcopy(d)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_takes_keys_that_its_dict_does_not_get(name: str) -> None:
    begun, copied = COPIES[name]
    source = f"""\
import copy
from collections import defaultdict


# ad: gradient(x)
def f(x: "Vector[n]", k: "Vector[n, int]"):
    {begun}
    e = {copied}
    for i in range(len(x)):
        e[k[i]] = x[i] * x[i] + e.get(k[i], 0.5)
    return sum(e.values()) * d[1] + len(d) * e[1] * x[2]
"""
    plain = load(source)["f"]
    made = load(generate(source, **ANY_ORDER))["f_grad"](X, K)
    for j, step in enumerate(np.eye(len(X)) * 1e-6):
        rise = plain(list(X + step), list(K)) - plain(list(X - step), list(K))
        assert made[j] == pytest.approx(rise / 2e-6, rel=1e-6, abs=1e-8)


ASKED = """\
# ad: gradient(x)
def f(x: "Vector[n]", k: "Vector[n, int]"):
    d, t = {}, x[0]
    for i in range(len(x)):
        d[k[i], i] = 2.0
    for i in range(len(x)):
        if (k[i % 3], 1) in d:
            t = t + d[k[(i + 1) % 3], 2] * 0.5
    return t
"""


def test_what_is_not_there_is_said_so() -> None:
    text = generate(ASKED, **ANY_ORDER)
    assert not re.search(r"if not \(.*\) in ", text)


MEMO = """\
def ways(i, j, x, memo):
    if i == 0 or j == 0:
        return 1.0
    if (i, j) in memo:
        return memo[i, j]
    v = x[i] * ways(i - 1, j, x, memo) + x[j] * x[i] * ways(i, j - 1, x, memo)
    memo[i, j] = v
    return v


# ad: {kind}
def f(x: "Vector[m]", n: int):
    return ways(n, n, x, {{}})
"""


@pytest.mark.parametrize("kind", ["gradient", "jvp", "vjp", "hvp", "hessian"])
def test_a_memo_is_one_dict_in_all_functions(kind: str) -> None:
    text = generate(MEMO.format(kind=kind), **ANY_ORDER)
    assert "memo_key: dict[tuple[int, int], int]" in text
    assert "memo_key_2: list" not in text and " in zip(" not in text


def test_derivatives_of_a_memo_are_those_of_the_recursion() -> None:
    plain = MEMO.replace("    if (i, j) in memo:\n        return memo[i, j]\n", "")
    plain = plain.replace("    memo[i, j] = v\n", "")
    x, v = np.array([0.3, 1.2, -0.7, 0.9]), np.array([0.5, -0.1, 0.2, 0.7])
    for kind, name, more in (
        ("gradient", "f_grad", ()),
        ("hvp", "f_hvp", (v,)),
        ("hessian", "f_hess", ()),
        ("jvp", "f_jvp", (v,)),
    ):
        one, other = (
            load(generate(text.format(kind=kind), **ANY_ORDER))[name](x, *more, 3)
            for text in (MEMO, plain)
        )
        for got, wanted in zip(np.atleast_1d(one), np.atleast_1d(other), strict=True):
            assert got == pytest.approx(wanted, rel=1e-12)


LEGENDRE = """\
def legendre(n, t, memo=None):
    if memo is None:
        memo = {}
    if n not in memo:
        if n < 2:
            memo[n] = t if n == 1 else 1.0
        else:
            one, two = legendre(n - 1, t, memo), legendre(n - 2, t, memo)
            memo[n] = ((2 * n - 1) * t * one - (n - 1) * two) / n
    return memo[n]


# ad: gradient(value=True), jvp, hvp(x)
def f(x: float, k: int):
    return x * legendre(k, x)
"""


def test_functions_with_dicts_are_none_of_those_with_lists() -> None:
    made = load(generate(LEGENDRE, effort=0))
    x = 0.3
    value = x * (63.0 * x**5 - 70.0 * x**3 + 15.0 * x) / 8.0
    slope = (63.0 * 6 * x**5 - 70.0 * 4 * x**3 + 30.0 * x) / 8.0
    bend = (63.0 * 30 * x**4 - 70.0 * 12 * x**2 + 30.0) / 8.0
    close = pytest.approx
    assert made["f_value_and_grad"](x, 5) == (close(value), close(slope))
    assert made["f_jvp"](x, 2.0, 5) == (close(value), close(2.0 * slope))
    assert made["f_hvp"](x, 2.0, 5) == close(2.0 * bend)


def test_a_list_that_a_call_changes_keeps_its_name() -> None:
    text = generate(LEGENDRE.replace("(value=True), jvp, hvp(x)", ""), effort=0)
    assert "one, memo_key, memo_value, " in text
    assert not re.search(r"^ +(\w+)_\d = \1$", text, re.M)


COUNTED = """\
from collections import defaultdict


# ad: gradient(a), jvp
def f(a: float, k: int):
    d = defaultdict(float)
    for i in range(k):
        d[i] += a
    return d[0] * d[k - 1]
"""
BEST = """\
class P:
    def __init__(self, x, v):
        self.x = x
        self.v = v


# ad: gradient
def f(x: "Vector[n]", b: float):
    parts, best = [P(u, b) for u in x], None
    for p in parts:
        if not best or p.x > best.x:
            best = p
    return best.x * b + best.v if best else 0.0
"""


@pytest.mark.parametrize("source", [LEGENDRE, COUNTED, BEST])
def test_a_test_that_is_known_is_none(source: str) -> None:
    for options in ({"effort": 0}, ANY_ORDER):
        text = generate(source, **options)
        assert not re.search(r"\b(if|not|and|or) \(?(True|False)\b", text)


def test_the_value_is_that_of_the_source() -> None:
    source = MEMO.format(kind="jvp")
    x = [0.3, 1.2, -0.7, 0.9]
    value, _ = load(generate(source, **ANY_ORDER))["f_jvp"](x, x, 3)
    assert same_bits(value, load(source)["f"](x, 3)) and math.isfinite(value)


def test_figures_are_those_of_the_text() -> None:
    source = """\
# ad: gradient(weights)
def spread(keys: "Vector[n, int]", weights: "Vector[n]"):
    totals = {}
    for k, w in zip(keys, weights):
        totals[k, k + 1] = totals.get((k, k + 1), 0.0) + w * w
    return sum(v ** 1.5 for v in totals.values())
"""
    text = run(source).text
    assert text is not None
    (found,) = explain(source.encode(), "m.py", Options()).objects
    emitted = found["emitted"]
    assert isinstance(emitted, dict)
    assert f"Operations: {emitted['total']} (4 mul, 2 add, 1 call, 4 select)" in text
    assert emitted["call"] == 1 and emitted["runs"] == "7 trips"
