"""Vectors of arrays and numbers, one behind the other: `packed=True` (rule 10).

A parameter is cut at the head of a function, a result is joined. At most one length is
told by that of the vector; the others are known from other parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import prod

from ad_transform.dataclass import dataclass
from ad_transform.emit.python.arrays import Arrays, Reference
from ad_transform.ir.dims import Dim
from ad_transform.ir.dims import names as names_in
from ad_transform.ir.nodes import Container, Nest, Parameter, Var


def has_parts(nest: Nest) -> bool:
    """Whether a vector of parts, of numpy, is among the items of a nest."""
    is_array = nest.container is Container.ARRAY
    return (is_array and nest.is_packed) or any(map(has_parts, nest.items))


def in_order(parameters: Sequence[Parameter]) -> list[Parameter]:
    """The parameters with vectors behind others, which tell lengths of their parts, and
    with arrays that may be None last: they tell none.
    """
    return sorted(parameters, key=lambda p: (p.nest.is_optional, p.nest.is_packed))


def lengths_in(parameters: Sequence[Parameter]) -> list[str]:
    """The names of lengths in vectors."""
    parts = [v for p in parameters if p.nest.is_packed for v in p.vars]
    found = (name for v in parts for dim in v.type.lengths for name in names_in(dim))
    return list(dict.fromkeys(found))


def without_unused(lines: Sequence[str], names: Iterable[str]) -> list[str]:
    """The lines without those that bind one of some names that no other line reads."""
    found = list(lines)
    for name in names:
        uses = [line for line in found if re.search(rf"\b{name}\b", line)]
        if len(uses) == 1 and uses[0].lstrip().startswith(f"{name} = "):
            found.remove(uses[0])
    return found


@dataclass(frozen=True, slots=True)
class _Size:
    """The size of a part: a number of times a product of lengths."""

    count: int
    lengths: tuple[str, ...] = ()

    def text(self) -> str:
        """As an expression, `2 * m * n`."""
        factors = [] if self.count == 1 and self.lengths else [str(self.count)]
        return " * ".join((*factors, *self.lengths))


class Vector:
    """Writes the lines that take a vector apart; lengths have `names`."""

    def __init__(
        self, parameter: Parameter, arrays: Arrays, names: Mapping[str, str]
    ) -> None:
        self.parameter = parameter
        self.arrays = arrays
        self.names = names
        self.reference = arrays.reference
        self.place = parameter.name
        self.values = parameter.vars
        self.is_array = parameter.nest.container is Container.ARRAY
        self.from_end = 0  # the part from which on places are counted from the end
        function = "numpy.shape" if self.is_array else "builtins.len"
        self.shape = f"{self.reference(function)}({self.place})"
        self.length = f"{self.shape}[0]" if self.is_array else self.shape

    def lines(self, names: Mapping[Var, str]) -> list[str]:
        """The lines that name the parts, behind a check of the length."""
        found = self._named()
        open_ = [d for d in lengths_in([self.parameter]) if self._is_open(d)]
        found += self._told(open_[0]) if open_ else self._checked()
        if self.is_array and any(var in names for var in self.values):
            array = self.reference("numpy.asarray")
            kind = self.reference("builtins.float")
            whole = f"{array}({self.place}, dtype={kind})"
            found += self.arrays.line(f"{self.place} = ", whole)
        for k, var in enumerate(self.values):
            if var in names:
                found += self.arrays.line(f"{names[var]} = ", self._part(k))
        return found

    def _is_open(self, dim: Dim) -> bool:
        return self.arrays.length(dim) is None

    # --- the length -------------------------------------------------------------------

    def _named(self) -> list[str]:
        """Lines that name the lengths of parts, which other parameters tell."""
        found: list[str] = []
        known = self.arrays.known
        for dim in lengths_in([self.parameter]):
            if dim in known and known[dim] != self.names[dim]:
                found += self.arrays.line(f"{self.names[dim]} = ", known[dim])
                known[dim] = self.names[dim]
        return found

    def _checked(self) -> list[str]:
        total = _sum(self._sizes())
        wanted = f"({total},)" if self.is_array else total
        shown = total if total.isdecimal() else f"{{{total}}}"
        return self._raise(f"{self.shape} != {wanted}", shown)

    def _told(self, dim: str) -> list[str]:
        """Compute the length of a part that nothing else tells from the vector's
        length.
        """
        self.arrays.known[dim] = name = self.names[dim]
        sizes = self._sizes()
        rest = _sum([size for size in sizes if name not in size.lengths])
        times = sum(size.count for size in sizes if name in size.lengths)
        more = self.length if rest == "0" else f"{self.length} - {rest}"
        tests = [f"{self.reference('builtins.len')}({self.shape}) != 1"]
        tests = tests if self.is_array else []
        if rest != "0":
            tests.append(f"{self.length} < {rest}")
        if times > 1:
            more = more if rest == "0" else f"({more})"
            tests.append(f"{more} % {times}")
            more = f"{more} // {times}"
        else:
            places = [k for k, v in enumerate(self.values) if dim in v.type.lengths]
            self.from_end = 1 + places[0]
        found = self._raise(" or ".join(tests), _sum(sizes)) if tests else []
        return [*found, *self.arrays.line(f"{name} = ", more)]

    def _raise(self, test: str, wanted: str) -> list[str]:
        own = f"{{{self.shape}}}" if self.is_array else f"({{{self.shape}}},)"
        said = f"{self.place} has shape {own}, not ({wanted},)"
        return self.arrays.refused(test, said)

    def _sizes(self) -> list[_Size]:
        return [self._size(var) for var in self.values]

    def _size(self, var: Var) -> _Size:
        numbers = [d for d in var.type.lengths if isinstance(d, int)]
        lengths = [self._length(d) for d in var.type.lengths if not isinstance(d, int)]
        return _Size(prod(numbers), tuple(lengths))

    def _length(self, dim: Dim) -> str:
        text = self.arrays.length(dim)
        assert text is not None, "a vector of several unknown lengths is refused"
        return f"({text})" if " " in text else text

    # --- the parts --------------------------------------------------------------------

    def _part(self, k: int) -> str:
        """The numbers of a part, in its shape."""
        var, dims = self.values[k], self.values[k].type.lengths
        number = self.reference("builtins.float")
        start, stop = self._boundary(k), self._boundary(k + 1)
        if not dims:
            return f"{number}({self.place}[{start or '0'}])"
        cut = f"{self.place}[{_slice(start, stop)}]"
        if self.is_array:
            shape = (
                f".reshape({', '.join(self._lengths(var))})" if len(dims) > 1 else ""
            )
            return f"{cut}{shape}" if var.type.shape else f"{cut}{shape}.tolist()"
        numbers = f"{self.reference('builtins.map')}({number}, {cut})"
        listed = f"{self.reference('builtins.list')}({numbers})"
        if len(dims) == 1:
            return listed
        if len(dims) == 3:
            layers = self.reference("helpers._in_layers")
            return f"{layers}({', '.join((listed, *self._lengths(var)))})"
        return self._rows(start, self._lengths(var), number)

    def _rows(self, start: str, lengths: Sequence[str], number: str) -> str:
        """The rows of a matrix in a vector that is any sequence."""
        count, width = lengths
        k = next(k for k in ("k", "j", "row") if k not in (self.place, count, width))
        before = f"{start} + " if start else ""
        row = f"{self.place}[{before}{k} * {width} : {before}({k} + 1) * {width}]"
        inside = f"{self.reference('builtins.map')}({number}, {row})"
        places = f"{self.reference('builtins.range')}({count})"
        return f"[{self.reference('builtins.list')}({inside}) for {k} in {places}]"

    def _lengths(self, var: Var) -> list[str]:
        return [
            str(d) if isinstance(d, int) else self._length(d) for d in var.type.lengths
        ]

    def _boundary(self, k: int) -> str:
        """The text of a part's first place; empty at both ends of the vector."""
        rest = _sum(self._sizes()[k:])
        if self.from_end and k >= self.from_end and rest.isdecimal():
            return "" if rest == "0" else f"-{rest}"
        if k == len(self.values) and not any(
            len(v.type.lengths) > 1 for v in self.values
        ):
            return ""
        before = _sum(self._sizes()[:k])
        return "" if before == "0" else before


