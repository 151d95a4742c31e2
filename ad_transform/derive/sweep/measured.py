"""Arrays whose shape alone a backward pass reads: any other like them will do.

A value placed among zeros like `A` may be placed among zeros like another array of the
same type that is there anyway, such as the adjoint of `A`: nobody hands `A` over for
that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.derive.wholes.only_shapes import LIKE
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Apply, Operand, Statement
from ad_transform.ir.types import Type


def measured(
    statements: Sequence[Statement], there: Iterable[Operand]
) -> tuple[Statement, ...]:
    """The statements with arrays that are `there` in the place of others of which they
    read the shape alone. Linear.
    """
    models: dict[Type, Operand] = {}
    there = tuple(there)
    for value in there:
        if value.type.shape and ANY not in value.type.shape and not value.type.dims:
            models.setdefault(value.type, value)
    if not models:
        return tuple(statements)
    known = set(there)
    return tuple(_by_models(s, models, known) for s in statements)


def _by_models(
    statement: Statement, models: dict[Type, Operand], known: set[Operand]
) -> Statement:
    if not isinstance(statement, Apply):
        return statement
    name = statement.op.name
    place = 1 if name.startswith("placed_") else LIKE.get(name)
    if place is None or statement.args[place] in known:
        return statement
    model = models.get(statement.args[place].type)
    if model is None:
        return statement
    args = (*statement.args[:place], model, *statement.args[place + 1 :])
    return Apply(statement.out, statement.op, args)
