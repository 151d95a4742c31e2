"""What loops record, as lists: one for each record, or one of tuples.

A target may prefer a list of tuples where every loop that goes over them reads them
all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.ir.dims import ANY
from ad_transform.ir.ends import is_held
from ad_transform.ir.nodes import (
    Call,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    node,
    walk,
)
from ad_transform.ir.types import Kind, Type

IsTuple = Callable[[Sequence[Type]], bool]
"""Whether what a trip records is better one item of a list than of several."""


@node
class Saved:
    """One list for the records of a loop, `var`, and the stacks it stands for."""

    var: Var
    stacks: tuple[Var, ...]

    @property
    def types(self) -> tuple[Type, ...]:
        """What an item of the list is."""
        return tuple(stack.type.entry for stack in self.stacks)


def saved(function: Function, is_tuple: IsTuple) -> Mapping[Var, Saved]:
    """By stack, the list of tuples that holds it; the others have lists of their own.

    Linear.
    """
    readers = _readers(function)
    found: dict[Var, Saved] = {}
    for statement in walk(function.body):
        if isinstance(statement, Scan | While) and not is_held(statement):
            by_readers: dict[tuple[Statement, ...], list[Var]] = {}
            for stack in statement.stacks:
                loops = readers.get(stack)
                if loops:
                    by_readers.setdefault(tuple(loops), []).append(stack)
            for stacks in by_readers.values():
                one = Saved(Var(Type(Kind.FLOAT, (ANY,)), "saved"), tuple(stacks))
                if is_tuple(one.types):
                    found.update(dict.fromkeys(stacks, one))
    return found


def _readers(function: Function) -> dict[Operand, list[Statement]]:
    """The loops that go over each stack, none if anything else reads it."""
    loops: dict[Operand, list[Statement]] = {}
    others: set[Operand] = set(function.results)
    for statement in walk(function.body):
        if isinstance(statement, Scan):
            entries = statement.entries
            for stack in entries:
                loops.setdefault(stack, []).append(statement)
            others.update(o for o in statement.inputs if o not in entries)
        else:
            others.update(statement.inputs)
        for block in statement.blocks:
            others.update(block.results)
    return {s: found for s, found in loops.items() if _is_sole(s, found, others)}


def _is_sole(stack: Operand, loops: list[Statement], others: set[Operand]) -> bool:
    twice = any(loop.inputs.count(stack) > 1 for loop in loops)
    return stack not in others and not twice


def held(function: Function) -> Mapping[Operand, tuple[Scan | While, Call]]:
    """By stack that is not held as a whole: its loop, and the call that is a trip."""
    found: dict[Operand, tuple[Scan | While, Call]] = {}
    for loop in walk(function.body):
        if isinstance(loop, Scan | While) and is_held(loop):
            calls = [s for s in loop.body.body if isinstance(s, Call)]
            found.update((stack, (loop, calls[0])) for stack in loop.stacks)
    return found
