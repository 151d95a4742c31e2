"""Lanes: the values of a bundle that are one list, as it flows from value to value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    While,
    node,
)
from ad_transform.ir.types import Kind, Type

Sides: TypeAlias = tuple[Sequence[Operand], ...]


@node
class Lanes:
    """Sequences side by side: the values at one place of them are one value. With
    `given`, a block or a function may get values of the first that it only reads.
    """

    lanes: Sides
    given: bool = False

    def across(self) -> Iterator[tuple[Operand, ...]]:
        """The values at each place, which are one value."""
        return zip(*self.lanes, strict=True)


KEYS = (Kind.INT, Kind.STR)


def holds_keys(type_: Type) -> bool:
    """Whether it is a list of keys, which may be looked for."""
    return len(type_.dims) == 1 and not type_.shape and type_.kind in KEYS


def is_empty(statement: Statement) -> bool:
    """Whether it makes a list without items."""
    if not isinstance(statement, Apply) or statement.op.name != "full":
        return False
    return statement.args[1] == Literal(0) and not statement.out.notes


def is_written(statement: Apply) -> bool:
    """Whether it makes a list of different numbers or texts that are written out."""
    if statement.op.name != "pack" or not holds_keys(statement.out.type):
        return False
    values = [arg.value for arg in statement.args if isinstance(arg, Literal)]
    return len({*values}) == len(statement.args)


def lanes_of(
    statement: Statement, functions: Mapping[str, Function]
) -> tuple[Lanes, ...]:
    """The lanes of a statement: from it to its blocks or function, and back."""
    match statement:
        case Branch(outs=outs, args=args, then=then, orelse=orelse):
            inner: Sides = (args, then.params, orelse.params)
            return (Lanes(inner, True), Lanes((outs, then.results, orelse.results)))
        case Scan(outs=outs, carries=carries, reads=reads, body=body):
            return _of_loop(carries, reads, outs, (body,), body.params[1:])
        case While(outs=outs, carries=carries, reads=reads, body=body, test=test):
            return _of_loop(carries, reads, outs, (body, test), body.params)
        case Call(outs=outs, callee=callee, args=args) if callee in functions:
            block = functions[callee].block
            inner = (args, block.params)
            return (Lanes(inner, True), Lanes((outs, block.results)))
    return ()


def _of_loop(
    carries: Sequence[Operand],
    reads: Sequence[Operand],
    outs: Sequence[Operand],
    blocks: tuple[Block, ...],
    params: Sequence[Operand],
) -> tuple[Lanes, ...]:
    count, end = len(carries), len(carries) + len(reads)
    tests = [block.params for block in blocks[1:]]
    held = (carries, params[:count], blocks[0].results[:count], outs[:count])
    return (
        Lanes((*held, *(own[:count] for own in tests))),
        Lanes((reads, params[count:end], *(own[count:end] for own in tests)), True),
    )
