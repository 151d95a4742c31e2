"""Statements in an order in which each stands behind what it reads, and what changes an
array behind all that reads the array as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.ir.consumed import Consumption
from ad_transform.ir.nodes import Operand, Statement


def ordered(body: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements as they stand, but each behind all that has to come before it.

    Linear. Raises ValueError if two statements have to stand behind each other.
    """
    maker: dict[Operand, Statement] = {out: s for s in body for out in s.outs}
    readers = _readers(body)
    done: set[int] = set()
    result: list[Statement] = []
    for root in body:
        stack, begun = [root], set[int]()
        while stack:
            statement = stack[-1]
            if id(statement) in done:
                stack.pop()
                continue
            missing = [
                made
                for operand in statement.inputs
                if (made := maker.get(operand)) is not None and id(made) not in done
            ]
            missing += (s for s in readers.get(statement, ()) if id(s) not in done)
            if missing:
                if id(statement) in begun:
                    raise ValueError(f"{statement.label} stands behind itself")
                begun.add(id(statement))
                stack.extend(reversed(missing))
                continue
            stack.pop()
            done.add(id(statement))
            result.append(statement)
    return tuple(result)


def _readers(body: Sequence[Statement]) -> dict[Statement, list[Statement]]:
    """By statement that consumes arrays, the others that read them."""
    consumption = Consumption()
    consumer: dict[Operand, Statement] = {}
    for statement in body:
        consumer.update(dict.fromkeys(consumption.by(statement), statement))
    found: dict[Statement, list[Statement]] = {}
    for statement in body:
        for operand in dict.fromkeys(statement.inputs):
            other = consumer.get(operand)
            if other is not None and other is not statement:
                found.setdefault(other, []).append(statement)
    return found
