"""The contents of the arrays of a function while it is flattened.

An array is an object: names that share it see one another's writes. Its contents are a
value of the IR, and a write makes a new one. The heap keeps the contents of every
object, and arms and loops take back their writes to it as they take back bindings of
names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from ad_transform.diagnostics import Span
from ad_transform.ir.dims import ANY, Dim, plus
from ad_transform.ir.nodes import Container, Literal, node
from ad_transform.read.machine.aliases import Aliases
from ad_transform.read.machine.fields import Fields
from ad_transform.read.values.frames import Frame, Promise, made_at
from ad_transform.read.values.storage import Array, Axis, Cell
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Value

if TYPE_CHECKING:
    from ad_transform.read.machine.stored import Stored

Adopt = Callable[[str, "Value | Promise"], "Value | Promise"]
"""The carry that a loop makes of a cell from before it."""


Scope = dict[str, "Value | Promise | None"]
"""An arm or a trip: the contents of the cells that it has written, before it."""


@node
class Moment:
    """The time at which a cell is made, and the arm or trip that it belongs to."""

    scope: Scope
    time: int


_WHOLE: Scope = {}


class Heap(Frame):
    """The contents of cells, by their keys; see `Frame` for taking them back."""

    __slots__ = (
        "aliases",
        "alike",
        "cells",
        "clipped",
        "dims",
        "extents",
        "fields",
        "folds",
        "fresh",
        "givers",
        "grown",
        "joined",
        "last",
        "long",
        "naturals",
        "of_dicts",
        "of_sums",
        "quotients",
        "refused",
        "running",
        "scopes",
        "shifted",
        "stored",
        "strides",
    )

    def __init__(self) -> None:
        super().__init__()
        self.cells: dict[str, Cell] = {}
        self.last: dict[str, Value | Promise] = {}  # contents after their block
        self.running: list[tuple[Scope, Adopt]] = []  # the running loops
        self.scopes: dict[str, Scope] = {}  # the arm or trip that a cell belongs to
        # arms that have ended, by identity, with the code that they are part of
        self.joined: dict[int, tuple[Scope, Scope]] = {}
        self.aliases = Aliases()
        self.dims: dict[Draft, Dim] = {}  # dims of whole numbers that are lengths
        self.clipped: dict[
            Draft | Dim, Dim
        ] = {}  # the dim of max(0, length), by length
        self.strides: dict[tuple[Dim, int], Dim] = {}  # the dim of length // step
        self.extents: dict[tuple[Draft, int], Draft] = {}  # the first of each axis
        self.long: dict[Draft, Dim] = {}  # the lengths of lists that have grown
        self.fields = Fields()
        # see `whole_lengths`: the keys of lengths of axes of whole arrays, and
        # whole numbers that are the sum or difference of two others
        self.alike: dict[tuple[Draft, int], Hashable] = {}
        self.shifted: dict[Draft, tuple[str, Number, Number]] = {}
        self.fresh: dict[int, Group] = {}  # groups in their first form, by identity
        # the values that a list known item by item may be, by identity, with the list
        self.givers: dict[int, tuple[Group, Value, Value]] = {}
        self.grown: list[Cell] = []  # a cell for each append
        self.refused: set[str] = set()  # the keys of lists that lack a refused item
        self.folds = 0  # the number of totals so far
        self.of_dicts: set[Span] = set()  # the places where lists of dicts are made
        self.of_sums: set[Span] = set()  # and lists of the items of `sum`
        self.naturals: set[Draft] = set()  # whole numbers that are not below 0
        # the value stored last, by the content of the list of keys: see `stored`
        self.stored: dict[Value | Promise, Stored] = {}
        self.quotients: dict[Draft, Number] = {}  # their dividends

    def allocate(
        self,
        content: Draft,
        container: Container,
        span: Span,
        lengths: tuple[Number | None, ...] = (),
        moment: Moment | None = None,
    ) -> Array:
        """A new array that holds `content`, since now or an earlier moment."""
        moment = moment or self.now()
        type_, key = content.type, f"[{len(self.cells)}]"
        known = lengths or (None,) * len(type_.dims)
        cell = Cell(type_, container, key, span, content, known, content.hint)
        self.cells[key], self.scopes[key] = cell, moment.scope
        self.aliases.born[cell] = moment.time
        self._enter(key, content, moment.scope)
        return Array(cell, (Axis(),) * len(type_.dims))

    @property
    def scope(self) -> Scope:
        """The arm or trip that runs."""
        return self.trail[-1] if self.trail else _WHOLE

    def join(self, arm: Scope) -> None:
        """Let an arm that has ended, and its cells, be part of the scope that runs."""
        self.joined[id(arm)] = arm, self.scope

    def _standing(self, scope: Scope) -> Scope:
        """A scope, or the one that it has become part of."""
        while id(scope) in self.joined:
            _, scope = self.joined[id(scope)]
        return scope

    def now(self) -> Moment:
        """The present moment."""
        return Moment(self.scope, self.aliases.tick())

    def _enter(self, key: str, content: Draft, scope: Scope) -> None:
        """Enter a cell into a scope: loops that began later find it outside.

        If the scope has ended, nothing writes the cell any more.
        """
        scope = self._standing(scope)
        level = _place(self.trail, scope)
        if level < 0 and scope is not _WHOLE:
            self.last[key] = content
            return
        held: Value | Promise = content
        if level >= 0:
            scope.setdefault(key, None)
        for loop, adopt in self.running:
            if _place(self.trail, loop) > level:
                loop.setdefault(key, held)
                held = adopt(key, held)
        self.names[key] = held

    def restore(self, before: Mapping[str, Value | Promise | None]) -> None:
        """Give cells back their earlier contents; cells that are gone keep their last
        ones.
        """
        for key, value in before.items():
            if value is None and key in self.names:
                self.last[key] = self.names[key]
        super().restore(before)

    def readmit(self, count: int) -> None:
        """Enter again the cells behind the first `count` ones, with their first
        contents, if they belong to an arm or trip around; the code that made them is
        taken back.
        """
        for key in list(self.cells)[count:]:
            scope = self._standing(self.scopes[key])
            if scope is _WHOLE or _place(self.trail, scope) >= 0:
                self.last.pop(key, None)
                self._enter(key, self.cells[key].origin, scope)

    def held(self, cell: Cell, span: Span) -> Value:
        """The present or last contents of a cell: a draft, or REFUSED."""
        found = self.names.get(cell.key) or self.last[cell.key]
        return made_at(found, span)

    def then(
        self, cell: Cell, states: Mapping[str, Value | Promise | None], count: int
    ) -> Value | Promise | None:
        """The contents of a cell in these states, when there were `count` cells; a
        later cell has its first contents.
        """
        found = states.get(cell.key)
        if found is None and int(cell.key[1:-1]) >= count:
            return cell.origin
        return found or self.last.get(cell.key) or self.names.get(cell.key)

    def read(self, cell: Cell, span: Span) -> Value:
        """The contents of a cell, for a read of the program."""
        self.aliases.look(cell, span)
        return self.held(cell, span)

    def write(self, cell: Cell, content: Draft) -> None:
        """Give a cell other contents."""
        self.aliases.write(cell)
        content.hint = content.hint or cell.hint
        self.bind(cell.key, content)

    def dim(self, length: Number) -> Dim:
        """The dim of an array with this length; always the same for the same number."""
        if isinstance(length, Literal):
            return int(length.value)
        return self.dims.setdefault(length, f"len.{len(self.dims)}")

    def clip(self, length: Draft, out: Draft) -> Dim:
        """The dim of `out`, which is max(0, length): one for lengths that are equal."""
        dim = self.dims.get(length, ANY)
        return self.clipped.setdefault(length if dim == ANY else dim, self.dim(out))

    def stride(self, length: Number, step: int, out: Number) -> None:
        """Note that `out` is length // step: one dim for lengths that are equal."""
        dim = self.dims.get(length, ANY) if isinstance(length, Draft) else ANY
        if dim != ANY and isinstance(out, Draft):
            self.dims[out] = self.strides.setdefault((dim, step), self.dim(out))

    def extent(self, content: Draft, axis: int, length: Draft) -> Dim:
        """The dim of an axis with a length that is taken; the same each time."""
        return self.dim(self.extents.setdefault((content, axis), length))

    def longer(self, out: Draft, length: Number, by: int) -> None:
        """Note that a whole number is a length plus `by`."""
        if isinstance(length, Draft) and length in self.dims:
            self.dims[out] = plus(self.dims[length], by)


def _place(trail: Sequence[Scope], scope: Scope) -> int:
    """The place of a scope in a trail, by identity; -1 where it has ended."""
    return next((k for k, one in enumerate(trail) if one is scope), -1)
