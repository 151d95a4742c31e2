"""What two programs have in common that differ in the identity of their values."""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.ir.nodes import Apply, Literal, Operand, Statement


def shape(body: Iterable[Statement], results: Iterable[Operand]) -> tuple[object, ...]:
    """Equal for programs that are equal but for the identity of their values; linear.

    Hints count, for they become names. Statements with blocks are only equal to
    themselves.
    """
    number: dict[Operand, object] = {}

    def seen(operands: Iterable[Operand]) -> list[object]:
        return [
            number.get(x, x)
            if type(x) is not Literal
            else (x.type, repr(x.value), x.name)
            for x in operands
        ]

    rows: list[object] = []
    for statement in body:
        if type(statement) is Apply:
            out = statement.out
            rows.append((statement.op.name, *seen(statement.args), out.hint))
            number[out] = len(rows)
        else:
            rows.append(id(statement))
    return (*rows, *seen(results))


def same_text(body: tuple[Statement, ...], results: Iterable[Operand]) -> object:
    """Equal for programs of one shape whose named values are the same ones."""
    named = [k for k, s in enumerate(body) if type(s) is Apply and s.out.named]
    return shape(body, results), tuple(named)
