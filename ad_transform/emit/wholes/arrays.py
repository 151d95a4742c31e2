"""Whole arrays as rules for their elements, which loops compute where they are needed.

An array that is read once is only its rule: the loop that reads it computes its
elements. One that is read again, or given away, is stored as a list of all its
elements, row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.wholes.draft import ONE, ZERO, Draft
from ad_transform.ir.dims import ANY, Dims
from ad_transform.ir.nodes import Literal, Operand, Var, walk
from ad_transform.ir.types import INT, Kind

At = Callable[[Draft, "Indices"], Operand]
Along = Callable[[Draft, Operand], Operand]
Indices = tuple[Operand, ...]
Body = Callable[[Draft, Indices, Indices], Sequence[Operand]]


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """An array.

    kind     that of its elements
    shape    the facts about its lengths before a run: an axis of 1 is broadcast
    lengths  numbers; one below 0 is 0
    at       makes the element at some places
    along    makes the element with a number, row by row, if that is as easy
    stored   the list that holds all of them
    is_free  whether an element takes no operation: it stands in a list, or is a number
    hint     the name of a list of its elements
    """

    kind: Kind
    shape: Dims
    lengths: tuple[Operand, ...]
    at: At
    along: Along | None = None
    stored: Operand | None = None
    is_free: bool = False
    hint: str = ""

    def element(self, draft: Draft, indices: Indices) -> Operand:
        """The element at the given places."""
        return _once(draft, (self, indices), lambda: self.at(draft, indices))

    def numbered(self, draft: Draft, number: Operand) -> Operand:
        """The element with a number, row by row."""
        assert self.along is not None
        along = self.along
        return _once(draft, (self, number), lambda: along(draft, number))


def _once(draft: Draft, key: object, make: Callable[[], Operand]) -> Operand:
    found: Operand | None = draft.known.get(key)
    if found is None:
        found = draft.known[key] = make()
    return found


def of_list(array: Operand, shape: Dims, lengths: Sequence[Operand]) -> Whole:
    """The array whose elements a list holds, row by row."""
    sizes = tuple(lengths)

    def at(draft: Draft, indices: Indices) -> Operand:
        return draft.apply("read", array, place(draft, indices, sizes))

    def along(draft: Draft, number: Operand) -> Operand:
        return draft.apply("read", array, number)

    return Whole(array.type.kind, shape, sizes, at, along, array, is_free=True)


def place(draft: Draft, indices: Indices, lengths: Sequence[Operand]) -> Operand:
    """The number of an element, row by row."""
    number = indices[0] if indices else ZERO
    for index, length in zip(indices[1:], lengths[1:], strict=True):
        number = draft.plus(draft.times(number, length), index)
    return number


def of_number(value: Operand) -> Whole:
    """The array of a number, which is the element wherever it is broadcast."""
    return Whole(
        value.type.kind, (), (), lambda *_: value, lambda *_: value, is_free=True
    )


def size(draft: Draft, lengths: Sequence[Operand]) -> Operand:
    """The number of elements."""
    if len(lengths) == 1:
        return lengths[0]
    total: Operand = ONE
    for length in lengths:
        total = draft.times(total, draft.exact(length))
    return total


def spread(x: Whole, like: Whole) -> Whole:
    """The array broadcast to the shape of another."""
    if len(x.shape) == len(like.shape) and _ones(x) == _ones(like):
        return x
    if not x.shape:
        return replace(x, shape=like.shape, lengths=like.lengths)
    gone = len(like.shape) - len(x.shape)
    fixed = [n == 1 for n in x.shape]

    def at(draft: Draft, indices: Indices) -> Operand:
        own = zip(indices[gone:], fixed, strict=True)
        return x.element(draft, tuple(ZERO if one else k for k, one in own))

    return Whole(x.kind, like.shape, like.lengths, at, is_free=x.is_free)


def _ones(x: Whole) -> list[bool]:
    return [n == 1 for n in x.shape]


def is_spread(own: Dims, shape: Dims) -> bool:
    """Whether an array of some shape is broadcast to another shape: its elements are
    read again and again.
    """
    return bool(own) and (
        len(own) != len(shape)
        or any(n == 1 and m != 1 for n, m in zip(own, shape, strict=True))
    )


def over_all(
    draft: Draft, lengths: Sequence[Operand], carries: Sequence[Operand], body: Body
) -> tuple[Operand, ...]:
    """The carries behind loops over all places, row by row."""
    return tuple(_within(draft, tuple(lengths), (), tuple(carries), body))


def _within(
    draft: Draft, left: Indices, indices: Indices, carries: Indices, body: Body
) -> Sequence[Operand]:
    if not left:
        return body(draft, indices, carries)
    return draft.loop(
        left[0],
        carries,
        lambda inside, k, taken: _within(inside, left[1:], (*indices, k), taken, body),
    )


def stored(draft: Draft, x: Whole, hint: str = "") -> Whole:
    """The array with all its elements in a list."""
    if x.stored is not None:
        return x
    return of_list(made(draft, x, hint), x.shape, x.lengths)


def settled(draft: Draft, changing: object, env: dict[Operand, Any]) -> None:
    """Store the arrays whose elements are those of a list that is about to change."""
    array = changing.stored if isinstance(changing, Whole) else None
    if array is None:
        return
    for name, value in list(env.items()):
        is_rule = isinstance(value, Whole) and value.stored is None
        if is_rule and value.lengths and _is_made_of(draft, value, array):
            env[name] = stored(draft, value)


def _is_made_of(draft: Draft, x: Whole, array: Operand) -> bool:
    """Whether an element of an array is computed of a list."""
    trial = draft.inner()
    x.element(trial, tuple(Var(INT) for _ in x.lengths))
    return any(array in statement.inputs for statement in walk(tuple(trial.body)))


def made(draft: Draft, x: Whole, hint: str = "") -> Operand:
    """A new list of all its elements."""
    if x.stored is not None:
        return draft.copy(x.stored, hint)
    array: Operand = draft.unset(x.kind, size(draft, x.lengths), hint or x.hint)
    if x.along is not None:
        (array,) = draft.loop(
            size(draft, x.lengths),
            (array,),
            lambda d, k, taken: (d.changed("store", taken[0], x.numbered(d, k), k),),
        )
        return array

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        at = place(inside, indices, x.lengths)
        return (inside.changed("store", taken[0], x.element(inside, indices), at),)

    return over_all(draft, x.lengths, (array,), body)[0]


def best_known(draft: Draft, axes: Sequence[Operand]) -> Operand:
    """The best known of some equal lengths."""
    literal = [n for n in axes if isinstance(n, Literal)]
    named = [n for n in axes if draft.form(n) != ANY]
    return (literal or named or list(axes))[0]
