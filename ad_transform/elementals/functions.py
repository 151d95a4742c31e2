"""Functions of `math` that are smooth on their domain."""

from __future__ import annotations

import math

from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import Elemental

# Errors in ulps: the largest that glibc's source states, rounded up; else twice the
# largest of 60,000 random arguments each on glibc 2.36.
_MEASURED = "twice the largest error measured on glibc 2.36"
_ALL = ((0.5,), (-1.25,), (3.0,))
_POSITIVE = ((0.5,), (1.75,), (30.0,))
_INNER = ((0.5,), (-0.75,), (0.125,))


def _stated(error: str) -> str:
    return f"glibc's source states {error}"


def _exp10(x: float) -> float:
    return math.pow(10.0, x)


def _log_base(x: float, y: float) -> float:
    return math.log(x, y)


def _logaddexp(x: float, y: float) -> float:
    if x == y:
        return x + math.log(2.0)
    return max(x, y) + math.log1p(math.exp(-abs(x - y)))


# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("sqrt",  "x", ("0.5 / v",), math.sqrt, points=_POSITIVE, domain="x > 0",
        known_as=("math.sqrt", "numpy.sqrt")),
    row("cbrt",  "x", ("1 / (3 * (v * v))",), math.cbrt, points=_ALL, domain="x != 0",
        ulps=6.4, known_as=("math.cbrt", "numpy.cbrt", "scipy.special.cbrt"),
        source=_MEASURED),
    row("exp",   "x", ("v",), math.exp, points=_ALL, ulps=0.52,
        known_as=("math.exp", "numpy.exp"), source=_stated("0.511")),
    row("exp2",  "x", ("0.6931471805599453 * v",), math.exp2, points=_ALL, ulps=0.52,
        known_as=("math.exp2", "numpy.exp2", "scipy.special.exp2"),
        source=_stated("less than 0.511")),
    row("exp10", "x", ("2.302585092994046 * v",), _exp10, points=_ALL, ulps=0.55,
        spelling="math.pow(10.0, x)", known_as=("scipy.special.exp10",),
        source=_stated("0.54")),
    row("expm1", "x", ("v + 1",), math.expm1, points=_ALL, ulps=2.0,
        known_as=("math.expm1", "numpy.expm1", "scipy.special.expm1"),
        source=_MEASURED),
    row("log",   "x", ("1 / x",), math.log, points=_POSITIVE, domain="x > 0", ulps=0.53,
        known_as=("math.log", "numpy.log"), source=_stated("0.520")),
    row("log_base", "x y", ("1 / (x * log(y))", "-(v / (y * log(y)))"), _log_base,
        spelling="math.log(x, y)", points=((2.0, 3.0), (0.5, 10.0)), ulps=4.0,
        domain="min(x, y) > 0 if y != 1 else False",
        source="two logarithms and a quotient"),
    row("log2",  "x", ("1.4426950408889634 / x",), math.log2, points=_POSITIVE,
        domain="x > 0", ulps=0.56, known_as=("math.log2", "numpy.log2"),
        source=_stated("0.550")),
    row("log10", "x", ("0.4342944819032518 / x",), math.log10, points=_POSITIVE,
        domain="x > 0", ulps=3.2, known_as=("math.log10", "numpy.log10"),
        source=_MEASURED),
    row("log1p", "x", ("1 / (1 + x)",), math.log1p, points=((0.5,), (-0.25,), (3.0,)),
        domain="x > -1", ulps=1.6, source=_MEASURED,
        known_as=("math.log1p", "numpy.log1p", "scipy.special.log1p")),
    row("sin",   "x", ("cos(x)",), math.sin, points=_ALL, ulps=0.56,
        known_as=("math.sin", "numpy.sin"), source=_stated("0.55")),
    row("cos",   "x", ("-sin(x)",), math.cos, points=_ALL, ulps=0.56,
        known_as=("math.cos", "numpy.cos"), source=_stated("0.55")),
    row("tan",   "x", ("1 + v * v",), math.tan, points=_ALL, ulps=0.7,
        known_as=("math.tan", "numpy.tan"), source=_stated("0.62, by sampling")),
    # (1 - x) * (1 + x) keeps its digits where 1 - x * x loses them
    row("asin",  "x", ("1 / sqrt((1 - x) * (1 + x))",), math.asin, points=_INNER,
        domain="abs(x) < 1", ulps=0.55, source=_stated("0.524, by sampling"),
        known_as=("math.asin", "numpy.arcsin", "numpy.asin")),
    row("acos",  "x", ("-1 / sqrt((1 - x) * (1 + x))",), math.acos, points=_INNER,
        domain="abs(x) < 1", ulps=0.55, source=_stated("0.523, by sampling"),
        known_as=("math.acos", "numpy.arccos", "numpy.acos")),
    row("atan",  "x", ("1 / (1 + x * x)",), math.atan, points=_ALL, ulps=0.6,
        source=_stated("0.56, by sampling"),
        known_as=("math.atan", "numpy.arctan", "numpy.atan")),
    row("atan2", "y x", ("x / (x * x + y * y)", "-(y / (x * x + y * y))"), math.atan2,
        common="1 / (x * x + y * y)", parts=("x", "-y"),
        points=((1.0, 2.0), (-0.5, -1.5), (2.0, -0.25)), ulps=0.6,
        domain="x != 0 or y != 0",
        source=_stated("0.56, by sampling"),
        known_as=("math.atan2", "numpy.arctan2", "numpy.atan2")),
    row("sinh",  "x", ("cosh(x)",), math.sinh, points=_ALL, ulps=3.4,
        known_as=("math.sinh", "numpy.sinh"), source=_MEASURED),
    row("cosh",  "x", ("sinh(x)",), math.cosh, points=_ALL, ulps=2.0,
        known_as=("math.cosh", "numpy.cosh"), source=_MEASURED),
    row("tanh",  "x", ("1 - v * v",), math.tanh, points=_ALL, ulps=4.2,
        known_as=("math.tanh", "numpy.tanh"), source=_MEASURED),
    row("asinh", "x", ("1 / sqrt(1 + x * x)",), math.asinh, points=_ALL, ulps=3.0,
        known_as=("math.asinh", "numpy.arcsinh", "numpy.asinh"), source=_MEASURED),
    row("acosh", "x", ("1 / sqrt((x - 1) * (x + 1))",), math.acosh,
        points=((1.5,), (3.0,)), domain="x > 1", ulps=3.6, source=_MEASURED,
        known_as=("math.acosh", "numpy.arccosh", "numpy.acosh")),
    row("atanh", "x", ("1 / ((1 - x) * (1 + x))",), math.atanh, points=_INNER,
        domain="abs(x) < 1", ulps=3.2, source=_MEASURED,
        known_as=("math.atanh", "numpy.arctanh", "numpy.atanh")),
    row("erf",   "x", ("1.1283791670955126 * exp(-(x * x))",), math.erf, points=_ALL,
        ulps=2.0, known_as=("math.erf", "scipy.special.erf"), source=_MEASURED),
    row("erfc",  "x", ("-1.1283791670955126 * exp(-(x * x))",), math.erfc, points=_ALL,
        ulps=5.1, known_as=("math.erfc", "scipy.special.erfc"), source=_MEASURED),
    row("logaddexp", "x y", ("expit(x - y)", "expit(y - x)"), _logaddexp,
        spelling="_logaddexp(x, y)", points=((0.5, 1.0), (-2.0, 3.0)),
        ulps=math.inf, source="no relative bound near zeros",
        known_as=("numpy.logaddexp",)),
    row("degrees", "x", ("57.29577951308232",), math.degrees, points=_ALL, ulps=1.0,
        source="a product with a rounded constant",
        known_as=("math.degrees", "numpy.degrees", "numpy.rad2deg")),
    row("radians", "x", ("0.017453292519943295",), math.radians, points=_ALL, ulps=1.0,
        source="a product with a rounded constant",
        known_as=("math.radians", "numpy.radians", "numpy.deg2rad")),
)
# fmt: on
