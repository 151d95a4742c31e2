"""Laws of roots: values multiplied or divided by one twice, `(1 - r) * (1 + r)`."""

from __future__ import annotations

from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.laws.patterns import Args, args_of, if_real, is_number, scaled
from ad_transform.ir.monomial import Monomial, multiple
from ad_transform.ir.nodes import Apply, Literal, Operand, Var

_SUMS = frozenset({"add", "sub"})
_SQUARES = frozenset({"mul", "pow"})

_FEW = 16
"""Summands, and sums of them, among which squares are looked for."""


def mul_root(b: Builder, args: Args) -> Operand | None:
    # r * (c * r * x) -> c * q * x for the root r of q
    for r, x in (args, args[::-1]):
        q = _square(b, r)
        m = _without(b, x, r, "mul") if q is not None else None
        if m is not None and q is not None:
            return _together(b, m, "mul", q)
    return None


def div_root(b: Builder, args: Args) -> Operand | None:
    # c * x / r / r -> c * x / q for the root r of q
    x, r = args
    q = _square(b, r)
    m = _without(b, x, r, "div") if q is not None else None
    if m is None or q is None or (m.powers and _has_slope(b, m.powers[0][0], q)):
        return None
    return _together(b, m, "div", q)


def _has_slope(b: Builder, x: Operand, q: Operand) -> bool:
    """Whether x / r has the slope of r in it: the square of x, or of a factor of x, is
    among the first summands of q. Then x / r serves others, and so do its multiples.
    """
    factors = (x, *(args_of(b, x, "mul") or ()))
    waiting = [q]
    for part in waiting:  # grows while it is read
        made = b.definition.get(part) if isinstance(part, Var) else None
        if not isinstance(made, Apply):
            continue
        if made.op.name in _SUMS and len(waiting) < _FEW:
            waiting += made.args
        elif made.op.name in _SQUARES and made.args[0] in factors:
            return True
    return False


def conjugates(b: Builder, args: Args) -> Operand | None:
    # (1 - r) * (1 + r) -> 1 - q for the root r of q
    for less, more in (args, args[::-1]):
        minus = args_of(b, less, "sub")
        if minus is None or not is_number(minus[0], 1):
            continue
        plus = args_of(b, more, "add") or ()
        q = _square(b, minus[1])
        if q is not None and minus[1] in plus and any(is_number(x, 1) for x in plus):
            return b.apply("sub", Literal(1.0), q)
    return None


def _square(b: Builder, r: Operand) -> Operand | None:
    """The operand of a value that is a root: a float, or a number that is not 0."""
    root = args_of(b, r, "sqrt")
    if root is None or root[0].type.dims:
        return None
    (q,) = root
    return (q if q.value else None) if isinstance(q, Literal) else if_real(q)


def _without(b: Builder, x: Operand, r: Operand, op: str) -> Monomial[Operand] | None:
    """The constant and the rest of x if that is multiplied, or divided, by r."""
    m = scaled(b, x) or multiple(1.0, x)
    ((inner, _),) = m.powers
    if inner is r and op == "mul":
        return Monomial(m.constant)
    left, right = args_of(b, inner, op) or (None, None)
    if right is r:
        rest = left
    elif left is r and op == "mul":
        rest = right
    else:
        return None
    if isinstance(rest, Literal):
        return Monomial(number_of(rest)).scaled(m.constant)
    return Monomial(m.constant, ((rest, 1),))


def _together(b: Builder, m: Monomial[Operand], op: str, q: Operand) -> Operand:
    """The monomial c or c * x, multiplied or divided by q."""
    if isinstance(q, Literal):
        number: Monomial[Operand] = Monomial(number_of(q))
        m = m.times(number) if op == "mul" else m.over(number)
        value = m.powers[0][0] if m.powers else None
    else:
        value = b.apply(op, m.powers[0][0] if m.powers else Literal(1.0), q)
    constant = literal_of(m.constant)
    return b.apply("mul", constant, value) if value is not None else constant
