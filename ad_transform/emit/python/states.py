"""Loops that hold few of their states, in Python; `_stops` is printed beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.python.ranges import range_of
from ad_transform.emit.schedule.lines import (
    Hold,
    HoldMore,
    Line,
    Resume,
    StartStates,
    Stops,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var


class Writer(Protocol):
    """The writer as these lines need it; see `ad_transform.emit.python.text`."""

    @property
    def names(self) -> Mapping[Var, str]: ...
    @property
    def reference(self) -> Callable[[str], str]: ...

    def text(self, piece: Piece) -> str: ...

    def statement(self, head: str, text: str, tail: str, indent: int) -> None: ...

    def unpacked(self, names: Sequence[str], value: str, indent: int) -> None: ...

    def grouped(
        self, head: str, values: Sequence[Piece], tail: str, indent: int
    ) -> None: ...

    def grouped_texts(
        self, head: str, texts: Sequence[str], tail: str, indent: int
    ) -> None: ...


def start_states(writer: Writer, line: StartStates, indent: int) -> None:
    """`snapshots = [(0, x)]`."""
    writer.grouped(f"{writer.names[line.var]} = [", line.values, "]", indent)


def stops(writer: Writer, line: Stops, indent: int) -> None:
    """`stops = set(_stops(range(n), 3))`."""
    called = writer.reference
    places = range_of([writer.text(bound) for bound in line.bounds], called)
    text = (
        f"{called('builtins.set')}({called('helpers._stops')}({places}, {line.most}))"
    )
    writer.statement(f"{writer.names[line.var]} = ", text, "", indent)


def hold(writer: Writer, line: Hold, indent: int) -> None:
    """`if i in stops: snapshots.append((i, x))`."""
    place, where = writer.text(line.values[0]), writer.text(line.stops)
    writer.statement(f"if {place} in ", where, ":", indent)
    _append(writer, line.states, line.values, indent + INDENT)


def hold_more(writer: Writer, line: HoldMore, indent: int) -> None:
    """`if trips: ...`: hold one more state, perhaps in place of another."""
    gone, states = writer.names[line.gone], writer.text(line.states)
    called = writer.reference("helpers._giving_way")
    inner = indent + INDENT
    writer.statement("if ", writer.text(line.values[0]), ":", indent)
    text = f"{called}({writer.text(line.levels)}, {line.most})"
    writer.statement(f"{gone} = ", text, "", inner)
    writer.statement("del ", f"{states}[{gone} : {gone} + 1]", "", inner)
    _append(writer, line.states, line.values, inner)


def _append(
    writer: Writer, states: Piece, values: tuple[Piece, ...], indent: int
) -> None:
    writer.grouped(f"{writer.text(states)}.append(", values, ")", indent)


def resume(writer: Writer, line: Resume, indent: int) -> None:
    """Take the last state, go on from there, and hold others on the way."""
    called, names = writer.reference, writer.names
    range_, length = called("builtins.range"), called("builtins.len")
    place, *state = (names[var] for var in line.state)
    states, step = writer.text(line.states), writer.text(line.step)
    writer.unpacked([place, *state], f"{states}.pop()", indent)
    way = f"{place}, {_beyond(writer.text(line.here), step)}"
    by = f", {step}" if step != "1" else ""
    free = f"{line.most} - {length}({states})"
    text = f"{called('helpers._stops')}({range_}({way}{by}), {free})"
    writer.statement(f"for {names[line.stop]} in ", text, ":", indent)
    inner = indent + INDENT
    kept = f"{states}.append("
    writer.grouped_texts(kept, [place, *state], ")", inner)
    trips = f"{range_}({place}, {names[line.stop]}{by})"
    writer.statement(f"for {names[line.trip]} in ", trips, ":", inner)
    writer.unpacked(state, writer.text(line.again), inner + INDENT)
    writer.statement(f"{place} = ", names[line.stop], "", inner)


def _beyond(here: str, step: str) -> str:
    """The end of a range whose last place is `here`."""
    return f"{here} - {step[1:]}" if step.startswith("-") else f"{here} + {step}"


def referred(line: Line) -> Iterator[str]:
    """The references of these lines beside those of their expressions."""
    if isinstance(line, Stops):
        yield from ("builtins.set", "builtins.range", "helpers._stops")
    elif isinstance(line, HoldMore):
        yield "helpers._giving_way"
    elif isinstance(line, Resume):
        yield from ("builtins.len", "builtins.range", "helpers._stops")
