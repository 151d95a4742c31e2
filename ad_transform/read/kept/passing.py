"""Arguments of kept functions.

Numbers and arrays that the function only reads are parameters, and so are those in
tuples; functions, texts and None are part of the shape that it is flattened for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span
from ad_transform.ir.dims import ANY, Dim
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type
from ad_transform.later import later
from ad_transform.read.containers import sequences
from ad_transform.read.kept.given_shapes import (
    Applied,
    Catching,
    Held,
    Keyed,
    Known,
    Laid,
    Lent,
    Referring,
    Shape,
    Sited,
)
from ad_transform.read.machine.fields import home_of
from ad_transform.read.values.callables import Closure, Dotted, FileModule, Partial
from ad_transform.read.values.frames import Frame
from ad_transform.read.values.regrouping import Kind, kind_of, parts_of, regroup
from ad_transform.read.values.storage import Array, Cell, Column, Deque, Lists, Rows
from ad_transform.read.values.structured import (
    STRUCTURED,
    Dict,
    Group,
    Object,
    OneOf,
    Unread,
    among,
)
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.arrays import array_rows, arrays
    from ad_transform.read.kept.catching import caught
    from ad_transform.read.machine.naming import entry_name

if TYPE_CHECKING:
    from ad_transform.read.flattening.flatten import Flattener


class Unfit(Exception):
    """A call that cannot be kept."""


_NOWHERE = Span(0, 0, 0, 0)


def is_apart(closure: Closure) -> bool:
    """Whether a function takes nothing from a function around it."""
    return closure.around is None or not closure.around.names


# --- arguments ------------------------------------------------------------------------


def shapes_of(
    flat: Flattener, names: Mapping[str, Value], are_open: bool = False
) -> dict[str, Shape]:
    """The shapes of arguments that a function is flattened for; raises Unfit for one
    that cannot be passed. Lists that `are_open` are taken to be of any length.
    """
    dims = _Dims(are_open)
    return {name: _shape(flat, value, dims) for name, value in names.items()}


class _Dims(dict[Dim, str]):
    """The names of dims in a function, by the dims of its caller."""

    def __init__(self, are_open: bool) -> None:
        super().__init__()
        self.are_open = are_open


_DEEPEST = 50
"""Values inside values; a function that an object holds may read the object."""


def _shape(flat: Flattener, value: Value, dims: _Dims, depth: int = 0) -> Shape:
    if depth > _DEEPEST:
        raise Unfit
    depth += 1
    value = flat.materialise(value)
    match value:
        case Literal(type=type_) if type_ in (STR, BOOL):
            return Known(type_, value.value)
        case Draft(type=Type(shape=(_, *_)) as type_):
            return Type(type_.kind, (), tuple(_own(dim, dims) for dim in type_.shape))
        case Draft(type=type_) | Literal(type=type_):
            if type_ not in (FLOAT, INT, BOOL):
                raise Unfit
            return type_
        case Array(cell=cell):
            known = _lengths(flat, value)
            if dims.are_open and len(known) == 1 and cell.container is Container.LIST:
                known = (ANY,)
            type_ = Type(cell.type.kind, tuple(_own(dim, dims) for dim in known))
            return Held(array_rows.container(flat, value), type_, cell.span)
        case Rows(layout=layout) | Lists(layout=layout):
            lists = (_shape(flat, one, dims, depth) for one in columns_of(value))
            return (Laid(value, layout), *lists)
        case Deque(inner=inner, most=None):
            return (Referring(type(value)), _shape(flat, inner, dims, depth))
        case Object() if home_of(value) is not None:
            raise Unfit  # the function called sees no list
        case Object(of=of):
            items = flat.heap.fields.items(value, _NOWHERE)
            return (of, *(_shape(flat, item, dims, depth) for item in items))
        case Group(items=items):
            return (_kind(value), *(_shape(flat, item, dims, depth) for item in items))
        case Dict(keys=keys, items=items, identity=identity):
            entries = (_shape(flat, item, dims, depth) for item in items)
            return (Keyed(keys, identity), *entries)
        case Closure() if is_apart(value) and not value.defaults:
            return value
        case Closure():
            held = caught(value)
            if held is not None:
                shapes = (_shape(flat, one, dims, depth) for one in held.values())
                return (Catching(value.code, tuple(held)), *shapes)
        case Partial(positional=positional, keywords=keywords):
            kind = Applied(len(positional), tuple(word for word, _ in keywords))
            held_by = (_shape(flat, one, dims, depth) for one in parts_of_value(value))
            return (kind, *held_by)
        case FileModule() | Dotted() | Unread() | Special.NONE:
            return value
    raise Unfit


def _kind(value: Group | Object) -> Kind | Sited:
    kind = kind_of(value)
    if isinstance(value, Group) and kind in (Container.LIST, Container.ARRAY):
        return Sited(value.container, value.site)
    return kind


def _lengths(flat: Flattener, array: Array) -> tuple[Dim, ...]:
    """The dims of an array as far as they are known; of a part none is."""
    content = flat.heap.held(array.cell, array.cell.span)
    if not isinstance(content, Draft):
        raise Unfit
    return content.type.dims if array.is_whole else (ANY,) * len(array.axes)


def parts_of_value(value: Value) -> tuple[Value, ...]:
    """The values that a value is passed as; none where it is passed itself."""
    if isinstance(value, Rows | Lists):
        return columns_of(value)
    if isinstance(value, Deque):
        return (value.inner,)
    if isinstance(value, Closure) and not is_apart(value):
        return tuple((caught(value) or {}).values())
    if isinstance(value, Partial):
        words = (one for _, one in value.keywords)
        return (value.function, *value.positional, *words)
    return value.items if isinstance(value, STRUCTURED) else ()


def columns_of(value: Rows | Lists) -> tuple[Value, ...]:
    """The lists that a list of rows, or of lists, is made of."""
    if isinstance(value, Rows):
        return value.columns
    return value.values, value.starts, value.sizes


def _of_columns(like: Rows | Lists, columns: tuple[Value, ...]) -> Value:
    """A list of rows, or of lists, of other lists."""
    if isinstance(like, Rows):
        return replace(like, columns=cast(tuple[Column, ...], columns))
    values, starts, sizes = columns
    assert isinstance(starts, Array) and isinstance(sizes, Array)
    return replace(like, values=cast(Column, values), starts=starts, sizes=sizes)


def _own(dim: Dim, dims: dict[Dim, str]) -> Dim:
    """A dim as the function calls it: equal ones are equal there."""
    if isinstance(dim, int):
        return dim
    name = f"given.{len(dims)}"  # the caller's may be called so, too
    return dims.setdefault(dim if dim != ANY else f"any of {name}", name)


def types(shape: Shape) -> Iterator[Type]:
    """The types of the numbers and arrays of a shape, in order."""
    if isinstance(shape, tuple):
        for item in shape[1:]:
            yield from types(item)
    elif isinstance(shape, Held | Lent):
        yield shape.type
    elif isinstance(shape, Type):
        yield shape


def lengths(shapes: Iterable[tuple[str, Shape]]) -> Iterator[float]:
    """The lengths of the lists among arguments, infinite where only a run knows one."""
    for _, shape in shapes:
        yield from _lengths_of(shape)


def _lengths_of(shape: Shape) -> Iterator[float]:
    if isinstance(shape, tuple):
        if isinstance(shape[0], Sited) and shape[0].container is Container.LIST:
            yield len(shape) - 1
        for item in shape[1:]:
            yield from _lengths_of(item)
    elif isinstance(shape, Held) and shape.container is Container.LIST:
        yield from (
            dim if isinstance(dim, int) else math.inf for dim in shape.type.dims
        )


def numbers(flat: Flattener, value: Value, span: Span) -> Iterator[Number]:
    """The numbers and arrays that pass a value, in order; parts of arrays are passed as
    copies.
    """
    if isinstance(value, Object):
        for item in flat.heap.fields.items(value, span):
            yield from numbers(flat, item, span)
    elif parts := parts_of_value(value):
        for item in parts:
            yield from numbers(flat, item, span)
    elif isinstance(value, Array):
        if not value.is_whole:
            name = f"{value.cell.hint}_part" if value.cell.hint else ""
            kind = array_rows.container(flat, value)
            value = arrays.copied(flat, value, kind, span, name)
        if not isinstance(value, Array):
            raise Unfit
        content = flat.heap.read(value.cell, span)
        if not isinstance(content, Draft):
            raise Unfit
        yield content
    elif isinstance(value, Draft) or (
        isinstance(value, Literal) and value.type not in (STR, BOOL)
    ):
        yield value


def own_dims(takes: Iterable[Type], given: Iterable[Number]) -> dict[str, Dim]:
    """The dims of arrays that are passed, by the function's names of them."""
    return {
        name: dim
        for type_, number in zip(takes, given, strict=True)
        for name, dim in zip(
            (*type_.dims, *type_.shape),
            (*number.type.dims, *number.type.shape),
            strict=False,
        )
        if isinstance(name, str)
    }


