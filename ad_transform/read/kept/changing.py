"""Arrays that kept functions change for their callers.

Such a function leaves its arguments as they are, and gives back each array that it
changes as it is at its end. A call of it writes that to the array of the caller: Python
has one object there, so no two arrays that are given may be one, or parts of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Container
from ad_transform.ir.types import Type
from ad_transform.later import later
from ad_transform.read.flattening import lending
from ad_transform.read.kept.given_shapes import Held, Same, Shape
from ad_transform.read.kept.passing import parts_of_value
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Value, is_whole

with later():
    from ad_transform.read.arrays import (
        arrays,
        rebinding,
        rebound,
    )

if TYPE_CHECKING:
    from ad_transform.read.flattening.flatten import Flattener


class Unchangeable(Exception):
    """A function changes an array that it is given, and that cannot be given back."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True, slots=True)
class Change:
    """An array that a function changes: its place among those that it is given, and
    the type that it keeps.
    """

    place: int
    type: Type


def given(values: Iterable[Value]) -> Iterator[Array | Draft]:
    """The arrays among values, in order."""
    for value in values:
        if parts := parts_of_value(value):
            yield from given(parts)
        elif isinstance(value, Array) or (isinstance(value, Draft) and is_whole(value)):
            yield value


def types_given(shapes: Iterable[Shape]) -> Iterator[Type]:
    """The types of the arrays among arguments, in order."""
    for shape in shapes:
        if isinstance(shape, tuple):
            yield from types_given(shape[1:])
        elif isinstance(shape, Held):
            yield shape.type
        elif isinstance(shape, Type) and shape.shape:
            yield shape


def in_shape(shape: Shape, given_: Iterable[Shape]) -> tuple[Change, ...]:
    """The changes of a function that returns arrays which it is given and changes."""
    if isinstance(shape, tuple):
        found = (change for item in shape[1:] for change in in_shape(item, given_))
        return tuple(dict.fromkeys(found))
    if isinstance(shape, Same):
        types_ = list(types_given(given_))
        return (Change(shape.place, types_[shape.place]),)
    return ()


# --- in the function ------------------------------------------------------------------


def lend(inner: Flattener, closure: Closure, own: Mapping[str, Value]) -> None:
    """Let a function know which arrays its caller may read again: whole ones under
    their names, and those that are known item by item.
    """
    inner.is_kept = True
    if not any(frame.names for frame in rebinding.around(closure.around)):
        inner.frame.names.update(lending.lent(inner, closure, {**own}))
    known = {name: value for name, value in own.items() if isinstance(value, Group)}
    inner.frame.names.update(known)


def changed(inner: Flattener, own: Mapping[str, Value]) -> dict[Change, Draft]:
    """The arrays that a function has changed, as it leaves them; raises Unchangeable
    where an end is open, or is no array of the same shape.
    """
    found: dict[Change, Draft] = {}
    end = _Ends(inner)
    place = 0
    for name, value in own.items():
        if end.moved & set(_sites((value,))):
            raise Unchangeable(name)
        for one in given((value,)):
            before = one.cell.origin if isinstance(one, Array) else one
            now = end.of_list(one) if isinstance(one, Array) else end.of(name, one)
            kept = _type_kept(one, before.type, now) if isinstance(now, Draft) else None
            if kept is None or not isinstance(now, Draft):
                raise Unchangeable(name)
            if now is not before:
                found[Change(place, kept)] = now
            place += 1
    return found


def _type_kept(one: Array | Draft, before: Type, now: Draft) -> Type | None:
    """The type of an array at the end of a function; None where the caller cannot have
    it so. A list may be of any length then.
    """
    if now.type == before:
        return before
    is_list = isinstance(one, Array) and one.cell.container is Container.LIST
    if is_list and len(before.dims) == 1 and now.type.kind == before.kind:
        return Type(before.kind, (ANY,))
    return None


