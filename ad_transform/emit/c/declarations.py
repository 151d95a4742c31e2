"""Declarations of names: in the innermost block that holds all that speaks of them.

A name has one type. The index and the entries of a `for` are declared in its body; any
other name with its first statement, or in front of the first one that holds it in a
block of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.emit.compiled.liveness import Names, changed_by, read_in
from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    Do,
    For,
    Line,
    StartCount,
    StartList,
    Take,
    Unpack,
    Update,
    bound_by,
    inner,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.ir.types import Type

_Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """Declarations by line.

    with_it  names that the line itself declares, by whether they never change
    before   names and types that are declared in front of it
    at_top   lists that are declared at the head of the function, and emptied where they
             begin
    """

    with_it: Mapping[Line, Mapping[str, bool]]
    before: Mapping[Line, Sequence[tuple[str, Type]]]
    at_top: Mapping[str, Type]


def declared(
    lines: Sequence[Line], names: Names, known: set[str], kept: Sequence[Piece]
) -> Declared:
    """The declarations of a body; `known` names are parameters, `kept` its results.

    Linear in the size of the text times its depth.
    """
    made = _Making(names, known)
    made.body(lines, (), frozenset())
    for var in values_in(kept):
        made.occurs(names[var], (len(lines),), frozenset())
    return made.declared(_retained(lines, kept, names))


def _retained(
    lines: Sequence[Line], kept: Sequence[Piece], names: Names
) -> frozenset[str]:
    """The lists that other values hold, too."""
    held: list[Piece] = [*kept]
    for line in walk(lines):
        if isinstance(line, Append | Update):
            held += line.values
        elif isinstance(line, Bind | Unpack):
            held += (line.value, *line.value.args)
        elif isinstance(line, Do):
            held += line.value.args[1:]
    return frozenset(
        names[piece.var]
        for piece in held
        if piece.is_atom and piece.var is not None and piece.var in names
    )


@dataclass(slots=True)
class _Making:
    """The places of each name: those of lines, each the path of its blocks."""

    names: Names
    known: set[str]
    places: dict[str, _Path] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    first: dict[str, _Path] = field(default_factory=dict)
    bound: Counter[str] = field(default_factory=Counter)
    starts: dict[str, StartList] = field(default_factory=dict)
    at: dict[_Path, Line] = field(default_factory=dict)
    binders: dict[_Path, str] = field(default_factory=dict)
    blocks: int = 0

    def body(self, lines: Sequence[Line], path: _Path, hidden: frozenset[str]) -> None:
        """Look at lines; `hidden` are the names that a `for` around them binds."""
        for number, line in enumerate(lines):
            here = (*path, number)
            self.at[here] = line
            own = frozenset[str]()
            if isinstance(line, For):
                own = frozenset(self.names[var] for var in bound_by(line))
            else:
                self._binds(line, here, hidden)
            for name in read_in(line, self.names):
                self.occurs(name, here, hidden)
            for k, block in enumerate(inner(line)):
                self.body(block, (*here, k), hidden | own)

    def _binds(self, line: Line, here: _Path, hidden: frozenset[str]) -> None:
        vars_ = changed_by(line)
        for var in vars_:
            name = self.names[var]
            self.types.setdefault(name, var.type)
            self.bound[name] += 1
            self.occurs(name, here, hidden)
            if isinstance(line, StartList):
                self.starts.setdefault(name, line)
            if len(vars_) == 1 and isinstance(
                line, Bind | StartCount | StartList | Take
            ):
                self.binders.setdefault(here, name)

    def occurs(self, name: str, here: _Path, hidden: frozenset[str]) -> None:
        """Note that a name occurs in a line."""
        if name in hidden or name in self.known or name == "_":
            return
        self.first.setdefault(name, here)
        old = self.places.get(name)
        self.places[name] = here[:-1] if old is None else _common(old, here[:-1])

    def declared(self, retained: frozenset[str]) -> Declared:
        """The declarations of all names."""
        with_it: dict[Line, dict[str, bool]] = {}
        before: dict[Line, list[tuple[str, Type]]] = {}
        at_top: dict[str, Type] = {}
        for name, block in self.places.items():
            type_ = self.types[name]
            depth = len(block)
            if name in self.starts and name not in retained and depth:
                at_top[name] = type_
                continue
            here = self.first[name][: depth + 1]
            line = self.at[here]
            if self.binders.get(here) == name and not self._reads(line, name):
                with_it.setdefault(line, {})[name] = self.bound[name] == 1
            else:
                before.setdefault(line, []).append((name, type_))
        return Declared(with_it, before, at_top)

    def _reads(self, line: Line, name: str) -> bool:
        return name in read_in(line, self.names)


def _common(a: _Path, b: _Path) -> _Path:
    """The innermost block around two blocks: paths of lines and blocks in turn."""
    k = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        k += 1
    return a[: k - k % 2]
