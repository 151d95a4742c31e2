"""Parts of joined arrays with numbers for their ends, where the shapes tell them.

Adjoints of joined arrays read `y[: len(a)]`: of `y` that is one longer than `a` this is
`y[:-1]`, of which it is known how long it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY, Dim, plus, times
from ad_transform.ir.nodes import Apply, Block, Function, Literal, Operand
from ad_transform.ir.typing import DECLARED

_FORMS = {"sliced_to": "cut_to", "sliced_from": "cut_from"}


def told(function: Function) -> Function:
    """The function with known ends of parts as numbers, and the lengths that follow."""
    builder = Builder(TABLE, {})
    env: dict[Operand, Operand] = {}
    lengths: dict[Operand, Dim] = {}
    for statement in function.body:
        if not isinstance(statement, Apply):
            builder.body.append(statement.over(env))
            continue
        args = tuple(env.get(a, a) for a in statement.inputs)
        name, out = statement.op.name, statement.out
        if name == "length" and args[0].type.shape:
            lengths[out] = args[0].type.shape[0]
        bound = _bound(name, args, lengths)
        if bound is not None:
            form = TABLE[_FORMS[name]]
            env[out] = builder.keep(form, (args[0], bound), out.hint, out.span)
        elif args == statement.inputs or statement.op.result == DECLARED:
            builder.body.append(Apply(out, statement.op, args))
        else:
            env[out] = builder.keep(statement.op, args, out.hint, out.span)
    results = tuple(env.get(result, result) for result in function.results)
    block = Block(function.block.params, tuple(builder.body), results)
    return replace(function, block=block)


def _bound(
    name: str, args: Sequence[Operand], lengths: dict[Operand, Dim]
) -> Literal | None:
    """The end of a part as a number, counted from either end of the array."""
    if name not in _FORMS or len(args[0].type.shape) != 1:
        return None
    if isinstance(args[1], Literal):
        return args[1]
    if args[1] not in lengths:
        return None
    whole, size = args[0].type.shape[0], lengths[args[1]]
    if isinstance(size, int):
        return Literal(size)
    if ANY in (whole, size):
        return None
    rest = plus(whole, times(size, -1))
    return Literal(-rest) if isinstance(rest, int) and rest > 0 else None
