"""Functions inside others, and the numbers of these that they read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, FLOAT, INT
from ad_transform.read.callables import Closure, Dotted, FileFunction, FileModule
from ad_transform.read.code import Code, Define, Gather, Load
from ad_transform.read.frames import Promise
from ad_transform.read.values import Draft, Number, Value


def caught(closure: Closure) -> dict[str, Number] | None:
    """The numbers by their names, in the order of their use; None where it reads
    something else, or of functions further out, or defines functions in its turn.
    """
    names, around = _names(closure.code), closure.around
    if names is None or around is None or closure.defaults:
        return None
    found: dict[str, Number] = {}
    for name in names:
        value = around.names.get(name)
        value = value.at(closure.code.span) if isinstance(value, Promise) else value
        if not isinstance(value, Draft | Literal):
            return None
        found[name] = value
    return found


Held = tuple[object, ...]
"""What a function reads of those around it: values that do not change."""


def held_by_recursive(closure: Closure) -> Held | None:
    """The numbers and functions that a function inside another one reads, if it calls
    itself by its name there; None for another one, and where it reads something else.
    """
    held: dict[tuple[str, int], object] = {}
    calls_itself = False
    for one, name, value in _read_by(closure):
        if not _may_be_held(value):
            return None
        if isinstance(value, Closure) and value.code is closure.code:
            calls_itself = True
        elif isinstance(value, Literal):
            held[name, id(one.around)] = value.type, value.value
        elif isinstance(value, Draft):
            held[name, id(one.around)] = value
    return tuple(held.values()) if calls_itself else None


def read_around(closure: Closure) -> str:
    """The first name that such a function reads, and that stands for something else."""
    read = _read_by(closure)
    return next((name for _, name, value in read if not _may_be_held(value)), "")


def _may_be_held(value: Value | None) -> bool:
    if isinstance(value, Closure):
        return not value.defaults
    if isinstance(value, Draft):
        return value.type in (FLOAT, INT, BOOL)
    return isinstance(value, Literal | Dotted | FileFunction | FileModule)


def _read_by(closure: Closure) -> Iterator[tuple[Closure, str, Value | None]]:
    """What a function, and those that it reads, read of the functions around them."""
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
    """What a name stands for, so many functions further out."""
    frame = closure.around
    for _ in range(levels - 1):
        frame = frame.around if frame else None
    value = frame.names.get(name) if frame else None
    return value.at(closure.code.span) if isinstance(value, Promise) else value


def _names(code: Code) -> list[str] | None:
    """The names that a function reads of the one around it; None where it does more."""
    names: list[str] = []
    stack: list[object] = [code.body]
    while stack:
        part = stack.pop()
        if isinstance(part, Define) or (isinstance(part, Load) and part.up > 1):
            return None
        if isinstance(part, Load) and part.up == 1:
            names.append(part.name)
        else:
            stack += _inside(part)
    return names


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
