"""Loops of which each trip has to do with an element of its own of an array.

Trip i of `y[i] = sin(x[i])` stores y[i] and no other element, and trip i of `y_bar[i] =
2.0 * y[i]` reads no other one: the trips of the second loop may each follow that of the
first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ad_transform.ir.carried import has_own_places
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce

_STORES = frozenset({"set", "add_at", "sub_at"})


def stores_its_own(loop: Scan, carry: int) -> bool:
    """Whether each trip changes an array that it carries at its index alone, and reads
    it nowhere else. Linear.
    """
    if not has_own_places(loop):
        return False
    index, param = loop.body.params[0], loop.body.params[1 + carry]
    return bounce(_end(loop.body, param, index)) is loop.body.results[carry]


def reads_its_own(loop: Scan, param: Var) -> bool:
    """Whether each trip reads an array that it does not change at its index alone;
    `param` is the array in its block. Linear.
    """
    return bounce(_is_read(loop.body, param, loop.body.params[0]))


def has_room(
    loop: Scan, carry: int, maker_of: Callable[[Operand], Statement | None]
) -> bool:
    """Whether an array that a loop carries has an element for each trip: one of slopes
    has, and one of the user's that is made so. Storing in others may raise. `maker_of`
    gives the statement beside the loop that makes a value.
    """
    array = loop.carries[carry]
    if not loop.outs[carry].named and not (isinstance(array, Var) and array.named):
        return True
    maker, stop = maker_of(array), maker_of(loop.stop)
    if not isinstance(maker, Apply):
        return False
    if maker.op.name == "full":
        return len(maker.args) > 1 and maker.args[1] == loop.stop
    if not isinstance(stop, Apply) or stop.op.name != "size":
        return False
    return maker.op.name == "like" and stop.args == maker.args[:1]


def _end(block: Block, array: Var, index: Operand | None) -> Task[Operand | None]:
    """An array behind what a block changes in it; None where that is not all at the
    index, or something else becomes of it.
    """
    readers: dict[Operand, list[Statement]] = {}
    for statement in block.body:
        for operand in dict.fromkeys(statement.inputs):
            readers.setdefault(operand, []).append(statement)
    value: Var | None = array
    while value is not None:
        reading = [s for s in readers.get(value, ()) if not _looks(s, value, index)]
        if not reading:
            return value
        if len(reading) > 1 or value in block.results:
            return None
        value = yield _changed(reading[0], value, index)
    return None


def _looks(statement: Statement, array: Var, index: Operand | None) -> bool:
    """Whether it reads the element at the index, or the length."""
    if not isinstance(statement, Apply) or statement.args[0] is not array:
        return False
    name = statement.op.name
    return name == "size" or (name == "get" and statement.args[1] is index)


def _changed(
    statement: Statement, array: Var, index: Operand | None
) -> Task[Var | None]:
    """The array behind a statement that changes it at the index alone."""
    if isinstance(statement, Apply):
        is_change = statement.op.name in _STORES and statement.args[0] is array
        is_own = is_change and statement.args[2] is index
        return statement.out if is_own and array not in statement.args[1:] else None
    if isinstance(statement, Branch) and statement.args.count(array) == 1:
        ends = set[int | None]()
        for arm in statement.blocks:
            ends.add((yield _place(arm, statement, array, index)))
        (place,) = ends if len(ends) == 1 else (None,)
        return None if place is None else statement.outs[place]
    if not isinstance(statement, Scan | While) or statement.snapshots is not None:
        return None
    if statement.inputs.count(array) != 1 or array not in statement.carries:
        return None
    k, first = statement.carries.index(array), int(isinstance(statement, Scan))
    if isinstance(statement, While):
        own = statement.test.params[k]
        if own in statement.test.results or any(
            own in inner.inputs for inner in statement.test.body
        ):
            return None
    body = statement.body
    within = _fixed(statement, body, index)
    end = yield _end(body, body.params[first + k], within)
    return statement.outs[k] if end is body.results[k] else None


def _place(
    arm: Block, branch: Branch, array: Var, index: Operand | None
) -> Task[int | None]:
    """Which result of an arm the array is; None for none."""
    own = arm.params[branch.args.index(array)]
    end = yield _end(arm, own, _in_arm(branch, arm, index))
    return arm.results.index(end) if end in arm.results else None


def _in_arm(branch: Branch, arm: Block, index: Operand | None) -> Operand | None:
    """What the index is called in an arm, if it is handed in."""
    if index is None or index not in branch.args:
        return None
    return arm.params[branch.args.index(index)]


def _fixed(loop: Scan | While, block: Block, index: Operand | None) -> Operand | None:
    """What the index is called in a block of an inner loop, if that reads it."""
    if index is None or index not in loop.reads:
        return None
    first = int(isinstance(loop, Scan)) + len(loop.carries)
    return block.params[first + loop.reads.index(index)]


def _is_read(block: Block, array: Var, index: Operand | None) -> Task[bool]:
    """Whether a block does no more with an array than read it at the index."""
    if array in block.results:
        return False
    for statement in block.body:
        if array not in statement.inputs or _looks(statement, array, index):
            continue
        for inner, own, within in _inside(statement, array, index):
            if own is None or not (yield _is_read(inner, own, within)):
                return False
        if not statement.blocks:
            return False
    return True


def _inside(
    statement: Statement, array: Var, index: Operand | None
) -> Iterator[tuple[Block, Var | None, Operand | None]]:
    """The blocks of a statement, what an array that it is given is called in each, and
    the index; None for an array that is more than read.
    """
    for block in statement.blocks:
        if isinstance(statement, Branch):
            given: Sequence[Operand] = statement.args
            params, within = block.params, _in_arm(statement, block, index)
        elif isinstance(statement, Scan | While):
            given, first = statement.reads, int(isinstance(statement, Scan))
            params = block.params[first + len(statement.carries) :]
            within = _fixed(statement, block, index)
        else:
            given, params, within = (), (), None
        if statement.inputs.count(array) != given.count(array):
            yield block, None, None
        for operand, param in zip(given, params, strict=False):
            if operand is array:
                yield block, param, within
