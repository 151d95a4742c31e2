"""What estimates promise beside their size."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import black
import pytest
from amounts import amount, pairs, part
from command import Tool
from mpmath import mp
from rounding.estimated import BOUNDED
from rounding.truth import estimating, points, program, truth
from tracing import apply, trace, traced_math

from ad_transform.derive.rounding.derive import estimate
from ad_transform.derive.rounding.error_options import ErrorOptions
from ad_transform.elementals import TABLE
from ad_transform.elementals.estimates import ESTIMATES
from ad_transform.emit.python.module import print_function, print_module
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Parameter,
    Var,
)
from ad_transform.ir.types import BOOL, FLOAT
from ad_transform.options import Options

tm: Any = traced_math()
MODELS = ("linear", "iri", "actual", "enclosure")
Formula = Callable[..., Any]


def at(function: Formula | Function, *point: float, **asked: Any) -> tuple[Any, ...]:
    """Value and estimates at a point; `names` are inputs whose error counts."""
    names = asked.pop("names", ())
    traced = function if isinstance(function, Function) else trace(function)
    return evaluate(estimating(traced, ErrorOptions(**asked), names), point)


def near(value: float, rel: float = 1e-12, abs: float = 0.0) -> Any:
    """Like pytest's, without its absolute tolerance, which is far above our values."""
    return pytest.approx(value, rel=rel, abs=abs)


# fmt: off
EXACT: list[tuple[Formula, tuple[float, ...]]] = [
    (lambda x: -x, (0.1,)),
    (lambda x: +abs(x), (-0.1,)),
    (lambda x: 2.0 * x, (0.1,)),
    (lambda x: x / 4.0, (0.1,)),
    (lambda x: 0.5 * x, (0.1,)),
    (lambda x: x + 0.0, (0.1,)),
    (lambda x: x ** 1, (0.1,)),
    (lambda x, y: x - y, (0.3, 0.2)),      # Sterbenz
    (lambda x, y: x + y, (0.25, 0.5)),     # by its residual
]
# fmt: on


@pytest.mark.parametrize(("function", "point"), EXACT)
@pytest.mark.parametrize("model", ["linear", "actual", "enclosure"])
def test_exact_operations_cost_nothing(
    function: Formula, point: tuple[float, ...], model: str
) -> None:
    assert at(function, *point, model=model)[1:] == (0.0, 0.0)


@pytest.mark.parametrize("c", [3.0, -6.0, 7.0, 12, 120.0, 1025.0])
def test_few_bits_leave_products_exact(c: float) -> None:
    assert at(lambda x: c * x, 0.625)[1:] == (0.0, 0.0)
    value, bound, _ = at(lambda x: x * c, 0.7)
    residual = mp.mpf(value) - mp.mpf(0.7) * c
    assert bound == (0.5 * math.ulp(value) if residual else 0.0)


@pytest.mark.parametrize("c", [3.0, 6.0, -7.0, 120.0, 1.5])
def test_few_bits_leave_quotients_exact(c: float) -> None:
    assert at(lambda x: x / c, 0.625 * c)[1:] == (0.0, 0.0)
    value, bound, _ = at(lambda x: x / c, 0.7)
    residual = mp.mpf(0.7) - mp.mpf(value) * c
    assert bound == (0.5 * math.ulp(value) if residual else 0.0)


def test_a_square_that_is_the_product_is_rounded_once() -> None:
    value, bound, _ = at(lambda x: x**2, 0.7)
    assert value == 0.7 * 0.7
    assert bound == 0.5 * math.ulp(value)


@pytest.mark.parametrize(
    ("function", "point"),
    [
        (lambda x, y: x * y, (0.75, 0.625)),
        (lambda x, y: x / y, (0.46875, 0.625)),
        (lambda x, y: tm.sqrt(x * y), (0.25, 2.25)),
    ],
)
def test_every_operation_may_be_tested(function: Formula, point: Any) -> None:
    assert at(function, *point)[1] > 0.0
    bound, rms = at(function, *point, tests="all")[1:]
    assert bound < 1e-300  # what underflow may take, were it near
    assert rms == 0.0
    inexact = (0.1, 0.7)
    assert at(function, *inexact, tests="all") == at(function, *inexact)


def test_helpers_are_laid_out_as_black_does() -> None:
    for text in ESTIMATES.values():
        assert black.format_str(text, mode=black.Mode()) == text


