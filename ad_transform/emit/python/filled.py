"""`z = [f(x[i]) for i in range(n)]` or `z = [f(v) for v in x]`, in place of a loop that
fills a list.

Loops of the user's that fill lists stay loops.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from ad_transform.dataclass import replace
from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.schedule.lines import Append, Bind, Do, For, Line, read_by
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.width import width
from ad_transform.ir.nodes import Var, node

_EMPTY = r"\[(0\.0|0|False)\]"
"""The items of a list before its own are stored."""

_ELEMENT = re.compile(r"\w+(\[\w+\])+")

_MOST = 2
"""The most reads of an element of a list without a name."""


class Writer(Protocol):
    """The writer as these lines need it; see `ad_transform.emit.python.text`."""

    out: list[str]
    printed: dict[int, Line]

    @property
    def names(self) -> Mapping[Var, str]: ...
    @property
    def limit(self) -> int: ...
    @property
    def reference(self) -> Callable[[str], str]: ...

    def text(self, piece: Piece) -> str: ...

    def clause(self, line: For) -> str: ...

    def comment(self, start: int, notes: Sequence[str], indent: int) -> None: ...


def filled(writer: Writer, line: For, indent: int) -> bool:
    """Write a list in place of the line that makes room for it; False if the loop does
    anything else.
    """
    *elements, store = line.body or [line]
    room = _appended(writer, line, store) or _stored(writer, line, store)
    read = _read_by(writer, line.body)
    if room is None or read.count(room.name) > 1 or not room.is_last(writer, indent):
        return False
    value = room.value
    for element in elements:
        value = _with_element(writer, element, value)
    loop = writer.clause(room.loop)
    head = f"{' ' * indent}{room.name} = "
    inner = " " * (indent + INDENT)
    items = loop.removeprefix(f"for {value} in ")
    whole = f"{head}{writer.reference('builtins.list')}({items})"
    as_they_are = [[whole]] if items != loop and value.isidentifier() else []
    for lines in (
        *as_they_are,
        [f"{head}[{value} {loop}]"],
        [f"{head}[", f"{inner}{value} {loop}", f"{' ' * indent}]"],
        [f"{head}[", f"{inner}{value}", f"{inner}{loop}", f"{' ' * indent}]"],
    ):
        if value and max(map(width, lines)) <= writer.limit:
            place = len(writer.out) - 1
            writer.out[place:] = lines
            writer.comment(place, line.notes, indent)
            for k in range(len(writer.out) - place):
                writer.printed[place + k] = store
            return True
    return False


@node
class _Room:
    """The name of a list, an item of it, the loop that makes the items, and a pattern
    of the value that the name has in front of the loop.
    """

    name: str
    value: str
    loop: For
    room: str

    def is_last(self, writer: Writer, indent: int) -> bool:
        """Whether the last line makes room for the items of a list with a name."""
        last = writer.out[-1] if writer.out else ""
        return self.name.isidentifier() and bool(
            re.fullmatch(rf" {{{indent}}}{self.name}{self.room}", last)
        )


def _appended(writer: Writer, line: For, store: Line) -> _Room | None:
    """A list, none of the user's, that a loop appends to."""
    match store:
        case Append(var=var, values=(item,)):
            name, value = writer.names[var], writer.text(item)
        case Do(value=piece, notes=()) if piece.args and piece.args[0].var:
            var = piece.args[0].var
            name, _, value = writer.text(piece).partition(".append(")
            value = value.removesuffix(")")
        case _:
            return None
    if not value or (var.named and not line.gathers):
        return None
    return _Room(name, value, line, r": list\[.*\] = \[\]")


def _stored(writer: Writer, line: For, store: Line) -> _Room | None:
    """A list whose items a loop stores, each in its place."""
    if not isinstance(store, Do) or store.notes or not (line.fills or _counts(line)):
        return None
    array = store.value.args[0].var if store.value.args else None
    if array is None or (array.named and not line.gathers):
        return None
    assert line.index is not None
    index = writer.names[line.index]
    target, _, value = writer.text(store.value).partition(" = ")
    name = target.removesuffix(f"[{index}]")
    if not value:
        return None
    if line.fills:
        if len(line.body) > 1:
            return None
        is_numbered = _read_by(writer, line.body).count(index) > 1
        loop = line if is_numbered else replace(line, index=None)
        return _Room(name, value, loop, rf" = {_EMPTY} \* .*")
    start, stop, step = map(writer.text, line.bounds)
    if (start, step) != ("0", "1"):
        return None
    ends = "|".join(map(re.escape, (stop, f"({stop})")))
    return _Room(name, value, line, rf" = {_EMPTY} \* ({ends})")


def _counts(line: For) -> bool:
    """Whether a loop goes through a range of its own, and through nothing else."""
    is_own = line.index is not None and len(line.bounds) == 3
    return is_own and not line.entries and not line.backwards


def _read_by(writer: Writer, lines: Sequence[Line]) -> list[str]:
    return [writer.names[var] for line in lines for var in read_by(line)]


def _with_element(writer: Writer, line: Line, value: str) -> str:
    """The value with an element of a list, `x[i]`, in the place of its name; nothing if
    it is no element, or is read too often.
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
