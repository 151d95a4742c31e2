"""Objects that remember a property, and whose arrays and lists are changed.

`cached_property` is computed where it is first read. The reader computes it in each
place, which is the same as long as nothing that the object holds is changed.
"""

from __future__ import annotations

from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.values.structured import Object

with later():
    from ad_transform.read.arrays import rebinding
    from ad_transform.read.arrays.rebinding import Held


def refuse_changed(flat: Context) -> None:
    """Refuse (AD107) properties that objects remember where elements of a field of
    theirs are written anywhere in the function.
    """
    written: set[rebinding.Base] = set(flat.changed)
    for change in flat.changes:
        written |= change.bases
    for one in flat.remembered if written else ():
        if rebinding.bases(flat, _held(flat, one.of)) & written:
            message = f"objects of {one.of.of.name!r} remember {one.name!r}, and what "
            help_ = "let it be a `property`, which is computed anew"
            flat.refuse("AD107", message + "they hold is changed", one.span, help_)
            return


def _held(flat: Context, value: Object) -> list[Held]:
    """The values of the fields of an object, and of objects in it, as they are by now
    and as they were made.
    """
    fields = flat.heap.fields
    found: list[Held] = []
    waiting = [value]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        items: list[Held] = list(one.items)
        if one.identity is not None:
            keys = (fields.key(one.identity, name) for name in one.of.names)
            items += [fields.names[key] for key in keys if key in fields.names]
        found += (item for item in items if not isinstance(item, Object))
        waiting += (item for item in items if isinstance(item, Object))
    return found
