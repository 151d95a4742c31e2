"""Updates of carries at the end of a trip: `x, y = y, x + y`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ad_transform.emit.python.layout import INDENT, bracketed
from ad_transform.emit.schedule.lines import Update
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.emit.width import width
from ad_transform.ir.nodes import Var


class Writer(Protocol):
    """The writer as these lines need it; see `ad_transform.emit.python.text`."""

    out: list[str]

    @property
    def names(self) -> Mapping[Var, str]: ...
    @property
    def limit(self) -> int: ...

    def text(self, piece: Piece) -> str: ...

    def statement(self, head: str, text: str, tail: str, indent: int) -> None: ...

    def assigned(
        self, target: str, value: str, notes: Sequence[str], indent: int
    ) -> None: ...


def update(writer: Writer, line: Update, indent: int) -> None:
    """Append the statement, or one for each carry if they are too many for a line and
    none reads a new value.
    """
    names = [writer.names[var] for var in line.vars]
    texts = [writer.text(value) for value in line.values]
    if len(names) == 1:
        writer.assigned(names[0], texts[0], line.notes, indent)
        return
    whole = f"{' ' * indent}{', '.join(names)} = {', '.join(texts)}"
    if width(whole) <= writer.limit:
        writer.out.append(whole)
    elif _may_follow(writer, line):
        for name, text in zip(names, texts, strict=True):
            if name != text:
                writer.statement(f"{name} = ", text, "", indent)
    else:
        _at_once(writer, names, texts, indent)


def _may_follow(writer: Writer, line: Update) -> bool:
    """Whether no value reads a carry that changes before it."""
    bound: set[str] = set()
    for var, value in zip(line.vars, line.values, strict=True):
        if not bound.isdisjoint(writer.names[v] for v in values_in((value,))):
            return False
        bound.add(writer.names[var])
    return True


def _at_once(writer: Writer, names: list[str], texts: list[str], indent: int) -> None:
    """One statement of many lines: names for the old values could be taken already."""
    margin, inner = " " * indent, " " * (indent + INDENT)
    head = f"{margin}{', '.join(names)} = ("
    if width(head) > writer.limit:
        writer.out += [f"{margin}(", *(f"{inner}{name}," for name in names)]
        head = f"{margin}) = ("
    writer.out.append(head)
    for text in texts:
        writer.out += bracketed(text, inner, ",", writer.limit)
    writer.out.append(f"{margin})")
