"""Functions with a removable singularity at 0; derivatives of order n by series and
recurrence. Errors as in `normal`.
"""

from __future__ import annotations

import math

from ad_transform.elementals.conditions import near
from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import Curve, Elemental, Unbounded

_ALL = ((0.375,), (-1.25,), (3.25,), (1e-9,))
_IN_SLOPES = Unbounded("in slopes only")
_ORDERS = ((1, 0.5), (2, 0.375), (1, 1e-9))

# fmt: off
ROWS: tuple[Elemental, ...] = (
    printed("exprel", "x", ("exprel_slope(1, x)",), points=_ALL, ulps=2.4,
            enclosure=Curve("exprel_slope(1, x)", 0, near("2 * v * d", "0.5")),
            known_as=("scipy.special.exprel",)),
    printed("exprel_slope", "n x", ("0", "exprel_slope(n + 1, x)"), points=_ORDERS,
            ulps=math.inf, enclosure=_IN_SLOPES),
    printed("sinc", "x", ("sinc_slope(1, x)",), points=_ALL, ulps=4.0,
            amplifies=("abs(v)", "abs(x)"),
            enclosure=Curve("sinc_slope(1, x)", 8, "3.3 * d"),
            known_as=("numpy.sinc",)),
    printed("sinc_slope", "n x", ("0", "sinc_slope(n + 1, x)"), points=_ORDERS,
            ulps=math.inf, enclosure=_IN_SLOPES),
)
# fmt: on
