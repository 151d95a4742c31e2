"""Slope and curvature of library functions, for enclosures.

A row gives the slope at x, an absolute slack of it in units of 2**-48, and by how much
the slope may turn on [x - d, x + d]: d times a bound of the second derivative there,
infinite where d is too large for it to hold. Each bound is the second derivative at the
worst end, rounded up generously.
"""

from __future__ import annotations

from dataclasses import dataclass

from ad_transform.elementals import TABLE

INF = "1e999"


@dataclass(frozen=True, slots=True)
class Curve:
    """Templates over x, its reach d, the result v and further arguments."""

    slope: str
    slack: float
    turn: str


def _near(turn: str, limit: str) -> str:
    return f"({turn}) if d < {limit} else {INF}"


_DISK = "(1 - x) * (1 + x)"

_PSI = "(1.34 / x + 1.25 + log(1 + x))"  # above digamma anywhere in reach
_GAMMA = f"2 * d * v * ({_PSI} * {_PSI} + 1.34 / x + 1.78 / x / x)"
_GAMMA_LIMIT = "0.25 / (1 / x + 1 + log(1 + x))"

_NEAR_X = "0.5 / (1 + abs(x))"
_NDTRI, _ERFINV, _ERFCINV = (
    f"({TABLE[name].partials[0]})" for name in ("ndtri", "erfinv", "erfcinv")
)

# fmt: off
CURVES: dict[str, Curve] = {
    "sin":     Curve("cos(x)", 1, "d"),
    "cos":     Curve("-sin(x)", 1, "d"),
    "tan":     Curve("1 + v * v", 0, _near(
        "2 * d * (2 * abs(v) + 1) * (1 + (2 * abs(v) + 1) * (2 * abs(v) + 1))",
        "0.25 / (1 + abs(v))")),
    "exp":     Curve("v", 0, _near("(2 * v + 1e-300) * d", "0.5")),
    "exp2":    Curve("0.6931471805599453 * v", 0, _near("(v + 1e-300) * d", "0.5")),
    "expm1":   Curve("v + 1", 1, _near("(2 * (v + 1) + 1e-10) * d", "0.5")),
    "log":     Curve("1 / x", 0, _near("2 / x * (d / x)", "0.25 * x")),
    "log2":    Curve("1.4426950408889634 / x", 0, _near("3 / x * (d / x)", "0.25 * x")),
    "log10":   Curve("0.4342944819032518 / x", 0, _near("1 / x * (d / x)", "0.25 * x")),
    "log1p":   Curve("1 / (1 + x)", 0,
                     _near("2 / (1 + x) * (d / (1 + x))", "0.25 * (1 + x)")),
    "log_base": Curve("1 / x / log(y)", 0,
                      _near("2 / x * (d / x) / abs(log(y))", "0.25 * x")),
    "asin":    Curve(f"1 / sqrt({_DISK}) if abs(x) < 1 else {INF}", 0,
                     _near(f"2 * d / ({_DISK}) / sqrt({_DISK})", f"0.125 * ({_DISK})")),
    "acos":    Curve(f"-1 / sqrt({_DISK}) if abs(x) < 1 else {INF}", 0,
                     _near(f"2 * d / ({_DISK}) / sqrt({_DISK})", f"0.125 * ({_DISK})")),
    "atan":    Curve("1 / (1 + x * x)", 1, "d"),
    "sinh":    Curve("hypot(1.0, v)", 0, _near("2 * hypot(1.0, v) * d", "0.5")),
    "cosh":    Curve("sinh(x)", 0, _near("2 * v * d", "0.5")),
    "tanh":    Curve("1 - v * v", 1, "d"),
    "asinh":   Curve("1 / hypot(1.0, x)", 0, "d"),
    "acosh":   Curve(f"1 / sqrt(x - 1) / sqrt(x + 1) if x > 1 else {INF}", 0,
                     _near("2 * x / sqrt(x - 1) / sqrt(x + 1) / (x - 1) * (d / x)",
                           "0.125 * (x - 1)")),
    "atanh":   Curve(f"1 / ({_DISK})", 0,
                     _near(f"4 * d / ({_DISK}) / ({_DISK})", f"0.125 * ({_DISK})")),
    "erf":     Curve("1.1283791670955126 * exp(-(x * x))", 1, "d"),
    "erfc":    Curve("-1.1283791670955126 * exp(-(x * x))", 1, "d"),
    "cbrt":    Curve(f"v / x / 3 if x != 0 else {INF}", 0,
                     _near("abs(v / x * (d / x))", "0.25 * abs(x)")),
    "lgamma":  Curve(f"digamma(x) if x > 0 else {INF}", 8,
                     _near("(2 / x + 2) * (d / x)", "0.25 * x")),
    # on an interval of at most that size gamma grows by less than a factor of 2
    "gamma":   Curve(f"(v * digamma(x)) if x > 0 else {INF}", 8,
                     f"({_near(_GAMMA, _GAMMA_LIMIT)}) if x > 0 else {INF}"),
    "digamma": Curve("polygamma(1, x)", 8, _near(
        "(2 / x + 5 / x / x) * (d / x)", "0.25 * x")),
    "exp10":   Curve("2.302585092994046 * v", 0, _near(
        "(10 * v + 1e-300) * d", "0.25")),
    # slopes of these turn by no more than a factor of 2 on so small an interval
    "norm_pdf": Curve("-(x * v)", 0, _near(
        "(2 * (x * x + abs(x) + 2) * v + 1e-300) * d", _NEAR_X)),
    "ndtr":    Curve("norm_pdf(x)", 0, _near(
        "(2 * (abs(x) + 0.5) * norm_pdf(x) + 1e-300) * d", _NEAR_X)),
    "log_ndtr": Curve("ndtr_ratio(x)", 0, "d if x < 0 else " + _near(
        "(2 * (x + 2) * ndtr_ratio(x) + 1e-300) * d", _NEAR_X)),
    "ndtr_ratio": Curve("-(v * ndtr_excess(x))", 1, "d"),
    "ndtr_excess": Curve("1 - v * ndtr_ratio(x)", 8, "d"),
    # densities are concave in the probability: a quarter nearer to its end they keep
    # three quarters
    "ndtri":   Curve(f"({_NDTRI}) if x * (1 - x) > 0 else {INF}", 0, _near(
        f"2 * (abs(v) + 1) * ({_NDTRI}) * ({_NDTRI}) * d", "0.25 * (x * (1 - x))")),
    "erfinv":  Curve(f"({_ERFINV}) if abs(x) < 1 else {INF}", 0, _near(
        f"4 * (abs(v) + 1) * ({_ERFINV}) * ({_ERFINV}) * d", "0.25 * (1 - abs(x))")),
    "erfcinv": Curve(f"({_ERFCINV}) if x * (2 - x) > 0 else {INF}", 0, _near(
        f"4 * (abs(v) + 1) * ({_ERFCINV}) * ({_ERFCINV}) * d",
        "0.125 * (x * (2 - x))")),
    "expit":   Curve("expit_slope(x)", 0, _near(
        "(2 * expit_slope(x) + 1e-300) * d", "0.5")),
    "expit_slope": Curve("-(v * tanh(0.5 * x))", 0, _near(
        "(2 * v + 1e-300) * d", "0.5")),
    "log_expit": Curve("expit(-x)", 0, _near(
        "(2 * expit_slope(x) + 1e-300) * d", "0.5")),
    "logit":   Curve(f"1 / (x * (1 - x)) if x * (1 - x) > 0 else {INF}", 0, _near(
        "4 * d / (x * (1 - x)) / (x * (1 - x))", "0.25 * (x * (1 - x))")),
    "entr":    Curve(f"(-log(x) - 1) if x > 0 else {INF}", 1,
                     _near("2 / x * d", "0.25 * x")),
    "exprel":  Curve("exprel_slope(1, x)", 0, _near("2 * v * d", "0.5")),
    "sinc":    Curve("sinc_slope(1, x)", 8, "3.3 * d"),
    "degrees": Curve("57.29577951308232", 0, "0"),
    "radians": Curve("0.017453292519943295", 0, "0"),
}
# fmt: on

