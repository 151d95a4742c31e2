"""Programs with the functions that they call written out, but for recursive ones.

The share that each line has in an error is told of operations in one program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.blocks.blocks import placed
from ad_transform.ir.called import callees_of, reached
from ad_transform.ir.nodes import (
    Block,
    Call,
    Function,
    Operand,
    Scan,
    Statement,
    While,
    walk,
)


def without_calls(function: Function, helpers: Sequence[Function]) -> Function:
    """The function with those that it calls in their places; calls of functions that
    call themselves stay. Linear in the program that is written.
    """
    if Call not in function.block.all_kinds:
        return function
    functions = {helper.name: helper for helper in helpers}
    callees = {name: callees_of(own) for name, own in functions.items()}
    own = {n: f for n, f in functions.items() if n not in reached(callees, n)}
    return replace(function, block=_Writer(own).written(function.block))


@dataclass(slots=True)
class _Writer:
    functions: Mapping[str, Function]
    count: int = 0

    def written(self, block: Block) -> Block:
        env: dict[Operand, Operand] = {}
        body: list[Statement] = []
        for statement in block.body:
            here = statement.over(env).map_blocks(self.written)
            if isinstance(here, Call) and here.callee in self.functions:
                inner = self.written(self._copy(here))
                body += inner.body
                env.update(zip(here.outs, inner.results, strict=True))
            else:
                body.append(here)
        results = tuple(env.get(r, r) for r in block.results)
        return Block(block.params, tuple(body), results)

    def _copy(self, call: Call) -> Block:
        """The block of a callee over the arguments, with dims of its own."""
        block = self.functions[call.callee].block
        self.count += 1
        names = dict.fromkeys(_trips(block))
        own = {name: f"call.{self.count}.{k}" for k, name in enumerate(names)}
        return placed(block, call.args, own)


def _trips(block: Block) -> Iterator[str]:
    """The dims of what the loops of a block record."""
    for statement in walk(block.body):
        if isinstance(statement, Scan | While):
            for stack in statement.stacks:
                yield str(stack.type.dims[0])
