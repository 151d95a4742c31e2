"""Operators and functions on arrays whose elements are known one by one.

An operation that numpy does element by element is done on numbers here: `x * y`,
`np.exp(x)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import GENERATED, recognise
from ad_transform.ir.elemental import Elemental
from ad_transform.later import later
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.known.grids import (
        Grid,
        broadcast,
        grid_of,
        group_of,
        is_array,
        made_of,
    )
    from ad_transform.read.layers import layered

_ALSO = frozenset({"numpy.clip", "numpy.where", "scipy.special.polygamma"})
"""Functions that numpy has element by element, beside the rows of the table."""

_EACH = ("numpy.", "scipy.special.", "scipy.stats.norm.", "builtins.abs", GENERATED)


def operated(
    flat: Context, op: Elemental, values: Sequence[Value], span: Span
) -> Value | None:
    """`op(*values)` element by element; None where no array of known elements is."""
    if not any(map(is_array, values)):
        return None
    try:
        made = mapped(flat, lambda items: flat.operate(op, items, span), values, span)
        return layered.operated(flat, op, values, span) if made is None else made
    except Unfit as unfit:
        sign = _SIGNS.get(op.name, op.name)
        return flat.refuse("AD107", f"`{sign}` {unfit}", span, unfit.help)


_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "mod": "%",
    "floordiv": "//", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==",
    "ne": "!=", "neg": "-", "pos": "+",
}  # fmt: skip


def mapped(
    flat: Context,
    each: Callable[[tuple[Value, ...]], Value],
    values: Sequence[Value],
    span: Span,
) -> Value | None:
    """The array of the values that `each` gives for the elements of arrays that are
    broadcast together.

    None where the elements of one are not known; raises Unfit.
    """
    if Special.REFUSED in values:
        return Special.REFUSED
    found = [grid_of(flat, value, span) for value in values]
    known = [grid for grid in found if grid is not None]
    if len(known) < len(found):
        return None
    return group_of(flat, combined(each, known), span)


def combined(each: Callable[[tuple[Value, ...]], Value], known: Sequence[Grid]) -> Grid:
    """The grid of the values that `each` gives for the elements of grids that are
    broadcast together.
    """
    shape = broadcast([grid.shape for grid in known])
    return made_of(shape, lambda place: each(tuple(g.over(place) for g in known)))


def is_each(name: str) -> bool:
    """Whether numpy computes a function of a name element by element."""
    if name in _ALSO or name.startswith("scipy.stats.norm."):
        return True
    return name.startswith(_EACH) and recognise(name) is not None
