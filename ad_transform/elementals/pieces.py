"""Functions with kinks or steps, each with its stated convention."""

from __future__ import annotations

import math

from ad_transform.elementals.conditions import away
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import (
    COMPILED,
    EXACT,
    WHOLE,
    Elemental,
    Form,
    Modulo,
    Unbounded,
)

_ALL = ((0.5,), (-1.25,), (3.0,))
_PAIRS = ((2.0, 3.0), (-1.25, 0.75), (0.5, -4.0))
TIE = "at a tie {}() shares its derivative equally among the equal arguments"
TIES = "at a tie {} share their derivative equally among the equal arguments"
_LESS = "0 if {} else 0.5 if x == y else 1"  # of the first argument, if y is taken
_MORE = "1 if {} else 0.5 if x == y else 0"  # of the second
_SHARE = "(lambda n: 1.0 / n if {} == v else 0)(count_equal(v, *p, y))"
_STEP = "{}(x) is constant between its steps"
_SLOPE = "1 if x >= 0 else -1"  # at 0 the error of x is that of abs(x) all the same
_BY_QUOTIENT = ("1", away("y")("(v - x) / y"))
_LARGER, _SMALLER = "y <= x", "y >= x"


def _sign(x: float) -> float:
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x


# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("abs",  "x", ("1 if x > 0 else -1 if x < 0 else 0",), abs, spelling="abs(x)",
        result="promote", points=_ALL, ulps=EXACT, kink="abs'(0) = 0",
        elsewhere={WHOLE: "_whole_abs(x)"},
        form=Form.MAGNITUDE, guard=(_SLOPE,), never_negative=True, folds=True,
        takes_complex=True,
        known_as=("builtins.abs", "numpy.abs", "numpy.absolute")),
    row("fabs", "x", ("1 if x > 0 else -1 if x < 0 else 0",), math.fabs, points=_ALL,
        ulps=EXACT, kink="abs'(0) = 0", elsewhere={WHOLE: "math.fabs(float(x))"},
        form=Form.MAGNITUDE, guard=(_SLOPE,), never_negative=True,
        known_as=("math.fabs", "numpy.fabs")),
    row("sign", "x", ("0",), _sign, points=_ALL, ulps=EXACT,
        spelling="1.0 if x > 0.0 else -1.0 if x < 0.0 else x",
        classes=("select",) * 4,
        form=Form.SIGN, jumps=True, kink="sign'(x) = 0", known_as=("numpy.sign",)),
    row("max", "x y", (_LESS.format("y > x"), _MORE.format("y > x")), max,
        spelling="y if y > x else x",
        classes=("select",) * 2, result="promote", points=_PAIRS,
        ulps=EXACT, form=Form.CHOICE, prefers=_LARGER, folds=True,
        kink=TIE.format("max")),
    row("min", "x y", (_LESS.format("y < x"), _MORE.format("y < x")), min,
        spelling="y if y < x else x",
        classes=("select",) * 2, result="promote", points=_PAIRS,
        ulps=EXACT, form=Form.CHOICE, prefers=_SMALLER, folds=True,
        kink=TIE.format("min")),
    # the last step of max(*p, y), where x is max(*p): all that are equal share alike
    row("max_of", "x y *p", ("0", _SHARE.format("y"), _SHARE.format("p")),
        lambda x, y, *p: max(*p, y),
        spelling="y if y > x else x",
        classes=("select",) * 2, result="promote", points=((3.0, 2.0, 3.0, 0.5),),
        ulps=EXACT, form=Form.CHOICE, prefers=_LARGER,
        kink=TIE.format("max")),
    row("min_of", "x y *p", ("0", _SHARE.format("y"), _SHARE.format("p")),
        lambda x, y, *p: min(*p, y),
        spelling="y if y < x else x",
        classes=("select",) * 2, result="promote", points=((0.5, 2.0, 3.0, 0.5),),
        ulps=EXACT, form=Form.CHOICE, prefers=_SMALLER,
        kink=TIE.format("min")),
    # numpy's maximum lets a NaN through, fmax does not
    row("maximum", "x y", (_LESS.format("y > x"), _MORE.format("y > x")),
        lambda x, y: y if y > x or y != y else x,
        spelling="y if y > x or y != y else x",
        classes=("select",) * 4, points=_PAIRS,
        ulps=EXACT, form=Form.CHOICE, prefers=_LARGER,
        kink=TIE.format("maximum"), known_as=("numpy.maximum",)),
    row("minimum", "x y", (_LESS.format("y < x"), _MORE.format("y < x")),
        lambda x, y: y if y < x or y != y else x,
        spelling="y if y < x or y != y else x",
        classes=("select",) * 4, points=_PAIRS,
        ulps=EXACT, form=Form.CHOICE, prefers=_SMALLER,
        kink=TIE.format("minimum"), known_as=("numpy.minimum",)),
    row("fmax", "x y",
        (_LESS.format("(y > x or x != x)"), _MORE.format("(y > x or x != x)")),
        lambda x, y: y if y > x or x != x else x,
        spelling="y if y > x or x != x else x",
        classes=("select",) * 4, points=_PAIRS,
        ulps=EXACT, form=Form.CHOICE, prefers=_LARGER,
        kink=TIE.format("fmax"), known_as=("numpy.fmax",)),
    row("fmin", "x y",
        (_LESS.format("(y < x or x != x)"), _MORE.format("(y < x or x != x)")),
        lambda x, y: y if y < x or x != x else x,
        spelling="y if y < x or x != x else x",
        classes=("select",) * 4, points=_PAIRS,
        ulps=EXACT, form=Form.CHOICE, prefers=_SMALLER,
        kink=TIE.format("fmin"), known_as=("numpy.fmin",)),
    row("heaviside", "x h", ("0", "1 if x == 0 else 0"),
        lambda x, h: 0.0 if x < 0 else h if x == 0 else 1.0 if x > 0 else x,
        spelling="0.0 if x < 0.0 else h if x == 0.0 else 1.0 if x > 0.0 else x",
        classes=("select",) * 6,
        points=((0.5, 0.25), (-1.0, 0.5)), ulps=EXACT, form=Form.UNIT_STEP, jumps=True,
        kink="heaviside is constant in x", known_as=("numpy.heaviside",)),
    row("copysign", "x y",
        ("copysign(1.0, x) * copysign(1.0, y) if x != 0 else 0", "0"),
        math.copysign, points=_PAIRS, ulps=EXACT, form=Form.COPIED_SIGN, jumps=True,
        guard=(f"({_SLOPE}) if v >= 0 else -({_SLOPE})", "0"),
        kink="copysign(x, y) has derivative 0 at x = 0",
        known_as=("math.copysign", "numpy.copysign")),
    row("fmod", "x y", ("1", "(v - x) / y"), math.fmod, domain="y != 0",
        points=((7.5, 2.0), (-1.25, 0.75), (5.0, -3.5)), ulps=EXACT,
        form=Form.REMAINDER, jumps=True, cancels=("x", "x"), guard=_BY_QUOTIENT,
        enclosure=Modulo("abs(v)", "0.0 if q != 0 else -1.0", 1.0),
        kink="fmod(x, y) is differentiated on the side of the result",
        known_as=("math.fmod", "numpy.fmod")),
    row("remainder", "x y", ("1", "(v - x) / y"), math.remainder, domain="y != 0",
        points=((7.4, 2.0), (-1.25, 0.75), (5.0, -3.5)), ulps=EXACT,
        form=Form.REMAINDER, jumps=True, cancels=("x", "x"), guard=_BY_QUOTIENT,
        enclosure=Modulo("v", "-0.5", 0.5),
        kink="remainder(x, y) is differentiated on the side of the result",
        known_as=("math.remainder",)),
    row("floor", "x", ("0",), math.floor, result="int", points=_ALL, ulps=EXACT,
        form=Form.WHOLE, kink=_STEP.format("floor"), known_as=("math.floor",),
        elsewhere={COMPILED: "int(math.floor(x))", WHOLE: "+x"}),
    row("ceil",  "x", ("0",), math.ceil, result="int", points=_ALL, ulps=EXACT,
        form=Form.WHOLE, kink=_STEP.format("ceil"), known_as=("math.ceil",),
        elsewhere={COMPILED: "int(math.ceil(x))", WHOLE: "+x"}),
    row("trunc", "x", ("0",), math.trunc, result="int", points=_ALL, ulps=EXACT,
        form=Form.WHOLE, kink=_STEP.format("trunc"), known_as=("math.trunc",),
        elsewhere={COMPILED: "int(math.trunc(x))", WHOLE: "+x"}),
    row("round", "x", ("0",), round, spelling="round(x)", result="int", points=_ALL,
        ulps=EXACT, form=Form.WHOLE, kink=_STEP.format("round"),
        elsewhere={COMPILED: "int(math.nearbyint(x))", WHOLE: "+x"},
        known_as=("builtins.round",)),
    row("round_to", "x n", ("0", "0"), round, spelling="round(x, n)",
        elsewhere={COMPILED: "_round_to(x, n)"},
        points=((0.3712, 2),), ulps=1.0, portable=1.0, jumps=True,
        source="the double nearest to a decimal near x",
        enclosure=Unbounded("its steps lie at decimals, which are no doubles"),
        kink="round(x, n) is constant between its steps"),
)
# fmt: on
