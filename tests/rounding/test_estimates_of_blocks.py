"""Estimates through branches and loops, on programs of the IR."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import pytest
from amounts import ANY_ORDER, NUMBERS
from exact import MPMATH
from mpmath import mp
from rounding.test_estimates import MODELS, at, clipped, near
from rounding.truth import estimating
from support import generate, load

from ad_transform.derive.rounding.derive import estimate
from ad_transform.derive.rounding.error_options import ErrorOptions
from ad_transform.elementals import TABLE
from ad_transform.emit.python.module import print_function, print_module
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function
from ad_transform.ir.parse import parse_function
from ad_transform.options import Options

LOGISTIC = parse_function(
    """\
function logistic primal 1 nest .
parameter r (%0 r: float)
parameter start (%1 start: float)
parameter n (%2 n: int)
  %3 x: float = scan (0, %2, 1) (%1) (%0) ()
  body (%4: int, %5: float, %6: float)
    %7: float = mul(%6, %5)
    %8: float = sub(1.0, %5)
    %9: float = mul(%7, %8)
    give %9
  give %3
""",
    TABLE,
)

NEWTON = parse_function(
    """\
function newton primal 1 nest .
parameter a (%0 a: float)
parameter tol (%1 tol: float)
  %2 x: float, %3: int = while (%0) (%0, %1)
  test (%4: float, %5: float, %6: float)
    %7: float = mul(%4, %4)
    %8: float = sub(%7, %5)
    %9: float = abs(%8)
    %10: bool = gt(%9, %6)
    give %10
  body (%11: float, %12: float, %13: float)
    %14: float = div(%12, %11)
    %15: float = add(%11, %14)
    %16: float = mul(0.5, %15)
    give %16
  %17: float = sqrt(%2)
  give %17
""",
    TABLE,
)

TENT = parse_function(
    """\
function tent primal 1 nest .
parameter start (%0 start: float)
parameter n (%1 n: int)
  %2 x: float, %3 total: float = scan (0, %1, 1) (%0, 0.0) () ()
  body (%4: int, %5: float, %6: float)
    %7: bool = lt(%5, 0.5)
    %8: float = branch %7 (%5) 
    then (%9: float)
      %10: float = mul(1.7, %9)
      give %10
    else (%11: float)
      %12: float = sub(1.0, %11)
      %13: float = mul(1.7, %12)
      give %13
    %14: float = exp(%8)
    %15: float = add(%6, %14)
    give %8, %15
  give %3
""",
    TABLE,
)


PROGRAMS: list[tuple[Function, tuple[Any, ...], bool]] = [  # without library calls?
    (clipped(), (0.3,), True),
    (clipped(), (1.7,), True),
    (LOGISTIC, (3.2, 0.3, 1), True),
    (LOGISTIC, (2.7, 0.3, 40), True),
    (LOGISTIC, (3.2, 0.3, 0), True),
    (NEWTON, (2.0, 1e-9), True),
    (NEWTON, (7.3, 0.5), True),
    (TENT, (0.3, 1), False),
    (TENT, (0.317, 25), False),
]


def error_of(function: Function, point: tuple[Any, ...]) -> Any:
    with mp.workdps(200):
        given = (mp.mpf(x) if isinstance(x, float) else x for x in point)
        (exact,) = evaluate(function, tuple(given), MPMATH)
        return mp.mpf(evaluate(function, point)[0]) - exact


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("function", "point", "plain"), PROGRAMS)
def test_estimates_hold(
    function: Function, point: tuple[Any, ...], plain: bool, model: str
) -> None:
    made = estimating(function, ErrorOptions(model))
    value, *estimates = evaluate(made, point)
    assert value == evaluate(function, point)[0]
    error = error_of(function, point)
    with mp.workdps(200):
        match model:
            case "linear":
                assert abs(error) <= estimates[0] * (1 + 1e-6)
                assert estimates[0] <= 1e3 * abs(error) or not error
                assert estimates[1] <= estimates[0]
            case "iri":
                assert estimates[0] >= 0.0
            case "actual":
                assert abs(error - estimates[0]) <= 1e-9 * abs(error) + estimates[1]
                assert not plain or estimates[1] < 1e-300
            case "enclosure":
                assert estimates[0] <= -error <= estimates[1]
                assert math.isfinite(estimates[1])


@pytest.mark.parametrize("model", MODELS)
def test_a_loop_is_what_it_unrolls_to(model: str) -> None:
    """The same estimates, where the loop is a straight line."""

    def straight(r: Any, x: Any) -> Any:
        for _ in range(6):
            x = (r * x) * (1.0 - x)
        return x

    one = at(LOGISTIC, 3.1, 0.3, 6, model=model)
    other = at(straight, 3.1, 0.3, model=model)
    assert one[0] == other[0]
    assert one[1:] == near(other[1:], rel=1e-6, abs=1e-30)


@pytest.mark.parametrize("model", MODELS)
def test_inputs_count_through_blocks(model: str) -> None:
    given = {"uncertainties": "start=1e-6"}
    exact = at(LOGISTIC, 2.7, 0.3, 5, model=model)[1:]
    wide = at(LOGISTIC, 2.7, 0.3, 5, model=model, **given)[1:]
    ends = [at(LOGISTIC, 2.7, 0.3 + d, 5)[0] for d in (-1e-6, 1e-6)]
    spread = abs(ends[1] - ends[0]) / 2
    assert max(map(abs, wide)) > max(map(abs, exact))
    if model == "enclosure":  # grows with every trip: the map feeds back
        assert max(wide) >= spread
    else:
        share = math.sqrt(3.0) if model == "iri" else 1.0
        assert max(wide) == near(spread / share, rel=1e-3)


@pytest.mark.parametrize("model", MODELS)
def test_an_undecided_branch_is_flagged(model: str) -> None:
    """By a margin smaller than the error of the operands."""
    x = 0.7
    assert not any(map(math.isfinite, at(clipped(x * x), x, model=model)[1:]))
    assert all(map(math.isfinite, at(clipped(x * x + 1e-9), x, model=model)[1:]))
    exact = 0.75  # its square is no rounded number
    assert all(map(math.isfinite, at(clipped(exact * exact), exact, model=model)[1:]))


@pytest.mark.parametrize("model", MODELS)
def test_an_undecided_branch_in_a_loop_is_flagged(model: str) -> None:
    """The second trip of the tent map decides by 1.7 * start < 0.5."""
    tie = 0.5 / 1.7
    assert 1.7 * tie == 0.5
    assert not any(map(math.isfinite, at(TENT, tie, 2, model=model)[1:]))
    assert all(map(math.isfinite, at(TENT, tie, 1, model=model)[1:]))


@pytest.mark.parametrize("model", MODELS)
def test_an_undecided_number_of_trips_is_flagged(model: str) -> None:
    values = [7.3]
    for _ in range(3):
        values.append(0.5 * (values[-1] + 7.3 / values[-1]))
    margin = abs(values[2] * values[2] - 7.3)
    found = at(NEWTON, 7.3, margin, model=model)[1:]
    assert not any(map(math.isfinite, found))
    assert all(map(math.isfinite, at(NEWTON, 7.3, 0.9 * margin, model=model)[1:]))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("function", "point"), [(f, p) for f, p, _ in PROGRAMS if f.name != "clipped"]
)
def test_printed_loops_compute_what_the_ir_means(
    function: Function, point: tuple[Any, ...], model: str
) -> None:
    derived = estimate(function, (), ErrorOptions(model))
    scope: dict[str, Any] = {}
    text = print_module([print_function(derived, (), Options())], {}, None)
    exec(text, scope)
    assert scope[derived.function.name](*point) == evaluate(derived.function, point)


LEFT = """\
# ad: error(model="enclosure"), error
def f(x: float, n: int) -> float:
    s = 0.0
    for k in range(n):
        s += x * k
        if s > 2.0:
            break
    return s
