"""Results in their containers: the return statement and its layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ad_transform.emit.python import layout
from ad_transform.emit.python.arrays import Reference, holds_whole
from ad_transform.emit.python.expressions import key_text
from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.python.vectors import Joining
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.function import returned_operands
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.emit.width import width
from ad_transform.ir.nodes import (
    Apply,
    Container,
    Function,
    Literal,
    Nest,
    Operand,
    Var,
)
from ad_transform.ir.types import RECORD

_BRACKETS = {
    Container.TUPLE: ("(", ")"),
    Container.LIST: ("[", "]"),
    Container.ARRAY: ("[", "]"),
    Container.DICT: ("{", "}"),
}


def returned(scheduler: Scheduler, frame: Frame) -> list[Piece]:
    """The pieces that the function returns; those too long for a line get a name."""
    function = scheduler.function
    operands = returned_operands(function)
    results = [scheduler.piece(operand, frame) for operand in operands]
    if function.nest.is_leaf or (len(results) == 1 and operands[0].type.shape):
        return [_single(scheduler, frame, results[0], operands[0])]
    if (
        _one_line(results, function.nest) + INDENT + len("return ")
        <= scheduler.composer.limit
    ):
        return results
    for row, depth in _rows(function.nest):
        room = scheduler.composer.limit - INDENT * depth - len("[],")
        for k in _shortened(scheduler, [results[k] for k in row], room):
            results[row[k]] = scheduler.bind(results[row[k]], frame)
    for k, depth in enumerate(_depths(function.nest)):
        room = scheduler.composer.limit - INDENT * (depth + 1) - 1
        piece = results[k]
        if piece.width > room and not piece.is_atom:
            results[k] = scheduler.bind(piece, frame)
    return results


def fits(scheduler: Scheduler, results: Sequence[Piece], depth: int) -> bool:
    """Whether a return at a depth can hold the values: on one line, or, if they end
    with a record, with one value a line.
    """
    arrays = sum(bool(r.type.dims) for r in scheduler.function.results)
    room = scheduler.composer.limit - INDENT * depth - len("return ")
    room -= arrays * len("np.array(, dtype=float)")
    nest = scheduler.function.nest
    wide = results[0].width if nest.is_leaf else _one_line(results, nest)
    return wide <= room or _fit_lines(results, room - 2 * INDENT)


def _fit_lines(results: Sequence[Piece], room: int) -> bool:
    """Whether each value, and each of a record at the end, fits a line of its own."""
    *values, last = results
    if not last.args or last.var is None or last.var.type != RECORD:
        return False
    return all(piece.width <= room for piece in (*values, *last.args))


def _shortened(scheduler: Scheduler, row: list[Piece], room: int) -> list[int]:
    """The entries of a row of a matrix to be bound to names so that it fits a line.

    Values with a hint come first, the widest first; none if the row cannot fit.
    """
    columns = sum(piece.width + 2 for piece in row) - 2
    candidates = [k for k, piece in enumerate(row) if piece.var and not piece.is_atom]
    candidates.sort(key=lambda k: (not _hint(row[k]), -row[k].width))
    chosen: list[int] = []
    for k in candidates:
        if columns <= room:
            break
        var = row[k].var
        assert var is not None
        columns += scheduler.columns(var) - row[k].width
        chosen.append(k)
    return sorted(chosen) if columns <= room else []


def _hint(piece: Piece) -> str:
    return piece.var.hint if piece.var else ""


def _single(
    scheduler: Scheduler, frame: Frame, piece: Piece, operand: Operand
) -> Piece:
    if piece.is_vague:
        # mypy would complain that `Any` is returned
        if scheduler.annotated(piece, frame):
            return piece
        unnamed = piece.is_atom or piece.var is None or not piece.var.hint
        var = Var(operand.type, "value") if unnamed else piece.var
        assert var is not None
        return scheduler.assign(var, piece, frame, annotated=True)
    return scheduler.fitted(piece, frame, len("return "))


def _one_line(results: Sequence[Piece], nest: Nest) -> int:
    columns = sum(piece.width + 2 for piece in results) + _words(nest)
    array = nest.container is Container.ARRAY
    return columns + 2 * _groups(nest) + (len("np.array()") if array else 0)


def _words(nest: Nest) -> int:
    """Columns of keys, of classes, and of None for parts without a derivative."""
    named = len(nest.maker.name) + 1 if nest.maker is not None else 0
    if nest.container is Container.NOTHING:
        return len("None, ")
    return named + sum(map(width, _keys(nest))) + sum(map(_words, nest.items))


def _groups(nest: Nest) -> int:
    return sum(1 + _groups(item) for item in nest.items if not item.is_leaf)


def _depths(nest: Nest, depth: int = 1, inside: bool = False) -> Iterator[int]:
    """For each leaf the number of brackets around it when all are broken."""
    array = nest.container is Container.ARRAY
    deeper = depth + (1 if array and not inside else 0)
    for item in nest.items:
        if item.is_leaf:
            yield deeper
        else:
            yield from _depths(item, deeper + 1, array)


def _rows(nest: Nest, start: int = 0, depth: int = 1) -> Iterator[tuple[range, int]]:
    """The rows of the matrices in a nest: numbers of their leaves, and depth."""
    deeper = depth + 1 + (nest.container is Container.ARRAY)
    lengths = {len(item.items) for item in nest.items}
    flat = all(item.items and all(i.is_leaf for i in item.items) for item in nest.items)
    matrix = flat and len(lengths) == 1 and len(nest.items) > 1
    place = start
    for item in nest.items:
        if matrix:
            yield range(place, place + item.leaves()), deeper
        elif not item.is_leaf:
            yield from _rows(item, place, deeper)
        place += item.leaves()


# --- text -----------------------------------------------------------------------------


_TUPLES = (
    "{text}",
    "{tuple}({text})",
    "{tuple}({map}({tuple}, {text}))",
    "{tuple}({tuple}({map}({tuple}, layer)) for layer in {text})",
)
"""The calls that make tuples of lists, by the number of their dims."""

_ZEROS = re.compile(r"\[0\.0\] \* (len\(\w+\))")
"""A list of zeros as long as another."""


def making_tuples(nest: Nest, rank: int) -> tuple[str, ...]:
    """The builtins that make tuples of a list with so many dims, if the nest is a
    tuple.
    """
    if nest.container is not Container.TUPLE:
        return ()
    return ("builtins.tuple", "builtins.map")[:rank]


AS_IT_IS = "as it is"
"""The mark of arrays of numpy, which are returned as they are."""


class Whole(NamedTuple):
    """A result that is a whole list: the kind of its elements, and how many dims."""

    kind: str
    rank: int


class Returner:
    """Lays out the return statement.

    A result that is a whole list is no item of its container: `whole` says which are,
    and which are arrays of numpy, by AS_IT_IS.
    """

    def __init__(
        self,
        reference: Reference,
        floats: Sequence[bool],
        limit: int,
        joining: Joining,
        whole: Sequence[Whole | str] = (),
    ) -> None:
        self.reference = reference
        self.floats = floats
        self.limit = limit
        self.joining = joining
        self.whole = whole
        self.too_wide = False

    @property
    def _array(self) -> str:
        return self.reference("numpy.array")

    def lines(self, nest: Nest, texts: Sequence[str], indent: int) -> list[str]:
        """`return ...` of a group, on one line if it fits."""
        one = self._text(nest, texts, 0, False)
        bare = one
        if nest.container is Container.TUPLE and len(nest.items) > 1:
            bare = one[1:-1]
        line = f"{' ' * indent}return {bare}"
        if width(line) <= self.limit:
            return [line]
        return self._broken("return ", nest, texts, 0, indent, "", False)

    def _text(self, nest: Nest, texts: Sequence[str], start: int, inside: bool) -> str:
        """A nest on one line; `start` is the number of its first leaf."""
        if nest.container is None:
            return texts[start]
        if nest.container is Container.NOTHING:
            return "None"
        if nest.is_packed:
            return self.joining.text(nest, texts, start)
        array = nest.container is Container.ARRAY
        if holds_whole(nest) and self._is_whole(start):
            return self._list(nest, texts[start], self.whole[start])
        sizes = _sizes(nest) if array and not inside and nest.items else ()
        if sizes and set(texts[start : start + nest.leaves()]) == {"0.0"}:
            size = ", ".join(map(str, sizes))
            size = f"({size})" if len(sizes) > 1 else size
            return f"{self.reference('numpy.zeros')}({size})"
        items: list[str] = []
        place = start
        for item, key in zip(nest.items, _keys(nest), strict=True):
            items.append(key + self._text(item, texts, place, array))
            place += item.leaves()
        opening, closing = self._brackets(nest)
        comma = "," if nest.container is Container.TUPLE and len(items) == 1 else ""
        text = f"{opening}{', '.join(items)}{comma}{closing}"
        if array and not inside:
            return f"{self._array}({text}{self._dtype(start, place)})"
        return text

    def _list(self, nest: Nest, text: str, how: Whole | str) -> str:
        """A list as the array, the tuple or the list that it is handed out as."""
        if isinstance(how, str):
            return text
        if nest.container is Container.ARRAY:
            zeros = _ZEROS.fullmatch(text)
            if zeros is not None and how.kind == "float":
                return f"{self.reference('numpy.zeros')}({zeros[1]})"
            named = self.reference(f"builtins.{how.kind}")
            return f"{self._array}({text}, dtype={named})"
        if nest.container is not Container.TUPLE:
            return text
        names = (q.rpartition(".")[2] for q in making_tuples(nest, how.rank))
        called = {name: self.reference(f"builtins.{name}") for name in names}
        return _TUPLES[how.rank].format(text=text, **called)

    def _brackets(self, nest: Nest) -> tuple[str, str]:
        """The brackets around the items."""
        if nest.maker is not None:
            return f"{self.reference(nest.maker.qualified)}(", ")"
        assert nest.container is not None
        return _BRACKETS[nest.container]

    def _is_whole(self, start: int) -> bool:
        return bool(self.whole[start : start + 1] and self.whole[start])

    def _dtype(self, start: int, end: int) -> str:
        # whole numbers handed in for floats must not make an array of integers
        if any(self.floats[start:end]):
            return ""
        return f", dtype={self.reference('builtins.float')}"

    def _broken(
        self,
        head: str,
        nest: Nest,
        texts: Sequence[str],
        start: int,
        indent: int,
        tail: str,
        inside: bool,
    ) -> list[str]:
        """A nest with one item a line."""
        margin = " " * indent
        assert nest.container is not None
        is_array = holds_whole(nest) and self._is_whole(start)
        if nest.is_packed or is_array:
            text = self._text(nest, texts, start, inside)
            return layout.statement(head, text, tail, indent, self.limit)
        opening, closing = self._brackets(nest)
        array = nest.container is Container.ARRAY
        if array and not inside:
            whole = nest.leaves()
            dtype = self._dtype(start, start + whole)
            inner = self._items(nest, texts, start, indent + 2 * INDENT)
            middle = " " * (indent + INDENT)
            comma = "," if dtype else ""
            last = [f"{middle}{dtype[2:]},"] if dtype else []
            return [
                f"{margin}{head}{self._array}(",
                f"{middle}[",
                *inner,
                f"{middle}]{comma}",
                *last,
                f"{margin}){tail}",
            ]
        inner = self._items(nest, texts, start, indent + INDENT)
        return [f"{margin}{head}{opening}", *inner, f"{margin}{closing}{tail}"]

    def _items(
        self, nest: Nest, texts: Sequence[str], start: int, indent: int
    ) -> list[str]:
        lines: list[str] = []
        array = nest.container is Container.ARRAY
        place = start
        for item, key in zip(nest.items, _keys(nest), strict=True):
            margin = " " * indent
            text = self._text(item, texts, place, array)
            line = f"{margin}{key}{text},"
            fits = width(line) <= self.limit
            if not fits and item.is_leaf and layout.is_tuple(text):
                lines += layout.bracketed(text, margin, ",", self.limit)
            elif fits or not item.items:
                self.too_wide = self.too_wide or not fits
                lines.append(line)
            else:
                lines += self._broken(key, item, texts, place, indent, ",", array)
            place += item.leaves()
        return lines


def _sizes(nest: Nest) -> tuple[int, ...]:
    """The shape of an array of numbers."""
    return () if nest.is_leaf else (len(nest.items), *_sizes(nest.items[0]))


def _keys(nest: Nest) -> Sequence[str]:
    """The texts in front of the items: keys in a dict, names of arguments."""
    if nest.maker is not None:
        return [f"{name}=" for name in nest.names]
    if nest.container is not Container.DICT:
        return [""] * len(nest.items)
    return [f"{key_text(name)}: " for name in nest.names]


def surely_floats(function: Function) -> list[bool]:
    """For each result whether it is a float even if whole numbers are handed in."""
    made: dict[Operand, bool] = {}
    for line in function.body:
        if isinstance(line, Apply):
            made[line.out] = line.op.result == "float" or (
                line.op.result == "promote"
                and any(made.get(a, _is_float(a)) for a in line.args)
            )
    return [
        made.get(r, _is_float(r) or (isinstance(r, Literal) and k >= function.primal))
        for k, r in enumerate(function.results)
    ]


def _is_float(operand: Operand) -> bool:
    return isinstance(operand, Literal) and isinstance(operand.value, float)
