"""State that the modules of one reading share: the report, the constants of the output,
and facts about numbers that only a run knows.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals.helpers import HELPERS, NUMPY
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Function
from ad_transform.ir.types import Items, Type
from ad_transform.later import later
from ad_transform.read.reading import Constant
from ad_transform.read.report import Report
from ad_transform.read.syntax.source import Source
from ad_transform.read.values.callables import FileFunction
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number
from ad_transform.read.values.written import items_of

with later():
    from ad_transform.ir.unlike import unlike

if TYPE_CHECKING:
    from ad_transform.diagnostics import Span
    from ad_transform.ir.nodes import Literal, Maker
    from ad_transform.read.code import Body, Code, Each
    from ad_transform.read.values.classes import Class


@dataclass(frozen=True, slots=True)
class Unknown:
    """A constant with a number that is unknown before the output is imported.

    `name` is its name in programs: "K", or "T.0" for the first item of T; `value` is
    the draft that computes it. `near` is a number near it.
    """

    name: str
    near: float | int | None
    value: Draft


class KnownLists:
    """Constant lists of known items, each with a function that defines it in the output
    and gives its name there, and one that does so for a part of it.
    """

    def __init__(self) -> None:
        self._found: dict[str, dict[int, tuple[Group, Callable[[], str]]]] = {}
        self._wholes: list[tuple[Items, Callable[[Items, str], str]]] = []
        self._parts: dict[str, str] = {}

    def enter(
        self, group: Group, define: Callable[[], str], part: Callable[[Items, str], str]
    ) -> None:
        """Take note of a constant."""
        items = items_of(group)
        same = self._found.setdefault(repr(items), {})
        same.setdefault(id(group.items), (group, define))
        if items is not None:
            self._wholes.append((items, part))

    def named(self, group: Group) -> Callable[[], str] | None:
        """The function for a list: for this very one, or for the only equal one."""
        same = self._found.get(repr(items_of(group)), {}) if self._found else {}
        if id(group.items) in same:
            return same[id(group.items)][1]
        return next(iter(same.values()))[1] if len(same) == 1 else None

    def of_part(self, group: Group) -> Callable[[], str] | None:
        """The function for a list that is a slice of a constant."""
        items = items_of(group)
        if not isinstance(items, tuple) or not items:
            return None
        for whole, part in self._wholes:
            word = _place_in(whole, items)
            if word is not None:
                return partial(self._defined, items, part, word)
        return None

    def _defined(
        self, items: Items, part: Callable[[Items, str], str], word: str
    ) -> str:
        said = repr(items)
        if said not in self._parts:
            self._parts[said] = part(items, word)
        return self._parts[said]


def _place_in(whole: Items, items: tuple[Items, ...]) -> str | None:
    """A word for the place of items that stand in a list one behind the other: "from_2"
    for `whole[2:]`; None if they do not.
    """
    if not isinstance(whole, tuple):
        return None
    said, own = [*map(repr, whole)], [*map(repr, items)]  # 0.0 is not -0.0
    for word, way in (("", own), ("reversed", own[::-1])):
        for k in range(len(said) - len(own) + 1):
            end = k + len(own)
            if said[k:end] == way:
                bounds = [f"from_{k}"] * (k > 0) + [f"to_{end}"] * (end < len(said))
                return "_".join([*bounds, *[word] * bool(word)])
    return None


class Shared:
    """The state that the modules of one reading share.

    `near`     numbers near the values that constants pass through
    `made`     the operations and operands of these values
    `given`    the types of the arguments that constants pass to functions
    `lost`     diagnostics of loops that could then be read in another way
    `waiting`  functions of other files that are named and not compiled yet
    """

    def __init__(self, report: Report, source: Source) -> None:
        self.report = report
        self.lost = Report()
        self.constants: dict[str, Constant] = {}
        self.unknown: dict[Draft, Unknown] = {}
        self.tables: dict[Group, Draft] = {}  # of unknown numbers, as one array
        self.lists = KnownLists()
        self.written: dict[str, Items] = {}  # the items of those that are defined
        self.near: dict[Draft, float | int] = {}
        self.made: dict[Draft, tuple[Elemental, Sequence[Number]]] = {}
        self.given: dict[Code | None, dict[str, set[Type]]] = {}
        self.waiting: list[FileFunction] = []
        self.foreign: set[str] = set()
        self.members: dict[Literal, tuple[Class, str]] = {}  # of Enums that are used
        self.mixed: set[Literal] = set()  # members that are numbers or texts besides
        self.cases: list[Class] = []  # Enums with members that are texts in programs
        self.outside: dict[str, Function] = {}  # not looked into, with derivatives
        self.is_written_out = False  # a loop that was refused, for a try
        self.unkept: set[Span] = set()  # long loops that cannot stay loops
        # the code of generators around the bodies of loops, and its parts
        self.pasted: dict[Hashable, tuple[Code, Each, Body]] = {}
        # the last call of a function of `in_python`
        self.called: tuple[str, Span] | None = None
        # what each exception of a class of the project is one of
        self.raised: dict[Maker, tuple[str | Maker, ...]] = {}
        self._source = source
        self._taken: set[str] = set()
        self._private: dict[Hashable, str] = {}

    @contextmanager
    def apart(self) -> Iterator[Report]:
        """Diagnostics inside go into a report of their own."""
        report, self.report = self.report, Report()
        try:
            yield self.report
        finally:
            self.report = report

    def fresh(self, wish: str) -> str:
        """A name in the output for a value of another file: the wish, or one like it.

        It is neither a name that has a meaning in the source, nor one given before.
        """
        if not self._taken:
            self._taken.update(_names_in(self._source), _TAKEN)
        return self.give(unlike(wish, self._taken))

    @cached_property
    def numpy(self) -> str:
        """The name of numpy in definitions of the output."""
        return _numpy_in(self._source)

    def private(self, wish: str, what: Hashable) -> str:
        """A name in the output for a kept function, on which those of its derivatives
        are built; always the same for the same `what`.
        """
        if what not in self._private:
            self._private[what] = self._unlike(wish)
        return self._private[what]

    def is_private(self, what: Hashable) -> bool:
        """Whether a kept function has its name already."""
        return what in self._private

    def release(self, what: Hashable) -> None:
        """Free the name of a function that is not kept after all."""
        self._taken.discard(self._private.pop(what, ""))

    def _unlike(self, wish: str) -> str:
        if not self._taken:
            self._taken.update(_names_in(self._source), _TAKEN)
        name, k = wish, 1
        while any(n == name or n.startswith(_derived_from(name)) for n in self._taken):
            k += 1
            name = f"{wish}_{k}"
        self._taken.add(name)
        return name

    def give(self, name: str) -> str:
        """The name, which from now on a value of another file has in the output."""
        self._taken.add(name)
        self.foreign.add(name)
        return name


def _derived_from(name: str) -> tuple[str, ...]:
    """The prefixes of names for derivatives of a kept function."""
    return f"{name}_jac", f"{name}_hess", f"{name}_adj", f"{name}_dot"


_TAKEN = frozenset({*dir(builtins), *HELPERS, "math", "np", "numpy"})


def _names_in(source: Source) -> Iterator[str]:
    """Every name that a file binds or reads, without attributes."""
    for node in source.nodes:
        match node:
            case ast.Name(id=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=alias):
                yield alias or name.partition(".")[0]


def _numpy_in(source: Source) -> str:
    """A name for numpy that has no other meaning in a file."""
    taken: set[str] = set()
    for node in source.nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                taken.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                taken.add(name)
            case ast.alias(name=name, asname=alias) if name != "numpy":
                taken.add(alias or name.partition(".")[0])
    return next(name for name in NUMPY if name not in taken)
