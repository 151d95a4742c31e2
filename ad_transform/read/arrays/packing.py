"""New arrays: of equal elements, and of elements or rows that are known one by one."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import MADE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import FLOAT, INT, STR, Type
from ad_transform.read.arrays import extents, rebinding
from ad_transform.read.branches import widening
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Number,
    Special,
    Value,
    is_text,
)

_ZERO = Literal(0)


def full(
    flat: Context,
    value: Number,
    lengths: Sequence[Number],
    container: Container,
    span: Span,
    name: str = "",
) -> Value:
    """An array of equal elements; `lengths` are those of its axes, one to three."""
    lengths = tuple(extents.known(flat, n) for n in lengths)
    dims = tuple(flat.heap.dim(n) for n in lengths)
    op = TABLE[MADE[len(dims)]]
    out = flat.declare(op, (value, *lengths), Type(value.type.kind, dims), span)
    if out is None:
        return Special.REFUSED
    out.hint = name
    return flat.heap.allocate(out, container, span, fixed(lengths, container))


def fixed(
    lengths: Sequence[Number | None], container: Container
) -> tuple[Number | None, ...]:
    """The known lengths of an array; a list may grow, its rows may not."""
    if container is Container.ARRAY:
        return tuple(lengths)
    return (None, *lengths[1:])


FEW = 4
"""A list of equal items is written item by item up to this number."""


def packed(
    flat: Context,
    items: Sequence[Value],
    container: Container,
    span: Span,
    kind: Type | None = None,
) -> Value:
    """An array of known numbers, or of known rows of numbers."""
    if items and all(isinstance(value, Group | Array) for value in items):
        return _rows(flat, items, container, span, kind)
    if container is not Container.ARRAY and _are_texts(items):
        return _of_texts(flat, items, container, span)
    given = [n for n in (flat.number(value, span) for value in items) if n is not None]
    if len(given) < len(items):
        return Special.REFUSED
    wide = kind or flat.sites.get(span) or _least(given, container)
    if given and wide == STR:  # texts that are stored in it later are refused there
        wide = _least(given, container)
    for one in given:
        wide = widening.joint(wide, one.type)
    if not given:
        return full(flat, FILLERS[wide], (_ZERO,), container, span)
    fit = [widening.typed(flat.statements, one, wide, span) for one in given]
    if len(fit) > FEW and len({_said(one) for one in fit}) == 1:
        return full(flat, fit[0], (Literal(len(fit)),), container, span)
    made = flat.apply(TABLE["pack"], fit, span)
    return (
        flat.heap.allocate(made, container, span) if isinstance(made, Draft) else made
    )


def _are_texts(items: Sequence[Value]) -> bool:
    return bool(items) and all(map(is_text, items))


def _of_texts(
    flat: Context, items: Sequence[Value], container: Container, span: Span
) -> Value:
    made = flat.apply(TABLE["pack"], cast(Sequence[Number], items), span)
    assert isinstance(made, Draft)
    return flat.heap.allocate(made, container, span)


def kind_at(flat: Context, span: Span, found: Type) -> Type:
    """The type of the items of a list made at a place: the one found, or a wider one if
    wider numbers are stored in it later.
    """
    wide = flat.sites.get(span)
    return found if wide is None or wide.shape or STR in (found, wide) else wide


def _said(number: Number) -> object:
    """A key that is equal for numbers with one spelling: 0.0 is not -0.0."""
    return repr(number.value) if isinstance(number, Literal) else number


def _least(given: Sequence[Number], container: Container) -> Type:
    """The narrowest type of the elements; an empty array of numpy holds floats."""
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
    """A matrix of known rows."""
    rows: list[Draft] = []
    cells = [item.cell for item in items if isinstance(item, Array)]
    if container is Container.LIST and len(set(cells)) < len(cells):
        message = "two rows of this list are one array"
        return flat.refuse("AD124", message, span, "make each row anew, or a copy")
    wide = kind or flat.sites.get(span) or _widest(items, container)
    for item in items:
        row = item
        if isinstance(item, Group):
            row = packed(flat, item.items, container, span, wide)
        elif container is Container.LIST and isinstance(item, Array):
            own = Type(item.cell.type.kind)
            if own != STR and wide == widening.joint(own, wide) != own:
                flat.widen(item.cell, wide)
        content = flat.heap.read(row.cell, span) if isinstance(row, Array) else row
        if not isinstance(content, Draft):
            return Special.REFUSED
        rows.append(content)
    if len({row.type for row in rows}) > 1 or len(rows[0].type.dims) > 2:
        message = "the rows of a matrix have to be of one length"
        return flat.refuse("AD107", message, span, "write rows of one length")
    made = flat.apply(TABLE["pack"], rows, span)
    assert isinstance(made, Draft)
    matrix = flat.heap.allocate(made, container, span)
    if container is Container.LIST and cells:
        flat.heap.aliases.lend(cells, matrix.cell)
    if container is Container.LIST:
        flat.heap.aliases.named[matrix.cell] = _named(flat, items)
    if container is Container.LIST and any(map(flat.rows_out.has_row, items)):
        flat.heap.aliases.take_out(matrix.cell, span)
    return matrix


def _named(flat: Context, items: Sequence[Value]) -> tuple[Group, ...]:
    """The known rows that have a name: the name sees what is written into the list."""
    groups = [item for item in items if isinstance(item, Group)]
    groups = [one for one in groups if one.container is not Container.TUPLE]
    if not groups:
        return ()
    frames = (flat.frame, *flat.callers, *rebinding.around(flat.frame.around))
    values = [value for frame in frames for value in frame.names.values()]
    held = {id(value) for value in rebinding.inside(values)}
    return tuple(one for one in groups if id(one) in held)


def _widest(rows: Sequence[Value], container: Container) -> Type:
    """The type that holds the numbers in rows; numpy has matrices of whole numbers."""
    found = set[Type]()
    waiting = list(rows)
    while waiting:
        value = waiting.pop()
        if isinstance(value, Group):
            waiting += value.items
        elif isinstance(value, Array):
            found.add(Type(value.cell.type.kind))
        elif isinstance(value, Draft | Literal):
            found.add(Type(value.type.kind))
    return functools.reduce(widening.joint, found) if found else FLOAT
