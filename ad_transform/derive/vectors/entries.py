"""Labels by their entries: y[r[i]] += w[i] x[c[i]], one after another for every i.

These are diagonals, parts that are read and stored, single rows and columns, and their
products. Full matrices have none. Nor, unless both are slices, has a part read from an
array of which only parts were stored: there the numbers in the indices decide which
entries meet.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.derive.vectors.apart import are_apart
from ad_transform.derive.vectors.local import Map, Unknown
from ad_transform.derive.vectors.meeting import Apart, Bounds, meeting
from ad_transform.derive.vectors.written import Written
from ad_transform.eliminate.linear import (
    Broadcast,
    Dense,
    Diagonal,
    Gather,
    Identity,
    Label,
    Scaled,
    Scatter,
    Sum,
)
from ad_transform.ir.dims import Dims
from ad_transform.ir.nodes import Literal, Operand, Var

MOST = 64
"""Entries that a label has side by side: with more no matrix is sparse."""


class Whole(Enum):
    """A place without an index: each element in turn, or the number that the end is."""

    ALL = "all"
    ONE = "one"


Where: TypeAlias = Var | Whole


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """As many entries as `dims` say, at an index of each end (see `Places`).

    `values` is an array of them, or a number that all have, and None for ones.
    """

    dims: Dims
    rows: Where
    columns: Where
    values: Operand | None = None


Sparse = tuple[Entries, ...]
"""The sum of these; there is none between parts that share no element."""


def all_of(dims: Dims) -> Whole:
    """The place of every element of an end with these dims."""
    return Whole.ALL if dims else Whole.ONE


class EntryMaps:
    """The algebra of entries; raises Unknown for maps without entries."""

    unit: Sparse = (Entries((), Whole.ONE, Whole.ONE),)

    def __init__(self, arrays: Written) -> None:
        self.arrays = arrays

    def of(self, label: Label[Operand]) -> Sparse:
        """The entries of a sum of maps."""
        return tuple(self._of(term) for term in label)

    def _of(self, term: Map) -> Entries:
        rule = _RULES.get(type(term))
        if rule is None:
            raise Unknown
        return rule(self, term)

    def scaled(self, term: Scaled[Operand]) -> Entries:
        """The entries of the core, multiplied."""
        core = self._of(term.core)
        values = self._times(term.factor, core.values)
        return Entries(core.dims, core.rows, core.columns, values)

    def multiply(self, outer: Sparse, inner: Sparse, u: int, v: int, w: int) -> Sparse:
        label: Sparse = ()
        for second in outer:
            for first in inner:
                try:
                    label = self.add(label, (self._product(second, first),), u, w)
                except Apart:
                    continue
        return label

    def add(self, old: Sparse, new: Sparse, u: int, w: int) -> Sparse:
        for term in new:
            old = self._absorbed(old, term)
        if len(old) > MOST:
            raise Unknown
        return old

    def _absorbed(self, label: Sparse, term: Entries) -> Sparse:
        for k, old in enumerate(label):
            if (old.dims, old.rows, old.columns) == (
                term.dims,
                term.rows,
                term.columns,
            ):
                one = Literal(1.0)
                values = self.arrays.plus(old.values or one, term.values or one)
                both = Entries(old.dims, old.rows, old.columns, values)
                return (*label[:k], both, *label[k + 1 :])
        return (*label, term)

    def _product(self, second: Entries, first: Entries) -> Entries:
        """The entries of x -> second(first(x)), if each meets one at most."""
        if first.rows is Whole.ONE:
            return self._through_number(second, first)
        if first.rows is Whole.ALL:
            at = second.columns
            columns, values = self._at(first.columns, at), self._read(first.values, at)
            values = self._times(second.values, values)
            return Entries(second.dims, second.rows, columns, values)
        if second.columns is Whole.ALL:
            at = first.rows
            if self._keeps(second, at):
                return first
            rows, values = self._at(second.rows, at), self._read(second.values, at)
            return Entries(
                first.dims, rows, first.columns, self._times(values, first.values)
            )
        assert not isinstance(first.rows, Whole)
        return self._met(second, first, second.columns, first.rows)

    def _met(
        self, second: Entries, first: Entries, read: Where, stored: Var
    ) -> Entries:
        """The entries through the places that are both stored and read: slices."""
        if isinstance(read, Whole):
            raise Unknown
        places = self.arrays.places
        bounds = meeting(places.steps(read), places.steps(stored))
        if Whole.ONE in (second.rows, first.columns):
            raise Unknown
        later, before = (
            self._cut(entries, cut)
            for entries, cut in zip((second, first), bounds, strict=True)
        )
        values = self._times(later.values, before.values)
        return Entries(before.dims, later.rows, before.columns, values)

    def _cut(self, entries: Entries, bounds: Bounds) -> Entries:
        """A slice of entries, with values of their own if they are fewer."""
        start, stop = bounds
        given = {"from": start, "to": stop}
        ends = tuple(Literal(k) for k in bounds if k is not None)
        if not ends:
            return entries
        form = "between" if len(ends) > 1 else next(k for k, v in given.items() if v)
        name = f"cut_{form}"
        values = entries.values or Literal(1.0)
        if isinstance(values, Literal):
            values = Literal(float(values.value))
        if not values.type.shape:
            values = self.arrays.spread(values, entries.dims, (0,))
        values = self.arrays.builder.apply(name, values, *ends)
        index = self.arrays.places.of(values.type, name, ends, values)
        rows, columns = (self._at(w, index) for w in (entries.rows, entries.columns))
        return Entries(values.type.shape, rows, columns, values)

    def _keeps(self, second: Entries, at: Where) -> bool:
        """Whether a map clears a part of an array while another part is read."""
        places = self.arrays.places
        if second.rows is not Whole.ALL or isinstance(at, Whole):
            return False
        cleared = places.masks.get(second.values) if second.values else None
        return cleared is not None and are_apart(cleared, places.steps(at)[0])

    def _through_number(self, second: Entries, first: Entries) -> Entries:
        if first.dims and second.dims:
            raise Unknown  # a full matrix
        values = self._times(second.values, first.values)
        return Entries(first.dims or second.dims, second.rows, first.columns, values)

    def _at(self, where: Where, at: Where) -> Where:
        """The places of the entries of a map that stand at an index."""
        if isinstance(at, Whole) or where is Whole.ONE:
            return where
        if isinstance(where, Whole):
            return at
        if not where.type.shape:
            return where  # one element for all
        index = self.arrays.places.read(where, at)
        assert isinstance(index, Var)
        return index

    def _read(self, values: Operand | None, at: Where) -> Operand | None:
        if values is None or isinstance(at, Whole) or not values.type.shape:
            return values
        return self.arrays.places.read(values, at)

    def _times(self, a: Operand | None, b: Operand | None) -> Operand | None:
        if a is None or b is None:
            return b if a is None else a
        return self.arrays.times(a, b)


def _dense(_: EntryMaps, m: Dense[Operand]) -> Entries:
    if m.source and m.target:
        raise Unknown
    return Entries(m.target or m.source, all_of(m.target), all_of(m.source), m.matrix)


_Rule = Callable[[EntryMaps, Any], Entries]

# fmt: off
_RULES: dict[type[Any], _Rule] = {
    Identity:  lambda _, m: Entries(m.dims, all_of(m.dims), all_of(m.dims)),
    Scaled:    EntryMaps.scaled,
    Diagonal:  lambda _, m: Entries(m.dims, Whole.ALL, Whole.ALL, m.factors),
    Gather:    lambda _, m: Entries(m.target, all_of(m.target), m.index, m.weights),
    Scatter:   lambda _, m: Entries(m.source, m.index, all_of(m.source), m.weights),
    Sum:       lambda _, m: Entries(m.dims, Whole.ONE, Whole.ALL),
    Broadcast: lambda _, m: Entries(m.dims, Whole.ALL, Whole.ONE),
    Dense:     _dense,
}
# fmt: on
