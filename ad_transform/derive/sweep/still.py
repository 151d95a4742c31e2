"""Factors that are the same in all trips of a loop are multiplied first, in front of
it.

In `2.0 * (x_bar * mu * x)` of a trip back, 2.0 and mu are the same as in the trip
before: `2.0 * mu * x_bar * x` leaves two multiplications a trip of three. Only
derivative code is regrouped, and only products of which nothing else reads a part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from functools import reduce
from itertools import chain

from ad_transform.dataclass import replace
from ad_transform.derive.sweep.runs import Solved
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var
from ad_transform.ir.typing import result_type

MUL = TABLE["mul"]


def grouped(solved: Solved, still: Set[Operand]) -> Solved:
    """The code of a run with its products regrouped; `still` are values from outside.

    Linear.
    """
    if not still:
        return solved
    parts = _parts(solved)
    fixed = {o for s in solved.added for o in s.inputs if o in still}
    made: dict[Statement, list[Statement]] = {}
    for statement in solved.added:
        if type(statement) is Apply and statement.out.type.is_real:
            if not _moving(statement.args, fixed):
                fixed.add(statement.out)
            elif (
                statement.op is MUL
                and statement.out not in parts
                and not parts.keys().isdisjoint(statement.args)  # else it is alone
            ):
                made |= _regrouped(statement, parts, fixed)
    added = (s for old in solved.added for s in made.get(old, [old]))
    return replace(solved, added=tuple(added)) if made else solved


def _moving(operands: Iterable[Operand], fixed: Set[Operand]) -> list[Operand]:
    """The operands that differ from trip to trip."""
    return [o for o in operands if type(o) is not Literal and o not in fixed]


def _parts(solved: Solved) -> dict[Operand, Apply]:
    """The products that are read once, as a factor of another one."""
    read = Counter(chain(*[s.inputs for s in solved.added], *solved.entries))
    products = [s for s in solved.added if type(s) is Apply and s.op is MUL]
    factors = {arg for product in products for arg in product.args}
    return {s.out: s for s in products if s.out in factors and read[s.out] == 1}


def _regrouped(
    product: Apply, parts: Mapping[Operand, Apply], fixed: Set[Operand]
) -> dict[Statement, list[Statement]]:
    """New statements for those of a product, if they are fewer in each trip."""
    own: list[Apply] = []
    factors: list[Operand] = []
    waiting: list[Operand] = [*reversed(product.args)]
    while waiting:
        factor = waiting.pop()
        part = parts.get(factor)
        if part is None:
            factors.append(factor)
        else:
            own.append(part)
            waiting += reversed(part.args)
    others = _moving(factors, fixed)
    lasting = [f for f in factors if type(f) is Literal or f in fixed]
    now = 1 + sum(part.out not in fixed for part in own)
    if not lasting or not others or len(others) >= now:
        return {}
    made: list[Statement] = []

    def times(a: Operand, b: Operand) -> Operand:
        made.append(Apply(Var(result_type(MUL, (a, b))), MUL, (a, b)))
        return made[-1].outs[0]

    *first, last = others
    whole = reduce(times, (*lasting, *first))
    made.append(Apply(product.out, MUL, (whole, last)))
    return {**{part: [] for part in own}, product: made}
