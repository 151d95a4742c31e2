"""Objects in a list that grows whose fields are assigned: `for p in parts: p.x += v`.

The list keeps the fields side by side, a list for each. An object that is taken out
knows its place: its fields are read and written where they stand. So all names of it
see their values by now. A list whose objects change so is `live` from where it is
made: it grows at its end alone, and its objects stand in no other list (AD124).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays import views
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.fields import home_of, is_changeable
from ad_transform.read.values.classes import Class, Field, Style
from ad_transform.read.values.layouts import Layout, Row
from ad_transform.read.values.storage import (
    Array,
    Axis,
    Cell,
    Column,
    Lists,
    Rows,
    Slice,
)
from ad_transform.read.values.structured import Dict, Identity, Key, Made, Object
from ad_transform.read.values.values import Number, Special, Value

with later():
    from ad_transform.read.arrays import (
        arrays,
        extents,
    )
    from ad_transform.read.arrays.extents import is_natural
    from ad_transform.read.containers import (
        entries,
        keys,
        tables,
    )
    from ad_transform.read.objects import (
        assigning,
        pools,
        settling,
    )
    from ad_transform.read.rows import (
        lists,
        row_layouts,
        row_values,
        row_writes,
        rows,
    )
    from ad_transform.read.values.described import describe


@dataclass(frozen=True, slots=True, eq=False)
class Home:
    """The place of an object in a list, or at a path of fields of an item."""

    flat: Context
    rows: Rows
    place: Number
    path: tuple[int, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The lists that its fields stand in."""
        found: Column = self.rows
        for k in self.path:
            assert isinstance(found, Rows)
            found = found.columns[k]
        assert isinstance(found, Rows)
        return found.columns

    @property
    def layout(self) -> Row:
        """The layout of the object."""
        found: Layout = self.rows.layout
        for k in self.path:
            assert isinstance(found, Row)
            found = found.parts[k]
        assert isinstance(found, Row)
        return found

    def read(self, k: int, span: Span) -> Value:
        """The value of one of the fields by now."""
        column = self.columns[k]
        if isinstance(column, Rows) and column.layout.is_live:
            return made(replace(self, path=(*self.path, k)), column.layout)
        if isinstance(column, Rows):
            return rows.item(self.flat, column, self.place, span)
        if isinstance(column, Lists):
            return lists.item(self.flat, column, self.place, span)
        return views.at(self.flat, column, self.place, span)

    def at(self, place: Number) -> Object:
        """The object at another place of the list."""
        return made(replace(self, place=place), self.layout)

    def is_beside(self, other: Home) -> bool:
        """Whether an object stands in the same list, at the same path."""
        return self.rows.cells == other.rows.cells and self.path == other.path


def made(home: Home, layout: Row) -> Object:
    """The object that stands at a place of a list; for a dict one of its entries."""
    of, fields = layout.kind, home.flat.heap.fields
    if isinstance(of, tuple):
        of = _class_of(home.flat, of)
    assert isinstance(of, Class)
    identity = Identity(of, fields.tick(), home=home)
    fields.has_homes = True
    return Object(of, (Special.UNSET,) * len(layout.parts), identity)


def _class_of(flat: Context, own: tuple[Key, ...]) -> Class:
    """The class of dicts of the same keys: a field for each."""
    found = flat.rows_out.classes.get(own)
    if found is None:
        fields = tuple(Field(str(keys.plain(key)), None, flat.module) for key in own)
        found = Class("dict", flat.module, Style.DICT, fields)
        flat.rows_out.classes[own] = found
    return found


# --- taken out ------------------------------------------------------------------------


def item(flat: Context, of: Rows, index: Value, span: Span) -> Value:
    """`parts[k]`, the object itself; `parts[1:]`, a view of the list."""
    if isinstance(index, Slice):
        return part(flat, of, index, span)
    view = views.indexed(flat, of.first, index, span)
    if view is None:
        return Special.REFUSED
    (place,) = view.places
    assert not isinstance(place, Axis)
    if not is_natural(flat, place):
        size = extents.length(flat, whole(of).first, span)
        place = views.from_start(flat, place, size, span)
    return made(Home(flat, whole(of), place), of.layout)


def at(flat: Context, of: Rows, k: Number, span: Span) -> Value:
    """The object at a place that is counted from 0 and is there."""
    (place,) = views.placed(flat, of.first, k, span).places
    assert not isinstance(place, Axis)
    return made(Home(flat, whole(of), place), of.layout)


