"""Arrays as long as others, filled with one value; the lifetime of arrays.

An array lasts if nothing changes it while the body runs: the statements back may read
it as the statements forth have. Of one that does not last they get the length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import COPY, LIKE, MADE
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import FLOAT, INT, Type
from ad_transform.ir.typing import DECLARED, result_type

_KEEPING = frozenset({"set", "add_at", "sub_at", *COPY.values(), *LIKE.values()})
"""Operations that give an array as long as their first argument."""

_NOTHING: tuple[Statement | None, int] = (None, 0)


class Shapes:
    """The lengths of the arrays of a body, as far as they are known.

    `lasting` are arrays from outside, and results, that nothing changes later, `lost`
    those from outside that are not there on the way back; `wanted` are the results.
    """

    def __init__(
        self,
        body: Sequence[Statement],
        lasting: Iterable[Operand],
        wanted: Iterable[Operand],
        lost: Iterable[Operand] = (),
    ) -> None:
        self._maker: dict[Operand, tuple[Statement, int]] = {
            out: (statement, k)
            for statement in body
            for k, out in enumerate(statement.outs)
            if out.type.dims
        }
        handed_on = set(wanted)
        self.lasting: set[Operand] = set(self._maker) - handed_on
        self.lasting.update(lasting)
        if self.lasting:
            self.lasting -= Consumption().by_all(body)
        self.lost = frozenset(lost)
        self.early: list[Statement] = []

    def are_left(self, statement: Statement) -> bool:
        """Whether nothing else changes an array that a statement reads."""
        arrays = {o for o in statement.inputs if o.type.dims} - self.lasting
        if not arrays.isdisjoint(self.lost):
            return False
        return not arrays or arrays <= Consumption().by(statement)

    def filled(
        self, array: Operand, value: Operand, alike: Operand | None = None
    ) -> tuple[list[Statement], Var]:
        """Statements that make an array as long as another, filled with a value.

        Where the other has changed by then, `alike` tells its length, which can be
        read; else the statements that have to run before it changes are entered in
        `early`.
        """
        first = self._first(array)
        sizes = self._sizes(first)
        if sizes is not None:
            return _apply(MADE[len(array.type.dims)], array.type, value, *sizes)
        if first in self.lasting:
            return _like(first, value)
        if alike is not None:
            return _like(alike, value)
        if len(array.type.dims) == 1:
            made, count = _apply("size", INT, first)
            self.early += made
            return _apply("full", array.type, value, count)
        made, zeros = _like(first, Literal(0.0))
        self.early += made
        return ([], zeros) if value == Literal(0.0) else _like(zeros, value)

    def sizes(self, array: Operand) -> tuple[list[Statement], tuple[Operand, ...]]:
        """The lengths of an array along its axes, and statements that ask for them."""
        first = self._first(array)
        known = self._sizes(first)
        if known is not None:
            return [], known
        asked = first if first in self.lasting else array
        body: list[Statement] = []
        found: list[Operand] = []
        for k, dim in enumerate(array.type.dims):
            if isinstance(dim, int):
                found.append(Literal(dim))
                continue
            made, size = _apply("size", INT, asked, *(Literal(0),) * k)
            body += made
            found.append(size)
        return body, tuple(found)

    def _first(self, array: Operand) -> Operand:
        """The array of the same length that an array was made of in the end."""
        while True:
            statement, k = self._maker.get(array, _NOTHING)
            if isinstance(statement, Apply) and statement.op.name in _KEEPING:
                array = statement.args[0]
            elif isinstance(statement, Scan | While) and _keeps(statement, k):
                array = statement.carries[k]
            elif isinstance(statement, Branch):
                handed = _handed(statement, k)
                if handed is None:
                    return array
                array = handed
            else:
                return array

    def _sizes(self, array: Operand) -> tuple[Operand, ...] | None:
        """The lengths that an array was made with."""
        statement, _ = self._maker.get(array, _NOTHING)
        if isinstance(statement, Apply) and statement.op.name in MADE.values():
            return statement.args[1:]
        if isinstance(statement, Apply) and statement.op.name == "pack":
            rank = len(statement.out.type.dims)
            return (Literal(len(statement.args)),) if rank == 1 else None
        return None


def _handed(branch: Branch, k: int) -> Operand | None:
    """The argument whose length value k has in both arms; None if there is none."""
    firsts = []
    for block in branch.blocks:
        first = Shapes(block.body, (), ())._first(block.results[k])
        params: tuple[Operand, ...] = block.params
        firsts.append(params.index(first) if first in params else None)
    one, other = firsts
    return branch.args[one] if one is not None and one == other else None


def _keeps(loop: Scan | While, k: int) -> bool:
    """Whether value k of a loop is a carry that keeps its length."""
    dims = loop.outs[k].type.dims
    return (
        k < len(loop.carries) and ANY not in dims and loop.carries[k].type.dims == dims
    )


def zeros(array: Operand) -> tuple[list[Statement], Var]:
    """Statements that make float zeros as long as an array that can be read."""
    if array.type.is_real:
        return _like(array, Literal(0.0))
    body: list[Statement] = []
    sizes: list[Operand] = []
    for k in range(len(array.type.dims)):
        made, size = _apply("size", INT, array, *(Literal(0),) * k)
        body += made
        sizes.append(size)
    type_ = Type(FLOAT.kind, array.type.dims)
    made, out = _apply(MADE[len(sizes)], type_, Literal(0.0), *sizes)
    return [*body, *made], out


def _like(array: Operand, value: Operand) -> tuple[list[Statement], Var]:
    return _apply(LIKE[len(array.type.dims)], array.type, array, value)


def _apply(name: str, type_: Type, *args: Operand) -> tuple[list[Statement], Var]:
    op = TABLE[name]
    out = Var(type_ if op.result == DECLARED else result_type(op, args))
    return [Apply(out, op, args)], out
