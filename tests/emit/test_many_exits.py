"""Many early returns: the text grows with their number, not with how deep they are."""

from __future__ import annotations

import ctypes
import re
from functools import cache
from itertools import pairwise
from math import isclose

import hyperduals
import pytest
from amounts import ANY_ORDER
from hyperduals import Hyper
from in_c import compiled
from support import generate, load, marked

INNER = """\
    b = math.sin(x * y + {k}.5) - s * y
    if b > 0.25:
        c = b * x + s
        if c > {k}.5:
            return c * y
        s = s + c * b
    else:
        s = s - b * y
"""
PLAIN = """\
    b = math.sin(x * y + {k}.5) - s * y
    if b > {k}.25:
        return b * y - x
    s = s + x * b
"""
TABLE = """\
    if x < {k}.5:
        return {k}.25 * x * y
"""
GUARDED = """\
    b = math.sin(x * y + {k}.5) - s * y
    if b > {k}.25:
        raise ValueError("step {k}")
    s = s + x * b
"""
POINTS = {  # which leave at different steps
    INNER: [(2.69, -0.27), (0.77, -0.2), (0.6, -0.01), (0.17, -0.3), (0.5, 0.3)],
    PLAIN: [(2.69, -0.27), (-1.85, 0.19), (1.22, -0.21), (0.18, -1.76), (2.11, -0.98)],
}


def source(step, count):
    steps = "".join(step.format(k=k) for k in range(count))
    head = "import math\n\n# ad: gradient\ndef f(x: float, y: float):\n    s = 0.0\n"
    return f"{head}{steps}    return s * x\n"


def depth(text):
    """The deepest margin, in levels."""
    return max(len(m) for m in re.findall(r"^ +", text, re.M)) // 4


@pytest.mark.parametrize("step", [INNER, PLAIN])
def test_the_text_is_linear(step):
    lengths = {
        n: generate(source(step, n), **ANY_ORDER).count("\n") for n in (14, 18, 22)
    }
    first, second = lengths[18] - lengths[14], lengths[22] - lengths[18]
    assert second <= 1.1 * first


@pytest.mark.parametrize("step", [INNER, PLAIN])
def test_the_gradient_is_right_however_deep(step):
    text = generate(source(step, 22), **ANY_ORDER)
    assert depth(text) <= 16
    f, made = load(source(step, 22))["f"], load(text)["f_grad"]
    h = 1e-6
    for x, y in POINTS[step]:
        slopes = (
            (f(x + h, y) - f(x - h, y)) / (2 * h),
            (f(x, y + h) - f(x, y - h)) / (2 * h),
        )
        for found, wanted in zip(made(x, y), slopes, strict=True):
            assert isclose(found, wanted, rel_tol=1e-5, abs_tol=1e-5)


def test_a_tangent_returns_in_each_arm():
    """No margin, and as many lines for the sixtieth exit as for the tenth."""
    made = {n: generate(source(PLAIN, n).replace("gradient", "jvp")) for n in (20, 60)}
    assert made[60].count("\n") - made[20].count("\n") == 40 * 7
    assert depth(made[60]) <= 2 and made[60].count("return b") == 60
    f, jvp = load(source(PLAIN, 60))["f"], load(made[60])["f_jvp"]
    for x, y in [*POINTS[PLAIN], (0.9, 0.8), (0.3, 0.7)]:
        value, slope = jvp(x, y, 0.3, -0.7)
        assert value == f(x, y)
        h = 1e-6
        ends = f(x + 0.3 * h, y - 0.7 * h), f(x - 0.3 * h, y + 0.7 * h)
        assert isclose(slope, (ends[0] - ends[1]) / (2 * h), rel_tol=1e-5, abs_tol=1e-5)


def test_the_adjoint_of_what_is_returned_early_is_no_operand():
    text = generate(source(INNER, 3), **ANY_ORDER)
    assert len(re.findall(r"^ +c_bar(_\d)? = y$", text, re.M)) == 3


def test_a_table_takes_no_margin():
    text = generate(source(TABLE, 40), **ANY_ORDER)
    assert text.count("    if x < ") == 40
    assert depth(text) == 2
    f, made = load(source(TABLE, 40))["f"], load(text)["f_grad"]
    assert f(7.25, 3.0) == 7.25 * 7.25 * 3.0
    assert made(7.25, 3.0) == (7.25 * 3.0, 7.25 * 7.25)


def test_checks_are_no_margin():
    text = generate(source(GUARDED, 24), **ANY_ORDER)
    assert depth(text) <= 2
    with pytest.raises(ValueError, match="step 0"):
        load(text)["f_grad"](1.0, 0.0 + 1.2)


def test_a_helper_that_looks_into_a_table_takes_no_margin():
    text = generate(
        """
TIMES = ({times})

def held(t):
    for k, at in enumerate(TIMES):
        if t <= at:
            return (k + 1.5) * t * t
    return 0.0

# ad: gradient
def f(t: float, y: float):
    return y * held(t)
""".format(times=", ".join(f"{k}.5" for k in range(24))),
        **ANY_ORDER,
    )
    assert text.count("    if t <= ") == 24
    assert depth(text) == 2


PARTIAL = """\
    if s > {k}.5:
        s = s * y + {k}.25
        if y > {k}.75:
            return s * {k}.5
    s = s + math.sin(s * y + {k}.0)
"""


def partial(count):
    """A function that may end in so many branches."""
    steps = "".join(PARTIAL.format(k=k) for k in range(count))
    return (
        f"import math\n\n\ndef f(x: float, y: float):\n    s = x\n{steps}    return s\n"
    )


@cache
def partial_hessian(count):
    return generate(marked(partial(count), "f", "hessian"))


def test_values_of_later_exits_get_their_numbers_once():
    lengths = [partial_hessian(n).count("\n") for n in (12, 16, 20)]
    first, second = (b - a for a, b in pairwise(lengths))
    assert second <= 1.05 * first
    assert lengths[0] < 950
    numbers = re.findall(r"(?m)^ +\w+ = (?:0\.0|False)$", partial_hessian(12))
    assert len(numbers) < 100


@pytest.mark.parametrize("count", [4, 12])
def test_second_derivatives_at_each_exit_are_right(count, tmp_path):
    model = load(partial(count), hyperduals.modules())["f"]
    made = load(partial_hessian(count))["f_hess"]
    text = generate(marked(partial(count), "f", "hessian"), target="c")
    (library,) = compiled([text], tmp_path)
    found = (ctypes.c_double * 4)()
    units = ((1.0, 0.0), (0.0, 1.0))
    for x in (-0.5, 0.7, 1.9, 3.1, 7.4, 20.0):
        for y in (0.3, 0.8, 1.8, 4.8, 9.8):
            wanted = [
                hyperduals.hyper(model(Hyper(x, s, u), Hyper(y, t, v))).st
                for s, t in units
                for u, v in units
            ]
            assert made(x, y).ravel() == pytest.approx(wanted, rel=1e-8, abs=1e-9)
            library.f_hess(ctypes.c_double(x), ctypes.c_double(y), found)
            assert [*found] == pytest.approx(made(x, y).ravel(), rel=1e-13)


def test_a_few_numbers_stay_in_their_arms():
    assert " = left" not in partial_hessian(2)
