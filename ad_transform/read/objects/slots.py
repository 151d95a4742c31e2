"""Fields that hold a changed dict or list: they take the changed value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.read.arrays import rebinding
from ad_transform.read.arrays.rebinding import Held
from ad_transform.read.machine.context import Context
from ad_transform.read.values.frames import Frame, Promise
from ad_transform.read.values.structured import Object
from ad_transform.read.values.values import Value


@dataclass(frozen=True, slots=True)
class Slot:
    """A field of an object."""

    of: Object
    name: str


@dataclass(frozen=True, slots=True)
class Slots:
    """The fields that hold a value, and whether anything else may hold it."""

    found: tuple[Slot, ...]
    is_held: bool


def slots_of(
    flat: Context,
    values: Iterable[Held],
    is_it: Callable[[Value], bool],
    but: Sequence[Frame] = (),
) -> Slots:
    """The fields that hold a value, among some values and all in them, and whether
    anything else holds it. Values that functions read of the frames `but` are names.
    """
    fields = flat.heap.fields
    found: dict[tuple[object, str], Slot] = {}
    is_held = False
    seen: set[int] = set()
    stack = list(values)
    while stack:
        value = stack.pop()
        if value is None or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Promise):
            stack += value.parts if value.made is None else (value.made,)
            continue
        if is_it(value):
            is_held = True
            continue
        if not isinstance(value, Object):
            stack += rebinding.inside_one(value, but)
            continue
        for name, item in zip(value.of.names, value.items, strict=True):
            own = value.identity
            now = fields.names.get(fields.key(own, name), item) if own else item
            now = now.made if isinstance(now, Promise) and now.made else now
            if own is None or own.fixed or isinstance(now, Promise) or not is_it(now):
                stack.append(now)
            else:
                found[own, name] = Slot(value, name)
    return Slots(tuple(found.values()), is_held)
