"""Lists that get one item in each trip of a loop are as long as there are trips.

`len(r)` behind such a loop over `range(n)` is n, and lists of derivatives have room for
n items in front of the loop: their items are stored, in any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.carried import changes, counts_up, makes_empty
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.lists.same_lengths import only_number
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.types import Kind


def appended(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such lengths told, and with such lists of derivatives stored.
    Linear. `table` has the operations.
    """
    if "append" not in function.block.all_operations:
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _told(block, sacred, table))


def _appends(statement: Statement) -> bool:
    return isinstance(statement, Apply) and statement.op.name == "append"


def _told(block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]) -> Block:
    empty: set[Operand] = {s.outs[0] for s in block.body if makes_empty(s)}
    if empty.isdisjoint(c for s in block.body for c in s.inputs):
        return block
    lengths: set[Operand] = set()
    long: dict[Operand, Operand] = {}
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env)
        one = only_number(made)
        if one is not None:
            env[made.outs[0]] = one
            continue
        if isinstance(made, Apply) and made.op.name == "size":
            lengths.add(made.out)
            if made.args[0] in long and len(made.args) == 1:
                env[made.out] = long[made.args[0]]
                continue
        elif isinstance(made, Scan) and _is_plain(made, lengths):
            grown = {
                k: append
                for k, append in changes(made).items()
                if made.carries[k] in empty and _appends(append)
            }
            lists = [made.outs[k] for k in grown]
            long.update(dict.fromkeys(lists, made.stop))
            if sacred.isdisjoint(lists) and all(map(_is_of_slopes, lists)):
                for k, append in grown.items():
                    room = Var(made.outs[k].type, made.outs[k].hint)
                    args = Literal(0.0), made.stop
                    body.append(Apply(room, table["full"], args))
                    made = _stored(made, k, room, append, table)
        body.append(made)
    return with_body(block, body, env)


def _is_of_slopes(array: Var) -> bool:
    """Whether a list is of floats, and without a name of the user's: of derivatives."""
    return array.type.kind is Kind.FLOAT and not array.named


def _is_plain(loop: Scan, lengths: Set[Operand]) -> bool:
    """Whether a loop is over range(n), forwards, n a literal or a length."""
    is_long = isinstance(loop.stop, Literal) or loop.stop in lengths
    is_plain = loop.snapshots is None and not loop.backwards
    return is_long and is_plain and counts_up(loop)


def _stored(
    loop: Scan, k: int, room: Var, append: Apply, table: Mapping[str, Elemental]
) -> Scan:
    """The loop with a store in place of its append."""
    array, value = append.args
    store = replace(append, op=table["set"], args=(array, value, loop.body.params[0]))
    body = tuple(store if s is append else s for s in loop.body.body)
    carries = tuple(room if c == k else old for c, old in enumerate(loop.carries))
    return replace(loop, carries=carries, body=replace(loop.body, body=body))
