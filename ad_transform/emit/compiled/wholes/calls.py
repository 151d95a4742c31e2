"""Calls of functions that are given lists for arrays, and lengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.emit.compiled.wholes.arrays import Whole, of_list, stored
from ad_transform.emit.compiled.wholes.boundaries import (
    Signature,
    Stack,
    Value,
    like,
    own_list,
)
from ad_transform.emit.compiled.wholes.draft import ZERO, Draft
from ad_transform.ir import dims
from ad_transform.ir.nodes import Call, Operand, Var
from ad_transform.ir.types import INT


def drafted(
    call: Call,
    signature: Signature,
    draft: Draft,
    env: dict[Operand, Value],
    looks: dict[Operand, Var],
) -> None:
    """Draft the call with lists for arrays, and their lengths behind all."""
    args = [env.get(a, a) for a in call.args]
    handed: list[Operand] = []
    for k, value in enumerate(args):
        assert not isinstance(value, Stack)
        if not isinstance(value, Whole):
            handed.append(value)
        elif k in call.changes:
            handed.append(own_list(draft, value))
        else:
            array = stored(draft, value).stored
            assert array is not None
            handed.append(array)
    told = {
        name: _length(draft, args[k], axis)
        for name, (k, axis) in signature.told.items()
    }
    outs = [like(draft, out, out.type)[0] for out in call.outs]
    looks.update(zip(outs, call.outs, strict=True))
    shapes = [signature.shapes.get(k, ()) for k in range(len(outs))]
    more = [
        [Var(INT) for dim in shape if dim == dims.ANY and len(shape) > 1]
        for shape in shapes
    ]
    every = (*outs, *(var for group in more for var in group))
    made = (every, call.callee, (*handed, *told.values()))
    draft.body.append(Call(*made, call.inert, call.raises, call.changes))
    for out, new, shape, rest in zip(call.outs, outs, shapes, more, strict=True):
        env[out] = _called(draft, out, new, shape, rest, told)


def _length(draft: Draft, value: Value, axis: int) -> Operand:
    """The length of an argument along an axis."""
    if isinstance(value, Whole):
        return draft.exact(value.lengths[axis])
    assert not isinstance(value, Stack)
    return draft.once("size", value, *(ZERO,) * axis)


def _called(
    draft: Draft,
    out: Var,
    array: Var,
    shape: dims.Dims,
    more: Sequence[Operand],
    told: Mapping[str, Operand],
) -> Value:
    """The value that a function has given; its shape is in the function's terms."""
    if not out.type.shape:
        return array
    rest = iter(more)
    lengths: list[Operand] = []
    for dim in shape:
        if dim != dims.ANY:
            lengths.append(draft.of_form(dim, told))
        elif len(shape) == 1:
            lengths.append(draft.once("size", array))
        else:
            lengths.append(next(rest))
    draft.owned.add(array)
    return of_list(array, out.type.shape, lengths)
