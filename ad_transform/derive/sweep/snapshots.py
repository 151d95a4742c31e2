"""Loops that may hold only some of what the way back needs: checkpointing.

Such a loop records what its carries are when a trip begins, and nothing else; the body
back makes all that it reads from these again. So the states that are not held can be
made again from those that are. Griewank & Walther 2000.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.derive.sweep.cut import Split
from ad_transform.derive.sweep.order import ordered
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.ir.blocks import live
from ad_transform.ir.nodes import (
    Block,
    Operand,
    Scan,
    Snapshots,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import Type

Loop = Scan | While


def over_arrays() -> Refusal:
    """What is said of a checkpointed loop over arrays that change."""
    text = "a loop over arrays that change cannot be checkpointed yet"
    help_ = "leave out the mark: what it overwrites is held"
    return Refusal(Diagnostic("AD031", text, help=help_))


def states_of(loop: Loop) -> Snapshots | None:
    """How many states a loop may hold, None where it holds all that it records.

    Raises Refusal AD031 where arrays are part of a state.
    """
    goes_over = isinstance(loop, Scan) and (loop.entries or loop.backwards)
    if goes_over or loop.stacks or loop.snapshots is None:
        return None
    if any(carry.type.dims for carry in loop.carries):
        raise over_arrays()
    return loop.snapshots


def whole_trip(
    forth: Sequence[Statement],
    back: Sequence[Statement],
    results: tuple[Operand, ...],
    states: tuple[Var, ...],
) -> Split:
    """All of a trip on the way back: what it reads is made of its state again.

    What is checked has been checked on the way forth.
    """
    body = ordered([s for s in (*forth, *back) if s.outs])
    return Split((), states, live(body, results))


def recording(loop: Loop, body: Block, dim: int | str) -> tuple[Loop, tuple[Var, ...]]:
    """The loop forth, recording its states, and their stacks.

    It is the loop itself: its values have the same variables.
    """
    first = 1 if isinstance(loop, Scan) else 0
    states = body.params[first : first + len(loop.carries)]
    stacks = tuple(Var(Type(s.type.kind, (dim,)), s.hint) for s in states)
    block = Block(body.params, body.body, (*body.results, *states))
    trips = loop.outs[len(loop.carries) :]
    outs = (*loop.outs[: len(loop.carries)], *stacks, *trips)
    blocks = (*loop.blocks[:-1], block)
    return loop.rebuilt(outs, loop.inputs, blocks), stacks


def run_again(loop: Loop) -> Loop:
    """The same loop over values of its own."""
    outs = tuple(Var(o.type, o.hint, o.span, o.named) for o in loop.outs)
    return loop.rebuilt(outs, loop.inputs, loop.blocks)