class _Ends:
    """The values of arrays at the end of a function; None where they are open."""

    def __init__(self, inner: Flattener) -> None:
        self.inner = inner
        aliases = inner.heap.aliases
        unsure = {*aliases.choices, *aliases.turns}
        self.is_open = any(cell in unsure for _, cell in aliases.writes)
        self.shared = {share.row for share in aliases.shares}
        self.moved = {base for change in inner.changes for base in change.bases}

    def of_list(self, array: Array) -> object:
        """The content of a list, where its names did not become another array."""
        if self.is_open or array.cell in self.shared or self._is_moved(array):
            return None
        return self.inner.heap.held(array.cell, array.cell.span)

    def of(self, name: str, whole: Draft) -> object:
        """The value of a whole array that is given by a name."""
        end = self.inner.frame.names.get(name, whole)
        return None if self._is_moved(whole) is (end is whole) else end

    def _is_moved(self, one: Array | Draft) -> bool:
        return bool(self.moved & rebinding.bases(self.inner, (one,)))


def _sites(values: Iterable[Value]) -> Iterator[Span]:
    """The places where arrays and lists are made that are known item by item."""
    for value in values:
        yield from _sites(parts_of_value(value))
        if isinstance(value, Group) and value.site:
            yield value.site


def starts(own: Mapping[str, Value], changes: Iterable[Change]) -> Iterator[Draft]:
    """The contents of the arrays that are changed, as their function begins."""
    arrays_ = list(given(own.values()))
    for change in changes:
        one = arrays_[change.place]
        yield one.cell.origin if isinstance(one, Array) else one


def place_of(
    value: Value, changes: Mapping[Change, Draft], own: Sequence[Array | Draft]
) -> int | None:
    """The place of an array among the given ones if it is one of those that are
    changed; None if it is not.
    """
    for change, end in changes.items():
        before = own[change.place]
        if value is end or (isinstance(before, Array) and value == before):
            return change.place
    return None


# --- where it is called ---------------------------------------------------------------


def give_back(
    flat: Flattener,
    values: Sequence[Value],
    changes: Iterable[Change],
    outs: Sequence[Draft],
    span: Span,
) -> dict[int, Value]:
    """Write the arrays that a function has left to those that it was given. Gives these
    as they are by then, by their places. AD124 where one of them has two names.
    """
    arrays_ = list(given(values))
    ends: dict[int, Value] = {}
    for change, out in zip(changes, outs, strict=True):
        one = arrays_[change.place]
        if _is_beside(flat, one, arrays_):
            rebinding.refuse_shared(flat, _name(flat, one), span)
        elif isinstance(one, Array):
            _write(flat, one, out, span)
            ends[change.place] = one
        else:
            out.hint = one.hint
            rebound.give_back(flat, one, out, span)
            ends[change.place] = out
    for one in arrays_ if ends else ():
        if isinstance(one, Array):
            flat.heap.aliases.look(one.cell, span)
    return ends


def _is_beside(
    flat: Flattener, one: Array | Draft, others: Sequence[Array | Draft]
) -> bool:
    """Whether an array, or a part of it, is given twice."""
    own = rebinding.bases(flat, (one,))
    met = [other for other in others if own & rebinding.bases(flat, (other,))]
    return len(met) > 1


def _write(flat: Flattener, target: Array, out: Draft, span: Span) -> None:
    """Let an array hold other elements, or a part of one."""
    cell = target.cell
    if not target.is_whole:
        made = flat.heap.allocate(out, Container.ARRAY, span)
        arrays.fill(flat, target, made, span)
        return
    if rebinding.is_copied(flat, cell) or rebinding.is_viewed(flat, cell):
        rebinding.refuse_shared(flat, _name(flat, target), span)
        return
    flat.changed.add(cell)
    arrays.refit_rows(flat, cell)
    out.hint = cell.hint
    flat.heap.write(cell, out)


def _name(flat: Flattener, one: Array | Draft) -> str:
    """A name of an array; empty where it has none."""
    return next((n for n, v in flat.frame.names.items() if v is one), "")
