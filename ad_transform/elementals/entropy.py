"""Terms of entropies and likelihoods. Errors as in `normal`."""

from __future__ import annotations

from ad_transform.elementals.conditions import INF, above, both, near, only_if
from ad_transform.elementals.rows import printed
from ad_transform.ir.elemental import Box, Curve, Elemental

_PAIRS = ((2.0, 3.0), (0.5, 0.25), (1.5, 1.5000001))

_POSITIVE = both(above("x"), above("y"))
_BOTH = "d < 0.25 * x if e < 0.25 * y else False"
_TURN = "d * (d / x) + 2 * d * (e / y) + 1.25 * x * (e / y) * (e / y)"

# fmt: off
ROWS: tuple[Elemental, ...] = (
    printed("xlogy", "x y", ("log(y)", "x / y if x != 0 or y != 0 else 0"),
            points=_PAIRS, ulps=2.2, domain="y > 0", guard=above("y"),
            amplifies=("abs(v)", "abs(x)"),
            enclosure=Box(only_if(
                "e < 0.25 * y", "abs(log(y)) * d + (abs(x) + d) * (1.2 * e / y)")),
            known_as=("scipy.special.xlogy",)),
    printed("xlog1py", "x y", ("log1p(y)", "x / (1 + y) if x != 0 or y != -1 else 0"),
            points=_PAIRS, ulps=4.2, domain="y > -1",
            guard=above("y", "-0.99999999999"),
            enclosure=Box(only_if(
                "e < 0.25 * (1 + y)",
                "abs(log1p(y)) * d + (abs(x) + d) * (1.2 * e / (1 + y))")),
            known_as=("scipy.special.xlog1py",)),
    printed("entr", "x", ("-log(x) - 1",), points=((0.5,), (2.0,), (1e-9,)), ulps=2.6,
            domain="x > 0", guard=above("x"), amplifies=("abs(v)", "abs(x)"),
            enclosure=Curve(f"(-log(x) - 1) if x > 0 else {INF}", 1,
                            near("2 / x * d", "0.25 * x")),
            known_as=("scipy.special.entr",)),
    printed("log_ratio", "x y", ("1 / x", "-1 / y"), points=_PAIRS, ulps=3.2,
            domain="x * y > 0", guard=_POSITIVE, amplifies=("abs(v)", "1"),
            enclosure=Box(only_if(_BOTH, "1.4 * (d / x) + 1.4 * (e / y)"))),
    printed("rel_entr", "x y", ("1 + log_ratio(x, y)", "-(x / y)"), points=_PAIRS,
            ulps=3.2, domain="min(x, y) > 0", guard=_POSITIVE,
            amplifies=("abs(v)", "abs(x)"), fades=("", "(x / y if y > 0 else 1)"),
            enclosure=Box(only_if(
                _BOTH, f"abs(1 + log_ratio(x, y)) * d + x / y * e + {_TURN}")),
            known_as=("scipy.special.rel_entr",)),
    printed("kl_div", "x y", ("log_ratio(x, y)", "(y - x) / y"), points=_PAIRS,
            ulps=6.0, domain="min(x, y) > 0", guard=_POSITIVE,
            amplifies=("abs(x - y)", "y"),
            enclosure=Box(only_if(
                _BOTH,
                f"abs(log_ratio(x, y)) * d + abs((y - x) / y) * e + {_TURN}")),
            known_as=("scipy.special.kl_div",)),
)
# fmt: on
