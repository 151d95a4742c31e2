"""`np.split`: an array cut along its first axis into views of its parts; slices."""

from __future__ import annotations

from itertools import pairwise

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import (
    extents,
    indexing,
)
from ad_transform.read.known.grids import is_array
from ad_transform.read.machine.arguments import Unfit, Values, expect, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array, Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Special, Value, is_whole
from ad_transform.read.wholes import wholes

_BY_SLICES = "write its parts: `x[:k]`, `x[k:]`"


def slice_of(flat: Context, values: Values, span: Span) -> Value:
    """`slice(stop)`, `slice(start, stop, step)`; raises Unfit."""
    expect(values, 1, 3)
    start, stop, step = (
        (Special.NONE, values[0], Special.NONE)
        if len(values) == 1
        else (*values, Special.NONE)[:3]
    )
    return Slice(start, stop, step)


def split(flat: Context, values: Values, span: Span) -> Value:
    """`np.split(x, parts)`, `np.split(x, places)`; raises Unfit."""
    expect(values, 2, 2)
    array, cuts = values
    if isinstance(cuts, Group):
        places = cuts.items
    else:
        places = _equally(_length(flat, array, span), cuts)
    ends = (Special.NONE, *places, Special.NONE)
    slices = [Slice(a, b, Special.NONE) for a, b in pairwise(ends)]
    parts = [indexing.item(flat, array, one, flat.wholes, span) for one in slices]
    return indexing.made(flat, Group(Container.LIST, tuple(parts)), span)


def _length(flat: Context, array: Value, span: Span) -> Value:
    if isinstance(array, Array):
        return extents.length(flat, array, span)
    if isinstance(array, Group) and is_array(array):
        return Literal(len(array.items))
    if is_whole(array):
        return wholes.length(flat, array, 0, span)
    raise Unfit(f"needs an array, not {describe(array)}")


def _equally(size: Value, parts: Value) -> tuple[Value, ...]:
    """The places between equal parts."""
    count, length = whole(parts), whole(size)
    if length is None:
        raise Unfit("of an array whose length only a run knows", _BY_SLICES)
    if count is None or count < 1:
        raise Unfit("takes a number of parts that is written out", _BY_SLICES)
    if length % count:
        raise Unfit(f"cannot cut {length} elements into {count} equal parts")
    step = length // count
    return tuple(Literal(k * step) for k in range(1, count))