def test_one_operation_errs_by_half_an_ulp() -> None:
    value, bound, rms = at(lambda x, y: x * y, 0.1, 0.7)
    assert bound == 0.5 * math.ulp(value)
    assert rms == near(bound / math.sqrt(3.0))


def test_iri_is_the_formula_of_adds() -> None:
    def f(x: Any, y: Any) -> Any:
        return (x + y) * y - 2.0 * x

    x, y, eps = 0.3, 0.7, 1e-16
    v1, v2 = x + y, (x + y) * y
    terms = (y * v1, v2, -2.0 * x, v2 - 2.0 * x)
    expected = math.sqrt(sum(t * t for t in terms) / 3.0) * eps
    assert at(f, x, y, model="iri", eps=eps)[1] == near(expected, rel=1e-14)
    default = at(f, x, y, model="iri")[1]
    assert default == near(expected * 2**-53 / eps)


def test_inputs_count_where_they_are_named() -> None:
    def f(x: Any, y: Any) -> Any:
        return x - y

    x, y = 0.3, 0.2
    assert at(f, x, y, names=("x",))[1] == 0.5 * math.ulp(x)
    both = at(f, x, y, inputs="rounded")
    assert both[1] == 0.5 * (math.ulp(x) + math.ulp(y))
    low, high = at(f, x, y, names=("x",), model="enclosure")[1:]
    assert high == near(0.5 * math.ulp(x))
    assert low == -high
    assert at(f, x, y, names=("x",), model="actual")[1:] == (0.0, 0.5 * math.ulp(x))


def test_identical_expressions_err_alike() -> None:
    def f(x: Any) -> Any:
        return tm.exp(x) / tm.exp(x)

    assert at(f, 0.3)[1] == 0.5 * math.ulp(1.0)


def test_every_result_has_its_estimate() -> None:
    def f(x: Any, y: Any) -> Any:
        return x * y, (x + 1.0, y), 3

    made = estimate(trace(f), (), ErrorOptions()).function
    assert [item.leaves() for item in made.nest.items] == [4, 4, 4]
    values = evaluate(made, (0.1, 0.7))
    assert values[4] == 0.5 * math.ulp(0.1 * 0.7)
    assert values[6:8] == (0.0, 0.0)


# fmt: off
SINGULAR: list[tuple[Formula, tuple[float, ...]]] = [
    (lambda x: tm.sqrt(x * x), (0.0,)),
    (lambda x: tm.sqrt(x - x * 1.0), (0.5,)),
    (lambda x: tm.asin(x * x), (1.0,)),
    (lambda x: tm.acosh(x * x), (1.0,)),
    (lambda x: tm.hypot(x * x, x), (0.0,)),
    (lambda x: tm.atan2(x * x, x), (0.0,)),
    (lambda x: (x * x) ** 0.5, (0.0,)),
    (lambda x: (x * x) ** 2.5, (1e-200,)),
    (lambda x: tm.sinh(x * x), (26.6,)),
    (lambda x: (x * 1.5) ** 2 * 1e-300, (1e300 ** 0.5,)),
    (lambda x: 1.0 / (x * x), (1e-150,)),
    (lambda x: (x * x) * (x * x), (1e-90,)),
    (lambda x: tm.log(x * x) / x, (1e-150,)),
    (lambda x: x * x - x * x * x, (1e160,)),
    (lambda x: tm.cbrt(x * x), (0.0,)),
    (lambda x: tm.lgamma(x * x), (1.0,)),
    (lambda x: tm.atan2(tm.sqrt(tm.exp2(x)), tm.tanh(tm.exp2(x))), (-3000.0,)),
    (lambda x: tm.erfc(x * 4.0 + x), (math.inf,)),
]
# fmt: on


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("function", "point"), SINGULAR)
def test_nothing_raises(
    function: Formula, point: tuple[float, ...], model: str
) -> None:
    estimates = at(function, *point, model=model)[1:]
    assert not any(map(math.isnan, estimates))


def test_ill_conditioned_arguments_have_no_bound() -> None:
    def f(x: Any) -> Any:
        return tm.log((1.0 + x) - 1.0)

    assert at(f, 1e-16 * 1.2)[1] == math.inf
    assert at(f, 1e-6)[1] < 1e-8


def test_dead_code_is_not_found_again() -> None:
    def f(x: Any) -> Any:
        y = x * x
        tm.hypot(1.0, y)  # what the partial of asinh(y) needs
        return tm.asinh(y)

    assert 0.0 < at(f, 0.7)[1] < 1e-15


