"""Arrays that keep their length: elements of them are stored, nothing more."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.nodes import Apply, Block, Branch, Operand, Scan, Var, While
from ad_transform.ir.trampoline import Task, bounce

_STORES = frozenset({"set", "add_at", "sub_at"})

Origins = dict[Operand, Var]
"""The parameters of a block by the arrays that are as long as they are."""


def keep_length(loop: Scan | While) -> list[int]:
    """The arrays that a loop carries which no trip makes longer or shorter, by place.
    Linear, times the loops inside one another.
    """
    if not any(carry.type.dims for carry in loop.carries):
        return []
    return bounce(_kept(loop))


def as_long(block: Block, given: Mapping[Operand, Operand]) -> dict[Operand, Operand]:
    """Arrays of a block, each with the `given` array that is as long."""
    found = bounce(_origins(block))
    return {array: given[of] for array, of in found.items() if of in given}


def _kept(loop: Scan | While) -> Task[list[int]]:
    found = yield _origins(loop.body)
    pairs = zip(loop.carry_params, loop.handed_on, strict=True)
    return [k for k, (param, end) in enumerate(pairs) if found.get(end) is param]


def _origins(block: Block) -> Task[Origins]:
    found: Origins = {param: param for param in block.params if param.type.dims}
    for statement in block.body if found else ():
        if isinstance(statement, Apply):
            if statement.op.name in _STORES and statement.args[0] in found:
                found[statement.out] = found[statement.args[0]]
        elif isinstance(statement, Branch):
            arms: list[list[Operand | None]] = []
            for arm in statement.blocks:
                own = yield _origins(arm)
                given = {p: found.get(arg) for p, arg in handed(statement, arm)}
                arms.append([given.get(own.get(end)) for end in arm.results])
            for out, a, b in zip(statement.outs, *arms, strict=True):
                if a is not None and a is b:
                    found[out] = a
        elif isinstance(statement, Scan | While):
            for k in (yield _kept(statement)):
                if statement.carries[k] in found:
                    found[statement.outs[k]] = found[statement.carries[k]]
    return found
