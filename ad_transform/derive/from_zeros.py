"""Large matrices that are mostly 0: zeros in which the other entries are written.

Relies on a derived function that returns a Jacobian or Hessian of known size, entry by
entry; only its result changes. An array of nested lists costs each entry some fifty
nanoseconds, the zeros among them; an array of zeros costs next to nothing.
"""

from __future__ import annotations

from dataclasses import replace

from ad_transform.derive.kinds import Derived
from ad_transform.derive.linearise import is_zero
from ad_transform.derive.lines import Lines
from ad_transform.ir.constants import as_real
from ad_transform.ir.nodes import LEAF, Block, Container, Literal, Nest, group

LARGE = 36
"""Entries from which on a matrix is large."""

SPARSE = 3
"""It is mostly 0 if it has that many entries for each that is not 0."""

_WHOLE = group((LEAF,), Container.ARRAY)


def from_zeros(made: Derived) -> Derived:
    """The function with its matrix, the last result, made from zeros if it is mostly 0.

    Linear in the entries.
    """
    function = made.function
    is_group = function.nest.container is Container.TUPLE and function.nest.items
    matrix = function.nest.items[-1] if is_group else function.nest
    if not _is_matrix(matrix):
        return made
    rows, columns = len(matrix.items), len(matrix.items[0].items)
    place = len(function.results) - rows * columns
    entries = [(k, e) for k, e in enumerate(function.results[place:]) if not is_zero(e)]
    if rows * columns < max(LARGE, SPARSE * len(entries)):
        return made
    text = Lines(list(function.body))
    hint = "hess" if made.kind == "hessian" else "jac"
    found = text.apply("matrix", Literal(rows), Literal(columns), hint=hint)
    for k, entry in entries:
        value = as_real(entry) if isinstance(entry, Literal) else entry
        at = Literal(k // columns), Literal(k % columns)
        found = text.apply("put_pick_both", found, value, *at, hint=hint)
    results = (*function.results[:place], text.apply("done", found, hint=hint))
    block = Block(function.block.params, tuple(text.body), results)
    nest = _WHOLE
    if is_group:
        nest = replace(function.nest, items=(*function.nest.items[:-1], _WHOLE))
    return replace(made, function=replace(function, block=block, nest=nest))


def _is_matrix(nest: Nest) -> bool:
    """Whether it is an array of rows of numbers that are known one by one."""
    is_array = nest.container is Container.ARRAY
    return is_array and all(
        item.items and all(map(_is_number, item.items)) for item in nest.items
    )


def _is_number(nest: Nest) -> bool:
    return nest.is_leaf
