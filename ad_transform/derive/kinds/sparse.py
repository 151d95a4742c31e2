"""Sparse matrices: rows, columns and values of the entries that are not 0.

Relies on a derived function that returns a Jacobian or Hessian of known size, entry by
entry; only its result changes. An entry is left out where it is 0 whatever the numbers
are. Of a Hessian both triangles are given (contract, rule 17).
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.live import live
from ad_transform.ir.constants import as_real
from ad_transform.ir.count import count
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Function,
    Literal,
    Nest,
    Operand,
    Statement,
    Var,
    group,
)
from ad_transform.ir.types import Kind, Type
from ad_transform.ir.written.written_out import has_arrays, written_out
from ad_transform.ir.written.written_values import Unwritten

_WAY_OUT = (
    "give the arrays sizes, and go through them by known indices; or compute with "
    "whole arrays, by slices and index arrays instead of loops"
)


def in_numbers(function: Function, span: Span) -> Function:
    """The function over the elements of its arrays, each of which may be 0. A function
    of whole arrays of run-time length stays as it is.

    Raises Refusal (AD031) where that cannot be.
    """
    if not has_arrays(function):
        return function
    try:
        return written_out(function, TABLE)
    except Unwritten:
        return function


def sparse(made: Derived, name: str, span: Span) -> Derived:
    """The function with (rows, cols, values) in the place of its matrix.

    It is called `name`, or has `_sparse` behind its own name. Those of run-time size
    have been derived so (`vectors/coo.py`). Raises Refusal (AD031) for others of them.
    Linear in the entries.
    """
    function = made.function
    wanted = name or f"{function.name}_sparse"
    matrix = function.nest.items[-1] if made.value else function.nest
    # three arrays; a matrix of three rows that are written out holds numbers
    if len(matrix.items) == 3 and all(r.type.is_array for r in function.results[-3:]):
        return replace(made, function=replace(function, name=wanted))
    if any(item.is_leaf for item in matrix.items):
        message = "sparse matrices whose size only a run knows are not supported yet"
        raise Refusal(Diagnostic("AD031", message, span, _WAY_OUT))
    place = len(function.results) - matrix.leaves()
    entries = [
        (row, column, entry)
        for (row, column), entry in zip(
            _places(matrix), function.results[place:], strict=True
        )
        if not is_zero(entry)
    ]
    body: list[Statement] = list(function.body)
    ends = (
        _packed("rows", [Literal(row) for row, _, _ in entries], Kind.INT, body),
        _packed("cols", [Literal(column) for _, column, _ in entries], Kind.INT, body),
        _packed("values", [entry for *_, entry in entries], Kind.FLOAT, body),
    )
    results = (*function.results[:place], *ends)
    block = Block(function.block.params, live(tuple(body), results), results)
    vector = Nest(matrix.container, (LEAF,))
    nest = group((vector, vector, vector))
    if made.value:
        nest = group((*function.nest.items[:-1], nest))
    sized = replace(function, name=wanted, block=block, nest=nest)
    shape = len(matrix.items), len(matrix.items[0].items)
    return replace(made, function=sized, counts=count(sized), shape=shape)


def _places(matrix: Nest) -> list[tuple[int, int]]:
    return [
        (row, column)
        for row, items in enumerate(matrix.items)
        for column in range(len(items.items))
    ]


def _packed(
    hint: str, entries: Sequence[Operand], kind: Kind, body: list[Statement]
) -> Var:
    """A list of the entries, called `hint`."""
    numbers = [
        as_real(e) if kind is Kind.FLOAT and isinstance(e, Literal) else e
        for e in entries
    ]
    out = Var(Type(kind, (len(numbers),)), hint, named=True)
    if numbers:
        body.append(Apply(out, TABLE["pack"], tuple(numbers)))
    else:
        nothing = Literal(0) if kind is Kind.INT else Literal(0.0)
        body.append(Apply(out, TABLE["full"], (nothing, Literal(0))))
    return out
