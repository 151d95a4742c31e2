"""Functions inside others, and the numbers of these that they read."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from ad_transform.ir.nodes import Literal
from ad_transform.read.code import Code, Define, Load
from ad_transform.read.values import Closure, Draft, Number, Promise


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
        elif isinstance(part, tuple):
            stack += reversed(part)
        elif is_dataclass(part) and type(part).__module__ == Load.__module__:
            stack += (getattr(part, one.name) for one in fields(part))
    return names