"""


def test_what_both_arms_give_is_no_matter_of_a_branch() -> None:
    """Whether the loop has been left is sure in either case: nothing asks for that."""
    estimates = [
        part
        for part in generate(LEFT, **ANY_ORDER).split("def ")
        if part.startswith("f_")
    ]
    assert len(estimates) == 2 and not any("if not " in text for text in estimates)
    assert all(text.count(" doubt = ") == 2 for text in estimates)


def test_an_arm_is_given_the_adjoint_of_what_it_errs_in() -> None:
    """Beside a power that may be complex, whose estimates stand in a branch."""
    body = "    p = x**y\n    q = p * (math.log(x) if p != 0.0 else 0.0)\n"
    head = "import math\n# ad: error\ndef f(x, y, z):\n"
    made = load(generate(f"{head}{body}    return (p * x + q) * z\n", **NUMBERS))
    value, bound, _ = made["f_err"](1.3, 2.1, 0.7)
    with mp.workdps(40):
        x, y, z = map(mp.mpf, (1.3, 2.1, 0.7))
        assert abs(value - x**y * (x + mp.log(x)) * z) <= bound < 1e-15


CARRIED = """
import math

# ad: error
def f(a: "Vector[n]", b: "Vector[n]"):
    w, c = 0.0, 0.0
    for k in range(len(a)):
        c += a[k]
        {line}
    return {result}
"""
ADDED = [
    ("w += b[k] - c", "w"),
    ("w += (b[k] - c) if b[k] > 0.1 else b[k]", "w / 4.0"),
    ("w, c = c, w + (b[k] - c)", "w + c"),
    ("for _ in range(2):\n            w += b[k] - c", "w"),
]
NOT_ADDED = [
    ("w += b[k] - c", "math.exp(w)"),
    ("w = math.sin(w) + (b[k] - c)", "w"),
    ("w = w * w + (b[k] - c)", "w"),
]
DECIDING = [
    ("w += b[k] - c\n        if w > 5.0:\n            break", "w"),
    ("while b[k] > c + w:\n            w += 1.0\n        w += b[k] - c", "w"),
]
LOSING = [0.1, 0.2, 0.3], [0.4, 0.1 + 0.2, 0.6]  # no digit is left of b[1] - c


@pytest.mark.parametrize(("line", "result"), ADDED + DECIDING)
def test_what_loops_add_up_may_have_lost_its_digits(line: str, result: str) -> None:
    text = CARRIED.format(line=line, result=result)
    value, bound, _ = load(generate(text, **ANY_ORDER))["f_err"](*LOSING)
    whole = re.sub(r"(\d)\.0", r"\1", text)  # 0.0 + Fraction is a float
    exact = load(whole)["f"](*([Fraction(x) for x in given] for given in LOSING))
    assert isinstance(exact, Fraction)
    assert abs(Fraction(value) - exact) <= bound < 1e-15


@pytest.mark.parametrize(("line", "result"), NOT_ADDED)
def test_what_loops_use_otherwise_may_not(line: str, result: str) -> None:
    text = CARRIED.format(line=line, result=result)
    assert load(generate(text, **ANY_ORDER))["f_err"](*LOSING)[1] == math.inf
