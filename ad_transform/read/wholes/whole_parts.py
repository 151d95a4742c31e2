"""Parts of whole arrays, read and stored: slices, rows, index arrays and masks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals.indexed import OVERLAPPING
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Kind
from ad_transform.read.arrays import extents
from ad_transform.read.known.grids import MISMATCH
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftApply
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array, Slice
from ad_transform.read.values.structured import Group, parts_of_index
from ad_transform.read.values.values import (
    Draft,
    Number,
    Special,
    Value,
    is_int,
    is_whole,
)
from ad_transform.read.wholes.moved_rows import few_places, moved_rows
from ad_transform.read.wholes.wholes import (
    agree,
    apply,
    real,
    shape_text,
    whole_of,
)

Cut = tuple[str, tuple[Number, ...]]
"""A form of parts (see `elementals.whole`), and its bounds."""


def part(flat: Context, array: Draft, index: Value, span: Span) -> Value:
    """`array[index]`: a view, a copy, or an element; raises Unfit."""
    found: Number = array
    forms = _one_wide(flat, array, index) or _forms(flat, array, index, span)
    for form, bounds in forms:
        if form in ("row", "column") or form in _TURNS:
            found = apply(flat, form, found, span=span)
        else:
            named = _OF_KIND.get((form, found.type.kind), form)
            found = apply(flat, named, found, *bounds, span=span)
    is_view = _COPIES.isdisjoint(form for form, _ in forms)
    if is_view and isinstance(found, Draft) and found is not array:
        flat.views[found] = (array,)
    places = few_places(array, index)
    if places and isinstance(found, Draft):
        flat.gathered[found] = array, places
    return found


def stored(
    flat: Context, array: Draft, index: Value, value: Value, span: Span
) -> Draft:
    """The array with another value at a place; raises Unfit."""
    given = real(flat, whole_of(flat, value, span), span)
    if not array.type.is_real:
        raise Unfit("of whole numbers is not written as a whole", _BY_ELEMENT)
    if isinstance(given, Draft) and given in flat.gathered:
        moved = moved_rows(flat, array, index, flat.gathered[given], span)
        if moved is not None:
            return moved
    forms = _forms(flat, array, index, span)
    return _placed(flat, array, forms, given, span)


_BY_ELEMENT = "let it hold floats, or write its elements in a loop"


def added_at(
    flat: Context, array: Draft, index: Value, value: Value, span: Span
) -> Draft:
    """The array with a value added at a place as often as it stands in the index:
    `np.add.at(array, index, value)`; raises Unfit.
    """
    if not array.type.is_real:
        raise Unfit("of whole numbers is not written as a whole", _BY_ELEMENT)
    given = real(flat, whole_of(flat, value, span), span)
    forms = _forms(flat, array, index, span)
    if len(forms) != 1 or forms[0][0] in _TURNS | {"row", "column"}:
        raise Unfit("is written at a place that is not supported", _PLACES)
    parts = [array]
    for form, bounds in forms:
        parts.append(apply(flat, form, parts[-1], *bounds, span=span))
    _require_fit(flat, given, parts[-1], span)
    placed = apply(flat, "spread", given, parts[-1], span=span)
    for like, (form, bounds) in zip(parts[-2::-1], forms[::-1], strict=True):
        placed = apply(flat, f"placed_{form}", placed, like, *bounds, span=span)
    return apply(flat, "add", array, placed, span=span)


# --- arrays as indices ----------------------------------------------------------------


def is_fancy(index: Value) -> bool:
    """Whether an index holds an array or a list, as numpy's do."""
    parts = parts_of_index(index)
    return any(isinstance(p, Array) or is_whole(p) or _is_listed(p) for p in parts)


def converted(flat: Context, index: Value, span: Span) -> Value:
    """An index in which whole arrays stand for lists and arrays; raises Unfit."""
    if not is_fancy(index):
        return index
    made = [_indices(flat, p, span) for p in parts_of_index(index)]
    return made[0] if len(made) == 1 else Group(Container.TUPLE, tuple(made))


def _is_listed(value: Value) -> bool:
    return isinstance(value, Group) and value.container is not Container.TUPLE


