"""Values that become rows of a list: elements in place of arrays that nothing else
holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays import views
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.fields import home_of
from ad_transform.read.syntax.in_python import is_in_python
from ad_transform.read.values.layouts import Layout, Listed, Pool, Row
from ad_transform.read.values.regrouping import kind_of, regroup
from ad_transform.read.values.storage import Array, Axis, Cell
from ad_transform.read.values.structured import (
    GROUPS,
    STRUCTURED,
    Dict,
    Group,
    Object,
    is_list,
)
from ad_transform.read.values.values import (
    Draft,
    Special,
    Value,
)

with later():
    from ad_transform.read.arrays import rebinding
    from ad_transform.read.branches import maybe
    from ad_transform.read.objects import (
        homes,
        pools,
    )
    from ad_transform.read.rows import (
        row_layouts,
        row_writes,
    )


def taken(flat: Context, value: Value, span: Span, into: Sequence[Cell] = ()) -> Value:
    """A value with the elements in place of arrays. One that has a name becomes a row
    of a list as it is by now: that one or the other may not be written after that.
    """
    value = as_tuple(flat, value, span)
    if isinstance(value, Object):
        fields = flat.heap.fields
        home = home_of(value)
        if home is not None:
            return value if pools.layout(home) else homes.refuse(flat, span)
        if value.identity is not None:
            fields.rowed[value.identity] = None
        value = Object(value.of, fields.items(value, span))
    if isinstance(value, GROUPS):
        if _is_held(flat, value):
            for own in into:
                flat.heap.aliases.hold(own, span)
        items = tuple(taken(flat, item, span, into) for item in value.items)
        return regroup(kind_of(value), items, getattr(value, "site", None))
    if isinstance(value, Dict):
        return _dict_taken(flat, value, span, into)
    if row_writes.is_view(flat, value):
        message = "a list in a list of lists is put into another one, and is written"
        return flat.refuse("AD124", message, span, "put a copy in: `list(row)`")
    if not isinstance(value, Array) or not value.is_whole or len(value.places) > 1:
        return value
    content = flat.heap.held(value.cell, span)
    length = content.type.dims[0] if isinstance(content, Draft) else None
    if not isinstance(length, int):
        return value
    named = is_named(flat, value.cell)
    event = flat.heap.aliases.tick()
    for own in into if named else ():
        flat.heap.aliases.share(own, value.cell, is_copy=True, event=event)
    if named and not into:
        message = "an array that is changed in place becomes a row of a list that grows"
        help_ = "append a copy: `rows.append(row.copy())`"
        return flat.refuse("AD124", message, span, help_)
    elements = (views.at(flat, value, Literal(k), span) for k in range(length))
    return Group(value.cell.container, tuple(elements))


def stands_for_tuple(flat: Context, value: Value) -> bool:
    """Whether a value is a tuple in a list of such, which is kept as a matrix."""
    if not isinstance(value, Array) or len(value.axes) != 1:
        return False
    cell = value.cell
    return len(cell.type.dims) == 2 and cell.span in flat.rows_out.of_tuples


def as_tuple(flat: Context, value: Value, span: Span) -> Value:
    """A tuple in a list of such with its items; any other value as it is."""
    if not isinstance(value, Array) or not stands_for_tuple(flat, value):
        return value
    length = value.cell.type.dims[1]
    if not isinstance(length, int) or not isinstance(value.places[1], Axis):
        return value
    items = (views.at(flat, value, Literal(k), span) for k in range(length))
    return Group(Container.TUPLE, tuple(items))


def _dict_taken(flat: Context, value: Dict, span: Span, into: Sequence[Cell]) -> Value:
    """A dict as a row. One that has a name is not changed any more, and AD124 where
    another trip may put it in.
    """
    out = flat.rows_out
    named = (one for one in rebinding.inside(_holders(flat)) if isinstance(one, Dict))
    if any(one.may_be(value) or value.may_be(one) for one in named):
        is_of_trip = out.is_of_trip(value.identity, flat.heap.running)
        if not is_of_trip and value.identity not in out.dicts:
            message = "a dict that has a name becomes an item of a list that grows"
            return flat.refuse("AD124", message, span, "append a copy: `dict(d)`")
        out.dicts[value.identity] = None
    items = tuple(taken(flat, item, span, into) for item in value.items)
    return Dict(value.keys, items)


def row_of(
    flat: Context,
    value: Value,
    layout: Row | Listed,
    span: Span,
    into: Sequence[Cell] = (),
) -> Value:
    """A value as a row of a layout, whose rows may be those that may be None."""
    if isinstance(layout, Row) and isinstance(layout.kind, Pool):
        return pools.row(flat, layout.kind, value, span)
    if isinstance(layout, Row) and layout.kind is Special.NONE:
        value = maybe.settled(flat.given_here, value)
        value = row_layouts.flagged(value, layout)
    return taken(flat, value, span, into)


def layout_of(row: Value, like: Row | Listed) -> Layout | None:
    """The layout of a row among others that are laid out `like` it: a row, or one that
    may be None.
    """
    layout = row_layouts.layout_of(row)
    may_be_none = isinstance(like, Row) and like.kind is Special.NONE
    if may_be_none and isinstance(layout, Row):
        return Row(Special.NONE, layout.parts)
    if isinstance(like, Row) and isinstance(like.kind, Pool):
        return like
    return layout


def _is_held(flat: Context, value: Value) -> bool:
    """Whether anything holds a list of known items but the value at hand."""
    if not is_list(value):
        return False
    return is_among(flat, value, list(rebinding.inside(_holders(flat))))


def holds(flat: Context, value: Value, span: Span) -> bool:
    """Whether a list of known items is in a value, and anything else holds it."""
    if not isinstance(value, STRUCTURED):
        return False
    items = value.items
    if isinstance(value, Object):
        items = flat.heap.fields.items(value, span)
    return _is_held(flat, value) or any(holds(flat, item, span) for item in items)


def is_among(flat: Context, row: Group, held: Sequence[object]) -> bool:
    """Whether a list of known items may be one of some values, or a row of a list."""
    return any(
        flat.rows_out.has_row(way) or any(one is way for one in held)
        for way in _ways(flat, row)
    )


def _ways(flat: Context, row: Group) -> list[Group]:
    """The lists of known items that a list may be, as branches have it, and itself."""
    found = [row]
    for one in found:
        _, *givers = flat.heap.givers.get(id(one), (one,))
        found += (giver for giver in givers if isinstance(giver, Group))
    return found


def _holders(flat: Context) -> list[rebinding.Held]:
    """All values that can be reached. The names of a running function of `in_python`
    are left out: it only hands on its arguments.
    """
    if not flat.running or not is_in_python(flat.running[-1].span):
        return rebinding.others(flat, "")
    held: list[rebinding.Held] = list(flat.stack)
    for frame in flat.callers:
        for one in rebinding.around(frame):  # a comprehension reads names around it
            held += one.names.values()
    return held + list(flat.heap.fields.held(()))


def is_named(flat: Context, cell: Cell) -> bool:
    """Whether anything may stand for an array but the value at hand."""
    apart = flat.heap.aliases.is_apart
    for one in rebinding.inside(_holders(flat)):
        if isinstance(one, Array) and (one.cell is cell or not apart(one.cell, cell)):
            return True
    return False
