"""The sweep through loops: once forth, once back, as few records as will do."""

from __future__ import annotations

import random

import numpy as np
import pytest
from amounts import NUMBERS, amount, pairs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from structured import Sizes, point, program
from support import generate, load
from sweeps import agree, check, derived, jacobian, value

from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Apply, Check, Literal, Scan, While, walk
from ad_transform.ir.parse import parse_function

SUMMED = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter y (%1 y!: float)
  %3 s!: float, %4 p!: float = scan (0, 5, 1) (0.0, %0) (%1) ()
  body (%5 i!: int, %6 s!: float, %7 p!: float, %8 y!: float)
    %9: float = mul(%7, %8)
    %10: float = sin(%9)
    %11 p!: float = mul(%10, %7)
    %12: float = mul(%11, %11)
    %13 s!: float = add(%6, %12)
    give %13, %11
  give %3
"""

NEWTON = """\
function f primal 1 nest .
parameter a (%0 a!: float)
  %1 x: float, %2 trips: int = while (%0) (%0)
  test (%3 x: float, %4 a: float)
    %5: float = mul(%3, %3)
    %6: float = sub(%5, %4)
    %7: float = abs(%6)
    %8: bool = gt(%7, 1e-3)
    give %8
  body (%9 x: float, %10 a: float)
    %11: float = div(%10, %9)
    %12: float = add(%9, %11)
    %13: float = mul(0.5, %12)
    give %13
  give %1
"""

RECORDED = """\
function f primal 1 nest .
parameter x (%0 x!: float)
  %2 power: float, %3 powers: float[k] = scan (0, 4, 1) (1.0) (%0) ()
  body (%4 i: int, %5: float, %6 x: float)
    %7: float = mul(%5, %6)
    give %7, %5
  %8 total: float = scan (0, 4, 1) (%2) () (%3) backwards
  body (%9 i: int, %10: float, %11: float)
    %12: float = mul(%10, 0.5)
    %13: float = sin(%11)
    %14: float = add(%12, %13)
    give %14
  give %8
"""

NESTED = """\
function f primal 1 nest .
parameter x (%0 x!: float)
  %1: float = scan (0, 3, 1) (%0) (%0) ()
  body (%2 i: int, %3: float, %4: float)
    %5: bool = gt(%2, 0)
    %6: float = branch %5 (%3, %4, %2)
    then (%7: float, %8: float, %9: int)
      %10: float = scan (0, %9, 1) (%7) (%8) ()
      body (%11: int, %12: float, %13: float)
        %14: float = mul(%12, %13)
        %15: float = sin(%14)
        give %15
      give %10
    else (%16: float, %17: float, %18: int)
      %19: float = mul(%16, %17)
      give %19
    give %6
  give %1
"""

KINDS = ["gradient", "jvp", "vjp", "hessian", "hvp"]
TEXTS = {"sum": SUMMED, "while": NEWTON, "records": RECORDED, "nested": NESTED}


@pytest.mark.parametrize(("name", "kind"), pairs(TEXTS, KINDS, 2))
def test_loops_in_all_kinds(name, kind):
    function = parse_function(TEXTS[name], TABLE)
    check(function, kind, [mpf("0.7"), mpf("1.3")][: len(function.parameters)])


def loops(function):
    return [s for s in walk(function.body) if isinstance(s, Scan | While)]


def test_a_loop_runs_once_forth_and_once_back():
    made = derived(parse_function(NEWTON, TABLE), "gradient", value=True).function
    forth, back = loops(made)
    assert isinstance(forth, While)
    assert isinstance(back, Scan)
    assert back.backwards
    assert back.stop is forth.trips
    divisions = [
        s for s in walk((forth,)) if isinstance(s, Apply) and s.op.name == "div"
    ]
    assert len(divisions) == 1


def test_as_few_values_are_recorded_as_the_way_back_needs():
    made = derived(parse_function(NEWTON, TABLE), "gradient", value=True).function
    assert len(loops(made)[0].stacks) == 1  # x, of which a / x is made anew


def test_the_adjoint_of_a_sum_is_no_carry():
    made = derived(parse_function(SUMMED, TABLE), "gradient").function
    forth, back = loops(made)
    assert len(back.carries) == 2  # the adjoint of p, the sum of y
    assert back.carries == (Literal(0.0), Literal(0.0))
    assert len(forth.carries) == 1  # nobody reads the sum itself


LINEAR = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter n (%1 n!: int)
  %2: float = scan (0, %1, 1) (%0) () ()
  body (%3 i: int, %4: float)
    %5: float = float(%3)
    %6: float = mul(%5, 0.5)
    %7: float = mul(%6, %4)
    give %7
  give %2
"""


