"""Entries of dicts that are written: `d["a"] += x`, `d["b"] = y`.

A change makes another value of the same dict. All names of the dict get this value,
also in the functions that wait for the running one. The change is refused if anything
but a name may hold the dict, or if it is open which dict it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import rebinding
from ad_transform.read.arrays.rebinding import Held, inside
from ad_transform.read.code import DELETE
from ad_transform.read.containers import (
    keyed,
    keys,
    tables,
)
from ad_transform.read.containers.held import Swap
from ad_transform.read.containers.sequences import Unroll
from ad_transform.read.iterables import once
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.naming import named
from ad_transform.read.objects import (
    assigning,
    homes,
)
from ad_transform.read.objects.slots import Slot, slots_of
from ad_transform.read.values.described import describe
from ad_transform.read.values.frames import Frame, Promise
from ad_transform.read.values.structured import Dict, Group, Key, Object, View, among
from ad_transform.read.values.values import Draft, Special, Value

Keywords = Mapping[str, Value]

_WAY_OUT = "write a new dict: `d = {...}`, or change a copy: `d = dict(d)`"


def store(flat: Context, table: Dict, key: Value, value: Value, span: Span) -> None:
    """`table[key] = value`; a key that only a run knows has to be present."""
    written = keys.key_of(key, flat.wholes)
    if written is not None:
        _rebind(flat, table, tables.united(table, Dict((written,), (value,))), span)
    elif key is Special.REFUSED:
        return
    elif keys.is_open(key):
        open_up(flat, table, key)
        made = tables.with_one(flat, table, key, value, span)
        if made is not None:
            _rebind(flat, table, made, span)
    else:
        message = f"an entry with {describe(key)} as its key cannot be written"
        flat.refuse("AD107", message, span, "use a text or a number")


def open_up(flat: Context, table: Dict, key: Value) -> None:
    """Begin a loop again, unrolled, if its index is the key that is written; else begin
    again with a dict that takes any key, if this may be a new one.
    """
    for part in inside([key]):
        if isinstance(part, Draft) and part in flat.counters:
            raise Unroll(flat.counters[part])
    if not tables.is_asked(flat, table, key):
        flat.rekey(table, key)


def update(
    flat: Context, table: Dict, values: Values, keywords: Keywords, span: Span
) -> Value:
    """`table.update(other, a=x)`; a Counter adds the values to its entries."""
    expect(values, 0, 1)
    keywords = {k: once.kept(flat, v, span) for k, v in keywords.items()}
    if keyed.counts(table):
        more = keyed.counter(flat, values, keywords, span)
        if not isinstance(more, Dict):
            flat.rekey(table)
            help_ = "count in a loop: `c[k] += 1`"
            raise Unfit("counts items that are written out, or numbers", help_)
        more = _added(flat, table, more, span)
    else:
        _open_for(flat, table, values)
        more = tables.made_of(flat, values, keywords, span)
    _rebind(flat, table, tables.united(table, more), span)
    return Special.NONE


def _open_for(flat: Context, table: Dict, values: Values) -> None:
    """Begin again with a dict that takes any key where it gets those of such a one;
    raises Unfit where that is not made in the function.
    """
    if any(map(keyed.is_one, values)):
        flat.rekey(table)
        message = "takes keys that only a run knows into a dict that is made elsewhere"
        raise Unfit(message, "begin with a copy: `d = dict(d)`, or with `d = {}`")


def merged(flat: Context, one: Value, other: Value, span: Span) -> Value | None:
    """`one |= other` of dicts; None for anything else. Raises Unfit."""
    if isinstance(one, Dict):
        _open_for(flat, one, (other,))
        both = tables.united(one, tables.made_of(flat, (other,), {}, span))
        _rebind(flat, one, both, span)
        return replace(both, identity=one.identity)
    if not keyed.is_one(one):
        return None
    keyed.update(flat, one, other, span)
    return one


def _added(flat: Context, table: Dict, more: Dict, span: Span) -> Dict:
    """Entries, added to those of a table with the same keys."""
    old = dict(zip(map(keys.plain, table.keys), table.items, strict=True))
    pairs = []
    for key, value in zip(more.keys, more.items, strict=True):
        before = old.get(keys.plain(key), Literal(0))
        pairs.append((key, flat.operate(TABLE["add"], (value, before), span)))
    return tables.of(pairs)


def pop(
    flat: Context, table: Dict, values: Values, keywords: Keywords, span: Span
) -> Value:
    """`table.pop(key)`, `table.pop(key, default)`."""
    expect(values, 1, 2)
    key = _written(flat, table, values[0])
    wanted = keys.plain(key)
    pairs = list(zip(table.keys, table.items, strict=True))
    found = [value for own, value in pairs if keys.plain(own) == wanted]
    if not found:
        return values[1] if len(values) > 1 else tables.item(flat, table, key, span)
    left = tables.of(pair for pair in pairs if keys.plain(pair[0]) != wanted)
    _rebind(flat, table, left, span)
    return found[0]


def set_default(
    flat: Context, table: Dict, values: Values, keywords: Keywords, span: Span
) -> Value:
    """`table.setdefault(key, value)`."""
    expect(values, 1, 2)
    key = _written(flat, table, values[0])
    value = once.kept(flat, values[1], span) if len(values) > 1 else Special.NONE
    if keys.plain(key) in map(keys.plain, table.keys):
        return tables.item(flat, table, key, span)
    _rebind(flat, table, tables.united(table, Dict((key,), (value,))), span)
    return value


def pop_item(
    flat: Context, table: Dict, values: Values, keywords: Keywords, span: Span
) -> Value:
    """`table.popitem()`: the last entry, or the first one, `popitem(last=False)`."""
    expect(values, 0, 1)
    last = _is_last(values, keywords)
    if not table.keys:
        raise Unfit("of an empty dict has nothing to give", "write an entry before")
    rest = list(zip(table.keys, table.items, strict=True))
    taken = rest.pop(-1 if last else 0)
    _rebind(flat, table, tables.of(rest), span)
    return Group(Container.TUPLE, taken)


def move_to_end(
    flat: Context, table: Dict, values: Values, keywords: Keywords, span: Span
) -> Value:
    """`table.move_to_end(key)`, `table.move_to_end(key, last=False)`."""
    expect(values, 1, 2)
    key, last = _written(flat, table, values[0]), _is_last(values[1:], keywords)
    pairs = list(zip(table.keys, table.items, strict=True))
    moved = [pair for pair in pairs if keys.plain(pair[0]) == keys.plain(key)]
    if not moved:
        return tables.item(flat, table, key, span)
    rest = [pair for pair in pairs if pair not in moved]
    _rebind(flat, table, tables.of(rest + moved if last else moved + rest), span)
    return Special.NONE


def _is_last(values: Values, keywords: Keywords) -> bool:
    """Whether an entry is the last one of its table, by the argument `last`."""
    last = keywords.get("last", values[0] if values else Literal(True))
    if keywords.keys() - {"last"} or not isinstance(last, Literal):
        raise Unfit("takes a `last` that is written out", "write `last=False`")
    return bool(last.value)


def delete(
    flat: Context, table: Dict, values: Values, keywords: Keywords, span: Span
) -> Value:
    """`del table[key]`; a Counter may lack the key."""
    more = (Special.NONE,) if keyed.counts(table) else ()
    return pop(flat, table, (*values, *more), keywords, span)


def clear(
    flat: Context, table: Dict, values: Values, keywords: Keywords, span: Span
) -> Value:
    """`table.clear()`."""
    expect(values, 0, 0)
    _rebind(flat, table, Dict((), ()), span)
    return Special.NONE


def _written(flat: Context, table: Dict, value: Value) -> Key:
    """A key that is written out; raises Unfit."""
    key = keys.key_of(value, flat.wholes)
    if key is None:
        if keys.is_open(value):
            flat.rekey(table, value)
        raise Unfit("takes a key that is written out", "compare it: `if k == 1: ...`")
    return key


CHANGING: Mapping[str, Callable[[Context, Dict, Values, Keywords, Span], Value]]
CHANGING = {
    "update": update,
    "pop": pop,
    "popitem": pop_item,
    "move_to_end": move_to_end,
    "setdefault": set_default,
    "clear": clear,
    DELETE: delete,
}
"""Methods that change a dict."""


def _rebind(flat: Context, old: Dict, new: Dict, span: Span) -> None:
    """Give all names of a dict its new value; AD124 if others may hold the dict."""
    box = flat.rows_out.boxes.get(old.identity)
    if box is not None:
        _refill(flat, box, old, new, span)
        return
    if old.is_open:
        flat.box(old)
        message = "the dict that is changed may be one or another here"
        flat.refuse("AD124", message, span, _WAY_OUT)
        return
    if not among(old.identity).isdisjoint(flat.rows_out.dicts):
        homes.enliven(flat, old.keys)
        message = "a dict in a list that grows is changed"
        help_ = 'write its entries one by one: `rows[k]["a"] = v`'
        flat.refuse("AD124", message, span, help_)
        return
    new = replace(new, identity=old.identity)
    frames = _running(flat)
    to, away = Swap(old, new), Swap(old, Group(Container.TUPLE, old.items))
    stack = [to.within(value) for value in flat.stack]
    holders: list[Held] = [away.within(value) for value in flat.stack]
    names: list[tuple[Frame, str, Value]] = []
    known = {id(frame): len(frame.trail) for frame in frames}
    is_apart = sum(known.values()) < len(flat.heap.trail)  # arms around reads
    for place, frame in enumerate(frames):
        is_open = place > 0 and is_apart
        is_open |= any(inner.trail for inner in frames[:place])
        for name, value in frame.names.items():
            found = _at(value, old, span)
            if not is_open and found is not None and not isinstance(found, Promise):
                now = to.within(found)
                if now is not found:
                    names.append((frame, name, now))
                found = away.within(found)
            holders.append(found)
        around = [outer for outer in rebinding.around(frame) if outer not in frames]
        holders += (value for outer in around for value in outer.names.values())
    slots = slots_of(flat, holders, lambda value: _may_be(value, old), frames)
    if slots.is_held or any(_is_open(flat, slot, span) for slot in slots.found):
        flat.box(old)
        message = "this dict has another name or holder, and is changed"
        flat.refuse("AD124", message, span, _WAY_OUT)
        return
    if _shown(inside(holders, frames), old, new):
        message = "this dict is changed, and a loop or a name goes over what it holds"
        flat.refuse("AD124", message, span, "go over a list: `list(d.items())`")
        return
    flat.stack[:] = stack
    for frame, name, value in names:
        frame.bind(name, value)
    for slot in slots.found:
        assigning.put(flat, slot.of, slot.name, new, span)


def _running(flat: Context) -> list[Frame]:
    """The frames of the running functions and comprehensions, and those around them,
    innermost first.
    """
    found: dict[Frame, None] = {}
    for frame in (flat.frame, *reversed(flat.callers)):
        outer: Frame | None = frame
        while outer is not None:
            found[outer] = None
            inside, outer = outer, outer.around
            if outer is None or outer.depth != inside.depth or outer in flat.callers:
                break
    return list(found)


def _refill(flat: Context, box: Object, old: Dict, new: Dict, span: Span) -> None:
    """Give the fields of an object the new values of the dict that it stands for."""
    if not new.is_like(old):
        flat.rekey(old, *new.keys)
        message = "this dict gets another key or loses one, and has other holders"
        help_ = 'write all its keys out where it is made: `d = {"a": 0.0}`'
        flat.refuse("AD107", message, span, help_)
        return
    if box.identity is None or box.identity.fixed:
        message = (
            "a dict that may be one of several, or is given from outside, is changed"
        )
        flat.refuse("AD124", message, span, _WAY_OUT)
        return
    hint = box.identity.hint
    for name, before, now in zip(box.of.names, old.items, new.items, strict=True):
        if before is not now:
            word = f"{hint}_{name}" if hint else name
            kept = once.kept(flat, now, span)
            assigning.put(flat, box, name, named(flat.frame, kept, word, ()), span)


def _is_open(flat: Context, slot: Slot, span: Span) -> bool:
    """Whether a run decides which dict a field holds."""
    held = flat.heap.fields.item(slot.of, slot.name, span)
    return isinstance(held, Dict) and held.is_open


def _at(value: Held, old: Dict, span: Span) -> Held:
    """The value of a name; a promise is made if it may be the dict."""
    if isinstance(value, Promise) and _may_hold([value], old):
        return value.at(span)
    return value


def _shown(values: Iterable[Value], old: Dict, new: Dict) -> bool:
    """Whether a view is still to read an entry that a change of its dict gives another
    value.
    """
    before = dict(zip(old.keys, old.items, strict=True))
    changed = [
        k for k, v in zip(new.keys, new.items, strict=True) if before.get(k) is not v
    ]
    return any(
        isinstance(value, View)
        and old.identity in among(value.identity)
        and not set(value.keys).isdisjoint(changed)
        for value in values
    )


def _may_hold(values: list[Held], table: Dict) -> bool:
    """Whether one of some values may be a dict, or hold it."""
    return any(_may_be(value, table) for value in inside(values))


def _may_be(value: Value, table: Dict) -> bool:
    """Whether a value may be a dict."""
    return isinstance(value, Dict) and value.may_be(table)
