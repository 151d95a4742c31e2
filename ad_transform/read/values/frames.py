"""Frames: the values, or promises of values, behind the names of a running function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import overload

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import STR
from ad_transform.read.values.structured import GROUPS, Dict, Object, OneOf
from ad_transform.read.values.values import Draft, Maybe, Special, Value

CELLS = "<cells>"
"""The name of the object of names that functions inside bind; no source binds it."""


def is_of_source(name: str) -> bool:
    """Whether a name is one of the source; the reader's own ones stand in `<>`."""
    return not name.startswith("<")


@dataclass(slots=True, eq=False)
class Promise:
    """The value of a name behind an `if` or a loop; it is made when it is first read.

    A value that nobody reads is never joined: it costs nothing and is never refused.
    `parts` are the values to join.
    """

    make: Callable[[Span], Value]
    parts: tuple[Value | Promise | None, ...]
    made: Value | None = None

    def at(self, span: Span) -> Value:
        """The value, for a reader at `span`."""
        if self.made is None:
            self.made = self.make(span)
        return self.made

    @property
    def is_bound(self) -> bool:
        """Whether the name surely has a value, on every way that leads here."""
        return all(value is not None for value in self.known())

    @property
    def is_number(self) -> bool:
        """Whether it is surely a number, on every way that leads here; with None on one
        way, a tuple of numbers or a text counts as well.
        """
        kinds = {_sort(value) for value in self.known()}
        if None in kinds:
            return False
        if "none" in kinds:
            return "text" not in kinds or kinds <= {"text", "none", "unused"}
        return kinds <= {"number"}

    @property
    def is_object(self) -> bool:
        """Whether it is surely one of several objects, or dicts, that may change."""
        known = list(self.known())
        owners = [one.identity for one in known if isinstance(one, Object | Dict)]
        is_open = any(one is None or isinstance(one, OneOf) for one in owners)
        return len(owners) == len(known) and not is_open and len({*owners}) > 1

    def known(self, *, through: bool = False) -> Iterator[Value | None]:
        """The values that it may have, as far as they are known by now. With `through`,
        a promise that was refused gives its parts.
        """
        seen: set[Promise] = set()
        stack: list[Value | Promise | None] = [self]
        while stack:
            part = stack.pop()
            if not isinstance(part, Promise):
                yield part
            elif part.made is not None and not (
                through and part.made is Special.REFUSED
            ):
                yield part.made
            elif part not in seen:
                seen.add(part)
                stack += part.parts


@overload
def made_at(held: Value | Promise, span: Span) -> Value: ...


@overload
def made_at(held: Value | Promise | None, span: Span) -> Value | None: ...


def made_at(held: Value | Promise | None, span: Span) -> Value | None:
    """The value behind a name, for a reader at `span`: a promise is kept now."""
    return held.at(span) if isinstance(held, Promise) else held


def known_of(held: Value | Promise | None) -> Value | None:
    """The value behind a name as far as it is made; None for one that is still open."""
    return held.made if isinstance(held, Promise) else held


class Refusal(Promise):
    """A promise that is refused at every read: a trip that is run once more reports it
    again.
    """

    __slots__ = ()

    def at(self, span: Span) -> Value:
        """REFUSED, after a report."""
        return self.make(span)


def _sort(value: Value | None) -> str | None:
    """The kind of a value for readers that want numbers; None for all other kinds."""
    if isinstance(value, Draft | Literal):
        return "text" if value.type == STR else "number"
    if isinstance(value, GROUPS):
        return "tuple" if {_sort(item) for item in value.items} <= {"number"} else None
    if value is Special.NONE or isinstance(value, Maybe):
        return "none"
    return "unused" if value is Special.UNUSED else None


Names = dict[str, "Value | Promise"]


@dataclass(slots=True, eq=False)
class Frame:
    """The names of a running function, and the frame of the function around it.

    `depth`     the number of running functions, this one counted
    `quiet`     whether comments are dropped, as in a function inlined a second time
    `hazy`      whether a refused statement may have bound any name
    `blocks`    the number of blocks around the place where it began to run
    `function`  the name of the helper that is running; empty for the marked function
    `trail`     for every running arm, the names that it has bound, with their values
                before
    `lent`      by parameter, the arrays that it changes for its caller
    `lazy`      for every expression around that may not run, in which no array may be
                changed: the message for a change, and a way out
    `said`      comments on one more name for a value, at the end of an arm
    """

    around: Frame | None = None
    names: Names = field(default_factory=dict)
    depth: int = 0
    quiet: bool = False
    hazy: bool = False
    function: str = ""
    blocks: int = 0
    loops: int = 0  # that are running
    trail: list[dict[str, Value | Promise | None]] = field(default_factory=list)
    given: tuple[Draft, ...] = ()  # the whole arrays among the arguments
    lent: Mapping[str, Draft] = field(default_factory=dict)
    lazy: list[tuple[str, str]] = field(default_factory=list)
    said: dict[tuple[str, Draft], tuple[str, ...]] = field(default_factory=dict)

    def bind(self, name: str, value: Value | Promise) -> None:
        """Let a name stand for a value; the arm that runs can take it back."""
        if self.trail:
            self.trail[-1].setdefault(name, self.names.get(name))
        self.names[name] = value

    def restore(self, before: Mapping[str, Value | Promise | None]) -> None:
        """Give names back the values that they had before."""
        for name, value in before.items():
            if value is None:
                self.names.pop(name, None)
            else:
                self.names[name] = value

    def back(self, names: Names) -> None:
        """Make these the only names, with these values."""
        self.restore(dict.fromkeys(name for name in self.names if name not in names))
        self.names.update(names)
