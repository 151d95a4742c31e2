"""The laws by which derivative code is simplified: a table, each law its own comment.

A law takes the builder and the arguments of an operation and returns an equal, simpler
value, or None. Laws hold for finite values up to rounding; none is applied to what a
returned primal is computed from. `(x + y) - y` and `x / x` are left alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ad_transform.ir.build import Builder, Laws, Trait
from ad_transform.ir.nodes import Apply, Block, Branch, Literal, Operand, Var

Args = tuple[Any, ...]


def _value(operand: Operand) -> float | None:
    """The number that a literal stands for; None for anything else."""
    if isinstance(operand, Literal) and not isinstance(operand.value, str):
        return operand.value
    return None


def _is(operand: Operand, number: float) -> bool:
    return isinstance(operand, Literal) and operand.value == number


def _args_of(b: Builder, operand: Operand, op: str) -> Args | None:
    """The arguments of the operation `op` that made the operand, if one did."""
    made = b.definition.get(operand) if isinstance(operand, Var) else None
    if isinstance(made, Apply) and made.op.name == op:
        return made.args
    return None


def _negated(b: Builder, operand: Operand) -> Operand | None:
    """x if the operand is -x."""
    args = _args_of(b, operand, "neg")
    return args[0] if args else None


def _scaled(b: Builder, operand: Operand) -> tuple[float, Operand] | None:
    """(c, x) if the operand is c * x with a literal c."""
    args = _args_of(b, operand, "mul")
    if args is None:
        return None
    for c, x in (args, args[::-1]):
        value = _value(c)
        if value is not None and isinstance(x, Var):
            return value, x
    return None


def scale(b: Builder, c: float, x: Operand) -> Operand:
    """c * x."""
    return b.apply("mul", Literal(float(c)), x)


# --- folding -----------------------------------------------------------------------

_FOLDS: dict[str, Callable[..., float]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "neg": lambda x: -x,
    "sqrt": math.sqrt,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def _fold(op: str) -> Callable[[Builder, Args], Operand | None]:
    compute = _FOLDS[op]

    def fold(b: Builder, args: Args) -> Operand | None:
        values = [_value(a) for a in args]
        if any(v is None for v in values):
            return None
        try:
            result = compute(*values)
        except (ArithmeticError, ValueError):
            return None
        finite = not isinstance(result, float) or math.isfinite(result)
        return Literal(result) if finite else None

    return fold


def _fold_power(b: Builder, args: Args) -> Operand | None:
    # c ** n for a whole n, by multiplication alone (deterministic everywhere)
    base, exponent = _value(args[0]), _value(args[1])
    if base is None or exponent is None or exponent != int(exponent):
        return None
    if base == 0.0 and exponent < 0:
        return None
    result = 1.0
    for _ in range(min(abs(int(exponent)), 1024)):
        result *= base
    if abs(exponent) > 1024 or not math.isfinite(result) or result == 0.0 != base:
        return None
    return Literal(result if exponent >= 0 else 1.0 / result)


# --- sums --------------------------------------------------------------------------


def _add_zero(b: Builder, args: Args) -> Operand | None:
    x, y = args
    if _is(x, 0):  # 0 + x -> x
        return _real(y)
    if _is(y, 0):  # x + 0 -> x
        return _real(x)
    return None


def _real(x: Operand) -> Operand | None:
    return x if x.type.is_real else None


def _add_signs(b: Builder, args: Args) -> Operand | None:
    x, y = args
    nx, ny = _negated(b, x), _negated(b, y)
    if nx is not None and ny is not None:  # -x + -y -> -(x + y)
        return b.apply("neg", b.apply("add", nx, ny))
    if ny is not None:  # x + -y -> x - y
        return b.apply("sub", x, ny)
    if nx is not None:  # -x + y -> y - x
        return b.apply("sub", y, nx)
    return None


def _add_negative_multiple(b: Builder, args: Args) -> Operand | None:
    x, y = args
    for p, q in ((x, y), (y, x)):
        scaled = _scaled(b, q)
        if scaled and scaled[0] < 0:  # p + -c * q -> p - c * q
            positive = scale(b, -scaled[0], scaled[1])
            return b.apply("sub", p, positive)
    return None


def _collect(sign: int) -> Callable[[Builder, Args], Operand | None]:
    def collect(b: Builder, args: Args) -> Operand | None:
        # c * x + d * x -> (c + d) * x
        x, y = args
        c, u = _scaled(b, x) or (1.0, x)
        d, w = _scaled(b, y) or (1.0, y)
        if u is not w or not isinstance(u, Var) or not u.type.is_real:
            return None
        return scale(b, c + sign * d, u)

    return collect


def _sub_zero(b: Builder, args: Args) -> Operand | None:
    x, y = args
    if _is(y, 0):  # x - 0 -> x
        return _real(x)
    if _is(x, 0) and y.type.is_real:  # 0 - x -> -x
        return b.apply("neg", y)
    return None


def _sub_signs(b: Builder, args: Args) -> Operand | None:
    x, y = args
    ny = _negated(b, y)
    if ny is not None:  # x - -y -> x + y
        return b.apply("add", x, ny)
    nx = _negated(b, x)
    if nx is not None:  # -x - y -> -(x + y)
        return b.apply("neg", b.apply("add", nx, y))
    return None


def _sub_negative_multiple(b: Builder, args: Args) -> Operand | None:
    x, y = args
    scaled = _scaled(b, y)
    if scaled and scaled[0] < 0:  # x - -c * y -> x + c * y
        return b.apply("add", x, scale(b, -scaled[0], scaled[1]))
    return None


def _twice(b: Builder, args: Args) -> Operand | None:
    x, y = args
    return scale(b, 2.0, x) if x is y and x.type.is_real else None  # x + x -> 2 * x


def _nothing(b: Builder, args: Args) -> Operand | None:
    x, y = args
    return Literal(0.0) if x is y and x.type.is_real else None  # x - x -> 0


# --- products ----------------------------------------------------------------------


def _mul_unit(b: Builder, args: Args) -> Operand | None:
    for c, x in (args, args[::-1]):
        if not x.type.is_real:
            continue
        if _is(c, 0):  # 0 * x -> 0
            return Literal(0.0)
        if _is(c, 1):  # 1 * x -> x
            return _real(x)
        if _is(c, -1):  # -1 * x -> -x
            return b.apply("neg", x)
    return None


def _mul_signs(b: Builder, args: Args) -> Operand | None:
    x, y = args
    nx, ny = _negated(b, x), _negated(b, y)
    if nx is not None and ny is not None:  # -x * -y -> x * y
        return b.apply("mul", nx, ny)
    for n, other in ((nx, y), (ny, x)):
        if n is not None:  # -x * y -> -(x * y)
            return b.apply("neg", b.apply("mul", n, other))
    return None


def _mul_constants(b: Builder, args: Args) -> Operand | None:
    for c, x in (args, args[::-1]):
        value, scaled = _value(c), _scaled(b, x)
        if value is not None and scaled:  # c * (d * x) -> (c * d) * x
            return scale(b, float(value) * scaled[0], scaled[1])
    return None


def _mul_mask(b: Builder, args: Args) -> Operand | None:
    # (1 if t else 0) * x -> x if t else 0: the arm not taken contributes nothing,
    # whatever x is
    for mask, x in (args, args[::-1]):
        made = b.definition.get(mask) if isinstance(mask, Var) else None
        if isinstance(made, Branch) and isinstance(x, Var) and _is_mask(made):
            return _masked(b, made, x)
    return None


def _is_mask(branch: Branch) -> bool:
    """Whether every arm of a branch of one result comes out as 0, 1 or -1."""
    if len(branch.outs) > 1:
        return False
    pending = [branch.then, branch.orelse]
    for block in pending:
        result = block.results[0]
        made = {out: s for s in block.body for out in s.outs}
        inner = made.get(result) if isinstance(result, Var) else None
        if isinstance(inner, Branch) and len(inner.outs) == 1:
            pending += [inner.then, inner.orelse]
        elif _value(result) not in (0.0, 1.0, -1.0):
            return False
    return True


def _masked(b: Builder, mask: Branch, x: Var) -> Operand:
    """The branch with both arms multiplied by x, inside the arms."""
    then, orelse = _times(b, mask.then, x), _times(b, mask.orelse, x)
    return b.branch(mask.test, (*mask.args, x), then, orelse)[0]


def _times(b: Builder, block: Block, x: Var) -> Block:
    """The block with a further parameter that its result is multiplied by."""
    inner = b.inner()
    params = tuple(Var(p.type, p.hint) for p in (*block.params, x))
    (factor,) = inner.graft(block, params[:-1])
    return inner.block(params, (inner.apply("mul", factor, params[-1]),))


# --- quotients ---------------------------------------------------------------------


def _div_unit(b: Builder, args: Args) -> Operand | None:
    x, y = args
    if _is(x, 0):  # 0 / x -> 0
        return Literal(0.0)
    if _is(y, 1):  # x / 1 -> x
        return _real(x)
    if _is(y, -1) and x.type.is_real:  # x / -1 -> -x
        return b.apply("neg", x)
    return None


def _div_power_of_two(b: Builder, args: Args) -> Operand | None:
    x, y = args
    c = _value(y)
    if c is not None and c != 0 and abs(math.frexp(c)[0]) == 0.5 and 2**-99 < c < 2**99:
        return scale(b, 1.0 / c, x)  # x / 2 -> 0.5 * x, exactly
    return None


def _div_signs(b: Builder, args: Args) -> Operand | None:
    x, y = args
    nx, ny = _negated(b, x), _negated(b, y)
    if nx is not None and ny is not None:  # -x / -y -> x / y
        return b.apply("div", nx, ny)
    if nx is not None:  # -x / y -> -(x / y)
        c = _value(y)
        if c is not None:  # -x / c -> x / -c
            return b.apply("div", nx, Literal(-float(c)))
        return b.apply("neg", b.apply("div", nx, y))
    if ny is not None:  # x / -y -> -(x / y), c / -y -> -c / y
        c = _value(x)
        if c is not None:
            return b.apply("div", Literal(-float(c)), ny)
        return b.apply("neg", b.apply("div", x, ny))
    return None


def _div_constants(b: Builder, args: Args) -> Operand | None:
    x, y = args
    c, scaled = _value(y), _scaled(b, x)
    if c is not None and c != 0 and scaled:  # (c * x) / d -> (c / d) * x
        return scale(b, scaled[0] / float(c), scaled[1])
    return None


# --- signs and powers --------------------------------------------------------------


def _neg_signs(b: Builder, args: Args) -> Operand | None:
    (x,) = args
    nx = _negated(b, x)
    if nx is not None:  # -(-x) -> x
        return nx
    difference = _args_of(b, x, "sub")
    if difference:  # -(x - y) -> y - x
        return b.apply("sub", difference[1], difference[0])
    scaled = _scaled(b, x)
    if scaled:  # -(c * x) -> -c * x
        return scale(b, -scaled[0], scaled[1])
    quotient = _args_of(b, x, "div")
    if quotient:  # -(c / x) -> -c / x
        c = _value(quotient[0])
        if c is not None:
            return b.apply("div", Literal(-float(c)), quotient[1])
    return None


_MOST = 64  # powers up to this exponent cost fewer multiplications than a call of pow


def _power(b: Builder, args: Args) -> Operand | None:
    x, y = args
    exponent = _value(y)
    if exponent is None or not x.type.is_real:
        return None
    known = b.find("pow", x, y)
    if exponent not in (0, 1) and known is not None:
        return known
    if exponent == int(exponent) and abs(exponent) <= _MOST:
        return whole_power(b, x, int(exponent))
    return _ROOTS[exponent](b, x) if exponent in _ROOTS else None


def whole_power(b: Builder, x: Operand, n: int) -> Operand:
    """x ** n by repeated squaring."""
    if n < 0:  # x ** -n -> 1 / x ** n
        return b.apply("div", Literal(1.0), whole_power(b, x, -n))
    result: Operand | None = None
    square = x
    while n:
        if n & 1:
            result = square if result is None else b.apply("mul", result, square)
        n >>= 1
        if n:
            square = b.apply("mul", square, square)
    return Literal(1.0) if result is None else result  # x ** 0 -> 1


_ROOTS: dict[float, Callable[[Builder, Operand], Operand]] = {
    0.5: lambda b, x: b.apply("sqrt", x),
    -0.5: lambda b, x: b.apply("div", Literal(1.0), b.apply("sqrt", x)),
    1.5: lambda b, x: b.apply("mul", x, b.apply("sqrt", x)),
}


def _never_zero(b: Builder, args: Args) -> Operand | None:
    # c ** x != 0 -> True for c > 0: where it underflows, its multiples are 0 anyway
    x, y = args
    power = _args_of(b, x, "pow") or _args_of(b, x, "math_pow")
    if power and _is(y, 0) and (_value(power[0]) or 0.0) > 0.0:
        return Literal(True)
    return None


_LITERAL = int(Trait.LITERAL)
_NEGATED = int(Trait.NEGATED)
_SCALED = int(Trait.SCALED)
_POWER = int(Trait.POWER)
_BRANCH = int(Trait.BRANCH)
_ANY = int(Trait.ANY)

# fmt: off
LAWS: Laws = {
    "add":      ((_LITERAL, _fold("add")), (_LITERAL, _add_zero),
                 (_NEGATED, _add_signs), (_SCALED, _collect(1)), (_ANY, _twice),
                 (_SCALED, _add_negative_multiple)),
    "sub":      ((_LITERAL, _fold("sub")), (_LITERAL, _sub_zero),
                 (_NEGATED, _sub_signs), (_SCALED, _collect(-1)), (_ANY, _nothing),
                 (_SCALED, _sub_negative_multiple)),
    "mul":      ((_LITERAL, _fold("mul")), (_LITERAL, _mul_unit),
                 (_NEGATED, _mul_signs), (_SCALED, _mul_constants),
                 (_BRANCH, _mul_mask)),
    "div":      ((_LITERAL, _fold("div")), (_LITERAL, _div_unit),
                 (_LITERAL, _div_power_of_two), (_NEGATED, _div_signs),
                 (_SCALED, _div_constants)),
    "neg":      ((_LITERAL, _fold("neg")), (_ANY, _neg_signs)),
    "pow":      ((_LITERAL, _fold_power), (_LITERAL, _power)),
    "math_pow": ((_LITERAL, _fold_power), (_LITERAL, _power)),
    "sqrt":     ((_LITERAL, _fold("sqrt")),),
    "ne":       ((_LITERAL, _fold("ne")), (_POWER, _never_zero)),
    **{name: ((_LITERAL, _fold(name)),) for name in ("eq", "lt", "le", "gt", "ge")},
}
# fmt: on
