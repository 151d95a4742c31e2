"""Whole arrays of run-time length, as functions are flattened: values like numbers.

A whole array is a draft with a shape. Operations on it are operations of the IR, one
for each of numpy's, so that the output calls the same functions as the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import BY_ELEMENT, LENGTHS
from ad_transform.ir.dims import ANY, Dims
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR, Kind, Type
from ad_transform.later import later
from ad_transform.read.arrays.blocks import AXES, MOST, rows_of, view
from ad_transform.read.known.grids import MISMATCH, is_array
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftApply
from ad_transform.read.machine.naming import named
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Range
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Value, is_whole

with later():
    from ad_transform.read.arrays import (
        arrays,
        extents,
    )
    from ad_transform.read.wholes import whole_lengths
    from ad_transform.read.wholes.whole_layouts import counted_up

Shape = Dims


def are_meant(values: Sequence[Value]) -> bool:
    """Whether an array of run-time length is among some values."""
    return any(
        is_whole(value) or (isinstance(value, Array) and is_array(value))
        for value in values
    )


def is_wide(flat: Context, span: Span) -> bool:
    """Whether a value that is made at a place has to be a whole array."""
    wide = flat.sites.get(span)
    return wide is not None and bool(wide.shape)


def apply(flat: Context, op: str, *args: Number, span: Span) -> Draft:
    """The value of an operation on arrays."""
    made = flat.apply(TABLE[op], args, span)
    assert isinstance(made, Draft)
    if ANY in made.type.shape:
        whole_lengths.note(flat, made, op, args)
    return made


def whole_of(flat: Context, value: Value, span: Span) -> Number:
    """A value as a whole array, or the number that it is; raises Unfit."""
    if isinstance(value, Draft | Literal) and value.type != STR:
        return value
    if isinstance(value, Array):
        if value.cell.type.kind is Kind.STR:
            raise Unfit("takes numbers, not texts", _NO_TEXTS)
        return _of_array(flat, value, span)
    if isinstance(value, Group):
        return _of_group(flat, value, span)
    if isinstance(value, Range):
        made = counted_up(flat, span, value.start, value.stop, value.step)
        assert isinstance(made, Draft)
        return made
    raise Unfit(f"needs an array, not {describe(value)}")


def _of_array(flat: Context, array: Array, span: Span) -> Number:
    if len(array.axes) > MOST:
        raise Unfit(_OF_LAYERS, "write a loop over its layers: `for A in x`")
    flat.rewhole(array)
    part = _of_layers(flat, array, span) if len(array.places) == AXES else None
    cell = array.cell
    if part is not None:
        if isinstance(part, Draft):
            flat.views[part] = (cell,)
            flat.viewed.add(cell)
        return part
    if not array.is_whole:
        copy = arrays.copied(flat, array, Container.ARRAY, span)
        if not isinstance(copy, Array):
            raise Unfit("needs an array")
        array = copy
    content = flat.heap.read(array.cell, span)
    if not isinstance(content, Draft):
        raise Unfit("needs an array")
    line = flat.lines.of(content)
    if line is not None:
        return line
    whole = _copied(flat, content, span)
    if cell.container is Container.ARRAY and isinstance(whole, Draft):
        flat.views[whole] = (cell,)
        flat.viewed.add(cell)
    return whole


def _copied(flat: Context, content: Draft, span: Span) -> Number:
    """The elements of an array as a whole one."""
    made = _filled(flat, content)
    if made is not None:
        op, args = made
        type_ = Type(content.type.kind, (), content.type.dims)
        return flat.declare(TABLE[op], args, type_, span)
    op = "of_list" if len(content.type.dims) == 1 else "of_rows"
    return apply(flat, op, content, span=span)


def _of_layers(flat: Context, array: Array, span: Span) -> Number | None:
    """A part of an array of three axes where that is made of a line."""
    content = flat.heap.held(array.cell, span)
    line = flat.lines.of(content) if isinstance(content, Draft) else None
    if line is None:
        return None
    flat.heap.aliases.look(array.cell, span)
    part = view(flat, array, line, span)
    if len(part.sizes) < MOST:
        return part.line
    rows, columns = part.sizes
    return rows_of(flat, part.line, rows, columns, span)


_NO_TEXTS = "let whole numbers stand for them, or go over the list in a loop"
_OF_LAYERS = "of three axes is not computed with as a whole"


def _filled(flat: Context, content: Draft) -> tuple[str, Sequence[Number]] | None:
    """The operation that made an array that has only been filled with a number, and its
    arguments; None of any other array.
    """
    for made in reversed(flat.statements):
        if isinstance(made, DraftApply) and made.out is content:
            if made.op.name in _FILLED:
                return _FILLED[made.op.name], made.args
            return None
    return None


_FILLED = {"full": "filled", "grid": "filled_rows"}


def _of_group(flat: Context, group: Group, span: Span) -> Number:
    held = flat.module.shared.tables.get(group)
    if held is not None and held.type.kind is Kind.FLOAT:
        return apply(flat, "of_list", held, span=span)
    known = _known_rows(group)
    if known is not None:
        numbers = [real(flat, number, span) for row in known for number in row]
        line = apply(flat, "vector", *numbers, span=span)
        shape = len(known), len(known[0])
        args = line, Literal(shape[0]), Literal(shape[1])
        type_ = Type(Kind.FLOAT, (), shape)
        made = flat.declare(TABLE["laid_out"], args, type_, span)
        return _called(flat, made, group)
    items = [whole_of(flat, item, span) for item in group.items]
    shapes = {item.type.shape for item in items}
    if len(shapes) != 1 or len(items[0].type.shape) >= MOST:
        raise Unfit("needs numbers, or rows of one length")
    if shapes == {()}:
        vector = apply(flat, "vector", *of_one_kind(flat, items, span), span=span)
        return _called(flat, vector, group)
    rows = [apply(flat, "row", item, span=span) for item in items]
    return joined(flat, rows, span)


def _called(flat: Context, array: Number, group: Group) -> Number:
    """An array of numbers that are known, under the name that the source gives it."""
    if all(isinstance(item, Literal | Group) for item in group.items):
        for names in (flat.frame.names, flat.module.values):
            for name, value in names.items():
                if value is group:
                    named(flat.frame, array, name, ())
    return array


def _known_rows(group: Group) -> list[list[Number]] | None:
    """The rows of a matrix that is written number by number, not all of them whole."""
    rows: list[list[Number]] = []
    for row in group.items:
        items = row.items if isinstance(row, Group) else ()
        rows.append([n for n in items if _is_number(n)])
        if not items or len(rows[-1]) < len(items) or len(items) != len(rows[0]):
            return None
    has_real = any(number.type.is_real for row in rows for number in row)
    return rows if has_real else None


def _is_number(value: Value) -> TypeGuard[Number]:
    """Whether it is a single number."""
    if not isinstance(value, Literal | Draft) or value.type == STR:
        return False
    return not value.type.is_array


def of_one_kind(flat: Context, items: Sequence[Number], span: Span) -> list[Number]:
    """Numbers of one kind as they are, any others all as floats."""
    kinds = {item.type.kind for item in items}
    if len(kinds) == 1:
        return list(items)
    return [real(flat, item, span) for item in items]


def real(flat: Context, number: Number, span: Span) -> Number:
    """A number as a float."""
    if number.type.is_real:
        return number
    if isinstance(number, Literal):
        return Literal(float(number.value))
    return apply(flat, "float", number, span=span)


def joined(flat: Context, parts: Sequence[Number], span: Span) -> Number:
    """Arrays one behind the other along the first axis, all as floats if one is."""
    if any(part.type.is_real for part in parts):
        parts = of_one_kind(flat, parts, span)
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
    array = flat.heap.allocate(made, Container.ARRAY, span)
    flat.views[array.cell] = (value,)
    return array


# --- shapes ---------------------------------------------------------------------------


def shape_text(shape: Shape) -> str:
    """(n, 3), (n,) or ()."""
    shown = ", ".join("..." if n == ANY else str(n) for n in shape)
    return f"({shown}{',' if len(shape) == 1 else ''})"


def length(flat: Context, array: Number, axis: int, span: Span) -> Number:
    """The length of an array along an axis."""
    known = array.type.shape[axis]
    if isinstance(known, int):
        return Literal(known)
    made = apply(flat, LENGTHS[axis], array, span=span)
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
    if whole_lengths.key(flat, one, a) == whole_lengths.key(flat, other, b):
        return
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
    """Raise Unfit for an operation that numpy does not compute element by element."""
    if op.name not in BY_ELEMENT:
        raise Unfit("of arrays is not supported yet", "write a loop over its elements")


_AS_OPERATORS = {"math_pow": TABLE["pow"]}
"""Functions that numpy computes as an operator does."""

_BOUNDS = {"maximum": "gt", "minimum": "lt", "fmax": "gt", "fmin": "lt"}
"""Tests that take the first of two; the bound of whole numbers is a whole number."""


def operated(
    flat: Context, op: Elemental, values: Sequence[Value], span: Span
) -> Value:
    """`op(*values)` element by element; raises Unfit."""
    require_known(_AS_OPERATORS.get(op.name, op))
    numbers = [whole_of(flat, value, span) for value in values]
    require_broadcast(flat, numbers, span)
    return combined(flat, op, numbers, span)


def combined(
    flat: Context, op: Elemental, numbers: Sequence[Number], span: Span
) -> Value:
    """`op(*numbers)` of arrays that go together; raises Unfit."""
    op = _AS_OPERATORS.get(op.name, op)
    require_known(op)
    if op.form is Form.TRUTH and any(n.type.kind is not Kind.BOOL for n in numbers):
        raise Unfit("takes arrays of truth values", "compare: `x > 0.0`")
    if op.name in _BOUNDS and {n.type.kind for n in numbers} == {Kind.INT}:
        taken = apply(flat, _BOUNDS[op.name], *numbers, span=span)
        return apply(flat, "where", taken, *numbers, span=span)
    made = flat.apply(op, numbers, span)
    if isinstance(made, Draft) and ANY in made.type.shape:
        whole_lengths.note_each(flat, made, numbers)
    return made
