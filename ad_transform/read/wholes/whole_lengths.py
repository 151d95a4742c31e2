"""Whole arrays that are surely of one length, though only a run knows which length.

`A[i, k:]` and `f * A[k, k:]` are: parts by the same bounds of arrays of one length.
Each axis has a key; axes with equal keys are of one length.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Literal
from ad_transform.ir.typing import CUTS
from ad_transform.read.machine.context import Context
from ad_transform.read.values.values import Draft, Number

_FIRST = ("sliced", "sliced_from", "sliced_to", "cut")
"""Beginnings of the names of parts along the first axis."""

_KEEP = ("stored_", "copied", "spread", "full_like", "zeros_like")


def key(flat: Context, array: Number, axis: int) -> Hashable:
    """The key of an axis of an array: axes with equal keys are of one length."""
    known = array.type.shape[axis]
    if known != ANY or not isinstance(array, Draft):
        return known
    return flat.heap.alike.get((array, axis), (array, axis))


def note(flat: Context, out: Draft, name: str, args: Sequence[Number]) -> None:
    """Remember the keys of the axes of a result of an operation on whole arrays."""
    for axis, n in enumerate(out.type.shape):
        if n == ANY:
            found = _found(flat, out, axis, name, args)
            if found is not None:
                flat.heap.alike[out, axis] = found


def _found(
    flat: Context, out: Draft, axis: int, name: str, args: Sequence[Number]
) -> Hashable:
    array, *bounds = args
    if name.startswith(_FIRST):
        of = key(flat, array, axis)
        return (name, of, *(_place(flat, b) for b in bounds)) if axis == 0 else of
    if name.startswith("columns_"):
        of = key(flat, array, axis)
        return (name, of, *(_place(flat, b) for b in bounds)) if axis == 1 else of
    if name.startswith("block_"):
        return _of_block(flat, axis, name, array, bounds)
    if name in ("outer", "mat_mat"):
        return key(flat, args[axis], axis if name == "mat_mat" else 0)
    if name in ("pick_row", "turned", "no_row"):
        return key(flat, array, 1 - axis)
    if name in ("pick_column", "backwards", "no_column"):
        return key(flat, array, axis)
    if name.startswith(_KEEP):
        return key(flat, args[1] if name in ("spread", "full_like") else array, axis)
    return None


def _of_block(
    flat: Context, axis: int, name: str, array: Number, bounds: Sequence[Number]
) -> Hashable:
    """The key of an axis of a part along both axes: that of the slice alone."""
    _, down, across = name.split("_")
    count = len(CUTS.get(down, (1,)))
    own = ((down, 0, bounds[:count]), (across, 1, bounds[count:]))
    form, of, ends = [way for way in own if way[0] != "at"][axis]
    form = {"from": "sliced_from", "to": "sliced_to", "between": "sliced"}[form]
    return (form, key(flat, array, of), *(_place(flat, b) for b in ends))


def note_each(flat: Context, out: Draft, args: Sequence[Number]) -> None:
    """Remember the keys of a result of an operation element by element."""
    rank = len(out.type.shape)
    for axis, n in enumerate(out.type.shape):
        for arg in args if n == ANY else ():
            own = axis - rank + len(arg.type.shape)
            if own >= 0 and arg.type.shape[own] != 1:
                flat.heap.alike[out, axis] = key(flat, arg, own)
                break


def _place(flat: Context, bound: Number) -> Hashable:
    """The key of a bound: it is the same for each `k + 1`."""
    if isinstance(bound, Literal):
        return bound.value
    return flat.heap.shifted.get(bound, bound)
