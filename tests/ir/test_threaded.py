"""Branches on flags stand in the arms that decide the flags."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER, NUMBERS, amount
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load

from ad_transform.ir.arms.threaded import threaded
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Apply, Branch, Check, walk
from ad_transform.ir.verify import verify

FLAGGED = """\
function f primal 1 nest .
parameter x (%0: float)
parameter y (%1: float)
  %2: bool = gt(%0, 1.0)
  %3: bool, %4: float = branch %2 (%0, %1)
  then (%5: float, %6: float)
    %7: float = mul(%5, %6)
    give True, %7
  else (%8: float, %9: float)
    %10: bool = gt(%9, 2.0)
    give %10, %8
  {between}
  %12: float = branch %3 (%4, %1)
  then (%13: float, %14: float)
    give %13
  else (%15: float, %16: float)
    %17: float = sub(%15, %16)
    %18: float = mul(%17, %17)
    %19: float = add(%18, 1.0)
    give %19
  %20: float = mul(%12, %11)
  give %20
"""
WAITS, STAYS = "%11: float = mul(%0, %1)", "%11: float = exp(%0)"
OF_FIRST = "%11: float = mul(%0, %4)"
TABLE = """
XS, YS = (0.0, 1.0, 2.5, 4.0), (1.0, 3.0, 2.0, 5.0)


def interpolated(x):
    for k in range(len(XS) - 1):
        if x <= XS[k + 1]:
            w = (x - XS[k]) / (XS[k + 1] - XS[k])
            return YS[k] * (1.0 - w) + YS[k + 1] * w
    return YS[-1]


# ad: gradient(value=True)
def f(x):
    y = interpolated(x)
    return y * y
"""


def branches(function):
    return [s for s in function.body if isinstance(s, Branch)]


@pytest.mark.parametrize(
    ("between", "reach", "left"), [(WAITS, 4, 1), (STAYS, 4, 2), (WAITS, 0, 2)]
)
def test_a_branch_waits_for_what_cannot_raise(between, reach, left):
    function = program(FLAGGED.format(between=between))
    made = threaded(function, reach)
    verify(made)
    assert len(branches(made)) == left
    for x, y in ((0.5, 1.0), (0.5, 3.0), (2.0, 3.0)):
        assert evaluate(made, (x, y)) == evaluate(function, (x, y))


ONE_TEST = FLAGGED.replace("branch %3", "branch %2").replace("%3: bool, ", "")
ONE_TEST = ONE_TEST.replace("give True, ", "give ").replace("give %10, ", "give ")


def test_branches_on_one_test_wait_for_what_may_raise():
    function = program(ONE_TEST.format(between=STAYS))
    made = threaded(function, 4)
    verify(made)
    assert len(branches(made)) == 1
    for x, y in ((0.5, 1.0), (0.5, 3.0), (2.0, 3.0)):
        assert evaluate(made, (x, y)) == evaluate(function, (x, y))


def test_branches_that_give_flags_do_not_wait_for_what_may_raise():
    function = program(FLAGGED.replace("branch %3", "branch %2").format(between=STAYS))
    made = threaded(function, 4)
    assert len(branches(made)) == 2


OF_LISTS = """%30: float[n] = full(%0, 2)
  %31: float[n] = set(%30, %1, 0)
  %11: float = get(%31, 0)"""
OF_WHOLES = """%30: float<2> = filled(%0, 2)
  %31: float<2, 2> = put_in_row(%32, %30, 0, 2)
  %11: float = sum_of(%31)"""


@pytest.mark.parametrize("changes", [OF_LISTS, OF_WHOLES])
def test_no_branch_waits_for_changes_of_arrays(changes):
    text = ONE_TEST.format(between=changes)
    head = "parameter y (%1: float)\n"
    if changes is OF_WHOLES:
        text = text.replace(head, head + "  %32: float<2, 2> = matrix(2, 2)\n")
    function = program(text)
    assert threaded(function, 4) is function


STORED = """\
function f primal 1 nest .
parameter x (%0: float)
parameter y (%1: float)
  %2: bool = gt(%0, 1.0)
  %30: float[2] = full(%0, 2)
  %50: float[2] = full(%0, 2)
  %3: float = branch %2 (%0, %1)
  then (%5: float, %6: float)
    %7: float = mul(%5, %6)
    give %7
  else (%8: float, %9: float)
    give %8
  %31: float = get(%30, 0)
  %32: float[2] = set(%30, {stored}, 0)
  %33: float = get(%32, 1)
  %12: float, %51: float[2] = branch %2 (%3, {given}, %50)
  then (%13: float, %14: float, %52: float[2])
    %53: float[2] = set(%52, %13, 0)
    give %14, %53
  else (%15: float, %16: float, %54: float[2])
    %17: float = sub(%15, %16)
    give %17, %54
  %20: float = mul(%12, %31)
  %21: float = get(%51, 0)
  %22: float = add(%20, %21)
  %23: float = add(%22, %31)
  give %23
