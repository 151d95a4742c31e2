"""Where all derivatives are 0 zeros are returned, and no loop back runs."""

from __future__ import annotations

import re
from math import inf, isnan

import pytest
from amounts import ANY_ORDER, amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import flat, generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.arms.only_zeros import zeros_at_once
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Branch, Scan
from ad_transform.ir.verify import verify

SOURCE = """\
function f primal {primal} nest {nest}
parameter x (%0: float[n])
parameter p (%1: float)
  %2: int = size(%0)
  %3: float, %4: float[saved.1] = scan (0, %2, 1) (1.0) (%0) ()
  body (%5: int, %6: float, %7: float[n])
    %8: float = get(%7, %5)
    %9: float = mul(%6, %8)
    give %9, %6
  %10: bool = gt(%3, %1)
  %11: float = branch %10 ()
  then ()
    give {seed}
  else ()
    give 1.0
  %12: float[n] = {start}
  %13: float[n], %14: float = scan (0, %2, 1) (%12, %11) (%0) (%4) backwards
  body (%15: int, %16: float[n], %17: float, %18: float[n], %19: float)
    %20: float = {step}
    %21: float[n] = {store}(%16, %20, %15)
    %22: float = get(%18, %15)
    %23: float = mul(%17, %22)
    give %21, %23
{behind}
"""
# fmt: off
PLAIN = {
    "primal": "1", "nest": "tuple(., array(.), .)", "seed": "0.0",
    "start": "full(0.0, %2)", "store": "add_at", "step": "mul(%17, %19)",
    "behind": "  give %3, %13, %14",
}
ZEROS = {
    "a sum":              {},
    "a store":            {"store": "set"},
    "a difference":       {"store": "sub_at"},
    "a quotient":         {"step": "div(%17, %19)"},
    "two terms":          {"step": "add(%17, %17)"},
    "like another":       {"start": "like(%0, 0.0)"},
    "a value beside":     {"behind": "  %30: float = add(%3, %1)\n"
                                     "  give %30, %13, %14"},
    "a factor behind":    {"behind": "  %30: float = mul(%14, %1)\n"
                                     "  give %3, %13, %30"},
}
OTHERS = {
    "a seed":             {"seed": "2.0"},
    "a start":            {"start": "full(1.0, %2)"},
    "another term":       {"step": "add(%17, %19)"},
    "a quotient by it":   {"step": "div(%19, %17)"},
    "added behind":       {"behind": "  %30: float = add(%14, %1)\n"
                                     "  give %3, %13, %30"},
    "nothing is derived": {"primal": "3"},
    "the value needs it": {"behind": "  %30: float = add(%3, %14)\n"
                                     "  give %30, %13, %14"},
}
# fmt: on
POINTS = [([0.5, 2.0], 0.25), ([0.5, 2.0], 3.0), ([], 0.5), ([], 3.0), ([4.0], 0.1)]


def source(parts):
    return program(SOURCE.format(**{**PLAIN, **parts}))


@pytest.mark.parametrize("name", ZEROS)
def test_loops_back_run_where_they_may_give_anything(name):
    before = source(ZEROS[name])
    made = zeros_at_once(before, TABLE)
    verify(made)
    branch = made.body[-1]
    assert isinstance(branch, Branch)
    assert not any(isinstance(s, Scan) for s in branch.then.body)
    assert any(isinstance(s, Scan) for s in branch.orelse.body)
    assert sum(isinstance(s, Scan) for s in made.body) == 1
    for values in POINTS:
        assert evaluate(made, values) == evaluate(before, values)


@pytest.mark.parametrize("name", OTHERS)
def test_other_functions_stay(name):
    function = source(OTHERS[name])
    assert zeros_at_once(function, TABLE) is function


def test_numbers_that_are_known_then_simplify():
    behind = "  %30: float = mul(%11, %1)\n  give %3, %13, %30"
    made = zeros_at_once(source({"behind": behind}), TABLE)
    branch = made.body[-1]
    assert branch.orelse.results[1] in branch.orelse.params  # p, for 1.0 * p


@settings(deadline=None, max_examples=amount(30, 300))
@given(programs(arrays=2) | programs())
def test_results_stay(function):
    args = point(function, 1)
    made = zeros_at_once(function, TABLE)
    verify(made)
    pairs = zip(flat(evaluate(made, args)), flat(evaluate(function, args)), strict=True)
    assert all(a == b or isnan(b) for a, b in pairs)


PIVOTS = """
# ad: gradient
def f(a: "Matrix[n, n]"):
    n = len(a)
    m = [list(row) for row in a]
    det = 1.0
    for k in range(n):
        if m[k][k] == 0.0:
            return 0.0
        det *= m[k][k]
        for i in range(k + 1, n):
            c = m[i][k] / m[k][k]
            for j in range(k + 1, n):
                m[i][j] -= c * m[k][j]
    return det
"""
SCALED = """
# ad: gradient(x, p)
def f(x: "Vector[n]", p: float):
    s = 1.0
    for v in x:
        s = s * v * p
        if v < 0.0:
            return 0.0
    return s
"""


def test_a_matrix_without_a_pivot():
    text = generate(PIVOTS, **ANY_ORDER)
    assert re.search(r"== 0\.0:\n +return np\.array\(_rows_like\(a_list, 0\.0\)", text)
    assert "left" not in text and "trips" not in text
    assert "in zip(\n        reversed(range(n)), reversed(saved)\n    ):" in text
    made = load(text)["f_grad"]
    assert made([[2.0, 1.0], [4.0, 5.0]]).tolist() == [[5.0, -4.0], [-1.0, 2.0]]
    assert made([[2.0, 1.0], [4.0, 2.0]]).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert made([[0.0, 1.0], [4.0, 2.0]]).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_nothing_is_0_times_infinity():
    made = load(generate(SCALED, **ANY_ORDER))["f_grad"]
    slopes, p_bar = made([1e200, 1e200, inf, -1.0], 1e200)
    assert slopes.tolist() == [0.0] * 4 and p_bar == 0.0
    slopes, p_bar = made([2.0, 3.0], 0.5)
    assert slopes.tolist() == [0.75, 0.5] and p_bar == 6.0