_BOTH = "d < 0.25 * x if e < 0.25 * y else False"
_BENT = "d * (d / x) + 2 * d * (e / y) + 1.25 * x * (e / y) * (e / y)"
_BETA = (
    "abs(polygamma_drop(0, x, y)) * d + abs(polygamma_drop(0, y, x)) * e"
    " + (1 + 1 / x) * (d / x) * d + (1 + 1 / y) * (e / y) * e"
    " + 2 * (1 + 1 / (x + y)) * (d / (x + y)) * e"
)


def _if(test: str, radius: str) -> str:
    return f"({radius}) if ({test}) else {INF}"


# fmt: off
BOXES: dict[str, str] = {
    "xlogy":     _if("e < 0.25 * y", "abs(log(y)) * d + (abs(x) + d) * (1.2 * e / y)"),
    "xlog1py":   _if("e < 0.25 * (1 + y)",
                     "abs(log1p(y)) * d + (abs(x) + d) * (1.2 * e / (1 + y))"),
    "rel_entr":  _if(_BOTH, f"abs(1 + log_ratio(x, y)) * d + x / y * e + {_BENT}"),
    "kl_div":    _if(_BOTH, "abs(log_ratio(x, y)) * d + abs((y - x) / y) * e"
                     f" + {_BENT}"),
    "log_ratio": _if(_BOTH, "1.4 * (d / x) + 1.4 * (e / y)"),
    "betaln":    _if(_BOTH, _BETA),
    "beta":      _if(_BOTH, _if(f"{_BETA} < 0.125", f"({_BETA}) * v * 1.1")),
    "polygamma": _if("e < 0.25 * x", "abs(polygamma(n + 1, x)) * e"
                     " + 1.4 ** (n + 3) * abs(polygamma(n + 2, x)) * e * e"),
}
# fmt: on
"""How far functions of two arguments move where the first moves by d at most, the
second by e: templates over both, the result v, d and e.
"""

UNBOUNDED: dict[str, str] = {
    **dict.fromkeys(("polygamma_drop", "exprel_slope", "sinc_slope"), "in slopes only"),
    "round_to": "its steps lie at decimals, which are no doubles",
}
"""Functions whose shift is unknown where an argument is in error, and why."""
