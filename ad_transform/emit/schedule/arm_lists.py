"""Lists to which arms append their records, and from which arms back take them.

saved: list[tuple[float, float]] = []         in front of the loop
...
    if x > 1.0:                                   if x > 1.0:
        root = sqrt(x)                                root, y = saved.pop()
        y = p * root                                  ...
        saved.append((root, y))

These are statements of printed functions alone: they name a list that stands outside of
their block, which no law of the IR allows.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, cast

from ad_transform.ir.nodes import Block, Operand, Rebuildable, Statement, Var, node

if TYPE_CHECKING:
    from ad_transform.emit.schedule.lines import Item

_NO_VARS: tuple[Var, ...] = ()


@node
class Begin(Rebuildable):
    """An empty list, `held`, for items with values of these types."""

    held: Var
    types: tuple[Item, ...]
    outs = _NO_VARS
    inputs = _NO_VARS

    @property
    def label(self) -> Hashable:
        return ("begin", self.held)

    def rebuilt(
        self,
        outs: tuple[Var, ...],
        inputs: tuple[Operand, ...],
        blocks: tuple[Block, ...],
    ) -> Begin:
        return self


@node
class Keep(Rebuildable):
    """`held.append(args)`, of several values as a tuple."""

    held: Var
    args: tuple[Operand, ...]
    outs = _NO_VARS

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return self.args

    @property
    def label(self) -> Hashable:
        return ("keep", self.held)

    def rebuilt(
        self,
        outs: tuple[Var, ...],
        inputs: tuple[Operand, ...],
        blocks: tuple[Block, ...],
    ) -> Keep:
        return Keep(self.held, inputs)


@node
class TakeBack(Rebuildable):
    """`outs = held.pop()`."""

    held: Var
    outs: tuple[Var, ...]
    inputs = _NO_VARS

    @property
    def label(self) -> Hashable:
        return ("take", self.held)

    def rebuilt(
        self,
        outs: tuple[Var, ...],
        inputs: tuple[Operand, ...],
        blocks: tuple[Block, ...],
    ) -> TakeBack:
        return TakeBack(self.held, outs)


def statement(made: Begin | Keep | TakeBack) -> Statement:
    """The same object, typed as a statement of the IR: blocks hold both kinds."""
    return cast(Statement, made)
