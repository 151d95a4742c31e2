"""Tuples and lists of known items that are read at an index of the run.

They become arrays that are only read. One that is a constant of the file is made before
all else, and is called after the constant.
"""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Value
from ad_transform.read.values.written import items_of

with later():
    from ad_transform.read.arrays import packing


def table(flat: Context, group: Group, span: Span) -> Value:
    """A tuple or list as an array that is only read."""
    if group in flat.tables:
        return flat.tables[group]
    shared = flat.module.shared
    held = shared.tables.get(group)
    if held is not None:
        return flat.heap.allocate(held, Container.TUPLE, span)
    define = shared.lists.get(repr(items_of(group))) if shared.lists else None
    if define is None and not all(isinstance(i, Literal) for i in group.items):
        return packing.packed(flat, group.items, Container.TUPLE, span)
    outer, flat.statements = flat.statements, flat.prelude
    made = packing.packed(flat, group.items, Container.TUPLE, span)
    flat.tables[group], flat.statements = made, outer
    if define is not None and isinstance(made, Array):
        content = flat.heap.read(made.cell, span)
        if isinstance(content, Draft):
            content.hint = define()
    return made
