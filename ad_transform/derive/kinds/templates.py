"""Matrices that are mostly constant: a copy of a template gets the other entries.

Relies on a derived function that returns a Jacobian or Hessian of known size, entry by
entry; only its result changes. An array of nested lists costs each entry some thirty
nanoseconds, the constants among them; a store costs forty. A copy of an array that the
output holds as a constant costs as much as four stores, and an array of zeros no more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.constants.module_arrays import ModuleArrays
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.derive.kinds.lines import Lines
from ad_transform.ir.constants import as_real
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Container,
    Literal,
    Nest,
    Operand,
    Var,
    group,
)

SMALL = 9
"""Entries below which a matrix is written as nested lists, whatever it holds."""

LARGE = 36
"""Entries from which on a matrix is large."""

SPARSE = 3
"""It is mostly 0 if it has that many entries for each that is not 0."""

FEW = 2
"""Constants that are stored into zeros before a template is worth its lines."""

WIDE = 12
"""Columns above which nobody reads the rows of a template."""

_WHOLE = group((LEAF,), Container.ARRAY)

Entries = Sequence[Operand]


def from_template(made: Derived, arrays: ModuleArrays) -> Derived:
    """The function with its last result, the matrix, made from a template or from
    zeros, if most entries are constant or 0. Linear in the entries.
    """
    function = made.function
    is_group = function.nest.container is Container.TUPLE and function.nest.items
    matrix = function.nest.items[-1] if is_group else function.nest
    if not _is_matrix(matrix):
        return made
    rows, columns = len(matrix.items), len(matrix.items[0].items)
    kept = function.results[: -rows * columns]
    entries = [_real(entry) for entry in function.results[len(kept) :]]
    hint = "hess" if made.kind == "hessian" else "jac"
    text = Lines(list(function.body))
    parameters = function.parameters
    if _is_mostly_constant(entries, columns):
        numbers = [e if isinstance(e, Literal) else Literal(0.0) for e in entries]
        template = arrays.of((rows, columns), numbers, function.name)
        parameters = (*parameters, template.parameter())
        written = [k for k, e in enumerate(entries) if isinstance(e, Var)]
        copy = "own" if written else "copied"
        found = text.apply(copy, *parameters[-1].vars, hint=hint)
        made = replace(made, arrays=(*made.arrays, template))
    elif _is_mostly_zero(entries):
        found = text.apply("matrix", Literal(rows), Literal(columns), hint=hint)
        written = [k for k, e in enumerate(entries) if not is_zero(e)]
    else:
        return made
    for k in written:
        at = Literal(k // columns), Literal(k % columns)
        found = text.apply("put_pick_both", found, entries[k], *at, hint=hint)
    result = text.apply("done", found, hint=hint) if written else found
    results = (*kept, result)
    params = tuple(var for p in parameters for var in p.vars)
    block = Block(params, tuple(text.body), results)
    nest = _WHOLE
    if is_group:
        nest = replace(function.nest, items=(*function.nest.items[:-1], _WHOLE))
    own = replace(function, parameters=parameters, block=block, nest=nest)
    return replace(made, function=own)


def _is_mostly_constant(entries: Entries, columns: int) -> bool:
    """Whether a copy of the matrix's constants is cheaper, and all are finite."""
    constants = [e for e in entries if isinstance(e, Literal)]
    told = sum(not is_zero(constant) for constant in constants)
    return (
        len(entries) >= SMALL
        and columns <= WIDE
        and 2 * len(constants) >= len(entries)
        and told > (FEW if _is_mostly_zero(entries) else 0)
        and all(math.isfinite(float(e.value)) for e in constants)
    )


def _is_mostly_zero(entries: Entries) -> bool:
    others = sum(not is_zero(entry) for entry in entries)
    return len(entries) >= max(LARGE, SPARSE * others)


def _real(entry: Operand) -> Operand:
    return as_real(entry) if isinstance(entry, Literal) else entry


def _is_matrix(nest: Nest) -> bool:
    """Whether a result is an array of rows of single numbers."""
    is_array = nest.container is Container.ARRAY
    return is_array and all(
        item.items and all(map(_is_number, item.items)) for item in nest.items
    )


def _is_number(nest: Nest) -> bool:
    return nest.is_leaf
