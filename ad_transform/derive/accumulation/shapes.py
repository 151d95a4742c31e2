"""The common shape of two programs that differ in the identity of their values."""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.ir.nodes import Apply, Literal, Operand, Statement


def shape(body: Iterable[Statement], results: Iterable[Operand]) -> tuple[object, ...]:
    """A key, equal for programs that are equal but for the identity of values; linear.

    Hints count, for they become names. Statements with blocks are only equal to
    themselves.
    """
    number: dict[Operand, object] = {}
    seen = number.get
    rows: list[object] = []
    for place, statement in enumerate(body, start=1):
        if type(statement) is Apply:
            out = statement.out
            args = [
                seen(x, x) if type(x) is not Literal else _told(x)
                for x in statement.args
            ]
            rows.append((statement.op.name, *args, out.hint))
            number[out] = place
        else:
            rows.append(id(statement))
    rows += [seen(x, x) if type(x) is not Literal else _told(x) for x in results]
    return tuple(rows)


def _told(literal: Literal) -> object:
    value = literal.value
    if type(value) is float and value and value == value:
        return float, value, literal.name  # that is told from others by itself
    return type(value), repr(value), literal.name


def same_text(body: tuple[Statement, ...], results: Iterable[Operand]) -> object:
    """A key, equal for programs of one shape whose named values are the same ones."""
    named = [k for k, s in enumerate(body) if type(s) is Apply and s.out.named]
    return shape(body, results), tuple(named)
