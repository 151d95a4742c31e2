"""`z = [f(x[i]) for i in range(n)]` or `z = [f(v) for v in x]`, in place of a loop that
fills a list.

Loops that the user wrote stay loops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
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

    def clause(self, line: For) -> str: ...


def filled(writer: Writer, line: For, indent: int) -> bool:
    """Put the list where the last line makes room for it; False where that is not all
    that the loop does.
    """
    *elements, store = line.body or [line]
    if not isinstance(store, Do) or store.notes or not (line.fills or _counts(line)):
        return False
    assert line.index is not None
    index = writer.names[line.index]
    target, _, value = writer.text(store.value).partition(" = ")
    name = target.removesuffix(f"[{index}]")
    read = _read_by(writer, line.body)
    if not value or read.count(name) > 1 or not _has_room(writer, line, name, indent):
        return False
    if line.fills:
        value = "" if elements else value
    for element in elements:
        value = _with_element(writer, element, value)
    is_numbered = line.fills and read.count(index) > 1
    loop = writer.clause(line if is_numbered or line.bounds else _unnumbered(line))
    head = f"{' ' * indent}{name} = "
    inner = " " * (indent + INDENT)
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


def _unnumbered(line: For) -> For:
    return replace(line, index=None)


def _has_room(writer: Writer, line: For, name: str, indent: int) -> bool:
    """Whether the last line makes room for what a loop stores."""
    last = writer.out[-1] if writer.out else ""
    heads = [f"{' ' * indent}{name} = {each} * " for each in _EMPTY]
    if line.fills:
        return last.startswith(tuple(heads))
    start, stop, step = map(writer.text, line.bounds)
    rooms = (f"{head}{n}" for head in heads for n in (stop, f"({stop})"))
    return (start, step) == ("0", "1") and last in rooms


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
