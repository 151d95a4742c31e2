"""Programs of constants whose numbers only a run knows: `K = math.exp(2.0)`.

The output in Python has them as text, as the source does; other languages compute them
by these programs, which are functions without arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Function,
    Operand,
    Parameter,
    Passing,
    Var,
)
from ad_transform.read.values.values import Draft

if TYPE_CHECKING:
    from ad_transform.read.project.shared import Shared, Unknown

_MOST = 100
"""The most operations of a constant that has a program."""


def programs(shared: Shared) -> Mapping[str, Function]:
    """The programs of constants by name, each behind those that it reads.

    A constant with a branch or too many operations has none, nor has one that reads
    such a constant.
    """
    found: dict[str, Function] = {}
    for constant in shared.unknown.values():
        made = _program(shared, constant)
        if made is not None and all(p.name in found for p in made.parameters):
            found[constant.name] = made
    return found


def _program(shared: Shared, constant: Unknown) -> Function | None:
    """The operations of a constant, in order; None if it has others.

    The constants that it reads are its parameters.
    """
    made: dict[Operand | Draft, Operand] = {}
    read: list[Parameter] = []
    body: list[Apply] = []
    waiting = [constant.value]
    while waiting:
        draft = waiting[-1]
        other, operation = shared.unknown.get(draft), shared.made.get(draft)
        if draft in made:
            waiting.pop()
        elif other is not None:
            made[draft] = var = Var(draft.type, draft.hint)
            read.append(Parameter(other.name, (var,), LEAF, None, Passing.MODULE))
        elif operation is None or len(body) == _MOST:
            return None
        else:
            op, args = operation
            left = [a for a in args if isinstance(a, Draft) and a not in made]
            waiting += left
            if not left:
                given = tuple(made[a] if isinstance(a, Draft) else a for a in args)
                name = constant.name if draft is constant.value else ""
                hint = "" if "." in name else name
                made[draft] = out = Var(draft.type, hint, draft.span, bool(hint))
                body.append(Apply(out, op, given))
    params = tuple(var for parameter in read for var in parameter.vars)
    block = Block(params, tuple(body), (made[constant.value],))
    return Function(constant.name, tuple(read), block, LEAF, 1)
