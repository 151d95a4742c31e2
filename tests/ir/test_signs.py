"""Signs that are known, and the laws that follow from them."""

import itertools
import math

import pytest

from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.laws.signs import (
    ANY,
    NEGATIVE,
    NONZERO,
    POSITIVE,
    ZERO,
    learn,
    signs,
)
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Check,
    Function,
    Literal,
    Parameter,
    Var,
    group,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT

TINY = 5e-324
NUMBERS = {
    NEGATIVE: (-TINY, -0.3, -2.0, -1e308),
    ZERO: (0.0, -0.0),
    POSITIVE: (TINY, 1e-200, 0.3, 2.0, 1e308),
}
UNARY = ("neg", "pos", "float", "abs", "fabs", "sqrt", "exp", "cosh", "exp2")
BINARY = ("add", "sub", "mul", "div", "pow", "hypot", "max", "sum", "fsum")
FACTORS = (Literal(-1.0), Literal(0.5), Literal(2.0), Literal(3.0))


def sign_of(number):
    return ZERO if number == 0 else POSITIVE if number > 0 else NEGATIVE


def numbers(known):
    return [x for sign, xs in NUMBERS.items() if sign & known for x in xs]


def computed(op, *args):
    try:
        found = TABLE[op].compute(*args)
    except (ArithmeticError, ValueError):
        return None
    return None if isinstance(found, complex) or found != found else found


@pytest.mark.parametrize("op", UNARY)
@pytest.mark.parametrize("known", range(1, ANY + 1))
def test_signs_of_functions(op, known):
    b = Builder(TABLE, {})
    x = Var(FLOAT)
    b.known = {x: known}
    found = signs(b, b.keep(TABLE[op], (x,)))
    results = [computed(op, value) for value in numbers(known)]
    assert all(sign_of(r) & found for r in results if r is not None)


@pytest.mark.parametrize("op", BINARY)
def test_signs_of_operations(op):
    """Every result of numbers of any size has one of the signs."""
    for one, two in itertools.product(range(1, ANY + 1), repeat=2):
        b = Builder(TABLE, {})
        x, y = Var(FLOAT), Var(FLOAT)
        b.known = {x: one, y: two}
        found = signs(b, b.keep(TABLE[op], (x, y)))
        for values in itertools.product(numbers(one), numbers(two)):
            result = computed(op, *values)
            assert result is None or sign_of(result) & found, (op, values)
        own = signs(b, b.keep(TABLE[op], (x, x)))
        for value in numbers(one):
            result = computed(op, value, value)
            assert result is None or sign_of(result) & own, (op, value)


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div", "pow"])
@pytest.mark.parametrize("number", FACTORS, ids=lambda literal: literal.value)
def test_signs_with_numbers(op, number):
    for known in range(1, ANY + 1):
        b = Builder(TABLE, {})
        x = Var(FLOAT)
        b.known = {x: known}
        for args in ((x, number), (number, x)):
            found = signs(b, b.keep(TABLE[op], args))
            for value in numbers(known):
                values = [value if a is x else a.value for a in args]
                result = computed(op, *values)
                assert result is None or sign_of(result) & found, (op, values)


def learnt(make):
    """A builder that has learnt from statements over x and y."""
    b = Builder(TABLE, {})
    x, y = Var(FLOAT), Var(FLOAT)
    test = make(b, x, y)
    body = [*b.body, *([Check(test)] if test is not None else [])]
    b.laws = LAWS
    learn(b, body, {})
    return b, x, y


def compared(op, left=None):
    def make(b, x, y):
        args = (x, Literal(0.0)) if left is None else (Literal(left), x)
        return b.keep(TABLE[op], args)

    return make


def denied(op):
    def make(b, x, y):
        return b.keep(TABLE["not"], (b.keep(TABLE[op], (x, Literal(0.0))),))

    return make


