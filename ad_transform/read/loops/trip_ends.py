"""The meaning of names at the end of a trip: the next trip begins with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import FLOAT, Type
from ad_transform.later import later
from ad_transform.read.branches import maybe
from ad_transform.read.machine.drafts import Carry
from ad_transform.read.machine.fields import are_one, home_of, homes_of, refuse_field
from ad_transform.read.machine.naming import shown
from ad_transform.read.values.frames import is_of_source, made_at
from ad_transform.read.values.regrouping import CARRIED, Carried, kind_of
from ad_transform.read.values.storage import Array, Deque, Distinct, Rows
from ad_transform.read.values.structured import Dict, Group, Identity, Object, grows
from ad_transform.read.values.values import Draft, Maybe, Special, Value, is_whole

with later():
    from ad_transform.read.branches import (
        chosen,
        unlike,
        widening,
    )
    from ad_transform.read.loops import (
        handed,
        unbound,
    )
    from ad_transform.read.loops.tails import are_alike
    from ad_transform.read.rows import row_layouts
    from ad_transform.read.values.described import one_or_other

if TYPE_CHECKING:
    from ad_transform.read.loops.loops import Loop

UNBOUND = "bind it before the loop"
_ALIKE = "let it be a number, or a tuple of one length, all the time"
_ITEMS = "let its items be of one kind: numbers, texts, or tuples of one length"
_SUM = "begin with an array, and add in a loop: `s = np.zeros(n)`, `s = s + u`"
_ZEROS = "bind a new array to it before the loop: `np.zeros(n)`, `y = x.copy()`"
_ARRAY = "let it start as an array: `np.array([1.0, 0.0])`"
_COPY = "let it be a copy: `row = list(rows[k])`"
_KEYS = 'write all its keys out before the loop: `d = {"a": 0.0}`'
_NEW_DICT = "write to a copy: `d = dict(d)`"
_NEW_SET = "change the one that is there, `s.add(v)`"
_FUNCTION = "keep in a bool which one it is, and choose behind: `g = f if flag else h`"

Place = tuple[int, ...]
"""The place of an item in a value: of the second item of the first one, (0, 1)."""

GIVEN, HELD = -1, -2
"""The places of a flag and a value in one that may be None; an object of a list has its
place there.
"""

BOUND = -1
"""In place of a leaf: the name of a whole array or a dict that a trip changes."""

OTHER = -2
"""In place of a leaf: the name of a dict that is another one after a trip."""


@dataclass(slots=True)
class Types:
    """The findings of runs of a body.

    `wide`    the types of carries that are wider than those of their starts, by name
              and leaf
    `absent`  values in the place of one that may be None, by name and place in it
    `givers`  the objects from before the loop that may be the one of a name at the head
              of a trip
    """

    wide: dict[tuple[str, int], Type] = field(default_factory=dict)
    absent: dict[tuple[str, Place], Value] = field(default_factory=dict)
    givers: dict[str, dict[Identity, None]] = field(default_factory=dict)


def end_of(loop: Loop, name: str, span: Span) -> None:
    """Give the carries of a name their ends. Refuses AD107 where the next trip cannot
    begin with the value that this one leaves.
    """
    head, end = loop.heads[name], loop.ends.get(name)
    number = unbound.filler(end) if head is Special.UNBOUND else None
    if number is not None and not loop.closed:
        loop.types.absent[name, ()] = number
        loop.stale = True
        return
    value = made_at(end, span)
    if Special.REFUSED in (head, value) or value is None:
        return
    if value is Special.UNUSED:
        for carry in loop.leaves[name]:
            carry.end = carry.param  # the next trip may begin with any number
        return
    handed.refuse_shared(loop)
    handed.refuse_view(loop, name, value)
    if not _fits(loop, name, head, value, iter(loop.leaves[name])):
        if head is Special.UNBOUND:
            message = f"{name!r} may be read before the loop has bound it"
            loop.flat.refuse("AD103", message, loop.span, UNBOUND)
            return
        word = loop.references.word(name)
        refuse_kinds(loop, word, (head, value), loop.span)


def _fits(
    loop: Loop,
    name: str,
    head: Value,
    end: Value,
    leaves: Iterator[Carry],
    place: Place = (),
) -> bool:
    """Give the carries of a name their ends; False where the shapes differ."""
    if Special.REFUSED in (head, end):
        return True  # it has been said
    if maybe.is_open(head) or maybe.is_open(end):
        return _fits_open(loop, name, head, end, leaves, place)
    if loop.references.is_one(name, head):
        return _is_still(loop, name, head, end)
    pair = homes_of(head, end)
    if pair is not None:
        first, last = (one.place for one in pair)
        return _fits(loop, name, first, last, leaves, (*place, HELD))
    if isinstance(head, Object) and isinstance(end, Object):
        if head.of is not end.of or home_of(head) or home_of(end):
            return False
        held = loop.references.finals(name, head, end)
        return _fit(loop, name, head.items, held, leaves, place)
    if isinstance(end, Rows):
        _lay_alike(loop, head, end)
    if isinstance(head, CARRIED):
        return _fits_items(loop, name, head, end, leaves, place)
    if isinstance(head, Dict):
        return _fits_dict(loop, name, head, end, leaves, place)
    if isinstance(head, Deque) and head is not end:
        return _fits_other(loop, name, head, end, leaves, place)
    if isinstance(head, Array) and head.cell in loop.givers:
        carry = next(leaves)
        loop.last_cells[head.cell] = end.cell if isinstance(end, Array) else None
        leaf = loop.leaves[name].index(carry)
        return loop.cells.fits(name, carry, head, end, leaf)
    if isinstance(head, Array) and head.is_beside(end):
        return _fit(loop, name, head.numbers, end.numbers, leaves, place)
    if isinstance(head, Draft):
        return _fits_number(loop, name, head, end, leaves)
    same = isinstance(head, Literal) and head == end
    return same or head is end


def _lay_alike(loop: Loop, head: Value, end: Rows) -> None:
    """Let a list that is one of rows at the end of a trip be such from the start."""
    if isinstance(head, Array | Group):
        site = head.site if isinstance(head, Group) else head.cell.span
        if site is not None:
            loop.flat.relay(site, end.layout)
    if isinstance(head, Rows):
        wide = row_layouts.joint(head.layout, end.layout)
        for one in (head, end):
            if wide is not None and one.layout != wide:
                loop.flat.relay(one.site, wide)


def _fits_items(
    loop: Loop,
    name: str,
    head: Carried,
    end: Value,
    leaves: Iterator[Carry],
    place: Place,
) -> bool:
    """Whether it is as long, of the same kind, and all items fit."""
    is_longer = isinstance(end, Group) and len(head.items) != len(end.items)
    if isinstance(head, Group) and (
        isinstance(end, Array) or is_whole(end) or (is_longer and grows(head))
    ):
        loop.flat.refit(head)
    return (
        isinstance(end, CARRIED)
        and kind_of(head) == kind_of(end)
        and len(head.items) == len(end.items)
        and _fit(loop, name, head.items, end.items, leaves, place)
    )


def _fits_dict(
    loop: Loop,
    name: str,
    head: Dict,
    end: Value,
    leaves: Iterator[Carry],
    place: Place,
) -> bool:
    """Whether it has the same keys, and all values fit; a trip may end with another."""
    if head.is_like(end) and head.identity in loop.last_dicts:
        loop.last_dicts[head.identity] = end.identity
    elif head.is_like(end) and head.identity is not end.identity:
        if loop.closed:
            message = f"{name!r} is one dict or another here, as a loop decides"
            loop.flat.refuse("AD124", message, loop.span, _NEW_DICT)
        loop.types.wide[name, OTHER] = FLOAT
        loop.stale = True
    return head.is_like(end) and _fit(loop, name, head.items, end.items, leaves, place)


def _fits_number(
    loop: Loop, name: str, head: Draft, end: Value, leaves: Iterator[Carry]
) -> bool:
    """Whether it is a number, or an array of as many axes; the next carry gets it."""
    if not isinstance(end, Draft | Literal) or not are_alike(head, end):
        return False
    carry = next(leaves)
    if len(carry.param.type.shape) != len(end.type.shape):
        return False
    wide = widening.joint(carry.param.type, end.type)
    if wide != carry.param.type:
        _widen(loop, name, loop.leaves[name].index(carry), wide)
        return True
    carry.end = widening.typed(loop.draft.body, end, wide, loop.span)
    return True


def _fit(
    loop: Loop,
    name: str,
    heads: Sequence[Value],
    ends: Sequence[Value],
    leaves: Iterator[Carry],
    place: Place,
) -> bool:
    """Give the carries of items their ends; False where the shapes differ."""
    pairs = enumerate(zip(heads, ends, strict=True))
    return all(_fits(loop, name, h, e, leaves, (*place, k)) for k, (h, e) in pairs)


def _is_still(loop: Loop, name: str, head: Value, end: Value) -> bool:
    """Whether an object is the same at the end of a trip; else it is found to be
    another one, and the trip begins again with a copy of it.
    """
    if not isinstance(head, Object) or not isinstance(end, Object):
        return False
    if not are_one(head, end):
        if loop.closed:
            refuse_field(loop.flat, head.identity, loop.span)
        loop.types.wide[name, OTHER] = FLOAT
        loop.stale = True
    return head.of is end.of


def _fits_other(
    loop: Loop,
    name: str,
    head: Deque,
    end: Value,
    leaves: Iterator[Carry],
    place: Place,
) -> bool:
    """Give the carries of a set or a deque their ends, where it may be another one
    after a trip; False where the shapes differ.
    """
    if not isinstance(end, Deque) or not end.is_like(head):
        return False
    if (name, OTHER) in loop.types.wide:
        return _fits(loop, name, head.inner, end.inner, leaves, place)
    if head == end:
        return True
    if loop.closed:
        kind = "set" if isinstance(head, Distinct) else "deque"
        message = f"{name!r} is one {kind} or another here, as a loop decides"
        loop.flat.refuse("AD124", message, loop.span, _NEW_SET)
    loop.types.wide[name, OTHER] = FLOAT
    loop.stale = True
    return True


def _fits_open(
    loop: Loop,
    name: str,
    head: Value,
    end: Value,
    leaves: Iterator[Carry],
    place: Place,
) -> bool:
    """Give the carries their ends where one of both values is None or unbound, or may
    be; False where the shapes differ.
    """
    is_lost = maybe.is_unbound(end) and not maybe.is_open(head)
    if is_lost or maybe.are_mixed(head, end):
        return False
    if isinstance(head, Maybe):
        last = maybe.value_of(end)
        last = head.value if last is Special.UNUSED else last
        given = maybe.given_of(end)
        fit = _fits(loop, name, head.given, given, leaves, (*place, GIVEN))
        return _fits(loop, name, head.value, last, leaves, (*place, HELD)) and fit
    if head is end:
        return True
    known = maybe.value_of(end if maybe.is_open(head) else head)
    if isinstance(known, Array) and known.cell.container is Container.ARRAY:
        loop.flat.remake(known)
    filler = maybe.filled(known)
    if loop.closed or filler is None:
        return False
    loop.types.absent[name, place] = filler
    _forget_leaves(loop, name)
    loop.stale = True
    return True


def _forget_leaves(loop: Loop, name: str) -> None:
    """Find the types of a name's numbers anew: it will have one leaf more."""
    wide = loop.types.wide
    for key in [(own, leaf) for own, leaf in wide if own == name and leaf >= 0]:
        del wide[key]


