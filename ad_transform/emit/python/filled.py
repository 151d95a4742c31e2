"""`z = [f(x[i]) for i in range(n)]`, in place of a loop that fills a list.

Loops that the user wrote stay loops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.schedule.lines import Bind, Do, For, Line, read_by
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.width import width
from ad_transform.ir.nodes import Var

_EMPTY = ("[0.0]", "[0]", "[False]")
"""What a list is made of before its items are stored."""

_ELEMENT = re.compile(r"\w+\[\w+\]")

_MOST = 2
"""How often an element of a list is read before it gets a name."""


class Writer(Protocol):
    """What is needed of the writer; see `ad_transform.emit.python.text`."""

    out: list[str]
    printed: dict[int, Line]

    @property
    def names(self) -> Mapping[Var, str]: ...
    @property
    def limit(self) -> int: ...

    def text(self, piece: Piece) -> str: ...

    def range_of(self, bounds: Sequence[Piece]) -> str: ...


def filled(writer: Writer, line: For, indent: int) -> bool:
    """Put the list where the last line makes room for it; False where that is not all
    that the loop does.
    """
    *elements, store = line.body or [line]
    if not isinstance(store, Do) or store.notes or not _counts(line):
        return False
    assert line.index is not None
    index = writer.names[line.index]
    target, _, value = writer.text(store.value).partition(" = ")
    name = target.removesuffix(f"[{index}]")
    start, stop, step = map(writer.text, line.bounds)
    read = _read_by(writer, line.body)
    if (start, step) != ("0", "1") or not value or read.count(name) > 1:
        return False
    head = f"{' ' * indent}{name} = "
    rooms = (f"{head}{each} * {n}" for each in _EMPTY for n in (stop, f"({stop})"))
    if not writer.out or writer.out[-1] not in rooms:
        return False
    for element in elements:
        value = _with_element(writer, element, value)
    inner = " " * (indent + INDENT)
    loop = f"for {index} in {writer.range_of(line.bounds)}"
    for lines in (
        [f"{head}[{value} {loop}]"],
        [f"{head}[", f"{inner}{value} {loop}", f"{' ' * indent}]"],
        [f"{head}[", f"{inner}{value}", f"{inner}{loop}", f"{' ' * indent}]"],
    ):
        if value and max(map(width, lines)) <= writer.limit:
            place = len(writer.out) - 1
            writer.out[place:] = lines
            for k in range(len(lines)):
                writer.printed[place + k] = store
            return True
    return False


def _counts(line: For) -> bool:
    """Whether a loop goes through a range of its own, and through nothing else."""
    is_own = line.index is not None and not line.index.named
    return is_own and len(line.bounds) == 3 and not line.entries and not line.backwards


def _read_by(writer: Writer, lines: Sequence[Line]) -> list[str]:
    return [writer.names[var] for line in lines for var in read_by(line)]


def _with_element(writer: Writer, line: Line, value: str) -> str:
    """The value with an element of a list, `x[i]`, in the place of its name; nothing
    where it is no element, or is read too often.
    """
    if not isinstance(line, Bind) or line.notes or line.annotated or '"' in value:
        return ""
    name, element = writer.names[line.var], writer.text(line.value)
    if not _ELEMENT.fullmatch(element) or re.search(
        rf"\*\*{name}\b|\b{name}\*\*", value
    ):
        return ""
    text, count = re.subn(rf"\b{name}\b", element, value)
    return text if count <= _MOST else ""
