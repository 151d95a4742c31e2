"""Records among the results of a function, written as the tuples that they are: these
are laid out as other results.
"""

from __future__ import annotations

from collections.abc import Iterator

from ad_transform.dataclass import replace
from ad_transform.ir.nodes import (
    LEAF,
    Function,
    Nest,
    Operand,
    Record,
    one_or_tuple,
)


def spread(function: Function) -> Function:
    """The function with the values of its records among its results."""
    records: dict[Operand, Record] = {
        s.out: s for s in function.body if isinstance(s, Record)
    }
    found = [records[r] for r in function.results if r in records]
    if not found:
        return function
    results = iter(function.results)
    held: list[Operand] = []
    nest = _spread(function.nest, results, records, held)
    body = tuple(s for s in function.body if s not in found)
    block = replace(function.block, body=body, results=tuple(held))
    return replace(function, nest=nest, block=block)


def _spread(
    nest: Nest,
    results: Iterator[Operand],
    records: dict[Operand, Record],
    held: list[Operand],
) -> Nest:
    if not nest.is_leaf:
        items = (_spread(item, results, records, held) for item in nest.items)
        return replace(nest, items=tuple(items))
    result = next(results)
    if result not in records:
        held.append(result)
        return LEAF
    args = records[result].args
    held += args
    return one_or_tuple(len(args))
