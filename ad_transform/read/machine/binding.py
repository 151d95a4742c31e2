"""Assignments: names for values, tuples taken apart, comments handed on."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Behind, Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays import (
    indexing,
    views,
)
from ad_transform.read.branches import maybe
from ad_transform.read.code import Target
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.machine.naming import column_names, item_names, named
from ad_transform.read.values.frames import Frame
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import (
    Array,
    Cell,
    Deque,
    Lists,
    Rows,
    Slice,
    Stack,
)
from ad_transform.read.values.structured import Group, Object
from ad_transform.read.values.values import Draft, Special, Value, is_whole

with later():
    from ad_transform.read.arrays import (
        arrays,
        extents,
    )
    from ad_transform.read.iterables import iterables
    from ad_transform.read.lists import listing
    from ad_transform.read.objects import assigning
    from ad_transform.read.rows import optional_rows


def bind(
    flat: Context, frame: Frame, target: Target, value: Value, notes: tuple[str, ...]
) -> bool:
    """Bind a target in a frame; True if the notes have found their value."""
    if target.field:
        return _field(flat, target, value, notes)
    if target.place:
        return _element(flat, target, value, notes)
    if target.items:
        return _unpack(flat, frame, target, value, notes)
    if not target.name:
        return False
    _name_lists(flat, frame, value, target.name, notes)
    if isinstance(value, Object) and value.identity is not None:
        value.identity.hint = value.identity.hint or target.name
    before = value.notes if isinstance(value, Draft | Literal) else ()
    made = named(frame, value, target.name, notes)
    if isinstance(made, Literal) and made is not value and target.times > 1:
        made = Literal(made.value, notes=made.notes)
    frame.bind(target.name, made)
    done = isinstance(made, Draft | Literal) and made.notes is not before
    if notes and not (done or frame.quiet) and isinstance(made, Draft):
        above = tuple(note for note in notes if not isinstance(note, Behind))
        frame.said[target.name, made] = above
    return done


def _name_lists(
    flat: Context, frame: Frame, value: Value, name: str, notes: tuple[str, ...]
) -> None:
    """Name the lists and arrays that keep a value after its name."""
    match value:
        case Deque():
            _name_lists(flat, frame, value.inner, name, notes)
        case Array(cell=cell) if value.is_whole:
            _called(flat, frame, cell, name, notes)
        case Group(items=items):
            for k, row in enumerate(items):
                if isinstance(row, Array):
                    _name_lists(flat, frame, row, f"{name}_{k}", ())
        case Object(of=of, items=items):
            for field, item in zip(of.names, items, strict=True):
                _name_lists(flat, frame, item, f"{name}_{field}", ())
        case Rows() | Lists():
            names = column_names(value.layout, name)
            for cell, own in zip(value.cells, names, strict=True):
                _called(flat, frame, cell, own, ())
        case Stack():
            _called(flat, frame, value.values.cell, name, notes)
            _, *names = item_names(value, name)
            for marks, own in zip(value.marks, names, strict=True):
                _called(flat, frame, marks.cell, own, ())


def _called(
    flat: Context, frame: Frame, cell: Cell, name: str, notes: tuple[str, ...]
) -> None:
    """Name the first and the present contents of an array or list."""
    named(frame, cell.origin, name, notes)
    cell.hint = cell.origin.hint
    held = flat.heap.names.get(cell.key)
    if isinstance(held, Draft) and not held.hint:
        named(frame, held, name, ())


def bind_item(flat: Context, frame: Frame, target: Target, value: Value) -> None:
    """Bind the target of an unrolled loop, in one of its trips. A number takes no name
    from it, as the name is another number in each trip.
    """
    if target.items:
        parts = zip(target.items, _spread(flat, target, value), strict=True)
        for part, item in parts:
            bind_item(flat, frame, part, item)
    elif target.name and (isinstance(value, Literal) or _is_item(value)):
        frame.bind(target.name, value)
    else:
        bind(flat, frame, target, value, ())


def _is_item(value: Value) -> bool:
    """Whether a value is an item of a state, which only `x, y = state` may name."""
    return isinstance(value, Draft) and value.of is not None and bool(value.hint)


def _element(
    flat: Context, target: Target, value: Value, notes: tuple[str, ...]
) -> bool:
    """Bind an element; its array and index are evaluated now."""
    flat.perform(target.place)
    group, index = (maybe.certain(flat, v, target.span) for v in flat.pop(2))
    group = group.inner if isinstance(group, Deque) else group
    value = optional_rows.stored(flat, group, value, target.span)
    if not assigning.stored(flat, group, index, value, target.span):
        indexing.store(flat, group, index, value, target.span, notes)
    return True


def _field(flat: Context, target: Target, value: Value, notes: tuple[str, ...]) -> bool:
    """Assign a field; its object is evaluated now."""
    flat.perform(target.place)
    owner = maybe.certain(flat, flat.pop(1)[0], target.span)
    assigning.store(flat, owner, target.field, value, target.span, notes)
    return True


def _unpack(
    flat: Context, frame: Frame, target: Target, value: Value, notes: tuple[str, ...]
) -> bool:
    done = False
    waiting = [*_spread(flat, target, value)]
    for part in target.items:
        item, *waiting = waiting
        flat.stack += waiting  # a change of an array looks there for its other holders
        done = bind(flat, frame, part, item, () if done else notes) or done
        flat.pop(len(waiting))
    return done


def _spread(flat: Context, target: Target, value: Value) -> Sequence[Value]:
    """The values for the items of a target; all refused after a report of AD107."""
    value = maybe.certain(flat, value, target.span)
    value = listing.of_range(flat, value, target.span)
    wanted = len(target.items)
    refused = [Special.REFUSED] * wanted
    if isinstance(value, Array | Rows | Series) and target.star < 0:
        return _elements(flat, value, wanted, target.span) or refused
    if is_whole(value) and target.star < 0 and value.type.shape[0] == wanted:
        places = map(Literal, range(wanted))
        known, span = flat.wholes, target.span
        return [indexing.item(flat, value, k, known, span) for k in places]
    is_line = isinstance(value, Array) and len(value.axes) == 1
    if (
        target.star >= 0
        and isinstance(value, Array | Rows)
        and (is_line or isinstance(value, Rows))
    ):
        return _around_star(flat, target, value)
    if not isinstance(value, Group):
        flat.unspreadable(value, target.span)
        return refused
    items, star = value.items, target.star
    if star < 0 and len(items) == wanted:
        return items
    extra = len(items) - wanted + 1
    if star < 0 or extra < 0:
        message = f"{len(items)} values for {wanted} names"
        flat.refuse("AD107", message, target.span, "bind as many as there are")
        return refused
    middle = Group(Container.LIST, items[star : star + extra])
    return (*items[:star], middle, *items[star + extra :])


def _elements(
    flat: Context, items: Array | Rows | Series, wanted: int, span: Span
) -> Sequence[Value] | None:
    """The items of a value, `wanted` of them; None after a report of AD107."""
    length = iterables.count(flat, items, span)
    if isinstance(length, Literal) and length.value != wanted:
        message = f"{length.value} values for {wanted} names"
        flat.refuse("AD107", message, span, "bind as many as there are")
        return None
    extents.agree(flat, length, Literal(wanted), span)
    if isinstance(items, Array):
        return [views.at(flat, items, Literal(k), span) for k in range(wanted)]
    over = iterables.series_of(flat, items, span)
    assert over is not None
    return [over.item(Literal(k)) for k in range(wanted)]


def _around_star(flat: Context, target: Target, value: Array | Rows) -> Sequence[Value]:
    """`first, *rest = x`: items from both ends, and a list of those between."""
    span, before = target.span, target.star
    behind = len(target.items) - before - 1
    size = extents.length(flat, value.first if isinstance(value, Rows) else value, span)
    test = flat.operate(TABLE["ge"], (size, Literal(before + behind)), span)
    if isinstance(test, Draft):
        said = ("not enough values to unpack",)
        flat.add(DraftCheck(test, said, (), span, (), "ValueError"))

    def at(place: Value) -> Value:
        return indexing.item(flat, value, place, flat.wholes, span)

    stop = Literal(-behind) if behind else Special.NONE
    middle = at(Slice(Literal(before), stop, Special.NONE))
    if isinstance(middle, Array) and middle.cell.container is not Container.LIST:
        middle = arrays.copied(flat, middle, Container.LIST, span)
    ends = [at(Literal(place - behind)) for place in range(behind)]
    return [*(at(Literal(place)) for place in range(before)), middle, *ends]
