"""Functions inside others, and the numbers of these that they read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from ad_transform.ir.nodes import Literal
from ad_transform.read.callables import Closure
from ad_transform.read.code import Code, Define, Gather, Load
from ad_transform.read.frames import Promise
from ad_transform.read.values import Draft, Number


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
