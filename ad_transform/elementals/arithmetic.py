"""Operators of Python: arithmetic, comparisons, casts."""

from __future__ import annotations

import math
import operator
from typing import Any

from ad_transform.elementals.conditions import INF, away, within
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import (
    COMPILED,
    EXACT,
    WHOLE,
    Elemental,
    Form,
    Modulo,
)

_PAIRS = ((2.0, 3.0), (-1.25, 0.75), (0.5, -4.0))
_ONE = ((0.75,), (-2.5,))
_BY_BASE = "y * (x ** (y - 1) if x != 0 or y != 0 else 0)"
_BY_EXPONENT = "v * (log(x) if v != 0 else 0)"
_POWER: dict[str, Any] = {
    "partials": (_BY_BASE, _BY_EXPONENT),
    "on_wholes": ("y * x ** (y - 1) if x != 0 or y != 0 else 0", _BY_EXPONENT),
    "on_arrays": (  # both arms are computed there: none of them may be singular
        "y * (x if x != 0 or y != 0 else 1) ** (y - 1)",
        "v * log(x if v != 0 else 1)",
    ),
    "points": ((2.0, 3.0), (1.5, -0.5), (0.25, 2.75)),
    "domain": "x > 0",
    "ulps": 0.55,
    "portable": 1.0,
    "core_math": True,
    "source": "glibc's source states 0.54",
    "form": Form.POWER,
    "guard": (
        away("x")(within("y")("y * (v / x)")),
        f"(v * log(x)) if x > 0 else {INF}",
    ),
    "fades": ("(v / x if x != 0 else 1)", ""),
}
"""The common entries of `x ** y` and `math.pow(x, y)`."""


def _binary(
    name: str, sign: str, counted: str, partials: tuple[str, ...], **rest: Any
) -> Elemental:
    compute = getattr(operator, {"div": "truediv"}.get(name, name))
    return row(
        name,
        "x y",
        partials,
        compute,
        spelling=f"x {sign} y",
        classes=(counted,),
        points=rest.pop("points", _PAIRS),
        **rest,
    )


def _comparison(name: str, sign: str) -> Elemental:
    return _binary(
        name,
        sign,
        "select",
        ("0", "0"),
        result="bool",
        ulps=EXACT,
        source="exact",
        form=Form.COMPARISON,
        folds=True,
        takes_complex=name in ("eq", "ne"),
    )


