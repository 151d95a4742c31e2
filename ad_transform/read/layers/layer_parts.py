"""`x[:, None, :]` and `x[..., 0]`: new axes of whole arrays, and dots in an index."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.read.arrays.blocks import AXES
from ad_transform.read.known.grids import is_array
from ad_transform.read.layers.layered import (
    block_of,
    lent,
    rank_of,
    value_of,
    with_axes,
)
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import Group, parts_of_index
from ad_transform.read.values.values import Special, Value, is_int

Item = Callable[[Value, Value], Value]

_ALL = Slice(Special.NONE, Special.NONE, Special.NONE)


def written_out(group: Value, index: Value) -> Value:
    """An index with slices for its dots."""
    parts = parts_of_index(index)
    if parts.count(Special.DOTS) != 1 or not is_array(group):
        return index
    k = parts.index(Special.DOTS)
    taken = sum(part not in (Special.DOTS, Special.NONE) for part in parts)
    between = (_ALL,) * (rank_of(group) - taken)
    made = (*parts[:k], *between, *parts[k + 1 :])
    return made[0] if len(made) == 1 else Group(Container.TUPLE, made)


def makes_layers(group: Value, index: Value) -> bool:
    """Whether an index makes new axes that only arrays of three axes can have."""
    parts = parts_of_index(index)
    fresh = sum(part is Special.NONE for part in parts)
    rank = rank_of(group)
    taken = any(map(is_int, parts))
    return bool(fresh) and (fresh > 1 or rank > 1 or taken) and rank > 0


def part(flat: Context, group: Value, index: Value, item: Item, span: Span) -> Value:
    """`group[index]` with new axes; raises Unfit."""
    parts = parts_of_index(index)
    places: list[int] = []
    count = 0
    for one in parts:
        if one is Special.NONE:
            places.append(count)
        elif not is_int(one) and not isinstance(one, Slice):
            raise Unfit("is indexed in a way that is not supported", _APART)
        count += not is_int(one)
    rest = tuple(one for one in parts if one is not Special.NONE)
    base = group
    if any(one != _ALL for one in rest):
        base = item(group, Group(Container.TUPLE, rest) if len(rest) > 1 else rest[0])
    if base is Special.REFUSED:
        return base
    if not rank_of(base) or rank_of(base) + len(places) > AXES:
        raise Unfit("of other axes than three is not supported yet", _APART)
    made = value_of(flat, with_axes(block_of(flat, base, span), places), span)
    return lent(flat, base, made, span)


_APART = "write parts and new axes one after the other"
