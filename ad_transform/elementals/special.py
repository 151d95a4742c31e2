"""The gamma function and its relatives; but for `math`'s own they are printed helpers.

`polygamma_drop` is polygamma at x less that at x + h, without cancellation: the slopes
of the beta function are made of it.
"""

from __future__ import annotations

import math

from ad_transform.elementals.rows import printed, row
from ad_transform.ir.elemental import Elemental

_POINTS = ((0.5,), (3.25,), (-1.75,))
_PAIRS = ((0.5, 2.0), (3.25, 0.125), (12.5, 40.0))
_NO_BOUND = "no relative bound near zeros"

# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("gamma",  "x", ("v * digamma(x)",), math.gamma, points=_POINTS, ulps=13.4,
        domain="x > 0 or x != floor(x)", known_as=("math.gamma", "scipy.special.gamma"),
        source="twice the largest error measured on glibc 2.36"),
    row("lgamma", "x", ("digamma(x)",), math.lgamma, points=_POINTS, ulps=math.inf,
        domain="x > 0 or x != floor(x)",
        source="no relative bound near the zeros 1 and 2",
        known_as=("math.lgamma", "scipy.special.gammaln", "scipy.special.loggamma")),
    printed("digamma", "x", ("polygamma(1, x)",), points=_POINTS, ulps=math.inf,
            domain="x > 0 or x != floor(x)", source=_NO_BOUND + "; 12 above 0",
            known_as=("scipy.special.digamma", "scipy.special.psi")),
    printed("polygamma", "n x", ("0", "polygamma(n + 1, x)"), ulps=math.inf,
            points=((1, 0.5), (2, 3.25), (1, -1.75)), domain="x > 0 or x != floor(x)",
            source=_NO_BOUND + "; 10 above 0"),
    printed("polygamma_drop", "n x h",
            ("0", "polygamma_drop(n + 1, x, h)", "-polygamma(n + 1, x + h)"),
            points=tuple((n, *p) for n in (0, 1) for p in _PAIRS), ulps=math.inf,
            domain="x > 0"),
    printed("beta", "x y",
            ("v * polygamma_drop(0, x, y)", "v * polygamma_drop(0, y, x)"),
            points=_PAIRS, ulps=24.0, domain="min(x, y) > 0",
            source="twice the largest error measured",
            known_as=("scipy.special.beta",)),
    printed("betaln", "x y", ("polygamma_drop(0, x, y)", "polygamma_drop(0, y, x)"),
            points=_PAIRS, ulps=math.inf, domain="min(x, y) > 0", source=_NO_BOUND,
            known_as=("scipy.special.betaln",)),
)
# fmt: on
