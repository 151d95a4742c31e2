"""Functions that stay functions: flattened once, and called.

A call of one is a statement over numbers. Each function is flattened for the shapes of
its arguments, see `passing`. Values from outside (constants of unknown number) are more
parameters. For a function that calls itself the shape of its result is guessed, and
tried until it is right.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.ir.nodes import Function
from ad_transform.ir.types import FLOAT, INT, Type
from ad_transform.later import later
from ad_transform.read.calls.tallies import Tallies
from ad_transform.read.code import Code
from ad_transform.read.kept.passing import (
    Unfit,
    as_arrays,
    is_apart,
    lengths,
    numbers,
    shapes_of,
    types,
)
from ad_transform.read.values.callables import Chosen, Closure
from ad_transform.read.values.frames import CELLS
from ad_transform.read.values.structured import Dict
from ad_transform.read.values.values import Value

with later():
    from ad_transform.read.kept import changing
    from ad_transform.read.kept.catching import Held, held_by_recursive, read_around
    from ad_transform.read.kept.guessing import guesses
    from ad_transform.read.kept.kept_bodies import Helper, called, flattened, wider
    from ad_transform.read.objects import homes

if TYPE_CHECKING:
    from ad_transform.read.flattening.flatten import Flattener
    from ad_transform.read.project.shared import Shared
    from ad_transform.read.report import Report

_GIVEN_A_CHOICE = (
    "is given a function that a run chooses",
    "choose among the calls: `h(f, x) if flag else h(g, x)`",
)

_GROWS = (
    "gives itself lists or tuples that grow",
    "give it a list of numbers; or a place in one of the whole length, `[0.0] * n`",
)
_IS_UNEVEN = (
    "is given a dict whose keys, or values, are not alike",
    "give it what it needs of the dict: `d[key]`; or write `@functools.cache`",
)
_BINDS = (
    "binds a name of the function around it",
    "return what it counts: `return s, count`; or keep it in a list, `count[0] += 1`",
)
_HAND_IN = "hand it in as an argument"
_MANY = (
    "is given arrays of too many kinds",
    "give it arrays of one kind: copies of parts, `u[1:].copy()`, or arrays of numpy",
)


class _Grown(Exception):
    """A function gives itself a longer list: it is made for lists of any length."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.code = code


SHAPES, TRIES = 40, 200
"""Shapes of arguments for which one function may be in the making, and times that it
may be flattened for all of them.
"""


