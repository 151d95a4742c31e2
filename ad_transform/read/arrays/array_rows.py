"""Lists of arrays that are held as one matrix: `[row.copy() for row in A]`.

Their elements are read and written one by one. Where an array takes part as a whole,
as in `u + v`, which joins lists, the function begins again with the layout of a list of
arrays that grows (see `rows/stacks.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.read.machine.context import Context
from ad_transform.read.values.layouts import Layout
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.values import Value


def note(flat: Context, matrix: Value, site: Span, layout: Layout | None) -> None:
    """Remember that the rows of a list are arrays. The list is made at `site`, and may
    begin again there with a layout.
    """
    if isinstance(matrix, Array):
        flat.rows_out.of_arrays[matrix.cell] = site, layout


def hand_on(flat: Context, of: Cell, made: Value) -> None:
    """Remember that the rows of a list, or the elements of a row, are those of another
    list of arrays.
    """
    known = flat.rows_out.of_arrays.get(of)
    if known is not None and isinstance(made, Array):
        flat.rows_out.of_arrays[made.cell] = known


def is_one(flat: Context, value: Value) -> bool:
    """Whether a value is an array in such a list."""
    if not isinstance(value, Array) or value.cell.container is Container.ARRAY:
        return False
    return value.cell in flat.rows_out.of_arrays and len(value.axes) == 1


def container(flat: Context, array: Array) -> Container:
    """What Python has for a value: an array in such a list is no list."""
    return Container.ARRAY if is_one(flat, array) else array.cell.container


def begun(flat: Context, values: Iterable[Value], span: Span) -> bool:
    """Whether one of some values may be an array in such a list. Then the function
    begins again with lists of arrays that grow, or it is refused (AD107).
    """
    known = flat.rows_out.of_arrays
    if not known or not any(_may_be_one(flat, value) for value in values):
        return False
    for site, layout in dict.fromkeys(known.values()):
        if layout is not None:
            flat.relay(site, layout)
    message = "an array in a list of arrays is used as a whole"
    help_ = "make a matrix of them, `B = np.zeros((m, n))`, and take its rows, `B[i]`"
    flat.refuse("AD107", message, span, help_)
    return True


def _may_be_one(flat: Context, value: Value) -> bool:
    if not isinstance(value, Array) or value.cell.container is Container.ARRAY:
        return False
    if len(value.axes) != 1:
        return False
    return len(value.places) > 1 or value.cell in flat.rows_out.of_arrays
