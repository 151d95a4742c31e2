"""All that running code may change, taken and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.later import later
from ad_transform.read.code import Code
from ad_transform.read.machine.aliases import Mark, clock_of
from ad_transform.read.machine.drafts import DraftStatement
from ad_transform.read.machine.fields import Fields
from ad_transform.read.values.frames import Frame, Names, Promise
from ad_transform.read.values.values import Draft, Special

with later():
    from ad_transform.read.arrays.rebinding import around

if TYPE_CHECKING:
    from ad_transform.read.flattening.flatten import Flattener
    from ad_transform.read.machine.context import Context


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """All that running code may change, so that it can be taken back."""

    frame: Frame
    loops: int
    hazy: bool
    statements: list[DraftStatement]
    length: int
    outer: int
    stack: int
    running: int
    count: int
    seen: frozenset[Code]
    refused: tuple[frozenset[Code], bool]
    said: tuple[Span | None, tuple[str, ...]]
    heap: tuple[int, int]
    history: Mark
    given_here: dict[Draft, bool]
    scopes: tuple[tuple[Frame, int, Names], ...]
    giving: int
    made: tuple[Fields, int]

    def is_changed(self) -> bool:
        """Whether a name, an array, a list or a field has another value since."""
        fields, time = self.made
        for scope, _, names in self.scopes:
            if any(scope.names.get(name) is not value for name, value in names.items()):
                return True
            if scope is fields:
                new = [key for key in fields.names if key not in names]
                if any(fields.owners[key].born <= time for key in new):
                    return True
        return False


def snapshot(flat: Flattener) -> Snapshot:
    """The present state, for `restore`."""
    frame, statements = flat.frame, flat.statements
    return Snapshot(
        frame,
        frame.loops,
        frame.hazy,
        statements,
        len(statements),
        len(flat.outer),
        len(flat.stack),
        len(flat.running),
        flat.count,
        frozenset(flat.seen),
        (frozenset(flat.endless), flat.is_full),
        (flat.left, flat.parting),
        (len(flat.heap.running), len(flat.heap.cells)),
        flat.heap.aliases.mark(),
        dict(flat.given_here),
        tuple((one, len(one.trail), dict(one.names)) for one in _scopes(flat)),
        len(flat.giving),
        (flat.heap.fields, flat.heap.fields.time),
    )


def _scopes(flat: Context) -> Iterator[Frame]:
    """All scopes with names that may change: those of all running functions."""
    frames = (flat.frame, *flat.callers)
    yield from dict.fromkeys(one for frame in frames for one in around(frame))
    yield from (flat.heap, flat.heap.fields)


def restore(flat: Flattener, saved: Snapshot) -> None:
    """Take back all that has been done since a snapshot."""
    frame = flat.frame = saved.frame
    running, cells = saved.heap
    del flat.heap.running[running:]
    for scope, length, names in saved.scopes:
        del scope.trail[length:]
        scope.back(names)
    flat.heap.readmit(cells)
    flat.heap.aliases.back(saved.history)
    flat.rows_out.back(clock_of(saved.history))
    frame.loops, frame.hazy = saved.loops, saved.hazy
    flat.statements = saved.statements
    del flat.statements[saved.length :]
    del flat.outer[saved.outer :]
    del flat.stack[saved.stack :]
    del flat.running[saved.running :]
    del flat.callers[saved.running :]
    del flat.giving[saved.giving :]
    flat.count, flat.seen = saved.count, set(saved.seen)
    endless, flat.is_full = saved.refused  # code that is taken back reports again
    flat.endless = set(endless)
    flat.left, flat.parting = saved.said
    flat.given_here = dict(saved.given_here)


def say_again(flat: Context) -> None:
    """Let refused promises be made anew: their reports are lost, and nothing else may
    repeat them.
    """
    stack = [value for one in _scopes(flat) for value in one.names.values()]
    seen: set[int] = set()
    while stack:
        value = stack.pop()
        if isinstance(value, Promise) and id(value) not in seen:
            seen.add(id(value))
            value.made = None if value.made is Special.REFUSED else value.made
            stack += (part for part in value.parts if part is not None)
