"""Functions with a removable singularity at 0; derivatives of order n by series and
recurrence. Errors as in `normal`.
"""

from __future__ import annotations

import math

from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import Elemental

_ALL = ((0.375,), (-1.25,), (3.25,), (1e-9,))
_ORDERS = ((1, 0.5), (2, 0.375), (1, 1e-9))

# fmt: off
ROWS: tuple[Elemental, ...] = (
    printed("exprel", "x", ("exprel_slope(1, x)",), points=_ALL, ulps=2.4,
            known_as=("scipy.special.exprel",)),
    printed("exprel_slope", "n x", ("0", "exprel_slope(n + 1, x)"), points=_ORDERS,
            ulps=math.inf),
    printed("sinc", "x", ("sinc_slope(1, x)",), points=_ALL, ulps=4.0,
            known_as=("numpy.sinc",)),
    printed("sinc_slope", "n x", ("0", "sinc_slope(n + 1, x)"), points=_ORDERS,
            ulps=math.inf),
)
# fmt: on