# fmt: off
ROWS: tuple[Elemental, ...] = (
    _binary("add", "+", "add", ("1", "1"),  result="promote", commutes=True,
            form=Form.SUM, keeps_nonnegative=True, folds=True, takes_complex=True,
            known_as=("numpy.add",)),
    _binary("sub", "-", "add", ("1", "-1"), result="promote", form=Form.DIFFERENCE,
            folds=True, takes_complex=True, known_as=("numpy.subtract",)),
    _binary("mul", "*", "mul", ("y", "x"),  result="promote", commutes=True,
            form=Form.PRODUCT, keeps_nonnegative=True, folds=True, takes_complex=True,
            known_as=("numpy.multiply",)),
    _binary("div", "/", "div", ("1 / y", "-(v / y)"), domain="y != 0",
            form=Form.QUOTIENT, common="1 / y", parts=("1", "-v"),
            elsewhere={WHOLE: "float(x) / y"},
            guard=("1 / y", away("y")("-(v / y)")), fades=("", "v / y"),
            keeps_nonnegative=True, folds=True, takes_complex=True,
            known_as=("numpy.divide", "numpy.true_divide")),
    row("neg", "x", ("-1",), operator.neg, spelling="-x", classes=("neg",),
        result="promote", ulps=EXACT, points=_ONE, form=Form.NEGATION,
        folds=True, takes_complex=True, known_as=("numpy.negative",)),
    row("pos", "x", ("1",), operator.pos, spelling="+x", classes=(), result="promote",
        ulps=EXACT, points=_ONE, form=Form.IDENTITY, folds=True, takes_complex=True,
        known_as=("numpy.positive",)),
    # 0 ** 0 is 1, and 0 * 0 ** -1 is no number; elsewhere y may be 0 and the product is
    # differentiated once more; c ** y with v == 0 has underflowed or x is 0
    _binary("pow", "**", "pow", result="promote", folds=True, takes_complex=True,
            elsewhere={WHOLE: "_whole_pow(x, y)"},
            known_as=("builtins.pow",), **_POWER),
    row("math_pow", "x y", compute=math.pow, spelling="math.pow(x, y)",
        known_as=("math.pow", "numpy.power", "numpy.float_power", "numpy.pow"),
        **_POWER),
    # x % y is x - y * floor(x / y); the quotient is rounded less often than computed
    _binary("mod", "%", "div", ("1", "(v - x) / y"), result="promote",
            ulps=1.0, portable=1.0, source="exact or one rounded sum",
            domain="y != 0", points=((7.5, 2.0), (-1.25, 0.75), (5.0, -3.5)),
            form=Form.REMAINDER, jumps=True, cancels=("x", "x"), folds=True,
            enclosure=Modulo("v if y > 0 else -v", "0.0", 1.0),
            elsewhere={COMPILED: "_mod(x, y)", WHOLE: "_whole_mod(x, y)"},
            kink="the remainder x % y is differentiated on the side of the result",
            known_as=("numpy.mod", "numpy.remainder")),
    # a rounded difference over y, rounded again, and its floor: one off from 2**51 on
    _binary("floordiv", "//", "div", ("0", "0"), result="promote",
            ulps=2.0, portable=2.0, source="two roundings and a floor",
            domain="y != 0", points=((7.5, 2.0), (-1.25, 0.75), (5.0, -3.5)),
            form=Form.WHOLE_QUOTIENT, jumps=True, folds=True,
            elsewhere={COMPILED: "_floordiv(x, y)", WHOLE: "_whole_floordiv(x, y)"},
            kink="the quotient x // y is constant between its steps",
            known_as=("numpy.floor_divide",)),
    _comparison("lt", "<"),
    _comparison("le", "<="),
    _comparison("gt", ">"),
    _comparison("ge", ">="),
    _comparison("eq", "=="),
    _comparison("ne", "!="),
    row("not", "x", ("0",), operator.not_, spelling="not x", classes=("select",),
        result="bool", ulps=EXACT, points=((1.0,),), form=Form.TRUTH, folds=True,
        takes_complex=True, known_as=("numpy.invert", "numpy.logical_not")),
    row("both", "x y", ("0", "0"), operator.and_, spelling="x & y",
        classes=("select",), result="bool", ulps=EXACT, points=((True, False),),
        form=Form.TRUTH, known_as=("numpy.bitwise_and", "numpy.logical_and")),
    row("either", "x y", ("0", "0"), operator.or_, spelling="x | y",
        classes=("select",), result="bool", ulps=EXACT, points=((True, False),),
        form=Form.TRUTH, known_as=("numpy.bitwise_or", "numpy.logical_or")),
    row("is_none", "x", ("0",), lambda x: x is None, spelling="x is None",
        classes=("select",), result="bool", ulps=EXACT, points=((1.0,),),
        form=Form.TRUTH, takes_complex=True),
    row("is_given", "x", ("0",), lambda x: x is not None, spelling="x is not None",
        classes=("select",), result="bool", ulps=EXACT, points=((1.0,),),
        form=Form.TRUTH, takes_complex=True),
    row("isnan", "x", ("0",), lambda x: x != x, result="bool", ulps=EXACT,
        points=((1.0,),), form=Form.FINITENESS, known_as=("math.isnan", "numpy.isnan")),
    row("isinf", "x", ("0",), lambda x: abs(x) == float("inf"), result="bool",
        ulps=EXACT, points=((1.0,),), form=Form.FINITENESS,
        known_as=("math.isinf", "numpy.isinf")),
    row("isfinite", "x", ("0",), lambda x: x - x == 0, result="bool", ulps=EXACT,
        points=((1.0,),), form=Form.FINITENESS,
        known_as=("math.isfinite", "numpy.isfinite")),
    row("float", "x", ("1",), float, spelling="float(x)", ulps=EXACT, points=_ONE,
        form=Form.IDENTITY, folds=True,
        known_as=("builtins.float", "numpy.float64", "numpy.double")),
    row("int", "x", ("0",), int, spelling="int(x)", result="int", ulps=EXACT,
        points=_ONE, form=Form.WHOLE, folds=True,
        kink="int(x) is constant between its steps", elsewhere={WHOLE: "+x"},
        known_as=("builtins.int",)),
    row("bool", "x", ("0",), bool, spelling="bool(x)", result="bool", ulps=EXACT,
        points=_ONE, form=Form.TRUTH, folds=True, takes_complex=True,
        elsewhere={COMPILED: "x != 0"},
        known_as=("builtins.bool",)),
)
# fmt: on
