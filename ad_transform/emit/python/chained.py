"""Two comparisons of one value are a chain: `0 <= k < n` for `0 <= k and k < n`."""

from __future__ import annotations

from ad_transform.emit.python.expressions import Expression

_DOWN = {" < ": "<", " <= ": "<="}
_UP = {" > ": "<", " >= ": "<="}

Chain = tuple[tuple[str, str], tuple[Expression, Expression, Expression]]
"""The signs of a chain, each "<" or "<=", and what it compares."""


def chained(one: Expression, other: Expression) -> Chain | None:
    """The chain that says what two comparisons say, if there is one.

    It evaluates the same operands in the same order, but for names and numbers.
    """
    first, second = _ascending(one), _ascending(other)
    if first is None or second is None:
        return None
    (sign, low, middle), (then, below, high) = first, second
    if _is_same(middle, below):
        return (sign, then), (low, middle, high)
    if _is_same(low, high) and middle.is_atom and below.is_atom:
        return (then, sign), (below, low, middle)
    return None


def _ascending(piece: Expression) -> tuple[str, Expression, Expression] | None:
    """A comparison with the lesser operand first."""
    if piece.bound is None or len(piece.bound.parts) != 3:
        return None
    sign = piece.bound.parts[1]
    if sign in _DOWN:
        low, high = piece.args
        return _DOWN[sign], low, high
    if sign in _UP:
        high, low = piece.args
        return _UP[sign], low, high
    return None


def _is_same(one: Expression, other: Expression) -> bool:
    """Whether both are the same name."""
    return one.is_atom and one.var is not None and one.var is other.var
