"""The value of a call as an operation that derivatives can go through.

It is no row of the table that users meet, for it stands in programs only while they are
differentiated: its value is its first argument, and its partials are arguments, too.
"""

from __future__ import annotations

from ad_transform.ir.elemental import EXACT, PYTHON, Elemental


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
