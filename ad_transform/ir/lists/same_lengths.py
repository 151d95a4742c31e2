"""A length is taken once, and a list that nothing else reads is not copied.

Arrays of one dim are equally long: where `len(x)` is there, `len(y)` is that, and so is
the smaller one of the two. A copy of a list that nothing reads any more is the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeGuard

from ad_transform.ir.blocks.carried import given_in_all
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.dims import ANY, Dim
from ad_transform.ir.nodes import Apply, Block, Function, Operand, Scan, Statement
from ad_transform.ir.types import INT

_OPERATIONS = ("size", "copy", "min", "max")
"""Operations whose value may be there already, or be their operand."""


def same_lengths(function: Function) -> Function:
    """The function with each length once in a block and those in it, where these are
    given it, and no idle copies. Linear.
    """
    return each_block(function, _Lengths().once)


class _Lengths:
    """The lengths that blocks are given, by dim; blocks are held, for ids are used
    again.
    """

    def __init__(self) -> None:
        self.given: dict[int, tuple[Block, dict[Dim, Operand]]] = {}

    def once(self, block: Block) -> Block:
        """The block with each length once."""
        _, known = self.given.pop(id(block), (block, {}))
        if block.operations.keys().isdisjoint(_OPERATIONS) and not (
            known and block.holders
        ):
            return block
        left = Counter(block.times_read)  # how often a value is read from here on
        env: dict[Operand, Operand] = {}
        own: set[Operand] = set()  # lists that loops have made
        body: list[Statement] = []
        for statement in block.body:
            left.subtract(statement.inputs)
            made = statement.over(env)
            if isinstance(made, Scan):
                own.update(made.finals)
            if is_length(made):
                length = made.args[0].type.dims[0]
                first = known.get(length)
                if first is not None and not made.out.named:
                    env[made.out] = first
                    continue
                if length != ANY:
                    known.setdefault(length, made.out)
            one = only_number(made)
            if one is not None:
                env[made.outs[0]] = one
                continue
            is_copy = isinstance(made, Apply) and made.op.name == "copy"
            if is_copy and made.inputs[0] in own and not left[statement.inputs[0]]:
                env[made.outs[0]] = made.inputs[0]
                continue
            if known and made.blocks:
                self._enter(made, known)
            body.append(made)
        return with_body(block, body, env)

    def _enter(self, statement: Statement, known: Mapping[Dim, Operand]) -> None:
        """Take note of the lengths that the blocks of a statement are given."""
        dims = {length: dim for dim, length in known.items()}
        given = given_in_all(statement)
        for block in statement.blocks:
            inside: dict[Dim, Operand] = {
                dims[operand]: param
                for param, operand in zip(block.params, given, strict=False)
                if operand in dims
            }
            if inside:
                self.given[id(block)] = block, inside


def only_number(statement: Statement) -> Operand | None:
    """The operand of a `min` or `max` of one number, be it there twice; else None."""
    if not isinstance(statement, Apply) or statement.op.name not in ("min", "max"):
        return None
    first, *others = statement.args
    is_one = statement.out.type == INT and not statement.out.named
    return first if is_one and all(other is first for other in others) else None


def is_length(statement: Statement) -> TypeGuard[Apply]:
    """Whether it takes the length of an array."""
    is_size = isinstance(statement, Apply) and statement.op.name == "size"
    return is_size and len(statement.inputs) == 1
