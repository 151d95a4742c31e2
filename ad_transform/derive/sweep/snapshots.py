"""Checkpointing: loops that may hold only a part of the values for the way back.

Such a loop records its carries at the beginning of a trip, and nothing else; the body
back makes all other values from these again. So the states that are not held can be
made again from those that are. Griewank & Walther 2000.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.derive.sweep.cut import Split
from ad_transform.derive.sweep.order import ordered
from ad_transform.elementals.arrays import COPY
from ad_transform.elementals.copies import copy_of
from ad_transform.ir.blocks.consumed import Consumption, handed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Operand,
    Scan,
    Snapshots,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Type

Loop = Scan | While


def states_of(loop: Loop) -> Snapshots | None:
    """The states that a loop may hold; None if it holds all of its records."""
    goes_over = isinstance(loop, Scan) and (loop.entries or loop.backwards)
    return None if goes_over or loop.stacks else loop.snapshots


def on_copies(body: Iterable[Statement], mixed: bool) -> tuple[Statement, ...]:
    """The statements, where trips of loops that hold states change copies of the
    state's arrays. So a state stays as it was, and trips can be run from it again.
    Linear.

    Such a loop reads copies of arrays that change elsewhere. Inside blocks, and unless
    the two ways are `mixed`, it is run again on the way back: there are copies of its
    first arrays.
    """
    return bounce(_Copying().made(tuple(body), not mixed, frozenset()))


class _Copying:
    """Copies put into bodies."""

    def __init__(self) -> None:
        self._consumption = Consumption()

    def made(
        self, body: tuple[Statement, ...], starts: bool, changed: Set[Operand]
    ) -> Task[tuple[Statement, ...]]:
        """The statements of a body with copies; `changed` are its parameters that
        change later, and `starts` says whether loops are run again.
        """
        if not any(statement.blocks for statement in body):
            return body
        changed = changed | self._consumption.by_all(body)
        found: list[Statement] = []
        for statement in body:
            blocks: list[Block] = []
            for block in statement.blocks:
                own = {p for p, o in handed(statement, block) if o in changed}
                inner = yield self.made(block.body, True, own)
                blocks.append(replace(block, body=inner))
            inputs = statement.inputs
            if isinstance(statement, Loop) and states_of(statement) is not None:
                blocks[-1] = _on_copies(statement, blocks[-1])
                kept = [read for read in _arrays(statement.reads) if read in changed]
                copies = {read: copy_of(read) for read in kept}
                found += copies.values()
                if starts:
                    found += map(copy_of, _arrays(statement.carries))
                env = {read: copy.out for read, copy in copies.items()}
                inputs = statement.over(env).inputs
            rest = statement.outs, inputs, tuple(blocks)
            found.append(statement.rebuilt(*rest) if blocks else statement)
        return tuple(found)


def _on_copies(loop: Loop, block: Block) -> Block:
    """The block of a trip that changes copies of its arrays."""
    copies = [copy_of(state) for state in _arrays(carried(loop, block))]
    changed = _over(block, {copy.args[0]: copy.out for copy in copies})
    return replace(changed, body=(*copies, *changed.body))


def in_place(loop: Loop) -> Loop:
    """A loop `on_copies` with trips that change the arrays themselves."""
    *tests, block = loop.blocks
    count = len(_arrays(carried(loop, block)))
    copies = [s for s in block.body[:count] if isinstance(s, Apply)]
    rest = replace(block, body=block.body[count:])
    plain = _over(rest, {copy.out: copy.args[0] for copy in copies})
    return loop.rebuilt(loop.outs, loop.inputs, (*tests, plain))


def _arrays(values: Iterable[Operand]) -> list[Operand]:
    """The lists among values, each once."""
    return list(dict.fromkeys(value for value in values if value.type.dims))


def _over(block: Block, env: Mapping[Operand, Operand]) -> Block:
    """The block over other values."""
    body = tuple(statement.over(env) for statement in block.body)
    results = tuple(env.get(result, result) for result in block.results)
    return Block(block.params, body, results)


def carried(loop: Loop, block: Block) -> tuple[Var, ...]:
    """The parameters of a trip that are carries of the loop."""
    return block.params[loop.first_carry : loop.first_read]


def whole_trip(
    forth: Sequence[Statement],
    back: Sequence[Statement],
    results: tuple[Operand, ...],
    states: tuple[Var, ...],
) -> Split:
    """All of a trip on the way back: its values are made again from its state.

    Checks have been made on the way forth.
    """
    body = ordered([s for s in (*forth, *back) if s.outs])
    return Split((), states, live(body, results))


def recording(loop: Loop, body: Block, dim: int | str) -> tuple[Loop, tuple[Var, ...]]:
    """The loop forth, recording its states, and their stacks.

    It is the loop itself: its values have the same variables.
    """
    states = carried(loop, body)
    stacks = tuple(
        Var(Type(s.type.kind, (dim, *s.type.dims), s.type.shape), s.hint)
        for s in states
    )
    block = Block(body.params, body.body, (*body.results, *states))
    trips = loop.outs[len(loop.carries) :]
    outs = (*loop.finals, *stacks, *trips)
    blocks = (*loop.blocks[:-1], block)
    return loop.rebuilt(outs, loop.inputs, blocks), stacks


def run_again(loop: Loop, body: Sequence[Statement]) -> list[Statement]:
    """The same loop over fresh values, behind copies of its first arrays; in a body
    `on_copies` the last copy of each is unchanged.
    """
    copies = {s.args[0]: s for s in body if isinstance(s, Apply) and _copies(s)}
    own = {start: copy_of(copies[start].out) for start in _arrays(loop.carries)}
    outs = tuple(Var(o.type, o.hint, o.span, o.named) for o in loop.outs)
    again = loop.over({start: copy.out for start, copy in own.items()})
    return [*own.values(), again.binding(outs)]


def _copies(statement: Apply) -> bool:
    return statement.op.name in COPY.values()
