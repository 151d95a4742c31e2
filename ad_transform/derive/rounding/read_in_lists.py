"""Lists that became whole arrays: what reads an element or the list itself has it.

    y = np.array(u); y[1]; y.tolist()     u[1]; u

Functions that take and give lists have such arrays at their ends, see `calls_in_lists`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ad_transform.dataclass import replace
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import COPY, LIKE, MADE
from ad_transform.elementals.whole import OF_LIST, TO_LIST
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Call,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce

_OF = frozenset(OF_LIST.values())
_TO = frozenset(TO_LIST.values())
_READS = {"pick": "get", "pick_both": "get", "length": "size"}
_NEW = frozenset(
    {"set", "append", *_TO, *MADE.values(), *COPY.values(), *LIKE.values()}
)
"""Operations whose lists are no parts of others."""


def read_in_lists(function: Function) -> Function:
    """The function that reads lists where it read arrays of them. Linear."""
    return replace(function, block=bounce(_block(function.block)))


def _block(block: Block) -> Task[Block]:
    lists = dict(_lasting(block))
    given = _given_away(block, lists)
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        here = statement.over(env)
        if isinstance(here, Apply) and here.args and here.args[0] in lists:
            own = lists[here.args[0]]
            if here.op.name in _TO and here.out.type == own.type:
                if here.out in given:
                    env[here.out] = own
                    continue
            elif here.op.name in _READS and own.type.is_real:
                row = TABLE[_READS[here.op.name]]
                here = Apply(here.out, row, (own, *here.args[1:]))
        inner: list[Block] = []
        for one in here.blocks:
            inner.append((yield _block(one)))
        body.append(here.rebuilt(here.outs, here.inputs, tuple(inner)))
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, tuple(body), results)


def _lasting(block: Block) -> Iterator[tuple[Operand, Var]]:
    """The whole arrays that are made of lists which nothing changes, and these."""
    changed = Consumption().by_all(block.body)
    apart = {*block.params, *_made(block)}
    for statement in block.body:
        if isinstance(statement, Apply) and statement.op.name in _OF:
            (own,) = statement.args
            if isinstance(own, Var) and own in apart and own not in changed:
                yield statement.out, own


def _made(block: Block) -> Iterator[Var]:
    """The lists that a block makes, and that are no parts of others."""
    for statement in block.body:
        is_new = isinstance(statement, Call | Scan | While)
        if is_new or (isinstance(statement, Apply) and statement.op.name in _NEW):
            yield from statement.outs


def _given_away(block: Block, lists: Mapping[Operand, Var]) -> set[Operand]:
    """The lists of such arrays that may be the list itself: they are only read, or the
    only result that is a list of the block's own.
    """
    changed = Consumption().by_all(block.body)
    made, taken = {*_made(block)}, {*block.results}
    found: set[Operand] = set()
    for statement in block.body:
        if not (isinstance(statement, Apply) and statement.op.name in _TO):
            continue
        own, out = lists.get(statement.args[0]), statement.out
        if own is None or out in changed:
            continue
        if out not in taken:
            found.add(out)
        elif own in made and own not in taken and block.results.count(out) == 1:
            taken.add(own)
            found.add(out)
    return found
