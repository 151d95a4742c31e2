"""Constants are folded, choices among them too."""

from __future__ import annotations

import math

import pytest
from amounts import ANY_ORDER
from support import generate

from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.exact_values import EXACT
from ad_transform.ir.nodes import Literal, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT, INT

ZERO, ONE, TWO = Literal(0.0), Literal(1.0), Literal(2.0)
NAMED = Literal(2.0, "LIMIT")
NAN = Literal(float("nan"))


@pytest.mark.parametrize(
    ("op", "args", "made"),
    [
        ("max", (ZERO, ZERO), ZERO),
        ("max", (ONE, TWO), TWO),
        ("min", (ONE, TWO), ONE),
        ("max", (ONE, NAMED), NAMED),
        ("max_of", (TWO, ONE, TWO, ZERO), TWO),
        ("min_of", (ONE, ONE, TWO), ONE),
        ("max", (NAN, ONE), NAN),  # as `y if y > x else x` has it
        ("max", (ONE, NAN), ONE),
    ],
)
def test_choices_of_numbers_are_one_of_them(op, args, made):
    assert Builder(TABLE, LAWS).apply(op, *args) is made


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (Literal(-2.0), TWO),
        (Literal(-0.0), ZERO),
        (TWO, TWO),
        (NAMED, NAMED),
        (Literal(-3), Literal(3)),
        (Literal(0), Literal(0)),
    ],
)
def test_the_magnitude_of_a_number_is_a_number(value, made):
    found = Builder(TABLE, LAWS).apply("abs", value)
    assert repr(found) == repr(made)


def test_a_number_that_is_none_has_no_magnitude_yet():
    b = Builder(TABLE, LAWS)
    b.apply("abs", NAN)
    assert [s.op.name for s in b.body] == ["abs"]


@pytest.mark.parametrize("other", [Var(FLOAT, "x"), Literal(1)])
def test_a_value_or_a_number_of_another_type_is_no_such_choice(other):
    b = Builder(TABLE, LAWS)
    b.apply("max", ZERO, other)
    assert [s.op.name for s in b.body] == ["max"]


@pytest.mark.parametrize(
    ("op", "shifts", "chosen"),
    [
        ("min", (0, -1), 1),
        ("min", (-1, 0), 0),
        ("max", (0, -1), 0),
        ("max", (1, 2), 1),
        ("min", (3, 3), 0),
    ],
)
def test_of_shifted_whole_numbers_one_is_chosen(op, shifts, chosen):
    n, b = Var(INT, "n"), Builder(TABLE, LAWS)
    args = [b.apply("add", n, Literal(s)) if s else n for s in shifts]
    assert b.apply(op, *args) is args[chosen]


@pytest.mark.parametrize("type_", [INT, FLOAT])
def test_of_others_none_is_chosen_yet(type_):
    n, m, b = Var(type_, "n"), Var(type_, "m"), Builder(TABLE, LAWS)
    one = Literal(1) if type_ == INT else ONE
    shifted = b.apply("sub", m if type_ == INT else n, one)
    assert b.apply("min", n, shifted) not in (n, shifted)


@pytest.mark.parametrize("op", EXACT)
def test_functions_at_a_number_where_nobody_rounds(op):
    point, value = EXACT[op]
    assert TABLE[op].compute(point) == value
    assert Builder(TABLE, LAWS).apply(op, Literal(point)) == Literal(value)
    assert Builder(TABLE, LAWS).apply(op, Literal(int(point))) == Literal(value)
    for other in (-0.0, 0.5, 1.0 - point, math.nan):
        made = Builder(TABLE, LAWS).apply(op, Literal(other))
        assert isinstance(made, Var)


@pytest.mark.parametrize("y", [0.0, 0])
def test_the_angle_of_nothing_is_nothing(y):
    b = Builder(TABLE, LAWS)
    x = Var(FLOAT)
    assert b.apply("atan2", Literal(y), Literal(2.0)) == Literal(0.0)
    positive = b.apply("add", b.apply("mul", x, x), Literal(1.0))
    assert b.apply("atan2", Literal(y), positive) == Literal(0.0)
    for other in (-2.0, 0.0, -0.0, math.nan):
        assert isinstance(b.apply("atan2", Literal(y), Literal(other)), Var)
    assert isinstance(b.apply("atan2", Literal(y), x), Var)
    assert isinstance(b.apply("atan2", Literal(-0.0), Literal(2.0)), Var)


ANGLES = """\
import math

# ad: gradient(value=True)
def f(x: float, y: float):
    return math.atan2(0.0, 2.0) * x + y * x + math.atan2(0.0, -2.0) * y
"""


def test_the_slope_of_such_an_angle_is_none():
    text = generate(ANGLES, **ANY_ORDER)
    assert "atan2(0.0, 2.0)" in text and "(y, " in text


LOGARITHMS = """\
import math

# ad: gradient(value=True)
def f(x: float, y: float):
    return x * math.log(1.0) + y * math.exp(0.0) + y * x * math.log(1.0)
"""


def test_partials_of_such_numbers_are_numbers():
    """The value is computed as the source has it, and its slopes are known."""
    text = generate(LOGARITHMS, **ANY_ORDER)
    assert "log(1.0)" in text
    assert text.endswith("(0.0, 1.0)\n")
