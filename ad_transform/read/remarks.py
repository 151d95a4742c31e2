"""Comments on statements that are not printed: the next one takes them over."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.ir.nodes import Behind, First, Literal
from ad_transform.ir.types import FLOAT, INT
from ad_transform.read.code import (
    Assert,
    Bind,
    Body,
    Each,
    Exchange,
    Fail,
    Fork,
    Leave,
    Load,
    Print,
    Push,
    Repeat,
    Store,
    StoreField,
)

Notes = tuple[str, ...]

_NOTED = (
    Assert,
    Bind,
    Each,
    Exchange,
    Fail,
    Fork,
    Leave,
    Print,
    Repeat,
    Store,
    StoreField,
)
"""Instructions that have comments."""


def handed_on(parts: Sequence[Body]) -> list[Body]:
    """The codes of the statements of a block. A statement that gives a value one more
    name, `s = x`, leaves the comments above it to the next one. Linear.
    """
    found: list[Body] = []
    waiting: Notes = ()
    taken: dict[int, Body] = {}  # what the statements were that wait
    for place, body in enumerate(parts):
        part = body
        bind = _new_name(part)
        if bind is not None:
            (target,) = bind.targets
            above = [n for n in bind.notes if not isinstance(n, Behind)]
            waiting += tuple(First(note, target.name) for note in above)
            if above:
                taken[place] = body
                part = (part[0], replace(bind, notes=bind.notes[len(above) :]))
        elif waiting and (made := noted(part, waiting)) is not part:
            part, waiting = made, ()
            taken.clear()
        found.append(part)
    for place, body in taken.items():
        found[place] = body
    return found


def noted(body: Body, notes: Notes) -> Body:
    """A body whose first statement has these comments above its own; the same body if
    no statement of it can have any. Linear.
    """
    for place, one in enumerate(body if notes else ()):
        if isinstance(one, _NOTED):
            told = replace(one, notes=notes + one.notes)
            return (*body[:place], told, *body[place + 1 :])
    return body


def _new_name(body: Body) -> Bind | None:
    """The end of a statement that names a value which has a name, or is no number."""
    match body:
        case (Load(), Bind(targets=(target,)) as bind) if target.name:
            return bind
        case (Push(value=value), Bind(targets=(target,)) as bind) if target.name:
            is_number = isinstance(value, Literal) and value.type in (INT, FLOAT)
            return None if is_number else bind
    return None
