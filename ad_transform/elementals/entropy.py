"""Terms of entropies and likelihoods. Errors as in `normal`."""

from __future__ import annotations

from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import Elemental

_PAIRS = ((2.0, 3.0), (0.5, 0.25), (1.5, 1.5000001))

# fmt: off
ROWS: tuple[Elemental, ...] = (
    printed("xlogy", "x y", ("log(y)", "x / y if x != 0 or y != 0 else 0"),
            points=_PAIRS, ulps=2.2, domain="y > 0", known_as=("scipy.special.xlogy",)),
    printed("xlog1py", "x y", ("log1p(y)", "x / (1 + y) if x != 0 or y != -1 else 0"),
            points=_PAIRS, ulps=4.2, domain="y > -1",
            known_as=("scipy.special.xlog1py",)),
    printed("entr", "x", ("-log(x) - 1",), points=((0.5,), (2.0,), (1e-9,)), ulps=2.6,
            domain="x > 0", known_as=("scipy.special.entr",)),
    printed("log_ratio", "x y", ("1 / x", "-1 / y"), points=_PAIRS, ulps=3.2,
            domain="x * y > 0"),
    printed("rel_entr", "x y", ("1 + log_ratio(x, y)", "-(x / y)"), points=_PAIRS,
            ulps=3.2, domain="min(x, y) > 0", known_as=("scipy.special.rel_entr",)),
    printed("kl_div", "x y", ("log_ratio(x, y)", "(y - x) / y"), points=_PAIRS,
            ulps=6.0, domain="min(x, y) > 0", known_as=("scipy.special.kl_div",)),
)
# fmt: on
