"""Functions of `math` that are smooth on their domain."""

from __future__ import annotations

import math

from ad_transform.elementals.conditions import INF, above, away, near, within
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import COMPILED, Curve, Elemental, Form

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


_DISK = "(1 - x) * (1 + x)"  # keeps its digits where 1 - x * x loses them
_SHELL = "(x - 1) * (x + 1)"
_INSIDE = above(_DISK, "1e-11")
_ANGLE = f"2 * d / ({_DISK}) / sqrt({_DISK})"
_COSH = "hypot(1.0, v)"


def _polar(partial: str) -> str:
    """The template, infinite where the length of (x, y) underflows or overflows."""
    inner = f"({partial}) if hypot(x, y) < 1e300 else {INF}"
    return above("hypot(x, y)")(f"({inner})")


# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("sqrt",  "x", ("0.5 / v",), math.sqrt, points=_POSITIVE, domain="x > 0",
        form=Form.ROOT, guard=above("x"), never_negative=True, folds=True,
        known_as=("math.sqrt", "numpy.sqrt")),
    row("cbrt",  "x", ("1 / (3 * (v * v))",), math.cbrt, points=_ALL, domain="x != 0",
        ulps=6.4, portable=12.8, core_math=True, source=_MEASURED,
        guard=(away("x")("v / x / 3"),),
        enclosure=Curve(f"v / x / 3 if x != 0 else {INF}", 0,
                        near("abs(v / x * (d / x))", "0.25 * abs(x)")),
        known_as=("math.cbrt", "numpy.cbrt", "scipy.special.cbrt")),
    row("exp",   "x", ("v",), math.exp, points=_ALL,
        ulps=0.52, portable=1.0, core_math=True, source=_stated("0.511"),
        never_negative=True,
        enclosure=Curve("v", 0, near("(2 * v + 1e-300) * d", "0.5")),
        known_as=("math.exp", "numpy.exp")),
    row("exp2",  "x", ("0.6931471805599453 * v",), math.exp2, points=_ALL,
        ulps=0.52, portable=1.0, core_math=True, source=_stated("less than 0.511"),
        never_negative=True,
        enclosure=Curve("0.6931471805599453 * v", 0,
                        near("(v + 1e-300) * d", "0.5")),
        known_as=("math.exp2", "numpy.exp2", "scipy.special.exp2")),
    row("exp10", "x", ("2.302585092994046 * v",), _exp10, points=_ALL,
        ulps=0.55, portable=1.0, source=_stated("0.54"),
        spelling="math.pow(10.0, x)", never_negative=True,
        enclosure=Curve("2.302585092994046 * v", 0,
                        near("(10 * v + 1e-300) * d", "0.25")),
        known_as=("scipy.special.exp10",)),
    row("expm1", "x", ("v + 1",), math.expm1, points=_ALL,
        ulps=2.0, portable=7.2, core_math=True, source=_MEASURED,
        enclosure=Curve("v + 1", 1, near("(2 * (v + 1) + 1e-10) * d", "0.5")),
        known_as=("math.expm1", "numpy.expm1", "scipy.special.expm1")),
    row("log",   "x", ("1 / x",), math.log, points=_POSITIVE, domain="x > 0",
        ulps=0.53, portable=1.0, core_math=True, source=_stated("0.520"),
        guard=above("x"), amplifies=("abs(v)", "1"),
        enclosure=Curve("1 / x", 0, near("2 / x * (d / x)", "0.25 * x")),
        known_as=("math.log", "numpy.log")),
    row("log_base", "x y", ("1 / (x * log(y))", "-(v / (y * log(y)))"), _log_base,
        spelling="math.log(x, y)", points=((2.0, 3.0), (0.5, 10.0)),
        elsewhere={COMPILED: "math.log(x) / math.log(y)"},
        domain="min(x, y) > 0 if y != 1 else False",
        ulps=4.0, portable=5.0, source="two logarithms and a quotient",
        guard=(above("x")("1 / x / log(y)"), above("y")("-(v / y / log(y))")),
        amplifies=("abs(v)", "1"), fades=("", "v / y / log(y)"),
        enclosure=Curve("1 / x / log(y)", 0,
                        near("2 / x * (d / x) / abs(log(y))", "0.25 * x"))),
    row("log2",  "x", ("1.4426950408889634 / x",), math.log2, points=_POSITIVE,
        domain="x > 0", ulps=0.56, portable=1.0, core_math=True,
        source=_stated("0.550"), guard=above("x"), amplifies=("abs(v)", "1"),
        enclosure=Curve("1.4426950408889634 / x", 0,
                        near("3 / x * (d / x)", "0.25 * x")),
        known_as=("math.log2", "numpy.log2")),
    row("log10", "x", ("0.4342944819032518 / x",), math.log10, points=_POSITIVE,
        domain="x > 0", ulps=3.2, portable=6.4, core_math=True, source=_MEASURED,
        guard=above("x"), amplifies=("abs(v)", "1"),
        enclosure=Curve("0.4342944819032518 / x", 0,
                        near("1 / x * (d / x)", "0.25 * x")),
        known_as=("math.log10", "numpy.log10")),
    row("log1p", "x", ("1 / (1 + x)",), math.log1p, points=((0.5,), (-0.25,), (3.0,)),
        domain="x > -1", ulps=1.6, portable=3.2, core_math=True, source=_MEASURED,
        guard=above("x", "-0.99999999999"),
        enclosure=Curve("1 / (1 + x)", 0,
                        near("2 / (1 + x) * (d / (1 + x))", "0.25 * (1 + x)")),
        known_as=("math.log1p", "numpy.log1p", "scipy.special.log1p")),
    row("sin",   "x", ("cos(x)",), math.sin, points=_ALL,
        ulps=0.56, portable=1.0, core_math=True, source=_stated("0.55"),
        guard=within("x"), amplifies=("abs(v)", "abs(x)"),
        enclosure=Curve("cos(x)", 1, "d"), known_as=("math.sin", "numpy.sin")),
    row("cos",   "x", ("-sin(x)",), math.cos, points=_ALL,
        ulps=0.56, portable=1.0, core_math=True, source=_stated("0.55"),
        guard=within("x"), amplifies=("abs(v)", "abs(x)"),
        enclosure=Curve("-sin(x)", 1, "d"), known_as=("math.cos", "numpy.cos")),
    row("tan",   "x", ("1 + v * v",), math.tan, points=_ALL,
        ulps=0.7, portable=1.0, core_math=True, source=_stated("0.62, by sampling"),
        guard=within("(v * x)"), amplifies=("abs(v)", "abs(x)"),
        enclosure=Curve("1 + v * v", 0, near(
            "2 * d * (2 * abs(v) + 1) * (1 + (2 * abs(v) + 1) * (2 * abs(v) + 1))",
            "0.25 / (1 + abs(v))")),
        known_as=("math.tan", "numpy.tan")),
    row("asin",  "x", (f"1 / sqrt({_DISK})",), math.asin, points=_INNER,
        domain="abs(x) < 1", ulps=0.55, portable=1.0, core_math=True,
        source=_stated("0.524, by sampling"), guard=_INSIDE,
        enclosure=Curve(f"1 / sqrt({_DISK}) if abs(x) < 1 else {INF}", 0,
                        near(_ANGLE, f"0.125 * ({_DISK})")),
        known_as=("math.asin", "numpy.arcsin", "numpy.asin")),
    row("acos",  "x", (f"-1 / sqrt({_DISK})",), math.acos, points=_INNER,
        domain="abs(x) < 1", ulps=0.55, portable=1.0, core_math=True,
        source=_stated("0.523, by sampling"), guard=_INSIDE, never_negative=True,
        enclosure=Curve(f"-1 / sqrt({_DISK}) if abs(x) < 1 else {INF}", 0,
                        near(_ANGLE, f"0.125 * ({_DISK})")),
        known_as=("math.acos", "numpy.arccos", "numpy.acos")),
    row("atan",  "x", ("1 / (1 + x * x)",), math.atan, points=_ALL,
        ulps=0.6, portable=1.0, core_math=True, source=_stated("0.56, by sampling"),
        enclosure=Curve("1 / (1 + x * x)", 1, "d"),
        known_as=("math.atan", "numpy.arctan", "numpy.atan")),
    row("atan2", "y x", ("x / (x * x + y * y)", "-(y / (x * x + y * y))"), math.atan2,
        common="1 / (x * x + y * y)", parts=("x", "-y"),
        points=((1.0, 2.0), (-0.5, -1.5), (2.0, -0.25)), domain="x != 0 or y != 0",
        ulps=0.6, portable=1.0, core_math=True, source=_stated("0.56, by sampling"),
        form=Form.ANGLE, guard=(_polar("x / hypot(x, y) / hypot(x, y)"),
                                _polar("-(y / hypot(x, y) / hypot(x, y))")),
        fades=("", "(v / hypot(x, y) if hypot(x, y) > 0 else 1)"),
        known_as=("math.atan2", "numpy.arctan2", "numpy.atan2")),
    row("sinh",  "x", ("cosh(x)",), math.sinh, points=_ALL,
        ulps=3.4, portable=6.8, core_math=True, source=_MEASURED, guard=(_COSH,),
        enclosure=Curve(_COSH, 0, near(f"2 * {_COSH} * d", "0.5")),
        known_as=("math.sinh", "numpy.sinh")),
    row("cosh",  "x", ("sinh(x)",), math.cosh, points=_ALL,
        ulps=2.0, portable=4.0, core_math=True, source=_MEASURED, never_negative=True,
        enclosure=Curve("sinh(x)", 0, near("2 * v * d", "0.5")),
        known_as=("math.cosh", "numpy.cosh")),
    row("tanh",  "x", ("1 - v * v",), math.tanh, points=_ALL,
        ulps=4.2, portable=8.4, core_math=True, source=_MEASURED,
        enclosure=Curve("1 - v * v", 1, "d"), known_as=("math.tanh", "numpy.tanh")),
    row("asinh", "x", ("1 / sqrt(1 + x * x)",), math.asinh, points=_ALL,
        ulps=3.0, portable=6.0, core_math=True, source=_MEASURED,
        guard=("1 / hypot(1.0, x)",), enclosure=Curve("1 / hypot(1.0, x)", 0, "d"),
        known_as=("math.asinh", "numpy.arcsinh", "numpy.asinh")),
    row("acosh", "x", (f"1 / sqrt({_SHELL})",), math.acosh,
        points=((1.5,), (3.0,)), domain="x > 1",
        ulps=3.6, portable=7.2, core_math=True, source=_MEASURED,
        guard=above(_SHELL, "1e-11"), never_negative=True,
        enclosure=Curve(f"1 / sqrt(x - 1) / sqrt(x + 1) if x > 1 else {INF}", 0, near(
            "2 * x / sqrt(x - 1) / sqrt(x + 1) / (x - 1) * (d / x)",
            "0.125 * (x - 1)")),
        known_as=("math.acosh", "numpy.arccosh", "numpy.acosh")),
    row("atanh", "x", (f"1 / ({_DISK})",), math.atanh, points=_INNER,
        domain="abs(x) < 1", ulps=3.2, portable=6.4, core_math=True, source=_MEASURED,
        guard=_INSIDE,
        enclosure=Curve(f"1 / ({_DISK})", 0, near(
            f"4 * d / ({_DISK}) / ({_DISK})", f"0.125 * ({_DISK})")),
        known_as=("math.atanh", "numpy.arctanh", "numpy.atanh")),
    row("erf",   "x", ("1.1283791670955126 * exp(-(x * x))",), math.erf, points=_ALL,
        ulps=2.0, portable=4.0, core_math=True, source=_MEASURED,
        enclosure=Curve("1.1283791670955126 * exp(-(x * x))", 1, "d"),
        known_as=("math.erf", "scipy.special.erf")),
    row("erfc",  "x", ("-1.1283791670955126 * exp(-(x * x))",), math.erfc, points=_ALL,
        ulps=5.1, portable=10.2, core_math=True, source=_MEASURED, never_negative=True,
        enclosure=Curve("-1.1283791670955126 * exp(-(x * x))", 1, "d"),
        known_as=("math.erfc", "scipy.special.erfc")),
    row("logaddexp", "x y", ("expit(x - y)", "expit(y - x)"), _logaddexp,
        on_arrays=("exp(x - v)", "exp(y - v)"),
        spelling="_logaddexp(x, y)", points=((0.5, 1.0), (-2.0, 3.0)),
        ulps=math.inf, source="no relative bound near zeros", form=Form.NONEXPANSIVE,
        known_as=("numpy.logaddexp",)),
    row("degrees", "x", ("57.29577951308232",), math.degrees, points=_ALL,
        ulps=1.0, portable=1.0, source="a product with a rounded constant",
        enclosure=Curve("57.29577951308232", 0, "0"),
        elsewhere={COMPILED: "x * 57.29577951308232"},
        known_as=("math.degrees", "numpy.degrees", "numpy.rad2deg")),
    row("radians", "x", ("0.017453292519943295",), math.radians, points=_ALL,
        ulps=1.0, portable=1.0, source="a product with a rounded constant",
        enclosure=Curve("0.017453292519943295", 0, "0"),
        elsewhere={COMPILED: "x * 0.017453292519943295"},
        known_as=("math.radians", "numpy.radians", "numpy.deg2rad")),
)
# fmt: on
