"""The statements of the output before they have names and a layout.

Each is shown as Python would write it; a target may write it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.ir.nodes import Maker, Var, node
from ad_transform.ir.types import Type


@node
class Bind:
    """`var = value`, with its type where readers of the target cannot tell it."""

    var: Var
    value: Piece
    notes: tuple[str, ...] = ()
    annotated: bool = False


@node
class Unpack:
    """`vars = value`, of a call that gives several values."""

    vars: tuple[Var, ...]
    value: Piece


@node
class Update:
    """`vars = values`, all at once."""

    vars: tuple[Var, ...]
    values: tuple[Piece, ...]
    notes: tuple[str, ...] = ()


@node
class BindAll:
    """`vars[0] = vars[1] = value`, a number."""

    vars: tuple[Var, ...]
    value: Piece


@node
class StartCount:
    """`var = 0`, where a loop begins to count its trips."""

    var: Var


@node
class Tuples:
    """A list of tuples of these types, or lists of such lists to this depth."""

    types: tuple[Item, ...]
    depth: int


Item: TypeAlias = "Type | Tuples"
"""The type of an item of a list."""


@node
class StartList:
    """`var = []`, where a loop begins to record; `types` are those of a list's item.

    `is_first` where no other line starts the same list.
    """

    var: Var
    types: tuple[Item, ...]
    is_first: bool = True


@node
class StartStates:
    """`var = [(values)]`: a place in a loop, and the state of the loop there."""

    var: Var
    values: tuple[Piece, ...]


@node
class Stops:
    """The places of a range at which to hold states, at most so many."""

    var: Var
    bounds: tuple[Piece, ...]
    most: int


@node
class Hold:
    """`if values[0] in stops: states.append(values)`."""

    states: Piece
    stops: Piece
    values: tuple[Piece, ...]


@node
class HoldMore:
    """`if values[0]: states.append(values)`, where another may have to give way.

    `levels` tell the state that gives way; there are never more than `most` states.
    """

    states: Piece
    levels: Piece
    gone: Var
    values: tuple[Piece, ...]
    most: int


@node
class Resume:
    """The state at a place of a loop, made again from the last one that is held.

    `state` is the place with the carries; `again` gives the carries after trip `trip`.
    On the way others are held, at most so many in all. Places are `step` apart, each
    way of trips ends at a `stop`.
    """

    states: Piece
    state: tuple[Var, ...]
    stop: Var
    trip: Var
    here: Piece
    step: Piece
    most: int
    again: Piece


@node
class Step:
    """`var += 1`, the count of trips."""

    var: Var


@node
class Append:
    """`var.append(value)`, of several values as a tuple."""

    var: Var
    values: tuple[Piece, ...]


@node
class Take:
    """`vars = held.pop()`."""

    vars: tuple[Var, ...]
    held: Var


@node
class Do:
    """A statement that changes a list: `x[i] = y`, `x[i] += y`, `x.append(y)`."""

    value: Piece
    notes: tuple[str, ...] = ()


@node
class Reverse:
    """`var.reverse()`."""

    var: Var


@node
class Assert:
    """`assert test, message`; texts and values make up the message."""

    test: Piece
    message: tuple[str | Piece, ...]
    formats: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@node
class Raise:
    """`if test: raise error(message)`; without a test it is raised for certain."""

    error: str | Maker
    test: Piece | None
    message: tuple[str | Piece, ...]
    formats: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@node
class Print:
    """`print` of a message, with other arguments by name."""

    message: tuple[str | Piece, ...]
    formats: tuple[str, ...] = ()
    words: tuple[tuple[str, str | bool], ...] = ()
    notes: tuple[str, ...] = ()


@node
class If:
    """`if test: ... else: ...`; an empty `orelse` is left out."""

    test: Piece
    then: Sequence[Line]
    orelse: Sequence[Line]
    notes: tuple[str, ...] = ()


@node
class For:
    """`for index in range(*bounds): ...`, the entries of lists read along with it.

    Without an index the lists tell the number of trips; an index without bounds numbers
    their items. The entry of a list of tuples has several values. A loop that `fills` a
    list stores an item of it in each trip, all of them, and does nothing else. One that
    `gathers` was a comprehension in the source: its trips have no name for the list.
    """

    index: Var | None
    bounds: tuple[Piece, ...]
    entries: tuple[tuple[tuple[Var, ...], Piece], ...]
    backwards: bool
    body: Sequence[Line]
    fills: bool = False
    gathers: bool = False
    notes: tuple[str, ...] = ()


@node
class Loop:
    """`while test: ...`, without a test forever."""

    test: Piece | None
    body: Sequence[Line]
    notes: tuple[str, ...] = ()


@node
class Break:
    """`break`; `kept` are values read behind the loop that change behind this line."""

    kept: tuple[Piece, ...] = ()


@node
class Continue:
    """`continue`."""


@node
class Return:
    """`return values`, in the containers that the function says."""

    values: tuple[Piece, ...]


Line = (
    Bind
    | Unpack
    | Take
    | Update
    | BindAll
    | StartCount
    | StartList
    | StartStates
    | Stops
    | Hold
    | HoldMore
    | Resume
    | Step
    | Append
    | Do
    | Reverse
    | Assert
    | Raise
    | Print
    | If
    | For
    | Loop
    | Break
    | Continue
    | Return
)


def pieces(line: Line) -> tuple[Piece, ...]:
    """The expressions of a line, without those of inner lines."""
    if type(line) is Bind:  # nearly always
        return (line.value,)
    if type(line) is If:
        return (line.test,)
    match line:
        case Do(value=value) | Unpack(value=value) | BindAll(value=value):
            return (value,)
        case Update(values=values) | Append(values=values) | Return(values=values):
            return values
        case StartStates(values=values) | Stops(bounds=values):
            return values
        case Hold():
            return (line.states, line.stops, *line.values)
        case HoldMore():
            return (line.states, line.levels, *line.values)
        case Resume():
            return (line.states, line.here, line.step, line.again)
        case Assert(test=test, message=message):
            return (test, *(m for m in message if isinstance(m, Piece)))
        case Raise(test=test, message=message):
            values = tuple(m for m in message if isinstance(m, Piece))
            return values if test is None else (test, *values)
        case Print(message=message):
            return tuple(m for m in message if isinstance(m, Piece))
        case For(bounds=bounds, entries=entries):
            return (*bounds, *(stack for _, stack in entries))
        case Loop(test=Piece() as test):
            return (test,)
        case Break(kept=kept):
            return kept
    return ()


_NAMELESS = frozenset({If, Update, Append})
"""Lines that give no value a name, those that are frequent."""


def bound_by(line: Line) -> tuple[Var, ...]:
    """The values that a line names; a carry is bound where it starts."""
    if type(line) is Bind:  # nearly always
        return (line.var,)
    if type(line) in _NAMELESS:
        return ()
    match line:
        case StartCount(var=var) | StartList(var=var):
            return (var,)
        case StartStates(var=var) | Stops(var=var):
            return (var,)
        case HoldMore(gone=gone):
            return (gone,)
        case Resume():
            return (*line.state, line.stop, line.trip)
        case Unpack(vars=vars) | Take(vars=vars) | BindAll(vars=vars):
            return vars
        case For(index=index, entries=entries):
            inside = tuple(var for group, _ in entries for var in group)
            return inside if index is None else (index, *inside)
    return ()


def inner(line: Line) -> tuple[Sequence[Line], ...]:
    """The bodies that a line holds."""
    if type(line) is If:
        return (line.then, line.orelse)
    return (line.body,) if type(line) is For or type(line) is Loop else ()


_HOLDING = frozenset({If, For, Loop})
"""Lines that hold bodies."""


def walk(lines: Sequence[Line]) -> list[Line]:
    """All lines in order, inner ones behind the line that holds them."""
    found: list[Line] = []
    waiting: list[tuple[Sequence[Line], int]] = [(lines, 0)]
    while waiting:
        body, start = waiting.pop()
        for k in range(start, len(body)):
            if type(body[k]) in _HOLDING:
                found += body[start : k + 1]
                waiting.append((body, k + 1))
                waiting += [(one, 0) for one in reversed(inner(body[k]))]
                break
        else:
            found += body[start:] if start else body
    return found


def bodies(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """A body of lines, and those inside of it."""
    yield lines
    for line in walk(lines):
        yield from inner(line)


def read_by(line: Line) -> list[Var]:
    """The named values that the expressions of a line read."""
    shown = pieces(line)
    return values_in(shown) if shown else []
