"""Whole arrays of run-time length, as functions are flattened: values like numbers.

A whole array is a draft with a shape. Operations on it are operations of the IR, one
for each of numpy's, so that the output calls what the source calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import BY_ELEMENT
from ad_transform.ir.dims import ANY, Dims
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, STR, Type
from ad_transform.read import arrays, extents
from ad_transform.read.arguments import Unfit
from ad_transform.read.context import Context
from ad_transform.read.drafts import DraftApply
from ad_transform.read.grids import MISMATCH, is_array
from ad_transform.read.values import (
    Array,
    Draft,
    Group,
    Number,
    Slice,
    Special,
    Value,
    describe,
)

Shape = Dims

MOST = 2
"""Axes of an array."""


def is_whole(value: Value) -> bool:
    """Whether a value is a whole array by now."""
    return isinstance(value, Draft) and bool(value.type.shape)


def are_meant(values: Sequence[Value]) -> bool:
    """Whether an array of run-time length is among some values."""
    return any(
        is_whole(value) or (isinstance(value, Array) and is_array(value))
        for value in values
    )


def is_wide(flat: Context, span: Span) -> bool:
    """Whether what is made at a place has to be a whole array."""
    wide = flat.sites.get(span)
    return wide is not None and bool(wide.shape)


def apply(flat: Context, op: str, *args: Number, span: Span) -> Draft:
    """The value of an operation on arrays."""
    made = flat.apply(TABLE[op], args, span)
    assert isinstance(made, Draft)
    return made


def whole_of(flat: Context, value: Value, span: Span) -> Number:
    """A value as a whole array, or the number that it is; raises Unfit."""
    if isinstance(value, Draft | Literal) and value.type is not STR:
        return value
    if isinstance(value, Array):
        return _of_array(flat, value, span)
    if isinstance(value, Group):
        return _of_group(flat, value, span)
    raise Unfit(f"needs an array, not {describe(value)}")


def _of_array(flat: Context, array: Array, span: Span) -> Number:
    if len(array.axes) > MOST:
        raise Unfit(_OF_LAYERS, "write a loop over its layers: `for A in x`")
    flat.rewhole(array)
    if not array.is_whole:
        copy = arrays.copied(flat, array, Container.ARRAY, span)
        assert isinstance(copy, Array)
        array = copy
    content = flat.heap.read(array.cell, span)
    if not isinstance(content, Draft) or not content.type.is_real:
        raise Unfit("needs arrays of floats", "write a loop over its elements")
    if ANY in content.type.dims:
        raise Unfit("of a list that grows is not supported", "say how long it is")
    made = _filled(flat, content)
    if made is not None:
        op, args = made
        type_ = Type(content.type.kind, (), content.type.dims)
        return flat.declare(TABLE[op], args, type_, span)
    op = "of_list" if len(content.type.dims) == 1 else "of_rows"
    return apply(flat, op, content, span=span)


_OF_LAYERS = "of three axes is not computed with as a whole"


def _filled(flat: Context, content: Draft) -> tuple[str, Sequence[Number]] | None:
    """How an array that has only been filled with a number is made."""
    for made in reversed(flat.statements):
        if isinstance(made, DraftApply) and made.out is content:
            if made.op.name in _FILLED:
                return _FILLED[made.op.name], made.args
            return None
    return None


_FILLED = {"full": "filled", "grid": "filled_rows"}


def _of_group(flat: Context, group: Group, span: Span) -> Number:
    items = [whole_of(flat, item, span) for item in group.items]
    shapes = {item.type.shape for item in items}
    if len(shapes) != 1 or len(items[0].type.shape) >= MOST:
        raise Unfit("needs numbers, or rows of one length")
    if shapes == {()}:
        floats = [real(flat, item, span) for item in items]
        return apply(flat, "vector", *floats, span=span)
    rows = [apply(flat, "row", item, span=span) for item in items]
    return joined(flat, rows, span)


def real(flat: Context, number: Number, span: Span) -> Number:
    """A number as a float."""
    if number.type.is_real:
        return number
    if isinstance(number, Literal):
        return Literal(float(number.value))
    return apply(flat, "float", number, span=span)


def joined(flat: Context, parts: Sequence[Number], span: Span) -> Number:
    """Arrays one behind the other along the first axis."""
    found = parts[0]
    for part in parts[1:]:
        found = apply(flat, "joined", found, part, span=span)
    return found


def listed(flat: Context, value: Value, span: Span) -> Value:
    """A whole array as an array whose elements are looked at one by one."""
    if not isinstance(value, Draft) or not value.type.shape:
        return value
    op = "to_list" if len(value.type.shape) == 1 else "to_rows"
    made = apply(flat, op, value, span=span)
    return flat.heap.allocate(made, Container.ARRAY, span)


# --- shapes ---------------------------------------------------------------------------


def shape_text(shape: Shape) -> str:
    """(n, 3), (n,) or ()."""
    shown = ", ".join("..." if n == ANY else str(n) for n in shape)
    return f"({shown}{',' if len(shape) == 1 else ''})"


def length(flat: Context, array: Number, axis: int, span: Span) -> Number:
    """How long an array is along an axis."""
    known = array.type.shape[axis]
    if isinstance(known, int):
        return Literal(known)
    made = apply(flat, "width" if axis else "length", array, span=span)
    flat.heap.naturals.add(made)
    if known != ANY:
        flat.heap.dims[made] = known
    return made


def agree(
    flat: Context, one: Number, a: int, other: Number, b: int, span: Span
) -> None:
    """Require equal lengths along axes of two arrays; raises Unfit, or checks it."""
    first, second = one.type.shape[a], other.type.shape[b]
    if (first == second and first != ANY) or (one is other and a == b):
        return
    if isinstance(first, int) and isinstance(second, int):
        shown = f"{shape_text(one.type.shape)} and {shape_text(other.type.shape)}"
        raise Unfit(f"gets arrays of shapes {shown}", MISMATCH)
    lengths = length(flat, one, a, span), length(flat, other, b, span)
    extents.agree(flat, *lengths, span)


def require_broadcast(flat: Context, values: Sequence[Number], span: Span) -> None:
    """Require that arrays go together element by element; raises Unfit."""
    seen: dict[int, tuple[Number, int]] = {}
    for value in values:
        rank = len(value.type.shape)
        for axis, n in enumerate(value.type.shape):
            place = axis - rank
            if n == 1:
                continue
            if place in seen:
                agree(flat, *seen[place], value, axis, span)
            else:
                seen[place] = value, axis


# --- operators ------------------------------------------------------------------------


def require_known(op: Elemental) -> None:
    """Raise Unfit for what numpy does not compute element by element."""
    if op.name not in BY_ELEMENT:
        raise Unfit("of arrays is not supported yet", "write a loop over its elements")


_AS_OPERATORS = {"math_pow": TABLE["pow"]}
"""Functions that numpy computes as an operator does."""


def operated(
    flat: Context, op: Elemental, values: Sequence[Value], span: Span
) -> Value:
    """`op(*values)` element by element; raises Unfit."""
    op = _AS_OPERATORS.get(op.name, op)
    require_known(op)
    numbers = [whole_of(flat, value, span) for value in values]
    require_broadcast(flat, numbers, span)
    return flat.apply(op, numbers, span)


# --- parts ----------------------------------------------------------------------------

Cut = tuple[str, tuple[Number, ...]]
"""A form of parts (see `elementals.whole`), and its bounds."""


def part(flat: Context, array: Draft, index: Value, span: Span) -> Value:
    """`array[index]`: a view, or an element; raises Unfit."""
    found: Number = array
    for form, bounds in _forms(array, index):
        if form in ("row", "column") or form in _TURNS:
            found = apply(flat, form, found, span=span)
        else:
            whole = _bounds(flat, found, form, bounds, span)
            found = apply(flat, form, found, *whole, span=span)
    if isinstance(found, Draft) and found is not array and found.type.shape:
        flat.views[found] = (array,)
    return found


def stored(
    flat: Context, array: Draft, index: Value, value: Value, span: Span
) -> Draft:
    """The array with something else at a place; raises Unfit."""
    given = real(flat, whole_of(flat, value, span), span)
    return _placed(flat, array, _forms(array, index), given, span)


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
    whole = _bounds(flat, array, form, bounds, span)
    part = apply(flat, form, array, *whole, span=span)
    if rest:
        value = _placed(flat, part, rest, value, span)
    else:
        _require_fit(flat, value, part, span)
    return apply(flat, f"stored_{form}", array, value, *whole, span=span)


def _require_fit(flat: Context, value: Number, part: Number, span: Span) -> None:
    """Require that a value can be written to a part of an array; raises Unfit."""
    given, wanted = value.type.shape, part.type.shape
    if len(given) > len(wanted):
        if not wanted:
            raise Unfit("gets an array for an element")
        shown = f"of shape {shape_text(given)} for a part of {shape_text(wanted)}"
        raise Unfit(f"gets one {shown}", MISMATCH)
    shift = len(wanted) - len(given)
    for axis, n in enumerate(given):
        if n != 1:
            agree(flat, value, axis, part, axis + shift, span)


_TURNS = frozenset({"turned", "backwards"})
"""Forms of parts that are all of the array."""

_PLACES = "write a row, a column, an element or a slice"


def _bounds(
    flat: Context, array: Number, form: str, bounds: Sequence[Number], span: Span
) -> list[Number]:
    if form != "sliced" or len(bounds) == 2:
        return list(bounds)
    return [*bounds, length(flat, array, 0, span)]


def _forms(array: Draft, index: Value) -> list[Cut]:
    """The parts that an index takes one after the other; raises Unfit."""

    parts = list(index.items) if isinstance(index, Group) else [index]
    rank = len(array.type.shape)
    fresh = [k for k, p in enumerate(parts) if p is Special.NONE]
    given = [p for p in parts if p is not Special.NONE]
    is_two = len(fresh) > 1 or (fresh and (rank > 1 or any(map(_is_index, given))))
    if len(given) > rank or is_two:
        raise Unfit(f"of shape {shape_text(array.type.shape)} has no such part", _TWO)
    if rank == 2 and len(given) == 2 and all(map(_is_index, given)):
        return [("pick_both", cast(tuple[Number, ...], tuple(given)))]
    forms: list[Cut] = []
    if rank == 2 and len(given) == 2 and _is_index(given[0]):
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


_TWO = "arrays of three axes and more are not supported yet"


def _of_columns(index: Value) -> list[Cut]:
    """Forms of columns; those that only a run knows are rows of the transpose."""
    bounds = (index.start, index.stop) if isinstance(index, Slice) else ()
    if any(isinstance(b, Draft) for b in bounds):
        return [("turned", ()), *_along(index, "cut", ""), ("turned", ())]
    return _along(index, "columns", "pick_column")


def _is_index(value: Value) -> bool:
    return isinstance(value, Draft | Literal) and value.type == INT


def _along(index: Value, prefix: str, pick: str) -> list[Cut]:

    if _is_index(index):
        return [(pick, (cast(Number, index),))]
    if not isinstance(index, Slice):
        way_out = "write slices and numbers, or `np.where`"
        raise Unfit(f"is indexed by {describe(index)}", way_out)
    start, stop, step = index.start, index.stop, index.step
    by = 1 if step is Special.NONE else getattr(step, "value", None)
    bounds = [b for b in (start, stop) if b is not Special.NONE]
    if not all(map(_is_index, bounds)) or not isinstance(by, int) or not by:
        raise Unfit("has a slice that is not supported", "write whole numbers")
    forms: list[Cut] = []
    if by < 0 and (bounds or by != -1 or prefix != "cut"):
        raise Unfit("has a slice that is not supported", "`[::-1]` is all in reverse")
    if bounds and all(isinstance(b, Literal) for b in bounds):
        both = len(bounds) == 2
        way = "between" if both else "to" if start is Special.NONE else "from"
        forms.append((f"{prefix}_{way}", cast(tuple[Number, ...], tuple(bounds))))
    elif bounds:
        first = Literal(0) if start is Special.NONE else start
        ends = (first,) if stop is Special.NONE else (first, stop)
        forms.append(("sliced", cast(tuple[Number, ...], ends)))
    if by == -1:
        forms.append(("backwards", ()))
    elif by > 1:
        forms.append((f"{prefix}_by", (Literal(by),)))
    return forms
