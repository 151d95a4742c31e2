"""`x.sort()`, and `sorted(x)` of lists whose length only a run knows: as numpy sorts.

At a tie the derivative is that of the places where numpy has put the equal numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays import (
    arrays,
    rebound,
)
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import row_writes
from ad_transform.read.values.storage import Array, Rows, Slice
from ad_transform.read.values.values import Draft, Special, Value
from ad_transform.read.wholes import (
    of_whole,
    whole_parts,
    wholes,
)


def sort(flat: Context, of: Value, keywords: Mapping[str, Value], span: Span) -> None:
    """`x.sort(reverse=...)`; raises Unfit."""
    made = in_order(flat, of, keywords, span)
    if isinstance(of, Draft) and isinstance(made, Draft):
        rebound.rebind(flat, of, made, span)
    elif isinstance(of, Array):
        replace(flat, of, wholes.listed(flat, made, span), span)
    elif made is not Special.REFUSED:
        raise Unfit("would not be seen by all who hold this list", _ANOTHER)


def replace(flat: Context, of: Array | Rows, made: Value, span: Span) -> None:
    """Let an array, or a list of rows, have other elements."""
    if row_writes.fill(flat, of, made, span):
        return
    if isinstance(of, Rows):
        if isinstance(made, Rows):
            for own, other in zip(of.columns, made.columns, strict=True):
                if isinstance(own, Array | Rows):
                    replace(flat, own, other, span)
        return
    content = flat.heap.held(made.cell, span) if isinstance(made, Array) else None
    if of.is_whole and isinstance(content, Draft):
        content.hint = of.cell.hint
        flat.changed.add(of.cell)
        flat.heap.write(of.cell, content)
    else:
        arrays.fill(flat, of, made, span)


def as_list(
    flat: Context, of: Value, keywords: Mapping[str, Value], span: Span
) -> Value:
    """`sorted(x, reverse=...)`; raises Unfit."""
    made = wholes.listed(flat, in_order(flat, of, keywords, span), span)
    if not isinstance(made, Array):
        return made
    return arrays.copied(flat, made, Container.LIST, span)


def in_order(
    flat: Context, of: Value, keywords: Mapping[str, Value], span: Span
) -> Value:
    """The elements in order, as a whole array; raises Unfit."""
    down = keywords.get("reverse", Literal(False))
    if set(keywords) - {"reverse"} or not isinstance(down, Literal):
        raise Unfit("takes no keyword here but a written `reverse`", _PAIRS)
    if isinstance(of, Array) and len(of.axes) > 1:
        raise Unfit("of rows is not supported", _PAIRS)
    made = of_whole.called(flat, "numpy.sort", (of,), {}, span)
    if not down.value or not isinstance(made, Draft):
        return made
    back = Slice(Special.NONE, Special.NONE, Literal(-1))
    return whole_parts.part(flat, made, back, span)


_ANOTHER = "give the name another list: `y = sorted(y)`"
_PAIRS = "take `k = np.argsort(x)`, and `x[k]`"
