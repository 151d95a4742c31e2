"""The user's constants in derivative code, where folding has made them numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Statement,
    walk,
)

Names = Mapping[Operand, Operand]


def with_names(function: Function, source: Function) -> Function:
    """The function with the names back that constants of its source have.

    Only numbers that say where they come from: 8.314 is R, but 0.5 may be a factor of a
    derivative, and a number that the source also writes out may be that one. Linear.
    """
    names = _telling(_literals(source))
    if not names:
        return function
    return replace(function, block=_renamed(function.block, names))


def _telling(literals: Iterable[Literal]) -> Names:
    found: dict[Literal, dict[str, Literal]] = {}
    for literal in literals:
        if isinstance(literal.value, float) and _is_odd(literal.value):
            found.setdefault(literal, {})[literal.name] = literal
    return {
        value: next(iter(named.values()))
        for value, named in found.items()
        if len(named) == 1 and "" not in named
    }


def _is_odd(number: float) -> bool:
    """Whether a number has two digits or more and is no multiple of an eighth."""
    digits = repr(number).partition("e")[0].replace(".", "").strip("-0")
    return len(digits) > 1 and (8.0 * number % 1.0 != 0.0 or abs(number) > 1000.0)


def _literals(function: Function) -> Iterator[Literal]:
    blocks = [function.block]
    for statement in walk(function.body):
        yield from (o for o in statement.inputs if isinstance(o, Literal))
        blocks += statement.blocks
    for block in blocks:
        yield from (o for o in block.results if isinstance(o, Literal))


def _renamed(block: Block, names: Names) -> Block:
    body = tuple(_statement(statement, names) for statement in block.body)
    return Block(block.params, body, _operands(block.results, names))


def _statement(statement: Statement, names: Names) -> Statement:
    if isinstance(statement, Apply):
        return Apply(statement.out, statement.op, _operands(statement.args, names))
    if isinstance(statement, Branch):
        arms = (_renamed(block, names) for block in statement.blocks)
        args = _operands(statement.args, names)
        return Branch(statement.outs, statement.test, args, *arms)
    return statement


def _operands(operands: tuple[Operand, ...], names: Names) -> tuple[Operand, ...]:
    return tuple(
        names.get(o, o) if isinstance(o, Literal) and not o.name else o
        for o in operands
    )
