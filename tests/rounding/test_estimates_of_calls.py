"""Estimates of functions that call themselves."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from amounts import NUMBERS
from rounding.array_programs import estimates
from rounding.test_estimates import MODELS, near
from support import generate, load, load_generated, run

CHAIN = """def chain(x, n):
    if n == 0:
        return x
    y = chain(x, n - 1)
    return 3.7 * y * (1.0 - y)


# ad: MARK
def f(x: float, n: int):
    return chain(x, n)


# ad: MARK
def g(x: float):
    for _ in range(5):
        x = 3.7 * x * (1.0 - x)
    return x
"""
NAMES = {"linear": "err", "iri": "err_iri", "actual": "err_actual"}


@pytest.mark.parametrize("model", NAMES)
def test_a_function_is_what_it_unrolls_to(model: str) -> None:
    mark = f'error(model="{model}", uncertainties="x=1e-9")'
    made = load_generated(CHAIN.replace("MARK", mark))
    one = made[f"f_{NAMES[model]}"](0.3, 5)
    other = made[f"g_{NAMES[model]}"](0.3)
    assert one[0] == other[0]
    assert one[1:] == near(other[1:], rel=1e-6, abs=1e-30)


def test_decimals_in_functions_count() -> None:
    mark = 'error(model="actual", literals="decimal")'
    made = load_generated(CHAIN.replace("MARK", mark))
    one, other = made["f_err_actual"](0.3, 5), made["g_err_actual"](0.3)
    assert one == near(other, rel=1e-9)
    assert one[1] != estimates_of_doubles(0.3)


def estimates_of_doubles(x: float) -> float:
    made = load_generated(CHAIN.replace("MARK", 'error(model="actual")'))
    error: float = made["f_err_actual"](x, 5)[1]
    return error


@pytest.mark.parametrize("model", MODELS)
def test_a_function_that_may_take_another_way_is_flagged(model: str) -> None:
    (_, *own), _ = estimates("pair", (0.7, 4), model)
    assert all(map(math.isfinite, own))
    wide = ', uncertainties="x=1.0"'
    (_, *own), _ = estimates("pair", (0.7, 4), model, wide)
    assert not any(map(math.isfinite, own))


def test_reports_are_refused() -> None:
    said, *_ = run(CHAIN.replace("MARK", "error(report=True)")).diagnostics
    assert said.code == "AD031" and "report" in said.message


HORNER = """def horner(a, x, k):
    if k == 0:
        return 1.0
    y = horner(a, x, k - 1)
    return y * x + a[k - 1] / 3.0


# ad: MARK
def f(a: "Vector[n]", x: float):
    total = 0.0
    for v in a:
        total += horner(a, x * v, len(a))
    return total


# ad: MARK
def g(a: "Vector[n]", x: float):
    total = 0.0
    for v in a:
        u, y = x * v, 1.0
        for c in a:
            y = y * u + c / 3.0
        total += y
    return total
"""
COEFFICIENTS = [0.7, -1.3, 0.4, 0.9]


@pytest.mark.parametrize("model", NAMES)
def test_a_function_may_read_a_list_at_each_level(model: str) -> None:
    made = load_generated(HORNER.replace("MARK", f'error(model="{model}")'))
    one = made[f"f_{NAMES[model]}"](COEFFICIENTS, 0.8)
    other = made[f"g_{NAMES[model]}"](COEFFICIENTS, 0.8)
    assert one[0] == other[0]
    assert one[1:] == near(other[1:], rel=1e-6, abs=1e-30)


def test_an_enclosure_holds_where_a_list_is_read_at_each_level() -> None:
    made = load_generated(HORNER.replace("MARK", 'error(model="enclosure")'))
    value, low, high = made["f_err_enclosure"](COEFFICIENTS, 0.8)
    total = Fraction(0)
    for v in map(Fraction, COEFFICIENTS):
        y = Fraction(1)
        for c in map(Fraction, COEFFICIENTS):
            y = y * Fraction(0.8) * v + c / 3
        total += y
    assert low <= total - Fraction(value) <= high < 1e-14


def test_parameters_of_one_name_have_errors_of_their_own() -> None:
    source = """def half(g, a, n):
    return g(a) if n <= 0 else half(g, 0.5 * a, n - 1) + half(g, a + 0.5, n - 1)

# ad: error
def f(a, k, n: int):
    return half(lambda t: k * t * a, k, n)
"""
    value, bound, _ = load(generate(source, **NUMBERS))["f_err"](0.7, 0.3, 2)
    assert value == load(source)["f"](0.7, 0.3, 2)
    assert 0.0 < bound < 1e-14


# --- functions that are kept ----------------------------------------------------------

KEPT = """import math


def g(x, y):
    s = 0.0
    for k in range(3):
        s = s * x + math.sin(y) / (1.0 + k)
    if s > 0.2:
        return s * y
    return s + x / 3.0


def lin(a, b):
    return a * 0.1 - g(b, a), a + b


# ad: MARK
def f(x: float, y: float, n: int):
    t = 0.0
    for i in range(n):
        t = t + g(x * i * 0.1, y + t)
    u, w = lin(t, g(y, x))
    if w > 0.0:
        u, w = lin(u, w)
    return [u * w, u]
