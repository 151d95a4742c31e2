"""Elements that a trip changes for itself alone are not stored.

`e_bar[i] += s_bar` and `x_bar[i] = e_bar[i] * e_i` are `x_bar[i] = (e_bar[i] + s_bar) *
e_i`, where nobody needs e_bar behind the loop. The elements of a new list, `[0.0] * n`,
are 0 at first: `x_bar[i] = s_bar * e_i`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.carried import has_own_places, reading_carries
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.loops.own_elements import has_room
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
from ad_transform.ir.types import FLOAT

_TOTAL = {"set": "", "add_at": "add", "sub_at": "sub"}


def without_unkept(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function without such stores. Linear. `table` has the operations."""

    def changed(block: Block) -> Block:
        if Scan not in block.kinds:
            return block
        read = block.times_read
        makers: dict[Operand, Statement] = {
            out: s for s in block.body for out in s.outs
        }
        return with_body(block, [_kept(s, read, makers, table) for s in block.body])

    return each_block(function, changed, leaves=False)


def _kept(
    statement: Statement,
    read: Mapping[Operand, int],
    makers: Mapping[Operand, Statement],
    table: Mapping[str, Elemental],
) -> Statement:
    """A loop without arrays that it changes for its trips alone."""
    if not isinstance(statement, Scan) or not has_own_places(statement):
        return statement
    made = statement
    for k, carry in enumerate(statement.carries):
        out = statement.outs[k]
        if carry.type.dims and not read[out] and has_room(statement, k, makers.get):
            number = _number_in_all(makers.get(carry))
            made = _without(made, made.outs.index(out), number, table)
    return made


def _number_in_all(maker: Statement | None) -> Literal | None:
    """The number that a new list has in all places; None if it is not known."""
    if not isinstance(maker, Apply) or maker.op.name != "full":
        return None
    number = maker.args[0]
    return (
        number
        if isinstance(number, Literal) and maker.out.type.entry == FLOAT
        else None
    )


def _without(
    loop: Scan, k: int, number: Literal | None, table: Mapping[str, Elemental]
) -> Scan:
    """A loop that reads its carry k, an array, and stores nothing in it; the same loop
    where its trips use the array otherwise. Each element is a `number` at first, if
    that is known.
    """
    block = loop.body
    param = block.params[1 + k]
    if block.times_read[block.results[k]] == 1 or param is block.results[k]:
        return loop  # no trip reads what it has stored
    changed = _with_values(block, param, k, number, table)
    if changed is None:
        return loop
    return reading_carries(replace(loop, body=changed), [k])


def _with_values(
    block: Block,
    param: Var,
    k: int,
    number: Literal | None,
    table: Mapping[str, Elemental],
) -> Block | None:
    """The block with the element at the index as a value, at first a `number` if that
    is known; None where they read or store another one, or give the array to others.
    """
    index = (block.params[0],)
    array = param
    value: Operand | None = number  # its element, where that is known
    body: list[Statement] = []
    env: dict[Operand, Operand] = {}
    for statement in block.body:
        if array not in statement.inputs:
            body.append(statement.over(env))
            continue
        if not isinstance(statement, Apply) or statement.inputs.count(array) > 1:
            return None
        name, args = statement.op.name, statement.args
        if args[0] is array and name == "get" and args[1:] == index:
            if value is None:
                body.append(statement)
                value = statement.out
            else:
                env[statement.out] = value
            continue
        if args[0] is not array or name not in _TOTAL or args[2:] != index:
            return None
        added = env.get(args[1], args[1])
        if _TOTAL[name]:
            if value is None:
                before = Var(statement.out.type.entry)
                body.append(Apply(before, table["get"], (array, *index)))
                value = before
            total = Var(statement.out.type.entry)
            body.append(Apply(total, table[_TOTAL[name]], (value, added)))
            added = total
        array, value = statement.out, added
    if array is not block.results[k] or block.results.count(array) > 1:
        return None  # something else is to become of it
    results = tuple(env.get(result, result) for result in block.results)
    return replace(block, body=tuple(body), results=results)
