"""Lists of arrays that grow, and rows of matrices, joined: `np.concatenate(hist)`.

Arrays that are known one by one are joined in `of_whole`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.machine.arguments import Unfit, Values, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import rows
from ad_transform.read.values.storage import Array, Rows, Stack
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Special, Value, is_whole

with later():
    from ad_transform.read.arrays import extents
    from ad_transform.read.rows import stacks
    from ad_transform.read.wholes import (
        of_whole,
        wholes,
    )

# fmt: off
OF_ROWS: Mapping[str, str] = {
    "numpy.concatenate":  "numpy.ndarray.flatten",
    "numpy.hstack":       "numpy.ndarray.flatten",
    "numpy.vstack":       "numpy.copy",
    "numpy.stack":        "numpy.copy",
    "numpy.column_stack": "numpy.transpose",
}
# fmt: on
"""The function of the matrix of rows that does the same as one that joins rows."""


def joined(
    flat: Context, name: str, values: Values, keywords: Mapping[str, Value], span: Span
) -> Value | None:
    """The arrays of a list joined; None where it is none of these; raises Unfit."""
    if name not in OF_ROWS or not values:
        return None
    given, *axis = values
    if axis and "axis" not in keywords:
        keywords = {**keywords, "axis": axis[0]}
    is_matrix = (is_whole(given) and len(given.type.shape) > 1) or (
        isinstance(given, Array) and len(given.axes) > 1
    )
    if not is_matrix and not isinstance(given, Rows | Stack):
        return None
    along = _axis(name, keywords)
    if isinstance(given, Stack) and len(given.marks) > 1:
        return _below(flat, name, given, span)
    if isinstance(given, Stack) and OF_ROWS[name] == "numpy.ndarray.flatten":
        return wholes.whole_of(flat, given.values, span)
    matrix = rows.as_array(flat, name, given, span)
    if matrix is Special.REFUSED:
        return matrix
    made = "numpy.transpose" if along else OF_ROWS[name]
    found = of_whole.called(flat, made, (matrix,), {}, span)
    is_view = made == "numpy.transpose" and isinstance(found, Draft)
    if is_view:
        return of_whole.called(flat, "numpy.copy", (found,), {}, span)
    return found


def _axis(name: str, keywords: Mapping[str, Value]) -> int:
    """The axis that `axis` gives, of two; raises Unfit."""
    said = keywords.get("axis", Literal(0))
    place = whole(said)
    if set(keywords) - {"axis"} or place is None:
        raise Unfit("needs a written axis", "write 0 or 1")
    if place % 2 and name != "numpy.stack":
        raise Unfit(f"has no axis {place} of vectors", "leave it out")
    return place % 2


def _below(flat: Context, name: str, stack: Stack, span: Span) -> Value:
    """Matrices one below another; raises Unfit for other ways to join them."""
    if name not in ("numpy.concatenate", "numpy.vstack"):
        raise Unfit("of matrices that grow in number is not supported", _BY_LOOP)
    sizes = stacks.sizes_at(flat, stack, Literal(0), span)
    if sizes is None:
        return Special.REFUSED
    count = stacks.count(flat, stack, span)
    height = extents.number(flat, "mul", (count, sizes[0]), span)
    line = wholes.whole_of(flat, stack.values, span)
    shape = Group(Container.TUPLE, (height, sizes[1]))
    return of_whole.called(flat, "numpy.reshape", (line, shape), {}, span)


_BY_LOOP = "join them as they are made: `M = np.hstack([M, A])`"
