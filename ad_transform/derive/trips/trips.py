"""One trip of a loop as a function of its own, which another run of the trip calls.

A loop that holds only some of its states makes the others again on the way back, trip
by trip. So its body is a function that both ways call; see `ir.looping.Snapshots`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ad_transform.dataclass import replace
from ad_transform.derive.sweep.stacks import records_states
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.nodes import (
    Block,
    Bundle,
    Call,
    Function,
    Operand,
    Parameter,
    Scan,
    Statement,
    Var,
    While,
    one_or_tuple,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.later import later

with later():
    from ad_transform.ir.unlike import claimed

Loop = Scan | While


def with_steps(function: Function) -> Bundle:
    """The function, and one for a trip of each of its loops that holds few states."""
    if not any(map(records_states, function.nested)):
        return Bundle(function)
    outliner = _Outliner(function)
    block = bounce(outliner.block(function.block))
    return Bundle(replace(function, block=block), tuple(outliner.steps))


def without_states(function: Function) -> Function:
    """The function with loops that hold all that they record."""
    marked = (isinstance(s, Loop) and s.snapshots for s in function.nested)
    if not any(marked):
        return function
    return replace(function, block=bounce(_holding_all(function.block)))


def _holding_all(block: Block) -> Task[Block]:
    body: list[Statement] = []
    for statement in block.body:
        blocks: list[Block] = []
        for inner in statement.blocks:
            blocks.append((yield _holding_all(inner)))
        rest = statement.outs, statement.inputs, tuple(blocks)
        made = statement.rebuilt(*rest) if blocks else statement
        body.append(replace(made, snapshots=None) if isinstance(made, Loop) else made)
    return replace(block, body=tuple(body))


class _Outliner:
    """Makes the functions, the inner ones first."""

    def __init__(self, function: Function) -> None:
        self.stem = f"_{function.name.lstrip('_')}_step"
        self.steps: list[Function] = []

    def block(self, block: Block) -> Task[Block]:
        body: list[Statement] = []
        for statement in block.body:
            blocks: list[Block] = []
            for inner in statement.blocks:
                blocks.append((yield self.block(inner)))
            rebuilt = statement.rebuilt(statement.outs, statement.inputs, tuple(blocks))
            body.append(rebuilt if blocks else statement)
        for place, loop in enumerate(body):
            if isinstance(loop, Scan | While) and records_states(loop):
                back = _mirror(body, loop, block.results)
                if back is not None:
                    body[place], body[back] = self.parted(loop, body[back])
        return Block(block.params, tuple(body), block.results)

    def parted(self, loop: Loop, back: Statement) -> tuple[Statement, Statement]:
        """The loop with calls of its trip, and the loop back with the same."""
        assert isinstance(back, Scan)
        assert loop.snapshots is not None
        number = len(self.steps) + 1
        name = self.stem + (f"_{number}" if number > 1 else "")
        step, block = _step(name, loop)
        self.steps.append(step)
        held = replace(loop.snapshots, step=name)
        return (
            replace(loop, body=block, snapshots=held),
            replace(back, snapshots=held),
        )


def _mirror(
    body: list[Statement], loop: Loop, results: tuple[Operand, ...]
) -> int | None:
    """The place of the loop back over the stacks, if there is just one and nothing else
    reads them; else None.
    """
    stacks = set(loop.stacks)
    readers = [k for k, s in enumerate(body) if not stacks.isdisjoint(s.inputs)]
    if len(readers) != 1 or not stacks.isdisjoint(results):
        return None
    reader = body[readers[0]]
    fits = (
        isinstance(reader, Scan)
        and reader.backwards
        and reader.snapshots == loop.snapshots
        and set(reader.entries) == stacks
        and sum(operand in stacks for operand in reader.inputs) == len(stacks)
    )
    return readers[0] if fits else None


def _step(name: str, loop: Loop) -> tuple[Function, Block]:
    """A trip of a loop as a function, and the body of the loop that calls it."""
    body = loop.body
    read = {o for s in body.body for o in s.inputs}.union(loop.handed_on)
    taken = [p for p in body.params if p in read]
    parameters = tuple(_parameters(taken))
    trip = Block(tuple(taken), body.body, loop.handed_on)
    step = Function(name, parameters, trip, one_or_tuple(len(loop.carries)))
    params = tuple(another(p, {}) for p in body.params)
    mine = dict(zip(body.params, params, strict=True))
    outs = tuple(Var(p.type, p.hint) for p in loop.carry_params)
    call = Call(outs, name, tuple(mine[p] for p in taken))
    records = (mine[r] if isinstance(r, Var) else r for r in loop.records)
    return step, Block(params, (call,), (*outs, *records))


def _parameters(taken: Iterable[Var]) -> Iterator[Parameter]:
    """Parameters with names of their own."""
    names: set[str] = set()
    for var in taken:
        wish = var.hint.strip("_") if var.hint.isidentifier() else ""
        yield Parameter(claimed(wish or "value", names), (var,))
