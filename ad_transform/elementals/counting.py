"""Functions of whole numbers that only a run knows: factorials, numbers of choices, and
bits. They have no derivatives.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import COMPILED, EXACT, Elemental


def _counted(
    name: str, parameters: str, point: tuple[int, ...], compiled: str, own: str = ""
) -> Elemental:
    """A row for a function of `math` with its spelling in compiled languages; `own` is
    its name in the IR if that differs.
    """
    compute: Callable[..., int] = getattr(math, name)
    partials = ("0",) * len(parameters.split())
    return row(
        own or name,
        parameters,
        partials,
        compute,
        spelling=f"math.{name}({', '.join(parameters.split())})",
        result="length",
        points=(point,),
        ulps=EXACT,
        elsewhere={COMPILED: compiled},
    )


def _of_bits(name: str, sign: str, compute: Callable[[int, int], int]) -> Elemental:
    return row(
        name,
        "x y",
        ("0", "0"),
        compute,
        spelling=f"x {sign} y",
        classes=("select",),
        result="length",
        points=((12, 3),),
        ulps=EXACT,
        elsewhere={COMPILED: f"_{name}(x, y)"},
    )


# fmt: off
ROWS: tuple[Elemental, ...] = (
    _counted("factorial", "n",   (5,),    "_whole_rising(0, n, False)"),
    _counted("comb",      "n k", (7, 3),  "_whole_rising(n - k, k, True)"),
    _counted("perm",      "n k", (7, 3),  "_whole_rising(n - k, k, False)"),
    _counted("gcd",       "x y", (12, 8), "_gcd(x, y)"),
    _counted("lcm",       "x y", (12, 8), "_lcm(x, y)"),
    _counted("isqrt",     "n",   (17,),   "_whole_root(n)", "whole_root"),
    row("pow_in_ring", "x y modulus", ("0",) * 3, pow, spelling="pow(x, y, modulus)",
        result="length", points=((7, 5, 12),), ulps=EXACT),
    _of_bits("bit_and",     "&",  operator.and_),
    _of_bits("bit_or",      "|",  operator.or_),
    _of_bits("bit_xor",     "^",  operator.xor),
    _of_bits("shift_left",  "<<", operator.lshift),
    _of_bits("shift_right", ">>", operator.rshift),
)
# fmt: on
