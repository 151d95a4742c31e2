"""Small loops of known trips over known arrays, written out before they are
differentiated.

The unrolled function is one straight run, whose orders are searched as a whole: it has
no lists of tangents, a column each, and no records. It is taken where it runs for less,
lists and loops counted.
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import (
    LEAF,
    Container,
    Function,
    Nest,
    Scan,
    Statement,
    While,
    group,
    walk,
)
from ad_transform.ir.written.written_values import Unwritten
from ad_transform.later import later

with later():
    from ad_transform.ir.written.written_out import written_in_part, written_out

SMALL = 16
"""Elements of a whole array up to which it is written out; as many are known one by
one where functions are read.
"""

IN_LOOPS = 100
"""The same where loops compute with whole arrays, each trip anew."""


def unrolled(function: Function, most: int) -> Function | None:
    """The function without lists and the loops around them, if their sizes are known.
    None if there is no list, or if more than `most` statements would be visited.

    Loops stay where all carry numbers only, for they have short derivatives, and where
    a mark says how many of their states are held.
    """
    every = walk(function.body)
    if not any(out.type.dims for s in every for out in s.outs):
        return None
    if any(isinstance(s, Scan | While) and s.snapshots for s in every):
        return None
    largest = IN_LOOPS if any(map(_has_wholes, every)) else SMALL
    try:
        return written_out(function, TABLE, most, largest)
    except Unwritten:
        pass
    try:
        return written_in_part(function, TABLE, most)
    except Unwritten:
        return None


def _has_wholes(statement: Statement) -> bool:
    """Whether a statement is a loop that computes with whole arrays."""
    if not isinstance(statement, Scan | While):
        return False
    return any(out.type.shape for s in walk(statement.body.body) for out in s.outs)


def is_short(derivative: Function, most: int) -> bool:
    """Whether the derivative of an unrolled function is at most 2 `most` long."""
    entries = sum(1 for result in derivative.results if not is_zero(result))
    return len(derivative.body) + entries <= 2 * most


def as_arrays(written: Function, function: Function) -> Function:
    """The derivative of an unrolled function, with arrays for seeds and tangents where
    the derivative of the function itself has them.
    """
    nests = {p.name: p.nest for p in function.parameters}
    parameters = tuple(
        replace(p, nest=_in_arrays(p.nest, nests[p.name])) for p in written.parameters
    )
    nest = _in_arrays(written.nest, function.nest)
    return replace(written, parameters=parameters, nest=nest)


def _in_arrays(nest: Nest, other: Nest) -> Nest:
    if other.container is Container.ARRAY and other.items == (LEAF,):
        return _array(nest)
    if nest.container is not other.container or len(nest.items) != len(other.items):
        return nest
    pairs = zip(nest.items, other.items, strict=True)
    return replace(nest, items=tuple(_in_arrays(*pair) for pair in pairs))


def _array(nest: Nest) -> Nest:
    if nest.is_leaf:
        return nest
    return group(tuple(map(_array, nest.items)), Container.ARRAY)
