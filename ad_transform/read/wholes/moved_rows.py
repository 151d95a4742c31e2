"""`A[[k, p]] = A[[p, k]]`: a few rows that change places, one after the other.

Rows that are taken at places written out are known one by one. Stored at such places,
each row is stored by itself: that costs as much as the rows, and no index arrays. Of
several stores to one place the last one counts, as it does in numpy.
"""

from __future__ import annotations

from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import is_list, is_tuple
from ad_transform.read.values.values import Draft, Number, Special, Value, is_int
from ad_transform.read.wholes.wholes import apply

_MOST = 4
"""Rows that are moved one after the other."""

Places = tuple[Number, ...]


def few_places(array: Draft, index: Value) -> Places:
    """The rows, or the elements of a vector, that a list written out takes; also as
    `A[[p, k], :]`. Nothing of another index.
    """
    rank = len(array.type.shape)
    if is_tuple(index):
        if rank != 2 or len(index.items) != 2 or not _is_all(index.items[1]):
            return ()
        index = index.items[0]
    if not is_list(index):
        return ()
    fits = rank <= 2 and len(index.items) <= _MOST and all(map(is_int, index.items))
    return cast(Places, index.items) if fits else ()


def _is_all(index: Value) -> bool:
    """Whether an index is `:`."""
    if not isinstance(index, Slice):
        return False
    return all(b is Special.NONE for b in (index.start, index.stop, index.step))


def moved_rows(
    flat: Context, array: Draft, index: Value, taken: tuple[Draft, Places], span: Span
) -> Draft | None:
    """The array with rows at other places; None where it is not known which."""
    source, others = taken
    places = few_places(array, index)
    if len(places) != len(others) or len(array.type.shape) != len(source.type.shape):
        return None
    if array.type.shape[1:] != source.type.shape[1:]:
        return None
    form = "pick" if len(array.type.shape) == 1 else "pick_row"
    rows = [apply(flat, form, source, k, span=span) for k in others]
    for row, k in zip(rows, places, strict=True):
        array = apply(flat, f"stored_{form}", array, row, k, span=span)
    return array
