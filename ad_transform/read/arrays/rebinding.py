"""Names that may stand for an array that is changed.

Arrays of known elements, and whole arrays, are values: a change makes another one, and
the names of the array get this one. If another name may be the array, or a part of it,
the change is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from itertools import pairwise
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Chosen, Closure, Method, Partial
from ad_transform.read.values.frames import Frame, Promise, known_of
from ad_transform.read.values.layouts import Listed, Row, Stacked
from ad_transform.read.values.series import Once, Series, Stream
from ad_transform.read.values.storage import Array, Cell, Deque, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Draft, Maybe, Value, is_whole

Held: TypeAlias = "Value | Promise | None"


def others(flat: Context, name: str) -> list[Held]:
    """All values that are reached otherwise than by a name of the running function."""
    own = flat.frame
    values: list[Held] = list(flat.stack)
    values += [value for key, value in own.names.items() if key != name]
    for frame in (*flat.callers, *around(own.around)):
        values += frame.names.values()
    return values + list(flat.heap.fields.held(()))


def around(frame: Frame | None) -> Iterator[Frame]:
    """A frame and the frames around it."""
    while frame is not None:
        yield frame
        frame = frame.around


def inside(values: Iterable[Held], but: Sequence[Frame] = ()) -> Iterator[Value]:
    """All values inside some values, and all that these may be; a stream may be
    anything. Frames in `but` are not entered, though functions inside read them.
    """
    seen: set[int] = set()
    stack = list(values)
    while stack:
        value = stack.pop()
        if value is None or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Promise):
            stack += (value.made, *value.parts)
            continue
        stack += inside_one(value, but)
        yield value


def inside_one(value: Value, but: Sequence[Frame] = ()) -> Iterator[Held]:
    """The values directly inside a value."""
    match value:
        case Group(items=items) | Dict(items=items):
            yield from items
        case Object(of=of, items=items, identity=identity):
            changed = identity.changed if identity is not None else ()
            pairs = zip(of.names, items, strict=True)
            yield from (item for name, item in pairs if name not in changed)
        case Rows(columns=columns):
            yield from columns
        case Stack() | Lists():
            yield from value.items
        case Deque(inner=held_):
            yield held_
        case Closure(around=outer, defaults=defaults):
            yield from defaults.values()
            for frame in around(outer):
                if frame not in but:
                    yield from frame.names.values()
        case Once(held=held_):
            yield from held_
        case Stream(over=over):
            yield over
        case Partial(function=function, positional=positional, keywords=keywords):
            yield from (function, *positional, *(v for _, v in keywords))
        case Method(of=of):
            yield of
        case Maybe(value=held):
            yield held
        case Chosen(one=one, other=other):
            yield from (one, other)
        case Series(steady=steady):
            yield from (read for read in steady if isinstance(read, Draft))


def are_rows(flat: Context, container: Container) -> bool:
    """Whether lists that grow have lists, or arrays, as rows: any of them may be such a
    row.
    """
    return any(
        isinstance(k, Row | Listed) and k.has(container) for k in flat.layouts.values()
    )


def holds(values: Iterable[Held], group: Group, but: Sequence[Frame] = ()) -> bool:
    """Whether one of some values may be an array of known elements, or a part of it;
    frames in `but` are not entered.
    """
    for value in inside(values, but):
        if isinstance(value, Stream) or value is group:
            return True
        if isinstance(value, Group) and group.site and value.site == group.site:
            return True
    return False


def sole_name(flat: Context, group: Group) -> str:
    """The only name of a list of known items, bound in this arm or trip; empty if the
    list has others.
    """
    frame = flat.frame
    names = [name for name, value in frame.names.items() if value is group]
    if len(names) != 1 or is_shared(flat, group, names[0]):
        return ""
    return names[0] if not frame.trail or names[0] in frame.trail[-1] else ""


def is_shared(flat: Context, group: Group, name: str) -> bool:
    """Whether an array may be reached otherwise than by a name of the running function.
    Functions inside it read that name, and see its new value.
    """
    own = (flat.frame,)
    return are_rows(flat, group.container) or holds(others(flat, name), group, own)


Base: TypeAlias = "Value | Cell | Span"
"""A whole array, a cell, or the place where an array of known elements is made."""


def bases(
    flat: Context, values: Iterable[Held], but: Sequence[Frame] = ()
) -> set[Base]:
    """The arrays that some values may be, or may be parts of."""
    found: set[Base] = set()
    for value in inside(values, but):
        below: list[Draft | Cell] = [value] if is_whole(value) else []
        if isinstance(value, Array):
            below.append(value.cell)
        while below:
            base = below.pop()
            below += flat.views.get(base, ()) if base not in found else ()
            found.add(base)
        if isinstance(value, Group) and value.site:
            found.add(value.site)
    return found


def is_one(value: Held, old: Draft | Array) -> bool:
    """Whether the value of a name is this array."""
    made = known_of(value)
    if isinstance(made, Array) and isinstance(old, Array):
        return made.cell is old.cell and made.is_whole
    return made is old


def are_apart(flat: Context, one: Held, other: Held) -> bool:
    """Whether two arrays of known numbers are two: a statement has made each of them,
    perhaps the same one in two calls.
    """
    pair, fresh = (known_of(one), known_of(other)), flat.heap.fresh
    return pair[0] is not pair[1] and all(
        isinstance(v, Group)
        and fresh.get(id(v)) is v
        and all(isinstance(n, Draft | Literal) for n in v.items)
        for v in pair
    )


@dataclass(frozen=True, slots=True)
class Changed:
    """A change of an array, with the arrays that it may be, or may be a part of."""

    name: str
    bases: Set[Base]
    span: Span


def shares_rows(flat: Context) -> bool:
    """Whether lists that grow hold arrays that may have other names."""
    layouts = flat.layouts.values()
    return any(isinstance(one, Stacked) and one.shares for one in layouts)


def refuse_row(flat: Context, span: Span) -> None:
    """Refuse the change of an array that a list that grows may hold."""
    message = "an array is changed, and a list that grows may hold it"
    flat.refuse("AD124", message, span, "append a copy: `hist.append(u.copy())`")


def note(flat: Context, value: Value, name: str, span: Span) -> None:
    """Note that an array is changed."""
    flat.changes.append(Changed(name, bases(flat, [value]), span))


def is_held_beside(flat: Context, table: Dict, value: Value) -> bool:
    """Whether an array may be reached otherwise than by one entry of a dict."""
    if isinstance(value, Group) and are_rows(flat, value.container):
        return True
    own = bases(flat, [value])
    entries = [item for item in table.items if own & bases(flat, [item])]
    held = [*flat.stack, *outside(flat, flat.frame, ())]
    beside = (other for other in held if not _is_table(other, table))
    return len(entries) != 1 or bool(own & bases(flat, beside))


def _is_table(value: Held, table: Dict) -> bool:
    found = known_of(value)
    return isinstance(found, Dict) and found.identity is table.identity


def outside(flat: Context, frame: Frame, names: Collection[str]) -> list[Held]:
    """All values that are reached from a frame otherwise than by some of its names. A
    caller's names for an array that it lends are left out: they get the new one when it
    is given back.
    """
    held: list[Held] = [v for name, v in frame.names.items() if name not in names]
    for other in frames(flat, frame):
        held += _seen(flat, other)
    return held + list(flat.heap.fields.held(names))


def frames(flat: Context, frame: Frame) -> list[Frame]:
    """The frames of the callers of a running function, and of those around it."""
    return list(dict.fromkeys((*flat.callers, *around(frame.around))))


def _seen(flat: Context, frame: Frame) -> list[Held]:
    """The values of a frame of a caller, or around the running function, without those
    of the arrays that it lends: nothing that runs reads their names.
    """
    calls = pairwise((*flat.callers, flat.frame))
    lent = [v for own, callee in calls if own is frame for v in callee.lent.values()]
    values = frame.names.values()
    return [v for v in values if not any(is_one(v, old) for old in lent)]


def is_copied(flat: Context, cell: Cell) -> bool:
    """Whether a cell has been read from a whole array, and another named array is or
    sees its elements: rows of `enumerate(B)`, or those of `list(B.T)`.
    """
    read = [one for one in flat.views.get(cell, ()) if isinstance(one, Draft)]
    held = (value for value in inside(others(flat, "")) if not _is_of(value, cell))
    return bool(read) and not bases(flat, read).isdisjoint(bases(flat, held))


def is_viewed(flat: Context, cell: Cell) -> bool:
    """Whether another named array may be a view of an array: `C = B.T`."""
    if cell not in flat.viewed:
        return False
    held = (value for value in inside(others(flat, "")) if not _is_of(value, cell))
    return cell in bases(flat, held)


def _is_of(value: Value, cell: Cell) -> bool:
    return isinstance(value, Array) and value.cell is cell


def refuse_shared(flat: Context, name: str, span: Span) -> None:
    """Refuse the change of an array that may have another name."""
    said = repr(name) if name else "an array that has no name here"
    message = f"{said} and another name may be one array, which is changed"
    help_ = "write to the array itself, by its name: `A[:, 0] = x` for `A.T[0] = x`"
    if name:
        help_ = "write to the other one; or, if that is not to change, to a copy: "
        help_ += f"`{name} = x.copy()`"
    if _is_part(flat, flat.frame.names.get(name)):
        help_ = "change the whole: `for i in range(len(B)):`, and `B[i, 0] = ...` there"
    flat.refuse("AD124", message, span, help_)


def _is_part(flat: Context, value: Held) -> bool:
    made = known_of(value)
    one = made.cell if isinstance(made, Array) else made
    if not isinstance(one, Draft | Cell):
        return False
    return any(_axes(base) > _axes(one) for base in flat.views.get(one, ()))


def _axes(one: Draft | Cell) -> int:
    return len(one.type.dims) + len(one.type.shape)
