"""Results of kept functions: numbers, new arrays, and arrays that they were given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ad_transform.diagnostics import Span
from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, FLOAT, INT
from ad_transform.read.arrays import rebinding
from ad_transform.read.kept import (
    changing,
    given_shapes,
    passing,
)
from ad_transform.read.kept.changing import Change
from ad_transform.read.machine.fields import may_be_among
from ad_transform.read.values.regrouping import kind_of, regroup
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.structured import Group, Object
from ad_transform.read.values.values import Draft, Number, Special, Value

if TYPE_CHECKING:
    from ad_transform.read.flattening.flatten import Flattener


def returned(
    inner: Flattener,
    value: Value,
    given: Mapping[str, Value],
    changes: Mapping[Change, Draft],
    leaves: list[Number],
) -> given_shapes.Shape:
    """The shape of a result, its numbers and arrays into `leaves`; raises Unfit where
    it has neither.

    An array has to be a new one, or one that is given, and as long as one that is given
    or of known length. One that is among the `changes` has to be just that.
    """
    aliases = inner.heap.aliases
    arrays = passing.arrays_of(given.values())
    objects = {one.identity for one in _objects(inner, given.values())}
    shares = (cell for one in aliases.shares for cell in (one.matrix, one.row))
    old = {*aliases.turns, *shares}
    shared = rebinding.bases(inner, given.values())
    dims = set(_dims(shared))

    def are_known(lengths: Sequence[Dim]) -> bool:
        return all(isinstance(dim, int) or dim in dims for dim in lengths)

    wholes = [rebinding.bases(inner, (whole,)) for whole in arrays.wholes]
    taken = shared.difference(*wholes)  # by given values but whole arrays
    taken |= rebinding.bases(inner, changes.values())
    own_arrays = list(changing.given(given.values()))
    changed = [own_arrays[change.place] for change in changes]
    old.update(one.cell for one in changed if isinstance(one, Array))

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

    def shape(value: Value) -> given_shapes.Shape:
        place = changing.place_of(value, changes, own_arrays)
        if place is not None:
            return given_shapes.Same(place)
        match value:
            case Special.NONE:
                return value
            case Object(of=of, items=items):
                is_given = may_be_among(value.identity, objects)
                return (given_shapes.Given(of) if is_given else of, *map(shape, items))
            case Group(items=items):
                return (kind_of(value), *map(shape, items))
            case Draft(type=type_) | Literal(type=type_) if type_ in (FLOAT, INT, BOOL):
                leaves.append(value)
                return type_
            case Draft(type=type_) if type_.shape and are_known(type_.shape):
                places = lent(value)
                if places is not None:
                    leaves.append(value)
                    return given_shapes.Lent(type_, places) if places else type_
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
                    return given_shapes.Held(*held, places)
        raise passing.Unfit

    found = shape(value)
    if not leaves and not changes:
        raise passing.Unfit
    return found


def _dims(arrays: Iterable[rebinding.Base]) -> Iterator[Dim]:
    """The lengths of arrays."""
    for one in arrays:
        if isinstance(one, Draft | Cell):
            yield from (*one.type.dims, *one.type.shape)


def _objects(flat: Flattener, values: Iterable[Value]) -> Iterator[Object]:
    """The objects in some values, and those that fields hold by now."""
    held = (*values, *flat.heap.fields.held(()))
    return (one for one in rebinding.inside(held) if isinstance(one, Object))


def made_of(
    flat: Flattener,
    shape: given_shapes.Shape,
    values: Sequence[Value],
    ends: Mapping[int, Value],
    outs: Iterator[Draft],
    span: Span,
) -> Value:
    """A result of a shape, over new values; `values` are the arguments, and `ends`
    those among their arrays that have been changed, as they are by now, by their
    places.
    """
    arrays, fields = passing.arrays_of(values), flat.heap.fields
    match shape:
        case given_shapes.Held(container, _):
            made = flat.heap.allocate(next(outs), container, span)
            if shape.lent:
                givers = [arrays.lists[k] for k in shape.lent]
                flat.heap.aliases.lend(givers, made.cell)
            return made
        case given_shapes.Lent(_, places):
            out = next(outs)
            flat.views[out] = tuple(arrays.wholes[k] for k in places)
            return out
        case given_shapes.Same(place):
            return ends.get(place, Special.REFUSED)
        case Special.NONE:
            return Special.NONE
        case (kind, *items):
            each = (made_of(flat, item, values, ends, outs, span) for item in items)
            if isinstance(kind, given_shapes.Given):
                among = (one for one in _objects(flat, values) if one.of is kind.of)
                own = fields.joined(kind.of, among)
                return Object(kind.of, tuple(each), own)
            return fields.owned(regroup(kind, tuple(each)))
    return next(outs)
