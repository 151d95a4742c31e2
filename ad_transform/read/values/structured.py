"""Values that are known part by part: tuples, lists, objects and dicts of the user."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal, node
from ad_transform.ir.types import FLOAT, INT
from ad_transform.read.values.classes import Class
from ad_transform.read.values.values import Draft, Entity, Value

if TYPE_CHECKING:
    from ad_transform.read.objects.homes import Home

Key: TypeAlias = "Literal | Group"
"""A key of a dict: a number, a text, or a tuple of such."""


@node
class Group(Entity):
    """A tuple or list of the user, known item by item; a NamedTuple is `of` a class."""

    container: Container
    items: tuple[Value, ...]
    site: Span | None = None  # its place, if it could be an array
    of: Class | None = None


def grows(group: Group) -> bool:
    """Whether it may be of any length: a list, or a tuple of nothing but numbers."""
    if group.of is not None or group.container is Container.ARRAY:
        return False
    return group.container is Container.LIST or all(map(_is_number, group.items))


def _is_number(value: Value) -> bool:
    return isinstance(value, Draft | Literal) and value.type in (FLOAT, INT)


def is_tuple(value: Value) -> TypeGuard[Group]:
    """Whether a value is a tuple."""
    return isinstance(value, Group) and value.container is Container.TUPLE


def is_list(value: Value) -> TypeGuard[Group]:
    """Whether a value is a list of known values."""
    return isinstance(value, Group) and value.container is Container.LIST


def parts_of_index(index: Value) -> tuple[Value, ...]:
    """The parts of an index between its commas."""
    return index.items if is_tuple(index) else (index,)


@node
class View(Group):
    """`d.keys()`, `d.values()` or `d.items()`; the latter two have the `keys` of values
    that are still to be read.
    """

    keys: tuple[Key, ...] = ()
    identity: object | None = None  # of the dict


@dataclass(slots=True, eq=False)
class Identity:
    """The identity of an object of a class, `born` at a time; see `fields`.

    Behind a branch or a loop it may be any of the `givers`. At the head of a trip of a
    `loop` it may also be one that an earlier trip has made. A `fixed` object cannot
    change here; `changed` are the fields that have changed, `hint` is the name. An
    object in the `making` does not have all its fields yet. The `scope` is the arm or
    trip that has made it; an object that stands in a list has a `home` there.
    """

    of: Class
    born: int = 0
    givers: tuple[Identity, ...] = ()
    fixed: bool = False
    loop: int = 0
    hint: str = ""
    making: bool = False
    scope: object = None
    home: Home | None = None
    changed: dict[str, None] = field(default_factory=dict)


@node
class Object(Entity):
    """An object of a dataclass, known field by field, as it was made.

    An object with fields that may be assigned has an identity, and the module `fields`
    has its present values; without an identity no field may be assigned.
    """

    of: Class
    items: tuple[Value, ...]
    identity: Identity | None = None


@node
class Unread(Entity):
    """A field whose value is unknown; `said` is its annotation. A `computed` value is
    known to methods only.
    """

    said: str
    computed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class OneOf:
    """The identity of a dict that a run chooses: `among` are the identities to choose
    from.

    At the head of a trip it may also be one that an earlier trip has made.
    """

    among: frozenset[object]


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """The identity of a dict that is made at a `site`; it calls a `factory` for missing
    entries.
    """

    site: Span
    factory: Value | None = None


def among(identity: object) -> frozenset[object]:
    """The identities that a dict may have."""
    return identity.among if isinstance(identity, OneOf) else frozenset((identity,))


@node
class Dict(Entity):
    """A dict of the user with literal keys, as it is by now.

    A change makes another value with the same `identity`. If that is a `OneOf`, a run
    decides which dict it is, and it may not be changed.
    """

    keys: tuple[Key, ...]
    items: tuple[Value, ...]
    identity: object = field(default_factory=object)

    def is_like(self, other: Value) -> TypeGuard[Dict]:
        """Whether another value is a dict of the same keys in the same order."""
        return isinstance(other, Dict) and self.keys == other.keys

    @property
    def is_open(self) -> bool:
        """Whether a run decides which dict it is."""
        return isinstance(self.identity, OneOf)

    def may_be(self, other: Dict) -> bool:
        """Whether it may be another dict, whose identity is known."""
        return other.identity in among(self.identity)

    def which(self, other: Dict) -> object:
        """The identity of a value that is one of two dicts."""
        if self.identity is other.identity:
            return self.identity
        return OneOf(among(self.identity) | among(other.identity))


Structured = Group | Object | Dict
"""Values that are known part by part."""


GROUPS = (Group, Object)
"""Values with parts that do not change; a change of a dict makes another value."""


STRUCTURED = (*GROUPS, Dict)
