"""`a[i]` and `a.name` of tuples, lists and arrays, read and written.

Items of a tuple or list are known one by one. Where an index is known only at run time,
or an item is written, it becomes an array: at the place where it is made if that is
known, else in a copy that is only read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT
from ad_transform.read import (
    arguments,
    arrays,
    choices,
    chosen,
    entries,
    extents,
    grids,
    of_known,
    of_whole,
    scattering,
    sequences,
    tables,
)
from ad_transform.read import known_layouts as layouts
from ad_transform.read.context import Context
from ad_transform.read.sequences import Unroll
from ad_transform.read.values import (
    Array,
    Dict,
    Dotted,
    Draft,
    Group,
    Method,
    Number,
    Rows,
    Slice,
    Special,
    Value,
    describe,
)
from ad_transform.read.whole_parts import is_fancy
from ad_transform.read.whole_parts import part as part_of
from ad_transform.read.wholes import MOST, is_whole, listed, whole_of

Notes = tuple[str, ...]


def item(
    flat: Context, group: Value, index: Value, wholes: sequences.Wholes, span: Span
) -> Value:
    """`group[index]`."""
    if Special.REFUSED in (group, index):
        return Special.REFUSED
    if is_whole(group) or _makes_axis(group, index):
        return _part(flat, group, index, span)
    if grids.is_array(group) and is_fancy(index):
        return _at_arrays(flat, group, index, span)
    if isinstance(group, Dotted) and group.name in _JOINING:
        return _joined(flat, group.name, index, span)
    if isinstance(group, Array):
        return arrays.item(flat, group, index, span)
    if isinstance(group, Rows):
        read = partial(_of_rows, flat, index, span)
        return group.changed(read) if isinstance(index, Slice) else group.each(read)
    if isinstance(group, Dict):
        return tables.item(flat, group, index, span)
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
        message = "a function is not taken by an index that only a run knows"
        return flat.refuse("AD107", message, span, "write a dict: `{0: f, 1: g}[k]`")
    flat.refit(group)
    table = _table(flat, group, span)
    return arrays.item(flat, table, index, span) if isinstance(table, Array) else table


def _of_rows(flat: Context, index: Value, span: Span, own: Array) -> Value:
    """An item, or a part, of one of the lists that stand for a list of tuples."""
    return arrays.item(flat, own, index, span)


_JOINING = {"numpy.r_": "numpy.hstack", "numpy.c_": "numpy.column_stack"}
"""What is subscripted, and the functions that do the same."""


def _joined(flat: Context, name: str, index: Value, span: Span) -> Value:
    """`np.r_[x, y]`."""
    is_tuple = isinstance(index, Group) and index.container is Container.TUPLE
    parts = index.items if isinstance(index, Group) and is_tuple else (index,)
    given = (Group(Container.TUPLE, tuple(parts)),)
    try:
        if any(isinstance(p, Slice) for p in parts):
            raise arguments.Unfit("of a slice is not supported", "write `np.arange`")
        made = of_known.called(flat, _JOINING[name], given, {}, span)
        whole = of_whole.called
        return made or whole(flat, _JOINING[name], given, {}, span)
    except arguments.Unfit as unfit:
        return flat.refuse("AD107", f"{name!r} {unfit}", span, unfit.help)


def _makes_axis(group: Value, index: Value) -> bool:
    """Whether an index makes a new axis of an array: `x[:, None]`."""
    parts = index.items if isinstance(index, Group) else (index,)
    return isinstance(group, Array) and grids.is_array(group) and Special.NONE in parts


def _at_arrays(flat: Context, group: Value, index: Value, span: Span) -> Value:
    """A part of an array at indices in arrays: of known elements if all is known."""
    try:
        grid = grids.grid_of(flat, group, span)
        made = None if grid is None else layouts.indexed(flat, grid, index, span)
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
    """`A[i, j]` of an array whose items are known."""
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
        if group.container is Container.TUPLE:
            table = _table(flat, group, span)
            return (
                arrays.item(flat, table, index, span)
                if isinstance(table, Array)
                else table
            )
    found = sequences.cut(flat, group, index, span)
    if isinstance(found, Group) and found.container is Container.LIST:
        return made(flat, found, span)
    return found


def _table(flat: Context, group: Group, span: Span) -> Value:
    """A tuple or list as an array that is only read: before all else if that can be."""
    if group not in flat.tables:
        constant = all(isinstance(i, Literal) for i in group.items)
        if not constant:
            return arrays.packed(flat, group.items, Container.TUPLE, span)
        outer, flat.statements = flat.statements, flat.prelude
        flat.tables[group] = arrays.packed(flat, group.items, Container.TUPLE, span)
        flat.statements = outer
    return flat.tables[group]


def store(
    flat: Context, group: Value, index: Value, value: Value, span: Span, notes: Notes
) -> None:
    """`group[index] = value`."""
    if Special.REFUSED in (group, index, value):
        return
    if is_whole(group) or (grids.is_array(group) and is_fancy(index)):
        scattering.store(flat, group, index, value, span)
        return
    if isinstance(group, Group) and group.container is not Container.TUPLE:
        flat.refit(group)
    if isinstance(group, Array) and is_whole(value):
        flat.remake(group)
        if len(group.cell.type.dims) > MOST:
            value = listed(flat, value, span)
    if isinstance(group, Array):
        arrays.store(flat, group, index, value, span, notes)
        return
    if isinstance(group, Dict):
        entries.store(flat, group, index, value, span)
        return
    message = f"an element of {describe(group)} cannot be assigned here"
    help_ = "make it a list where it is made: `y = [0.0] * n`, or `y = np.zeros(n)`"
    flat.refuse("AD107", message, span, help_)


def made(flat: Context, group: Group, span: Span) -> Value:
    """A new tuple or list that is made at a place: an array if it has to be one."""
    if span in flat.sites:
        return arrays.packed(flat, group.items, group.container, span)
    return Group(group.container, group.items, span)


def repeated(
    flat: Context, op: str, values: Sequence[Value], span: Span
) -> Value | None:
    """`[0.0] * n` where only the run knows n; None for anything else."""
    match op, list(values):
        case ("mul", [Group() as group, Draft() as times]) | (
            "mul",
            [Draft() as times, Group() as group],
        ):
            pass
        case _:
            return None
    if times.type is not INT or group.container is not Container.LIST:
        return None
    if len(group.items) != 1 or not isinstance(group.items[0], Draft | Literal):
        message = "only a list of one number can be repeated so"
        return flat.refuse("AD107", message, span, "write `[0.0] * n`")
    value = group.items[0]
    wide = flat.sites.get(span) or value.type
    fit = choices.typed(flat.statements, value, wide, span)
    count: Number = times
    if not extents.is_natural(flat, count):
        count = extents.number(flat, "max", (count, Literal(0)), span)
    return arrays.full(flat, fit, (count,), Container.LIST, span)


def attribute(
    flat: Context, value: Array | Group | Dict | Rows | Draft, name: str, span: Span
) -> Value:
    """`value.name`."""
    if isinstance(value, Draft):
        return _of_whole(flat, value, name, span)
    if isinstance(value, Rows):
        if name in ("append", "pop"):
            return Method(value, name)
    elif isinstance(value, Dict):
        if name in tables.METHODS or name in entries.CHANGING:
            return Method(value, name)
    elif isinstance(value, Group) and value.container is not Container.ARRAY:
        if name in METHODS:
            return Method(value, name)
    elif name == "shape":
        return (
            extents.shape(flat, value, span)
            if isinstance(value, Array)
            else known_shape(value)
        )
    elif name == "size":
        return extents.size(flat, value, span)
    elif name == "T":
        return _turned(flat, value, span)
    elif name == "ndim":
        return Literal(extents.rank(value))
    elif name in METHODS or name in of_known.METHODS or name in of_whole.METHODS:
        return Method(value, name)
    message = f"the attribute {name!r} of {describe(value)} is not supported"
    help_ = _INSTEAD.get(name, "write it with indices and loops")
    if isinstance(value, Group) and value.of is not None:
        help_ = f"its fields: {', '.join(value.of.names)}"
    return flat.refuse("AD102", message, span, help_)


# fmt: off
_INSTEAD = {
    "reverse": "write `x = x[::-1]`",
    "extend":  "append one item after the other",
    "insert":  "write `x = [v, *x]`",
    "setdefault": "write `d.get(k, v)`, or all keys where the dict is made",
    "popitem": "write a new dict: `d = {...}`",
}
# fmt: on


def _turned(flat: Context, value: Array | Group, span: Span) -> Value:
    """`x.T` of an array whose elements are known."""
    found = of_known.method(flat, value, "transpose", (), {}, span)
    if found is not None:
        return found
    return _of_whole(flat, value, "T", span)


def _of_whole(flat: Context, value: Value, name: str, span: Span) -> Value:
    """An attribute of a whole array."""
    if name in of_whole.METHODS or name == "sort":
        return Method(value, name)
    if name not in of_whole.ATTRIBUTES:
        message = f"the attribute {name!r} of an array is not supported"
        return flat.refuse("AD102", message, span, "write a function of numpy")
    try:
        whole = whole_of(flat, value, span)
        return of_whole.ATTRIBUTES[name](flat, span, whole)
    except arguments.Unfit as unfit:
        return flat.refuse("AD107", f"the array {unfit}", span, unfit.help)


def known_shape(group: Group) -> Group:
    """The shape of an array whose items are known."""
    sizes: list[Value] = []
    inner: Value = group
    while isinstance(inner, Group):
        sizes.append(Literal(len(inner.items)))
        inner = inner.items[0] if inner.items else Special.NONE
    return Group(Container.TUPLE, tuple(sizes))


METHODS = frozenset(
    {
        "append",
        "copy",
        "dot",
        "fill",
        "max",
        "mean",
        "min",
        "pop",
        "prod",
        "sort",
        "sum",
    }
) | {"tolist"}
