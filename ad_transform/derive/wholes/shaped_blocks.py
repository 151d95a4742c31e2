"""Arms and trips that give numbers where others give arrays: these give arrays, too."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Block, Branch, Operand, Scan, Var, While, hint_of
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import Kind

Alike = Callable[[Operand], Operand | None]
"""Some array of the shape of another that is there, if there is one."""

_UNREAD: dict[Kind, Callable[[Var], tuple[str, *tuple[Operand, ...]]]] = {
    Kind.BOOL: lambda x: ("lt", x, x),
    Kind.INT: lambda x: ("no_places", x),
}
"""Masks and indices as long as others, in an arm where nobody reads them."""


def in_shape(branch: Branch, alike: Alike) -> Branch:
    """The branch with arrays in both arms for each value that is an array in one."""
    for k, out in enumerate(branch.outs):
        small = [b for b in branch.blocks if not b.results[k].type.shape]
        if not out.type.shape or not small:
            continue
        unread = _UNREAD.get(out.type.kind)
        like = alike(out)
        if like is None:
            continue  # a record of one arm: nobody reads it in the other
        arms = []
        for block in branch.blocks:
            param = Var(like.type, hint_of(like))
            builder = Builder(TABLE, LAWS)
            result = block.results[k]
            if not result.type.shape and unread is not None:
                result = builder.apply(*unread(param))
            elif not result.type.shape:
                result = builder.apply("spread", result, param)
            results = (*block.results[:k], result, *block.results[k + 1 :])
            body = (*block.body, *builder.body)
            arms.append(Block((*block.params, param), body, results))
        branch = Branch(branch.outs, branch.test, (*branch.args, like), *arms)
    return branch


def from_arrays(
    loop: Scan | While, alike: Alike, spread: Callable[[Operand, Operand], Operand]
) -> Scan | While:
    """The loop with arrays from the start for the carries that end as arrays."""
    inputs = list(loop.inputs)
    first = 3 if isinstance(loop, Scan) else 0
    for k, carry in enumerate(loop.carries):
        out = loop.outs[k]
        if out.type.shape and not carry.type.shape:
            like = alike(out)
            if like is None:
                message = "an array of this shape is made in the loop alone"
                help_ = "make one in front of it, `np.zeros(...)`, that it changes"
                raise Refusal(Diagnostic("AD031", message, out.span, help_))
            inputs[first + k] = spread(carry, like)
    return loop.rebuilt(loop.outs, tuple(inputs), loop.blocks)
