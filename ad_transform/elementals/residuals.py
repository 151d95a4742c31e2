"""Elementals that estimates of rounding errors are made of.

`plus`, `minus` and `times` are sums and products that no law may touch: an error-free
transformation is built of operations whose rounding is the point.
"""

from __future__ import annotations

import math
import operator

from ad_transform.elementals.helpers import run
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import COMPILED, EXACT, Elemental, Form

_PAIRS = ((2.0, 3.0), (-1.25, 0.75), (0.5, -4.0))


def _helper(name: str, parameters: str, partial: str = "0") -> Elemental:
    """A row for the printed helper `_name`; only its last parameters are starred."""
    names = [p.lstrip("*") for p in parameters.split()]
    row_ = row(
        name,
        parameters,
        (partial,) * len(names),
        lambda *args: run(f"_{name}", *row_.bind(args).values()),
        spelling=f"_{name}({', '.join(names)})",
        result="same",
        ulps=EXACT,
        points=(),
        source="printed helper",
    )
    return row_


def _are_doubles(*values: float) -> bool:
    return bool(run("_are_doubles", values))


# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("plus",  "x y", ("1", "1"),  operator.add, spelling="x + y", classes=("add",),
        result="promote", points=_PAIRS, form=Form.SUM, keeps_nonnegative=True),
    row("minus", "x y", ("1", "-1"), operator.sub, spelling="x - y", classes=("add",),
        result="promote", points=_PAIRS, form=Form.DIFFERENCE),
    row("times", "x y", ("y", "x"),  operator.mul, spelling="x * y", classes=("mul",),
        result="promote", points=_PAIRS, form=Form.PRODUCT, keeps_nonnegative=True),
    # the rest has no derivative but a sum, and the type of its first argument
    row("ulp",   "x", ("0",), math.ulp, result="same", ulps=EXACT, points=(),
        never_negative=True, kink="ulp' = 0 everywhere", known_as=("math.ulp",),
        elsewhere={COMPILED: "_ulp(x)"}),
    row("are_doubles", "*values", ("0",), _are_doubles, spelling="_are_doubles(values)",
        result="bool", ulps=EXACT, points=((1.0, -2.0),), source="printed helper"),
    _helper("largest",         "*values"),
    _helper("small_bound",     "total largest"),
    _helper("sum_error",       "total *terms"),
    _helper("lost",            "largest"),
    _helper("total",           "*terms", partial="1"),
    _helper("remainder_of",    "x y z"),
    _helper("share",           "part whole"),
    _helper("digits_lost",     "total x y"),
    _helper("sum_radius",      "*radii *centers"),
    _helper("product_center",  "error x cx y cy"),
    _helper("product_radius",  "v x cx rx y cy ry error"),
    _helper("quotient_center", "v cx y cy rest"),
    _helper("quotient_radius", "center v x cx rx y cy ry rest"),
    _helper("root_center",     "v x cx rest"),
    _helper("root_radius",     "center v x cx rx rest"),
    _helper("image_radius",    "error slope slack turn cx rx"),
    _helper("power_radius",    "error v x y cx rx"),
    _helper("angle_radius",    "error y x dy dx"),
    _helper("step_radius",     "margin reach"),
    _helper("undecided",       "x y reach"),
    _helper("sum_lost",        "total x y"),
    _helper("whole_quotient",  "x y v"),
    _helper("modulo_radius",   "error size least most y q cx rx cy ry"),
    _helper("low",             "center radius"),
    _helper("high",            "center radius"),
)
# fmt: on
