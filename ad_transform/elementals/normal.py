"""The standard normal distribution and the relatives of the error function.

`ndtr_ratio` is density over distribution function, `ndtr_excess` that and x: the slopes
of all others are made of them without cancellation, however far out. Errors: twice the
largest of 4000 random arguments each, against 60 digits.
"""

from __future__ import annotations

from ad_transform.elementals.conditions import INF, above, both, near
from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import Curve, Elemental

_ALL = ((0.5,), (-1.25,), (3.0,), (-7.5,))
_UNIT = ((0.5,), (0.0625,), (0.96875,), (1e-9,))
_INNER = ((0.5,), (-0.75,), (0.96875,), (1e-9,))

# the density at the quantile v is the tail times its ratio, which keeps its digits
_NDTRI = "1 / (x * ndtr_ratio(v)) if x < 0.5 else 1 / ((1 - x) * ndtr_ratio(-v))"
_ERFINV = (
    "0.7071067811865476 / ((1 - abs(x)) * ndtr_ratio(-1.4142135623730951 * abs(v)))"
)
_ERFCINV = (
    "-0.7071067811865476 / (x * ndtr_ratio(-1.4142135623730951 * v)) if x < 1 else"
    " -0.7071067811865476 / ((2 - x) * ndtr_ratio(1.4142135623730951 * v))"
)
_NEAR_X = "0.5 / (1 + abs(x))"  # slopes turn by a factor of 2 at most on so little

# fmt: off
ROWS: tuple[Elemental, ...] = (
    printed("norm_pdf", "x", ("-(x * v)",), points=_ALL, ulps=7.2, never_negative=True,
            enclosure=Curve("-(x * v)", 0, near(
                "(2 * (x * x + abs(x) + 2) * v + 1e-300) * d", _NEAR_X)),
            known_as=("scipy.stats.norm.pdf",)),
    printed("ndtr", "x", ("norm_pdf(x)",), points=_ALL, ulps=11.0,
            enclosure=Curve("norm_pdf(x)", 0, near(
                "(2 * (abs(x) + 0.5) * norm_pdf(x) + 1e-300) * d", _NEAR_X)),
            known_as=("scipy.special.ndtr",)),
    printed("log_ndtr", "x", ("ndtr_ratio(x)",), points=_ALL, ulps=10.2,
            enclosure=Curve("ndtr_ratio(x)", 0, "d if x < 0 else " + near(
                "(2 * (x + 2) * ndtr_ratio(x) + 1e-300) * d", _NEAR_X)),
            known_as=("scipy.special.log_ndtr",)),
    printed("ndtr_ratio", "x", ("-(v * ndtr_excess(x))",), points=_ALL, ulps=8.0,
            enclosure=Curve("-(v * ndtr_excess(x))", 1, "d")),
    printed("ndtr_excess", "x", ("1 - v * ndtr_ratio(x)",), points=_ALL, ulps=32.0,
            enclosure=Curve("1 - v * ndtr_ratio(x)", 8, "d")),
    # densities are concave in the probability: a quarter nearer to its end they keep
    # three quarters; near the far end, the distance to it may be all error
    printed("ndtri", "x", (_NDTRI,), points=_UNIT, domain="x * (1 - x) > 0", ulps=13.6,
            guard=both(above("x"), above("(1 - x)", "1e-11")),
            amplifies=("abs(v)", "1"),
            enclosure=Curve(f"({_NDTRI}) if x * (1 - x) > 0 else {INF}", 0, near(
                f"2 * (abs(v) + 1) * ({_NDTRI}) * ({_NDTRI}) * d",
                "0.25 * (x * (1 - x))")),
            known_as=("scipy.special.ndtri",)),
    printed("erfinv", "x", (_ERFINV,), points=_INNER, domain="abs(x) < 1", ulps=12.0,
            guard=above("(1 - abs(x))", "1e-11"),
            enclosure=Curve(f"({_ERFINV}) if abs(x) < 1 else {INF}", 0, near(
                f"4 * (abs(v) + 1) * ({_ERFINV}) * ({_ERFINV}) * d",
                "0.25 * (1 - abs(x))")),
            known_as=("scipy.special.erfinv",)),
    printed("erfcinv", "x", (_ERFCINV,), points=((0.5,), (1.75,), (1e-9,)),
            domain="x * (2 - x) > 0", ulps=10.0,
            guard=both(above("x"), above("(2 - x)", "1e-11")),
            amplifies=("abs(v)", "1"),
            enclosure=Curve(f"({_ERFCINV}) if x * (2 - x) > 0 else {INF}", 0, near(
                f"4 * (abs(v) + 1) * ({_ERFCINV}) * ({_ERFCINV}) * d",
                "0.125 * (x * (2 - x))")),
            known_as=("scipy.special.erfcinv",)),
)
# fmt: on
