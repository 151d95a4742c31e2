"""Operators by name, tuples that are compared, the first of items in order: values are
Python's, gradients those of differences.
"""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from reading import codes
from support import generate, load, load_generated, run, same_bits

from ad_transform.read import read

HEAD = """
import heapq
import itertools
import operator
from functools import reduce
from operator import attrgetter, itemgetter, mul
from typing import NamedTuple

CONF = dict(rho=1.1, cd=0.3)


class P(NamedTuple):
    w: float
    v: float


def drag(v, rho=1.0, cd=1.0):
    return rho * cd * v * abs(v)


# ad: gradient(a, value=True)
def f(a: float, b: float, x: "Vector[n]", k: int) -> float:
"""

BODIES = [
    "return reduce(mul, [a, b, a + k], 1.0) + reduce(operator.add, [a, b])",
    "return {'*': operator.mul, '/': operator.truediv}['/' if k > 1 else '*'](a, b)",
    "return sum(map(operator.pow, (a, b), (2, 3))) + operator.neg(operator.abs(-a))",
    "return a * b if operator.lt(a, b) and operator.contains((1, 2), k) else a",
    "return a * b if operator.not_([]) and operator.not_(k) else a",
    "p = min([(1, a * b), (2, b)], key=itemgetter(1))\nreturn itemgetter(1, 0)(p)[0]",
    "return min([((a, k), b), ((a, 1), a * b)], key=itemgetter(0, 1))[1] * a",
    "return max([P(a, b), P(b, a * a)], key=attrgetter('w')).v",
    "ks = sorted(range(len(x)), key=x.__getitem__)\n"
    "return sum(a * x[i] * j for j, i in enumerate(ks))",
    "return drag(a, **CONF)",
    "low = heapq.nsmallest(2, [a * b, b, a])\nreturn low[0] * low[1] + a",
    "return a * sum(heapq.nlargest(k, x)) + sum(heapq.nsmallest(k, x)) * a",
    "return heapq.nlargest(1, [(a, 1), (a * b, 2)], key=lambda p: p[0])[0][0]",
    "sums = list(itertools.accumulate([a * v for v in x]))\n"
    "return sums[-1] * sums[1] + sum(itertools.accumulate(x, mul, initial=a))",
    "points = [(v, a * v * v) for v in x]\nus, vs = zip(*points)\n"
    "return sum(u * v for u, v in zip(us, vs)) + max(vs) * us[1]",
    "best = (a * b, 0)\nfor i in range(1, k + 2):\n    cand = (a * i - b, -i)\n"
    "    if cand < best:\n        best = cand\nreturn best[0] * best[1] + a",
    "return a * a if (k, a) < (2, b) or [a, b] > [a] else a",
    "return a * a if (a, 'x', b) <= (a, 'y', a) and (b, k) >= (b, 2) else a",
    "return a * a if ((1, a), k) > ((1, b), 1) or (a,) < (a, b) else a",
]


@pytest.mark.parametrize("body", BODIES)
def test_values_and_gradients(body: str) -> None:
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    f, derived = load(source)["f"], load_generated(source)["f_value_and_grad"]
    h = 1e-6
    for a, k in ((0.7, 0), (1.5, 2), (-0.4, 3)):
        point = 0.9, [0.3, -1.2, 2.5, 0.4], k
        value, slope = derived(a, *point)
        assert value == f(a, *point)
        found = (f(a + h, *point) - f(a - h, *point)) / (2 * h)
        assert slope == pytest.approx(found, rel=1e-6, abs=1e-8)


def test_tuples_with_floats_that_are_asked_whether_they_are_equal() -> None:
    for test in ("(a, k) == (b, 1)", "[a, 1] != [b, k]", "((a, k), b) == ((b, 1), a)"):
        source = f"{HEAD}    return a * a if {test} else a * b * 3.0\n"
        model, made = load(source)["f"], load_generated(source)
        for a, b, k in ((2.0, 3.0, 1), (2.0, 2.0, 1), (2.0, 2.0, 0)):
            value = model(a, b, [1.0], k)
            slope = 2.0 * a if value == a * a else 3.0 * b
            assert made["f_value_and_grad"](a, b, [1.0], k) == (value, slope)


