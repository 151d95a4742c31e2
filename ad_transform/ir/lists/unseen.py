"""Stores into elements that nobody reads, or that hold the value already, are left out.

The way back of `w[i] = f(w[i - 1])` reads `w_bar[i]`, stores 0.0 there and adds to
`w_bar[i - 1]`: it goes from the last element to the first, no later trip reads the 0.0,
and what stands behind the loop reads `w_bar[0]`, where nothing was stored. What is
added to a 0.0 of this kind is stored in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Set
from typing import TypeAlias

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.carried import reading_carries
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.lists.added_once import with_stores
from ad_transform.ir.loops.affine import AffineForm, AffineForms, Conditions
from ad_transform.ir.loops.meeting import Meeting
from ad_transform.ir.loops.sites import ONLY_READ
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce

_CHANGES = {"set", "add_at", "sub_at"}


def without_unseen(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function without such stores; `table` has the operations.

    Linear in the statements, times the loops around them and the elements read.
    """
    if not any(isinstance(s, Scan) and _carries_lists(s) for s in function.nested):
        return function
    consumption = Consumption()
    sacred = of_value(function)

    def without(block: Block) -> Block:
        return _without(block, sacred, consumption, table)

    return each_block(function, without)


def _without(
    block: Block,
    sacred: Set[Operand],
    consumption: Consumption,
    table: Mapping[str, Elemental],
) -> Block:
    if not any(isinstance(s, Scan) and _carries_lists(s) for s in block.body):
        return block
    env: dict[Operand, Operand] = {}
    forms = AffineForms(block.body, {})
    behind = _Behind(block, forms, consumption)
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        if isinstance(statement, Scan) and _stores(statement):
            inner = _inner(statement, forms, behind, sacred, consumption, table)
            if inner is not statement.body:
                assert isinstance(made, Scan)
                made = reading_unchanged(replace(made, body=inner), env)
        body.append(made)
    return with_body(block, body, env)


def _inner(
    loop: Scan,
    forms: AffineForms,
    behind: _Behind,
    sacred: Set[Operand],
    consumption: Consumption,
    table: Mapping[str, Elemental],
) -> Block:
    """The body of a loop without the stores that nobody sees."""
    meeting = behind.meeting(loop)
    times = Counter(walk(loop.body.body))
    found = Counter(meeting.renewed())
    pairs = [
        pair
        for pair, count in found.items()
        if pair[1].out not in sacred and all(times[s] == count for s in pair)
    ]
    if pairs:
        zeros, adds = zip(*pairs, strict=True)
        body = bounce(with_stores(loop.body, {*adds}, table))
        loop = replace(loop, body=bounce(cleared(body, {*zeros})))
        meeting = Meeting(loop, forms, consumption)
    gone = {*_gone(loop, meeting, behind), *_held(loop.body, sacred)}
    return bounce(cleared(loop.body, gone)) if gone else loop.body


def _held(body: Block, sacred: Set[Operand]) -> Iterator[Apply]:
    """Stores of the value that an element has had since it was read."""
    made = {s.out: s for s in walk(body.body) if isinstance(s, Apply)}
    for store in made.values():
        if store.op.name == "set" and store.out not in sacred:
            array, value, *places = store.args
            read = made.get(value) if isinstance(value, Var) else None
            if read and read.op.name == "get" and read.args == (array, *places):
                yield store


def _carries_lists(loop: Scan) -> bool:
    """Whether a loop may change lists."""
    return loop.snapshots is None and any(carry.type.dims for carry in loop.carries)


def _stores(loop: Scan) -> bool:
    """Whether the trips of a loop store elements of lists that they carry."""
    return _carries_lists(loop) and any(
        isinstance(s, Apply) and s.op.name == "set" for s in walk(loop.body.body)
    )


_Read: TypeAlias = tuple[tuple[AffineForm, ...], Conditions]
"""The index of an element, () for any, and the conditions on the values in it."""

_ANY: _Read = (), ()

_MOST = 30
"""Elements read behind a loop that are looked at; where more are, any may be."""


