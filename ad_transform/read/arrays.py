"""Arrays of run-time length as functions are flattened: elements, views, writes.

An index of a whole axis goes as it is into the IR, where a negative one counts from the
end as it does in Python. Places of a view are counted from its first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, Kind, Type
from ad_transform.read import choices, loops, sequences
from ad_transform.read.arguments import leaves
from ad_transform.read.context import Context
from ad_transform.read.heap import Aliased
from ad_transform.read.values import (
    Array,
    Axis,
    Cell,
    Draft,
    DraftCheck,
    Group,
    Number,
    Series,
    Slice,
    Special,
    Value,
    describe,
)

Index = Number | Slice

_ZERO, _ONE = Literal(0), Literal(1)


# --- whole numbers ------------------------------------------------------------------


def number(flat: Context, op: str, values: Sequence[Number], span: Span) -> Number:
    """The value of an operation on whole numbers, computed where they are known.

    Lengths stay lengths: one less than n is n - 1 elements.
    """
    known = [v.value for v in values if isinstance(v, Literal)]
    if len(known) == len(values):
        return Literal(TABLE[op].compute(*known))
    match op, values:
        case ("add", [one, Literal(value=0)]) | ("add", [Literal(value=0), one]):
            return one
        case ("sub", [one, Literal(value=0)]) | ("mul", [one, Literal(value=1)]):
            return one
    made = flat.apply(TABLE[op], values, span)
    assert isinstance(made, Draft)
    match op, values:
        case ("add" | "sub", [Draft() as one, Literal(value=int(by))]):
            flat.heap.longer(made, one, by if op == "add" else -by)
    return made


def is_natural(flat: Context, value: Number) -> bool:
    """Whether a whole number is surely not below 0."""
    if isinstance(value, Literal):
        return not isinstance(value.value, str) and value.value >= 0
    return value in flat.heap.naturals or flat.wholes.get(value, -1) >= 0


# --- lengths ------------------------------------------------------------------------


def length(flat: Context, array: Array, span: Span) -> Number:
    """How many items an array has, below 0 perhaps where a view is empty."""
    place = next(k for k, p in enumerate(array.places) if isinstance(p, Axis))
    return _axis_length(flat, array.cell, place, array.axes[0], span)


def count(flat: Context, array: Array, span: Span) -> Number:
    """`len(array)`."""
    found = length(flat, array, span)
    if is_natural(flat, found):
        return found
    return number(flat, "max", (found, _ZERO), span)


def _axis_length(flat: Context, cell: Cell, k: int, axis: Axis, span: Span) -> Number:
    if axis.length is not None:
        return axis.length
    known = cell.lengths[k]
    if known is not None:
        return known
    content = flat.heap.held(cell, span)
    if not isinstance(content, Draft):
        return _ZERO
    dim = content.type.dims[k]
    if isinstance(dim, int):
        return Literal(dim)
    made = flat.apply(TABLE["size"], (content, *(_ZERO,) * k), span)
    assert isinstance(made, Draft)
    flat.heap.naturals.add(made)
    if dim != "?":
        flat.heap.dims[made] = dim
    return made


def shape(flat: Context, array: Array, span: Span) -> Group:
    """`array.shape`."""
    items = [
        _axis_length(flat, array.cell, k, p, span)
        for k, p in enumerate(array.places)
        if isinstance(p, Axis)
    ]
    return Group(Container.TUPLE, tuple(items))


# --- indices ------------------------------------------------------------------------


def item(flat: Context, array: Array, index: Value, span: Span) -> Value:
    """`array[index]`: an element, or a view."""
    view = _indexed(flat, array, index, span)
    if view is None:
        return Special.REFUSED
    if view.axes:
        is_copy = array.cell.container is not Container.ARRAY and isinstance(
            index, Slice
        )
        return copied(flat, view, array.cell.container, span) if is_copy else view
    return element(flat, view, span)


def element(flat: Context, array: Array, span: Span) -> Value:
    """The element that is left where all axes are indexed."""
    content = content_of(flat, array.cell, span)
    if not isinstance(content, Draft):
        return Special.REFUSED
    return flat.apply(TABLE["get"], (content, *cast(tuple[Number], array.places)), span)


def content_of(flat: Context, cell: Cell, span: Span) -> Value:
    """What a cell holds; REFUSED after a report of AD124."""
    try:
        return flat.heap.read(cell, span)
    except Aliased as aliased:
        return _aliased(flat, aliased, span)


def _aliased(flat: Context, aliased: Aliased, span: Span) -> Value:
    names = dict.fromkeys(name for name in aliased.args if name)
    said = " and ".join(map(repr, names)) or "two arrays"
    if len(names) == 1:
        said += " and another array"
    message = f"{said} may be the same array here, and one is written"
    name = next(iter(names), "y")
    help_ = f"let one of them be a copy where it gets its name: `{name}.copy()`"
    return flat.refuse("AD124", message, span, help_)


def at(flat: Context, array: Array, place: Number, span: Span) -> Value:
    """The item at a place that is counted from 0 and is there."""
    view = _placed(flat, array, place, span)
    return view if view.axes else element(flat, view, span)


def _placed(flat: Context, array: Array, place: Number, span: Span) -> Array:
    k = next(k for k, p in enumerate(array.places) if isinstance(p, Axis))
    axis = array.axes[0]
    places = (*array.places[:k], _base(flat, axis, place, span), *array.places[k + 1 :])
    return Array(array.cell, places)


def _base(flat: Context, axis: Axis, place: Number, span: Span) -> Number:
    """The index in the cell of a place of a view."""
    times = number(flat, "mul", (place, Literal(axis.step)), span)
    if axis.step == 1:
        times = place
    return number(flat, "add", (times, axis.start), span)


def _indexed(flat: Context, array: Array, index: Value, span: Span) -> Array | None:
    """The array with its first axes indexed; None after a report."""
    if index is Special.REFUSED:
        return None
    parts = index.items if isinstance(index, Group) else (index,)
    if isinstance(index, Group) and index.container is not Container.TUPLE:
        _fancy(flat, index, span)
        return None
    if len(parts) > len(array.axes):
        message = f"{len(parts)} indices for {len(array.axes)} axes"
        flat.refuse("AD107", message, span, "write one index for each axis")
        return None
    if len(parts) > 1 and array.cell.container is not Container.ARRAY:
        message = "a list has one index"
        flat.refuse("AD107", message, span, "write `a[i][j]`")
        return None
    places = list(array.places)
    free = [k for k, p in enumerate(places) if isinstance(p, Axis)]
    for k, part in zip(free, parts, strict=False):
        made = _place(flat, array.cell, k, cast(Axis, places[k]), part, span)
        if made is None:
            return None
        places[k] = made
    return Array(array.cell, tuple(places))


def _place(
    flat: Context, cell: Cell, k: int, axis: Axis, index: Value, span: Span
) -> Number | Axis | None:
    if isinstance(index, Slice):
        return _cut(flat, cell, k, axis, index, span)
    if isinstance(index, Draft | Literal) and index.type in (INT, BOOL):
        return _one(flat, cell, k, axis, index, span)
    _fancy(flat, index, span)
    return None


def _fancy(flat: Context, index: Value, span: Span) -> None:
    if index is not Special.REFUSED:
        message = f"{describe(index)} as an index is not supported"
        help_ = "index with whole numbers and slices, in a loop where there are several"
        flat.refuse("AD107", message, span, help_)


def _one(
    flat: Context, cell: Cell, k: int, axis: Axis, index: Number, span: Span
) -> Number:
    """An index as one of the cell."""
    if index.type is BOOL:
        index = choices.typed(flat.statements, index, INT, span)
    if axis.is_whole:
        return _checked(flat, cell, k, index, span)
    size = _axis_length(flat, cell, k, axis, span)
    if not is_natural(flat, index):
        index = _from_start(flat, index, size, span)
    inside = flat.apply(TABLE["lt"], (index, size), span)
    assert isinstance(inside, Draft)
    message = ("index out of range",)
    flat.add(DraftCheck(inside, message, (), span, (), "IndexError"))
    return _base(flat, axis, index, span)


def _checked(flat: Context, cell: Cell, k: int, index: Number, span: Span) -> Number:
    """An index of a whole axis; one beyond what is known of its length is refused."""
    content = flat.heap.held(cell, span)
    many = content.type.dims[k] if isinstance(content, Draft) else None
    place = sequences.whole(index, flat.wholes)
    if isinstance(many, int) and place is not None and not -many <= place < many:
        message = f"there are {many} elements, and none at index {place}"
        flat.refuse("AD107", message, span, f"indices are 0 to {many - 1}")
    return index


def _from_start(flat: Context, index: Number, size: Number, span: Span) -> Number:
    """A place that is counted from the end where it is negative."""
    if isinstance(index, Literal):
        return number(flat, "add", (size, index), span)
    test = flat.apply(TABLE["lt"], (index, _ZERO), span)
    made = choices.choose(
        flat,
        test,
        lambda: number(flat, "add", (index, size), span),
        lambda: index,
        "an index",
        span,
    )
    return cast(Number, made)


def _cut(
    flat: Context, cell: Cell, k: int, axis: Axis, cut: Slice, span: Span
) -> Axis | None:
    """`start:stop:step` of an axis."""
    step = _ONE if cut.step is Special.NONE else cut.step
    by = sequences.whole(step, flat.wholes)
    for bound in (cut.start, cut.stop):
        fits = isinstance(bound, Draft | Literal) and bound.type in (INT, BOOL)
        if bound is not Special.NONE and not fits:
            _fancy(flat, bound, span)
            return None
    if not by or (by < 0 and (cut.start, cut.stop) != (Special.NONE, Special.NONE)):
        message = "this step of a slice is not supported"
        help_ = "write a positive number; `[::-1]` is the whole in reverse"
        flat.refuse("AD107", message, span, help_)
        return None
    if (cut.start, cut.stop, by) == (Special.NONE, Special.NONE, 1):
        return axis
    size = _axis_length(flat, cell, k, axis, span)
    if by < 0:
        first = number(flat, "sub", (size, _ONE), span)
        many = trips(flat, size, -by, span)
        return Axis(_base(flat, axis, first, span), axis.step * by, many)
    low = _bound(flat, cut.start, _ZERO, size, False, span)
    high = _bound(flat, cut.stop, size, size, True, span)
    many = trips(flat, number(flat, "sub", (high, low), span), by, span)
    return Axis(_base(flat, axis, low, span), axis.step * by, many)


def trips(flat: Context, size: Number, step: int, span: Span) -> Number:
    """How many places there are at a distance of `step`."""
    if step == 1:
        return size
    more = number(flat, "add", (size, Literal(step - 1)), span)
    return number(flat, "floordiv", (more, Literal(step)), span)


def _bound(
    flat: Context, bound: Value, default: Number, size: Number, is_end: bool, span: Span
) -> Number:
    """A bound of a slice, counted from the start; an end is no more than the length.

    What starts behind its end is empty, so a start may be beyond the length.
    """
    if bound is Special.NONE:
        return default
    assert isinstance(bound, Draft | Literal)
    if isinstance(bound, Literal):
        value = int(cast(int, bound.value))
        bound = Literal(value)
        if value < 0:
            below = number(flat, "add", (size, bound), span)
            return below if is_end else number(flat, "max", (below, _ZERO), span)
    elif not is_natural(flat, bound):
        bound = _from_start(flat, bound, size, span)
        if not is_end:
            bound = number(flat, "max", (bound, _ZERO), span)
    if is_end and bound is not size:
        return number(flat, "min", (bound, size), span)
    return bound


# --- writes -------------------------------------------------------------------------


Notes = tuple[str, ...]


def store(
    flat: Context,
    array: Array,
    index: Value,
    value: Value,
    span: Span,
    notes: Notes = (),
) -> None:
    """`array[index] = value`."""
    view = _indexed(flat, array, index, span)
    if view is None or value is Special.REFUSED:
        return
    if array.cell.container is Container.TUPLE:
        flat.refuse("AD107", "a tuple cannot be changed", span, "write a list")
    elif view.axes:
        fill(flat, view, value, span)
    else:
        put(flat, view, value, span, notes)


def put(
    flat: Context, view: Array, value: Value, span: Span, notes: Notes = ()
) -> None:
    """Write one element."""
    given = fit(flat, view.cell, value, span)
    content = flat.heap.held(view.cell, span)
    if given is None or not isinstance(content, Draft):
        return
    args = (content, given, *cast(tuple[Number], view.places))
    change(flat, view.cell, "set", args, span, notes)


def change(
    flat: Context,
    cell: Cell,
    op: str,
    args: Sequence[Number],
    span: Span,
    notes: Notes = (),
) -> None:
    """Let a cell hold what an operation on its content gives."""
    made = flat.apply(TABLE[op], args, span)
    if isinstance(made, Draft):
        made.hint, made.notes = cell.hint, () if flat.frame.quiet else notes
        try:
            flat.heap.write(cell, made)
        except Aliased as aliased:
            _aliased(flat, aliased, span)


def fit(flat: Context, cell: Cell, value: Value, span: Span) -> Number | None:
    """A number as an element of a cell; None after a report."""
    given = flat.number(value, span)
    if given is None:
        return None
    kind = cell.type.kind
    wide = choices.joint(given.type, Type(kind))
    if wide.kind is kind:
        return choices.typed(flat.statements, given, wide, span)
    if cell.container is not Container.ARRAY:
        flat.widen(cell, wide)
    message = f"{describe(given)} does not fit an array of {kind.value}s"
    help_ = "let the array hold floats: `np.zeros(n)`, `np.array([1.0, 2.0])`"
    flat.refuse("AD107", message, span, help_)
    return None


def fill(flat: Context, view: Array, value: Value, span: Span) -> None:
    """Write every element of a view: one number, or one item after the other."""
    if isinstance(value, Draft | Literal):
        trips = length(flat, view, span)
        loops.trips(flat, trips, lambda k: _write(flat, view, k, value, span), span)
        return
    if isinstance(value, Array) and value.cell is view.cell:
        value = copied(flat, value, Container.ARRAY, span)
    items = series(flat, value, span)
    if items is None:
        if value is not Special.REFUSED:
            message = f"{describe(value)} cannot be written to a slice"
            flat.refuse("AD107", message, span, "write its elements in a loop")
        return
    trips = length(flat, view, span)
    agree(flat, trips, items.length, span)
    loops.trips(flat, trips, lambda k: _write(flat, view, k, items.item(k), span), span)


def _write(flat: Context, view: Array, k: Number, value: Value, span: Span) -> None:
    inner = _placed(flat, view, k, span)
    if inner.axes:
        fill(flat, inner, value, span)
    else:
        put(flat, inner, value, span)


def same_length(flat: Context, one: Number, other: Number) -> bool:
    """Whether two lengths are surely equal."""
    if one is other or (isinstance(one, Literal) and one == other):
        return True
    dims = flat.heap.dims
    known = [dims.get(n) for n in (one, other) if isinstance(n, Draft)]
    return len(known) == 2 and known[0] is not None and known[0] == known[1]


# --- new arrays ---------------------------------------------------------------------


def full(
    flat: Context,
    value: Number,
    lengths: Sequence[Number],
    container: Container,
    span: Span,
) -> Value:
    """An array of equal elements; `lengths` are those of its one or two axes."""
    dims = tuple(flat.heap.dim(n) for n in lengths)
    op = TABLE["full" if len(dims) == 1 else "grid"]
    out = flat.declare(op, (value, *lengths), Type(value.type.kind, dims), span)
    if out is None:
        return Special.REFUSED
    return flat.heap.allocate(out, container, span, _fixed(lengths, container))


def _fixed(
    lengths: Sequence[Number], container: Container
) -> tuple[Number | None, ...]:
    """The lengths of an array; a list may grow."""
    return tuple(lengths) if container is Container.ARRAY else ()


def packed(
    flat: Context,
    items: Sequence[Value],
    container: Container,
    span: Span,
    kind: Type | None = None,
) -> Value:
    """An array of numbers that are known one by one, or of rows of such."""
    if items and all(isinstance(value, Group | Array) for value in items):
        return _rows(flat, items, container, span, kind)
    given = [n for n in (flat.number(value, span) for value in items) if n is not None]
    if len(given) < len(items):
        return Special.REFUSED
    wide = kind or flat.sites.get(span) or _least(given, container)
    for one in given:
        wide = choices.joint(wide, one.type)
    if not given:
        return full(flat, choices.FILLERS[wide], (_ZERO,), container, span)
    fit = [choices.typed(flat.statements, one, wide, span) for one in given]
    made = flat.apply(TABLE["pack"], fit, span)
    return (
        flat.heap.allocate(made, container, span) if isinstance(made, Draft) else made
    )


def _least(given: Sequence[Number], container: Container) -> Type:
    """The narrowest type of the elements: an empty array of numpy holds floats."""
    if given:
        return given[0].type
    return FLOAT if container is Container.ARRAY else INT


def _rows(
    flat: Context,
    items: Sequence[Value],
    container: Container,
    span: Span,
    kind: Type | None,
) -> Value:
    """A matrix of rows that are known one by one."""
    rows: list[Draft] = []
    cells = [item.cell for item in items if isinstance(item, Array)]
    if container is Container.LIST and len(set(cells)) < len(cells):
        message = "two rows of this list are one array"
        return flat.refuse("AD124", message, span, "make each row anew, or a copy")
    wide = kind or flat.sites.get(span) or FLOAT
    for item in items:
        row = item
        if isinstance(item, Group):
            row = packed(flat, item.items, container, span, wide)
        content = content_of(flat, row.cell, span) if isinstance(row, Array) else row
        if not isinstance(content, Draft):
            return Special.REFUSED
        rows.append(content)
    if len({row.type for row in rows}) > 1 or len(rows[0].type.dims) > 1:
        message = "the rows of a matrix have to be of one length"
        return flat.refuse("AD107", message, span, "write rows of one length")
    made = flat.apply(TABLE["pack"], rows, span)
    assert isinstance(made, Draft)
    matrix = flat.heap.allocate(made, container, span)
    if container is Container.LIST:
        for cell in cells:
            flat.heap.lend(cell, matrix.cell)
    return matrix


def append(flat: Context, array: Array, value: Value, span: Span) -> None:
    """Let a list grow by one element."""
    given = fit(flat, array.cell, value, span)
    content = flat.heap.held(array.cell, span)
    if given is not None and isinstance(content, Draft):
        change(flat, array.cell, "append", (content, given), span)


def agree(flat: Context, one: Number, other: Number, span: Span) -> None:
    """Check that two lengths are equal where that is not known."""
    if same_length(flat, one, other):
        return
    equal = flat.apply(TABLE["eq"], (one, other), span)
    assert isinstance(equal, Draft)
    message = ("these differ in length",)
    flat.add(DraftCheck(equal, message, (), span, (), "ValueError"))


def gathered(flat: Context, items: Series, container: Container, span: Span) -> Value:
    """A new list of what a loop goes over."""
    value = _probed(flat, items, span)
    if not isinstance(value, Draft | Literal):
        if value is not Special.REFUSED:
            message = f"a list of {describe(value)} of run-time length is not supported"
            flat.refuse("AD107", message, span, "make a list of numbers")
        return Special.REFUSED
    count = items.length
    if not is_natural(flat, count):
        count = number(flat, "max", (count, _ZERO), span)
    made = full(flat, choices.FILLERS[value.type], (count,), container, span)
    assert isinstance(made, Array)
    target = Array(made.cell, made.places)

    def trip(k: Draft) -> None:
        put(flat, Array(target.cell, (k,)), items.item(k), span)

    loops.trips(flat, items.length, trip, span)
    return made


def _probed(flat: Context, items: Series, span: Span) -> Value:
    """An item, to see what it is; what it takes to make it is taken back."""
    saved = flat.snapshot()
    with flat.module.shared.apart() as report:
        index = Draft(INT, span)
        flat.heap.naturals.add(index)
        _, value = flat.block(lambda: items.item(index))
    flat.restore(saved)
    if report.has_error:
        flat.module.report.extend(report.sorted())
    return value


def copied(flat: Context, value: Array, container: Container, span: Span) -> Value:
    """A new array of the elements of an array or view."""
    content = content_of(flat, value.cell, span)
    if not isinstance(content, Draft):
        return Special.REFUSED
    if value.is_whole:
        op = TABLE["copy" if len(value.places) == 1 else "copy_rows"]
        made = flat.apply(op, (content,), span)
        lengths = value.cell.lengths if container is Container.ARRAY else ()
        assert isinstance(made, Draft)
        return flat.heap.allocate(made, container, span, lengths)
    sizes = shape(flat, value, span).items
    start = choices.FILLERS[Type(value.cell.type.kind)]
    whole = [number(flat, "max", (cast(Number, n), _ZERO), span) for n in sizes]
    made = full(flat, start, whole, container, span)
    if isinstance(made, Array):
        fill(flat, made, value, span)
    return made


# --- what loops go over -------------------------------------------------------------


def series(flat: Context, value: Value, span: Span) -> Series | None:
    """What a loop over a value of run-time length goes over; None for another."""
    if isinstance(value, Series):
        return value
    if isinstance(value, Array):
        size = length(flat, value, span)
        return Series(size, lambda k: at(flat, value, k, span))
    return None


def is_float(array: Array) -> bool:
    """Whether the elements carry derivatives."""
    return array.cell.type.kind is Kind.FLOAT


def size(flat: Context, array: Array | Group, span: Span) -> Value:
    """`array.size`."""
    parts = shape(flat, array, span).items if isinstance(array, Array) else ()
    if isinstance(array, Group):
        return Literal(len(leaves((array,))))
    total: Number = _ONE
    for part in parts:
        total = number(flat, "mul", (total, cast(Number, part)), span)
    return total


def rank(array: Array | Group) -> int:
    """`array.ndim`."""
    if isinstance(array, Array):
        return len(array.axes)
    inner = array.items[0] if array.items else None
    return 1 + (rank(inner) if isinstance(inner, Group) else 0)
