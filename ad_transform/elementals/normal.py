"""The standard normal distribution and the relatives of the error function.

`ndtr_ratio` is density over distribution function, `ndtr_excess` that and x: the slopes
of all others are made of them without cancellation, however far out. Errors: twice the
largest of 4000 random arguments each, against 60 digits.
"""

from __future__ import annotations

from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import Elemental

_ALL = ((0.5,), (-1.25,), (3.0,), (-7.5,))
_UNIT = ((0.5,), (0.0625,), (0.96875,), (1e-9,))
_INNER = ((0.5,), (-0.75,), (0.96875,), (1e-9,))

# fmt: off
ROWS: tuple[Elemental, ...] = (
    printed("norm_pdf", "x", ("-(x * v)",), points=_ALL, ulps=7.2,
            known_as=("scipy.stats.norm.pdf",)),
    printed("ndtr", "x", ("norm_pdf(x)",), points=_ALL, ulps=11.0,
            known_as=("scipy.special.ndtr",)),
    printed("log_ndtr", "x", ("ndtr_ratio(x)",), points=_ALL, ulps=10.2,
            known_as=("scipy.special.log_ndtr",)),
    printed("ndtr_ratio", "x", ("-(v * ndtr_excess(x))",), points=_ALL, ulps=8.0),
    printed("ndtr_excess", "x", ("1 - v * ndtr_ratio(x)",), points=_ALL, ulps=32.0),
    # the density at the quantile v is the tail times its ratio, which keeps its digits
    printed("ndtri", "x",
            ("1 / (x * ndtr_ratio(v)) if x < 0.5 else 1 / ((1 - x) * ndtr_ratio(-v))",),
            points=_UNIT, domain="x * (1 - x) > 0", ulps=13.6,
            known_as=("scipy.special.ndtri",)),
    printed("erfinv", "x",
            ("0.7071067811865476"
             " / ((1 - abs(x)) * ndtr_ratio(-1.4142135623730951 * abs(v)))",),
            points=_INNER, domain="abs(x) < 1", ulps=12.0,
            known_as=("scipy.special.erfinv",)),
    printed("erfcinv", "x",
            ("-0.7071067811865476 / (x * ndtr_ratio(-1.4142135623730951 * v))"
             " if x < 1 else"
             " -0.7071067811865476 / ((2 - x) * ndtr_ratio(1.4142135623730951 * v))",),
            points=((0.5,), (1.75,), (1e-9,)), domain="x * (2 - x) > 0", ulps=10.0,
            known_as=("scipy.special.erfcinv",)),
)
# fmt: on
