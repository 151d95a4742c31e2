"""Names for the entries of a derivative: `x_bar`, `y_dot`, `dy_dx`.

An entry that came out of a law or a shared product has no name of its own; its place
among the results gives it one, and with it an owner to its parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.ir.nodes import Apply, Block, Operand, Statement, Var, hint_of

Hints = tuple[str, ...]


def names_of(operands: Sequence[Operand]) -> Hints:
    """The names of values, empty where they have none."""
    return tuple(hint_of(o) for o in operands)


def adjoints(columns: Hints) -> Hints:
    """`x_bar` for every column."""
    return tuple(f"{x}_bar" if x else "" for x in columns)


def tangents(rows: Hints) -> Hints:
    """`y_dot` for every row."""
    return tuple(f"{y}_dot" if y else "" for y in rows)


def partials(rows: Hints, columns: Hints) -> Hints:
    """`dy_dx` for every row and column, row by row."""
    return tuple(f"d{y}_d{x}" if y and x else "" for y in rows for x in columns)


def with_hints(block: Block, hints: Hints) -> Block:
    """The block with names for results that have none; `hints` are for the last ones.

    A value that a branch or loop reads keeps its name. Linear.
    """
    start = len(block.results) - len(hints)
    env: dict[Operand, Var] = {}
    for result, hint in zip(block.results[start:], hints, strict=True):
        if isinstance(result, Var) and hint and not (result.hint or result.named):
            env.setdefault(result, _called(result, hint))
    for statement in block.body:
        if not isinstance(statement, Apply):
            for operand in statement.inputs:
                env.pop(operand, None)
    for operand in (*block.params, *block.results[:start]):
        env.pop(operand, None)
    if not env:
        return block
    body = tuple(_over(statement, env) for statement in block.body)
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, body, results)


def _called(var: Var, hint: str) -> Var:
    return Var(var.type, hint, var.span, var.named, var.notes)


def _over(statement: Statement, env: dict[Operand, Var]) -> Statement:
    if env.keys().isdisjoint((*statement.inputs, *statement.outs)):
        return statement
    outs = tuple(env.get(out, out) for out in statement.outs)
    return statement.over(env).binding(outs)
