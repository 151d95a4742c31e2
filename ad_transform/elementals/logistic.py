"""The logistic function and its relatives, without overflow. Errors as in `normal`."""

from __future__ import annotations

from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import Elemental

_ALL = ((0.5,), (-1.25,), (3.0,), (-40.0,), (750.0,))
_UNIT = ((0.25,), (0.5,), (0.96875,), (1e-9,))

# fmt: off
ROWS: tuple[Elemental, ...] = (
    printed("expit", "x", ("expit_slope(x)",), points=_ALL, ulps=3.0,
            known_as=("scipy.special.expit",)),
    printed("expit_slope", "x", ("-(v * tanh(0.5 * x))",), points=_ALL, ulps=4.6),
    printed("log_expit", "x", ("expit(-x)",), points=_ALL, ulps=2.4,
            known_as=("scipy.special.log_expit",)),
    printed("logit", "x", ("1 / (x * (1 - x))",), points=_UNIT, ulps=2.6,
            domain="x * (1 - x) > 0", known_as=("scipy.special.logit",)),
)
# fmt: on