class Keeper:
    """Keeps the functions of `chosen`, all that it can where that is None.

    `helpers` are those made so far; a shape that cannot be kept is None there.
    """

    def __init__(
        self, chosen: frozenset[Code] | None, ends_early: bool = False
    ) -> None:
        self.chosen = chosen
        self.helpers: dict[Any, Helper | None] = {}
        self.making: list[Any] = []  # the keys of those that are being flattened
        self.growing: set[Code] = set()  # those that give themselves longer lists
        self.endless: set[Code] = set()
        self.given_up: set[Code] = set()  # they call themselves for too many shapes
        self.tries: Counter[Code] = Counter()  # flattenings of each
        self.tallies = Tallies(ends_early)
        self.unfit: dict[str, None] = {}  # names of those that were to be kept
        self.unkept: dict[Code, tuple[str, str]] = {}  # their faults, and ways out
        self.faults: dict[Code, Diagnostic] = {}
        self.named: dict[Any, Shared] = {}  # those that got a name here

    def afresh(self, more: frozenset[Code]) -> Keeper:
        """A keeper of the same functions and more, none of them made yet."""
        self.begin()
        chosen = None if self.chosen is None else self.chosen | more
        return Keeper(chosen, self.tallies.ends_early)

    def instead(self) -> Keeper | None:
        """A keeper of fewer functions, for a program that was refused; None if there is
        none.
        """
        return None

    def more(self) -> frozenset[Code]:
        """The functions that are better kept as well, after some were written out:
        those that call themselves, else one that is much text.
        """
        kept = self.chosen or frozenset()
        return self.recursive() or self.tallies.better_kept(kept)

    def enter(self, code: Code, operations: int, is_outermost: bool) -> None:
        """Count a function that was written out; raises Enough, see `tallies`."""
        kept = self.chosen or frozenset()
        self.tallies.count(code, operations, is_outermost, kept)

    def recursive(self) -> frozenset[Code]:
        """Functions that call themselves, if some of them are not kept yet."""
        more = self.endless - (self.chosen or frozenset())
        return frozenset(self.endless) if more else frozenset()

    def kept(
        self, flat: Flattener, closure: Closure, names: Mapping[str, Value], span: Span
    ) -> Value | None:
        """The result of a call that is kept; None where it is to be written out."""
        code = closure.code
        if not self.keeps(code) or code in self.given_up:
            return None
        held = Held() if is_apart(closure) else held_by_recursive(closure)
        if held is None:
            name = read_around(closure)
            if name:
                why = f"reads {name!r} of the function around it"
                is_bound = name == CELLS
                self.unkept[code] = _BINDS if is_bound else (why, _HAND_IN)
            return None
        fields = flat.heap.fields  # the order of names is the call's
        own = {one.name: names[one.name] for one in code.formals}
        given = {**own, **held.arrays}
        names = {name: fields.deep(value, span) for name, value in given.items()}
        try:
            helper = self._found(flat, closure, names, held)
        except Unfit:
            if any(isinstance(value, Chosen) for value in names.values()):
                self.unkept[code] = _GIVEN_A_CHOICE
            return None
        if helper is not None and not self.fits(code, _types_of(helper)):
            return None
        if helper is None:
            tables = (homes.as_dict(flat, value, span) for value in names.values())
            for table in tables:
                if isinstance(table, Dict):
                    flat.rekey(table)
                    self.unkept[code] = _IS_UNEVEN
            return None
        values = tuple(names.values())
        passed = [number for v in values for number in numbers(flat, v, span)]
        return called(flat, helper, passed, values, span)

    def _found(
        self, flat: Flattener, closure: Closure, names: Mapping[str, Value], held: Held
    ) -> Helper | None:
        """The helper for some arguments, made if it is not there; raises Unfit."""
        code = closure.code
        if code in self.growing:
            as_arrays(flat, names.values())
        shapes = tuple(shapes_of(flat, names, code in self.growing).items())
        key = (code, shapes, held.values)
        if not self.fits(code, [type_ for _, one in shapes for type_ in types(one)]):
            raise Unfit
        if key in self.helpers:
            return self.helpers[key]
        if code not in self.growing and self._is_grown(code, shapes):
            self.growing.add(code)
            raise _Grown(code)
        if self._is_endless(code):
            self.given_up.add(code)
            self.unkept[code] = _GROWS
            return None
        before, named, depth = dict(self.helpers), {**self.named}, len(self.making)
        self.helpers[key] = None
        self.making.append(key)
        try:
            self._make(flat, closure, names, key)
        except _Grown as grown:
            if grown.code is not code or code in {
                one[0] for one in self.making[:depth]
            }:
                raise
            self.helpers = before
            for more in [one for one in self.named if one not in named]:
                self.named.pop(more).release(more)
            del self.making[depth:]
            return self._found(flat, closure, names, held)
        self.making.pop()
        return self.helpers[key]

    def begin(self) -> None:
        """Forget the functions made and counted: a program is flattened once more."""
        for key, shared in self.named.items():
            shared.release(key)
        self.named = {}
        self.helpers = {}
        self.making = []
        self.unfit = {}
        self.tallies.by_code.clear()
        self.endless = set()
        self.faults = {}
        self.given_up = set()
        self.tries = Counter()

    def keeps(self, code: Code) -> bool:
        """Whether a function is to be kept."""
        return self.chosen is None or code in self.chosen

    def fits(self, code: Code, found: Sequence[Type]) -> bool:
        """Whether a function that takes or gives values of some types is to be kept."""
        return True

    def functions(self) -> tuple[Function, ...]:
        """The functions that are kept, each once."""
        made = (helper for helper in self.helpers.values() if helper is not None)
        return tuple(h.function for h in made if h.function is not None)

    def function(self, name: str) -> Function | None:
        """The function that is kept under a name; None while it is being made."""
        made = (helper for helper in self.helpers.values() if helper is not None)
        return next((one.function for one in made if one.name == name), None)

    def _is_grown(self, code: Code, shapes: Any) -> bool:
        """Whether a function that is in the making calls itself with a longer list."""
        own = tuple(lengths(shapes))
        making = (tuple(lengths(key[1])) for key in self.making if key[0] is code)
        return any(any(map(operator.gt, own, others)) for others in making)

    def _is_endless(self, code: Code) -> bool:
        """Whether a function calls itself for ever more shapes of arguments."""
        making = (
            helper is not None and helper.function is None
            for key, helper in self.helpers.items()
            if key[0] is code
        )
        return sum(making) >= SHAPES

    def _remember(self, code: Code, report: Report) -> None:
        """Remember the error about arrays that a function changes, as it is tried."""
        found = (one for one in report.sorted() if one.code == "AD124")
        for fault in found:
            self.faults.setdefault(code, fault)

    def _is_tired(self, code: Code) -> bool:
        """Whether a function has been flattened too often already."""
        if code not in self.given_up:
            self.tries[code] += 1
            if self.tries[code] > TRIES:
                self.given_up.add(code)
                self.unkept[code] = _MANY
        return code in self.given_up

    def _make(
        self, flat: Flattener, closure: Closure, names: Mapping[str, Value], key: Any
    ) -> None:
        takes = tuple(type_ for _, shape in key[1] for type_ in types(shape))
        is_real = not takes or any(type_.is_real for type_ in takes)
        leaf = FLOAT if is_real else INT
        wish = closure.code.name.strip("<>").lstrip("_")
        shared = flat.module.shared
        # the same function of another flattening reads other values of those around
        alike = sum(one[:2] == key[:2] for one in self.helpers)
        named = (*key[:2], alike)
        if not shared.is_private(named):
            self.named[named] = shared
        helper = Helper(shared.private(f"_{wish}", named), takes, leaf)
        self.helpers[key] = helper
        before, is_own = dict(self.helpers), False
        for guess in guesses(closure.code, leaf, dict(key[1])):
            helper.gives, helper.extra, helper.raises = guess, (), False
            helper.changes = changing.in_shape(guess, [shape for _, shape in key[1]])
            for _ in range(_TRIES + len(takes)):
                if self._is_tired(closure.code):
                    break
                assumed = helper.gives, helper.extra, helper.raises, helper.changes
                helper.is_assumed, self.helpers = False, dict(before)
                with flat.module.shared.apart() as report:
                    found = flattened(flat, helper, closure, dict(key[1]))
                is_own |= helper.is_assumed
                self._remember(closure.code, report)
                if found is None or report.has_error:
                    break
                helper.extra, helper.raises, helper.changes = found[1:]
                if assumed == found or not helper.is_assumed:
                    helper.gives = found[0]
                    flat.module.report.extend(report.sorted())
                    return
                helper.gives = wider(assumed[0], found[0])
            helper.function = None
        self.helpers = {**before, key: None}
        if self.named.pop(named, None) is not None:
            shared.release(named)
        if is_own:
            as_arrays(flat, names.values())


def _types_of(helper: Helper) -> list[Type]:
    """The types of all that a helper takes and gives, as far as it is made."""
    if helper.function is None:
        return [*helper.takes, *types(helper.gives)]
    function = helper.function
    return [value.type for value in (*function.block.params, *function.results)]


_TRIES = 3
"""Times that a function that calls itself is flattened until its result fits; and
once more for each array that it may change.
"""
