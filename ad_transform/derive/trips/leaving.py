"""Work of a loop back for the trip that left a loop alone is done in that trip.

for k in range(1, n):                  for k in range(1, n):
    if v <= x[k]:                          if v <= x[k]:
        d = x[k] - x[k - 1]                    x_bar[k] -= 1.0 / (x[k] - x[k - 1])
        saved.append((True, k, d))             break
        break
    saved.append((False, k, 0.0))
for left, k, d in reversed(saved):
    if left:
        x_bar[k] -= 1.0 / d

Nothing is recorded then. Where something is searched for, the loop back is of this
kind: only the trip that has found it matters to a derivative. Where the loop back needs
more than is known before the loop, it is a branch behind it, `if left: ...`, and the
loop hands on the values that its last trip would have recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import cast

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.sweep.body import merged
from ad_transform.derive.sweep.stacks import TRIPS, fresh_trips, own_trips
from ad_transform.derive.trips.last_trip import Given, LastTrip, branch_of, last_of
from ad_transform.derive.trips.ways import Ways, loops_back, readers_of
from ad_transform.ir.blocks.blocks import another, apart
from ad_transform.ir.blocks.carried import with_carries
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.inner import each_block
from ad_transform.ir.blocks.live import live
from ad_transform.ir.blocks.wants import needed_part
from ad_transform.ir.loops.exits import exit_of, read_in
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Substitution,
    Var,
    While,
    checks,
    walk,
)
from ad_transform.ir.types import BOOL, INT, RECORD
from ad_transform.later import later

with later():
    from ad_transform.ir.arms.computed_once import computed_once
    from ad_transform.ir.arms.threaded import threaded
    from ad_transform.ir.blocks.decided import taken

Operands = tuple[Operand, ...]

_ZEROS = {BOOL: Literal(False), INT: Literal(0)}


def in_trips_that_leave(function: Function) -> Function:
    """The function with loops back for the last trip alone put into the loops forth,
    and branches on one test joined. Linear in the statements, times the depth of the
    blocks.
    """
    if not any(isinstance(s, While) and s.stacks for s in function.nested):
        return function
    numbers = count(fresh_trips(function.body) + 1)
    made = each_block(function, partial(_without_loops_back, numbers=numbers))
    if made is function:
        return function
    made = computed_once(threaded(replace(made, block=merged(made.block))))
    body = live(made.body, made.results)
    return replace(made, block=replace(made.block, body=body))


def _without_loops_back(block: Block, numbers: Iterator[int]) -> Block:
    """A block with the loops back over its own loops moved into these; `numbers` give
    names to the trips of copied loops.
    """
    ways = None
    for loop in [one for one in block.body if isinstance(one, While) and one.stacks]:
        if loop.snapshots is not None or exit_of(loop) is None:
            continue
        if ways is None or ways.forth is not block:
            ways = _ways(block)
        backs = loops_back(ways, loop) if loop in block.body else []
        if len(backs) == 1:
            block = _with_one(block, ways, loop, backs[0], numbers)
    return block


def _ways(block: Block) -> Ways:
    readers = readers_of(block)
    return Ways(block, block, {}, readers, readers)


def _with_one(
    block: Block, ways: Ways, loop: While, back: Scan, numbers: Iterator[int]
) -> Block:
    """The block with a loop back in the loop forth; itself if that is not possible."""
    left = exit_of(loop)
    if left is None or any(map(checks, walk(back.body.body))):
        return block
    last = last_of(ways, loop, left.flag, back)
    if last is None:
        return block
    flag = loop.outs[left.flag]
    around = _around(ways, loop, flag, last, numbers)
    if around is None:
        parted = _parted(block, loop, last, numbers)
        if parted is not block:
            around = _around(_ways(parted), loop, flag, last, numbers)
            block = block if around is None else parted
    if around is None:
        behind = _behind(loop, left.flag, last)
        if behind is None:
            return block
        forth, branch = behind
        into: dict[Statement, Statement] = {loop: forth, back: branch}
        return replace(block, body=tuple(into.get(s, s) for s in block.body))
    made = _with_last(loop, left.flag, last, around)
    gone = {back, *around.gone}
    body: list[Statement] = []
    for statement in block.body:
        if statement is loop:
            body += (*around.before, made, *around.behind)
        elif statement not in gone:
            body.append(statement)
    return replace(block, body=tuple(body))


@dataclass(frozen=True, slots=True)
class _Around:
    """The statements to stand in front of a loop and behind it: the former give `given`
    to the loop back, the latter take its values from the loop, by `ends`. The
    statements that are `gone` stood behind the loop.
    """

    before: Sequence[Statement]
    given: Given
    behind: Sequence[Statement]
    ends: Substitution
    gone: Sequence[Statement]


def _around(
    ways: Ways, loop: While, flag: Operand, last: LastTrip, numbers: Iterator[int]
) -> _Around | None:
    """The statements that make the values given to the loop back. None if these are not
    known before the loop has run, apart from the fact that it is left.
    """
    statements, back = ways.forth.body, last.back
    moved = _makers(statements, loop, back, last.given.values())
    needed = {*last.given.values(), *(one for s in moved for one in s.inputs)}
    unknown = set(loop.outs) - {flag}
    if any(map(checks, walk(tuple(moved)))) or not needed.isdisjoint(unknown):
        return None
    if not _may_begin_earlier(ways, loop, moved, last):
        return None
    told: list[Statement] = []  # they depend on whether the loop is left
    chosen: set[Operand] = {flag}
    for statement in moved:
        if not chosen.isdisjoint(statement.inputs):
            chosen.update(statement.outs)
            told.append(statement)
    alike = [statement for statement in moved if statement not in told]
    inside = {*told, back}
    readers = (ways.readers.get(out, ()) for s in told for out in s.outs)
    if any(one not in inside for found in readers for one in found):
        return None
    given = last.given
    known = taken(Block((), tuple(told), tuple(given.values())), {flag: Literal(True)})
    made = _copy(known, numbers)
    values = dict(zip(given, made.results, strict=True))
    late = [k for k in last.kept if back.carries[k] in chosen]
    ends: Substitution = {}
    behind: list[Statement] = []
    for k in late:
        value, end = values[back.body.params[1 + k]], back.outs[k]
        if not value.type.dims:
            behind.append(_chosen(end, flag, back.carries[k], ends))
        elif inside.issuperset(ways.readers.get(value, (None,))):
            ends[value] = ends[end] = another(end, {})
            told = [_renamed(s, back.carries[k], end) for s in told]
        else:
            return None
    behind = [*(s.over(ends) for s in told), *behind] if late else []
    return _Around((*alike, *made.body), values, behind, ends, moved)


def _parted(block: Block, loop: While, last: LastTrip, numbers: Iterator[int]) -> Block:
    """The block with branches of their own for the values given to the loop back. A
    branch that chooses the value to return often chooses the adjoint, too.
    """
    start, end = block.body.index(loop) + 1, block.body.index(last.back)
    needed: set[Operand] = set(last.given.values())
    body: list[Statement] = []
    for statement in reversed(block.body[start:end]):
        parts = [statement]
        if not needed.isdisjoint(statement.outs):
            if isinstance(statement, Branch) and not needed.issuperset(statement.outs):
                parts = _parts(statement, needed, numbers)
            needed.update(parts[0].inputs)
        body += reversed(parts)
    if len(body) == end - start:
        return block
    whole = (*block.body[:start], *reversed(body), *block.body[end:])
    return replace(block, body=whole)


def _parts(
    branch: Branch, needed: set[Operand], numbers: Iterator[int]
) -> list[Statement]:
    """A branch in two: one for the needed values, one for the rest."""
    outs: set[Operand] = set(branch.outs)
    first, rest = needed_part(branch, needed), needed_part(branch, outs - needed)
    if first is None or rest is None:
        return [branch]
    if not Consumption().by(first).isdisjoint(rest.inputs):
        return [branch]  # it would change arrays that the other one reads
    blocks = tuple([_copy(arm, numbers) for arm in first.blocks])
    return [first.rebuilt(first.outs, first.inputs, blocks), rest]


def _copy(block: Block, numbers: Iterator[int]) -> Block:
    """A copy of the block to stand beside it: loops that record have other trips."""
    trips = own_trips(block.body)
    return apart(block, {trip: f"{TRIPS}{next(numbers)}" for trip in trips})


def _may_begin_earlier(
    ways: Ways, loop: While, moved: Sequence[Statement], last: LastTrip
) -> bool:
    """Whether the arrays that are changed in front of the loop, or in it, have no other
    reader behind its beginning.
    """
    statements = ways.forth.body
    before = set(statements[: statements.index(loop)])
    others = {*before, *moved, last.back}
    given = last.given
    arrays = {*Consumption().by_all(moved), *(given[p] for p in last.carried)}
    readers = (ways.readers.get(a, ()) for a in arrays if a.type.dims)
    return all(one in others for found in readers for one in found)


def _chosen(end: Var, flag: Operand, other: Operand, ends: Substitution) -> Branch:
    """A branch: the value of the loop if it was left, else another value."""
    made = ends[end] = another(end, {})
    then, orelse = ((another(end, {}), another(end, {})) for _ in range(2))
    arms = Block(then, (), then[:1]), Block(orelse, (), orelse[1:])
    return Branch((end,), flag, (made, other), *arms)


def _renamed(statement: Statement, out: Operand, end: Var) -> Statement:
    """A statement with another name for one of its values."""
    outs = tuple(end if one is out else one for one in statement.outs)
    return statement.rebuilt(outs, statement.inputs, statement.blocks)


def _makers(
    statements: Sequence[Statement], loop: While, back: Scan, values: Iterable[Operand]
) -> list[Statement]:
    """The statements between two loops that make some values."""
    needed = set(values)
    found: list[Statement] = []
    between = statements[statements.index(loop) + 1 : statements.index(back)]
    for statement in reversed(between):
        if not needed.isdisjoint(statement.outs):
            needed.update(statement.inputs)
            found.append(statement)
    return found[::-1]


def _with_last(loop: While, flag: int, last: LastTrip, around: _Around) -> While:
    """The loop forth with a branch in which a trip that leaves makes the trip back."""
    inner = {param: another(param, {}) for param in last.carried}
    given = around.given
    reads = {
        param: another(param, {})
        for param, operand in given.items()
        if param not in inner and not isinstance(operand, Literal)
    }
    known = {**given, **last.recorded, **inner, **reads}
    branch = branch_of(loop.body.results[flag], last, given, known)
    outs = (last.back.outs[k] for k in last.kept)
    return with_carries(
        loop,
        tuple(cast(Var, around.ends.get(out, out)) for out in outs),
        {inner[param]: given[param] for param in last.carried},
        {reads[param]: given[param] for param in reads},
        branch,
        branch.outs,
    )


def _behind(loop: While, flag: int, last: LastTrip) -> tuple[While, Branch] | None:
    """The loop forth, which gives the values that its last trip has recorded; and in
    place of the loop back a branch that makes its trip, if the loop was left.
    """
    used = read_in(last.block)
    given = {**last.given, **_ends(loop, last)}
    more = [p for p in last.recorded if p in used and p not in given]
    if any(param.type.dims or param.type == RECORD for param in more):
        return None
    chosen = _chosen_in(loop, flag, [last.recorded[param] for param in more])
    outs = {param: another(param, {}) for param in more}
    known = {**given, **outs}
    branch = branch_of(loop.outs[flag], last, given, known)
    back = branch.binding(tuple(last.back.outs[k] for k in last.kept))
    if not more:
        return loop, back
    return with_carries(loop, tuple(outs.values()), *chosen), back


def _chosen_in(
    loop: While, flag: int, values: Sequence[Operand]
) -> tuple[Given, Given, Branch | None, Operands]:
    """For values of a trip that leaves: more carries of a loop, reads, a branch, and
    the ends of the carries. The branch carries values that an arm alone makes.
    """
    made = {out for s in loop.body.body if isinstance(s, Branch) for out in s.outs}
    inner: Given = {
        _like(value): _ZEROS.get(value.type, Literal(0.0)) for value in values
    }
    pairs = list(zip(values, inner, strict=True))
    late = [(value, param) for value, param in pairs if value in made]
    if not late:
        return inner, {}, None, tuple(values)
    both = tuple(operand for pair in late for operand in pair)
    then, orelse = (tuple(map(_like, both)) for _ in range(2))
    outs = tuple(_like(value) for value, _ in late)
    arms = Block(then, (), then[::2]), Block(orelse, (), orelse[1::2])
    branch = Branch(outs, loop.body.results[flag], both, *arms)
    ends = dict(zip((value for value, _ in late), outs, strict=True))
    return inner, {}, branch, tuple(ends.get(value, value) for value in values)


def _like(operand: Operand) -> Var:
    return another(cast(Var, operand), {})


def _ends(loop: While, last: LastTrip) -> Given:
    """The loop's values for the records of its last trip, as far as it gives them."""
    carries = zip(loop.handed_on, loop.finals, strict=True)
    found: Substitution = dict(carries)
    return {
        param: value if isinstance(value, Literal) else found[value]
        for param, value in last.recorded.items()
        if isinstance(value, Literal) or value in found
    }