# fmt: off
LEARNT = [
    (denied("le"),         NONZERO),  # or NaN, of which x > 0 does not hold
    (denied("ge"),         NONZERO),
    (denied("eq"),         NONZERO),
    (denied("lt"),         ANY),
    (denied("ne"),         ANY),
    (compared("gt"),       POSITIVE),
    (compared("ge"),       POSITIVE | ZERO),
    (compared("lt"),       NEGATIVE),
    (compared("ne"),       NONZERO),
    (compared("eq"),       ZERO),
    (compared("lt", 0.0),  POSITIVE),
    (compared("le", 1.0),  POSITIVE),
    (compared("le", -1.0), ANY),
    (compared("gt", 1.0),  ANY),
    (compared("ge", -1.0), NEGATIVE),
    (lambda b, x, y: b.keep(TABLE["div"], (y, x)) and None, NONZERO),
    (lambda b, x, y: b.keep(TABLE["log"], (x,)) and None,   POSITIVE),
    (lambda b, x, y: b.keep(TABLE["sqrt"], (x,)) and None,  ANY),
    (lambda b, x, y: b.keep(TABLE["pow"], (x, Literal(-2))) and None, NONZERO),
    (lambda b, x, y: b.keep(TABLE["div"], (y, b.keep(TABLE["pow"], (x, Literal(2)))))
     and None, NONZERO),
    (lambda b, x, y: b.keep(TABLE["div"], (y, b.keep(TABLE["pow"], (x, y)))) and None,
     ANY),
    (lambda b, x, y: b.keep(TABLE["pow"], (x, Literal(2))) and None,  ANY),
    (lambda b, x, y: b.keep(TABLE["log"], (b.keep(TABLE["mul"], (x, y)),)) and None,
     NONZERO),
]
# fmt: on


@pytest.mark.parametrize(("make", "want"), LEARNT)
def test_what_is_learnt(make, want):
    b, x, _ = learnt(make)
    assert signs(b, x) == want


def quotient_laws(known, make):
    """A function of x and y built by the laws, y of known signs."""
    b = Builder(TABLE, LAWS)
    x, y = Var(FLOAT, "x"), Var(FLOAT, "y")
    b.known = {y: known}
    result = make(b, x, y)
    parameters = (Parameter("x", (x,)), Parameter("y", (y,)))
    block = Block((x, y), tuple(b.body), (result,))
    return Function("f", parameters, block, group((LEAF,)), 0), b


# fmt: off
EQUALS = [
    (lambda b, x, y: b.apply("div", y, y),                        lambda x, y: 1.0),
    (lambda b, x, y: b.apply("div", b.apply("mul", x, y), y),     lambda x, y: x),
    (lambda b, x, y: b.apply("div", b.apply("mul", y, x), y),     lambda x, y: x),
    (lambda b, x, y: b.apply("mul", y, b.apply("div", x, y)),     lambda x, y: x),
    (lambda b, x, y: b.apply("mul", b.apply("div", x, y), y),     lambda x, y: x),
]
# fmt: on


@pytest.mark.parametrize(("make", "want"), EQUALS)
def test_quotients_of_equals(make, want):
    function, _ = quotient_laws(NONZERO, make)
    for x, y in itertools.product((0.5, 3.0, 0.0), (0.25, -1e300, TINY)):
        assert evaluate(function, (x, y)) == (want(x, y),)
    # what may be 0 is divided by
    unknown, _ = quotient_laws(ANY, make)
    with pytest.raises(ZeroDivisionError):
        evaluate(unknown, (3.0, 0.0))


def test_infinities_are_not_told_from_numbers():
    function, _ = quotient_laws(NONZERO, EQUALS[0][0])
    assert evaluate(function, (1.0, math.inf)) == (1.0,)
    unknown, _ = quotient_laws(ANY, EQUALS[0][0])
    assert math.isnan(evaluate(unknown, (1.0, math.inf))[0])


def test_multiples_are_divided_exactly():
    half_pi = Literal(0.5 * math.pi)

    def ratio(b, top, bottom):
        return b.apply("div", top, b.apply("mul", bottom, b.apply("sin", Var(FLOAT))))

    b = Builder(TABLE, LAWS)
    ratio(b, half_pi, Literal(math.pi))
    assert b.body[-1].args[0] == Literal(0.5)
    ratio(b, Literal(1.0), Literal(3.0))  # a third is no number
    assert b.body[-1].args[0] == Literal(1.0)
    ratio(b, Literal(1.0), Literal(math.inf))  # infinity has no quotients
    assert b.body[-1].args[0] == Literal(1.0)
