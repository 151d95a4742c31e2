"""The functions whose calls hand arrays in error over, or get such arrays.

A function that calls itself has partials, unless arrays matter to its calls. Lists that
are parameters of the first function and are handed on unchanged do not: they bring no
error along.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.called import callees_of, reached
from ad_transform.ir.nodes import Block, Call, Function, Operand, Scan, While


def with_arrays(function: Function, helpers: Sequence[Function]) -> set[str]:
    """The names of those helpers, and of others that call them and are called by them.
    Linear.
    """
    found = set()
    for helper in helpers:
        params, results = helper.block.params, helper.results
        if any(v.type.shape for v in params) or any(r.type.is_array for r in results):
            found.add(helper.name)
    for own in (function, *helpers):
        lists = frozenset(p for p in own.block.params if p.type.dims)
        found.update(_given(own.block, lists))
    callees = {helper.name: callees_of(helper) for helper in helpers}
    below = {name: reached(callees, name) for name in callees}
    around = (
        {other for other in below[name] if name in below[other]}
        for name in found & callees.keys()
    )
    return found.union(*around)


def _given(block: Block, given: Set[Operand]) -> Iterator[str]:
    """The callees of calls with arrays that are not `given` to the block."""
    waiting = [(block, given)]
    while waiting:
        own, lists = waiting.pop()
        for statement in own.body:
            if isinstance(statement, Call):
                arrays = (a for a in statement.args if a.type.is_array)
                if any(array not in lists for array in arrays):
                    yield statement.callee
            carries = statement.carries if isinstance(statement, Scan | While) else ()
            for inner in statement.blocks:
                pairs = handed(statement, inner)
                held = {p for p, o in pairs if o in lists and o not in carries}
                waiting.append((inner, held))
