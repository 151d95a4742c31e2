"""Operators of Python: arithmetic, comparisons, casts."""

from __future__ import annotations

import math
import operator
from typing import Any

from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import EXACT, Elemental

_PAIRS = ((2.0, 3.0), (-1.25, 0.75), (0.5, -4.0))
_ONE = ((0.75,), (-2.5,))
_BY_BASE = "y * x ** (y - 1) if x != 0 or y != 0 else 0"
_POWER = "glibc's source states 0.54"


def _binary(name: str, sign: str, partials: tuple[str, ...], **rest: Any) -> Elemental:
    compute = getattr(operator, {"div": "truediv"}.get(name, name))
    return row(
        name,
        "x y",
        partials,
        compute,
        spelling=f"x {sign} y",
        points=rest.pop("points", _PAIRS),
        **rest,
    )


def _comparison(name: str, sign: str) -> Elemental:
    return _binary(name, sign, ("0", "0"), result="bool", ulps=EXACT, source="exact")


# fmt: off
ROWS: tuple[Elemental, ...] = (
    _binary("add", "+", ("1", "1"),  result="promote", commutes=True,
            known_as=("numpy.add",)),
    _binary("sub", "-", ("1", "-1"), result="promote",
            known_as=("numpy.subtract",)),
    _binary("mul", "*", ("y", "x"),  result="promote", commutes=True,
            known_as=("numpy.multiply",)),
    _binary("div", "/", ("1 / y", "-(v / y)"), domain="y != 0",
            common="1 / y", parts=("1", "-v"),
            known_as=("numpy.divide", "numpy.true_divide")),
    row("neg", "x", ("-1",), operator.neg, spelling="-x", result="promote",
        ulps=EXACT, points=_ONE, known_as=("numpy.negative",)),
    row("pos", "x", ("1",), operator.pos, spelling="+x", result="promote",
        ulps=EXACT, points=_ONE, known_as=("numpy.positive",)),
    # 0 ** 0 is 1, and 0 * 0 ** -1 is no number; elsewhere y may be 0 and the product is
    # differentiated once more; c ** y with v == 0 has underflowed or x is 0
    _binary("pow", "**",
            (_BY_BASE, "v * log(x) if v != 0 else 0"),
            result="promote", ulps=0.55, domain="x > 0", source=_POWER,
            points=((2.0, 3.0), (1.5, -0.5), (0.25, 2.75)),
            known_as=("builtins.pow",)),
    row("math_pow", "x y",
        (_BY_BASE, "v * log(x) if v != 0 else 0"),
        math.pow, spelling="math.pow(x, y)", ulps=0.55, domain="x > 0", source=_POWER,
        points=((2.0, 3.0), (1.5, -0.5), (0.25, 2.75)),
        known_as=("math.pow", "numpy.power", "numpy.float_power", "numpy.pow")),
    # x % y is x - y * floor(x / y); the quotient is rounded less often than computed
    _binary("mod", "%", ("1", "(v - x) / y"), result="promote",
            ulps=1.0, domain="y != 0", points=((7.5, 2.0), (-1.25, 0.75), (5.0, -3.5)),
            source="exact or one rounded sum",
            kink="the remainder x % y is differentiated on the side of the result",
            known_as=("numpy.mod", "numpy.remainder")),
    # a rounded difference over y, rounded again, and its floor: one off from 2**51 on
    _binary("floordiv", "//", ("0", "0"), result="promote", ulps=2.0,
            domain="y != 0", points=((7.5, 2.0), (-1.25, 0.75), (5.0, -3.5)),
            kink="the quotient x // y is constant between its steps",
            known_as=("numpy.floor_divide",)),
    _comparison("lt", "<"),
    _comparison("le", "<="),
    _comparison("gt", ">"),
    _comparison("ge", ">="),
    _comparison("eq", "=="),
    _comparison("ne", "!="),
    row("not", "x", ("0",), operator.not_, spelling="not x", result="bool",
        ulps=EXACT, points=((1.0,),)),
    row("isnan", "x", ("0",), lambda x: x != x, result="bool", ulps=EXACT,
        points=((1.0,),), known_as=("math.isnan", "numpy.isnan")),
    row("isinf", "x", ("0",), lambda x: abs(x) == float("inf"), result="bool",
        ulps=EXACT, points=((1.0,),), known_as=("math.isinf", "numpy.isinf")),
    row("isfinite", "x", ("0",), lambda x: x - x == 0, result="bool", ulps=EXACT,
        points=((1.0,),), known_as=("math.isfinite", "numpy.isfinite")),
    row("float", "x", ("1",), float, spelling="float(x)", ulps=EXACT, points=_ONE,
        known_as=("builtins.float", "numpy.float64", "numpy.double")),
    row("int", "x", ("0",), int, spelling="int(x)", result="int", ulps=EXACT,
        points=_ONE, kink="int(x) is constant between its steps",
        known_as=("builtins.int",)),
    row("bool", "x", ("0",), bool, spelling="bool(x)", result="bool", ulps=EXACT,
        points=_ONE, known_as=("builtins.bool",)),
)
# fmt: on
