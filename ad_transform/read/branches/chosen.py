"""Functions that a run chooses: `g = f1 if flag else f2`, and then `g(x)`.

A call of one is a branch with a call in each arm. A truth value chooses. If an arm has
made this value, or a number that the function holds (`partial(f, 2.0 * a)`), the arm
hands it out with the function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.machine.drafts import DraftChoice, made
from ad_transform.read.values.callables import (
    Chosen,
    Closure,
    Dotted,
    External,
    FileFunction,
    Partial,
)
from ad_transform.read.values.frames import Frame, Names, Promise
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Special, Value

Join = Callable[[Value, Value], "Value | None"]
"""The value that is one value behind the first arm, and another behind the second."""


def is_function(value: Value) -> bool:
    """Whether a value is a function, or may be one, as a name of a library may."""
    return isinstance(
        value, FileFunction | Closure | External | Partial | Dotted | Chosen
    )


def joined(
    choice: DraftChoice, one: Value, other: Value, join: Join, depth: int
) -> Value | None:
    """The function that is `one` behind the first arm and `other` behind the second;
    None if one of them is no function. `depth` is that of the frame of the arms.
    """
    if not all(end is Special.UNUSED or is_function(end) for end in (one, other)):
        return None
    then, orelse = (frozenset(made(arm.body)) for arm in (choice.then, choice.orelse))
    ends = [
        _Arm(then, lambda v: join(v, Special.UNUSED), depth).outside(one),
        _Arm(orelse, lambda v: join(Special.UNUSED, v), depth).outside(other),
    ]
    used = [end for end in ends if end is not Special.UNUSED]
    if len(used) == 1 or ends[0] == ends[1]:
        return used[0]
    return Chosen(choice.test, *ends)


@dataclass(frozen=True, slots=True)
class _Arm:
    """The drafts that an arm makes, and the way to hand one of them out of the arm."""

    made: frozenset[Draft]
    handed_out: Callable[[Value], Value | None]
    depth: int
    frames: dict[int, Frame] = field(default_factory=dict)  # of functions it has run

    def outside(self, value: Value) -> Value:
        """A function, or a value that it holds, as it is known behind the arm."""
        match value:
            case Draft() if value in self.made:
                return self._handed_out(value)
            case Group(Container.TUPLE, items, site):
                return Group(Container.TUPLE, tuple(map(self.outside, items)), site)
            case Chosen(test, one, other):
                known = self.outside(test)
                assert isinstance(known, Draft | Literal)
                return Chosen(known, self.outside(one), self.outside(other))
            case Partial(function, positional, keywords):
                named = tuple((name, self.outside(v)) for name, v in keywords)
                given = tuple(map(self.outside, positional))
                return Partial(self.outside(function), given, named)
            case Closure(code, around, defaults) if around is not None:
                own = {name: self.outside(v) for name, v in defaults.items()}
                return Closure(code, self._frame(around), own)
        return value

    def _handed_out(self, value: Value) -> Value:
        found = self.handed_out(value)
        return value if found is None else found

    def _frame(self, frame: Frame) -> Frame:
        """The frame of a function run in the arm, with names as behind the arm."""
        if frame.depth <= self.depth:
            return frame
        if id(frame) not in self.frames:
            names: Names = {}
            self.frames[id(frame)] = replace(frame, names=names)
            names.update((name, self._later(v)) for name, v in frame.names.items())
        return self.frames[id(frame)]

    def _later(self, value: Value | Promise) -> Value | Promise:
        if not isinstance(value, Promise):
            return self.outside(value)
        return replace(value, make=lambda span: self._handed_out(value.make(span)))
