"""Lists that a function gives back as they were given: copies, for they are its
caller's. A caller knows that one may be the same object (`aliases`).
"""

from __future__ import annotations

from collections.abc import Set

from ad_transform.dataclass import replace
from ad_transform.elementals.copies import copy_of
from ad_transform.ir.nodes import Block, Branch, Function, Operand, Statement


def as_copies(function: Function, lists: Set[Operand]) -> Function:
    """The function, which gives back none of these parameters, in no arm. Linear."""
    if not lists:
        return function
    return replace(function, block=_block(function.block, lists))


def _block(block: Block, lists: Set[Operand]) -> Block:
    body = [_statement(statement, lists) for statement in block.body]
    copies = {r: copy_of(r) for r in block.results if r in lists}
    body += copies.values()
    results = tuple(copies[r].out if r in copies else r for r in block.results)
    return Block(block.params, tuple(body), results)


def _statement(statement: Statement, lists: Set[Operand]) -> Statement:
    """A statement with copies for these lists; the arms of a branch have names of their
    own for its arguments.
    """
    if not isinstance(statement, Branch) or lists.isdisjoint(statement.args):
        return statement

    def arm(block: Block) -> Block:
        pairs = zip(block.params, statement.args, strict=True)
        return _block(block, frozenset(param for param, arg in pairs if arg in lists))

    return statement.map_blocks(arm)
