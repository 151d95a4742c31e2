"""The result of a function: its shape, and its numbers in order."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import LEAF, Container, Literal, Nest
from ad_transform.ir.types import STR
from ad_transform.read.report import Report
from ad_transform.read.values import (
    Array,
    Draft,
    Group,
    Number,
    Special,
    Value,
    describe,
)

Held = Callable[[Array], Value]

_DEEPEST = 50
"""Levels of a nested result."""

_LEAVES = 100_000
"""Numbers in a result; `t = (t, t)` doubles them."""


def shape_of(
    value: Value, leaves: list[Number], span: Span, report: Report, held: Held
) -> Nest | None:
    """The shape of a result, its numbers into `leaves`; None after a report.

    `held` gives what is in an array.

    Codes: AD004 (too large), AD105 (no number).
    """
    return _shape(value, leaves, span, report, held, 0)


def _shape(
    value: Value,
    leaves: list[Number],
    span: Span,
    report: Report,
    held: Held,
    depth: int,
) -> Nest | None:
    if len(leaves) > _LEAVES:
        message = f"the result holds more than {_LEAVES} numbers"
        report.add("AD004", message, span, "return fewer, or arrays later on")
        return None
    if isinstance(value, Draft | Literal) and value.type is not STR:
        leaves.append(value)
        return Nest(Container.ARRAY, (LEAF,)) if value.type.shape else LEAF
    if isinstance(value, Array):
        content = held(value)
        if isinstance(content, Draft):
            leaves.append(content)
            return Nest(value.cell.container, (LEAF,))
        return None
    if isinstance(value, Group) and depth < _DEEPEST:
        items: list[Nest] = []
        for inner in value.items:
            item = _shape(inner, leaves, span, report, held, depth + 1)
            if item is None:
                return None
            items.append(item)
        return Nest(value.container, tuple(items))
    if value is not Special.REFUSED:
        message = f"{describe(value)} cannot be a result"
        help_ = "return a float, or a tuple or list of floats"
        report.add("AD105", message, span, help_)
    return None
