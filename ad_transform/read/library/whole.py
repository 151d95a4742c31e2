"""Whole numbers and truth values with which numpy computes otherwise than Python."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, INT
from ad_transform.read.values.values import Draft, Value

_NAMES = (
    "add subtract multiply mod remainder fmod floor_divide power pow reciprocal square "
    "negative positive sign"
)
_WHOLE = frozenset(f"numpy.{name}" for name in _NAMES.split(" "))
"""Functions whose result is whole where all arguments are: of 64 bits, and -1 has no
power, a quotient by 0 is 0, the sum of two truths is true."""

_EXACT = frozenset(
    f"numpy.{name}" for name in (
        "abs", "absolute", "maximum", "minimum", "fmax", "fmin", "clip"
    )
)  # fmt: skip
"""Functions of whole numbers that give what Python's own do; truth among them is 1."""

_CONVERT = frozenset({"numpy.float64", "numpy.double"})
LOGICAL = frozenset(
    f"numpy.{name}" for name in (
        "bitwise_and", "bitwise_or", "logical_and", "logical_not", "logical_or"
    )
)  # fmt: skip
"""Functions of truth values."""

_TAKING_ALL = _CONVERT | LOGICAL
_LEAST, _MOST = -(2**63), 2**63 - 1


def objection(name: str, values: Sequence[Value]) -> str:
    """The reason why numpy would compute otherwise than Python; empty if there is none.

    `numpy.reciprocal(2)` is 0, `numpy.exp(True)` has three digits, and a number
    beyond 64 bits is none for numpy.
    """
    if not name.startswith("numpy.") or name in _TAKING_ALL or not values:
        return ""
    if any(map(_is_too_long, values)):
        return "of a whole number beyond 64 bits is an error in numpy"
    types = [v.type for v in values if isinstance(v, Draft | Literal)]
    if len(types) < len(values):
        return ""
    if all(type_ == BOOL for type_ in types):
        return "of truth values alone is no float64 in numpy"
    if name in _EXACT and BOOL not in types:
        return ""
    if name in _WHOLE | _EXACT and all(type_ in (INT, BOOL) for type_ in types):
        return "of whole numbers is computed by numpy with 64 bits, not as in Python"
    return ""


def _is_too_long(value: Value) -> bool:
    number = value.value if isinstance(value, Literal) else 0
    return isinstance(number, int) and not _LEAST <= number <= _MOST
