"""Sixty-digit arithmetic: `math`, `numpy` and the builtins for mpmath's numbers.

Literals stay the doubles they are; every function is the mathematical one. Two users:
source text executed with these modules in place of the real ones (`modules`), and the
reference interpreter (`MPMATH`).
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import exact_special
import numpy as np
from mpmath import mp, mpf

from ad_transform.ir.elemental import Elemental

DIGITS = 60
mp.dps = DIGITS
Real = Any

# mpmath leaves out Python's quotient
mp.mpf.__floordiv__ = lambda x, y: mp.floor(x / y)
mp.mpf.__rfloordiv__ = lambda x, y: mp.floor(y / x)


def real(function: Callable[..., Any]) -> Callable[..., Real]:
    """The function on real numbers: where mpmath leaves them, `math` raises."""

    def inner(*args: Any) -> Real:
        result = function(*map(mpf, args))
        if not isinstance(result, mpf):
            raise ValueError("math domain error")
        return result

    return inner


def whole(function: Callable[[Any], Any]) -> Callable[[Any], int]:
    return lambda x: int(function(mpf(x)))


def _trunc(x: Real) -> Real:
    return mp.floor(x) if x >= 0 else mp.ceil(x)


def _remainder(x: Real, y: Real) -> Real:
    return x - y * mp.nint(x / y)  # ties to even, as in IEEE 754


def _halves(args: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    return args[: len(args) // 2], args[len(args) // 2 :]


def _dist(p: Sequence[Any], q: Sequence[Any]) -> Real:
    return mp.sqrt(mp.fsum((mpf(a) - b) ** 2 for a, b in zip(p, q, strict=True)))


def _sumprod(p: Sequence[Any], q: Sequence[Any]) -> Real:
    return mp.fsum(mpf(a) * b for a, b in zip(p, q, strict=True))


def _prod(values: Sequence[Any], *, start: Any = 1) -> Real:
    result = mpf(start)
    for value in values:
        result *= value
    return result


def _log(x: Any, base: Any = None) -> Real:
    return real(mp.log)(x) if base is None else real(mp.log)(x) / real(mp.log)(base)


def _round(x: Any, digits: int | None = None) -> Any:
    if digits is None:
        return int(mp.nint(x))
    scale = mpf(10) ** abs(digits)
    return mp.nint(x / scale) * scale if digits < 0 else mp.nint(x * scale) / scale


# fmt: off
SMOOTH: dict[str, Callable[..., Any]] = {
    "sqrt": real(mp.sqrt), "exp": real(mp.exp), "expm1": real(mp.expm1),
    "cbrt": real(lambda x: mp.sign(x) * mp.cbrt(abs(x))),
    "exp2": real(lambda x: mpf(2) ** x), "log": _log,
    "log2": real(lambda x: mp.log(x) / mp.log(2)), "log10": real(mp.log10),
    "log1p": real(mp.log1p), "sin": real(mp.sin), "cos": real(mp.cos),
    "tan": real(mp.tan), "asin": real(mp.asin), "acos": real(mp.acos),
    "atan": real(mp.atan), "atan2": real(mp.atan2), "sinh": real(mp.sinh),
    "cosh": real(mp.cosh), "tanh": real(mp.tanh), "asinh": real(mp.asinh),
    "acosh": real(mp.acosh), "atanh": real(mp.atanh), "erf": real(mp.erf),
    "erfc": real(mp.erfc), "gamma": real(mp.gamma),
    "lgamma": real(lambda x: mp.log(abs(mp.gamma(x)))),
    "degrees": real(lambda x: x * 180 / mp.pi),
    "radians": real(lambda x: x * mp.pi / 180),
    "pow": real(lambda x, y: x**y), "fma": real(lambda x, y, z: x * y + z),
    "hypot": real(lambda *x: mp.sqrt(mp.fsum(a * a for a in x))),
    "logaddexp": real(lambda x, y: mp.log(mp.exp(x) + mp.exp(y))),
}
PIECEWISE: dict[str, Callable[..., Any]] = {
    "fabs": real(abs), "floor": whole(mp.floor), "ceil": whole(mp.ceil),
    "trunc": whole(_trunc), "copysign": real(
        lambda x, y: abs(x) if y >= 0 else -abs(x)),
    "fmod": real(lambda x, y: x - y * _trunc(x / y)), "remainder": real(_remainder),
    "sign": real(mp.sign), "isnan": mp.isnan, "isinf": mp.isinf,
    "isfinite": mp.isfinite,
    "maximum": real(lambda x, y: x if x >= y else y),
    "minimum": real(lambda x, y: x if x <= y else y),
    "heaviside": real(lambda x, h: mpf(0) if x < 0 else h if x == 0 else mpf(1)),
}
MATH: dict[str, Any] = {
    **SMOOTH, **PIECEWISE, "dist": _dist, "fsum": mp.fsum, "prod": _prod,
    "sumprod": _sumprod, "factorial": math.factorial, "pi": math.pi, "e": math.e,
    "tau": math.tau, "inf": math.inf, "nan": math.nan, "comb": math.comb,
    "perm": math.perm, "gcd": math.gcd, "lcm": math.lcm, "isqrt": math.isqrt,
}
_NUMPY_NAMES = {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2",
    "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "absolute": "fabs",
    "abs": "fabs", "power": "pow", "float_power": "pow", "fmax": "maximum",
    "fmin": "minimum", "rad2deg": "degrees", "deg2rad": "radians",
}
NUMPY: dict[str, Any] = {
    **MATH, **{name: MATH[known] for name, known in _NUMPY_NAMES.items()},
    "square": lambda x: x * x, "reciprocal": lambda x: 1 / mpf(x),
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y, "divide": lambda x, y: mpf(x) / y,
    "true_divide": lambda x, y: mpf(x) / y, "negative": lambda x: -x,
    "positive": lambda x: x, "float64": mpf, "double": mpf,
    "mod": lambda x, y: mpf(x) % y, "remainder": lambda x, y: mpf(x) % y,
    "floor_divide": lambda x, y: mpf(x) // y, "fix": PIECEWISE["trunc"], "rint": _round,
    "array": lambda rows, dtype=float: np.array(rows, dtype=object),
    "zeros": lambda shape: np.full(shape, mpf(0), dtype=object),
    "where": lambda c, x, y: x if c else y,
    "clip": lambda x, a, b: min(max(x, a), b), "sinc": exact_special.SINC,
}
BUILTINS: dict[str, Any] = {**vars(builtins), "float": mpf, "round": _round}
# fmt: on


def modules() -> dict[str, ModuleType]:
    """What `math`, `numpy` and `scipy` are for executed text; others fail loudly."""
    made = {"math": ModuleType("math"), "numpy": ModuleType("numpy")}
    made["math"].__dict__.update(MATH)
    made["numpy"].__dict__.update(NUMPY)
    return made | exact_special.modules(MATH)


# --- the library of the reference interpreter ---------------------------------------

_LIBRARY: dict[str, Callable[..., Any]] = {
    **{name: f for name, f in MATH.items() if callable(f)},
    **exact_special.ROWS,
    "dist": lambda *x: _dist(*_halves(x)),
    "sumprod": lambda *x: _sumprod(*_halves(x)),
    "fsum": lambda *x: mp.fsum(x),
    "sum": lambda *x: mp.fsum(x),
    "fsum_of": mp.fsum,
    "hypot_in": lambda x: SMOOTH["hypot"](*x),
    "total_of": mp.fsum,
    "sum_from": lambda start, *x: start + mp.fsum(x),
    "div": lambda x, y: mpf(x) / y,
    "math_pow": SMOOTH["pow"],
    "log_base": _log,
    "fmax": PIECEWISE["maximum"],
    "fmin": PIECEWISE["minimum"],
    "float": mpf,
    "round": _round,
    "round_to": _round,
}
_AS_THEY_ARE = """
    add sub mul plus minus times neg pos pow mod floordiv abs max min lt le gt ge eq ne
    not int bool max_of min_of max_in min_in largest_in
    get set add_at sub_at append exchange pop pack full like copy added sum_of size
    place place_beside place_among absent absent_beside absent_among
    grid rows_like sum_of_rows copy_rows added_rows solution given passive is_none
    listed_inverse
    block layers_like sum_of_layers copy_layers added_layers
    is_given both either solved erred off rounded within twin length_as
    max_shared min_shared
    where rows_in_list factorial comb perm gcd lcm whole_root
    pow_in_ring bit_and bit_or bit_xor shift_left shift_right
"""


def MPMATH(op: Elemental) -> Callable[..., Any]:
    """The library of sixty digits; KeyError for an elemental it does not know."""
    is_plain = op.name.startswith("text_") or op.name in _AS_THEY_ARE.split()
    return op.compute if is_plain else _LIBRARY[op.name]