def part(flat: Context, of: Rows, index: Slice, span: Span) -> Value:
    """Some of the objects, as a list that does not grow: none is copied."""
    view = views.indexed(flat, of.first, index, span)
    if view is None:
        return Special.REFUSED
    (axis,) = view.axes
    length = extents.length(flat, view, span)
    cut = Axis(axis.start, axis.step, length)

    def seen(own: Column) -> Column:
        if isinstance(own, Rows):
            return replace(own, columns=tuple(map(seen, own.columns)))
        if isinstance(own, Lists):
            marks = (Array(mark.cell, (cut,)) for mark in (own.starts, own.sizes))
            starts, sizes = marks
            return replace(own, starts=starts, sizes=sizes)
        return Array(own.cell, (cut,))

    return seen(of)


def whole(of: Rows) -> Rows:
    """The list that a list of objects is a view of."""

    def all_of(own: Column) -> Column:
        if isinstance(own, Rows):
            return replace(own, columns=tuple(map(all_of, own.columns)))
        if isinstance(own, Lists):
            starts, sizes = (Array(m.cell, (Axis(),)) for m in (own.starts, own.sizes))
            return replace(own, starts=starts, sizes=sizes)
        return Array(own.cell, (Axis(),))

    found = all_of(of)
    assert isinstance(found, Rows)
    return found


def same(flat: Context, one: Object, other: Object, span: Span) -> Value | None:
    """`p is q`, where one of both stands in a list; None where that is not known."""
    first, second = home_of(one), home_of(other)
    assert first is not None or second is not None
    if first is None or second is None or first.path != second.path:
        return Literal(False)
    if first.is_beside(second):
        return flat.operate(TABLE["eq"], (first.place, second.place), span)
    apart = flat.heap.aliases.is_apart
    is_apart = apart(first.rows.cells[0], second.rows.cells[0])
    return Literal(False) if is_apart else None


# --- dicts ----------------------------------------------------------------------------


def boxed(flat: Context, table: Dict) -> Value:
    """An object with the entries of a dict as its fields."""
    known = flat.rows_out.classes.get((BOX, *table.keys))
    if known is None:
        of = _class_of(flat, table.keys)
        known = replace(of, style=Style.OBJECT, entries=table.keys)
        flat.rows_out.classes[BOX, *table.keys] = known
    made = flat.heap.fields.made(known, table.items)
    if isinstance(made, Object) and isinstance(table.identity, Made):
        flat.rows_out.boxed[made.identity] = table.identity
    return made


BOX = Literal("<box>")
"""In front of the keys of dicts that are objects: their class is another one."""


def keys_of(value: Value) -> tuple[Key, ...] | None:
    """The keys of a dict that stands in a list, or is an object; None of any other
    value.
    """
    if isinstance(value, Object) and value.of.entries:
        return cast("tuple[Key, ...]", value.of.entries)
    home = home_of(value)
    kind = home.layout.kind if home is not None else None
    return kind if isinstance(kind, tuple) else None


def as_dict(flat: Context, value: Value, span: Span) -> Value:
    """A dict that is an object as it is by now, or one in a list, which is not to be
    changed; any other value as it is.
    """
    own = keys_of(value)
    if own is None or not isinstance(value, Object):
        return value
    found = Dict(own, flat.heap.fields.items(value, span))
    site = flat.rows_out.boxed.get(value.identity)
    if site is not None:
        found = replace(found, identity=replace(site))
    if value.of.entries:
        flat.rows_out.boxes[found.identity] = value
    else:
        flat.rows_out.dicts[found.identity] = None
    return found


def entry(flat: Context, value: Value, key: Value, span: Span) -> Value | None:
    """`rows[i][key]` of a list of dicts; None of any other value."""
    if keys_of(value) is None:
        return None
    k = _place_of(flat, value, key)
    home = home_of(value)
    if k is None or home is None:
        return tables.item(flat, cast(Dict, as_dict(flat, value, span)), key, span)
    return home.read(k, span)


def store_entry(
    flat: Context, value: Value, key: Value, new: Value, span: Span
) -> bool:
    """Whether `rows[i][key] = new` of a list of dicts, or `d[key] = new` of a dict that
    is an object, is done.
    """
    home, own = home_of(value), keys_of(value)
    if home is None and own is not None:
        table = as_dict(flat, value, span)
        entries.store(flat, cast(Dict, table), key, new, span)
        return True
    if home is None or own is None:
        return False
    k = _place_of(flat, value, key)
    if k is not None:
        store(flat, home, k, new, span, ())
    elif key is not Special.REFUSED:
        message = f"{describe(key)} is no key that the dicts of this list have"
        known = ", ".join(repr(keys.plain(one)) for one in own)
        flat.refuse("AD107", message, span, f"write one of theirs: {known}")
    return True


def _place_of(flat: Context, value: Value, key: Value) -> int | None:
    """The place of a written key among the keys of a dict; None where it is none of
    them.
    """
    written = keys.key_of(key, flat.wholes)
    names = [keys.plain(one) for one in keys_of(value) or ()]
    if written is None or keys.plain(written) not in names:
        return None
    return names.index(keys.plain(written))


# --- objects put in -------------------------------------------------------------------


