"""Loops that hold few of their states, in Fortran."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.compiled.states import Parts, listed, parts_of
from ad_transform.emit.fortran.dialect import INDENT
from ad_transform.emit.schedule.lines import (
    Hold,
    HoldMore,
    Resume,
    StartStates,
    Stops,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import INT, Type


class Writer(Protocol):
    """The writer as these lines need it; see `ad_transform.emit.fortran.text`."""

    local: dict[str, Type]
    states: dict[str, Parts]

    @property
    def names(self) -> Mapping[Var, str]: ...

    def text(self, piece: Piece) -> str: ...

    def add(self, text: str, indent: int) -> None: ...

    def store(self, call: Piece, names: Sequence[str], indent: int) -> None: ...

    def counter(self, word: str, type_: Type = INT) -> str: ...


def start_states(writer: Writer, line: StartStates, indent: int) -> None:
    """Lists that hold the first state."""
    name = writer.names[line.var]
    parts = writer.states[name] = parts_of(name, line.values, writer.counter)
    for own, type_ in parts:
        writer.add(f"{own} = ad_new_{list_name(listed(type_))}(0_ip)", indent)
    _pushed(writer, parts, [writer.text(value) for value in line.values], indent)


def _pushed(writer: Writer, parts: Parts, values: list[str], indent: int) -> None:
    for (name, type_), value in zip(parts, values, strict=True):
        writer.add(f"call ad_push_{list_name(listed(type_))}({name}, {value})", indent)


def stops(writer: Writer, line: Stops, indent: int) -> None:
    """The places where more states are held."""
    bounds = ", ".join(writer.text(bound) for bound in line.bounds)
    call = f"ad_stops({bounds}, {line.most}_ip)"
    writer.add(f"{writer.names[line.var]} = {call}", indent)


def hold(writer: Writer, line: Hold, indent: int) -> None:
    """Hold a state at a place for it."""
    values = [writer.text(value) for value in line.values]
    writer.add(f"if (ad_among({writer.text(line.stops)}, {values[0]})) then", indent)
    _pushed(writer, writer.states[writer.text(line.states)], values, indent + INDENT)
    writer.add("end if", indent)


def hold_more(writer: Writer, line: HoldMore, indent: int) -> None:
    """Hold one more state, perhaps in place of another."""
    values = [writer.text(value) for value in line.values]
    parts = writer.states[writer.text(line.states)]
    gone, inside = writer.names[line.gone], indent + INDENT
    writer.add(f"if ({values[0]} > 0) then", indent)
    levels = writer.text(line.levels)
    writer.add(f"call ad_giving_way({levels}, {line.most}_ip, {gone})", inside)
    for name, type_ in parts:
        kind = list_name(listed(type_))
        writer.add(f"call ad_drop_{kind}({name}, {gone})", inside)
    _pushed(writer, parts, values, inside)
    writer.add("end if", indent)


def resume(writer: Writer, line: Resume, indent: int) -> None:
    """Take the last state, go on from there, and hold others on the way."""
    names = writer.names
    parts = writer.states[writer.text(line.states)]
    place, *state = (names[var] for var in line.state)
    for own, (name, _) in zip((place, *state), parts, strict=True):
        writer.add(f"{own} = {name}%at({name}%size - 1)", indent)
        writer.add(f"{name}%size = {name}%size - 1", indent)
    step = writer.text(line.step)
    ways = writer.counter("ways", listed(line.state[0].type))
    k = writer.counter("k")
    end = f"{writer.text(line.here)} + ({step})"
    free = f"{line.most} - {parts[0][0]}%size"
    writer.add(f"{ways} = ad_stops({place}, {end}, {step}, {free})", indent)
    inside, deep = indent + INDENT, indent + 2 * INDENT
    writer.add(f"do {k} = 0, {ways}%size - 1", indent)
    stop, trip = names[line.stop], names[line.trip]
    if trip == "_":
        writer.local.pop(trip, None)
        trip = writer.counter("trip")
    writer.add(f"{stop} = {ways}%at({k})", inside)
    _pushed(writer, parts, [place, *state], inside)
    writer.add(f"do {trip} = {place}, {stop} - ({step}), {step}", inside)
    _again(writer, state, [type_ for _, type_ in parts[1:]], line.again, deep)
    writer.add("end do", inside)
    writer.add(f"{place} = {stop}", inside)
    writer.add("end do", indent)


def _again(
    writer: Writer, state: list[str], types: list[Type], again: Piece, indent: int
) -> None:
    """One trip of the loop forth; no argument is a place of a result."""
    if len(state) == 1:
        writer.store(again, state, indent)
        return
    news = [writer.counter(f"{n}_new", t) for n, t in zip(state, types, strict=True)]
    writer.store(again, news, indent)
    for name, new in zip(state, news, strict=True):
        writer.add(f"{name} = {new}", indent)
