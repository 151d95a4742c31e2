"""Lists of numbers that grow, and shrink, by an element."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import rebinding
from ad_transform.read.arrays.arrays import change, fit, item, name_of
from ad_transform.read.machine.context import Context
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.structured import Group, is_tuple
from ad_transform.read.values.values import Draft, Value, is_whole


def append(flat: Context, array: Array, value: Value, span: Span) -> None:
    """Append an element to a list."""
    if not array.is_whole:
        message = "a list in a list of lists, or a part of one, is to grow"
        help_ = "write `rows[k].append(v)`, without a name for the row"
        flat.refuse("AD107", message, span, help_)
        return
    if len(array.places) > 1 or isinstance(value, Array | Group) or is_whole(value):
        message = "a list of rows whose length is not known here does not grow"
        help_ = "make all rows first, `B = np.zeros((m, n))`, and write `B[i] = row`"
        if is_tuple(value):
            message = "a list of tuples that grows is not supported"
            help_ = "append what is in them to lists of their own, and `zip` these"
        if array.cell.span in flat.heap.of_sums and _is_added(value):
            flat.pile(array.cell.span)
        refused = flat.refuse("AD107", message, span, help_)
        flat.heap.bind(array.cell.key, refused)  # its elements would be no rows
        return
    given = fit(flat, array.cell, value, span)
    content = flat.heap.held(array.cell, span)
    if given is not None and isinstance(content, Draft):
        change(flat, array.cell, "append", (content, given), span)
        _grown(flat, array.cell, span)


def _is_added(value: Value) -> bool:
    """Whether `sum` adds such items here: vectors of numpy."""
    if isinstance(value, Array):
        return value.cell.container is Container.ARRAY and len(value.axes) == 1
    if isinstance(value, Group):
        items = value.items
        is_vector = not any(isinstance(item, Group) for item in items)
        return value.container is Container.ARRAY and is_vector
    return is_whole(value) and len(value.type.shape) == 1


def popped(flat: Context, array: Array, span: Span) -> Value:
    """The last element of a list, which is removed."""
    if len(array.places) > 1 or not array.is_whole:
        message = "a list of lists that shrinks is not supported"
        return flat.refuse("AD107", message, span, "keep its length in a number")
    last = item(flat, array, Literal(-1), span)
    content = flat.heap.held(array.cell, span)
    if isinstance(content, Draft):
        change(flat, array.cell, "pop", (content,), span)
        _grown(flat, array.cell, span)
    return last


def replace(flat: Context, cell: Cell, content: Draft, span: Span) -> None:
    """Give a list other elements, and another number of them."""
    if rebinding.is_copied(flat, cell):
        rebinding.refuse_shared(flat, name_of(flat, cell), span)
        return
    flat.changed.add(cell)
    content.hint = cell.hint
    flat.heap.write(cell, content)
    _grown(flat, cell, span)


def _grown(flat: Context, cell: Cell, span: Span) -> None:
    """Note that a list has another length; refuse if a name stands for a series over
    it.
    """
    flat.heap.grown.append(cell)
    apart = flat.heap.aliases.is_apart
    for value in rebinding.inside(rebinding.others(flat, "")):
        of = value.cells if isinstance(value, Series) else ()
        if any(one is cell or not apart(one, cell) for one in of):
            message = f"{cell.hint or 'a list'!r} grows, and a name goes over its items"
            help_ = "write what goes over the items into the loop itself"
            flat.refuse("AD107", message, span, help_)
            return
