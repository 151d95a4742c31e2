"""The gamma function and its relatives; but for `math`'s own they are printed helpers.

`polygamma_drop` is polygamma at x less that at x + h, without cancellation: the slopes
of the beta function are made of it.
"""

from __future__ import annotations

import math

from ad_transform.elementals.conditions import INF, above, both, near, only_if
from ad_transform.elementals.rows import printed, row
from ad_transform.ir.elemental import Box, Curve, Elemental, Unbounded

_POINTS = ((0.5,), (3.25,), (-1.75,))
_PAIRS = ((0.5, 2.0), (3.25, 0.125), (12.5, 40.0))
_NO_BOUND = "no relative bound near zeros"

_PSI = "(1.34 / x + 1.25 + log(1 + x))"  # above digamma anywhere in reach
_BOTH = "d < 0.25 * x if e < 0.25 * y else False"
_BETA = (
    "abs(polygamma_drop(0, x, y)) * d + abs(polygamma_drop(0, y, x)) * e"
    " + (1 + 1 / x) * (d / x) * d + (1 + 1 / y) * (e / y) * e"
    " + 2 * (1 + 1 / (x + y)) * (d / (x + y)) * e"
)
_SMALL_BETA = only_if(f"{_BETA} < 0.125", f"({_BETA}) * v * 1.1")
# on an interval of at most that size gamma grows by less than a factor of 2
_GAMMA = near(
    f"2 * d * v * ({_PSI} * {_PSI} + 1.34 / x + 1.78 / x / x)",
    "0.25 / (1 / x + 1 + log(1 + x))",
)

# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("gamma",  "x", ("v * digamma(x)",), math.gamma, points=_POINTS,
        domain="x > 0 or x != floor(x)", ulps=13.4, portable=26.8,
        source="twice the largest error measured on glibc 2.36", guard=above("x"),
        enclosure=Curve(f"(v * digamma(x)) if x > 0 else {INF}", 8,
                        f"({_GAMMA}) if x > 0 else {INF}"),
        known_as=("math.gamma", "scipy.special.gamma")),
    row("lgamma", "x", ("digamma(x)",), math.lgamma, points=_POINTS, ulps=math.inf,
        domain="x > 0 or x != floor(x)",
        source="no relative bound near the zeros 1 and 2", guard=above("x"),
        enclosure=Curve(f"digamma(x) if x > 0 else {INF}", 8,
                        near("(2 / x + 2) * (d / x)", "0.25 * x")),
        known_as=("math.lgamma", "scipy.special.gammaln", "scipy.special.loggamma")),
    printed("digamma", "x", ("polygamma(1, x)",), points=_POINTS, ulps=math.inf,
            domain="x > 0 or x != floor(x)", source=_NO_BOUND + "; 12 above 0",
            guard=above("x"),
            enclosure=Curve("polygamma(1, x)", 8, near(
                "(2 / x + 5 / x / x) * (d / x)", "0.25 * x")),
            known_as=("scipy.special.digamma", "scipy.special.psi")),
    printed("polygamma", "n x", ("0", "polygamma(n + 1, x)"), ulps=math.inf,
            points=((1, 0.5), (2, 3.25), (1, -1.75)), domain="x > 0 or x != floor(x)",
            source=_NO_BOUND + "; 10 above 0",
            guard=("0", above("x")("polygamma(n + 1, x)")),
            enclosure=Box(only_if("e < 0.25 * x", "abs(polygamma(n + 1, x)) * e"
                                  " + 1.4 ** (n + 3) * abs(polygamma(n + 2, x))"
                                  " * e * e"))),
    printed("polygamma_drop", "n x h",
            ("0", "polygamma_drop(n + 1, x, h)", "-polygamma(n + 1, x + h)"),
            points=tuple((n, *p) for n in (0, 1) for p in _PAIRS), ulps=math.inf,
            domain="x > 0", enclosure=Unbounded("in slopes only")),
    printed("beta", "x y",
            ("v * polygamma_drop(0, x, y)", "v * polygamma_drop(0, y, x)"),
            points=_PAIRS, ulps=24.0, domain="min(x, y) > 0",
            source="twice the largest error measured",
            guard=both(above("x"), above("y")),
            enclosure=Box(only_if(_BOTH, _SMALL_BETA)),
            known_as=("scipy.special.beta",)),
    printed("betaln", "x y", ("polygamma_drop(0, x, y)", "polygamma_drop(0, y, x)"),
            points=_PAIRS, ulps=math.inf, domain="min(x, y) > 0", source=_NO_BOUND,
            guard=both(above("x"), above("y")), enclosure=Box(only_if(_BOTH, _BETA)),
            known_as=("scipy.special.betaln",)),
)
# fmt: on