def _indices(flat: Context, value: Value, span: Span) -> Value:
    if isinstance(value, Draft | Literal) and not value.type.shape:
        return value
    if isinstance(value, Slice) or value is Special.NONE:
        return value
    if isinstance(value, Group) and not value.items:
        raise Unfit("is indexed by an empty list", "leave it out")
    whole = whole_of(flat, value, span)
    if whole.type.kind is Kind.FLOAT:
        raise Unfit("is indexed by an array of floats", _WHOLE_NUMBERS)
    return whole


_WHOLE_NUMBERS = "annotate it as one of whole numbers: `Vector[k, int]`"


def _fancy(parts: Sequence[Value], rank: int) -> list[Cut]:
    """Forms of parts at an array of indices, or where a mask is true."""
    if Special.NONE in parts or len(parts) > rank:
        raise Unfit("is indexed in a way that is not supported", _ONE_BY_ONE)
    if len(parts) == 1:
        return _of_rows(cast(Draft, parts[0]), rank)
    one, other = parts
    if is_whole(one) and is_whole(other):
        both = one, other
        if any(p.type.kind is not Kind.INT or len(p.type.shape) > 1 for p in both):
            raise Unfit("is indexed in a way that is not supported", _ONE_BY_ONE)
        return [("taken_both", both)]
    if is_whole(one):
        if is_int(other):
            return [*_along(other, "", "pick_column"), *_of_rows(one, 1)]
        return [*_of_columns(other), *_of_rows(one, 2)]
    at = cast(Draft, other)
    if is_int(one):
        return [*_along(one, "", "pick_row"), *_of_rows(at, 1)]
    if len(at.type.shape) > 1:
        raise Unfit("is indexed in a way that is not supported", _ONE_BY_ONE)
    form = "masked_columns" if at.type.kind is Kind.BOOL else "taken_columns"
    return [*_along(one, "cut", ""), (form, (at,))]


def _of_rows(at: Draft, rank: int) -> list[Cut]:
    """The form of elements of a vector, or of rows of a matrix."""
    is_mask, own = at.type.kind is Kind.BOOL, len(at.type.shape)
    if own > (rank if is_mask else 3 - rank):
        raise Unfit("is indexed in a way that is not supported", _ONE_BY_ONE)
    if is_mask:
        return [("masked", (at,))]
    return [("taken" if rank == 1 else "taken_rows", (at,))]


_ONE_BY_ONE = "index it by one array of one axis, or one after the other"
_COPIES = frozenset({*OVERLAPPING, "masked", "masked_columns"})
"""Forms of parts that are no views."""

_OF_KIND = {
    ("pick", Kind.INT): "whole_at",
    ("pick_both", Kind.INT): "whole_at_both",
    ("pick", Kind.BOOL): "truth_at",
    ("pick_both", Kind.BOOL): "truth_at_both",
}
"""Elements of arrays that hold no floats."""


def _placed(
    flat: Context, array: Draft, forms: Sequence[Cut], value: Number, span: Span
) -> Draft:
    """The array with a value at a part of a part of it."""
    if not forms:
        _require_fit(flat, value, array, span)
        own = apply(flat, "copied", value, span=span) if value.type.shape else value
        return apply(flat, "spread", own, array, span=span)
    (form, bounds), *rest = forms
    if form in ("row", "column"):
        raise Unfit("is written at a place that is not supported", _PLACES)
    if form in _TURNS:
        turned = apply(flat, form, array, span=span)
        return apply(flat, form, _placed(flat, turned, rest, value, span), span=span)
    part = apply(flat, form, array, *bounds, span=span)
    if rest:
        value = _placed(flat, part, rest, value, span)
    else:
        _require_fit(flat, value, part, span)
    made = apply(flat, f"stored_{form}", array, value, *bounds, span=span)
    made.hint = array.hint
    return made


def _require_fit(flat: Context, value: Number, part: Number, span: Span) -> None:
    """Require that a value can be written to a part of an array; raises Unfit."""
    given, wanted = value.type.shape, part.type.shape
    if len(given) > len(wanted):
        if not wanted:
            raise Unfit("gets an array for an element")
        shown = f"of shape {shape_text(given)} for a part of {shape_text(wanted)}"
        raise Unfit(f"gets one {shown}", MISMATCH)
    if _is_changed(flat, value, part):
        return
    shift = len(wanted) - len(given)
    for axis, n in enumerate(given):
        if n != 1:
            agree(flat, value, axis, part, axis + shift, span)


