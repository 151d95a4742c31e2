"""Slope and curvature of library functions, for enclosures.

A row gives the slope at x, an absolute slack of it in units of 2**-48, and a bound of
the second derivative on [x - d, x + d], infinite where d is too large for it to hold.
Each bound is the second derivative at the worst end, rounded up generously.
"""

from __future__ import annotations

from dataclasses import dataclass

INF = "1e999"


@dataclass(frozen=True, slots=True)
class Curve:
    """Templates over x, its reach d, the result v and further arguments."""

    slope: str
    slack: float
    bend: str


def _near(bend: str, limit: str) -> str:
    return f"({bend}) if d < {limit} else {INF}"


_DISK = "(1 - x) * (1 + x)"
_OUTSIDE = "(x - 1) * (x + 1)"
_POWER = "3 * abs(y * (y - 1) * v / x / x)"

_PSI = "(1.34 / x + 1.25 + log(1 + x))"  # above digamma anywhere in reach
_GAMMA = f"2 * v * ({_PSI} * {_PSI} + 1.34 / x + 1.78 / x / x)"
_GAMMA_LIMIT = "0.25 / (1 / x + 1 + log(1 + x))"

# fmt: off
CURVES: dict[str, Curve] = {
    "sin":     Curve("cos(x)", 1, "1"),
    "cos":     Curve("-sin(x)", 1, "1"),
    "tan":     Curve("1 + v * v", 0, _near(
        "2 * (2 * abs(v) + 1) * (1 + (2 * abs(v) + 1) * (2 * abs(v) + 1))",
        "0.25 / (1 + abs(v))")),
    "exp":     Curve("v", 0, _near("2 * v + 1e-300", "0.5")),
    "exp2":    Curve("0.6931471805599453 * v", 0, _near("v + 1e-300", "0.5")),
    "expm1":   Curve("v + 1", 1, _near("2 * (v + 1) + 1e-10", "0.5")),
    "log":     Curve("1 / x", 0, _near("2 / x / x", "0.25 * x")),
    "log2":    Curve("1.4426950408889634 / x", 0, _near("3 / x / x", "0.25 * x")),
    "log10":   Curve("0.4342944819032518 / x", 0, _near("1 / x / x", "0.25 * x")),
    "log1p":   Curve("1 / (1 + x)", 0,
                     _near("2 / (1 + x) / (1 + x)", "0.25 * (1 + x)")),
    "log_base": Curve("1 / x / log(y)", 0,
                      _near("2 / x / x / abs(log(y))", "0.25 * x")),
    "asin":    Curve(f"1 / sqrt({_DISK}) if abs(x) < 1 else {INF}", 0,
                     _near(f"2 / ({_DISK}) / sqrt({_DISK})", f"0.125 * ({_DISK})")),
    "acos":    Curve(f"-1 / sqrt({_DISK}) if abs(x) < 1 else {INF}", 0,
                     _near(f"2 / ({_DISK}) / sqrt({_DISK})", f"0.125 * ({_DISK})")),
    "atan":    Curve("1 / (1 + x * x)", 1, "1"),
    "sinh":    Curve("hypot(1.0, v)", 0, _near("2 * hypot(1.0, v)", "0.5")),
    "cosh":    Curve("sinh(x)", 0, _near("2 * v", "0.5")),
    "tanh":    Curve("1 - v * v", 1, "1"),
    "asinh":   Curve("1 / hypot(1.0, x)", 0, "1"),
    "acosh":   Curve(f"1 / sqrt({_OUTSIDE}) if x > 1 else {INF}", 0,
                     _near(f"2 * x / ({_OUTSIDE}) / sqrt({_OUTSIDE})",
                           f"0.125 * ({_OUTSIDE}) / x")),
    "atanh":   Curve(f"1 / ({_DISK})", 0,
                     _near(f"4 / ({_DISK}) / ({_DISK})", f"0.125 * ({_DISK})")),
    "erf":     Curve("1.1283791670955126 * exp(-(x * x))", 1, "1"),
    "erfc":    Curve("-1.1283791670955126 * exp(-(x * x))", 1, "1"),
    "cbrt":    Curve(f"v / (3 * x) if x != 0 else {INF}", 0,
                     _near("abs(v) / x / x", "0.25 * abs(x)")),
    "lgamma":  Curve("digamma(x)", 8, _near("2 / x / x + 2 / x", "0.25 * x")),
    # on an interval of at most that size gamma grows by less than a factor of 2
    "gamma":   Curve(f"(v * digamma(x)) if x > 0 else {INF}", 8,
                     f"({_near(_GAMMA, _GAMMA_LIMIT)}) if x > 0 else {INF}"),
    "degrees": Curve("57.29577951308232", 0, "0"),
    "radians": Curve("0.017453292519943295", 0, "0"),
    "pow":     Curve(f"y * (v / x) if x != 0 else {INF}", 0,
                     _near(_POWER, "0.25 * abs(x) / (1 + abs(y))")),
    "math_pow": Curve(f"y * (v / x) if x != 0 else {INF}", 0,
                      _near(_POWER, "0.25 * abs(x) / (1 + abs(y))")),
}
# fmt: on
