"""The hook of a reverse sweep: it is handed the adjoint of every operation it asks for.

A hook perturbs operations: the result of each gets a column of its own, so that its
adjoint is an entry of the run that it stands in. In every block under the sweep (body,
arm, trip of a loop) the hook turns these adjoints into a few totals. The sweep carries
the totals out of the block: of a branch as its values, of a loop as carries of the loop
back. So `sum(|x_bar| * ulp(x))` over all operations of all trips is one
total. There is a set of totals for each direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ad_transform.dataclass import dataclass
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Statement, Var
from ad_transform.ir.types import FLOAT

if TYPE_CHECKING:
    from ad_transform.derive.sweep.context import Adjoints

Operands = tuple[Operand, ...]

Seen = tuple[Apply, Operands]
"""An operation that is perturbed, and its adjoint in each direction."""

Totals = tuple[Operands, ...]
"""For each direction the totals of a hook."""


class Hook(Protocol):
    """An observer of the adjoints of the operations of one block.

    names     the names of its totals, in order
    perturbs  whether the adjoint of an operation is asked for
    guarded   the operation with the partials that the sweep is to use
    inside    the hook for an inner block of a `holder`, whose parameters `columns` vary
    gathered  the totals in one direction, given operations with their adjoints, and
              sets of totals that are to be included
    callees   the functions for the way back through calls: they give totals, too
    """

    @property
    def names(self) -> tuple[str, ...]: ...

    def perturbs(self, statement: Apply) -> bool: ...

    def guarded(self, statement: Apply) -> Apply: ...

    def inside(
        self, block: Block, columns: Sequence[Var], holder: Statement
    ) -> Hook: ...

    def gathered(
        self,
        builder: Builder,
        seen: Sequence[tuple[Apply, Operand]],
        totals: Sequence[Operands],
    ) -> Operands: ...

    @property
    def callees(self) -> Adjoints: ...


NOTHING = Literal(0.0)


def nothing(hook: Hook | None, directions: int) -> Totals:
    """The totals before anything has been seen: zeros."""
    return ((NOTHING,) * len(hook.names) if hook else (),) * directions


def unknown(hook: Hook | None, directions: int) -> tuple[tuple[Var, ...], ...]:
    """New variables for totals."""
    names = hook.names if hook else ()
    return tuple(tuple(Var(FLOAT, name) for name in names) for _ in range(directions))


@dataclass(slots=True)
class Gathering:
    """The adjoints and totals of one block, for its hook.

    `totals` have come through the loops of the block so far, one after the other;
    `others` are those of its branches.
    """

    totals: Totals
    seen: list[Seen]
    others: list[Totals]

    def all(self, hook: Hook, builder: Builder) -> Totals:
        """The totals of the block; statements for them go into the builder."""
        found = []
        for d, own in enumerate(self.totals):
            seen = [(s, adjoint[d]) for s, adjoint in self.seen]
            others = [totals[d] for totals in self.others]
            found.append(
                hook.gathered(builder, seen, [own, *others]) if seen or others else own
            )
        return tuple(found)


def moved(before: Totals, after: Totals) -> list[tuple[int, int]]:
    """The places of the totals that have changed, by direction and number."""
    return [
        (d, k)
        for d, (old, new) in enumerate(zip(before, after, strict=True))
        for k, (one, other) in enumerate(zip(old, new, strict=True))
        if one != other
    ]


def holding(builder: Builder, body: Sequence[Statement]) -> int:
    """Put statements into a builder as they stand; returns its number of statements."""
    for statement in body:
        if isinstance(statement, Apply):
            builder.adopt(statement)
            builder.definition.setdefault(statement.out, statement)
        else:
            builder.body.append(statement)
    return len(builder.body)