def test_running_sums_begin_with_the_first_number() -> None:
    source = (
        "import itertools\n# ad: vjp\ndef f(x: 'Vector[n]'):\n"
        "    return list(itertools.accumulate(x))\n"
    )
    made = load_generated(source, container="tuple")
    sums, _ = made["f_vjp"]([-0.0], [1.0])
    assert same_bits(sums, [-0.0])


OF_NO_ROWS = """
# ad: gradient(a)
def f(a: float, A: "Matrix[m, 2]"):
    return a * sum(max(column) for column in zip(*A))
"""


def test_columns_of_a_matrix_are_those_of_its_rows() -> None:
    slope = load_generated(OF_NO_ROWS)["f_grad"]
    assert slope(0.5, [[1.0, 2.0], [3.0, -1.0]]) == 5.0
    with pytest.raises(ValueError, match="no rows, and so no columns"):
        slope(0.5, np.zeros((0, 2)))


GROWN = """
# ad: gradient(a)
def f(a: float, n: int):
    path = []
    for i in range(n):
        path.append(ROW)
    s = a
    LOOP
    return s
"""


@pytest.mark.parametrize("row", ["(a * i, a)", "([a] * i, a)", "((a, a), a * i)"])
def test_of_rows_that_grow_there_may_be_none(row: str) -> None:
    source = GROWN.replace("ROW", row)
    loop = "for column in zip(*path):\n        s = s + a * len(column)"
    slope = load_generated(source.replace("LOOP", loop), **NUMBERS)["f_grad"]
    assert slope(0.5, 3) == 7.0
    with pytest.raises(ValueError, match="no rows, and so no columns"):
        slope(0.5, 0)
    tried = (
        "try:\n        for column in zip(*path):\n            s = s + len(column)\n"
        "    except ERROR:\n        s = 2 * a"
    )
    tries = source.replace("LOOP", tried)
    assert codes(tries.replace("ERROR", "ValueError")) == ["AD101"]  # no error there
    assert codes(tries.replace("ERROR", "ZeroDivisionError")) == []


def test_rows_of_a_known_number_are_side_by_side() -> None:
    slope = load_generated(OF_NO_ROWS.replace("[m, 2]", "[2, n]"))["f_grad"]
    assert slope(0.5, [[1.0, 2.0, 3.0], [3.0, -1.0, 0.0]]) == 8.0


def test_what_only_a_run_can_count_is_not_taken_apart() -> None:
    found = read(OF_NO_ROWS.replace("[m, 2]", "[m, n]").encode(), "m.py").diagnostics
    assert "only a run knows how many items" in found[0].help


@pytest.mark.parametrize("taken", ["f", "lambda t: t * t"])
def test_a_function_that_is_not_called_is_refused_with_what_to_write(taken):
    source = (
        "import ad_transform as ad\n\n\ndef f(x):\n    return x * x\n\n\n"
        f"# ad: expand\ndef g(x):\n    return ad.derivative({taken}, x)\n"
    )
    (said,) = read(source.encode(), "m.py").diagnostics
    assert said.code == "AD114" and "`ad.derivative(f(x), x)`" in said.help


@pytest.mark.parametrize("pair", ["(x, k)", "[x, k]"])
@pytest.mark.parametrize("product", ["u @ u", "operator.matmul(u, u)"])
def test_tuples_and_lists_have_no_product(pair, product):
    head = "import operator\n\nimport numpy as np\n\n\n# ad: gradient(x)\n"
    source = f"{head}def f(x: float, k: float):\n    u = {pair}\n    return {product}\n"
    (found,) = run(source).diagnostics
    assert found.code == "AD107" and found.help == (
        "make one of them an array: `np.array(u) @ v`"
    )
    mended = source.replace("u @", "np.array(u) @").replace("(u,", "(np.array(u),")
    assert load(generate(mended))["f_grad"](3.0, 2.0) == 6.0
