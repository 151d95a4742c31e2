"""Statements in an order in which each stands behind what it reads."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.ir.nodes import Operand, Statement


def ordered(body: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements as they stand, but each behind all that it reads; linear."""
    maker: dict[Operand, Statement] = {out: s for s in body for out in s.outs}
    done: set[int] = set()
    result: list[Statement] = []
    for root in body:
        stack = [root]
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
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            done.add(id(statement))
            result.append(statement)
    return tuple(result)
