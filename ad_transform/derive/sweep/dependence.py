"""The results of a block that depend on its parameters, as far as derivatives go.

A result has a mask: bit k stands for parameter k. `y = x[0] * x[2]` has 0b101. The bit
behind those of all parameters stands for operations in the block that are perturbed,
as by an error of rounding: their results vary by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_

from ad_transform.derive.accumulation.partials import transmits
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Operand,
    Scan,
    Solve,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce

Masks = tuple[int, ...]


class Dependence:
    """The masks of blocks, each found once; linear in a block for each bit set.

    `perturbed` says which operations are.
    """

    def __init__(self, perturbed: Callable[[Apply], bool] | None = None) -> None:
        self._watched = perturbed
        self._known: dict[Block, Masks] = {}

    def of(self, block: Block) -> Masks:
        """The mask of every result over the parameters."""
        return bounce(self._block(block))

    def within(
        self, body: Sequence[Statement], seeds: Mapping[Operand, int]
    ) -> dict[Operand, int]:
        """The masks of all values of a body, those of its inputs given."""
        return bounce(self._body(body, seeds, 1 << len(seeds)))

    def _block(self, block: Block) -> Task[Masks]:
        known = self._known.get(block)
        if known is None:
            seeds: dict[Operand, int] = {
                p: 1 << k for k, p in enumerate(block.params) if p.type.is_real
            }
            masks = yield self._body(block.body, seeds, 1 << len(block.params))
            known = tuple(masks.get(r, 0) for r in block.results)
            self._known[block] = known
        return known

    def _body(
        self, body: Sequence[Statement], seeds: Mapping[Operand, int], errors: int
    ) -> Task[dict[Operand, int]]:
        masks, watched = dict(seeds), self._watched
        for statement in body:
            if type(statement) is Apply:
                mask = _of_apply(statement, masks)
                if watched is not None and watched(statement):
                    mask |= errors
                if mask:
                    _enter(masks, statement.out, mask)
                continue
            own: Sequence[int] = ()
            match statement:
                case Branch():
                    known = self._known
                    then = known.get(statement.then)
                    if then is None:
                        then = yield self._block(statement.then)
                    orelse = known.get(statement.orelse)
                    if orelse is None:
                        orelse = yield self._block(statement.orelse)
                    given = [*(masks.get(a, 0) for a in statement.args), errors]
                    both = zip(then, orelse, strict=True)
                    own = [spread(a | b, given) for a, b in both]
                case Call(inert=False):
                    mask = union(masks.get(a, 0) for a in statement.args)
                    mask |= 0 if watched is None else errors
                    own = [mask] * len(statement.outs)
                case Solve():
                    inner = yield self._block(statement.residual)
                    own = _solve_masks(statement, inner, masks)
                case Scan() | While():
                    inner = yield self._block(statement.body)
                    own = loop_masks(statement, inner, masks, errors)
            for out, mask in zip(statement.outs, own, strict=False):
                _enter(masks, out, mask)
        return masks


def _enter(masks: dict[Operand, int], out: Var, mask: int) -> None:
    if mask and out.type.is_real:
        masks[out] = mask


def _of_apply(statement: Apply, masks: Mapping[Operand, int]) -> int:
    found = 0
    for k, arg in enumerate(statement.args):
        mask = masks[arg] if type(arg) is Var and arg in masks else 0
        if mask and mask | found != found and transmits(statement, k):
            found |= mask
    return found


def union(masks: Iterable[int]) -> int:
    """All bits of some masks."""
    return reduce(or_, masks, 0)


def spread(mask: int, given: Sequence[int]) -> int:
    """The mask over outer values, if `given` has the masks of those for parameters."""
    return union(outer for k, outer in enumerate(given) if mask >> k & 1)


def _solve_masks(solve: Solve, inner: Masks, masks: Mapping[Operand, int]) -> list[int]:
    """The masks of unknowns: each depends on all that some equation depends on."""
    given = [*[0] * len(inner), *(masks.get(a, 0) for a in solve.args)]
    return [spread(union(inner), given)] * len(inner)


def loop_masks(
    loop: Scan | While, inner: Masks, masks: Mapping[Operand, int], errors: int
) -> list[int]:
    """The masks of a loop's outs after any number of trips; `errors` is the mask of
    perturbed operations in its body.
    """
    count = len(loop.carries)
    first = loop.first_carry
    outer = [masks.get(v, 0) for v in (*loop.carries, *loop.reads, *loop.entries)]
    given = [*[0] * first, *outer, errors]
    while True:
        carried = [given[first + k] | spread(inner[k], given) for k in range(count)]
        if carried == given[first : first + count]:
            break
        given[first : first + count] = carried
    return [*carried, *(spread(mask, given) for mask in inner[count:])]
