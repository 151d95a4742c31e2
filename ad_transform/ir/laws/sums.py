"""Laws of sums and differences; `(x + y) - y` is left alone."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.ir.build import Builder
from ad_transform.ir.decimals import total
from ad_transform.ir.laws.patterns import (
    Args,
    if_real,
    is_number,
    negated,
    scaled,
    write,
)
from ad_transform.ir.monomial import multiple
from ad_transform.ir.nodes import Block, Branch, Literal, Operand, Var


def add_zero(b: Builder, args: Args) -> Operand | None:
    x, y = args
    if is_number(x, 0):  # 0 + x -> x
        return if_real(y)
    if is_number(y, 0):  # x + 0 -> x
        return if_real(x)
    return None


def add_signs(b: Builder, args: Args) -> Operand | None:
    x, y = args
    nx, ny = negated(b, x), negated(b, y)
    if nx is not None and ny is not None:  # -x + -y -> -(x + y)
        return b.apply("neg", b.apply("add", nx, ny))
    if ny is not None:  # x + -y -> x - y
        return b.apply("sub", x, ny)
    if nx is not None:  # -x + y -> y - x
        return b.apply("sub", y, nx)
    return None


def add_negative_multiple(b: Builder, args: Args) -> Operand | None:
    x, y = args
    for p, q in ((x, y), (y, x)):
        m = scaled(b, q)
        if m and m.constant < 0:  # p + -c * q -> p - c * q
            return b.apply("sub", p, write(b, m.positive))
    return None


def collect(sign: int) -> Callable[[Builder, Args], Operand | None]:
    def collect(b: Builder, args: Args) -> Operand | None:
        # c * x + d * x -> (c + d) * x
        x, y = args
        m = scaled(b, x) or multiple(1.0, x)
        n = scaled(b, y) or multiple(1.0, y)
        ((u, _),), ((w, _),) = m.powers, n.powers
        if u is not w or not isinstance(u, Var) or not u.type.is_real:
            return None
        return write(b, multiple(total(m.constant, n.signed(sign).constant), u))

    return collect


def sub_zero(b: Builder, args: Args) -> Operand | None:
    x, y = args
    if is_number(y, 0):  # x - 0 -> x
        return if_real(x)
    if is_number(x, 0) and y.type.is_real:  # 0 - x -> -x
        return b.apply("neg", y)
    return None


def minus_zero(b: Builder, args: Args) -> Operand | None:
    x, y = args
    return if_real(x) if is_number(y, 0) else None  # x - 0 -> x


def sub_signs(b: Builder, args: Args) -> Operand | None:
    x, y = args
    ny = negated(b, y)
    if ny is not None:  # x - -y -> x + y
        return b.apply("add", x, ny)
    nx = negated(b, x)
    if nx is not None:  # -x - y -> -(x + y)
        return b.apply("neg", b.apply("add", nx, y))
    return None


def sub_negative_multiple(b: Builder, args: Args) -> Operand | None:
    x, y = args
    m = scaled(b, y)
    if m and m.constant < 0:  # x - -c * y -> x + c * y
        return b.apply("add", x, write(b, m.positive))
    return None


def twice(b: Builder, args: Args) -> Operand | None:
    x, y = args
    if x is y and x.type.is_real:  # x + x -> 2 * x
        return write(b, multiple(2.0, x))
    return None


def nothing(b: Builder, args: Args) -> Operand | None:
    x, y = args
    return Literal(0.0) if x is y and x.type.is_real else None  # x - x -> 0


def merge_branches(op: str) -> Callable[[Builder, Args], Operand | None]:
    def merge(b: Builder, args: Args) -> Operand | None:
        # (x if t else y) + (z if t else w) -> x + z if t else y + w
        one, two = (b.definition.get(a) for a in args)
        if not (isinstance(one, Branch) and isinstance(two, Branch)):
            return None
        if one.test is not two.test or not (_is_plain(one) and _is_plain(two)):
            return None
        arms = [
            _both(b, op, *blocks)
            for blocks in ((one.then, two.then), (one.orelse, two.orelse))
        ]
        return b.branch(one.test, (*one.args, *two.args), arms[0], arms[1])[0]

    return merge


def _is_plain(branch: Branch) -> bool:
    """Whether a branch only picks a value."""
    return len(branch.outs) == 1 and not (branch.then.body or branch.orelse.body)


def _both(b: Builder, op: str, one: Block, two: Block) -> Block:
    inner = b.inner()
    params = tuple(Var(p.type, p.hint) for p in (*one.params, *two.params))
    (x,) = inner.inline(one, params[: len(one.params)])
    (y,) = inner.inline(two, params[len(one.params) :])
    return inner.block(params, (inner.apply(op, x, y),))