def test_what_the_index_tells_is_not_recorded():
    made = derived(parse_function(LINEAR, TABLE), "gradient").function
    (back,) = loops(made)  # the loop forth is not needed at all
    assert back.entries == ()


SUM_OF_CASES = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter k (%1 k!: float)
  %2 x: float, %3 s: float = scan (0, 4, 1) (%0, 0.0) (%1) ()
  body (%4 i: int, %5 x: float, %6 s: float, %7 k: float)
    %8: float = sin(%5)
    %9: float = mul(%8, %7)
    %10: bool = gt(%9, 0.5)
    %11 s: float = branch %10 (%6, %9)
    then (%12: float, %13: float)
      %14: float = mul(%13, %13)
      %15: float = add(%12, %14)
      give %15
    else (%16: float, %17: float)
      check True (text 'fine')
      %18: float = add(%16, %17)
      give %18
    give %9, %11
  %19: float = mul(%3, %1)
  give %19
"""


def test_what_both_arms_hand_on_stands_still():
    function = parse_function(SUM_OF_CASES, TABLE)
    made = derived(function, "gradient").function
    _, back = loops(made)
    k = made.parameters[1].vars[0]
    assert len(back.carries) == 2  # the adjoint of x, the sum of k
    assert k in back.reads  # the adjoint of s
    check(function, "gradient", [mpf("0.7"), mpf("1.3")])


def test_what_an_arm_checks_is_checked_once_more_nowhere():
    made = derived(parse_function(SUM_OF_CASES, TABLE), "gradient").function
    assert sum(isinstance(s, Check) for s in walk(made.body)) == 1


DOWN_TO_ONE = """
# ad: hessian(x, k), hvp(x, k)
def f(x: "Vector[n]", k: float):
    n, s = len(x), 0.0
    if n > 2:
        s += x[n - 1] * k
    else:
        for m in range(n - 1, 0, -1):
            s += x[m] ** 2
    return s
"""


def test_zeros_beside_a_loop_that_ends_at_0_are_as_long_as_its_array():
    made = load(generate(DOWN_TO_ONE, **NUMBERS))
    assert made["f_hess"]([0.2, 0.3], 0.7).tolist() == np.diag([0, 2, 0]).tolist()
    product, _ = made["f_hvp"]([0.2, 0.3], 0.7, [0.0, 0.0], 1.0)
    assert product.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("first", ["x + 0.1 * 1", "x + k * 1"])
def test_what_a_trip_computes_twice_has_the_adjoints_of_both(first):
    source = f"""
# ad: gradient(p, s)
def f(p: float, s: float, n: int) -> float:
    a, b, k = s, 2.0 * p, 0.1
    for i in range(n):
        x = s * b
        a = {first}
        b = x + 0.1
    return a + 3.0 * b
"""
    # the last trip has a = b, of 2 p s**n + 0.1 (1 + s + ... + s**(n - 1))
    made = load(generate(source, **NUMBERS))["f_grad"]
    by_p, by_s = 8 * 0.5**3, 4 * (2 * 0.7 * 3 * 0.5**2 + 0.1 * (1 + 2 * 0.5))
    assert made(0.7, 0.5, 3) == pytest.approx((by_p, by_s), rel=1e-14)


@settings(deadline=None, max_examples=amount(4, 12))
@given(st.integers(0, 1 << 32))
@example(7543274)  # a loop in an arm that changes nothing
@example(2160)  # a loop that records goes over what is the same in all trips
def test_random_structured_programs(seed):
    function = program(random.Random(seed), Sizes(statements=4))
    at = [mpf(v) if isinstance(v, float) else v for v in point(function, seed)]
    agree_both_ways(function, at, random.Random(seed))


def agree_both_ways(function, at, rng):
    """The Jacobian agrees with differences, and the sweep back with it."""
    n = sum(p.type.is_real for p in function.block.params)
    m = len(function.results)
    rows = jacobian(function, at)
    found = value(derived(function, "jacobian").function, at)
    agree(found, [entry for row in rows for entry in row])
    seeds = [mpf(rng.uniform(-1, 1)) for _ in range(m)]
    made = derived(function, "vjp").function
    own, rest = dict(zip(function.block.params, at, strict=True)), iter(seeds)
    given = [own[v] if v in own else next(rest) for v in made.block.params]
    agree(
        value(made, given)[m:],
        [sum(seeds[i] * rows[i][k] for i in range(m)) for k in range(n)],
    )
