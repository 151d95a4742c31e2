"""Values of programs that are written out: operands, and lists of values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ad_transform.ir.nodes import Operand

Value = Any
"""An operand, or a list of values."""


class Unwritten(Exception):
    """The program cannot be written out; the text says through what."""


def leaves(value: Value) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def like(value: Value, leaves: Iterator[Operand]) -> Value:
    """A value of the same form with other leaves."""
    if isinstance(value, list):
        return [like(item, leaves) for item in value]
    return next(leaves)


def form(value: Value) -> Any:
    return [form(item) for item in value] if isinstance(value, list) else None
