"""Jacobians and Hessians with whole arrays of numpy: the part that `columns` leaves to
them.

The matrix is an array of numpy that is filled column by column, or row by row where all
results are numbers. A column of a whole array is written in one statement.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.derive.accumulation.accumulate import Task
from ad_transform.derive.accumulation.outcome import Outcome, as_it_stands
from ad_transform.derive.kinds.lines import Lines, Operands
from ad_transform.derive.request import Request, flat
from ad_transform.elementals.whole import LENGTHS, OF_LIST
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var

_ZERO = Literal(0.0)


def are_whole(values: Sequence[Operand]) -> bool:
    """Whether there is a whole array among some values."""
    return any(value.type.shape for value in values)


def sizes(text: Lines, value: Operand, known: Sequence[Operand] = ()) -> Operands:
    """The lengths of a whole array along its axes, asked of a known array of its shape
    if there is one.
    """
    shape = value.type.shape
    like = (x for x in known if x.type.shape == shape and ANY not in shape)
    array = next(like, value)
    return tuple(
        Literal(n) if isinstance(n, int) else text.apply(op, array)
        for op, n in zip(LENGTHS, shape, strict=False)
    )


def matrix(text: Lines, rows: Operand, columns: Operand) -> Var:
    """A matrix of zeros, to be filled in."""
    return text.apply("matrix", rows, columns, hint="matrix")


def unit(text: Lines, x: Operand, indices: Operands, place: Operand) -> Operand:
    """The unit vector along one element of a whole array, `place` in C order."""
    hint = f"{x.hint}_dot" if isinstance(x, Var) and x.hint else ""
    if len(indices) > 2:
        zeros = text.apply("zeros_beside", text.apply("raveled", x))
        changed = text.apply("put_pick", zeros, Literal(1.0), place)
        return text.apply("unraveled", text.apply("done", changed), x, hint=hint)
    zeros = text.apply("zeros_beside", x, hint=hint)
    op = "put_pick" if len(indices) == 1 else "put_pick_both"
    changed = text.apply(op, zeros, Literal(1.0), *indices, hint=hint)
    return text.apply("done", changed, hint=hint)


def stored(text: Lines, m: Var, tangent: Operand, first: Operand, at: Operand) -> Var:
    """The matrix with a whole array in one of its columns, from a row on."""
    last = text.plus(first, text.apply("count", tangent))
    return text.apply("put_in_column", m, _line(text, tangent), first, last, at)


def _line(text: Lines, value: Operand) -> Operand:
    """The elements of an array in C order."""
    if value.type.dims:
        value = text.apply(OF_LIST[len(value.type.dims)], value)
    return text.apply("raveled", value) if len(value.type.shape) > 1 else value


def mirrored(text: Lines, full: Operand) -> Var:
    """The matrix with its lower triangle in place of the upper one."""
    strict = text.apply("turned", text.apply("lower_only", full))
    return text.apply("add", text.apply("lower", full), strict)


def by_rows(r: Request, kept: int) -> Outcome:
    """The first results of a function of numbers, and its Jacobian, row by row."""
    builder, results = r.copied(r.function, len(r.primal))
    columns = r.independents.columns
    task = Task(
        columns, results, (lambda m: (*results[:kept], *flat(m)),), len(r.primal)
    )
    outcome = r.run(builder, task)
    text = Lines(list(outcome.body))
    places = text.places([_all_sizes(text, x) for x in columns])
    made = matrix(text, Literal(len(results)), places[-1])
    zeros = {out for s in text.body if _is_zero(s) for out in s.outs}
    entries = (_ZERO if e in zeros else e for e in outcome.results[kept:])
    for row in range(len(results)):
        for x, first, last in zip(columns, places[:-1], places[1:], strict=True):
            made = _in_row(text, made, next(entries), x, (Literal(row), first, last))
    given = (*outcome.results[:kept], text.apply("done", made))
    return as_it_stands(text.body, given, r.options, outcome.order, outcome.idle)


def _is_zero(statement: Statement) -> bool:
    """Whether a statement makes an array of zeros, which the matrix has already."""
    is_made = isinstance(statement, Apply) and statement.op.name == "spread"
    return is_made and statement.inputs[0] == _ZERO


def _all_sizes(text: Lines, x: Operand) -> Operands:
    return text.sizes(x) if x.type.dims else sizes(text, x)


def _in_row(text: Lines, m: Var, entry: Operand, x: Operand, at: Operands) -> Var:
    row, first, last = at
    if entry == _ZERO:
        return m
    if not x.type.is_array:
        return text.apply("put_pick_both", m, entry, row, first)
    return text.apply("put_in_row", m, _line(text, entry), row, first, last)
