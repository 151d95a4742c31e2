"""What a loop stores in a list is not recorded as well: it is read from the list.

`y[i] = tanh(x[i])` in a loop and `1.0 - y[i] * y[i]` on the way back need one list, y.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ad_transform.ir.carried import changes, counts_up, makes_empty
from ad_transform.ir.consumed import Consumption
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.inner import each_block, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    walk,
)


def read_back(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function without such records. Linear, times the lists. `table` has the
    operations.
    """
    if not any(isinstance(s, Scan) and s.entries for s in walk(function.body)):
        return function
    consumption = Consumption()
    return each_block(function, lambda block: _changed(block, consumption, table))


def _changed(
    block: Block, consumption: Consumption, table: Mapping[str, Elemental]
) -> Block:
    body = list(block.body)
    empty = {s.outs[0] for s in body if makes_empty(s)}
    last = {operand: k for k, s in enumerate(body) for operand in s.inputs}
    last.update(dict.fromkeys(block.results, len(body)))
    for place, loop in enumerate(body):
        if not isinstance(loop, Scan) or not (loop.stacks and counts_up(loop)):
            continue
        if loop.snapshots is not None:
            continue
        for array, stack, hint in _stored(loop, empty):
            behind = body[place + 1 : last.get(stack, place) + 1]
            if last.get(stack) == len(body) or array in consumption.by_all(behind):
                continue
            made = [_reading(s, array, stack, hint, loop, table) for s in behind]
            if any(stack in s.inputs for s in made):
                continue
            body[place + 1 : place + 1 + len(made)] = made
            body[place] = _without_record(body[place], stack)
    return with_body(block, body)


def _stored(loop: Scan, empty: Collection[Operand]) -> list[tuple[Var, Var, str]]:
    """The lists in which each trip stores a number in its own place, with the stacks of
    these numbers, and what the lists are called.
    """
    records = loop.body.results[len(loop.carries) :]
    stacks = dict(zip(records, loop.stacks, strict=True))
    index = loop.body.params[0]
    found: list[tuple[Var, Var, str]] = []
    for k, change in changes(loop).items():
        is_own = change.op.name == "set" and change.args[2:] == (index,)
        grows = change.op.name == "append" and loop.carries[k] in empty
        if not is_own and not (grows and not loop.backwards):
            continue
        array, stack = loop.outs[k], stacks.get(change.args[1])
        if stack is not None and stack.type.entry == array.type.entry:
            first = loop.carries[k]
            hint = array.hint or (first.hint if isinstance(first, Var) else "")
            found.append((array, stack, hint))
    return found


def _without_record(loop: Statement, stack: Var) -> Scan:
    """A loop that does not record what is on a stack."""
    assert isinstance(loop, Scan)
    kept = [k for k, out in enumerate(loop.outs) if out is not stack]
    results = tuple(loop.body.results[k] for k in kept)
    outs = tuple(loop.outs[k] for k in kept)
    return replace(loop, outs=outs, body=replace(loop.body, results=results))


def _reading(
    statement: Statement,
    array: Var,
    stack: Var,
    hint: str,
    loop: Scan,
    table: Mapping[str, Elemental],
) -> Statement:
    """A loop over the same range that reads an array in place of a stack; any other
    statement as it is.
    """
    if not isinstance(statement, Scan) or stack not in statement.entries:
        return statement
    ranges = [(s.start, s.stop, s.step, s.snapshots) for s in (statement, loop)]
    given = (*statement.carries, *statement.reads)
    if ranges[0] != ranges[1] or stack in given or array in statement.carries:
        return statement
    params = list(statement.body.params)
    own = 1 + len(given)
    if array in statement.reads:
        param = params[1 + given.index(array, len(statement.carries))]
        reads = statement.reads
    else:
        param = Var(array.type, hint)
        reads = (*statement.reads, array)
        params.insert(own, param)
        own += 1
    gone = [k for k, entry in enumerate(statement.entries) if entry is stack]
    index = params[0]
    gets = [Apply(params[own + k], table["get"], (param, index)) for k in gone]
    dropped = {params[own + k] for k in gone}
    body = Block(
        tuple(p for p in params if p not in dropped),
        (*gets, *statement.body.body),
        statement.body.results,
    )
    entries = tuple(entry for entry in statement.entries if entry is not stack)
    return replace(statement, reads=reads, entries=entries, body=body)