def test_the_larger_of_a_value_and_itself() -> None:
    def f(x: Any) -> Any:
        y = 0.1 * x
        return max_(y, y)

    def max_(x: Any, y: Any) -> Any:
        return apply("max", x, y)

    value, err, _ = at(f, 0.7, model="actual")
    with mp.workdps(60):
        assert err == near(float(mp.mpf(value) - mp.mpf(0.1) * mp.mpf(0.7)))


# fmt: off
TREACHEROUS: list[tuple[Formula, tuple[float, ...]]] = [  # no digit of these is right
    (lambda x: tm.tan(tm.atan2(1e-5, x)),                      (1e-300,)),
    (lambda x: tm.hypot(tm.remainder(x, 0.1 * x + 0.9 * x), 1e-3 * x), (1e51,)),
    (lambda x: tm.degrees(tm.radians(x)) - apply("min", x, tm.degrees(tm.radians(x))),
                                                               (math.pi,)),
    (lambda x: tm.cos(tm.fma(x, x, -1.0 * (x * x))),           (1e12 / 7.0,)),
]
TINY: list[tuple[Formula, tuple[float, ...]]] = [
    (lambda x: x / 6.0,         (5e-324,)),
    (lambda x: x / 10.0,        (1e-310,)),
    (lambda x: tm.sqrt(x) * 1.0, (1e-310,)),
    (lambda x: 0.7 / (1.0 / x), (1e-310,)),
]
# fmt: on


@pytest.mark.parametrize(("function", "point"), TREACHEROUS)
def test_no_digit_no_bound(function: Formula, point: tuple[float, ...]) -> None:
    assert at(function, *point)[1] == math.inf


@pytest.mark.parametrize(("function", "point"), TINY)
def test_errors_of_tiny_values_are_not_made_up(
    function: Formula, point: tuple[float, ...]
) -> None:
    value, err, unc = at(function, *point, model="actual")
    with mp.workdps(400):
        error = mp.mpf(value) - truth(trace(function), point)
        assert math.isinf(unc) or abs(error - err) <= unc + 1e-300


@pytest.mark.parametrize("tests", ["sums", "all"])
@pytest.mark.parametrize(("function", "point"), TINY)
def test_tiny_values_have_a_bound(
    function: Formula, point: tuple[float, ...], tests: str
) -> None:
    value, bound, _ = at(function, *point, tests=tests)
    with mp.workdps(400):
        assert abs(mp.mpf(value) - truth(trace(function), point)) <= bound


@pytest.mark.parametrize("order", ["forward", "markowitz", "copying-umbrellas-first"])
def test_contraction_does_not_change_the_estimate(order: str) -> None:
    """Murota & Kubota 1989, section 5."""
    for name, formula in part([*BOUNDED.items()][:20], 2):
        traced = program(formula.function)
        made = [
            estimate(traced, (), ErrorOptions(), options=Options(order=o)).function
            for o in ("reverse", order)
        ]
        for point in points(name, formula, False, 3):
            one, other = (evaluate(m, point)[1:] for m in made)
            assert one == near(other, rel=1e-9)


def long_program(steps: int) -> Function:
    def oscillator(x: Any, y: Any) -> Any:
        for _ in range(steps):
            x, y = x + 0.01 * y, y - 0.01 * x * (1.0 + 0.1 * x * x)
        return x

    return trace(oscillator)


