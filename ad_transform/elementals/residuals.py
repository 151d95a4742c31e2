"""What estimates of rounding errors are made of.

`plus`, `minus` and `times` are sums and products that no law may touch: an error-free
transformation is built of operations whose rounding is the point.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from ad_transform.elementals.helpers import run
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import EXACT, Elemental

_PAIRS = ((2.0, 3.0), (-1.25, 0.75), (0.5, -4.0))


def _small_bound(total: float, *values: float) -> float:
    return run("_small_bound", total, values)


def _sum_error(total: float, *terms: float) -> float:
    return run("_sum_error", total, terms)


def _lost(*values: float) -> float:
    return run("_lost", values)


def _total(*terms: float) -> float:
    return run("_total", terms)


def _helper(
    name: str, parameters: str, compute: Callable[..., float], spelling: str = ""
) -> Elemental:
    names = ", ".join(parameters.replace("*", "").split())
    return row(
        name,
        parameters,
        ("0",) * len(parameters.split()),
        compute,
        spelling=spelling or f"_{name}({names})",
        result="same",
        ulps=EXACT,
        points=(),
        source="printed helper",
    )


# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("plus",  "x y", ("1", "1"),  operator.add, spelling="x + y", result="promote",
        cost="add", points=_PAIRS),
    row("minus", "x y", ("1", "-1"), operator.sub, spelling="x - y", result="promote",
        cost="add", points=_PAIRS),
    row("times", "x y", ("y", "x"),  operator.mul, spelling="x * y", result="promote",
        cost="mul", points=_PAIRS),
    # the rest has no derivative, and the type of its first argument
    _helper("ulp",         "x",             math.ulp, "math.ulp(x)"),
    _helper("small_bound", "total *values", _small_bound),
    _helper("sum_error",   "total *terms",  _sum_error),
    _helper("lost",        "*values",       _lost),
    _helper("total",       "*terms",        _total),
)
# fmt: on
