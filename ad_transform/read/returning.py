"""What functions that are kept give back: new arrays, and what they may not change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ad_transform.diagnostics import Span
from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, FLOAT, INT
from ad_transform.read import passing, rebinding
from ad_transform.read.values import (
    Array,
    Cell,
    Draft,
    Group,
    Number,
    Object,
    Value,
    kind_of,
    regroup,
)

if TYPE_CHECKING:
    from ad_transform.read.flatten import Flattener


def changed(inner: Flattener, given: Mapping[str, Value]) -> str | None:
    """The name of an array that a function has been given and may change, if any."""
    aliases = inner.heap.aliases
    unsure = {*aliases.choices, *aliases.turns}
    written = any(cell in unsure for _, cell in aliases.writes)
    shared = {share.row for share in aliases.shares}
    moved = {base for change in inner.changes for base in change.bases}
    for name, value in given.items():
        if moved & rebinding.bases(inner, (value,)):
            return name
        for cell in passing.cells_of((value,)):
            is_same = inner.heap.held(cell, cell.span) is cell.origin
            if written or cell in shared or not is_same:
                return name
    return None


def returned(
    inner: Flattener, value: Value, given: Mapping[str, Value], leaves: list[Number]
) -> passing.Shape:
    """The shape of a result, its numbers and arrays into `leaves`; raises Unfit.

    An array has to be a new one, or one that is given, and as long as one that is given
    or of known length.
    """
    aliases = inner.heap.aliases
    arrays = passing.arrays_of(given.values())
    old = {*aliases.turns}
    old.update(cell for share in aliases.shares for cell in (share.matrix, share.row))
    shared = rebinding.bases(inner, given.values())
    types = [one.type for one in shared if isinstance(one, Draft | Cell)]
    dims = {dim for type_ in types for dim in (*type_.dims, *type_.shape)}

    def are_known(lengths: Sequence[Dim]) -> bool:
        return all(isinstance(dim, int) or dim in dims for dim in lengths)

    wholes = [rebinding.bases(inner, (whole,)) for whole in arrays.wholes]
    taken = shared.difference(*wholes)  # by what is no array that is given

    def lent(whole: Draft) -> tuple[int, ...] | None:
        """The places of the arrays given that one may be; None if it is another's."""
        own = rebinding.bases(inner, (whole,))
        places = tuple(k for k, bases in enumerate(wholes) if not bases.isdisjoint(own))
        if not own or not own.isdisjoint(taken):
            return None
        taken.update(own)
        return places

    def ends(cell: Cell) -> set[Cell]:
        """The arrays that one may be, as branches decide, and itself."""
        givers = aliases.choices.get(cell, ())
        return {cell}.union(*map(ends, givers))

    def shape(value: Value) -> passing.Shape:
        match value:
            case Group(items=items) | Object(items=items):
                return (kind_of(value), *map(shape, items))
            case Draft(type=type_) | Literal(type=type_) if type_ in (FLOAT, INT, BOOL):
                leaves.append(value)
                return type_
            case Draft(type=type_) if type_.shape and are_known(type_.shape):
                places = lent(value)
                if places is not None:
                    leaves.append(value)
                    return passing.Lent(type_, places) if places else type_
            case Array(cell=cell) if value.is_whole and old.isdisjoint(ends(cell)):
                content = inner.heap.held(cell, cell.span)
                if isinstance(content, Draft) and are_known(content.type.dims):
                    own = ends(cell)
                    old.update(own)
                    leaves.append(content)
                    places = tuple(
                        k for k, one in enumerate(arrays.lists) if one in own
                    )
                    held = (cell.container, content.type, cell.span)
                    return passing.Held(*held, places)
        raise passing.Unfit

    return shape(value)


def made_of(
    flat: Flattener,
    shape: passing.Shape,
    given: Mapping[str, Dim],
    arrays: passing.Arrays,
    outs: list[Draft],
    span: Span,
) -> Value:
    """A result of a shape, over new values; `given` says what its dims are here, and
    `arrays` are those that were given.
    """
    match shape:
        case passing.Held(container, type_):
            outs.append(Draft(type_.renamed(given), span))
            made = flat.heap.allocate(outs[-1], container, span)
            if shape.lent:
                givers = [arrays.lists[k] for k in shape.lent]
                flat.heap.aliases.lend(givers, made.cell)
            return made
        case passing.Lent(type_, places):
            outs.append(Draft(type_.renamed(given), span))
            flat.views[outs[-1]] = tuple(arrays.wholes[k] for k in places)
            return outs[-1]
        case (kind, *items):
            each = (made_of(flat, item, given, arrays, outs, span) for item in items)
            return regroup(kind, tuple(each))
    outs.append(Draft(shape.renamed(given), span))
    return outs[-1]