def parameter(inner: Flattener, name: str, shape: Shape, params: list[Draft]) -> Value:
    """The value of an argument as a function sees it, made of parameters."""
    match shape:
        case Type():
            params.append(Draft(shape, None, name, 0))
            return params[-1]
        case Held(container, type_, span):
            params.append(Draft(type_, None, name, 0))
            return inner.heap.allocate(params[-1], container, span)
        case Known(type_, value):
            return Literal(value)  # type: ignore[arg-type]
        case (Catching(code, names), *items):
            held = (
                parameter(inner, own, item, params)
                for own, item in zip(names, items, strict=True)
            )
            return Closure(code, Frame(None, dict(zip(names, held, strict=True))), {})
        case (Keyed(keys, identity), *items):
            entries = tuple(
                parameter(inner, entry_name(name, key), item, params)
                for key, item in zip(keys, items, strict=True)
            )
            return Dict(keys, entries, OneOf(among(identity)))
        case (Applied(count, words), *items):
            function, *given = (
                parameter(inner, f"{name}_{k}", item, params)
                for k, item in enumerate(items)
            )
            named = tuple(zip(words, given[count:], strict=True))
            return Partial(function, tuple(given[:count]), named)
        case (Referring(to), item):
            return to(parameter(inner, name, item, params), None)
        case (Laid(like), *items):
            parts = (
                parameter(inner, f"{name}_{k}", item, params)
                for k, item in enumerate(items, 1)
            )
            return _of_columns(like, tuple(parts))
        case (kind, *items):
            site = kind.site if isinstance(kind, Sited) else None
            kind = kind.container if isinstance(kind, Sited) else kind
            made = (
                parameter(inner, f"{name}_{part}", item, params)
                for part, item in zip(parts_of(kind, len(items)), items, strict=True)
            )
            found = regroup(kind, tuple(made), site)
            return inner.heap.fields.owned(found, fixed=True)
    value_: Value = shape
    return value_