def refuse(flat: Context, span: Span) -> Value:
    message = "an object whose fields are assigned is put into a list beside a name"
    help_ = "put a copy in: `copy.copy(p)`, or `dict(p)`; or keep its index, `k`"
    return flat.refuse("AD124", message, span, help_)


def is_put_in(flat: Context, value: Value, span: Span) -> bool:
    """Whether an object, or one in it, stands in a list already; refused if so."""
    if not flat.heap.fields.has_homes:
        return False
    found = assigning.reached(flat, [value], closed=True)
    known = [home for one in found if (home := home_of(one)) is not None]
    if all(pools.layout(home) is not None for home in known):
        return False
    refuse(flat, span)
    return True


# --- written --------------------------------------------------------------------------


def note(flat: Context, of: Rows) -> None:
    """Remember where a list of rows is made."""
    flat.rows_out.sites[of.site] = of.layout
    if isinstance(of.layout.kind, Class | tuple):
        flat.displays.setdefault(of.site, Container.LIST)


def enliven(flat: Context, of: Class | tuple[Key, ...]) -> None:
    """Begin again with lists whose objects of a class change, or dicts of some keys."""
    for site, layout in flat.rows_out.sites.items():
        wide = _live(layout, of)
        if wide != layout:
            flat.relay(site, wide)


def enliven_at(flat: Context, site: Span) -> None:
    """Begin again with a list of objects, or of dicts, of which a list changes."""
    layout = flat.layouts.get(site) or flat.rows_out.sites.get(site)
    if isinstance(layout, Row) and isinstance(layout.kind, Class | tuple):
        flat.relay(site, _live(layout, layout.kind))


def _live(layout: Layout, of: Class | tuple[Key, ...]) -> Layout:
    if not isinstance(layout, Row) or not isinstance(layout.kind, Class | tuple):
        return layout
    parts = tuple(_live(part, of) for part in layout.parts)
    has_it = layout.kind == of or parts != layout.parts
    may_change = isinstance(layout.kind, tuple) or is_changeable(layout.kind)
    is_live = layout.is_live or (has_it and may_change)
    return replace(layout, parts=parts, is_live=is_live)


def store(
    flat: Context, home: Home, k: int, new: Value, span: Span, notes: tuple[str, ...]
) -> None:
    """Let a field hold another value, where the object stands."""
    if is_put_in(flat, new, span):
        return
    column = home.columns[k]
    new = row_values.taken(flat, new, span, home.rows.cells)
    if new is Special.REFUSED:
        return
    layout = row_layouts.part_of(new)
    wide = _widened(home.rows.layout, (*home.path, k), layout)
    if wide is None:
        rows.not_alike(flat, span)
        return
    if wide != home.rows.layout:
        flat.relay(home.rows.site, wide)
    if isinstance(column, Rows) and column.layout.is_live:
        message = "an object in a field is replaced, and its own fields are assigned"
        help_ = "assign its fields: `p.at.x, p.at.y = x, y`"
        flat.refuse("AD124", message, span, help_)
        return
    start = flat.heap.aliases.tick()
    flat.rows_out.stored.append(start)
    if isinstance(column, Rows):
        rows.store(flat, column, home.place, new, span)
    elif isinstance(column, Lists):
        lists.store(flat, column, home.place, new, span)
    else:
        arrays.store(flat, column, home.place, new, span, notes)
    row_writes.permit(flat, start)


def _widened(layout: Layout, path: Iterable[int], new: Layout | None) -> Row | None:
    """The layout of a list whose part at a path has room for another layout, too; None
    where there is none.
    """
    assert isinstance(layout, Row)
    k, *rest = path
    inner: Layout | None
    if rest:
        inner = _widened(layout.parts[k], rest, new)
    else:
        inner = None if new is None else row_layouts.joint_parts(layout.parts[k], new)
    if inner is None:
        return None
    return replace(layout, parts=(*layout.parts[:k], inner, *layout.parts[k + 1 :]))


def refuse_moved(flat: Context) -> None:
    """Report AD124 for lists whose objects change, of which objects change places."""
    if flat.rows_out.handed:
        settling.refuse_handed(flat)
    times = flat.rows_out.permitted
    moved: dict[Cell, None] = {}
    for time, cell in flat.heap.aliases.writes:
        layout = flat.layouts.get(cell.span)
        is_live = isinstance(layout, Row) and layout.is_live
        if is_live and not any(a < time < b for a, b in times):
            moved[cell] = None
    for span in dict.fromkeys(cell.span for cell in moved):
        layout = flat.layouts[span]
        if isinstance(layout, Row) and isinstance(layout.kind, Class):
            flat.relay(span, replace(layout, is_pooled=True))
        message = "the fields of objects in this list are assigned, and it is changed"
        help_ = "only append to it; keep in a field what counts: `p.alive = False`"
        flat.refuse("AD124", message, span, help_)
