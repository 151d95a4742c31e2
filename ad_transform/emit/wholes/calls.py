"""Calls of functions of the file, which are given lists for arrays.

Behind all values they take the lengths of all arrays, and return those of matrices.
"""

from __future__ import annotations

from ad_transform.emit.wholes.arrays import Whole, of_list, stored
from ad_transform.emit.wholes.boundaries import (
    Stack,
    Value,
    like,
    own_list,
)
from ad_transform.emit.wholes.draft import Draft
from ad_transform.ir.nodes import Call, Operand, Var
from ad_transform.ir.types import INT


def drafted(
    call: Call, draft: Draft, env: dict[Operand, Value], looks: dict[Operand, Var]
) -> None:
    """Draft the call, and enter its results."""
    handed: list[Operand] = []
    sizes: list[Operand] = []
    for k, arg in enumerate(call.args):
        value = env.get(arg, arg)
        assert not isinstance(value, Stack)
        if not isinstance(value, Whole):
            handed.append(value)
            continue
        changes = k in call.changes
        handed.append(own_list(draft, value) if changes else _list(draft, value))
        sizes += map(draft.exact, value.lengths)
    outs = [like(draft, out, out.type)[0] for out in call.outs]
    looks.update(zip(outs, call.outs, strict=True))
    ranks = [len(out.type.shape) for out in call.outs]
    more = [[Var(INT) for _ in range(n if n > 1 else 0)] for n in ranks]
    every = (*outs, *(var for group in more for var in group))
    made = (every, call.callee, (*handed, *sizes))
    draft.body.append(Call(*made, call.inert, call.raises, call.changes))
    for out, new, lengths in zip(call.outs, outs, more, strict=True):
        env[out] = new
        if out.type.shape:
            given: list[Operand] = [*lengths] or [draft.size(new)]
            own = [
                draft.length(dim) or n
                for dim, n in zip(out.type.shape, given, strict=True)
            ]
            env[out] = of_list(new, out.type.shape, own)
            draft.owned.add(new)


def _list(draft: Draft, x: Whole) -> Operand:
    array = stored(draft, x).stored
    assert array is not None
    return array
