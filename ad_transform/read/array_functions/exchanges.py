"""`M[i], M[j] = M[j], M[i]`: two rows of a list of lists change places.

In Python only the references move. Here a list of lists is one array, so the elements
move, and no other name may stand for a row of it. Numbers, and rows of arrays, which
are views, are assigned one after the other as always.
"""

from __future__ import annotations

import ast

from ad_transform.ir.nodes import Container
from ad_transform.later import later
from ad_transform.read.arrays import views
from ad_transform.read.code import Body, Exchange
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array
from ad_transform.read.values.values import Number

with later():
    from ad_transform.read.arrays import (
        arrays,
        extents,
    )
    from ad_transform.read.loops import loops


def exchanges(tree: ast.Assign) -> bool:
    """Whether a statement exchanges the items at two places of one object."""
    target, value = tree.targets[0], tree.value
    if len(tree.targets) > 1 or not _is_pair(target) or not _is_pair(value):
        return False
    one, other = target.elts  # type: ignore[attr-defined]
    if not isinstance(one, ast.Subscript) or not isinstance(other, ast.Subscript):
        return False
    given = [ast.unparse(item) for item in value.elts]  # type: ignore[attr-defined]
    is_exchange = [ast.unparse(other), ast.unparse(one)] == given
    is_one = ast.unparse(one.value) == ast.unparse(other.value)
    calls = any(isinstance(node, ast.Call) for node in ast.walk(tree))
    return is_exchange and is_one and not calls


def _is_pair(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Tuple) and len(tree.elts) == 2


def exchange(flat: Context, i: Exchange) -> None:
    """Let two rows of a list of lists change places; else assign the items."""
    body, found = flat.block(lambda: [_row(flat, place, i) for place in i.places])
    rows = [row for row in found if row is not None]
    if len(rows) < len(i.places):
        flat.perform(i.otherwise)
        return
    for statement in body:
        flat.add(statement)
    arrays.let_go(flat, rows[0], i.span)

    def trip(k: Number) -> None:
        cells = [views.placed(flat, row, k, i.span) for row in rows]
        one, other = cells
        taken, moved = (views.element(flat, cell, i.span) for cell in cells)
        arrays.put(flat, one, moved, i.span, i.notes)
        arrays.put(flat, other, taken, i.span)

    loops.trips(flat, extents.length(flat, rows[0], i.span), trip, i.span)


def _row(flat: Context, place: Body, i: Exchange) -> Array | None:
    """The row of a list of lists at a place; None of anything else."""
    flat.perform(place)
    group, index = flat.pop(2)
    if not isinstance(group, Array) or group.cell.container is not Container.LIST:
        return None
    return views.indexed(flat, group, index, i.span) if len(group.axes) == 2 else None
