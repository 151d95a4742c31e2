"""Loops over the items of lists: `for d in rates` in place of `for i in
range(len(rates))` and `d = rates[i]`; and over records with their numbers: `for i, d in
enumerate(saved)`.

A loop goes over items where its index serves to read items of lists: they last, and are
as long as there are trips. If the user has named the index, so are these items. Other
readers of the index of a counted loop have it from `enumerate`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import cast

from ad_transform.ir.blocks.carried import changes, counts_up, given_in_all
from ad_transform.ir.dims import ANY
from ad_transform.ir.loops.ends import is_held, needs_index
from ad_transform.ir.loops.exits import counter_of, exit_of, read_in, used_in
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Open,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    node,
)
from ad_transform.ir.types import RECORD
from ad_transform.later import later

with later():
    from ad_transform.ir.lists.lengths import keep_length

Loop = Scan | While


@node
class Items:
    """The statements of a loop that read items, `d = rates[i]`, and the lists outside
    it; for the row of a matrix, the matrix and the place. `stop` is the end of the
    index. Items that are tuples are `opened` by a statement of the loop.

    A trip may need its number, too: the loop `is_counted`. If the number is the place
    where a trip stores its only result, in a list as long as those, the loop `fills`
    that list.
    """

    reading: tuple[Apply, ...]
    lists: tuple[tuple[Operand, ...], ...]
    stop: Operand
    is_counted: bool = False
    fills: bool = False
    opened: tuple[Open, ...] = ()

    def bound(self, read: Apply) -> tuple[Var, ...]:
        """The values that an item binds: itself, or the parts of a tuple."""
        found = (o.outs for o in self.opened if o.record is read.out)
        return next(found, read.outs)


class _Lengths:
    """Facts about lengths in a block: the numbers that are lengths, the arrays outside
    behind its parameters, and the lengths of lists that are `made`. An unknown length
    equals that of the same array alone.
    """

    def __init__(self) -> None:
        self.of: dict[Operand, object] = {}
        self.arrays: dict[Operand, Operand] = {}
        self.made: dict[Operand, object] = {}

    def length(self, array: Operand, axis: int) -> object:
        """The length of an array along an axis, for comparison. Rows of unknown length
        are unlike all others.
        """
        dim = array.type.dims[axis]
        if dim != ANY:
            return dim
        own = self.arrays.get(array, array)
        return object() if axis else self.made.get(own, own)

    def of_stop(self, stop: Operand) -> object:
        """The length that a number is; None if it is none that is known."""
        return stop.value if isinstance(stop, Literal) else self.of.get(stop)

    def enter(self, statement: Apply) -> None:
        """Take note of a number that is a length."""
        if statement.op.name == "size":
            array, *row = statement.args
            self.of[statement.out] = self.length(array, len(row))
        elif statement.op.name == "full" and len(statement.args) == 2:
            number = statement.args[1]
            self.made[statement.out] = self.of.get(number, number)

    def loop(self, loop: Loop) -> None:
        """Take note of lists that are as long behind a loop as in front of it, and of
        those that have got an item in each trip.
        """
        if isinstance(loop, Scan) and counts_up(loop):
            is_plain = not loop.backwards and loop.snapshots is None
            for k, change in changes(loop).items() if is_plain else ():
                if change.op.name == "append" and loop.carries[k].type.dims == (0,):
                    self.made[loop.outs[k]] = self.of.get(loop.stop, loop.stop)
        if not self.made.keys().isdisjoint(loop.carries):
            for k in keep_length(loop):
                if loop.carries[k] in self.made:
                    self.made[loop.outs[k]] = self.made[loop.carries[k]]

    def within(self, statement: Statement, inner: Block) -> _Lengths:
        """The facts that hold in a block of a statement."""
        found = _Lengths()
        found.made = self.made
        pairs = zip(inner.params, given_in_all(statement), strict=False)
        for param, operand in pairs:
            if operand in self.of:
                found.of[param] = self.of[operand]
            if operand is not None and operand.type.dims:
                found.arrays[param] = self.arrays.get(operand, operand)
        return found


def over_items(function: Function, rows: Set[Var]) -> Mapping[Statement, Items]:
    """The loops of a function that go over items, or over some `rows`. Linear in its
    size.
    """
    used = used_in(function.body, function.results)
    found: dict[Statement, Items] = {}
    for loop, lengths in _loops(function):
        items = _items(loop, lengths, used, rows) or _counted(loop)
        if items is not None:
            found[loop] = items
    return found


def with_a_row_each(function: Function) -> Set[Var]:
    """The matrices with a row for each trip of a loop, by the loop's parameters.
    Linear.
    """
    found: set[Var] = set()
    for loop, lengths in _loops(function):
        if not isinstance(loop, Scan):
            continue
        length = lengths.of_stop(loop.stop)
        for param, outer in zip(loop.read_params, loop.reads, strict=True):
            if len(outer.type.dims) > 1 and lengths.length(outer, 0) == length:
                found.add(param)
    return found


def _loops(function: Function) -> Iterator[tuple[Loop, _Lengths]]:
    """The loops of a function, each with the facts about lengths that hold there."""
    waiting = [(function.block, _Lengths())]
    while waiting:
        block, lengths = waiting.pop()
        for statement in block.body:
            if isinstance(statement, Apply):
                lengths.enter(statement)
                continue
            if isinstance(statement, Scan | While):
                lengths.loop(statement)
                yield statement, lengths
            for inner in statement.blocks:
                waiting.append((inner, lengths.within(statement, inner)))


@node
class _Range:
    """The index of a loop from 0 up, the statement that advances it, and its end."""

    index: Var
    advance: Statement | None
    stop: Operand


def _range(loop: Loop, used: Set[Operand]) -> _Range | None:
    if is_held(loop):
        return None
    if isinstance(loop, Scan):
        index = loop.body.params[0]
        return _Range(index, None, loop.stop) if counts_up(loop) else None
    left = exit_of(loop)
    counter = None if left is None else counter_of(loop, left, used)
    if counter is None or loop.carries[counter.carry] != Literal(0):
        return None
    if counter.step != Literal(1):
        return None
    stop = counter.stop
    end = stop if isinstance(stop, Literal) else loop.inputs[stop]
    return _Range(loop.body.params[counter.carry], counter.advance, end)


def _items(
    loop: Loop, lengths: _Lengths, used: Set[Operand], rows: Set[Var]
) -> Items | None:
    over = _range(loop, used)
    if over is None or over.index in loop.body.results:
        return None
    is_named = over.index.named
    if is_named and isinstance(loop, While):
        return None
    stop, length = over.stop, lengths.of_stop(over.stop)
    body = loop.body
    outer: dict[Operand, Operand] = dict(zip(loop.read_params, loop.reads, strict=True))
    items: dict[tuple[Operand, ...], Apply] = {}
    other: list[Statement] = []
    for statement in body.body:
        if over.index not in statement.inputs or statement is over.advance:
            continue
        found = _list_of(statement, over.index, outer, rows)
        is_long = found and lengths.length(found[0], len(found) - 1) == length
        is_told = found and (not is_named or _is_name(statement, body))
        if found is None or found in items or not (is_long and is_told):
            other.append(statement)
        else:
            items[found] = cast(Apply, statement)
    if not items or (other and (isinstance(loop, While) or loop.backwards)):
        return None
    fills = (
        len(other) == 1
        and not is_named
        and _fills(loop, other[0])
        and lengths.length(loop.carries[0], 0) == length
    )
    opened = tuple(_opened(body, items.values()))
    return Items(tuple(items.values()), tuple(items), stop, bool(other), fills, opened)


def _opened(body: Block, items: Iterable[Apply]) -> Iterator[Open]:
    """The statements that open items, each the only reader of its item."""
    records = {s.out for s in items if s.out.type == RECORD}
    for statement in body.body if records else ():
        is_open = isinstance(statement, Open) and statement.record in records
        if is_open and body.times_read[statement.inputs[0]] == 1:
            yield cast(Open, statement)


def _is_name(statement: Statement, body: Block) -> bool:
    """Whether a value has a name of the user's, and no loop in the trip takes that
    over.
    """
    loops = (s for s in body.body if isinstance(s, Loop))
    is_kept = not any(statement.outs[0] in loop.carries for loop in loops)
    return statement.outs[0].named and is_kept


def _list_of(
    statement: Statement,
    index: Var,
    outer: Mapping[Operand, Operand],
    rows: Set[Var],
) -> tuple[Operand, ...] | None:
    """The list outside a loop from which a statement reads an item by the index."""
    if not isinstance(statement, Apply) or statement.op.name != "get":
        return None
    *row, place = statement.args
    if place is not index or statement.out.notes:
        return None
    if statement.out.type.dims and statement.out not in rows:
        return None
    found = tuple(outer.get(operand, operand) for operand in row)
    is_outside = all(o in outer or isinstance(o, Literal) for o in row)
    return found if is_outside else None


def _fills(loop: Loop, store: Statement) -> bool:
    """Whether a loop only stores an item of a list in each trip."""
    if not isinstance(store, Apply) or store.op.name != "set":
        return False
    is_all = len(loop.outs) == 1 and loop.body.results == store.outs
    return is_all and len(loop.carries[0].type.dims) == 1


def _counted(loop: Loop) -> Items | None:
    """`for i, x in enumerate(saved)`, if a trip reads its index and another loop's
    records.
    """
    if not isinstance(loop, Scan) or loop.backwards or loop.snapshots is not None:
        return None
    if not (counts_up(loop) and loop.entries and needs_index(loop)):
        return None
    return Items((), (), loop.stop, is_counted=True)


def unread_end(loop: Statement, items: Items) -> Counter[Var]:
    """The uses of a loop's end that go, since the loop goes over items."""
    stop = items.stop
    if not isinstance(stop, Var):
        return Counter()
    if isinstance(loop, While):
        read, pairs = read_in(loop.body), zip(loop.read_params, loop.reads, strict=True)
        inside = (param for param, outer in pairs if outer is stop)
        return Counter() if any(p in read for p in inside) else Counter({stop: 2})
    return Counter({stop: 1})


def others(body: Iterable[Statement], items: Items | None) -> tuple[Statement, ...]:
    """The statements of a body but for those that read the items."""
    if items is None or not items.reading:
        return tuple(body)
    return tuple(s for s in body if s not in items.reading and s not in items.opened)