def check_long_program(operations: int) -> None:
    """What is said of a program of so many operations is true, and near."""
    traced, point = long_program(operations // 7), (0.3, 0.7)
    assert len(traced.body) >= operations
    with mp.workdps(400):
        error = mp.mpf(evaluate(traced, point)[0]) - truth(traced, point)
        found = at(traced, *point, model="actual")
        assert abs(found[1] - error) <= 1e-13 * abs(error)
        low, high = at(traced, *point, model="enclosure")[1:]
        assert low <= -error <= high
        assert high - low < 1e-2 * abs(error)


def test_long_programs() -> None:
    check_long_program(amount(700, 2_100))  # --bench tries ten thousand


def test_literals_may_mean_decimals() -> None:
    def f(x: Any) -> Any:
        return x * 0.1 + 0.7

    x = 3.0
    with mp.workdps(60):
        exact = mp.mpf(x) / 10 + mp.mpf(7) / 10
        error = float(mp.mpf(x * 0.1 + 0.7) - exact)
    found = {m: at(f, x, model=m, literals="decimal")[1:] for m in MODELS}
    assert found["actual"] == (near(error, rel=1e-14), 0.0)
    low, high = found["enclosure"]
    assert low <= -error <= high
    assert found["linear"][0] >= abs(error)
    assert found["linear"] > at(f, x)[1:]
    assert found["iri"] > at(f, x, model="iri")[1:]


# --- branches -------------------------------------------------------------------------


def clipped(limit: float = 1.0) -> Function:
    """`t = x * x; y = sqrt(t - 1) if t > limit else 1 - t`."""
    x, t, out, test = Var(FLOAT, "x"), Var(FLOAT), Var(FLOAT), Var(BOOL)
    arms = []
    for op, last in (("sub", "sqrt"), ("sub", "neg")):
        param, less, end = Var(FLOAT), Var(FLOAT), Var(FLOAT)
        body = (
            Apply(less, TABLE[op], (param, Literal(1.0))),
            Apply(end, TABLE[last], (less,)),
        )
        arms.append(Block((param,), body, (end,)))
    body = (
        Apply(t, TABLE["mul"], (x, x)),
        Apply(test, TABLE["gt"], (t, Literal(limit))),
        Branch((out,), test, (t,), *arms),
    )
    block = Block((x,), body, (out,))
    return Function("clipped", (Parameter("x", (x,)),), block, LEAF, 1)


def test_branches_are_enclosed() -> None:
    function = clipped()
    for x in (0.3, 0.7, 1.3, 2.7):
        value, low, high = at(function, x, model="enclosure")
        with mp.workdps(60):
            square = mp.mpf(x) ** 2
            exact = mp.sqrt(square - 1) if square > 1 else 1 - square
            assert low <= exact - mp.mpf(value) <= high
            assert high - low < 1e-2 * max(abs(low), abs(high))


# --- printed --------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_printed_functions_compute_what_the_ir_means(model: str) -> None:
    some = part([*BOUNDED.items()][::4], 2)
    for (name, formula), asked in pairs(some, MODELS, 2):
        if asked != model:
            continue
        derived = estimate(program(formula.function), (), ErrorOptions(model))
        printed = print_function(derived, (), Options())
        scope: dict[str, Any] = {}
        exec(print_module([printed], {}, None), scope)
        (made,) = (v for k, v in scope.items() if k.startswith(f"{name}_err"))
        for point in points(name, formula, False, 3):
            assert made(*point) == evaluate(derived.function, point)


SOURCE = """\
import math


# ad: error, error(x, model="iri", eps=2e-16), error(model="actual")
# ad: error(model="enclosure", inputs="rounded", name="enclosed")
def f(x: float, n: int, k=2.0):
    t = math.sqrt(1.0 + x * x)
    return t - x, k * n
"""


def test_the_command(tmp_path: Any) -> None:
    tool = Tool(tmp_path)
    tool.write("m.py", SOURCE)
    run = tool("m.py")
    assert run.returncode == 0, run.stderr.decode()
    sys.path.insert(0, str(tmp_path))
    try:
        import m_grad as made  # noqa: PLC0415
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("m_grad", None)
    x = 1e6
    value = math.sqrt(1.0 + x * x) - x
    values, (bound, other), _ = made.f_err(x, 3)
    assert values == (value, 6.0)
    assert 1e-12 < bound < 1e-9
    assert other == 0.5 * math.ulp(6.0)
    (_, _), (err, _), (unc, _) = made.f_err_actual(x, 3)
    with mp.workdps(50):
        exact = mp.sqrt(1 + mp.mpf(x) ** 2) - x
        assert abs(value - exact - err) < 1e-14 * abs(err)
    assert unc == 0.0
    _, (low, _), (high, _) = made.enclosed(x, 3)
    assert low < 0.0 < high
    assert len(made.f_err_iri(x, 3)) == 2


def test_a_fused_product_gives_the_same_remainder() -> None:
    """As `math.fma` of Python 3.13 does it."""

    def fused(x: float, y: float, z: float) -> float:
        return float(Fraction(x) * Fraction(y) + Fraction(z))

    scope: dict[str, Any] = {}
    exec("import math\n" + ESTIMATES["_remainder_of"], scope)
    plain = [scope["_remainder_of"](x / 7.0, 7.0, x) for x in (0.1, 1.0, 3e10)]
    scope["_FUSED"] = fused
    assert [scope["_remainder_of"](x / 7.0, 7.0, x) for x in (0.1, 1.0, 3e10)] == plain
    assert math.isnan(scope["_remainder_of"](math.inf, 0.0, 1.0))
