"""`a[i]` of tuples, lists and arrays, read and written.

Items of a tuple or list are known one by one. A tuple or list becomes an array where an
index is known only at run time, or an item is written: at the place where it is made if
that is known, else in a copy that is only read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL
from ad_transform.later import later
from ad_transform.read.arrays.blocks import AXES, MOST
from ad_transform.read.containers import sequences
from ad_transform.read.containers.sequences import Unroll
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.regrouping import kind_of, regroup
from ad_transform.read.values.series import Range
from ad_transform.read.values.storage import Array, Lists, Rows, Slice, Stack
from ad_transform.read.values.structured import (
    STRUCTURED,
    Dict,
    Group,
    Object,
    Structured,
    is_list,
    parts_of_index,
)
from ad_transform.read.values.values import (
    Draft,
    Special,
    Value,
    is_text,
    is_whole,
)

with later():
    from ad_transform.read.array_functions import creations
    from ad_transform.read.arrays import (
        arrays,
        read_only_lists,
        rebinding,
    )
    from ad_transform.read.branches import chosen
    from ad_transform.read.containers import (
        defaults,
        entries,
        tables,
    )
    from ad_transform.read.iterables import iterables, ranges
    from ad_transform.read.known import (
        grids,
        of_known,
    )
    from ad_transform.read.known import known_layouts as layouts
    from ad_transform.read.layers import (
        layer_moves,
        layer_parts,
        layered,
    )
    from ad_transform.read.lists import listing, queues
    from ad_transform.read.machine import arguments
    from ad_transform.read.rows import (
        lists,
        made_rows,
        row_writes,
        rows,
        stack_moves,
        stacks,
    )
    from ad_transform.read.texts import texts
    from ad_transform.read.values.described import describe
    from ad_transform.read.wholes import (
        of_whole,
        scattering,
    )
    from ad_transform.read.wholes.whole_layouts import counted_up
    from ad_transform.read.wholes.whole_parts import is_fancy
    from ad_transform.read.wholes.whole_parts import part as part_of
    from ad_transform.read.wholes.wholes import listed, whole_of

Notes = tuple[str, ...]
_BACKWARDS = Slice(Special.NONE, Special.NONE, Literal(-1))


def item(
    flat: Context, group: Value, index: Value, wholes: sequences.Wholes, span: Span
) -> Value:
    """`group[index]`."""
    if Special.REFUSED in (group, index):
        return Special.REFUSED
    if _is_of_truths(group, index):
        return _refuse_truths(flat, span)
    if isinstance(group, Range) and index == _BACKWARDS:
        return iterables.reversed_(flat, (group,), span)
    if isinstance(group, Range):
        found = ranges.item(flat, group, index, span)
        if found is not None:
            return found
    group = listing.of_range(flat, group, span)
    index = _without_ranges(flat, group, index, span)
    index = layer_parts.written_out(group, index)
    if Special.DOTS in parts_of_index(index):
        return _refuse_dots(flat, span)
    if grids.is_array(group) and layer_parts.makes_layers(group, index):
        return _with_axes(flat, group, index, wholes, span)
    if is_whole(group) or _makes_axis(group, index):
        return _part(flat, group, index, span)
    if grids.is_array(group) and is_fancy(index):
        return _at_arrays(flat, group, index, span)
    if isinstance(group, Dotted) and group.name in _JOINING:
        return _joined(flat, group.name, index, span)
    if isinstance(group, Dotted) and group.name in _MESHES:
        return _mesh(flat, group.name, index, span)
    if isinstance(group, Array):
        return arrays.item(flat, group, index, span)
    if isinstance(group, Rows):
        return rows.item(flat, group, index, span)
    if isinstance(group, Lists):
        return lists.item(flat, group, index, span)
    if isinstance(group, Stack):
        return stacks.item(flat, group, index, span)
    if isinstance(group, Dict):
        return defaults.item(flat, group, index, span, made)
    if is_text(group):
        return texts.item(flat, group, index, span)
    if not isinstance(group, Group):
        message = f"{describe(group)} cannot be subscripted"
        return flat.refuse("AD107", message, span, sequences.SCALAR)
    if isinstance(index, Group) or index is Special.NONE:
        return _nested(flat, group, index, wholes, span)
    if isinstance(index, Slice):
        return _cut(flat, group, index, span)
    place = sequences.whole(index, wholes)
    if place is not None:
        return sequences.item(flat, group, place, span)
    if isinstance(index, Draft) and index in flat.counters:
        raise Unroll(flat.counters[index])
    if any(map(chosen.is_function, group.items)):
        return tables.function(flat, group, index, span)
    uneven = lists.of_constants(flat, group.items, span)
    if uneven is not None:
        return lists.item(flat, uneven, index, span)
    if group.container is Container.LIST:
        flat.refit(group)  # a list of the function may change
    row = _one_of_alike(flat, group, index, span)
    if row is not None:
        return row
    flat.refit(group)
    table = read_only_lists.of(flat, group, span)
    return arrays.item(flat, table, index, span) if isinstance(table, Array) else table


def _without_ranges(flat: Context, group: Value, index: Value, span: Span) -> Value:
    """An index of an array, with each range replaced by the array of its numbers."""
    parts = parts_of_index(index)
    if not any(isinstance(p, Range) for p in parts) or not (
        grids.is_array(group) or is_whole(group)
    ):
        return index
    made = tuple(
        counted_up(flat, span, p.start, p.stop, p.step) if isinstance(p, Range) else p
        for p in parts
    )
    return made[0] if parts[0] is index else Group(Container.TUPLE, made)


_JOINING = {"numpy.r_": "numpy.hstack", "numpy.c_": "numpy.column_stack"}
"""Names that join by a subscript, with functions that do the same."""


def _joined(flat: Context, name: str, index: Value, span: Span) -> Value:
    """`np.r_[x, y]`."""
    parts = parts_of_index(index)
    given = (Group(Container.TUPLE, parts),)
    try:
        if any(isinstance(p, Slice) for p in parts):
            raise arguments.Unfit("of a slice is not supported", "write `np.arange`")
        made = of_known.called(flat, _JOINING[name], given, {}, span)
        whole = of_whole.called
        return made or whole(flat, _JOINING[name], given, {}, span)
    except arguments.Unfit as unfit:
        return flat.refuse("AD107", f"{name!r} {unfit}", span, unfit.help)


_MESHES = frozenset({"numpy.mgrid", "numpy.ogrid"})


def _mesh(flat: Context, name: str, index: Value, span: Span) -> Value:
    """`np.mgrid[0:m, 0:n]`: matrices of the rows and the columns, or one range."""
    parts = parts_of_index(index)
    try:
        if len(parts) > MOST or not all(isinstance(p, Slice) for p in parts):
            raise arguments.Unfit("needs one slice or two", "write `np.meshgrid`")
        lines: list[Value] = []
        for part in parts:
            assert isinstance(part, Slice)
            start = Literal(0) if part.start is Special.NONE else part.start
            lines.append(counted_up(flat, span, start, part.stop, part.step))
        if len(lines) == 1:
            return lines[0]
        form = "numpy.meshgrid" if name == "numpy.mgrid" else "numpy.ix_"
        words = {"indexing": Literal("ij")} if name == "numpy.mgrid" else {}
        return of_whole.called(flat, form, lines, words, span)
    except arguments.Unfit as unfit:
        return flat.refuse("AD107", f"{name!r} {unfit}", span, unfit.help)


def _makes_axis(group: Value, index: Value) -> bool:
    """Whether an index makes a new axis of an array: `x[:, None]`."""
    parts = index.items if isinstance(index, Group) else (index,)
    return isinstance(group, Array) and grids.is_array(group) and Special.NONE in parts


def _is_of_truths(group: Value, index: Value) -> bool:
    """Whether a single truth value indexes an array: in numpy it takes all or nothing,
    no element.
    """
    parts = parts_of_index(index)
    return grids.is_array(group) and any(
        isinstance(part, Draft | Literal) and part.type == BOOL for part in parts
    )


def _refuse_truths(flat: Context, span: Span) -> Value:
    message = "a truth value as an index of an array is not supported"
    return flat.refuse("AD102", message, span, "write the number, `int(test)`")


def _refuse_dots(flat: Context, span: Span) -> Value:
    message = "`...` as an index of anything but an array is not supported"
    return flat.refuse("AD102", message, span, "write the indices out")


def _with_axes(
    flat: Context, group: Value, index: Value, wholes: sequences.Wholes, span: Span
) -> Value:
    """A part of an array with new axes; known elements if all are known."""

    def read(group: Value, index: Value) -> Value:
        return item(flat, group, index, wholes, span)

    try:
        grid = grids.grid_of(flat, group, span) if isinstance(group, Group) else None
        made = None if grid is None else layouts.indexed(flat, grid, index, span)
        if made is not None:
            return grids.view_of(made)
        return layer_parts.part(flat, group, index, read, span)
    except arguments.Unfit as unfit:
        return flat.refuse("AD107", f"the array {unfit}", span, unfit.help)


def _at_arrays(flat: Context, group: Value, index: Value, span: Span) -> Value:
    """A part of an array at indices in arrays; known elements if all are known."""
    try:
        grid = grids.grid_of(flat, group, span)
        made = None if grid is None else layouts.indexed(flat, grid, index, span)
        if made is None and layered.rank_of(group) == AXES:
            parts = parts_of_index(index)

            def read(rest: Value) -> Value:
                return item(flat, group, rest, flat.wholes, span)

            return layer_moves.taken(flat, group, parts, read, span)
    except arguments.Unfit as unfit:
        return flat.refuse("AD107", f"the array {unfit}", span, unfit.help)
    if made is None:
        return _part(flat, group, index, span)
    return grids.group_of(flat, made, span)


def _part(flat: Context, group: Value, index: Value, span: Span) -> Value:
    """A part of a whole array."""
    try:
        whole = whole_of(flat, group, span)
        assert isinstance(whole, Draft)
        return part_of(flat, whole, index, span)
    except arguments.Unfit as unfit:
        return flat.refuse("AD107", f"the array {unfit}", span, unfit.help)


def _nested(
    flat: Context, group: Group, index: Value, wholes: sequences.Wholes, span: Span
) -> Value:
    """`A[i, j]` of an array with known items."""
    if group.container is not Container.ARRAY:
        message = f"{describe(index)} as an index is not supported"
        return flat.refuse("AD107", message, span, "write `a[i][j]`")
    try:
        grid = grids.grid_of(flat, group, span)
        made = None if grid is None else layouts.indexed(flat, grid, index, span)
    except arguments.Unfit as unfit:
        return flat.refuse("AD107", f"the array {unfit}", span, unfit.help)
    if made is not None:
        return grids.view_of(made)
    assert isinstance(index, Group)
    if any(isinstance(part, Slice) for part in index.items[:-1]):
        flat.refit(group)
    found: Value = group
    for part in index.items:
        found = item(flat, found, part, wholes, span)
    return found


def _cut(flat: Context, group: Group, index: Slice, span: Span) -> Value:
    bounds = (index.start, index.stop, index.step)
    known = all(
        b is Special.NONE or sequences.whole(b, flat.wholes) is not None for b in bounds
    )
    for bound in bounds:
        if not known and isinstance(bound, Draft) and bound in flat.counters:
            raise Unroll(flat.counters[bound])
    if not known and Special.REFUSED not in bounds:
        flat.refit(group)
        if group.container in (Container.TUPLE, Container.LIST):
            table = read_only_lists.of(flat, group, span)
            if not isinstance(table, Array):
                return table
            part = arrays.item(flat, table, index, span)
            is_copied = group.container is Container.LIST and isinstance(part, Array)
            return creations.as_list(flat, (part,), span) if is_copied else part
    found = sequences.cut(flat, group, index, span)
    if is_list(found):
        return made(flat, found, span)
    return found


def _one_of_alike(
    flat: Context, group: Group, index: Value, span: Span
) -> Value | None:
    """An item of several objects, NamedTuples or dicts of one kind, or of tuples with
    texts or few numbers: each part is an item of a table. None for anything else.
    """
    first, *rest = group.items or (Special.NONE,)
    is_named = isinstance(first, Object | Dict) or (
        isinstance(first, Group) and first.of is not None
    )
    if not is_named and not _are_records(group.items):
        return None
    rows = [flat.heap.fields.deep(one, span) for one in group.items]
    kinds = {kind_of(row) for row in rows if isinstance(row, STRUCTURED)}
    if len(kinds) > 1 or not all(isinstance(row, STRUCTURED) for row in rows):
        return None
    columns = zip(*(cast(Structured, row).items for row in rows), strict=True)
    tables = (Group(Container.TUPLE, column) for column in columns)
    items = tuple(item(flat, table, index, flat.wholes, span) for table in tables)
    if isinstance(first, Dict):
        identity = first.identity
        for other in rest:
            identity = Dict((), (), identity).which(cast(Dict, other))
        return Dict(first.keys, items, identity)
    if isinstance(first, Object):
        return Object(first.of, items, flat.heap.fields.joined(first.of, iter(rows)))
    return regroup(kind_of(cast(Group, first)), items)


def _are_records(rows: Sequence[Value]) -> bool:
    """Whether all are tuples of as many items: of few numbers, or with texts."""
    tuples = [
        row.items
        for row in rows
        if isinstance(row, Group) and row.container is Container.TUPLE and not row.of
    ]
    if len(tuples) < len(rows) or len({*map(len, tuples)}) != 1:
        return False
    items = [item for group in tuples for item in group]
    if any(map(is_text, items)):
        return True
    are_numbers = all(isinstance(item, Draft | Literal) for item in items)
    return are_numbers and 0 < len(tuples[0]) <= _SHORT


_SHORT = 4
"""Columns of a table that are read one by one, each from a list of its own."""


def store(
    flat: Context, group: Value, index: Value, value: Value, span: Span, notes: Notes
) -> None:
    """`group[index] = value`."""
    if Special.REFUSED in (group, index, value):
        return
    if _is_of_truths(group, index):
        _refuse_truths(flat, span)
        return
    index = _without_ranges(flat, group, index, span)
    index = layer_parts.written_out(group, index)
    if Special.DOTS in parts_of_index(index):
        _refuse_dots(flat, span)
        return
    if is_whole(group) or (grids.is_array(group) and is_fancy(index)):
        scattering.store(flat, group, index, value, span)
        return
    if row_writes.store(flat, group, index, value, span, notes):
        return
    row_writes.relaid(flat, group, value)
    if isinstance(group, Group) and group.container is not Container.TUPLE:
        flat.refit(group)
    if isinstance(group, Array) and is_whole(value):
        flat.remake(group)
        if len(group.cell.type.dims) > MOST:
            value = listed(flat, value, span)
    if isinstance(group, Array) and isinstance(index, Slice) and _is_list(group):
        try:
            queues.assign(flat, group, index, value, span)
        except arguments.Unfit as unfit:
            flat.refuse("AD107", f"a slice of a list {unfit}", span, unfit.help)
        return
    if isinstance(group, Array):
        arrays.store(flat, group, index, value, span, notes)
        return
    if isinstance(group, Dict):
        entries.store(flat, group, index, value, span)
        return
    if isinstance(group, Rows) and not isinstance(index, Slice | Group):
        rows.store(flat, group, index, value, span)
        return
    if isinstance(group, Lists) and not isinstance(index, Slice | Group):
        lists.store(flat, group, index, value, span)
        return
    if isinstance(group, Stack) and not isinstance(index, Slice | Group):
        stack_moves.store(flat, group, index, value, span)
        return
    message = f"an element of {describe(group)} cannot be assigned here"
    help_ = "make it a list where it is made: `y = [0.0] * n`, or `y = np.zeros(n)`"
    is_row = isinstance(group, Group) and rebinding.are_rows(flat, group.container)
    if isinstance(group, Rows | Lists | Stack):
        help_ = "write its rows one by one, in a loop"
    if is_row:
        help_ = "rows of a list that grows stay as they are: make a matrix of all first"
    flat.refuse("AD107", message, span, help_)


def _is_list(array: Array) -> bool:
    return array.cell.container is Container.LIST and len(array.cell.type.dims) == 1


def made(flat: Context, group: Group, span: Span) -> Value:
    """A new tuple or list, made at a place; an array, or a list that grows, if it has
    to be one.
    """
    if group.container is Container.LIST:
        first = group.items[0] if group.items else None
        kind = first.container if isinstance(first, Group) else Container.TUPLE
        flat.displays[span] = kind
        if kind is Container.TUPLE and isinstance(first, Group):
            flat.rows_out.of_tuples[span] = None
    if span in flat.layouts:
        return made_rows.made(flat, group.items, flat.layouts[span], span)
    if span in flat.sites:
        return made_rows.packed(flat, group.items, group.container, span)
    found = Group(group.container, group.items, span)
    flat.heap.fresh[id(found)] = found
    return found