class _Behind:
    """The reads of arrays behind the statements that give them."""

    def __init__(
        self, block: Block, forms: AffineForms, consumption: Consumption
    ) -> None:
        self._forms = forms
        self._consumption = consumption
        self._given = set(block.results)
        self._meetings: dict[tuple[Scan, Operand | None], Meeting] = {}
        self._readers: dict[Operand, list[Statement]] = {}
        for statement in block.body:
            for operand in statement.inputs:
                if operand.type.dims:
                    self._readers.setdefault(operand, []).append(statement)

    def read(self, array: Operand) -> list[_Read]:
        """The elements that are read."""
        found: list[_Read] = []
        waiting = [array]
        while waiting:
            version = waiting.pop()
            if version in self._given or len(found) > _MOST:
                return [_ANY]
            for statement in self._readers.get(version, ()):
                if isinstance(statement, Scan):
                    read, behind = self._in_loop(statement, version)
                    found += read
                    waiting += behind
                    continue
                if not isinstance(statement, Apply) or statement.args[0] is not version:
                    return [_ANY]
                name, args = statement.op.name, statement.args
                if name in _CHANGES:
                    waiting.append(statement.out)
                elif name != "get":
                    return [_ANY]
                if name != "set":
                    index = args[1:] if name == "get" else args[2:]
                    places = map(self._forms.place, index, version.type.dims)
                    found.append((tuple(places), ()))
        return found

    def meeting(self, loop: Scan, read: Operand | None = None) -> Meeting:
        """The sites of a loop, those of an array that it only reads among them."""
        key = loop, read
        if key not in self._meetings:
            self._meetings[key] = Meeting(loop, self._forms, self._consumption, read)
        return self._meetings[key]

    def _in_loop(self, loop: Scan, array: Operand) -> tuple[list[_Read], list[Var]]:
        """The elements that the trips of a loop read, and the array behind it, if that
        is another one.
        """
        if loop.snapshots is not None:
            return [_ANY], []
        is_carried = array in loop.carries
        k = loop.carries.index(array) if is_carried else ONLY_READ
        meeting = self.meeting(loop, None if is_carried else array)
        if is_carried and not meeting.is_known(k):
            return [_ANY], []
        behind = [loop.outs[k]] if is_carried else []
        return [(site.index, site.conditions) for site in meeting.reads(k)], behind


def _gone(loop: Scan, meeting: Meeting, behind: _Behind) -> set[Statement]:
    """The stores of a loop that nobody sees."""
    read: dict[int, list[_Read]] = {}
    found: Counter[Statement] = Counter()
    for statement, site in meeting.unread():
        k = site.array
        if k not in read:
            read[k] = behind.read(loop.outs[k])
        found[statement] += not any(meeting.may_be(site, *one) for one in read[k])
    times = Counter(s for s in walk(loop.body.body) if s in found)
    return {s for s, count in found.items() if count and count == times[s]}


def cleared(block: Block, gone: Collection[Statement]) -> Task[Block]:
    """A block without some stores; loops in it read the arrays that they change no
    more.
    """
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        if isinstance(made, Apply) and statement in gone:
            env[made.out] = made.args[0]
            continue
        if made.blocks:
            inner: list[Block] = []
            for held in made.blocks:
                inner.append((yield cleared(held, gone)))
            made = made.rebuilt(made.outs, made.inputs, tuple(inner))
            if isinstance(made, Scan):
                made = reading_unchanged(made, env)
            elif isinstance(made, Branch):
                env.update(_kept(made))
        body.append(made)
    return with_body(block, body, env)


def _kept(branch: Branch) -> Mapping[Operand, Operand]:
    """The arrays that both arms of a branch give back unchanged."""
    args = branch.args
    given: list[dict[Operand, Operand]] = [
        dict(zip(block.params, args, strict=True)) for block in branch.blocks
    ]
    pairs = zip(branch.then.results, branch.orelse.results, strict=True)
    found: dict[Operand, Operand] = {}
    for out, (a, b) in zip(branch.outs, pairs, strict=True):
        array = given[0].get(a)
        if out.type.dims and array is not None and given[1].get(b) is array:
            found[out] = array
    return found


def reading_unchanged(loop: Scan, env: dict[Operand, Operand]) -> Scan:
    """A loop that reads the arrays that it carried and does not change; enters their
    values behind it.
    """
    params = loop.body.params[1:]
    gone = [
        k
        for k, carry in enumerate(loop.carries)
        if carry.type.dims and loop.body.results[k] is params[k]
    ]
    if not gone:
        return loop
    env.update((loop.outs[k], loop.carries[k]) for k in gone)
    return reading_carries(loop, gone)