def _is_changed(flat: Context, value: Number, part: Number) -> bool:
    """Whether a value is made of the part that it replaces, as in `f[a:b] += v`: it has
    as many elements, element by element.
    """
    given, wanted = value.type.shape, part.type.shape
    if len(given) != len(wanted) or 1 in wanted:  # which other values widen
        return False
    made = {s.out: s for s in flat.statements[-_NEAR:] if isinstance(s, DraftApply)}
    waiting, seen = [value], 0
    while waiting and seen < _NEAR:
        seen += 1
        one = made.get(cast(Draft, waiting.pop()))
        if one is None or one.op.name not in _ARITHMETIC:
            continue
        if any(_is_same(made, arg, part) for arg in one.args):
            return True
        waiting += one.args
    return False


def _is_same(made: Mapping[Draft, DraftApply], one: Number, other: Number) -> bool:
    """Whether two values are the same part of the same array."""
    pairs = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if one == other:
            continue
        first, second = made.get(cast(Draft, one)), made.get(cast(Draft, other))
        if first is None or second is None or first.op is not second.op:
            return False
        if len(first.args) != len(second.args):
            return False
        pairs += zip(first.args, second.args, strict=True)
    return True


_ARITHMETIC = frozenset({"add", "sub", "mul", "div", "neg"})
_NEAR = 64
"""Statements among which the part is looked for."""

_TURNS = frozenset({"turned", "backwards"})
"""Forms of parts that are all of the array."""

_PLACES = "write a row, a column, an element or a slice"


def _are_places(value: Value) -> bool:
    return is_whole(value) and value.type.kind is Kind.INT


def _mesh(flat: Context, index: Sequence[Value], span: Span) -> list[Cut]:
    """The form of the rows and the columns of an open mesh, `np.ix_(i, j)` and
    `i[:, None], j`; none of another index.
    """
    if len(index) != 2 or not all(map(_are_places, index)):
        return []
    rows, columns = cast(tuple[Draft, Draft], tuple(index))
    if len(rows.type.shape) != 2 or rows.type.shape[1] != 1:
        return []
    if len(columns.type.shape) == 2:
        if columns.type.shape[0] != 1:
            return []
        columns = apply(flat, "no_row", columns, span=span)
    down = apply(flat, "no_column", rows, span=span)
    return [("taken_mesh", (down, columns))]


def _one_wide(flat: Context, array: Draft, index: Value) -> list[Cut]:
    """Forms of one row or column of a matrix that stays one, `A[k : k + 1]` and
    `A[:, k : k + 1]`: its length of 1 is known; none of another index.
    """
    parts = parts_of_index(index)
    ones = [k for k, p in enumerate(parts) if _is_one_long(flat, p)]
    others = [p for k, p in enumerate(parts) if k not in ones]
    is_matrix = len(array.type.shape) == 2 and len(parts) <= 2
    if not is_matrix or len(ones) != 1 or not all(map(_is_plain, others)):
        return []
    (axis,) = ones
    start = cast(Number, cast(Slice, parts[axis]).start)
    pick, form = (("pick_row", "row"), ("pick_column", "column"))[axis]
    along = [cut for p in others for cut in _along(p, "cut", "")]
    return [(pick, (start,)), *along, (form, ())]


def _is_one_long(flat: Context, index: Value) -> bool:
    """Whether it is `k : k + 1` of a k that is not below 0."""
    if not isinstance(index, Slice) or not isinstance(index.start, Draft):
        return False
    start, stop, step = index.start, index.stop, index.step
    if not isinstance(stop, Draft) or step not in (Special.NONE, Literal(1)):
        return False
    shift = flat.heap.shifted.get(stop, ("", stop, stop))
    behind = (("add", start, Literal(1)), ("add", Literal(1), start))
    return shift in behind and is_int(start) and extents.is_natural(flat, start)


def _is_plain(index: Value) -> bool:
    """Whether it is a slice of steps of 1."""
    return isinstance(index, Slice) and index.step in (Special.NONE, Literal(1))


