"""Fields of objects that change, `p.x = v`: their values by now, and which object is
which.

Objects are values. Those of a dataclass that is not frozen are references as well: each
has an identity. The items of an object are those that it was made of. Once a field has
been changed, its present value stands in a frame of its own, under a key. Arms and
loops join and carry these keys like names.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from typing import TYPE_CHECKING

from ad_transform.diagnostics import Span
from ad_transform.read.values.classes import Class, Style
from ad_transform.read.values.frames import Frame, Promise, made_at
from ad_transform.read.values.regrouping import Kind, regroup
from ad_transform.read.values.structured import Dict, Group, Identity, Object
from ad_transform.read.values.values import Maybe, Value

if TYPE_CHECKING:
    from ad_transform.read.machine.context import Context
    from ad_transform.read.objects.homes import Home

States = Mapping[str, "Value | Promise | None"]
"""The values of changed fields at some time, by their keys."""


def is_changeable(of: Class) -> bool:
    """Whether fields of the objects of a class may be assigned."""
    return of.style is Style.OBJECT and not of.frozen


class Fields(Frame):
    """The values of the fields that have been changed, by their keys.

    `first` has their values at first, `owners` their objects, `writes` the times of
    changes with the objects. The objects `rowed` have been put into lists that grow. It
    `has_homes` once an object is known to stand in one.
    """

    __slots__ = ("first", "has_homes", "numbers", "owners", "rowed", "time", "writes")

    def __init__(self) -> None:
        super().__init__()
        self.first: dict[str, Value] = {}
        self.owners: dict[str, Identity] = {}
        self.numbers: dict[Identity, int] = {}
        self.rowed: dict[Identity, None] = {}
        self.writes: list[tuple[int, Identity]] = []
        self.time = 0
        self.has_homes = False

    def tick(self) -> int:
        """The time; every question moves it on."""
        self.time += 1
        return self.time

    def new(
        self,
        of: Class,
        givers: tuple[Identity, ...] = (),
        born: int = 0,
        fixed: bool = False,
        loop: int = 0,
    ) -> Identity | None:
        """The identity of a new object, or of one that may be one of the `givers`; None
        if it cannot change.
        """
        if not is_changeable(of):
            return None
        made = Identity(of, born or self.tick(), givers, fixed, loop)
        made.scope = self.scope
        return made

    @property
    def scope(self) -> object:
        """The arm or trip that runs."""
        return self.trail[-1] if self.trail else None

    def made(self, of: Class, items: tuple[Value, ...]) -> Value:
        """A new object; an object that cannot change has no identity."""
        return self.owned(regroup(of, items))

    def owned(self, value: Value, *, fixed: bool = False) -> Value:
        """An object with an identity of its own; any other value as it is."""
        if not isinstance(value, Object):
            return value
        return Object(value.of, value.items, self.new(value.of, fixed=fixed))

    def key(self, owner: Identity, name: str) -> str:
        """The key of a field."""
        return f"{self.numbers.setdefault(owner, len(self.numbers))}.{name}"

    def held(self, but: Container[str]) -> Iterator[Value | Promise]:
        """The values of all fields that have been changed; some keys are left out."""
        for key, value in self.first.items():
            if key not in but:
                yield self.names.get(key, value)

    def word(self, key: str) -> str:
        """The name of a field in the output, `p_x`."""
        hint, name = self.owners[key].hint, key.rpartition(".")[2]
        return f"{hint}_{name}" if hint else name

    def items(
        self, value: Object, span: Span, states: States | None = None
    ) -> tuple[Value, ...]:
        """The values of the fields of an object by now, or in some states."""
        held = self.names if states is None else states
        home = value.identity.home if value.identity is not None else None
        if home is not None:
            return tuple(home.read(k, span) for k in range(len(value.of.names)))
        if value.identity is None or not held:
            return value.items
        found: list[Value] = []
        for name, item in zip(value.of.names, value.items, strict=True):
            now = held.get(self.key(value.identity, name)) or item
            found.append(made_at(now, span))
        return tuple(found)

    def item(self, value: Object, name: str, span: Span) -> Value:
        """The value of one field of an object by now."""
        now = None
        home = value.identity.home if value.identity is not None else None
        if home is not None:
            return home.read(value.of.names.index(name), span)
        if value.identity is not None and self.names:
            now = self.names.get(self.key(value.identity, name))
        if now is None:
            return value.items[value.of.names.index(name)]
        return made_at(now, span)

    def deep(self, value: Value, span: Span, states: States | None = None) -> Value:
        """A value to be taken apart: its objects have the present values of their
        fields in place of the first ones.
        """
        held = self.names if states is None else states
        if not held and not self.has_homes:
            return value
        match value:
            case Object():
                items = self.items(value, span, states)
                inner = tuple(self.deep(item, span, states) for item in items)
                return Object(value.of, inner, value.identity)
            case Group(items=items) if any(map(is_structured, items)):
                inner = tuple(self.deep(item, span, states) for item in items)
                return Group(value.container, inner, value.site, value.of)
            case Dict(items=items) if any(map(is_structured, items)):
                inner = tuple(self.deep(item, span, states) for item in items)
                return Dict(value.keys, inner, value.identity)
            case Maybe(given=given, value=held_):
                return Maybe(given, self.deep(held_, span, states))
        return value

    def joined(
        self, of: Class, ends: Iterator[Value], born: int = 0
    ) -> Identity | None:
        """The identity of a value that is one of some objects."""
        if not is_changeable(of):
            return None
        found = [end.identity for end in ends if isinstance(end, Object)]
        known = tuple(one for one in found if one is not None)
        fixed = len(known) < len(found) or any(one.fixed for one in known)
        return self.new(of, known, born, fixed)


def are_one(one: Value, other: Value) -> bool:
    """Whether two values are one object that may change."""
    if not isinstance(one, Object) or not isinstance(other, Object):
        return False
    return one.identity is not None and one.identity is other.identity


def home_of(value: Value | None) -> Home | None:
    """The place of an object in a list; None for any other value."""
    identity = value.identity if isinstance(value, Object) else None
    return identity.home if identity is not None else None


def homes_of(one: Value, other: Value) -> tuple[Home, Home] | None:
    """The places of two objects of one list; None for any others."""
    first, second = home_of(one), home_of(other)
    if first is None or second is None or not first.is_beside(second):
        return None
    return first, second


def refuse_field(flat: Context, owner: Identity | None, span: Span) -> None:
    """Refuse the change of an object that may have another name or holder."""
    is_dict = owner is not None and bool(owner.of.entries)
    said = repr(owner.hint) if owner is not None and owner.hint else "an object"
    said = "a dict" if is_dict and said == "an object" else said
    message = f"{said} and another name or holder may be one object, which is changed"
    message = message.replace("one object", "one dict") if is_dict else message
    help_ = "change a copy, `replace(p)` of `dataclasses`, or make the object anew"
    if is_dict:
        help_ = "change a copy, `d = dict(d)`, or make the dict anew, `d = {...}`"
    flat.refuse("AD124", message, span, help_)


def filler(kind: Kind, items: tuple[Value, ...], site: Span | None) -> Value:
    """A structured value that nobody reads."""
    found = regroup(kind, items, site)
    if isinstance(found, Object) and is_changeable(found.of):
        return Object(found.of, items, Identity(found.of))
    return found


def is_structured(value: Value) -> bool:
    """Whether a value may hold objects."""
    return isinstance(value, Object | Group | Dict | Maybe)


def may_be_among(one: Identity | None, others: Collection[Identity | None]) -> bool:
    """Whether an object may be one of some others."""
    if one is None:
        return False
    return one in others or any(may_be_among(giver, others) for giver in one.givers)


def may_be_one(one: Identity, other: Identity) -> bool:
    """Whether two identities may belong to one object: a branch or a loop decides which
    object the later one is.
    """
    if one is other or one.of is not other.of:
        return False
    if one.loop and one.loop == other.loop:
        return True  # a trip may give both names one object
    later, earlier = (one, other) if one.born >= other.born else (other, one)
    return any(one is earlier or may_be_one(one, earlier) for one in later.givers)
