"""Structured parameters taken apart at the head of a function.

Tuples are taken apart in one statement, arrays with their shapes checked, objects and
dicts by reading those of their values that are used: `p_mu = p.mu`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from ad_transform.emit.python import layout
from ad_transform.emit.python.arrays import (
    Arrays,
    holds_whole,
    is_array,
    names_told,
    sizes,
)
from ad_transform.emit.python.expressions import key_text
from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.python.signature import Reference
from ad_transform.emit.python.vectors import Vector
from ad_transform.emit.width import width
from ad_transform.ir.nodes import LEAF, Container, Nest, Parameter, Var


class Unpacking:
    """Writes the lines; `names` are those of the values that are used, `lengths` the
    names for lengths of the parts of vectors.
    """

    def __init__(
        self,
        names: Mapping[Var, str],
        reference: Reference,
        limit: int,
        lengths: Mapping[str, str],
    ) -> None:
        self.names = names
        self.reference = reference
        self.limit = limit
        self.lengths = lengths
        self.arrays = Arrays(reference, limit)

    def all_lines(self, parameters: Sequence[Parameter]) -> list[str]:
        """The lines of all parameters: the shape of an array is checked once all
        lengths in it are told.
        """
        coming = [frozenset[str]()]
        for parameter in reversed(parameters):
            coming.append(coming[-1] | names_told(parameter))
        found: list[str] = []
        for parameter in parameters:
            self.arrays.coming = coming.pop()
            found += self._lines(parameter)
            self.arrays.coming = coming[-1]
            found += self.arrays.due()
        return found

    def _lines(self, parameter: Parameter) -> list[str]:
        """The lines that give names to the values of a parameter.

        Values without a name are not used and called `_`. A vector has its shape
        checked before (contract, rule 11); of a tuple none of whose values is used no
        line is made.
        """
        if parameter.nest == LEAF:
            return []
        if parameter.nest.is_packed:
            return Vector(parameter, self.arrays, self.lengths).lines(self.names)
        name = parameter.name
        return self._part(parameter.nest, parameter.vars, name, name)

    def _part(
        self, nest: Nest, values: Sequence[Var], place: str, said: str
    ) -> list[str]:
        """The lines of a part, read as `place` and called `said` in messages."""
        if not values:
            return []
        if nest.is_leaf:
            used = values[0] in self.names
            line = f"{self.names.get(values[0])} = "
            read = f'f"{nest.names[0]}.{{{place}.name}}"' if nest.names else place
            return self._statement(line, read) if used else []
        if nest.is_optional:
            return self._optional(nest, values, place, said)
        in_tuple = nest.container is Container.TUPLE
        if holds_whole(nest) and is_array(values[0]) and not in_tuple:
            return self.arrays.lines(place, said, nest, values[0], self.names)
        if (in_tuple and not _is_plain(nest, values)) or nest.names:
            return self._items(nest, values, place, said)
        return self._opened(nest, values, place, said)

    def _optional(
        self, nest: Nest, values: Sequence[Var], place: str, said: str
    ) -> list[str]:
        """An array that may be None, with zeros in its place that nobody reads."""
        is_none, *own = values
        inner = nest.items[1]
        found: list[str] = []
        if is_none in self.names:
            found += self._statement(f"{self.names[is_none]} = ", f"{place} is None")
        dims = sizes(inner) if not holds_whole(inner) else own[0].type.dims
        zeros = self.arrays.zeros(dims or own[0].type.shape, inner.container)
        found += self._statement("if ", f"{place} is None", ":")
        found += self._statement(f"{place} = ", zeros, "", 2 * INDENT)
        return [*found, *self._part(inner, own, place, said)]

    def _items(
        self, nest: Nest, values: Sequence[Var], place: str, said: str
    ) -> list[str]:
        """One item after the other."""
        found = [] if nest.names else self._counted(len(nest.items), place, said)
        starts = accumulate((item.leaves() for item in nest.items), initial=0)
        for k, (item, start) in enumerate(zip(nest.items, starts, strict=False)):
            own, called = f"{place}[{k}]", said
            if nest.container is Container.OBJECT:
                own, called = f"{place}.{nest.names[k]}", f"{said}.{nest.names[k]}"
            elif nest.names:
                own = f"{place}[{key_text(nest.names[k])}]"
                called = f"{said}[{key_text(nest.names[k])}]"
            inner = values[start : start + item.leaves()]
            found += self._part(item, inner, own, called)
        return found

    def _counted(self, count: int, place: str, said: str) -> list[str]:
        """The check of the number of a tuple's items, which are read one by one."""
        length = f"{self.reference('builtins.len')}({place})"
        error = self.reference("builtins.ValueError")
        message = f"{said} has {{{length}}} items, not {count}".replace('"', "'")
        raised = f'{error}(f"{message}")'
        return [
            *self._statement("if ", f"{length} != {count}", ":"),
            *self._statement("raise ", raised, "", 2 * INDENT),
        ]

    def _opened(
        self, nest: Nest, values: Sequence[Var], place: str, said: str
    ) -> list[str]:
        """All items in one statement, behind a check of the shape of an array."""
        value, check = self._checked(nest, place, said)
        if not any(var in self.names for var in values):
            return check
        leaves = iter(values)
        items = [_target(item, leaves, self.names) for item in nest.items]
        margin = " " * INDENT
        bare = f"({items[0]},)" if len(items) == 1 else ", ".join(items)
        line = f"{margin}{bare} = {value}"
        if width(line) <= self.limit:
            return [*check, line]
        inner = " " * 2 * INDENT
        exploded = (f"{inner}{item}," for item in items)
        return [*check, f"{margin}(", *exploded, f"{margin}) = {value}"]

    def _checked(self, nest: Nest, place: str, said: str) -> tuple[str, list[str]]:
        """The text to unpack, and the lines that check it."""
        lengths, reference = sizes(nest), self.reference
        comma = "," if len(lengths) == 1 else ""
        wanted = f"({', '.join(map(str, lengths))}{comma})"
        number = reference("builtins.float")
        match nest.container:
            case Container.ARRAY:
                shape = f"{reference('numpy.shape')}({place})"
                array = f"{reference('numpy.asarray')}({place}, dtype={number})"
                value = f"{array}.tolist()"
                test, shown = f"{shape} != {wanted}", f"{{{shape}}}"
            case Container.LIST:
                value, found = self._sequences(len(lengths), number, place)
                counts = str(lengths[-1])
                for length in reversed(lengths[:-1]):
                    counts = f"[{', '.join([counts] * length)}]"
                test = f"{found} != {counts}"
                shown = (
                    f"rows of {{{found}}}" if len(lengths) > 1 else f"({{{found}}},)"
                )
            case _:
                return place, []
        message = f"{said} has shape {shown}, not {wanted}"
        return value, self.arrays.refused(test, message)

    def _sequences(self, axes: int, number: str, place: str) -> tuple[str, str]:
        """The numbers of sequences of sequences, and the lengths of the last ones."""
        *outer, last = names = (place, *("layer", "row")[3 - axes :])
        value = f"{self.reference('builtins.map')}({number}, {last})"
        found = f"{self.reference('builtins.len')}({last})"
        for own, over in zip(reversed(names[1:]), reversed(outer), strict=True):
            value = f"({value} for {own} in {over})"
            found = f"[{found} for {own} in {over}]"
        return value, found

    def _statement(
        self, head: str, text: str, tail: str = "", indent: int = INDENT
    ) -> list[str]:
        return layout.statement(head, text, tail, indent, self.limit)


def _is_plain(nest: Nest, values: Sequence[Var]) -> bool:
    """Whether it is nothing but tuples of numbers."""
    is_member = nest.is_leaf and bool(nest.names)
    if is_member or nest.container not in (None, Container.TUPLE, Container.NOTHING):
        return False
    return not any(map(is_array, values)) and all(_is_plain(i, ()) for i in nest.items)


def _target(nest: Nest, leaves: Iterator[Var], names: Mapping[Var, str]) -> str:
    if nest.is_leaf:
        return names.get(next(leaves), "_")
    before = [_target(item, leaves, names) for item in nest.items]
    if not before or set(before) == {"_"}:
        return "_"
    return f"({', '.join(before)}{',' if len(before) == 1 else ''})"
