"""Closures: functions inside others, and the names that they read of these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, fields, is_dataclass

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, FLOAT, INT
from ad_transform.read.code import Define, Gather, Load
from ad_transform.read.values.callables import Closure, Dotted, FileFunction, FileModule
from ad_transform.read.values.frames import CELLS, Frame, made_at
from ad_transform.read.values.storage import Array, Deque, Lists, Rows
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Draft, Value, is_whole


def caught(closure: Closure) -> dict[str, Value] | None:
    """The numbers and arrays that a closure reads of the function around it, by their
    names, in the order of their use. None where it reads other values, or of functions
    further out, or defines functions in its turn.
    """
    around = closure.around
    if around is None or closure.defaults:
        return None
    found: dict[str, Value] = {}
    for name, levels in read_outside(closure.code.body):
        if levels > 1:
            return None
        value = around.names.get(name)
        value = made_at(value, closure.code.span)
        if not isinstance(value, Draft | Literal | _HANDED_ON) or name == CELLS:
            return None
        found[name] = value
    return found


@dataclass(frozen=True, slots=True)
class Held:
    """The values that a function that calls itself reads of those around it: `values`
    that do not change, and `arrays` of the frame that it stands in, by their names.
    """

    values: tuple[object, ...] = ()
    arrays: Mapping[str, Value] = field(default_factory=dict)


def held_by_recursive(closure: Closure) -> Held | None:
    """The values that a function inside another one reads, if it calls itself by its
    name there; None for any other function, and where it reads other values.
    """
    held: dict[tuple[str, int], object] = {}
    arrays: dict[str, Value] = {}
    calls_itself = False
    for one, name, value in _read_by(closure):
        if isinstance(value, Closure) and value.code is closure.code:
            calls_itself = True
        elif _is_handed_on(closure, name, value):
            assert value is not None
            if arrays.setdefault(name, value) is not value:
                return None
        elif not _may_be_held(value):
            return None
        elif isinstance(value, Literal):
            held[name, id(one.around)] = value.type, value.value
        elif isinstance(value, Draft):
            held[name, id(one.around)] = value
    return Held(tuple(held.values()), arrays) if calls_itself else None


def read_around(closure: Closure) -> str:
    """The first name that such a function reads whose value cannot be passed to it."""
    return next(
        (
            name
            for _, name, value in _read_by(closure)
            if not _may_be_held(value) and not _is_handed_on(closure, name, value)
        ),
        "",
    )


def _is_handed_on(closure: Closure, name: str, value: Value | None) -> bool:
    """Whether a value that is read is an array, or several, so that it can be a further
    argument of the function.
    """
    is_one = isinstance(value, _HANDED_ON) and name != CELLS
    if not is_one and not is_whole(value):
        return False
    own = next((f.names[name] for f in _around(closure) if name in f.names), None)
    own = made_at(own, closure.code.span)
    return own is value and all(one.name != name for one in closure.code.formals)


_HANDED_ON = Array | Deque | Dict | Group | Lists | Object | Rows


def _around(closure: Closure) -> Iterator[Frame]:
    """The frames around a function, the innermost first."""
    frame = closure.around
    while frame is not None:
        yield frame
        frame = frame.around


def standing_in(closure: Closure, arrays: Mapping[str, Value]) -> Closure:
    """The function in frames of the same names, but for other arrays."""
    if not arrays:
        return closure
    left = dict(arrays)
    own: dict[Frame, dict[str, Value]] = {}
    for frame in _around(closure):
        own[frame] = {name: left.pop(name) for name in frame.names if name in left}
    made: dict[Frame | None, Frame | None] = {None: None}
    for frame in reversed(own):
        names = {**frame.names, **own[frame]}
        made[frame] = inner = replace(frame, around=made[frame.around], names=names)
        for name, value in frame.names.items():
            if isinstance(value, Closure) and value.around is frame:
                inner.names[name] = Closure(value.code, inner, value.defaults)
    return Closure(closure.code, made[closure.around], closure.defaults)


def _may_be_held(value: Value | None) -> bool:
    if isinstance(value, Closure):
        return not value.defaults
    if isinstance(value, Draft):
        return value.type in (FLOAT, INT, BOOL)
    return isinstance(value, Literal | Dotted | FileFunction | FileModule)


def _read_by(closure: Closure) -> Iterator[tuple[Closure, str, Value | None]]:
    """The names that a function, and those that it reads, read of the functions around
    them, with their values.
    """
    stack, seen = [closure], [closure.code]
    while stack:
        one = stack.pop()
        for name, levels in read_outside(one.code.body):
            value = _at(one, name, levels)
            yield one, name, value
            if isinstance(value, Closure) and value.code not in seen:
                seen.append(value.code)
                stack.append(value)


def _at(closure: Closure, name: str, levels: int) -> Value | None:
    """The value of a name so many functions further out."""
    frame = closure.around
    for _ in range(levels - 1):
        frame = frame.around if frame else None
    value = frame.names.get(name) if frame else None
    return made_at(value, closure.code.span)


def read_outside(code: object) -> Iterator[tuple[str, int]]:
    """The names that code reads of functions around it, and how many levels out."""
    stack: list[tuple[object, int]] = [(code, 0)]
    while stack:
        part, depth = stack.pop()
        if isinstance(part, Load) and part.up > depth:
            yield part.name, part.up - depth
        inner = depth + isinstance(part, Define | Gather)
        stack += ((one, inner) for one in _inside(part))


def _inside(part: object) -> list[object]:
    """The parts of a part of code, the last one first."""
    if isinstance(part, tuple):
        return list(reversed(part))
    if is_dataclass(part) and type(part).__module__ == Load.__module__:
        return [getattr(part, one.name) for one in fields(part)]
    return []
