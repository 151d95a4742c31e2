"""Functions of any number of arguments, and the fused multiply-add."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ad_transform.elementals.helpers import run
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import COMPILED, Elemental, Form

_THREE = ((0.5, -1.25, 3.0), (2.0, 4.0, -0.75))
_LENGTH = "(v if v != 0 else 1e999)"
_FOUR = ((0.5, -1.25, 3.0, 0.25), (2.0, 4.0, -0.75, 1.5))


def _halves(args: Sequence[float]) -> tuple[Sequence[float], Sequence[float]]:
    return args[: len(args) // 2], args[len(args) // 2 :]


def _dist(*args: float) -> float:
    return math.dist(*_halves(args))


def _sum(*args: float) -> float:
    return sum(args)


def _sum_from(start: float, *args: float) -> float:
    return sum(args, start)


def _fsum(*args: float) -> float:
    return math.fsum(args)


def _sumprod(*args: float) -> float:
    return run("_sumprod", *map(tuple, _halves(args)))


def _fma(x: float, y: float, z: float) -> float:
    return run("_fma", x, y, z)


# fmt: off
ROWS: tuple[Elemental, ...] = (
    # Python 3.12 compensates the sum of floats: it must stay a call (contract, rule 15)
    row("sum", "*x", ("1",), _sum, spelling="sum(x)", result="promote", points=_THREE,
        ulps=math.inf, source="depends on the Python that runs it",
        form=Form.TOTAL, cancels=("x",), takes_complex=True),
    row("sum_from", "start *x", ("1", "1"), _sum_from, spelling="sum(x, start)",
        result="promote", points=_THREE,
        ulps=math.inf, source="depends on the Python that runs it",
        form=Form.TOTAL, cancels=("start", "x"), takes_complex=True),
    row("fsum", "*x", ("1",), _fsum, points=_THREE,
        elsewhere={COMPILED: "_fsum(0.0, x)"}, form=Form.TOTAL, cancels=("x",)),
    # at 0 the divisor is infinite: no derivative of any order is anything but 0 there
    row("hypot", "*x", (f"x / {_LENGTH}",), math.hypot, points=_THREE,
        ulps=1.0, portable=2.0, core_math=True, source="what Python promises",
        spelling="math.hypot(*x)", form=Form.NONEXPANSIVE, never_negative=True,
        guard=("x / v if v > 1e-290 else 1",), kink="hypot'(0) = 0"),
    row("dist", "*p *q", (f"(p - q) / {_LENGTH}", f"(q - p) / {_LENGTH}"), _dist,
        points=_FOUR, ulps=1.6, portable=4.0, form=Form.NONEXPANSIVE,
        never_negative=True, kink="dist'(0) = 0",
        guard=("(p - q) / v if v > 1e-290 else 1", "(q - p) / v if v > 1e-290 else 1"),
        source="differences are rounded, then their norm"),
    row("sumprod", "*p *q", ("q", "p"), _sumprod, points=_FOUR,
        ulps=1.0, portable=1.0, source="what Python promises",
        form=Form.PRODUCT_SUM, cancels=("p * q", "p * q"),
        spelling="_sumprod(p, q)", since=(3, 12)),
    row("fma", "x y z", ("y", "x", "1"), _fma, spelling="_fma(x, y, z)", points=_THREE,
        elsewhere={COMPILED: "math.fma(x, y, z)"},
        form=Form.PRODUCT_SUM, cancels=("x * y", "x * y", "z"),
        known_as=("math.fma",), since=(3, 13)),
)
# fmt: on