def _slice(start: str, stop: str) -> str:
    """`start:stop`, as black writes it."""
    if all(bound.removeprefix("-").isalnum() for bound in (start, stop) if bound):
        return f"{start}:{stop}"
    return f"{start} : {stop}".strip()


def _sum(sizes: Sequence[_Size]) -> str:
    """The size of some parts together."""
    counts: dict[tuple[str, ...], int] = {}
    for size in sizes:
        counts[size.lengths] = counts.get(size.lengths, 0) + size.count
    number = counts.pop((), 0)
    parts = [_Size(count, lengths).text() for lengths, count in counts.items() if count]
    return " + ".join([*parts, str(number)] if number or not parts else parts)


# --- out ------------------------------------------------------------------------------


class Joining:
    """Joins parts of vectors that are returned; `ranks` are their numbers of axes."""

    def __init__(self, ranks: Sequence[int], reference: Reference) -> None:
        self.ranks = ranks
        self.reference = reference

    def text(self, nest: Nest, texts: Sequence[str], start: int) -> str:
        """The vector whose first part has the number `start`."""
        end = start + nest.leaves()
        parts = list(zip(texts[start:end], self.ranks[start:end], strict=True))
        if nest.container is Container.TUPLE:
            return f"({', '.join(_spread(text, rank) for text, rank in parts)})"
        items: list[str] = []
        for is_number, same in groupby(parts, lambda part: part[1] == 0):
            if is_number:
                items.append(f"[{', '.join(text for text, _ in same)}]")
            else:
                items += (self._row(text, rank) for text, rank in same)
        kind = self.reference("builtins.float")
        join = self.reference("numpy.concatenate")
        return f"{join}([{', '.join(items)}], dtype={kind})"

    def _row(self, text: str, rank: int) -> str:
        return text if rank == 1 else f"{self.reference('numpy.ravel')}({text})"


def _spread(text: str, rank: int) -> str:
    """The numbers of a part among the items of a tuple."""
    if not rank:
        return text
    if rank == 1:
        return f"*{text}"
    over = f"row in {text}" if rank == 2 else f"layer in {text} for row in layer"
    return f"*(each for {over} for each in row)"
