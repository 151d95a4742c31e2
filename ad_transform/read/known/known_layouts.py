"""Arrays of known elements laid out anew, joined, cut and made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import FLOAT
from ad_transform.read.containers import sequences
from ad_transform.read.known.grids import (
    Grid,
    along,
    broadcast,
    joined,
    made_of,
    places,
    relined,
    reshaped,
    shape_text,
    transposed,
    turned,
)
from ad_transform.read.known.known_sums import axis_of
from ad_transform.read.machine.arguments import Unfit, holds, operate, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import Group, parts_of_index
from ad_transform.read.values.values import Special, Value

Grids = Sequence[Grid]


def lengths(flat: Context, value: Value) -> list[int]:
    """The whole numbers that a shape says; raises Unfit."""
    items = value.items if isinstance(value, Group) else (value,)
    found = [sequences.whole(item, flat.wholes) for item in items]
    known = [n for n in found if n is not None]
    if len(known) < len(found):
        raise Unfit("needs a shape of known whole numbers")
    return known


def transpose(flat: Context, span: Span, a: Grid, axes: Value) -> Grid:
    """`np.transpose`, `x.T`: a view."""
    if axes is Special.NONE:
        return transposed(a)
    order = lengths(flat, axes)
    if sorted(order) != list(range(a.rank)):
        raise Unfit(f"needs every axis once, not {shape_text(order)}")
    return turned(a, order)


def reshape(flat: Context, span: Span, a: Grid, shape: Value, order: Value) -> Grid:
    """`np.reshape`: a view."""
    wanted = lengths(flat, shape)
    if not by_columns(order):
        return reshaped(a, wanted)
    return transposed(reshaped(transposed(a), wanted[::-1]))


def by_columns(order: Value) -> bool:
    """Whether elements are counted column by column, `order="F"`; raises Unfit."""
    said = "C" if order is Special.NONE else getattr(order, "value", None)
    if said not in ("C", "F"):
        raise Unfit("has an `order` that is not supported", "write 'C' or 'F'")
    return said == "F"


def ravel(flat: Context, span: Span, a: Grid, order: Value) -> Grid:
    """`np.ravel`: a view."""
    return reshaped(transposed(a) if by_columns(order) else a, (-1,))


def copied(flat: Context, span: Span, a: Grid) -> Grid:
    """`np.copy`."""
    return Grid(a.shape, a.items)


def flatten(flat: Context, span: Span, a: Grid, order: Value) -> Grid:
    """`x.flatten()`: a copy."""
    return Grid((len(a.items),), ravel(flat, span, a, order).items)


def squeeze(flat: Context, span: Span, a: Grid, axis: Value) -> Grid:
    """`np.squeeze`: a view."""
    place = axis_of(axis, a.rank)
    if place is not None and a.shape[place] != 1:
        raise Unfit(f"of shape {shape_text(a.shape)} has no axis {place} of length 1")
    gone = [k for k, n in enumerate(a.shape) if n == 1 and place in (None, k)]
    return reshaped(a, [n for k, n in enumerate(a.shape) if k not in gone])


def expanded(flat: Context, span: Span, a: Grid, axis: Value) -> Grid:
    """`np.expand_dims`: a view."""
    place = axis_of(axis, a.rank + 1)
    assert place is not None
    return reshaped(a, [*a.shape[:place], 1, *a.shape[place:]])


def concatenated(
    flat: Context, span: Span, parts: Grids, axis: Value, dtype: Value
) -> Grid:
    """`np.concatenate`."""
    kinds = {getattr(i, "type", None) for part in parts for i in part.items}
    is_same = dtype == Dotted("builtins.float") and kinds <= {FLOAT}
    if dtype is not Special.NONE and not is_same:
        raise Unfit("changes the type of its elements", "leave `dtype` out")
    place = axis_of(Literal(0) if axis is Special.NONE else axis, _rank(parts))
    assert place is not None
    return joined(parts, place)


def all_joined(flat: Context, span: Span, parts: Grids, axis: Value) -> Grid:
    """`np.concatenate` with `axis=None`: of all elements."""
    return joined([reshaped(p, (-1,)) for p in parts], 0)


def _rank(parts: Grids) -> int:
    if not parts or len({p.rank for p in parts}) > 1 or not parts[0].rank:
        shown = " and ".join(shape_text(p.shape) for p in parts) or "nothing"
        raise Unfit(f"gets {shown}", "give it arrays of as many axes")
    return parts[0].rank


def stacked(flat: Context, span: Span, parts: Grids, axis: Value) -> Grid:
    """`np.stack`."""
    if len({p.shape for p in parts}) != 1:
        shown = " and ".join(shape_text(p.shape) for p in parts) or "nothing"
        raise Unfit(f"gets arrays of shapes {shown}", "stack arrays of one shape")
    rank = parts[0].rank + 1
    place = axis_of(Literal(0) if axis is Special.NONE else axis, rank)
    assert place is not None
    shape = parts[0].shape
    wide = [reshaped(p, [*shape[:place], 1, *shape[place:]]) for p in parts]
    return joined(wide, place)


def hstacked(flat: Context, span: Span, parts: Grids) -> Grid:
    """`np.hstack`."""
    wide = [p if p.rank else reshaped(p, (1,)) for p in parts]
    return joined(wide, min(_rank(wide) - 1, 1))


def vstacked(flat: Context, span: Span, parts: Grids) -> Grid:
    """`np.vstack`."""
    wide = [p if p.rank > 1 else reshaped(p, (1, -1)) for p in parts]
    return joined(wide, 0 * _rank(wide))


def columns(flat: Context, span: Span, parts: Grids) -> Grid:
    """`np.column_stack`."""
    wide = [p if p.rank > 1 else reshaped(p, (-1, 1)) for p in parts]
    return joined(wide, _rank(wide) - 1)


def triangle(keeps: Callable[[int], bool]) -> Callable[..., Grid]:
    """`np.tril` and `np.triu` of a matrix."""

    def form(flat: Context, span: Span, a: Grid, k: Value) -> Grid:
        first = 0 if k is Special.NONE else whole(k)
        if a.rank != 2 or first is None:
            raise Unfit(f"needs a matrix, not shape {shape_text(a.shape)}")
        zero = Literal(0.0)
        return made_of(
            a.shape, lambda p: a.at(p) if keeps(p[1] - p[0] - first) else zero
        )

    return form


def rolled(
    flat: Context, span: Span, a: Grid, shift: Value, axis: Value
) -> Grid | None:
    """`np.roll`; None by a number that only a run knows."""
    if isinstance(shift, Group) and isinstance(axis, Group):
        made: Grid | None = a
        for pair in zip(shift.items, axis.items, strict=False):
            made = made and rolled(flat, span, made, *pair)
        return made
    by, place = sequences.whole(shift, flat.wholes), axis_of(axis, a.rank)
    if by is None:
        return None
    if place is None:
        k = -by % max(len(a.items), 1)
        return Grid(a.shape, (*a.items[k:], *a.items[:k]))
    _, lines = along(a, place)
    k = -by % a.shape[place]
    return relined(a, place, [(*line[k:], *line[:k]) for line in lines])


def flipped(flat: Context, span: Span, a: Grid, axis: Value) -> Grid:
    """`np.flip`: a view."""
    if isinstance(axis, Group):
        for one in axis.items:
            a = flipped(flat, span, a, one)
        return a
    place = axis_of(axis, a.rank)
    if place is None:
        return Grid(a.shape, a.items[::-1], a.site)
    _, lines = along(a, place)
    found = relined(a, place, [line[::-1] for line in lines])
    return Grid(found.shape, found.items, a.site)


def repeated(flat: Context, span: Span, a: Grid, times: Value) -> Grid:
    """`np.tile` of a vector."""
    count = whole(times)
    if count is None or a.rank != 1:
        raise Unfit("needs a vector and a written number", "use `np.concatenate`")
    return Grid((a.shape[0] * count,), a.items * count)


def spread(flat: Context, span: Span, a: Grid, shape: Value) -> Grid | None:
    """`np.broadcast_to`; None to a shape that only a run knows."""
    sizes = shape.items if isinstance(shape, Group) else (shape,)
    if any(sequences.whole(size, flat.wholes) is None for size in sizes):
        return None
    wanted = tuple(lengths(flat, shape))
    if broadcast([a.shape, wanted]) != wanted:
        raise Unfit(f"of shape {shape_text(a.shape)} is not {shape_text(wanted)}")
    return made_of(wanted, a.over)


def identity(flat: Context, span: Span, n: Value) -> Grid | None:
    """`np.identity` of a known size; None where only a run knows it."""
    size = sequences.whole(n, flat.wholes)
    if size is None:
        return None
    return made_of((size, size), lambda p: Literal(float(p[0] == p[1])))


def eye(
    flat: Context, span: Span, n: Value, m: Value, k: Value, dtype: Value
) -> Grid | None:
    """`np.eye` of known sizes; None where only a run knows them."""
    require_float(dtype)
    sizes = [
        sequences.whole(x, flat.wholes) for x in (n, n if m is Special.NONE else m)
    ]
    above = 0 if k is Special.NONE else sequences.whole(k, flat.wholes)
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes) or above is None:
        return None
    return made_of(tuple(known), lambda p: Literal(float(p[0] + above == p[1])))


def require_float(dtype: Value) -> None:
    """Raise Unfit for elements that are no floats."""
    if dtype not in (Special.NONE, *map(Dotted, FLOATS)):
        raise Unfit("of other elements than floats", "leave `dtype` out")


FLOATS = ("builtins.float", "numpy.float64", "numpy.double")
"""The names of floats."""


def spaced(
    flat: Context,
    span: Span,
    start: Value,
    stop: Value,
    num: Value,
    endpoint: Value = Special.NONE,
) -> Grid | None:
    """`np.linspace` of a known number of points: `start + k * step`; None where only a
    run knows it.
    """
    count = 50 if num is Special.NONE else sequences.whole(num, flat.wholes)
    if count is None:
        return None
    if count < 2:
        raise Unfit("needs two points or more")
    ends = (stop, start)
    last = count - holds(endpoint, True)
    width = operate(flat, "sub", ends, span)
    step = operate(flat, "div", (width, Literal(float(last))), span)

    def item(k: int) -> Value:
        if k == last:
            return stop
        scaled = operate(flat, "mul", (Literal(float(k)), step), span)
        return operate(flat, "add", (scaled, start), span) if k else start

    return Grid((count,), tuple(_real(flat, item(k), span) for k in range(count)))


def _real(flat: Context, value: Value, span: Span) -> Value:
    """A whole number as a float."""
    if isinstance(value, Literal) and isinstance(value.value, int):
        return Literal(float(value.value))
    return value


# --- indices ----------------------------------------------------------------------


def indexed(flat: Context, a: Grid, index: Value, span: Span) -> Grid | None:
    """`a[i, 1:, None]` as a view; None where an index is not known."""
    parts = parts_of_index(index)
    if sum(isinstance(part, Group) for part in parts) > 1:
        return None
    picks: list[Sequence[int] | None] = []  # of every axis; None makes a new one
    gone: list[int] = []
    axis = 0
    for part in parts:
        if part is Special.NONE:
            picks.append(None)
            continue
        if axis >= a.rank:
            raise Unfit(f"has {a.rank} axes, and more indices")
        found = _picked(flat, part, a.shape[axis])
        if found is None:
            return None
        if not isinstance(part, Slice | Group):
            gone.append(len(picks))
        picks.append(found)
        axis += 1
    picks += map(range, a.shape[axis:])
    kept = [pick for pick in picks if pick is not None]
    shape = tuple(map(len, kept))
    items = tuple(
        a.at([pick[i] for pick, i in zip(kept, place, strict=True)])
        for place in places(shape)
    )
    whole_shape = [
        1 if pick is None else len(pick)
        for k, pick in enumerate(picks)
        if k not in gone
    ]
    assert prod(whole_shape) == len(items)
    return Grid(tuple(whole_shape), items, a.site)


def _picked(flat: Context, index: Value, length: int) -> Sequence[int] | None:
    """The places of an axis that an index takes; raises Unfit outside of it."""
    if isinstance(index, Group):
        items = [i.value for i in index.items if isinstance(i, Literal)]
        places = [p for p in items if type(p) is int]
        if len(places) < len(index.items):
            return None
        return [_place(p, length) for p in places]
    if isinstance(index, Slice):
        bounds = [index.start, index.stop, index.step]
        known = [sequences.whole(b, flat.wholes) for b in bounds]
        if any(
            n is None and b is not Special.NONE
            for n, b in zip(known, bounds, strict=True)
        ):
            return None
        return range(length)[slice(*known)]
    place = sequences.whole(index, flat.wholes)
    if place is None:
        return None
    return [_place(place, length)]


def _place(place: int, length: int) -> int:
    """A place counted from 0; raises Unfit outside of the axis."""
    if not -length <= place < length:
        raise Unfit(f"has {length} items along an axis, and none at index {place}")
    return place % length
