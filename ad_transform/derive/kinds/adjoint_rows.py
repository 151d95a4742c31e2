"""Jacobians of a few numbers by arrays of run-time length: row by row.

One reverse sweep carries the adjoints of all results beside one another, and each
result's are a row. By columns there would be a forward sweep for every element.
"""

from __future__ import annotations

from ad_transform.derive.accumulation.accumulate import Task
from ad_transform.derive.accumulation.outcome import Outcome, as_it_stands
from ad_transform.derive.kinds.columns import dim, done, place
from ad_transform.derive.kinds.lines import Lines, Operands
from ad_transform.derive.request import Request, flat
from ad_transform.ir.nodes import Literal, Operand, Var
from ad_transform.ir.types import FLOAT, Type

_MOST = 8
"""Results of which the adjoints are carried beside one another."""


def is_by_adjoints(r: Request) -> bool:
    """Whether a Jacobian is one of a few numbers, and a matrix of lists is wanted."""
    results = r.function.results
    ends = (*results, *r.independents.columns)
    are_numbers = not any(result.type.is_array for result in results)
    is_few = are_numbers and len(results) <= _MOST
    return is_few and not r.sparse and not any(end.type.shape for end in ends)


def by_adjoints(r: Request, kept: int) -> Outcome:
    """The first results of a function of numbers, and its Jacobian by rows."""
    count = len(r.primal)
    builder, results = r.copied(r.function, count)
    columns = r.independents.columns
    units = tuple(
        tuple(Literal(1.0 if row == k else 0.0) for k in range(len(results)))
        for row in range(len(results))
    )
    task = Task(
        columns,
        results,
        (lambda m: (*results[:kept], *flat(m)),),
        count,
        adjoints=units,
    )
    outcome = r.run(builder, task)
    text = Lines()  # lengths first: the function may change its parameters
    places = text.places([text.sizes(x) for x in columns])
    text.body += outcome.body
    type_ = Type(FLOAT.kind, (len(results), dim(columns)))
    rows = Literal(len(results))
    matrix = text.apply("grid", Literal(0.0), rows, places[-1], declared=type_)
    entries = iter(outcome.results[kept:])
    for row in range(len(results)):
        for first in places[:-1]:
            matrix = _stored(text, matrix, next(entries), (Literal(row), first))
    given: Operands = (
        *outcome.results[:kept],
        done(r, text, matrix, (rows, places[-1])),
    )
    return as_it_stands(text.body, given, r.options, outcome.order, outcome.idle)


def _stored(text: Lines, matrix: Var, entry: Operand, at: Operands) -> Var:
    """The matrix with the adjoints of an independent in a row, from a column on."""
    row, first = at
    if entry == Literal(0.0):
        return matrix

    def fill(inner: Lines, indices: Operands, m: Var) -> Var:
        column, value = first, entry
        if indices:
            column = inner.plus(first, place(inner, entry, indices))
            value = inner.apply("get", entry, *indices)
        return inner.apply("set", m, value, row, column, hint=m.hint)

    return text.each(text.sizes(entry), matrix, fill)