"""


@pytest.mark.parametrize("model", MODELS)
def test_estimates_are_those_of_the_inlined_program(model: str) -> None:
    marks = (
        f'error(model="{model}", name="f_err"{o})' for o in ("", ", inputs='rounded'")
    )
    for mark in marks:
        kept, inlined = (
            load_generated(KEPT.replace("MARK", mark), inline=way)["f_err"]
            for way in ("never", "always")
        )
        for point in ((0.7, -0.4, 3), (-0.3, 1.9, 5), (0.2, 0.5, 0)):
            (value, *own), (same, *other) = kept(*point), inlined(*point)
            assert value == same
            for one, two in zip(own, other, strict=True):
                # what two calls have in common errs once where it is inlined
                assert [*one] == near([*two], rel=0.05 if model == "iri" else 1e-9)


STEPS = """import math


def rhs(x, v):
    return v, 0.3 * (1.0 - x * x) * v - x + math.sin(x)


def step(x, v, h):
    k, m = rhs(x, v)
    p, q = rhs(x + 0.5 * h * k, v + 0.5 * h * m)
    return x + h * p, v + h * q


# ad: error, error(model="actual")
def f(x: float, v: float, h: float):
BODY
    return x * v
"""


def steps(count: int) -> str:
    return STEPS.replace("BODY", "    x, v = step(x, v, h)\n" * count)


def test_a_function_that_would_be_long_text_is_kept() -> None:
    texts = {way: generate(steps(30), inline=way) for way in ("auto", "always")}
    assert len(texts["auto"].splitlines()) < 1_500
    assert len(texts["always"].splitlines()) > 8_000
    assert texts["auto"].count("def _step(") == 1
    kept, inlined = map(load, texts.values())
    for name in ("f_err", "f_err_actual"):
        one, other = kept[name](0.7, -0.2, 0.01), inlined[name](0.7, -0.2, 0.01)
        assert one[0] == other[0]
        assert one[1] == near(other[1], rel=1e-9)


def test_few_copies_are_inlined() -> None:
    texts = [generate(steps(2), inline=way) for way in ("auto", "always")]
    first, second = (text.partition("\n\n")[2] for text in texts)
    assert first == second


def test_steps_are_enclosed() -> None:
    source = steps(3).replace("math.sin(x)", "x / 3.0")
    made = load_generated(source.replace('"actual"', '"enclosure"'), inline="never")
    whole = source.replace("0.3", "F(0.3)").replace("0.5", "F(0.5)")
    exact = load(whole.replace("1.0", "1").replace("3.0", "3"), names={"F": Fraction})
    x, v, h = 0.7, -0.2, 0.01
    true = exact["f"](*(Fraction(w) for w in (x, v, h)))
    value, low, high = made["f_err_enclosure"](x, v, h)
    assert low <= true - Fraction(value) <= high < 1e-14
    assert abs(true - Fraction(value)) <= made["f_err"](x, v, h)[1] < 1e-14


def test_one_helper_gives_the_adjoints_that_all_calls_ask_for() -> None:
    text = generate(steps(9).replace(', error(model="actual")', ""), inline="never")
    names = [
        line.partition("(")[0] for line in text.splitlines() if line[:5] == "def _"
    ]
    own = [name for name in names if "step" in name]
    assert own == ["def _step", "def _step_linear", "def _step_linear_2"]


def test_decimals_in_kept_functions_count() -> None:
    mark = 'error(model="actual", literals="decimal")'
    source = KEPT.replace("MARK", mark)
    kept, inlined = (
        load_generated(source, inline=way)["f_err_actual"](0.7, -0.4, 3)[1]
        for way in ("never", "always")
    )
    assert [*kept] == near([*inlined], rel=1e-9)


NORM = """def norm(u):
    s = 0.0
    for v in u:
        s += v * v
    return s


# ad: error(MORE)
def f(u: "Vector[n]"):
    return norm(u) * 0.1
"""


def test_functions_in_reports_are_inlined() -> None:
    source = NORM.replace("MORE", "report=True")
    assert "def _norm" not in generate(source, inline="never")


def test_operators_estimate_through_functions_that_are_kept() -> None:
    source = """import ad_transform as ad

def h(x, y):
    return x * y + 0.1

# ad: expand
def f(x: float):
    v = h(h(x, 0.3), x)
    return v, ad.rounding_error(v)
"""
    found = [load_generated(source, inline=w)["f"](0.7) for w in ("never", "always")]
    assert found[0] == near(found[1], rel=1e-12)


def test_a_value_that_nobody_reads_may_come_from_a_call_in_an_arm() -> None:
    source = """
def half(a):
    return 0.5

def pair(a):
    if a > 1.0:
        return [a, half(a)]
    return [a] * 2

# ad: error
def f(a: float, b: float):
    return pair(a)[0] * b
"""
    made = load_generated(source, inline="never", order="reverse")["f_err"]
    for a in (1.1, 0.1):
        value, bound, _ = made(a, 0.7)
        assert value == a * 0.7 and bound == 0.5 * math.ulp(value)
