"""The table of elementals, and how the reader recognises them.

Forward, reverse, Hessian, error estimate, documentation and tests all come from the
rows; adding an elemental touches one line.
"""

from __future__ import annotations

import math

from ad_transform.dataclass import dataclass
from ad_transform.elementals import (
    arithmetic,
    arrays,
    counting,
    entropy,
    functions,
    logistic,
    many,
    normal,
    pieces,
    removable,
    residuals,
    special,
    texts,
    whole,
)
from ad_transform.elementals.calls import (
    ERRED,
    GIVEN,
    LENGTH,
    OFF,
    PASSIVE,
    ROUNDED,
    SHARED,
    SOLVED,
    TWIN,
    WITHIN,
)
from ad_transform.ir.elemental import Elemental

ROWS: tuple[Elemental, ...] = (
    *arithmetic.ROWS,
    *functions.ROWS,
    *pieces.ROWS,
    *many.ROWS,
    *special.ROWS,
    *normal.ROWS,
    *logistic.ROWS,
    *entropy.ROWS,
    *removable.ROWS,
    *counting.ROWS,
    *arrays.ROWS,
    *whole.ROWS,
    *residuals.ROWS,
)
INNER = (
    GIVEN,
    LENGTH,
    PASSIVE,
    SOLVED,
    ERRED,
    OFF,
    ROUNDED,
    WITHIN,
    TWIN,
    *SHARED.values(),
)
TABLE: dict[str, Elemental] = {r.name: r for r in (*ROWS, *INNER, *texts.ROWS)}


@dataclass(frozen=True, slots=True)
class Alias:
    """A composite spelling: a template over the parameters."""

    parameters: tuple[str, ...]
    template: str


# fmt: off
ALIASES: dict[str, Alias] = {
    "numpy.square":     Alias(("x",), "x * x"),
    "numpy.reciprocal": Alias(("x",), "1.0 / x"),
    "numpy.clip":       Alias(("x", "a", "b"), "minimum(maximum(x, a), b)"),
    "numpy.floor":      Alias(("x",), "float(floor(x))"),
    "numpy.ceil":       Alias(("x",), "float(ceil(x))"),
    "numpy.trunc":      Alias(("x",), "float(trunc(x))"),
    "numpy.fix":        Alias(("x",), "float(trunc(x))"),
    "numpy.rint":       Alias(("x",), "float(round(x))"),
    "numpy.hypot":      Alias(("x", "y"), "hypot(x, y)"),
    "scipy.special.softplus": Alias(("x",), "-log_expit(-x)"),
}
CONSTANTS: dict[str, tuple[str, float]] = {
    "math.pi":    ("math.pi", math.pi),
    "math.e":     ("math.e", math.e),
    "math.tau":   ("math.tau", math.tau),
    "math.inf":   ("math.inf", math.inf),
    "math.nan":   ("math.nan", math.nan),
    "numpy.pi":   ("math.pi", math.pi),
    "numpy.e":    ("math.e", math.e),
    "numpy.inf":  ("math.inf", math.inf),
    "numpy.nan":  ("math.nan", math.nan),
    "numpy.euler_gamma": ("", 0.5772156649015329),
}
# fmt: on
"""Qualified names of constants: the name to print (empty: the number) and the value."""

GENERATED = "generated."
"""The beginning of the names of functions of numbers that generated files hold."""

_RECOGNISED: dict[str, Elemental | Alias] = {
    **{f"{GENERATED}{r.name}": r for r in ROWS if r.result == "float" and r.points},
    f"{GENERATED}remainder_of": TABLE["remainder_of"],  # its text asks for math.fma
    f"{GENERATED}total": TABLE["total"],  # and catches the exceptions of math.fsum
    **{known: r for r in ROWS for known in r.known_as},
    **ALIASES,
}


def recognise(qualified: str) -> Elemental | Alias | None:
    """The elemental or composite that a dotted name stands for, e.g. "numpy.sin".

    Names whose arguments are sequences or vary (sum, max, min, log with a base, round,
    hypot, dist, fsum, prod, sumprod) have call forms of their own in the reader.
    """
    return _RECOGNISED.get(qualified)


def has_functions_of(package: str) -> bool:
    """Whether a function of a package is an elemental. Linear in the table."""
    return any(known.startswith(f"{package}.") for known in _RECOGNISED)
