"""The operations that statements of every kind have: substitution, renaming, blocks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Self, TypeAlias

from ad_transform.ir.values import Operand, Var

if TYPE_CHECKING:
    from ad_transform.ir.statements import Block

Vars: TypeAlias = tuple[Var, ...]
Operands: TypeAlias = tuple[Operand, ...]
Blocks: TypeAlias = "tuple[Block, ...]"


class Rebuildable:
    """The operations that every statement has, by its `rebuilt`."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def outs(self) -> Vars: ...
        @property
        def inputs(self) -> Operands: ...
        @property
        def label(self) -> Hashable: ...
        @property
        def blocks(self) -> Blocks: ...

        def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Self:
            """The same statement with as many other outs, inputs and blocks."""
            ...

    else:
        blocks = ()  # most statements hold none

    def over(self, env: Mapping[Operand, Operand]) -> Self:
        """The same statement on the values that `env` gives for its inputs."""
        inputs = self.inputs
        if env.keys().isdisjoint(inputs):
            return self
        seen = tuple([env.get(operand, operand) for operand in inputs])
        return self.rebuilt(self.outs, seen, self.blocks)

    def binding(self, outs: Vars) -> Self:
        """The same statement, its values called `outs`."""
        return self.rebuilt(outs, self.inputs, self.blocks)

    def map_blocks(self, change: Callable[[Block], Block]) -> Self:
        """The same statement with each of its blocks changed."""
        if not self.blocks:
            return self
        return self.rebuilt(self.outs, self.inputs, tuple(map(change, self.blocks)))


def cut(
    operands: Sequence[Operand], first: int, second: int
) -> tuple[Operands, Operands, Operands]:
    """The first operands, the second ones, and the rest; two counts tell how many."""
    values, end = tuple(operands), first + second
    return values[:first], values[first:end], values[end:]
