"""Laws of magnitudes: x times its sign, as the slope of `abs` has it, is `abs(x)`."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.ir.build import Builder
from ad_transform.ir.constants import number_of
from ad_transform.ir.decimals import total
from ad_transform.ir.laws.patterns import Args, args_of, is_number, value_of
from ad_transform.ir.nodes import Apply, Block, Branch, Literal, Operand, Var

_ONE, _ZERO = Literal(1.0), Literal(0)

_MOST = 8
"""Factors up to which a product is searched for x, and taken apart."""


def mul_sign(b: Builder, args: Args) -> Operand | None:
    # x * y * (z if x > 0 else -z if x < 0 else 0) -> abs(x) * y * z: with powers of
    # abs(x) in y that has a value at 0, too
    for sign, product in (args, args[::-1]):
        made = b.definition.get(sign) if isinstance(sign, Var) else None
        found = _signed(b, made) if isinstance(made, Branch) else None
        if found is not None:
            return _without(b, sign, found, product)
    return None


def mul_sign_of_array(b: Builder, args: Args) -> Operand | None:
    # the same of arrays: x * where(x > 0, 1, where(x < 0, -1, 0)) -> abs(x)
    for sign, product in (args, args[::-1]):
        chosen = args_of(b, sign, "where") if sign.type.shape else None
        above = args_of(b, chosen[0], "gt") if chosen else None
        other = args_of(b, chosen[2], "where") if chosen and above else None
        if not chosen or not above or not other or not is_number(chosen[1], 1):
            continue
        rest = args_of(b, other[0], "lt")
        is_sign = rest == above and is_number(other[1], -1) and is_number(other[2], 0)
        if is_sign and is_number(above[1], 0):
            return _without(b, sign, (above[0], _ONE), product)
    return None


def _without(
    b: Builder, sign: Operand, found: tuple[Operand, Operand], product: Operand
) -> Operand | None:
    """The product with a sign of x times z; None where it is left as it is."""
    x, z = found
    size = b.find("abs", x) or b.find("fabs", x)
    if size is None:
        return None
    factors = _factors(b, product, x)
    if x not in factors:
        return _each(b, product, sign, x, size)
    factors.remove(x)
    whole = _raised(b, [*factors, *_factors(b, z, x)], size)
    return whole or b.apply("mul", _product(b, [size, *factors]), z)


def _each(
    b: Builder, y: Operand, sign: Operand, x: Operand, size: Operand
) -> Operand | None:
    """(x * y + u) * sign as abs(x) * y + u * sign, where y has a power that is singular
    at 0 and abs(x) * y has not.
    """
    for op in ("add", "sub"):
        terms = args_of(b, y, op) or ()
        parts = [_factors(b, term, x) for term in terms]
        if any(x in own and _place(b, own, size) for own in parts):
            made = (b.apply("mul", term, sign) for term in terms)
            return b.apply(op, *made)
    return None


def _raised(b: Builder, factors: list[Operand], size: Operand) -> Operand | None:
    """The product with abs(x), which is `size`, where that raises a power of it."""
    found = _place(b, factors, size)
    if found is None:
        return None
    k, more = found
    return _product(b, [*factors[:k], *more, *factors[k + 1 :]])


def _place(
    b: Builder, factors: list[Operand], size: Operand
) -> tuple[int, tuple[Operand, ...]] | None:
    """The place of a power that another factor `size` raises, and what it is then."""
    for k, factor in enumerate(factors):
        more = _one_higher(b, factor, factors, size)
        if more is not None:
            return k, more
    return None


def _one_higher(
    b: Builder, factor: Operand, others: list[Operand], size: Operand
) -> tuple[Operand, ...] | None:
    """The factors of size * factor, where the factor is a power of it, or a quotient by
    its root: z**(y - 1) is z**y, and 1 / sqrt(z) is sqrt(z).
    """
    made = b.definition.get(factor) if isinstance(factor, Var) else None
    if isinstance(made, Branch):
        power = _guarded(b, made, size)
        return (power[0],) if power is not None and power[1] in others else None
    if not isinstance(made, Apply):
        return None
    if made.op.name in ("pow", "math_pow") and made.args[0] == size:
        power_of = _one_more(b, made.args[1])
        known = None if power_of is None else _known(b, size, power_of)
        return None if known is None else (known,)
    if made.op.name == "div" and args_of(b, made.args[1], "sqrt") == (size,):
        return made.args
    return None


def _known(b: Builder, x: Operand, y: Operand) -> Operand | None:
    return b.find("pow", x, y) or b.find("math_pow", x, y)


def _one_more(b: Builder, y: Operand) -> Operand | None:
    """n for y = n - 1, as a slope has it."""
    if value_of(y) is not None:
        return Literal(total(number_of(y), 1.0)) if isinstance(y, Literal) else None
    less = args_of(b, y, "sub")
    return less[0] if less and is_number(less[1], 1) else None


def _guarded(
    b: Builder, slope: Branch, size: Operand
) -> tuple[Operand, Operand] | None:
    """(z**y, y) of `z**(y - 1) if z != 0 or y != 0 else 0`, where z is `size`."""
    if len(slope.outs) != 1 or not is_number(slope.orelse.results[0], 0):
        return None
    env = _entered(slope.then, slope.args)
    power = _made(slope.then, slope.then.results[0], "pow")
    less = _made(slope.then, power[1], "sub") if power else None
    if not power or not less or not is_number(less[1], 1):
        return None
    y = env.get(less[0])
    if y is None or env.get(power[0]) != size or not _is_either(b, slope, size, y):
        return None
    known = _known(b, size, y)
    return None if known is None else (known, y)


def _is_either(b: Builder, slope: Branch, x: Operand, y: Operand) -> bool:
    """Whether the test of a branch is `x != 0 or y != 0`."""
    test = b.definition.get(slope.test) if isinstance(slope.test, Var) else None
    if not isinstance(test, Branch) or not is_number(test.then.results[0], True):
        return False
    one = args_of(b, test.test, "ne")
    other = _made(test.orelse, test.orelse.results[0], "ne")
    if one != (x, _ZERO) or not other or other[1] != _ZERO:
        return False
    return _entered(test.orelse, test.args).get(other[0]) == y


def _signed(b: Builder, branch: Branch) -> tuple[Operand, Operand] | None:
    """(x, z) of `z if x > 0 else -z if x < 0 else 0`."""
    above = args_of(b, branch.test, "gt")
    last = branch.orelse.body[-1] if branch.orelse.body else None
    if not above or above[1] != _ZERO or branch.then.body or len(branch.outs) != 1:
        return None
    if not isinstance(last, Branch) or branch.orelse.results != last.outs:
        return None
    below = _made(branch.orelse, last.test, "lt")
    inner = _entered(branch.orelse, branch.args)
    if not below or inner.get(below[0]) != above[0] or below[1] != _ZERO:
        return None
    down = _negated(last.then, _entered(last.then, last.args))
    up = branch.then.results[0]
    z = _entered(branch.then, branch.args).get(up, up)
    is_same = down is not None and inner.get(down, down) == z and z.type.is_real
    return (above[0], z) if is_same and is_number(last.orelse.results[0], 0) else None


def _negated(block: Block, env: Mapping[Operand, Operand]) -> Operand | None:
    """z if a block gives -z."""
    result = block.results[0]
    if isinstance(result, Literal):
        return _ONE if is_number(result, -1) else None
    made = _made(block, result, "neg")
    return env.get(made[0]) if made else None


def _made(block: Block, value: Operand, op: str) -> Args | None:
    """The arguments of the operation `op` that makes a value in a block."""
    for statement in block.body:
        if isinstance(statement, Apply) and statement.out == value:
            return statement.args if statement.op.name == op else None
    return None


def _entered(block: Block, args: Args) -> Mapping[Operand, Operand]:
    """The values of the parameters of a block."""
    return dict(zip(block.params, args, strict=True))


def _factors(b: Builder, product: Operand, x: Operand) -> list[Operand]:
    """The factors of a product of no more than _MOST, where x is one even if it is a
    product itself; else the product.
    """
    found = [product]
    while len(found) <= _MOST:
        for k, factor in enumerate(found):
            inner = None if factor == x else args_of(b, factor, "mul")
            if inner is not None:
                found[k : k + 1] = inner
                break
        else:
            return found
    return [product]


def _product(b: Builder, factors: list[Operand]) -> Operand:
    made, *rest = factors
    for factor in rest:
        made = b.apply("mul", made, factor)
    return made
