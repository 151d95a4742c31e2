"""Statements in an order in which each stands behind its operands, and each change of
an array behind the readers of the array before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.nodes import Apply, Operand, Statement


def ordered(body: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements as they stand, but each behind all that have to come before it.

    Linear. Raises ValueError if two statements have to stand behind each other.
    """
    maker: dict[Operand, Statement] = {out: s for s in body for out in s.outs}
    readers = _readers(body)
    if not readers and _is_ordered(body, maker):
        return tuple(body)
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


def _is_ordered(body: Sequence[Statement], maker: Mapping[Operand, object]) -> bool:
    """Whether each statement stands behind the makers of its inputs."""
    done: dict[Operand, None] = {}
    for statement in body:
        for operand in statement.inputs:
            if operand in maker and operand not in done:
                return False
        for out in statement.outs:
            done[out] = None
    return True


def _readers(body: Sequence[Statement]) -> dict[Statement, list[Statement]]:
    """The other readers of the arrays that a statement consumes, by statement."""
    consumption = Consumption()
    consumer: dict[Operand, Statement] = {}
    for statement in body:
        if type(statement) is not Apply or statement.op.consumes:
            consumer.update(dict.fromkeys(consumption.by(statement), statement))
    found: dict[Statement, list[Statement]] = {}
    for statement in body if consumer else ():
        for operand in dict.fromkeys(statement.inputs):
            other = consumer.get(operand)
            if other is not None and other is not statement:
                found.setdefault(other, []).append(statement)
    return found