"""


@pytest.mark.parametrize("stored", ["%1", "%3"], ids=["ahead", "of the first"])
@pytest.mark.parametrize("given, is_one", [("%1", True), ("%33", False)])
def test_a_store_between_waits_and_never_comes_before(stored, given, is_one):
    function = program(STORED.format(stored=stored, given=given))
    made = threaded(function, 8)
    verify(made)
    assert (len(branches(made)) == 1) is is_one
    for x, y in ((0.5, 1.0), (3.0, 2.0)):
        assert evaluate(made, (x, y)) == evaluate(function, (x, y))


READ_BEFORE = """\
# ad: gradient(x)
def f(x: "Vector[n]", k: "Vector[n, int]"):
    a = [0.5, 0.25]
    b = [1.0, 2.0]
    s = 0.0
    for i in range(len(x)):
        j = k[i]
        if j < 0:
            c = x[i] * x[i]
        else:
            c = x[i]
        old = a[0]
        a[0] = x[i] * 2.0
        h = a[0] + 1.0
        if j < 0:
            b[1] = c * h
        else:
            b[0] = b[1] + h
        s += old * c
    return s + b[0] * b[1] + a[0]
"""


def test_what_is_read_before_a_store_is_read_before_it():
    plain, made = load(READ_BEFORE)["f"], load(generate(READ_BEFORE))["f_grad"]
    x, k = [0.5, 1.5, 0.7, 1.1], [1, -1, -1, 0]
    slopes = made(x, k)
    for place in range(4):
        high, low = ([*x] for _ in range(2))
        high[place] += 1e-6
        low[place] -= 1e-6
        rise = (plain(high, k) - plain(low, k)) / 2e-6
        assert slopes[place] == pytest.approx(rise, rel=1e-7)


@pytest.mark.parametrize(
    "arm", ["%7: float = mul(%5, %6)", "%18: float = mul(%17, %17)"]
)
@pytest.mark.parametrize(("between", "left"), [(WAITS, 1), (STAYS, 2)])
def test_what_may_raise_comes_neither_before_a_check_nor_behind_it(arm, between, left):
    made = arm.partition(":")[0]
    test = f"%30: bool = lt({made}, 100.0)\n    check %30 (text 'large')"
    text = ONE_TEST.format(between=between).replace(arm, f"{arm}\n    {test}")
    function = program(text)
    made = threaded(function, 4)
    verify(made)
    assert len(branches(made)) == left
    assert evaluate(made, (0.5, 1.0)) == evaluate(function, (0.5, 1.0))


@pytest.mark.parametrize(("between", "left"), [(WAITS, 1), (OF_FIRST, 2), (STAYS, 2)])
def test_what_the_second_branch_needs_comes_before_both(between, left):
    text = FLAGGED.format(between=between).replace("%3 (%4, %1)", "%3 (%4, %11)")
    function = program(text)
    made = threaded(function, 4)
    verify(made)
    assert len(branches(made)) == left
    for x, y in ((0.5, 1.0), (0.5, 3.0), (2.0, 3.0)):
        assert evaluate(made, (x, y)) == evaluate(function, (x, y))


def test_what_is_long_stands_once():
    made = threaded(program(FLAGGED.format(between=WAITS)), 4)
    names = [s.op.name for s in walk(made.body) if isinstance(s, Apply)]
    assert names.count("sub") == 1


def test_a_table_is_one_chain():
    text = generate(TABLE, **ANY_ORDER)
    made, plain = load(text), load(TABLE)["f"]
    assert text.count("elif") == 2 and "returned" not in text
    for x, slope in ((0.25, 2.0), (2.0, -2 / 3), (3.0, 2.0), (5.0, 0.0)):
        value = plain(x)
        want = (value, pytest.approx(2.0 * value**0.5 * slope))
        assert made["f_value_and_grad"](x) == want


CONSUMED = """\
function f primal 1 nest .
parameter x (%0: float)
parameter y (%1: float[n])
  %2: bool = gt(%0, 1.0)
  %3: bool, %4: float[n] = branch %2 (%1)
  then (%5: float[n])
    %6: float[n] = copy(%5)
    give True, %6
  else (%7: float[n])
    %8: float[n] = like(%7, 0.5)
    give False, %8
  %9: float[n] = branch %3 (%4, %0)
  then (%10: float[n], %11: float)
    %12: float[n] = set(%10, %11, 0)
    give %12
  else (%13: float[n], %14: float)
    give %13
  %15: float = get(%9, 0)
  give %15
