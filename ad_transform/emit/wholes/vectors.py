"""Vectors of arrays and numbers, one behind the other (`packed=True`), as one list.

A parameter is taken apart, a result is joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    of_list,
    over_all,
    place,
    size,
    stored,
)
from ad_transform.emit.wholes.boundaries import Value
from ad_transform.emit.wholes.draft import Draft
from ad_transform.emit.wholes.listed import in_lists, lengths_of
from ad_transform.ir import dims
from ad_transform.ir.nodes import (
    LEAF,
    Container,
    Literal,
    Nest,
    Operand,
    Parameter,
    Var,
    group,
)
from ad_transform.ir.types import Kind, Type

VECTOR = group((LEAF,), Container.ARRAY)


def has_vectors(nest: Nest) -> bool:
    """Whether it is a vector of parts, or holds one."""
    return nest.is_packed or any(map(has_vectors, nest.items))


def type_of(parts: Iterable[Operand]) -> Type:
    """The type of a vector of parts."""
    shapes = [part.type.shape or part.type.dims for part in parts]
    total: dims.Dim = reduce(dims.plus, map(dims.product, shapes))
    return Type(Kind.FLOAT, (), (total,))


def taken_apart(
    draft: Draft, vector: Operand, parameter: Parameter
) -> Iterator[tuple[Var, Value]]:
    """The parts of a vector that comes in, each with its value."""
    before: list[Var] = []
    for part in parameter.vars:
        kind, shape = part.type.kind, part.type.shape or part.type.dims
        start = _start(draft, before)
        before.append(part)
        if not shape:
            yield part, draft.apply("read", vector, start, hint=part.hint)
            continue
        lengths = tuple(_length(draft, dim) for dim in shape)

        def at(
            inside: Draft,
            indices: Indices,
            start: Operand = start,
            lengths: Indices = lengths,
        ) -> Operand:
            number = place(inside, indices, lengths)
            return inside.apply("read", vector, inside.plus(start, number))

        own = Whole(kind, shape, lengths, at, is_free=True)
        if not part.type.shape:
            yield part, in_lists(draft, own, part)
            continue
        array = stored(draft, own, part.hint)
        assert array.stored is not None
        draft.owned.discard(array.stored)  # it is read under its name later on
        yield part, array


def _length(draft: Draft, dim: dims.Dim) -> Operand:
    known = draft.length(dim)
    assert known is not None, "lengths of parts are told"
    return known


def _start(draft: Draft, before: Sequence[Operand]) -> Operand:
    """The place behind some parts."""
    return _length(draft, type_of(before).shape[0] if before else 0)


def with_vectors(
    draft: Draft, nest: Nest, results: Sequence[Value], wanted: Sequence[Operand]
) -> tuple[Nest, list[Value], list[Type]]:
    """The results with vectors of parts as arrays: their nest, and their types."""
    if not has_vectors(nest):
        return nest, [*results], [one.type for one in wanted]
    if nest.is_packed:
        type_ = type_of(wanted)
        return VECTOR, [_joined(draft, results, wanted, type_)], [type_]
    items: list[Nest] = []
    found: list[Value] = []
    types: list[Type] = []
    start = 0
    for item in nest.items:
        end = start + item.leaves()
        made = with_vectors(draft, item, results[start:end], wanted[start:end])
        items.append(made[0])
        found += made[1]
        types += made[2]
        start = end
    return Nest(nest.container, tuple(items), nest.names, nest.maker), found, types


def _joined(
    draft: Draft, results: Sequence[Value], parts: Sequence[Operand], type_: Type
) -> Whole:
    """One list of all numbers."""
    length = _length(draft, type_.shape[0])
    array: Operand = draft.unset(Kind.FLOAT, length)
    for k, (result, part) in enumerate(zip(results, parts, strict=True)):
        start = _start(draft, parts[:k])
        if not part.type.is_array:
            assert isinstance(result, Var | Literal)
            array = draft.changed("store", array, result, start)
            continue
        array = _filled(draft, array, _as_array(draft, result), start)
    draft.owned.add(array)
    return of_list(array, type_.shape, (length,))


def _as_array(draft: Draft, value: Value) -> Whole:
    """An array, or the array of a list of numbers or of rows."""
    if isinstance(value, Whole):
        return value
    assert isinstance(value, Var)
    lengths = lengths_of(draft, value)
    if len(lengths) == 1:
        return of_list(value, value.type.dims, lengths)

    def at(inside: Draft, indices: Indices) -> Operand:
        return inside.apply("get", value, *indices)

    return Whole(value.type.kind, value.type.dims, lengths, at, is_free=True)


def _filled(draft: Draft, array: Operand, x: Whole, start: Operand) -> Operand:
    """The list with the elements of an array from a place on."""
    if x.along is not None:
        (array,) = draft.loop(
            size(draft, x.lengths),
            (array,),
            lambda d, k, taken: (
                d.changed("store", taken[0], x.numbered(d, k), d.plus(start, k)),
            ),
        )
        return array

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        number = inside.plus(start, place(inside, indices, x.lengths))
        one = x.element(inside, indices)
        return (inside.changed("store", taken[0], one, number),)

    return over_all(draft, x.lengths, (array,), body)[0]
