"""Fields of objects that are assigned: `p.x = v`, `self.n += 1`, `bodies[0].v += a`.

All names and holders of an object see the values of its fields by now. Where a name may
stand for that object or for another one, as a branch or a loop decides, it is a copy:
the change is refused (AD124) while such a name is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.later import later
from ad_transform.read.arrays import rebinding
from ad_transform.read.arrays.rebinding import Held
from ad_transform.read.code import ChangeField
from ad_transform.read.containers import keyed
from ad_transform.read.iterables import once
from ad_transform.read.known.grids import is_array
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.fields import may_be_one, refuse_field
from ad_transform.read.machine.naming import named
from ad_transform.read.marks.marks import suggestion
from ad_transform.read.objects import (
    homes,
    objects,
)
from ad_transform.read.values.callables import Closure, Partial
from ad_transform.read.values.described import describe
from ad_transform.read.values.described import named as named_class
from ad_transform.read.values.frames import Promise
from ad_transform.read.values.storage import Array, Rows, Stack
from ad_transform.read.values.structured import Group, Identity, Object
from ad_transform.read.values.values import Special, Value, is_whole

with later():
    from ad_transform.read.array_functions import changes

_ANEW = "make the object anew: `p = replace(p, x=...)`, of `dataclasses`"


def stored(flat: Context, group: Value, index: Value, value: Value, span: Span) -> bool:
    """Whether `group[index] = value` is done: by a method of the class, or as that of a
    dict that stands in a list.
    """
    if homes.store_entry(flat, group, index, value, span):
        return True
    if not isinstance(group, Object) or group.of.owner("__setitem__") is None:
        return False
    method = objects.attribute(flat, group, "__setitem__", span)
    function = method.function if isinstance(method, Partial) else None
    if not isinstance(function, Closure) or len(function.code.formals) != 3:
        return False
    names = [formal.name for formal in function.code.formals]
    flat.enter(function, dict(zip(names, (group, index, value), strict=True)), span)
    return True


def store(
    flat: Context,
    value: Value,
    name: str,
    new: Value,
    span: Span,
    notes: tuple[str, ...],
    *,
    making: bool = False,
) -> None:
    """`value.name = new`; AD107 where such a value has no fields to assign, AD124 where
    it is open whose field it is. An object in the `making` may be frozen.
    """
    if isinstance(value, Object) and (value.identity is None or value.identity.fixed):
        homes.enliven(flat, value.of)  # also where the value is refused so far
    if Special.REFUSED in (value, new):
        return
    setter = objects.setter(value, name)
    if isinstance(setter, Closure):
        own_names = [formal.name for formal in setter.code.formals]
        flat.enter(setter, dict(zip(own_names, (value, new), strict=False)), span)
        return
    if homes.keys_of(value) is not None:
        value = homes.as_dict(flat, value, span)
    if not isinstance(value, Object) or not _is_field(flat, value, name, span, making):
        if not isinstance(value, Object):
            message = f"an attribute of {describe(value)} cannot be assigned"
            flat.refuse("AD107", message, span, _ANEW)
        return
    own = value.identity
    if own is not None and own.home is not None and not _remembers(flat, value, span):
        new = once.kept(flat, new, span)
        homes.store(flat, own.home, value.of.names.index(name), new, span, notes)
        return
    if own is None or own.fixed:
        message = "an object of the file, of a list that grows, or one that may be such"
        flat.refuse("AD124", f"{message}, is changed", span, _COPY)
        return
    if not own.making and _remembers(flat, value, span):
        return
    new = once.kept(flat, new, span)
    if _holds(flat, new, own):
        flat.refuse("AD107", "an object that holds itself", span, "hold its numbers")
        return
    word = f"{own.hint}_{name}" if own.hint else name
    put(flat, value, name, named(flat.frame, new, word, notes), span)


def _remembers(flat: Context, value: Object, span: Span) -> bool:
    """Whether an object computes a property once; refused if so."""
    said = objects.remembered(value.of)
    if said:
        message = f"objects of {value.of.name!r} remember {said!r}, and are changed"
        help_ = "let it be a `property`, which is computed anew"
        flat.refuse("AD107", message, span, help_)
    return bool(said)


def put(flat: Context, value: Object, name: str, new: Value, span: Span) -> None:
    """Let a field of an object hold another value; AD124 where it is open whose."""
    own, fields = value.identity, flat.heap.fields
    assert own is not None
    if is_shared(flat, own, span):
        refuse_field(flat, own, span)
        return
    key = fields.key(own, name)
    fields.owners[key] = own
    fields.first.setdefault(key, value.items[value.of.names.index(name)])
    own.changed[name] = None
    fields.writes.append((fields.tick(), own))
    fields.bind(key, new)


_COPY = "change a copy: `p = replace(p)`, of `dataclasses`"


def _is_field(
    flat: Context, value: Object, name: str, span: Span, making: bool
) -> bool:
    """Whether a field of an object can be assigned; refused if not."""
    of = value.of
    if of.flaw:
        objects.attribute(flat, value, name, span)
    elif name not in of.names:
        message = f"{named_class(of)} has no field {name!r} that can be assigned"
        help_ = suggestion(name, of.names)
        help_ = help_ if help_.startswith("did") else "write it as a field of the class"
        if keyed.is_one(value):
            help_ = f'write an entry: `d["{name}"] = ...`'
        flat.refuse("AD107", message, span, help_)
    elif of.frozen and not making:
        message = f"objects of {of.name!r} are frozen"
        flat.refuse("AD107", message, span, _ANEW)
    else:
        return True
    return False


def _holds(flat: Context, value: Value, owner: Identity) -> bool:
    """Whether an object is, or is in, a value that one of its fields will hold; a
    function may read it.
    """
    seen = reached(flat, [value], closed=True)
    return any(isinstance(one, Object) and one.identity is owner for one in seen)


# --- other holders --------------------------------------------------------------------


def is_shared(flat: Context, owner: Identity, span: Span) -> bool:
    """Whether anything holds a copy of a value that may be an object."""
    rowed = flat.heap.fields.rowed
    if any(one is owner or may_be_one(one, owner) for one in rowed):
        return True
    return any(
        isinstance(one, Object)
        and one.identity is not None
        and may_be_one(one.identity, owner)
        for one in reached(flat, _held(flat, owner, span))
    )


def _held(flat: Context, owner: Identity, span: Span) -> Iterator[Held]:
    """The values of all names; a promise that may be one of several objects is made."""
    for value in everything(flat):
        is_open = isinstance(value, Promise) and value.made is None
        yield _made(flat, value, owner, span) if is_open else value  # type: ignore[arg-type]


def _made(flat: Context, value: Promise, owner: Identity, span: Span) -> Held:
    found = {
        one.identity: None
        for one in reached(flat, [value])
        if isinstance(one, Object) and one.of is owner.of
    }
    is_open = len(found) > 1 and value.is_bound
    return value.at(span) if is_open else value


def everything(flat: Context) -> Iterator[Held]:
    """The values on the stack, and those of all names."""
    yield from list(flat.stack)
    seen: list[object] = []
    for frame in (flat.frame, *flat.callers):
        for one in rebinding.around(frame):
            if not any(one is other for other in seen):
                seen.append(one)
                yield from list(one.names.values())


def reached(
    flat: Context, values: Iterable[Held], skipped: str = "", *, closed: bool = False
) -> Iterator[Value]:
    """All values in some values, as they are by now, but for that of one field;
    `closed` leaves out values that functions read.
    """
    fields = flat.heap.fields
    seen: set[int] = set()
    stack: list[Held] = list(values)
    while stack:
        value = stack.pop()
        if value is None or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Promise):
            stack += value.parts if value.made is None else (value.made,)
            continue
        if isinstance(value, Object):
            yield value
            for name, item in zip(value.of.names, value.items, strict=True):
                key = fields.key(value.identity, name) if value.identity else ""
                if not skipped or key != skipped:
                    stack.append(fields.names.get(key, item))
            continue
        if not (closed and isinstance(value, Closure | Partial)):
            stack += rebinding.inside_one(value)
        yield value


# --- `p.v += w` -----------------------------------------------------------------------


def changed(
    flat: Context, i: ChangeField, value: Value, left: Value, right: Value
) -> Value:
    """The value of a field behind `p.x += ...`; an array or a list changes in place."""
    if _changes(left) and isinstance(value, Object):
        key = flat.heap.fields.key(value.identity, i.name) if value.identity else ""
        found = reached(flat, everything(flat), key)
        others = [one for one in found if _changes(one) and not has_objects(one)]
        held = [v for v in others if not rebinding.are_apart(flat, left, v)]
        if rebinding.bases(flat, [left]) & rebinding.bases(flat, held):
            message = "a field and another name may be one array or list"
            help_ = "let the field be a copy: `p.x = x.copy()`"
            return flat.refuse("AD124", f"{message}, which is changed", i.span, help_)
        rebinding.note(flat, left, "", i.span)
        if _may_be_row(flat, left):
            rebinding.refuse_row(flat, i.span)
            return Special.REFUSED
    is_array = isinstance(left, Array) and left.cell.container is Container.ARRAY
    if is_array and rebinding.are_rows(flat, Container.ARRAY):  # it may be one of them
        made = flat.operate(i.op, (left, right), i.span)
        return changes.written(flat, cast(Array, left), made, i.span)
    is_list = isinstance(left, Array) and left.cell.container is Container.LIST
    if is_list and i.op.name == "add" and flat.layouts:
        return changes.longer(flat, left, right, i.span)
    made = changes.changed_by(flat, i.op, left, right, i.span)
    if isinstance(made, Group) and made.container is Container.ARRAY:
        flat.heap.fresh[id(made)] = made
    return made


def _may_be_row(flat: Context, array: Value) -> bool:
    """Whether a list that grows may hold an array that changes in place; one of known
    numbers begins again as one whose names are followed.
    """
    if isinstance(array, Group) and rebinding.are_rows(flat, array.container):
        flat.refit(array)
        return True
    return is_whole(array) and rebinding.shares_rows(flat)


def has_objects(value: Value) -> bool:
    """Whether an object is in a value."""
    return any(isinstance(one, Object) for one in rebinding.inside([value]))


def _changes(value: Value) -> bool:
    """Whether `+=` changes a value where it is."""
    if isinstance(value, Group):
        return value.container is not Container.TUPLE
    return is_array(value) or isinstance(value, Array | Rows | Stack)