"""


def test_an_array_that_the_second_branch_changes_is_given_once():
    made = threaded(program(CONSUMED))
    verify(made)
    assert len(branches(made)) == 1
    assert evaluate(made, (2.0, [7.0, 1.0])) == (2.0,)
    assert evaluate(made, (0.0, [7.0, 1.0])) == (0.5,)


@settings(max_examples=amount(20, 60), deadline=None)
@given(programs(arrays=2))
def test_random_programs_compute_the_same(function):
    made = threaded(function, 16)
    verify(made)
    for seed in range(3):
        at = point(function, seed)
        again = point(function, seed)
        assert repr(evaluate(made, at)) == repr(evaluate(function, again))


def test_an_array_that_is_read_between_is_not_changed_before() -> None:
    text = """
# ad: vjp(y)
def f(a: float, y: "Vector[m]") -> float:
    s = 0.0
    if len(y) > 0:
        s -= y[0] * a
    if len(y) > 0:
        y[0] = (y[-1] - 1.0) * a
    if len(y) > 2:
        s -= y[1] * y[0]
    return s * a + s
"""
    value, adjoint = load(generate(text, **NUMBERS))["f_vjp"](0.5, [1.0, 2.0, 4.0], 1.0)
    assert value == -5.25
    assert adjoint.tolist() == [-0.75, -2.25, -1.5]


ON_ONE_TEST = """
# ad: gradient(w, t, value=True)
def drop(w: "Vector[n]", t: float, q: "Vector[n]", flow: float):
    total = 0.0
    for width, heat in zip(w, q):
        t += heat / flow
        re = flow / (width * t)
        if re < 2.0:
            f = 64.0 / re
        else:
            f = 0.316 * re**-0.25
        total += f * flow**2 / width**3
    return total
"""


def test_what_an_arm_gives_and_its_derivative_stand_in_one_arm() -> None:
    text = generate(ON_ONE_TEST, **ANY_ORDER)
    assert text.count("    if ") - text.count("    if len") == 2  # with the shape of q
    assert text.count("re < 2.0") == 1 and "case_re" not in text
    plain, made = load(ON_ONE_TEST)["drop"], load(text)["drop_value_and_grad"]
    at = ([0.5, 1.5, 0.8], 1.0, [0.5, 0.25, 1.0], 1.25)
    value, (_, slope) = made(*at)
    assert value == plain(*at)
    rise = plain(at[0], 1.0 + 1e-6, *at[2:]) - plain(at[0], 1.0 - 1e-6, *at[2:])
    assert slope == pytest.approx(rise / 2e-6, rel=1e-8)


CHECKED = """\
function f primal 0 nest .
parameter x (%0: float)
  %1: bool = gt(%0, 1.0)
  %2: float, %3: bool, %4: bool = branch %1 (%0)
  then (%5: float)
    %6: float = exp(%5)
    %7: bool = gt(%6, 9.0)
    give %6, %7, True
  else (%8: float)
    give 0.5, False, False
  %9: float = branch %3 (%0, %2, %1, %4)
  then (%10: float, %11: float, %12: bool, %13: bool)
    check %12 ("first") raise "UnboundLocalError"
    check %13 ("second") raise "UnboundLocalError"
    %14: float = mul(%10, %11)
    give %14
  else (%15: float, %16: float, %17: bool, %18: bool)
    give %15
  give %9
