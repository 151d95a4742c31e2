"""Values as operations that derivatives, or errors, can go through.

They are no rows of the table that users meet: they stand in programs only while these
are differentiated. The value is the first argument. The others are facts about it:
partials or an error.
"""

from __future__ import annotations

from typing import Any

from ad_transform.dataclass import replace
from ad_transform.elementals.pieces import TIE
from ad_transform.ir.elemental import CORRECT, EXACT, PYTHON, Elemental, Form


def _first(value: float, *_: float) -> float:
    return value


GIVEN = Elemental(
    name="given",
    parameters=("value", "*args", "*slopes"),
    result="float",
    partials=("0", "slopes", "0"),
    compute=_first,
    spellings={PYTHON: "value"},
    ulps=EXACT,
    classes=(),
)
"""`value`, which depends on each of `args` by the slope at its place."""


SOLVED = replace(
    GIVEN,
    name="solved",
    parameters=("value", "error", "*residuals", "*slopes"),
    partials=("0", "0", "slopes", "0"),
    ulps=CORRECT,
    form=Form.SOLVED,
)
"""`value`, off by `error`, which depends on each of `residuals` by a slope."""


def _standing(name: str, kink: str = "") -> Elemental:
    return Elemental(
        name=name,
        parameters=("value", "other"),
        result="float",
        partials=("0", "1"),
        compute=_first,
        spellings={PYTHON: "value"},
        ulps=EXACT,
        classes=(),
        kink=kink,
        stands=True,
    )


PASSIVE = replace(
    GIVEN,
    name="passive",
    parameters=("value",),
    partials=("0",),
    stands=True,
)
"""`value`, which depends on nothing as far as derivatives go."""

TWIN = _standing("twin")
"""`value`, which is `other` by another way, and has its derivative."""

LENGTH = _standing("length_as", "hypot'(0) = 0")
"""`value`, the length of a vector, with the derivative of `other`."""

SHARED = {op: _standing(f"{op}_shared", TIE.format(op)) for op in ("max", "min")}
"""`value`, the largest or smallest element of an array, with the derivative of `other`,
the mean of all that are equal to it.
"""


def _inexact(name: str, parameters: tuple[str, ...], **known: Any) -> Elemental:
    return Elemental(
        name=name,
        parameters=parameters,
        result="float",
        partials=("1", *("0" for _ in parameters[1:])),
        compute=_first,
        spellings={PYTHON: "value"},
        classes=(),
        **known,
    )


OFF = _inexact("off", ("value", "error", "size"), form=Form.OFF)
"""`value`, computed less exact by `error`; it is a sum of terms up to `size`."""

WITHIN = _inexact("within", ("value", "most"), form=Form.WITHIN)
"""`value`, in error by `most` at most."""

ERRED = _inexact("erred", ("value", "*totals"), form=Form.CALLED)
"""`value`, with an error of these `totals` of a model for an adjoint of 1."""

ROUNDED = _inexact("rounded", ("value",), form=Form.ROUNDED, ulps=CORRECT)
"""`value`, which has been rounded to nearest."""
