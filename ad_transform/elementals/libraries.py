"""How far library functions may be off, in ulps, by library.

The rows of the table hold for glibc, which is the default. A library is a claim about
the machine that runs the generated file, so it belongs to the mark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ad_transform.elementals import entropy, logistic, normal, removable, special
from ad_transform.ir.elemental import CORRECT

_PRINTED = (
    row
    for module in (special, normal, logistic, entropy, removable)
    for row in module.ROWS
    if row.spelling.startswith("_") and CORRECT < row.ulps < math.inf
)

# fmt: off
_PORTABLE: dict[str, float] = {
    # fdlibm and its descendants (FreeBSD, musl, older macOS) state less than 1
    **dict.fromkeys(
        ("exp", "exp2", "exp10", "log", "log2", "pow", "math_pow", "sin", "cos", "tan",
         "asin", "acos", "atan", "atan2"), 1.0),
    # these state less than 2 or nothing: twice the entry for glibc
    "cbrt": 12.8, "expm1": 7.2, "log1p": 3.2, "log10": 6.4, "sinh": 6.8, "cosh": 4.0,
    "tanh": 8.4, "asinh": 6.0, "acosh": 7.2, "atanh": 6.4, "erf": 4.0, "erfc": 10.2,
    "gamma": 26.8, "log_base": 5.0, "hypot": 2.0, "dist": 4.0,
    # helpers are made of these
    **{row.name: 2.0 * row.ulps for row in _PRINTED},
}
# fmt: on

_ROUNDED = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "math_pow"),
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "cbrt", "hypot"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc"),
)

LIBRARIES: Mapping[str, Mapping[str, float]] = {
    "glibc": {},
    "portable": _PORTABLE,
    "correct": dict.fromkeys(_ROUNDED, 0.5),  # as CORE-MATH proves of its own
}
"""By name: the entries that differ from those of the rows."""
