"""Everyday forms in one to four lines, over literals, lists of a run, and ranges."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load, run

HEAD = """import math
import itertools
import operator
from itertools import takewhile

import numpy as np

DATA = [1.5, 0.5, 2.0]


# ad: gradient
def f(x: float, v: "Vector[m]", k: int, n: int):
    """
BODIES = [
    # ranges of a run, read otherwise than by a loop
    "return range(n)[k] * x + range(n)[-1]",
    "return sum(range(n)[1:]) * x + len(range(n)[::2])",
    "s = 0.0\n    for i in range(n)[::-1]:\n        s = s * x + i\n    return s",
    "s = 0.0\n    for i in range(1, n, 2)[::-1]:\n        s = s * x + i\n    return s",
    "return sum([*range(n)]) * x + sum((*range(n), *range(k)))",
    "return sum([x, *range(n)])",
    "a, *b = range(n)\n    return (a + len(b) + sum(b)) * x",
    "a, b = range(k, k + 2)\n    return (a + b) * x",
    "return max(x, *range(n)) * x",
    "return x if 1 in range(n) else x * x",
    "return x if 2.0 in range(n) else x * x",
    "s = 0.0\n    for i in [0, *range(k, n)]:\n        s = s * x + i\n    return s",
    # the start of an `enumerate`
    "return sum(i * t for i, t in enumerate([1.0, x, 3.0], k)) * x",
    "return sum(i * t for i, t in enumerate((1.0, x), start=n)) * x",
    # lists at the top of the file
    "return sum(map(lambda t: t * x, DATA)) + sum(map(abs, DATA))",
    "return sum(filter(lambda t: t > 1, DATA)) * x",
    "return sum(takewhile(lambda t: t > 1, DATA)) * x",
    "return sum(map(operator.mul, DATA, v)) * x + operator.getitem(DATA, 1)",
    "return (len(set(DATA)) + sorted(set(DATA))[0] + isinstance(DATA, list)) * x",
    "w = list(v)\n    w.extend(DATA)\n    return sum(w) * x",
    "w = iter(DATA)\n    return next(w) * x + sum(w)",
    "def g(t):\n        return sum(t)\n    return g(DATA) * x",
    # numpy's functions of ranges
    "return np.sum(range(4)) * x + np.mean(range(4)) + np.max(range(1, 4)) * x",
    "return np.linalg.norm(range(3)) * x + np.prod(range(1, 4))",
    "return sum(DATA[k:]) * x + sum(DATA[:k]) + len(DATA[k:n])",
    "w = DATA[k:]\n    w[0] = x\n    return sum(w) * x * sum(DATA)",
    # the least of pairs
    "return max(zip(v, range(9)))[1] * x + min(zip(v, v[1:]))[0] * x",
    "value, i = max(zip([x * t for t in v], range(9)))\n    return value * i",
    "i, value = max(enumerate(v))\n    return value * i * x",
    # slices backwards from a place that may count from the end
    "return sum(t * x ** i for i, t in enumerate(v[k::-1]))",
    "return sum(t * x ** i for i, t in enumerate([x, 1.0, 2.0][k::-1]))",
    "return sum(t * x ** i for i, t in enumerate([x, 1.0, 2.0][:k:-1]))",
    "return sum(t * x ** i for i, t in enumerate(v[n:k:-1]))",
    "return sum(t * x ** i for i, t in enumerate(v[k:0:-2]))",
    "return sum(t * x ** i for i, t in enumerate(DATA[k::-1]))",
    # lists of whole numbers that get a float
    "w = [i for i in range(n)]\n    u = list(w)\n    u.append(x)\n    "
    "return sum(u) * x",
    "w = [i for i in range(n)]\n    u = list(w)\n    u[0] = x\n    "
    "return sum(u) * sum(w)",
    "w = [i for i in range(n)]\n    u = w[:]\n    u[-1] *= x\n    "
    "return sum(u) * sum(w)",
    "return sum(list(range(n)) + [x]) * x",
    "w = [i for i in range(n)]\n    return sum([*w, x]) * x",
    "w = []\n    for t in v:\n        w = w + [t * x]\n    return sum(w)",
    # lists of a run that are compared
    "w = [x * i for i in range(n)]\n    return x if w == list(w) else x * x",
    "w = [i for i in range(n)]\n    return x if w == [0, 1, 2] else x * x",
    "w = [i for i in range(n)]\n    return x if [0, 1, k + 1] != w else x * x",
    "w = [i * k for i in range(n)]\n    return x if w != w[::-1] else x * x",
    "w = [i % 3 for i in range(n)]\n    return x if w == sorted(w) else x * x",
    # multiples of lists of a run
    "w = [x * t for t in v]\n    return sum(w * 2) * x + len(3 * w)",
    "w = [x * i for i in range(n)] * k\n    return sum(w) * x + len(w)",
    "w = list(range(n)) * 2\n    w[0] = 3\n    return sum(w) * x",
    "w = [x * i for i in range(n)]\n    u = w\n    w *= 2\n    return sum(u) * len(w)",
    "w = [x, 2.0]\n    u = w\n    w *= k\n    return sum(u) + len(u)",
    "w = [x]\n    for i in range(n):\n        w = w * 2 + [x]\n    return sum(w)",
]
STEP = 1e-6


@pytest.mark.parametrize("body", BODIES)
def test_gradients_are_those_of_differences(body: str) -> None:
    source = f"{HEAD}{body}\n"
    f, slope = load(source)["f"], load(generate(source, **ANY_ORDER))["f_grad"]
    v = np.array([0.4, 1.3, 0.9])
    for k, n in ((1, 4), (0, 3), (-1, 5), (2, 6), (-5, 4)):
        try:
            f(0.7, v, k, n)
        except IndexError:
            continue
        found, row = slope(0.7, v, k, n)
        wanted = (f(0.7 + STEP, v, k, n) - f(0.7 - STEP, v, k, n)) / (2.0 * STEP)
        assert found == pytest.approx(wanted, rel=1e-7, abs=1e-8)
        for i, got in enumerate(row):
            d = STEP * np.eye(3)[i]
            wanted = (f(0.7, v + d, k, n) - f(0.7, v - d, k, n)) / (2.0 * STEP)
            assert got == pytest.approx(wanted, rel=1e-7, abs=1e-8)


def test_a_list_is_repeated_for_all_its_names() -> None:
    source = HEAD.replace("# ad", "def twice(t):\n    t *= 2\n\n\n# ad")
    source += "w = [x * t for t in v]\n    twice(w)\n    return sum(w)\n"
    slope = load(generate(source, **ANY_ORDER))["f_grad"]
    found, row = slope(0.7, np.array([0.5, 1.0]), 1, 1)
    assert found == pytest.approx(3.0) and row == pytest.approx([1.4, 1.4])


def test_a_list_in_another_list_is_not_repeated_in_place() -> None:
    body = "w = [x] * n\n    u = [w, [k] * n]\n    u[0] *= 2\n    return sum(u[0])"
    (found,) = run(f"{HEAD}{body}\n").diagnostics
    assert found.code == "AD107" and "`*=` of a list" in found.message


@pytest.mark.parametrize(
    ("body", "way"),
    [
        ("return x if x.is_integer() else 1.0", "x == math.floor(x)"),
        ("return x.real", "leave it out"),
        ("return x.rate", "if it is no number"),
        ("return range(n).index(2) * x", "list(range(n)).index(...)"),
    ],
)
def test_attributes_of_numbers_and_ranges_have_ways_out(body: str, way: str) -> None:
    (found,) = run(f"{HEAD}{body}\n").diagnostics
    assert found.code == "AD102" and found.help and way in found.help


@pytest.mark.parametrize(
    ("call", "way"),
    [
        ("np.max(v for v in x)", "np.max([v for v in x])"),
        ("math.hypot(x)", "math.hypot(*x)"),
    ],
)
def test_ways_out_of_functions_of_arrays(call: str, way: str) -> None:
    head = f"{HEAD}p = q = w = x = [x * i for i in range(n)]\n    return p[0] * "
    (found,) = run(f"{head}{call}\n").diagnostics
    assert found.code == "AD107" and found.help and way in found.help
    assert run(f"{head}{way}\n").text


def test_a_function_inside_may_change_a_list() -> None:
    body = "def g(t):\n        t[0] = 2.0\n        return t[1]\n    return g(DATA) * x"
    assert [one.code for one in run(f"{HEAD}{body}\n").diagnostics] == ["AD122"]


def test_a_function_of_the_name_of_a_builtin_may_change_a_list() -> None:
    source = HEAD.replace("# ad", "def map(t):\n    t[0] = 3.0\n    return t\n\n\n# ad")
    with pytest.raises(AssertionError, match="AD122"):
        generate(f"{source}return map(DATA)[0] * x\n")
