"""Loops that go over the whole of an array.

The elements of `y` that the trips of `for i in range(n)` read may be recorded one by
one; if the trips read all of it, a copy of `y` takes less time and no more room. In
`for j in range(k)` with `y[j]` they may read few of many elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from ad_transform.dataclass import dataclass
from ad_transform.elementals.arrays import MADE
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.dims import Dim
from ad_transform.ir.loops.affine import AffineForm, minus, number, plus
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import INT

_LEFT = 2
"""Elements at an end of an array that a loop over the whole of it may leave out."""

_LONGER = re.compile(r"([\w.]+?)([+-]\d+)")
"""A dim that is a name and a number."""


@dataclass(frozen=True, slots=True)
class _Nest:
    """A block inside a loop: its names for the array, and the loops by index."""

    block: Block
    arrays: Set[Operand]
    loops: Mapping[Var | None, Scan]


class Covering:
    """The whole numbers of a program as forms, and the lengths of its arrays.

    Its answers are only likely: no length is taken to be below 0. Linear in the
    statements.
    """

    def __init__(self, body: Sequence[Statement]) -> None:
        self._forms: dict[Operand, AffineForm] = {}
        self._lengths: dict[Dim, AffineForm] = {}
        self._looked_up: dict[Var | None, Apply] = {}
        self._told: dict[tuple[Statement, Var], bool] = {}
        waiting = [body]
        while waiting:
            for statement in waiting.pop():
                if isinstance(statement, Apply):
                    self._enter(statement)
                for block in statement.blocks:
                    steady = set(statement.inputs)
                    if isinstance(statement, Scan | While):
                        steady.difference_update(statement.carries)
                    for param, operand in handed(statement, block):
                        if param.type == INT and operand in steady:
                            self._forms[param] = self._of(operand)
                    waiting.append(block.body)

    def covers(self, loop: Scan | While, param: Var) -> bool:
        """Whether the trips of a loop, with the loops in it, go over the whole of the
        array that a parameter of its body stands for. Linear in its statements, once.
        """
        if (loop, param) not in self._told:
            self._told[loop, param] = self._covers(loop, param)
        return self._told[loop, param]

    def _covers(self, loop: Scan | While, param: Var) -> bool:
        waiting = [_Nest(loop.body, {param}, _with(loop, {}))]
        while waiting:
            nest = waiting.pop()
            for statement in nest.block.body:
                if nest.arrays.isdisjoint(statement.inputs):
                    continue
                if isinstance(statement, Apply):
                    is_read = statement.op.name == "get"
                    if is_read and self._are_all(statement, nest.loops):
                        return True
                waiting += _inside(statement, nest)
        return False

    def _are_all(self, read: Apply, loops: Mapping[Var | None, Scan]) -> bool:
        """Whether an operation reads, in the trips of some loops, all elements of an
        array but for a few.
        """
        array, *indices = read.args
        free = dict(loops)
        if len(indices) != len(array.type.dims):
            return False
        for dim, index in zip(array.type.dims, indices, strict=True):
            form = self._of(index)
            found = next(
                (i for i in form if i in free and self._is_whole(free[i], dim)), None
            )
            if found is not None:
                del free[found]
                continue
            table = self._looked_up.get(next(iter(form), None))
            if table is None or not self._are_all(table, free):
                return False
        return True

    def _is_whole(self, loop: Scan, dim: Dim) -> bool:
        """Whether a loop goes over an axis, but for a few places at the ends."""
        length = self._length(dim)
        first, last = self._of(loop.start), self._of(loop.stop)
        if loop.step == Literal(-1):
            first, last = plus(last, number(1)), plus(first, number(1))
        elif loop.step != Literal(1):
            return False
        if length is None:
            return False
        left = first, minus(length, last)
        return all(form.keys() <= {None} for form in left) and all(
            abs(form.get(None, 0)) <= _LEFT for form in left
        )

    def _length(self, dim: Dim) -> AffineForm | None:
        """The length of an axis."""
        if isinstance(dim, int):
            return number(dim)
        found = self._lengths.get(dim)
        match = None if found is not None else _LONGER.fullmatch(dim)
        if match is not None and match[1] in self._lengths:
            return plus(self._lengths[match[1]], number(int(match[2])))
        return found

    def _of(self, operand: Operand) -> AffineForm:
        if isinstance(operand, Literal):
            return number(int(operand.value))
        return self._forms.get(operand) or {operand: 1}

    def _enter(self, made: Apply) -> None:
        """Note the form of a whole number, or the lengths of a new array."""
        name, args, type_ = made.op.name, made.args, made.out.type
        if type_ == INT:
            match name, args:
                case "add", (a, b):
                    self._forms[made.out] = plus(self._of(a), self._of(b))
                case "sub", (a, b):
                    self._forms[made.out] = minus(self._of(a), self._of(b))
                case "max", (a, Literal(0)):
                    self._forms[made.out] = self._of(a)
                case "size", (array, *row):
                    dim = array.type.dims[len(row)]
                    own = self._length(dim)
                    form: AffineForm = {made.out: 1} if own is None else own
                    self._forms[made.out] = self._lengths.setdefault(dim, form)
                case "get", _:
                    self._looked_up[made.out] = made
        elif name in MADE.values():
            for dim, count in zip(type_.dims, args[1:], strict=False):
                self._lengths.setdefault(dim, self._of(count))


def _with(
    statement: Statement, loops: Mapping[Var | None, Scan]
) -> Mapping[Var | None, Scan]:
    """Loops by their indices, with one more if the statement is one."""
    if not isinstance(statement, Scan):
        return loops
    return {**loops, statement.body.params[0]: statement}


def _inside(statement: Statement, nest: _Nest) -> Iterator[_Nest]:
    """The blocks of a statement that are handed the array."""
    for block in statement.blocks:
        pairs = handed(statement, block)
        arrays = {param for param, operand in pairs if operand in nest.arrays}
        if arrays:
            yield _Nest(block, arrays, _with(statement, nest.loops))
