"""Tuples and lists of known items that are read at an index of the run.

They become arrays that are only read. One that is a constant of the file, or a slice of
one, is made before all else, and is called after the constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Value

with later():
    from ad_transform.read.arrays import packing


@contextmanager
def in_front(flat: Context) -> Iterator[None]:
    """Make what is only read before all else, for whatever arm or trip reads it first:
    it stays if that one is taken back.
    """
    statements, flat.statements = flat.statements, flat.prelude
    trail, flat.heap.trail = flat.heap.trail, []
    try:
        yield
    finally:
        flat.statements, flat.heap.trail = statements, trail


def of(flat: Context, group: Group, span: Span) -> Value:
    """A tuple or list as an array that is only read."""
    if group in flat.tables:
        return flat.tables[group]
    shared = flat.module.shared
    held = shared.tables.get(group)
    if held is not None:
        return flat.heap.allocate(held, Container.TUPLE, span)
    define = shared.lists.named(group) or shared.lists.of_part(group)
    numbers = [item.value for item in group.items if isinstance(item, Literal)]
    if define is None and len(numbers) < len(group.items):
        return packing.packed(flat, group.items, Container.TUPLE, span)
    # 0.0 is not -0.0, and 1 is not True
    content = define() if define is not None else tuple(map(repr, numbers))
    if content not in flat.tables:
        with in_front(flat):
            made = packing.packed(flat, group.items, Container.TUPLE, span)
        flat.tables[content] = made
        if isinstance(content, str) and isinstance(made, Array):
            draft = flat.heap.read(made.cell, span)
            if isinstance(draft, Draft):
                draft.hint = content.lstrip("_")
    flat.tables[group] = flat.tables[content]
    return flat.tables[group]