def _widen(loop: Loop, name: str, leaf: int, wide: Type) -> None:
    if loop.closed:
        message = f"{name!r} becomes {wide} in a loop inside this one"
        help_ = f"let it start as one: `{name} = {wide}(...)`"
        loop.flat.refuse("AD107", message, loop.span, help_)
    loop.types.wide[name, leaf] = wide
    loop.stale = True


DECIDES = ", as the loop decides"
"""The end of the message about a name that is of another kind after some trips."""


def refuse_kinds(loop: Loop, name: str, ends: tuple[Value, Value], span: Span) -> Value:
    """Refuse (AD107) a value that is of another kind after some trips."""
    unlike.begin_alike(loop.flat, *ends)
    message = f"{shown(name)} is {one_or_other(ends)}{DECIDES}"
    help_ = _ALIKE
    if {_container(end) for end in ends} == {Container.LIST}:
        help_ = _ITEMS
    if {_container(end) for end in ends} >= {Container.LIST, Container.ARRAY}:
        help_ = _ARRAY
    elif any(isinstance(end, Array) and end.is_beside(end) for end in ends):
        help_ = _COPY
    elif any(map(is_whole, ends)):
        help_ = _ZEROS if is_of_source(name) else _SUM
    if any(map(chosen.is_function, ends)):
        help_ = _FUNCTION
    if all(isinstance(end, Dict) for end in ends):
        help_ = _KEYS
    return loop.flat.refuse("AD107", message, span, help_)


def _container(value: Value) -> Container | None:
    """The container of a list, a tuple or an array; None of any other value."""
    if isinstance(value, Array):
        return value.cell.container
    if is_whole(value):
        return Container.ARRAY
    return value.container if isinstance(value, Group) else None