"""


def test_what_an_arm_knows_is_not_checked_in_it():
    function = program(CHECKED)
    made = threaded(function, 4)
    verify(made)
    assert any(isinstance(s, Check) for s in walk(function.body))
    assert not any(isinstance(s, Check) for s in walk(made.body))
    for x in (0.5, 1.5, 2.5):
        assert evaluate(made, (x,)) == evaluate(function, (x,))


MISSING = """
from math import exp, log

# ad: gradient(p, q)
def f(z: "Vector[n]", p: float, q: float) -> float:
    total = 0.0
    for v in z:
        if v != v:
            continue
        d = (v - p) / q
        total = total + log(1.0 + d * d) + exp(-p * d)
    return total
"""


def test_what_only_the_second_branch_reads_is_no_result_of_both() -> None:
    text = generate(MISSING, **ANY_ORDER)
    assert "        if v != v:\n            continue\n        d = (v - p) / q\n" in text
    assert "d = 0.0" not in text


APART = """\
function f primal 1 nest .
parameter x (%0: float)
parameter n (%1: int)
parameter w (%2: float[m])
  %3: bool = gt(%0, 1.0)
  %4: bool = gt(%1, 1)
  %5: float = branch %3 (%0, {taken})
  then (%6: float, %7: float[m])
    %8: float = get(%7, 0)
    %9: float = div(1.0, %8)
    give %9
  else (%10: float, %11: float[m])
    give 0.0
  %12: float[2] = full(%0, 2)
  %13: float[2] = branch %4 (%12, {read}, %3)
  then (%14: float[2], %15: float, %16: bool)
    {between}
    %17: float[2] = set(%14, %15, 1)
    give %17
  else (%18: float[2], %19: float, %20: bool)
    give %18
  %21: float = branch %3 (%5, %0)
  then (%22: float, %23: float)
    %24: float = mul(%22, %23)
    give %24
  else (%25: float, %26: float)
    give 0.0
  %27: float = get(%13, 0)
  %28: float = get(%13, 1)
  %29: float = mul(%27, %28)
  %30: float = add(%21, %29)
  give %30
"""
CHECKS = 'check %16 ("bad") raise "ValueError"'


@pytest.mark.parametrize(
    ("read", "between", "left"), [("%0", "", 2), ("%5", "", 3), ("%0", CHECKS, 3)]
)
def test_a_branch_goes_past_one_that_does_not_read_it(read, between, left) -> None:
    function = program(APART.format(taken="%2", read=read, between=between))
    made = threaded(function, 4)
    verify(made)
    assert len(branches(made)) == left
    assert len(branches(threaded(function, 1))) == 3
    for x, n in ((0.5, 1), (2.0, 1), (2.0, 2)):
        assert evaluate(made, (x, n, [4.0])) == evaluate(function, (x, n, [4.0]))


def test_a_branch_does_not_go_past_one_that_changes_its_array() -> None:
    text = APART.format(taken="%12", read="%0", between="")
    line = "  %12: float[2] = full(%0, 2)\n"
    text = text.replace(line, "").replace("  %3: bool", line + "  %3: bool")
    text = text.replace("float[m])\n    %8", "float[2])\n    %8")
    text = text.replace("%11: float[m]", "%11: float[2]")
    function = program(text)
    verify(function)
    assert len(branches(threaded(function, 4))) == 3


FLOWS = """
# ad: gradient(k)
def total(k: "Vector[n]", s: float, steps: int) -> float:
    n = len(k)
    for _ in range(steps):
        b = [1.0] * n
        for i in range(n):
            if i > 0:
                b[i] += 2.0 * k[i] * k[i - 1] / (k[i] + k[i - 1])
            if i < n - 1:
                b[i] += 2.0 * k[i] * k[i + 1] / (k[i] + k[i + 1])
        for i in range(1, n):
            s = s / b[i] + b[i - 1]
    return s
"""


def test_values_are_made_again_in_the_arm_that_needs_them() -> None:
    text = generate(FLOWS, **ANY_ORDER)
    back = text.partition("k_bar = ")[2]
    assert back.count("if ") == 2 and "else" not in back
    plain, made = load(FLOWS)["total"], load(text)["total_grad"]
    at = [1.5, 0.75, 1.25]
    for k, slope in enumerate(made(at, 1.0, 3)):
        up, down = list(at), list(at)
        up[k] += 1e-5
        down[k] -= 1e-5
        rise = plain(up, 1.0, 3) - plain(down, 1.0, 3)
        assert slope == pytest.approx(rise / 2e-5, rel=1e-8)
