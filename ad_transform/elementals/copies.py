"""Copies of lists: a function makes one before it changes a list that belongs to
others."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import COPY
from ad_transform.ir.nodes import Apply, Operand, Statement, Var, hint_of

_COPIES = frozenset(COPY.values())


def is_copy(statement: Statement) -> bool:
    """Whether a statement makes a copy of a list."""
    return isinstance(statement, Apply) and statement.op.name in _COPIES


def copy_of(array: Operand, span: Span | None = None, *, before: bool = False) -> Apply:
    """The statement that copies a list. The copy has the name of the list, or with
    `before` that of the list before it changes; `span` is its place in the source.
    """
    hint = hint_of(array)
    if before and hint:
        hint = f"{hint}_before"
    copy = Var(array.type, hint, span)
    return Apply(copy, TABLE[COPY[len(array.type.dims)]], (array,))
