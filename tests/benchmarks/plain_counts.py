"""What derivatives cost by the algorithms as they stand, without reuse of anything.

The model of Yoshida's Table 2, column b: every operation has its partials computed anew
for each direction, each is multiplied by a tangent or adjoint, and the products are
added. Only what depends on an independent and has a share in the result is counted, and
a partial of 1 or -1 is no product. Whole powers are products, as ADDS has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ad_transform.ir.nodes import Apply, Block, Derivative, Function, Literal, Operand

UNIT = -1
"""The price of a partial that is 1 or -1: nothing is multiplied by it."""

PARTIALS: dict[str, tuple[int, ...]] = {
    "add": (UNIT, UNIT),
    "sub": (UNIT, UNIT),
    "neg": (UNIT,),
    "mul": (0, 0),
    "div": (1, 2),  # 1 / y, -v / y
    "sqrt": (1,),  # 0.5 / v
    "exp": (0,),
    "log": (1,),
    "sin": (1,),
    "cos": (2,),
    "atan": (3,),  # 1 / (1 + x * x)
}
_POWERS = {1: 0, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}
"""Products that make whole powers."""


def price(apply: Apply) -> int:
    """The operations of one statement."""
    if apply.op.name == "pow":
        return _POWERS[_exponent(apply)]
    return 0 if apply.op.name == "float" else 1


def _exponent(apply: Apply) -> int:
    exponent = apply.args[1]
    assert isinstance(exponent, Literal)
    return int(exponent.value)


def _partials(apply: Apply) -> Sequence[int]:
    if apply.op.name == "pow":
        return (1 + _POWERS[_exponent(apply) - 1],)
    if apply.op.name == "sum":
        return (UNIT,) * len(apply.args)
    return PARTIALS[apply.op.name]


Price = Callable[[Block, Sequence[Operand]], int]


def plain_price(function: Function, operator: str) -> tuple[int, int]:
    """The operations of a function alone, and with its one operator."""
    own = [s for s in function.body if isinstance(s, Apply)]
    (made,) = (s for s in function.body if isinstance(s, Derivative))
    alone = sum(map(price, own))
    columns = made.block.params[: made.count]
    return alone, alone + OPERATORS[operator](made.block, columns)


OPERATORS: dict[str, Price] = {
    "dfu": lambda b, x: sum(_sweep(b, (c,), b.results, forth=True) for c in x),
    "dfd": lambda b, x: sum(_sweep(b, x, (r,), forth=False) for r in b.results),
    "dfuv": lambda b, x: _sweep(b, x, b.results, forth=True),
    "dfdv": lambda b, x: _sweep(b, x, b.results, forth=False),
}


def _sweep(
    block: Block, columns: Sequence[Operand], rows: Iterable[Operand], *, forth: bool
) -> int:
    """One direction: tangents of all operations, or adjoints of all arguments."""
    varied, wanted = set(columns), set(rows)
    steps = [s for s in block.body if isinstance(s, Apply)]
    for step in steps:
        if not varied.isdisjoint(step.args):
            varied.add(step.out)
    for step in reversed(steps):
        if step.out in wanted:
            wanted.update(step.args)
    total, seen = 0, set[Operand]()
    for step in steps if forth else reversed(steps):
        if step.out not in varied or step.out not in wanted:
            continue
        terms = [
            (arg, cost)
            for arg, cost in zip(step.args, _partials(step), strict=False)
            if arg in varied
        ]
        total += sum(cost + 1 for _, cost in terms)
        if forth:
            total += len(terms) - 1
        for arg, _ in terms if not forth else ():
            total += arg in seen
            seen.add(arg)
    return total
