"""`last = xs.pop()`, where lines say `last = xs[-1]` and then `xs.pop()`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.lines import Bind, Do, Line
from ad_transform.emit.schedule.pieces import Piece


def popped(lines: Sequence[Line], text: Callable[[Piece], str]) -> list[Line]:
    """Lines with `last = xs.pop()` for two that take an item and remove it."""
    found: list[Line] = []
    if Do not in {*map(type, lines)}:  # nearly always
        return [*lines]
    for line in lines:
        before = found[-1] if found else None
        if isinstance(line, Do) and isinstance(before, Bind) and not line.notes:
            name = text(line.value).removesuffix(".pop()")
            if text(before.value) == f"{name}[-1]":
                found[-1] = replace(before, value=line.value)
                continue
        found.append(line)
    return found
