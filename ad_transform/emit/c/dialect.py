"""The words of C99: operators, functions of its library, names that are taken."""

from __future__ import annotations

import ast

from ad_transform.emit.c.helpers import HELPERS
from ad_transform.emit.compiled.printed import NAMES
from ad_transform.emit.compiled.spelling import (
    ATOM,
    COMPARE,
    SUM,
    TERM,
    TERNARY,
    UNARY,
    Dialect,
)

PREFIX = "ad_"
"""The beginning of the names of types and functions that a file holds for itself."""

_LIBRARY = """
sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh
tanh asinh acosh atanh erf erfc floor ceil trunc lgamma tgamma pow hypot copysign fmod
remainder fabs fma nearbyint nextafter isnan isinf isfinite
"""
LIBRARY = frozenset(_LIBRARY.split())
"""Functions and macros of <math.h>."""


def inner_name(name: str) -> str:
    """The name of a function that only its own file calls."""
    return PREFIX + name.lstrip("_")


def apart(name: str) -> str:
    """A name apart from the functions and types that a file holds for itself."""
    return f"{name}_" if name.startswith(PREFIX) else name


_WORDS = """
auto break case char const continue default do double else enum extern float for goto if
inline int long register restrict return short signed sizeof static struct switch
typedef union unsigned void volatile while _Bool _Complex _Imaginary
bool true false NAN INFINITY NULL errno EDOM ENOMEM main
int8_t int16_t int32_t int64_t intptr_t size_t ptrdiff_t double_t float_t
HUGE_VAL HUGE_VALF HUGE_VALL ERANGE EILSEQ M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2
M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 math_errhandling
calloc free snprintf strtod strcmp memcpy asm typeof unix linux
memory failed
"""
WORDS = frozenset(_WORDS.split())
"""Names that no value may have."""


def number(value: float | int) -> str:
    """A number as C writes it; infinities and NaN are macros of <math.h>."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 1 << 31 else f"INT64_C({value})"
    if value != value:
        return "NAN"
    if value in (float("inf"), float("-inf")):
        return "-INFINITY" if value < 0 else "INFINITY"
    return repr(value).replace("e+", "e")


_SUMS = {ast.Add: " + ", ast.Sub: " - "}
_PRODUCTS = {ast.Mult: " * ", ast.Div: " / "}

# fmt: off
C = Dialect(
    binary={
        **{op: (sign, SUM, SUM, TERM) for op, sign in _SUMS.items()},
        **{op: (sign, TERM, TERM, UNARY) for op, sign in _PRODUCTS.items()},
    },
    comparisons={
        ast.Lt: " < ", ast.LtE: " <= ", ast.Gt: " > ", ast.GtE: " >= ",
        ast.Eq: " == ", ast.NotEq: " != ",
    },
    connectives=(" && ", " || ", "!"),
    minus=(UNARY, ATOM),
    functions={
        **{f"math.{name}": f"{name}(" for name in sorted(LIBRARY)},
        "math.gamma": "tgamma(",
        "abs": "fabs(",
        "float": "(double)",
        "int": "(int64_t)",
    },
    conditional=(TERNARY, ("test", " ? ", "then", " : ", "orelse")),
    prefix=PREFIX,
    helpers=frozenset(HELPERS) | NAMES,
    number=number,
    several=("{}, (const double[]){{", "}"),
)
# fmt: on

CONDITION = COMPARE
"""The least tightness of operands of && and ||: gcc asks for parentheses in others."""
