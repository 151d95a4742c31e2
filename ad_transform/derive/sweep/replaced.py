"""Adjoints of arrays of which a part is replaced: `x[i:j] = y`, where y reads x[i:j].

The adjoint of the old array is that of the new one with 0.0 at the part, and in it the
adjoint that the reader of the part gives: one array with another part. Of
`x[i:j] += v` it is the adjoint of the new array itself, and nothing has to be done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.elementals.indexed import OVERLAPPING
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Literal, Operand

Definitions = Mapping[Operand, Apply]
_ZERO = Literal(0.0)


def with_parts(
    builder: Builder, made: Definitions, terms: Sequence[Operand]
) -> list[Operand]:
    """The terms of an adjoint: one that is 0.0 at a part and one that is 0.0 elsewhere
    are one. `made` has the statements that make terms.
    """
    found = list(terms)
    for k, whole in enumerate(found):
        stored = made.get(whole)
        if stored is None or not _is_cleared(stored):
            continue
        for j, term in enumerate(found):
            placed = made.get(term)
            if placed is None or not _is_same_part(stored, placed):
                continue
            one = _stored(builder, made, stored, placed.args[0])
            if one is not None:
                found[min(j, k)] = one
                del found[max(j, k)]
                return with_parts(builder, made, found)
    return found


def _is_cleared(statement: Apply) -> bool:
    """Whether a statement stores 0.0 at a part."""
    return statement.op.name.startswith("stored_") and statement.args[1] == _ZERO


def _is_same_part(stored: Apply, placed: Apply) -> bool:
    """Whether a value is placed among zeros where another statement stores."""
    form = stored.op.name.removeprefix("stored_")
    return (
        placed.op.name == f"placed_{form}"
        and placed.args[2:] == stored.args[2:]
        and stored.out.type == placed.out.type
    )


def _stored(
    builder: Builder, made: Definitions, stored: Apply, value: Operand
) -> Operand | None:
    """The array with a value at the part; the array itself if it is there already. None
    where a place of the part may stand twice and gets the sum of other values.
    """
    array, _, *bounds = stored.args
    form = stored.op.name.removeprefix("stored_")
    overlaps = form in OVERLAPPING
    read = made.get(_last_alone(made, value) if overlaps else value)
    if read is not None and (read.op.name, read.args) == (form, (array, *bounds)):
        return array
    return None if overlaps else builder.apply(stored.op.name, array, value, *bounds)


def _last_alone(made: Definitions, value: Operand) -> Operand:
    """The value of which only the last of several at one place is not 0.0."""
    statement = made.get(value)
    while statement is not None and statement.op.name == "where":
        test, value, zero = statement.args
        if zero != _ZERO or not _is_of_last(made, test):
            break
        statement = made.get(value)
    return value


def _is_of_last(made: Definitions, test: Operand) -> bool:
    """Whether it asks if no later place is the same: see `elementals.indexed`."""
    statement = made.get(test)
    if statement is not None and statement.op.name == "column":
        statement = made.get(statement.args[0])
    if statement is None or statement.op.name != "eq":
        return False
    numbers = made.get(statement.args[1])
    return numbers is not None and numbers.op.name == "numbered"