def _forms(flat: Context, array: Draft, index: Value, span: Span) -> list[Cut]:
    """The parts that an index takes one after the other; raises Unfit."""

    parts = [
        _forward(flat, p, span) if isinstance(p, Slice) else p
        for p in parts_of_index(converted(flat, index, span))
    ]
    rank = len(array.type.shape)
    mesh = _mesh(flat, parts, span) if rank == 2 else []
    if mesh:
        return mesh
    if any(map(is_whole, parts)):
        return _fancy(parts, rank)
    fresh = [k for k, p in enumerate(parts) if p is Special.NONE]
    given = [p for p in parts if p is not Special.NONE]
    is_two = len(fresh) > 1 or (fresh and (rank > 1 or any(map(is_int, given))))
    if len(given) > rank or is_two:
        raise Unfit(f"of shape {shape_text(array.type.shape)} has no such part", _TWO)
    if rank == 2 and len(given) == 2 and all(map(is_int, given)):
        return [("pick_both", cast(tuple[Number, ...], tuple(given)))]
    if rank == 2 and len(given) == 2 and not fresh and all(map(_is_bounded, given)):
        return [_block(given)]
    forms: list[Cut] = []
    if rank == 2 and len(given) == 2 and is_int(given[0]):
        forms += _along(given[0], "cut", "pick_row")
        given = given[1:]
    elif rank == 2 and len(given) == 2:
        forms += _of_columns(given[1])
    if given:
        is_vector = rank == 1 or (forms and forms[-1][0] in ("pick_row", "pick_column"))
        forms += _along(given[0], "cut", "pick" if is_vector else "pick_row")
    if fresh:
        forms.append(("row" if fresh[0] == 0 else "column", ()))
    return forms


def _is_bounded(index: Value) -> bool:
    """Whether it is a number, or a slice of steps of 1 with a bound or two."""
    if not isinstance(index, Slice):
        return is_int(index)
    bounds = [b for b in (index.start, index.stop) if b is not Special.NONE]
    return _is_plain(index) and bool(bounds) and all(map(is_int, bounds))


def _block(index: Sequence[Value]) -> Cut:
    """The form of a part of a matrix along both axes."""
    ways: list[str] = []
    bounds: list[Number] = []
    for one in index:
        ends = (one.start, one.stop) if isinstance(one, Slice) else (one,)
        given = [cast(Number, b) for b in ends if b is not Special.NONE]
        bounds += given
        if len(given) == 2:
            ways.append("between")
        elif isinstance(one, Slice):
            ways.append("to" if one.start is Special.NONE else "from")
        else:
            ways.append("at")
    return f"block_{'_'.join(ways)}", tuple(bounds)


_TWO = "arrays of three axes and more are not supported yet"


def _of_columns(index: Value) -> list[Cut]:
    """Forms of columns; those that only a run knows are rows of the transpose."""
    bounds = (index.start, index.stop) if isinstance(index, Slice) else ()
    step = getattr(index.step, "value", None) if isinstance(index, Slice) else None
    is_reverse = isinstance(step, int) and step < 0
    if is_reverse or any(isinstance(b, Draft) for b in bounds):
        return [("turned", ()), *_along(index, "cut", ""), ("turned", ())]
    return _along(index, "columns", "pick_column")


def _along(index: Value, prefix: str, pick: str) -> list[Cut]:

    if is_int(index):
        return [(pick, (index,))]
    if not isinstance(index, Slice):
        way_out = "write slices and numbers, or `np.where`"
        raise Unfit(f"is indexed by {describe(index)}", way_out)
    start, stop, step = index.start, index.stop, index.step
    by = 1 if step is Special.NONE else getattr(step, "value", None)
    bounds = [b for b in (start, stop) if b is not Special.NONE]
    if not all(map(is_int, bounds)) or not isinstance(by, int) or not by:
        raise Unfit("has a slice that is not supported", "write whole numbers")
    forms: list[Cut] = []
    way = "" if len(bounds) == 2 else "_to" if start is Special.NONE else "_from"
    if bounds and all(isinstance(b, Literal) for b in bounds):
        known = f"{prefix}{way or '_between'}"
        forms.append((known, cast(tuple[Number, ...], tuple(bounds))))
    elif bounds:
        forms.append((f"sliced{way}", cast(tuple[Number, ...], tuple(bounds))))
    if by < 0:
        forms.append(("backwards", ()))
    if abs(by) > 1:
        forms.append((f"{prefix}_by", (Literal(abs(by)),)))
    return forms


def _forward(flat: Context, index: Slice, span: Span) -> Slice:
    """A slice of the same elements in order, with its step; raises Unfit."""
    found = extents.forward(flat, index, span)
    if found is None:
        raise Unfit("has a slice that is not supported", extents.FORWARD)
    return found
