"""`y += z` of arrays, which changes the array for all of its names.

So does `y += [z]` of lists, which grow. An array or list of known elements that nobody
else can see is made anew; any other becomes an array that is written, see `refits`.
"""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.array_functions import creations
from ad_transform.read.arrays import (
    array_rows,
    arrays,
    rebinding,
    rebound,
)
from ad_transform.read.code import Change, ChangeItem
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import once
from ad_transform.read.known.grids import is_array, shape_of_known, shape_text
from ad_transform.read.lists import (
    listing,
    queues,
)
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import row_writes
from ad_transform.read.values.storage import Array, Lists, Rows, Slice, Stack
from ad_transform.read.values.structured import Dict, Group
from ad_transform.read.values.values import Draft, Special, Value, is_whole
from ad_transform.read.wholes.wholes import listed
from ad_transform.read.wholes.wholes import shape_text as text_of_whole

_ALL = Slice(Special.NONE, Special.NONE, Special.NONE)


def changed(flat: Context, i: Change, left: Value, right: Value) -> Value:
    """The value of a name behind `name += right` and the like."""
    if array_rows.begun(flat, (left,), i.span):
        return Special.REFUSED
    if not is_array(left):
        return _grown(flat, i, left, right)
    if isinstance(left, Group) and rebinding.is_shared(flat, left, i.name):
        flat.refit(left)
        message = f"{i.name!r} and another name may be one array, which is changed"
        help_ = f"let one of them be a copy: `{i.name} = {i.name}.copy()`"
        return flat.refuse("AD124", message, i.span, help_)
    made = flat.operate(i.op, (left, right), i.span)
    if isinstance(left, Group):
        rebinding.note(flat, left, i.name, i.span)
    if isinstance(left, Draft):
        return _rebound(flat, left, made, i.span)
    if isinstance(left, Array):
        return written(flat, left, made, i.span)
    before, after = shape_of_known(left), shape_of_known(made)
    if isinstance(made, Group) and before != after:
        return _refuse(flat, shape_text(after), shape_text(before), i.span)
    if isinstance(made, Group):
        flat.heap.fresh[id(made)] = made
    return made


def changed_item(
    flat: Context, i: ChangeItem, group: Value, left: Value, right: Value
) -> Value:
    """The value of an item behind `group[k] += right`; an array or a list in a dict
    changes in place.
    """
    if array_rows.begun(flat, (left,), i.span):
        return Special.REFUSED
    if isinstance(group, Dict) and (is_array(left) or _is_list(left)):
        if rebinding.is_held_beside(flat, group, left):
            message = "an entry of the dict and another name may be one array or list"
            help_ = "let the entry be a copy: `d['a'] = x.copy()`"
            return flat.refuse("AD124", f"{message}, which is changed", i.span, help_)
        rebinding.note(flat, left, "", i.span)
    if isinstance(group, Stack):
        message = "an array of a list that grows is changed, and may have other names"
        help_ = "let another one take its place: `hist[k] = hist[k] + u`"
        return flat.refuse("AD124", message, i.span, help_)
    if i.op.name == "add" and row_writes.is_taken(flat, left):
        made = longer(flat, left, right, i.span)
        flat.rows_out.in_place = made
        return made
    return changed_by(flat, i.op, left, right, i.span)


def longer(flat: Context, left: Value, right: Value, span: Span) -> Value:
    """A list that grows by the items of another value, for all its names."""
    try:
        more = listing.listed(flat, once.opened(right), span)
        if more is not Special.REFUSED:
            queues.extend(flat, (left, more), span)
    except Unfit as unfit:
        return flat.refuse("AD107", f"`+=` of a list {unfit}", span, unfit.help)
    return row_writes.renewed(flat, left, span)


def _grown(flat: Context, i: Change, left: Value, right: Value) -> Value:
    """The value of a name behind a change of a number, a tuple or a list."""
    if (
        _is_list(left)
        and isinstance(left, Group)
        and rebinding.is_shared(flat, left, i.name)
    ):
        flat.refit(left)
        message = f"{i.name!r} and another name may be one list, which is changed"
        help_ = f"let it be another one: `{i.name} = {i.name} + ...`"
        return flat.refuse("AD124", message, i.span, help_)
    if _is_list(left) and isinstance(left, Group):
        rebinding.note(flat, left, i.name, i.span)
    is_open = isinstance(left, Array | Rows | Lists | Stack) and _is_list(left)
    if is_open and isinstance(left, Array) and i.op.name == "mul":
        return _repeated(flat, left, right, i.span)
    if i.op.name != "add" or is_array(right) or is_whole(right):
        return flat.operate(i.op, (left, right), i.span)
    if is_open:
        return longer(flat, left, right, i.span)
    return changed_by(flat, i.op, left, right, i.span)


def _repeated(flat: Context, left: Array, right: Value, span: Span) -> Value:
    """`u *= n` of a list, which all of its names see."""
    made = flat.operate(TABLE["mul"], (left, right), span)
    try:
        queues.assign(flat, left, _ALL, made, span)
    except Unfit as unfit:
        return flat.refuse("AD107", f"`*=` of a list {unfit}", span, unfit.help)
    return left


def changed_by(
    flat: Context, op: Elemental, left: Value, right: Value, span: Span
) -> Value:
    """The value of `left += right` and the like; a list grows by the items of a tuple,
    a range or a generator.
    """
    if op.name == "mul" and isinstance(left, Array) and _is_list(left):
        if left.is_whole:
            return _repeated(flat, left, right, span)
        message = "`*=` of a list in another list is not supported"
        return flat.refuse("AD107", message, span, "write `rows[k] = rows[k] * n`")
    grows = op.name == "add" and _is_list(left)
    if grows and not _is_list(right) and not isinstance(right, Draft | Literal):
        try:
            more = listing.listed(flat, once.opened(right), span)
            known = sequences.known_items(more, flat.wholes)
            if known is None and not isinstance(more, Array | Rows | Lists | Stack):
                more = creations.as_list(flat, (more,), span)
        except Unfit as unfit:
            return flat.refuse("AD107", f"`+=` of a list {unfit}", span, unfit.help)
        right = more if known is None else Group(Container.LIST, tuple(known))
    return flat.operate(op, (left, right), span)


def _is_list(value: Value) -> bool:
    if isinstance(value, Group):
        return value.container is Container.LIST
    if isinstance(value, Rows | Lists | Stack):
        return True
    return isinstance(value, Array) and value.cell.container is Container.LIST


def _refuse(flat: Context, given: str, wanted: str, span: Span) -> Value:
    message = f"an array of shape {given} does not fit into one of {wanted}"
    return flat.refuse("AD107", message, span, "write `y = y + z`")


def written(flat: Context, array: Array, made: Value, span: Span) -> Value:
    """An array whose elements are written, or that is a whole one from now on."""
    if isinstance(made, Draft) and made.type.shape and array.is_whole:
        flat.remake(array)
        rebound.rebind(flat, array, made, span)
        return made
    arrays.fill(flat, array, listed(flat, made, span), span)
    return array


def _rebound(flat: Context, array: Draft, made: Value, span: Span) -> Value:
    if not isinstance(made, Draft):
        return made
    before, after = array.type.shape, made.type.shape
    if len(before) != len(after):
        return _refuse(flat, text_of_whole(after), text_of_whole(before), span)
    rebound.rebind(flat, array, made, span)
    return made
