"""The gamma function and its relatives; digamma and polygamma are printed helpers."""

from __future__ import annotations

import math
from functools import partial

from ad_transform.elementals.helpers import run
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import Elemental

_POINTS = ((0.5,), (3.25,), (-1.75,))

# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("gamma",  "x", ("v * digamma(x)",), math.gamma, points=_POINTS, ulps=13.4,
        domain="x > 0", known_as=("math.gamma",),
        source="twice the largest error measured on glibc 2.36"),
    row("lgamma", "x", ("digamma(x)",), math.lgamma, points=_POINTS, ulps=math.inf,
        domain="x > 0", known_as=("math.lgamma",),
        source="no relative bound near the zeros 1 and 2"),
    row("digamma", "x", ("polygamma(1, x)",), partial(run, "_digamma"),
        spelling="_digamma(x)", points=_POINTS, ulps=math.inf, domain="x > 0",
        source="printed helper"),
    row("polygamma", "n x", ("0", "polygamma(n + 1, x)"), partial(run, "_polygamma"),
        spelling="_polygamma(n, x)", points=((1, 0.5), (2, 3.25), (1, -1.75)),
        ulps=math.inf, domain="x > 0", source="printed helper"),
)
# fmt: on
