"""Blocks that read values around them, closed: the values become arguments.

Values get the types that `type_of` says, and the names of their `looks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Type

Made = tuple[Elemental, tuple[Operand, ...]] | None
"""The operation that makes a value, and its arguments; None if no operation does."""

TypeOf = Callable[[Var, Made], Type]


def closed(block: Block, type_of: TypeOf, looks: Mapping[Operand, Var]) -> Block:
    """The block with all blocks inside of it closed; linear times their depth."""
    return bounce(_Closing(type_of, looks).block(block, ()))


class _Closing:
    def __init__(self, type_of: TypeOf, looks: Mapping[Operand, Var]) -> None:
        self.type_of = type_of
        self.looks = looks

    def block(self, block: Block, free: tuple[Var, ...]) -> Task[Block]:
        """The block over variables of its own, `free` ones behind its parameters."""
        own: dict[Operand, Operand] = {}
        params = [self._new(p, own) for p in (*block.params, *free)]
        body: list[Statement] = []
        for statement in block.body:
            body.append((yield self._statement(statement, own)))
        results = tuple(own.get(r, r) for r in block.results)
        return Block(tuple(params), tuple(body), results)

    def _new(self, var: Var, env: dict[Operand, Operand], made_by: Made = None) -> Var:
        look = self.looks.get(var, var)
        type_ = self.type_of(var, made_by)
        env[var] = made = Var(type_, look.hint, look.span, look.named, look.notes)
        return made

    def _statement(
        self, statement: Statement, env: dict[Operand, Operand]
    ) -> Task[Statement]:
        inputs = tuple(env.get(o, o) for o in statement.inputs)
        blocks: list[Block] = []
        free: tuple[Var, ...] = ()
        if statement.blocks:
            free = yield _free(statement)
        for inner in statement.blocks:
            blocks.append((yield self.block(inner, free)))
        handed = tuple(env.get(v, v) for v in free)
        by = (statement.op, inputs) if isinstance(statement, Apply) else None
        outs = tuple(self._new(out, env, by) for out in statement.outs)
        return _with(statement, outs, inputs, handed, tuple(blocks))


def _with(
    statement: Statement,
    outs: tuple[Var, ...],
    inputs: tuple[Operand, ...],
    handed: tuple[Operand, ...],
    blocks: tuple[Block, ...],
) -> Statement:
    """The statement with more arguments for its blocks."""
    made: Any = statement.rebuilt(outs, inputs, blocks)
    if not handed:
        return made  # type: ignore[no-any-return]
    if isinstance(made, Branch):
        return Branch(outs, made.test, (*made.args, *handed), *blocks)
    reads = (*made.reads, *handed)
    if isinstance(made, While):
        test, body = blocks
        return While(outs, made.carries, reads, test, body, made.snapshots, made.notes)
    assert isinstance(made, Scan)
    body = _moved(blocks[0], len(made.entries), len(handed))
    ends = (made.start, made.stop, made.step, made.carries, reads, made.entries, body)
    return Scan(outs, *ends, made.backwards, made.snapshots, made.notes)


def _moved(block: Block, entries: int, handed: int) -> Block:
    """The block with its last parameters, the arguments, in front of its entries."""
    end = len(block.params) - handed
    first, own = block.params[: end - entries], block.params[end - entries : end]
    return Block((*first, *block.params[end:], *own), block.body, block.results)


def _free(statement: Statement) -> Task[tuple[Var, ...]]:
    """The variables that the blocks of a statement read from outside, in order."""
    found: dict[Var, None] = {}
    for block in statement.blocks:
        bound: set[Operand] = set(block.params)
        for inner in block.body:
            read = list(inner.inputs)
            if inner.blocks:
                read += yield _free(inner)
            found |= dict.fromkeys(_free_in(read, bound))
            bound.update(inner.outs)
        found |= dict.fromkeys(_free_in(block.results, bound))
    return tuple(found)


def _free_in(values: Iterable[Operand], bound: set[Operand]) -> list[Var]:
    return [v for v in values if isinstance(v, Var) and v not in bound]
