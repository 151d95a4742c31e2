"""Laws of products."""

from __future__ import annotations

from ad_transform.ir.build import Builder
from ad_transform.ir.laws.patterns import (
    Args,
    args_of,
    if_real,
    is_number,
    negated,
    scaled_or_inverse,
    value_of,
    write,
)
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Statement,
    Var,
    hint_of,
)


def mul_unit(b: Builder, args: Args) -> Operand | None:
    for c, x in (args, args[::-1]):
        if not x.type.is_real:
            continue
        if is_number(c, 0):  # 0 * x -> 0
            return Literal(0.0)
        if is_number(c, 1):  # 1 * x -> x
            return if_real(x)
        if is_number(c, -1):  # -1 * x -> -x
            return b.apply("neg", x)
    return None


def mul_signs(b: Builder, args: Args) -> Operand | None:
    x, y = args
    nx, ny = negated(b, x), negated(b, y)
    if nx is not None and ny is not None:  # -x * -y -> x * y
        return b.apply("mul", nx, ny)
    for n, other in ((nx, y), (ny, x)):
        if n is not None:  # -x * y -> -(x * y)
            return b.apply("neg", b.apply("mul", n, other))
    return None


def mul_constants(b: Builder, args: Args) -> Operand | None:
    for c, x in (args, args[::-1]):
        value = value_of(c)
        m = scaled_or_inverse(b, x) if value is not None else None
        if (
            m and value is not None
        ):  # c * (d * x) -> (c * d) * x, c * (d / x) -> c d / x
            return write(b, m.scaled(value))
    return None


def mul_array(b: Builder, args: Args) -> Operand | None:
    # a * (c * y) -> (c * a) * y of an array y and a number a: one pass over the array
    for a, x in (args, args[::-1]):
        factors = None if a.type.is_array else args_of(b, x, "mul")
        for c, y in (factors, factors[::-1]) if factors else ():
            if isinstance(c, Literal) and y.type.shape:
                return b.apply("mul", b.apply("mul", c, a), y)
    return None


def mul_mask(b: Builder, args: Args) -> Operand | None:
    # (1 if t else 0) * x -> x if t else 0: the arm not taken contributes nothing,
    # whatever x is
    for mask, x in (args, args[::-1]):
        made = b.definition.get(mask) if isinstance(mask, Var) else None
        if isinstance(made, Branch) and is_mask(made):
            then, orelse = _times(b, made.then, x), _times(b, made.orelse, x)
            return b.branch(made.test, (*made.args, x), then, orelse)[0]
    return None


_LEAVES = 8
"""Arms up to which a product is moved into them."""


def is_mask(branch: Branch) -> bool:
    """Whether a product with a branch moves into its arms.

    The arms are numbers, or shares `1 / n`. One of them is 0, which must not meet an
    infinity; or all but one are 1 or -1, so that no product is added.
    """
    if len(branch.outs) > 1:
        return False
    leaves: list[float | None] = []
    pending = [branch.then, branch.orelse]
    for block in pending:
        result = block.results[0]
        made = {out: s for s in block.body for out in s.outs}
        inner = made.get(result) if isinstance(result, Var) else None
        if isinstance(inner, Branch) and len(inner.outs) == 1:
            pending += [inner.then, inner.orelse]
        elif isinstance(result, Literal) or _is_share(inner):
            leaves.append(value_of(result))
        else:
            return False
        if len(pending) > 2 * _LEAVES:
            return False
    others = sum(leaf not in (0.0, 1.0, -1.0) for leaf in leaves)
    return 0.0 in leaves or others <= 1


def _is_share(made: Statement | None) -> bool:
    return (
        isinstance(made, Apply) and made.op.name == "div" and is_number(made.args[0], 1)
    )


def _times(b: Builder, block: Block, x: Operand) -> Block:
    """The block with a further parameter that its result is multiplied by."""
    inner = b.inner()
    params = tuple(Var(p.type, p.hint) for p in block.params)
    more = Var(x.type, hint_of(x))
    (factor,) = inner.inline(block, params)
    multiplier = x if isinstance(x, Literal) else more
    quotient = args_of(inner, factor, "div")
    if quotient and is_number(quotient[0], 1):  # 1 / n * x -> x / n
        product = inner.apply("div", multiplier, quotient[1])
    else:
        product = inner.apply("mul", factor, multiplier)
    return inner.block((*params, more), (product,))