def hand_down(flat: Flattener, inner: Flattener, own: Mapping[str, Value]) -> None:
    """Let a function know where its arrays come from: they may have to be whole ones
    from there on.
    """
    lists = {cell.span for cell in flat.changed}
    given = {draft.span for draft in flat.given} - lists
    inner.made.update(flat.made)
    inner.given.update(c.origin for c in cells_of(own.values()) if c.span in given)


@dataclass(frozen=True, slots=True)
class Arrays:
    """The arrays among values: the cells of lists, and whole ones."""

    lists: tuple[Cell, ...]
    wholes: tuple[Draft, ...]


def arrays_of(values: Iterable[Value]) -> Arrays:
    """The arrays among some values, in order."""
    found = tuple(values)
    return Arrays(tuple(cells_of(found)), tuple(wholes_of(found)))


def as_arrays(flat: Flattener, values: Iterable[Value]) -> None:
    """Begin again with lists that are known item by item as arrays, if some are there:
    these are one for all items and lengths.
    """
    for value in values:
        if isinstance(value, Group) and value.site and sequences.is_even(value):
            flat.refit(value)
        as_arrays(flat, parts_of_value(value))


def wholes_of(values: Iterable[Value]) -> Iterator[Draft]:
    """All whole arrays in values."""
    for value in values:
        if parts := parts_of_value(value):
            yield from wholes_of(parts)
        elif isinstance(value, Draft) and value.type.shape:
            yield value


def cells_of(values: Iterable[Value]) -> Iterator[Cell]:
    """The cells of all arrays in values."""
    for value in values:
        if parts := parts_of_value(value):
            yield from cells_of(parts)
        elif isinstance(value, Array):
            yield value.cell
