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
    numbered = number.get

    def seen(operand: Operand) -> object:
        if type(operand) is Literal:
            return operand.type, repr(operand.value), operand.name
        return numbered(operand, operand)

    rows: list[object] = []
    for statement in body:
        if isinstance(statement, Apply):
            out = statement.out
            rows.append((statement.op.name, *map(seen, statement.args), out.hint))
            number[out] = len(rows)
        else:
            rows.append(id(statement))
    return (*rows, *map(seen, results))


def same_text(body: tuple[Statement, ...], results: Iterable[Operand]) -> object:
    """Equal for programs of one shape whose named values are the same ones."""
    named = [k for k, s in enumerate(body) if type(s) is Apply and s.out.named]
    return shape(body, results), tuple(named)
