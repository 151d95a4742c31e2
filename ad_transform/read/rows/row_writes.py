"""Lists in a list of lists that are written where they stand: `rows[k][j] = v`,
`groups[k].append(v)`.

The value of `rows[k]` is a copy. As long as it has no name, and the list of lists is as
it was, a write to it goes to the place of its items. Other names that may see that list
are noted, and judged when the function has been read (AD124, see `Aliases`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Type
from ad_transform.read.arrays import (
    arrays,
    extents,
    rebinding,
    views,
)
from ad_transform.read.arrays.rebinding import inside
from ad_transform.read.branches import branches
from ad_transform.read.loops import loops
from ad_transform.read.machine.aliases import RowWrite
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.machine.rows_out import Taken
from ad_transform.read.objects import homes
from ad_transform.read.rows import (
    lists,
    row_layouts,
    row_values,
    rows,
)
from ad_transform.read.syntax.in_python import is_in_python
from ad_transform.read.values.frames import Promise
from ad_transform.read.values.layouts import Layout, Listed, Row
from ad_transform.read.values.storage import Array, Axis, Cell, Lists, Rows
from ad_transform.read.values.structured import Dict, Group, is_list
from ad_transform.read.values.values import Draft, Number, Special, Value

_UNNAMED = "write `rows[k].append(v)`, or `rows[k][j] = v`, without a name for the row"
_FIRST, _LAST = Literal(0), Literal(-1)

Notes = tuple[str, ...]


def note(
    flat: Context, of: Lists, index: Value, start: Value, size: Value, found: Value
) -> None:
    """Remember which list of a list of lists has been taken out."""
    are_numbers = all(isinstance(n, Draft | Literal) for n in (index, start, size))
    if isinstance(found, Array | Rows | Lists) and are_numbers:
        place, first, many = cast(tuple[Number, Number, Number], (index, start, size))
        own = Taken(of, place, first, many, _marks(flat, of))
        if of.layout.is_live:
            flat.rows_out.views[id(found)] = found, own
        else:
            flat.rows_out.of_lists[lists.first_of(found).cell] = own


def note_row(flat: Context, of: Rows, row: Value) -> None:
    """Remember that a list of known length has been taken out of a list of such."""
    if isinstance(row, Group) and of.layout.kind is Container.LIST:
        flat.rows_out.known[id(row)] = row, of


def take_out(flat: Context, row: Value) -> None:
    """Remember that a list has been taken out of a list of rows, which has it still."""
    if is_list(row):
        flat.rows_out.rows[id(row)] = row


def kept(flat: Context, row: Value) -> Value:
    """A row whose dicts may not be changed: neither list nor name would see it."""
    for one in inside([row]):
        if isinstance(one, Dict):
            flat.rows_out.dicts[one.identity] = None
    return row


def _marks(flat: Context, of: Lists) -> tuple[Value | Promise, Value | Promise]:
    span = of.site
    return flat.heap.held(of.starts.cell, span), flat.heap.held(of.sizes.cell, span)


def _of(flat: Context, value: Value, span: Span) -> Taken | Special | None:
    """The place of a list that has been taken out of a list of lists; None of any other
    value. Refuses AD124 where it has a name, or the list of lists has changed since.
    """
    if not isinstance(value, Array | Rows | Lists):
        return None
    view, seen = flat.rows_out.views.get(id(value), (None, None))
    if view is value:
        return seen
    if isinstance(value, Array) and not value.is_whole:
        return None
    cell = lists.first_of(value).cell
    own = flat.rows_out.of_lists.get(cell)
    if own is None:
        return None
    if own.marks == _marks(flat, own.of) and not row_values.is_named(flat, cell):
        return own
    homes.enliven_at(flat, own.of.site)
    rows.relay(flat, own.of, replace(own.of.layout, is_live=True))
    message = "a list in a list of lists is changed by another name"
    flat.refuse("AD124", message, span, _UNNAMED)
    return Special.REFUSED


def relaid(flat: Context, value: Value, item: Value) -> None:
    """Begin again with lists of any length for rows of known length, where one of them
    is written.
    """
    row, of = flat.rows_out.known.get(id(value), (None, None))
    if row is not value or of is None:
        return
    wide: Layout | None = row_layouts.layout_of(item)
    for part in of.layout.parts:
        wide = None if wide is None else row_layouts.joint(wide, part)
    if wide is not None:
        rows.relay(flat, of, Listed(wide))


def lengthened(flat: Context, value: Value, item: Value) -> None:
    """Begin again with lists of any length for lists that are all of one, where one of
    them grows.
    """
    if not isinstance(value, Array) or len(value.axes) != 1 or value.is_whole:
        return
    own, layout = value.cell.type, row_layouts.layout_of(item)
    if len(own.dims) == len(value.places) == 2 and layout is not None:
        joint = row_layouts.joint(Type(own.kind), layout)
        if joint is not None:
            flat.relay(value.cell.span, Listed(joint))


def store(
    flat: Context, value: Value, index: Value, item: Value, span: Span, notes: Notes
) -> bool:
    """Whether `rows[k][index] = item` goes to where the list stands, and is done."""
    own = _of(flat, value, span)
    if own is None or not isinstance(index, Draft | Literal):
        return False
    if not isinstance(own, Taken) or not _fits(flat, own.of, item, span):
        return True
    values, begin = own.of.values, flat.heap.aliases.tick()
    columns = rows.fitted(flat, values, item, span) if isinstance(values, Rows) else ()
    for column, part in columns or ((values, item),):
        if not isinstance(column, Array):
            return False
        view = Array(column.cell, (Axis(own.start, 1, own.size),))
        arrays.store(flat, view, index, part, span, notes)
    permit(flat, begin)
    _written(flat, own.of, grows=False)
    return True


def fill(flat: Context, value: Value, items: Value, span: Span) -> bool:
    """Whether `rows[k][:] = items` of as many goes to where the list stands, and is
    done.
    """
    own = _of(flat, value, span)
    if not isinstance(own, Taken):
        return own is not None
    held, begin = own.of.values, flat.heap.aliases.tick()
    pairs: Sequence[tuple[Value, Value]] = ((held, items),)
    if isinstance(held, Rows) and isinstance(items, Rows):
        pairs = [*zip(held.columns, items.columns, strict=True)]
    if not all(isinstance(column, Array) for column, _ in pairs):
        return False
    for column, part in pairs:
        view = Array(cast(Array, column).cell, (Axis(own.start, 1, own.size),))
        arrays.fill(flat, view, part, span)
    permit(flat, begin)
    _written(flat, own.of, grows=False)
    return True


def hold(flat: Context, value: Value, items: Array, span: Span) -> bool:
    """Whether a list in a list of lists holds the numbers of another list from here on,
    however many.
    """
    own = _of(flat, value, span)
    if not isinstance(own, Taken):
        return own is not None
    if not isinstance(own.of.values, Array):
        return False
    if not _is_alone(flat, own, span):
        return True
    names = _names_of(flat, own)
    begin = flat.heap.aliases.tick()
    size = extents.length(flat, items, span)
    if isinstance(size, Draft):
        flat.heap.naturals.add(size)
    _begin_behind(flat, own, size, lambda k: views.at(flat, items, k, span), span)
    arrays.store(flat, own.of.sizes, own.place, size, span)
    permit(flat, begin)
    _written(flat, own.of, grows=True)
    _renew(flat, own, names, span)
    return True


def append(flat: Context, value: Value, item: Value, span: Span) -> bool:
    """Whether `groups[k].append(item)` goes to the place of the list, and is done. The
    item goes to the end of all items, where the list is copied first if others end
    there.
    """
    own = _of(flat, value, span)
    if own is None:
        return False
    if not isinstance(own, Taken) or not _fits(flat, own.of, item, span):
        return True
    of, size = own.of, own.size
    if not _is_alone(flat, own, span):
        return True
    names = _names_of(flat, own)
    begin = flat.heap.aliases.tick()
    count = extents.length(flat, lists.first_of(of.values), span)
    end = extents.number(flat, "add", (own.start, size), span)
    is_inside = flat.operate(TABLE["ne"], (end, count), span)
    branches.where(flat, is_inside, lambda: _move(flat, own, span), span)
    rows.grow(flat, of.values, item, span)
    longer = extents.number(flat, "add", (size, Literal(1)), span)
    if isinstance(longer, Draft):
        flat.heap.naturals.add(longer)
    arrays.store(flat, of.sizes, own.place, longer, span)
    permit(flat, begin)
    _written(flat, of, grows=True)
    _renew(flat, own, names, span)
    return True


def pop(flat: Context, value: Value, index: Value, span: Span) -> Value | None:
    """The item that `rows[k].pop()` or `rows[k].pop(0)` takes out; None of any other
    list.
    """
    own = _of(flat, value, span)
    if own is None or index not in (_FIRST, _LAST):
        return None
    if not isinstance(own, Taken):
        return Special.REFUSED
    of, begin = own.of, flat.heap.aliases.tick()
    if not _is_alone(flat, own, span):
        return Special.REFUSED
    names = _names_of(flat, own)
    is_any = flat.operate(TABLE["gt"], (own.size, _FIRST), span)
    if isinstance(is_any, Draft | Literal):
        said = ("pop from empty list",)
        flat.add(DraftCheck(is_any, said, (), span, (), "IndexError"))
    shorter = extents.number(flat, "sub", (own.size, Literal(1)), span)
    place = extents.number(flat, "add", (own.start, shorter), span)
    if index == _FIRST:
        place = own.start
        behind = extents.number(flat, "add", (own.start, Literal(1)), span)
        arrays.store(flat, of.starts, own.place, behind, span)
    found = _at(flat, of, place, span)
    arrays.store(flat, of.sizes, own.place, shorter, span)
    permit(flat, begin)
    _written(flat, of, grows=True)
    _renew(flat, own, names, span)
    return found


def _renew(flat: Context, own: Taken, names: Sequence[str], span: Span) -> None:
    """Let names of a list whose length has changed stand for it as it is by now."""
    if own.of.layout.is_live:
        for name in names:
            flat.frame.bind(name, lists.item(flat, own.of, own.place, span))


def again(flat: Context, value: Value, span: Span) -> Callable[[], Value]:
    """A function that takes a list out of its list of lists once more, after each
    change; for any other value it gives that value.
    """
    own = _of(flat, value, span)
    if not isinstance(own, Taken) or not _is_alone(flat, own, span):
        return lambda: value
    return lambda: lists.item(flat, own.of, own.place, span)


def _is_alone(flat: Context, own: Taken, span: Span) -> bool:
    """Whether a list may get another length: no name stands for a list of the same list
    of lists. Refuses AD124 else.
    """
    if not own.of.layout.is_live:
        return True  # or it has been said
    if own.marks == _marks(flat, own.of) and not _is_seen(flat, own):
        return True
    message = "a list in a list of lists grows or shrinks, and has another name"
    flat.refuse("AD124", message, span, _UNNAMED)
    return False


def _is_seen(flat: Context, own: Taken) -> bool:
    """Whether any value views one of some lists, but the value at hand and the names
    that this arm or trip has given to this list.
    """
    cells = {lists.first_of(own.of.values).cell, own.of.starts.cell}
    names = _names_of(flat, own)
    held = [*flat.stack, *rebinding.outside(flat, flat.frame, names)]
    for one in inside(held):
        if isinstance(one, Array) and not one.is_whole and one.cell in cells:
            return True
    return False


def _names_of(flat: Context, own: Taken) -> list[str]:
    """The names that this arm or trip has given a list that is seen where it stands."""
    frame = flat.frame
    scope = frame.trail[-1] if frame.trail else frame.names
    return [n for n, v in frame.names.items() if n in scope and _is_of(flat, v, own)]


def _is_of(flat: Context, value: Value | Promise | None, own: Taken) -> bool:
    view, seen = flat.rows_out.views.get(id(value), (None, None))
    if view is not value or seen is None or seen.of.cells != own.of.cells:
        return False
    return seen.place == own.place and seen.marks == own.marks


def _taken(flat: Context, value: Value) -> Taken | None:
    """The place of a list that has been taken out of a list of lists; None of any other
    value.
    """
    view, seen = flat.rows_out.views.get(id(value), (None, None))
    if view is value:
        return seen
    if not isinstance(value, Array | Rows | Lists):
        return None
    first = lists.first_of(value)
    return flat.rows_out.of_lists.get(first.cell) if first.is_whole else None


def is_taken(flat: Context, value: Value) -> bool:
    """Whether a value is a list that has been taken out of a list of lists."""
    return _taken(flat, value) is not None


def renewed(flat: Context, value: Value, span: Span) -> Value:
    """A list in a list of lists as it is by now, once it has grown."""
    own = _taken(flat, value)
    return value if own is None else lists.item(flat, own.of, own.place, span)


def _move(flat: Context, own: Taken, span: Span) -> None:
    """Copy the items of a list to the end of all."""

    def item(k: Draft) -> Value:
        place = extents.number(flat, "add", (own.start, k), span)
        return _at(flat, own.of, place, span)

    _begin_behind(flat, own, own.size, item, span)


def _begin_behind(
    flat: Context, own: Taken, size: Number, item: Callable[[Draft], Value], span: Span
) -> None:
    """Let a list begin behind the items of all lists, with items of its own."""
    of = own.of
    start = extents.length(flat, lists.first_of(of.values), span)
    if isinstance(start, Draft):
        flat.heap.naturals.add(start)
    loops.trips(flat, size, lambda k: rows.grow(flat, of.values, item(k), span), span)
    arrays.store(flat, of.starts, own.place, start, span)


def _at(flat: Context, of: Lists, place: Number, span: Span) -> Value:
    """The item at a place among those of all lists."""
    if isinstance(of.values, Array):
        return views.at(flat, of.values, place, span)
    if isinstance(of.values, Rows):
        return rows.item(flat, of.values, place, span)
    return lists.item(flat, of.values, place, span)


def _fits(flat: Context, of: Lists, item: Value, span: Span) -> bool:
    """Whether an item fits into the lists; refused else."""
    if item is Special.REFUSED:
        return False
    layout = row_layouts.layout_in(item, of.layout.of)
    wide = None if layout is None else row_layouts.joint(of.layout, Listed(layout))
    if wide is None:
        message = "lists of what is not alike in a list of lists are not supported"
        help_ = "let all hold numbers, or tuples of numbers of one length"
        flat.refuse("AD107", message, span, help_)
        return False
    if wide != of.layout:
        rows.relay(flat, of, wide)
    return isinstance(layout, Row | Listed) or not isinstance(of.values, Rows)


def begin_live(flat: Context, matrix: Cell) -> None:
    """Begin again with a list of lists that are seen where they stand once they are
    taken out.
    """
    layout = flat.layouts.get(matrix.span)
    if isinstance(layout, Listed) and not layout.is_live:
        flat.relay(matrix.span, replace(layout, is_live=True))


def event(flat: Context) -> int:
    """The time at which a list becomes an item. It is one time for all places in a
    function of a dict: a call takes one of them.
    """
    now = flat.heap.aliases.tick()
    if not flat.running or not is_in_python(flat.running[-1].span):
        return now
    _, first = flat.rows_out.events.setdefault(id(flat.frame), (flat.frame, now))
    return first


def permit(flat: Context, start: int) -> None:
    """Remember that the writes since a time changed no other place of a list."""
    flat.rows_out.permitted.append((start, flat.heap.aliases.tick()))


def is_view(flat: Context, value: Value) -> bool:
    """Whether a value is a list that is seen where it stands, in a list of lists."""
    if not isinstance(value, Array | Rows | Lists):
        return False
    own = lists.first_of(value)
    layout = flat.layouts.get(own.cell.span)
    return isinstance(layout, Listed) and layout.is_live and not own.is_whole


def note_views(flat: Context) -> None:
    """Note the writes by views of lists, or by other names of them."""
    times, aliases = flat.rows_out.permitted, flat.heap.aliases
    for time, cell in aliases.writes:
        layout = flat.layouts.get(cell.span)
        is_live = isinstance(layout, Listed) and layout.is_live
        if is_live and not any(a < time < b for a, b in times):
            aliases.row_writes.append(RowWrite(time, cell, grows=False))


def _written(flat: Context, of: Lists, *, grows: bool) -> None:
    for cell in of.cells:
        flat.heap.aliases.write_row(cell, grows=grows)
