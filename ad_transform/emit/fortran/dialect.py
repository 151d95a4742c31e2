"""The words of Fortran 2008: operators, intrinsic functions, names that are taken."""

from __future__ import annotations

import ast
import re

from ad_transform.emit.compiled.printed import NAMES
from ad_transform.emit.compiled.spelling import (
    ATOM,
    POWER,
    SUM,
    TERM,
    UNARY,
    Dialect,
)
from ad_transform.emit.fortran.helpers import C_FUNCTIONS, HELPERS

PREFIX = "ad_"
"""The beginning of the names of types and procedures that a file holds for itself."""

INDENT = 2

_INTRINSIC = """
sqrt exp log log10 sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf
erfc hypot gamma
"""
_WORDS = """
abs allocate allocated body call do dp else end exit failed function if int ip log_gamma
max merge min mod module modulo real return sign size subroutine then huge ieee_is_nan
ieee_is_finite
"""
WORDS = frozenset([*_WORDS.split(), *_INTRINSIC.split()])
"""Names that no value may have, in small letters."""


def number(value: float | int) -> str:
    """A number as Fortran writes it, of 64 bits."""
    if isinstance(value, bool):
        return ".true." if value else ".false."
    if isinstance(value, int):
        return f"{value}_ip"
    if value != value:
        return "ad_nan()"
    if value in (float("inf"), float("-inf")):
        return "-ad_inf()" if value < 0 else "ad_inf()"
    return f"{value!r}_dp".replace("e+", "e")


def plain(name: str) -> str:
    """A name in letters that Fortran has, at most 55 of them."""
    ascii_only = "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)
    word = re.sub(r"^[_0-9]+", "", ascii_only)[:55] or "unnamed"
    return word


_SUMS = {ast.Add: " + ", ast.Sub: " - "}
_PRODUCTS = {ast.Mult: " * ", ast.Div: " / "}

# fmt: off
FORTRAN = Dialect(
    binary={
        **{op: (sign, SUM, SUM, TERM) for op, sign in _SUMS.items()},
        **{op: (sign, TERM, TERM, UNARY) for op, sign in _PRODUCTS.items()},
        ast.Pow: ("**", POWER, ATOM, ATOM),
    },
    comparisons={
        ast.Lt: " < ", ast.LtE: " <= ", ast.Gt: " > ", ast.GtE: " >= ",
        ast.Eq: " == ", ast.NotEq: " /= ",
    },
    connectives=(" .and. ", " .or. ", ".not. "),
    minus=(SUM, TERM),
    functions={
        **{f"math.{name}": f"{name}(" for name in _INTRINSIC.split()},
        **{f"math.{name}": f"{PREFIX}{name}(" for name in C_FUNCTIONS},
        "math.lgamma": "log_gamma(",
        "math.fabs": "abs(",
        "math.copysign": "sign(",
        "math.isnan": "ieee_is_nan(",
        "math.isfinite": "ieee_is_finite(",
        "math.isinf": f"{PREFIX}isinf(",
        "math.pow": f"{PREFIX}pow(",
        "abs": "abs(",
        "float": "real(|, dp)",
        "int": "int(|, ip)",
    },
    conditional=(ATOM, ("merge(", "then", ", ", "orelse", ", ", "test", ")")),
    prefix=PREFIX,
    helpers=frozenset(HELPERS) | NAMES,
    number=number,
    several=("[real(dp) :: ", "]"),
)
# fmt: on
