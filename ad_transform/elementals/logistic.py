"""The logistic function and its relatives, without overflow. Errors as in `normal`."""

from __future__ import annotations

from ad_transform.elementals.conditions import INF, above, both, near
from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import Curve, Elemental

_ALL = ((0.5,), (-1.25,), (3.0,), (-40.0,), (750.0,))
_UNIT = ((0.25,), (0.5,), (0.96875,), (1e-9,))

_EXPIT = near("(2 * expit_slope(x) + 1e-300) * d", "0.5")

# fmt: off
ROWS: tuple[Elemental, ...] = (
    printed("expit", "x", ("expit_slope(x)",), points=_ALL, ulps=3.0,
            on_arrays=("v * (1 - v)",), never_negative=True,
            enclosure=Curve("expit_slope(x)", 0, _EXPIT),
            known_as=("scipy.special.expit",)),
    printed("expit_slope", "x", ("-(v * tanh(0.5 * x))",), points=_ALL, ulps=4.6,
            never_negative=True, enclosure=Curve("-(v * tanh(0.5 * x))", 0, near(
                "(2 * v + 1e-300) * d", "0.5"))),
    printed("log_expit", "x", ("expit(-x)",), points=_ALL, ulps=2.4,
            enclosure=Curve("expit(-x)", 0, _EXPIT),
            known_as=("scipy.special.log_expit",)),
    printed("logit", "x", ("1 / (x * (1 - x))",), points=_UNIT, ulps=2.6,
            domain="x * (1 - x) > 0", amplifies=("abs(v)", "1"),
            guard=both(above("x"), above("(1 - x)", "1e-11")),
            enclosure=Curve(f"1 / (x * (1 - x)) if x * (1 - x) > 0 else {INF}", 0, near(
                "4 * d / (x * (1 - x)) / (x * (1 - x))", "0.25 * (x * (1 - x))")),
            known_as=("scipy.special.logit",)),
)
# fmt: on
