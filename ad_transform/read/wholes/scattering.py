"""Stores into parts of whole arrays, and functions of numpy that change an array."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container
from ad_transform.read.arrays import (
    arrays,
    rebound,
)
from ad_transform.read.arrays.blocks import AXES
from ad_transform.read.layers import (
    layer_moves,
    layered,
)
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.values.frames import Promise
from ad_transform.read.values.storage import Array, Axis, Cell, Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Special, Value, is_whole
from ad_transform.read.wholes.whole_layouts import counted_up, require_square
from ad_transform.read.wholes.whole_parts import added_at, stored
from ad_transform.read.wholes.wholes import apply, length, listed, whole_of

Change = Callable[[Draft], Draft]
"""From a whole array to the array that it becomes by a change."""


def store(flat: Context, array: Value, index: Value, value: Value, span: Span) -> None:
    """`array[index] = value`; AD107 where that is not supported."""
    try:
        if isinstance(array, Array) and layered.rank_of(array) == AXES:
            made = layer_moves.written(flat, array, index, value, span)
            arrays.fill(flat, array, made, span)
            return
        _change(flat, array, lambda a: stored(flat, a, index, value, span), span)
    except Unfit as unfit:
        flat.refuse("AD107", f"the array {unfit}", span, unfit.help)


def into(flat: Context, out: Value, made: Value, span: Span) -> Value:
    """A result stored into an array: `np.maximum(x, 0.0, out=x)` gives x."""
    if Special.REFUSED in (made, out) or out is Special.NONE:
        return made
    if not (isinstance(out, Array | Group) or is_whole(out)):
        return flat.refuse("AD107", "`out` is no array", span, "leave it out")
    names = [name for name, value in flat.frame.names.items() if value is out]
    store(flat, out, _ALL, made, span)
    by_now = flat.frame.names.get(names[0]) if names else out
    return out if by_now is None or isinstance(by_now, Promise) else by_now


_ALL = Slice(Special.NONE, Special.NONE, Special.NONE)


def _change(flat: Context, array: Value, change: Change, span: Span) -> None:
    """Change an array in the form that it has by now; raises Unfit."""
    if isinstance(array, Group):
        flat.refit(array)
    if isinstance(array, Array):
        flat.remake(array)
    base = flat.turned.get(array) if isinstance(array, Draft) else None
    if isinstance(array, Draft) and base is not None and _has_name(flat, base):
        _change_turned(flat, array, change, span)
        return
    whole = whole_of(flat, array, span)
    if not isinstance(whole, Draft) or not whole.type.shape:
        raise Unfit("is no array")
    made = change(whole)
    if isinstance(array, Array):
        arrays.fill(flat, array, listed(flat, made, span), span)
    elif isinstance(array, Draft):
        rebound.rebind(flat, array, made, span)
    else:
        raise Unfit("is changed where it has no name", "let it have one: `y = ...`")


def _has_name(flat: Context, array: Draft) -> bool:
    """Whether a whole array, or a list that it stands for, may be read by a name."""
    of_lists = any(isinstance(one, Cell) for one in flat.views.get(array, ()))
    return of_lists or rebound.is_named(flat, array)


def _change_turned(flat: Context, view: Draft, change: Change, span: Span) -> None:
    """Change an array through its transpose, which names may stand for, too."""
    base = flat.turned[view]
    for cell in flat.views.get(base, ()):
        if isinstance(cell, Cell):
            flat.remake(Array(cell, (Axis(),) * len(cell.type.dims)))
    made = change(view)
    names = [name for name, value in flat.frame.names.items() if value is view]
    new = apply(flat, "turned", made, span=span)
    rebound.rebind(flat, base, new, span)
    flat.views[made], flat.turned[made] = (new,), new
    for name in names:
        flat.frame.bind(name, made)


def _added_at(flat: Context, values: Sequence[Value], span: Span) -> None:
    """`np.add.at(a, indices, b)`."""
    if len(values) != 3:
        raise Unfit("takes an array, indices and what is added")
    array, index, value = values
    _change(flat, array, lambda a: added_at(flat, a, index, value, span), span)


def _taken_at(flat: Context, values: Sequence[Value], span: Span) -> None:
    """`np.subtract.at(a, indices, b)`."""
    if len(values) != 3:
        raise Unfit("takes an array, indices and what is subtracted")
    less = flat.operate(TABLE["neg"], values[2:], span)
    _added_at(flat, (*values[:2], less), span)


def _on_diagonal(flat: Context, values: Sequence[Value], span: Span) -> None:
    """`np.fill_diagonal(a, value)` of a square matrix."""
    if len(values) != 2:
        raise Unfit("takes a matrix and a value")

    def change(a: Draft) -> Draft:
        require_square(flat, a, span)
        size = length(flat, a, 0, span)
        places = counted_up(flat, span, size, Special.NONE)
        index = Group(Container.TUPLE, (places, places))
        return stored(flat, a, index, values[1], span)

    _change(flat, values[0], change, span)


RULES: Mapping[str, Callable[[Context, Sequence[Value], Span], None]] = {
    "numpy.add.at": _added_at,
    "numpy.subtract.at": _taken_at,
    "numpy.fill_diagonal": _on_diagonal,
}
"""Functions that change their first argument and return nothing."""


def called(flat: Context, name: str, values: Sequence[Value], span: Span) -> Value:
    """None, as such a function returns; raises Unfit."""
    RULES[name](flat, values, span)
    return Special.NONE
