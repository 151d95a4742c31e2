"""Loops that hold few of their states, in C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ad_transform.emit.compiled.composer import INDENT
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.compiled.states import Parts, listed, parts_of
from ad_transform.emit.schedule.lines import (
    Hold,
    HoldMore,
    Resume,
    StartStates,
    Stops,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import Type


class Writer(Protocol):
    """The writer as these lines need it; see `ad_transform.emit.c.text`."""

    memory: str
    states: dict[str, Parts]
    sweeps: bool

    @property
    def names(self) -> Mapping[Var, str]: ...

    def text(self, piece: Piece) -> str: ...

    def add(self, text: str, indent: int) -> None: ...

    def check(self, indent: int) -> None: ...

    def store(self, call: Piece, names: Sequence[str], indent: int) -> None: ...

    def mark(self, indent: int) -> str: ...

    def sweep_around(
        self, mark: str, kept: Sequence[str], parts: Sequence[Parts]
    ) -> list[str]: ...

    def counter(self, word: str) -> str: ...

    def declared_name(self, word: str, type_: Type) -> str: ...


def start_states(writer: Writer, line: StartStates, indent: int) -> None:
    """Lists that hold the first state."""
    name = writer.names[line.var]
    free = writer.declared_name
    parts = writer.states[name] = parts_of(name, line.values, free)
    for own, type_ in parts:
        empty = f"{own} = (ad_{list_name(listed(type_))}){{0}};"
        writer.add(empty if writer.sweeps else f"{own}.size = 0;", indent)
    _pushed(writer, parts, [writer.text(value) for value in line.values], indent)


def _pushed(writer: Writer, parts: Parts, values: list[str], indent: int) -> None:
    for (name, type_), value in zip(parts, values, strict=True):
        kind = list_name(listed(type_))
        writer.add(f"ad_push_{kind}({writer.memory}, &{name}, {value});", indent)
    writer.check(indent)


def stops(writer: Writer, line: Stops, indent: int) -> None:
    """The places where more states are held."""
    bounds = ", ".join(writer.text(bound) for bound in line.bounds)
    call = f"ad_stops({writer.memory}, {bounds}, {line.most})"
    writer.add(f"{writer.names[line.var]} = {call};", indent)
    writer.check(indent)


def hold(writer: Writer, line: Hold, indent: int) -> None:
    """Hold a state at a place for it."""
    values = [writer.text(value) for value in line.values]
    writer.add(f"if (ad_among({writer.text(line.stops)}, {values[0]})) {{", indent)
    _pushed(writer, writer.states[writer.text(line.states)], values, indent + INDENT)
    writer.add("}", indent)


def hold_more(writer: Writer, line: HoldMore, indent: int) -> None:
    """Hold one more state, perhaps in place of another."""
    values = [writer.text(value) for value in line.values]
    parts = writer.states[writer.text(line.states)]
    gone, inside = writer.names[line.gone], indent + INDENT
    writer.add(f"if ({values[0]} > 0) {{", indent)
    levels = f"&{writer.text(line.levels)}"
    call = f"ad_giving_way({writer.memory}, {levels}, {line.most})"
    writer.add(f"{gone} = {call};", inside)
    for name, type_ in parts:
        writer.add(f"ad_drop_{list_name(listed(type_))}(&{name}, {gone});", inside)
    _pushed(writer, parts, values, inside)
    writer.add("}", indent)


def resume(writer: Writer, line: Resume, indent: int) -> None:
    """Take the last state, go on from there, and hold others on the way.

    Lists that the trips make die with them; lists of lists live as long as the call.
    """
    names = writer.names
    parts = writer.states[writer.text(line.states)]
    place, *state = (names[var] for var in line.state)
    is_swept = all(len(type_.dims) < 2 for _, type_ in parts)
    mark = writer.mark(indent) if is_swept else ""
    for own, (name, _) in zip((place, *state), parts, strict=True):
        writer.add(f"{own} = {name}.at[--{name}.size];", indent)
    step = writer.text(line.step)
    ways, k = writer.counter("ways"), writer.counter("k")
    end = f"{writer.text(line.here)} + {step}".replace("+ -", "- ")
    free = f"{line.most} - {parts[0][0]}.size"
    call = f"ad_stops({writer.memory}, {place}, {end}, {step}, {free})"
    writer.add(f"const ad_wholes {ways} = {call};", indent)
    writer.check(indent)
    inside, deep = indent + INDENT, indent + 2 * INDENT
    writer.add(f"for (int64_t {k} = 0; {k} < {ways}.size; {k}++) {{", indent)
    stop, trip = names[line.stop], names[line.trip]
    writer.add(f"{stop} = {ways}.at[{k}];", inside)
    _pushed(writer, parts, [place, *state], inside)
    kind = "int64_t " if trip == "_" else ""
    trip = writer.counter("trip") if trip == "_" else trip
    head = f"{kind}{trip} = {place}; {trip} != {stop}; {trip} += {step}"
    writer.add(f"for ({head}) {{", inside)
    writer.store(line.again, state, deep)
    lists = [s for s, (_, type_) in zip(state, parts[1:], strict=True) if type_.dims]
    if is_swept and lists:
        _sweep(writer, mark, [*lists, ways], parts, deep)
    writer.add("}", inside)
    writer.add(f"{place} = {stop};", inside)
    writer.add("}", indent)
    if is_swept:
        _sweep(writer, mark, lists, parts, indent)


def _sweep(
    writer: Writer, mark: str, kept: Sequence[str], parts: Parts, indent: int
) -> None:
    for text in writer.sweep_around(mark, kept, [parts]):
        writer.add(text, indent)
