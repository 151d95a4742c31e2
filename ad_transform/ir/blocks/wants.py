"""The parts of statements with blocks that are needed: results, carries, records,
arguments.

A value is wanted if a result or a check needs it. The want goes from a result of a
statement into its blocks, and from a parameter of a block out to what is handed in. In
a loop it goes from a carry to what the trip before gives for it, so a carry that is
read only to compute itself is not wanted.

Each block is gone through once, from its end: what is wanted of a statement is known
when it is reached, but for what a trip needs of the trip before. That is followed value
by value. A statement of which all results are wanted, and of which all that it holds is
read, stays as it is, and nobody looks into it. All this is linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from operator import is_
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import (
    FIRST,
    Apply,
    Block,
    Branch,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    found_inside,
    has_checks,
    is_check,
    is_whole,
    sought,
)
from ad_transform.ir.trampoline import Task, bounce


def needed_part(statement: Statement, needed: set[Operand]) -> Statement | None:
    """The needed part of a statement with blocks; None if nothing of it is needed."""
    found_inside(statement, "is_whole", "has_checks")
    if needed.isdisjoint(statement.outs) and not has_checks(statement):
        return None
    search = _Search()
    alive = search.enter(None, statement)
    for k, out in enumerate(statement.outs):
        if out in needed:
            search.result(alive, k)
    bounce(search.inside(alive))
    return bounce(_trimmed(alive))


# --- wants ---------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Alive:
    """A statement with blocks that is needed, and the results of it that are.

    `scope` is the block that it stands in, None for the outermost.
    """

    scope: _Scope | None
    statement: Statement
    inner: list[_Scope] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class _Scope:
    """An occurrence of a block: the values wanted in it, and the statements with blocks
    that are needed, in part or whole. `makers` are there once the block has been gone
    through and more of it is wanted later.
    """

    block: Block
    holder: _Alive
    wanted: set[Operand] = field(default_factory=set)
    alive: dict[Statement, _Alive] = field(default_factory=dict)
    whole: set[Statement] = field(default_factory=set)
    is_done: bool = False
    makers: dict[Operand, tuple[Statement | None, int]] = field(default_factory=dict)


class _Search:
    """The values that are wanted too late for the walk through their block, and the
    statements whose first result is such a value.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[_Scope, Operand]] = []
        self._entered: list[_Alive] = []

    def inside(self, alive: _Alive) -> Task[None]:
        """Go through the blocks of a statement of which results are wanted.

        Late wants in others are followed before the next one is gone through, so
        nothing is ever wanted at a place of a block that has just been passed.
        """
        outer, self._entered = self._entered, [alive]
        while self._entered:
            for scope in self._entered.pop().inner:
                yield self._through(scope)
                self._follow()
        self._entered = outer

    def _through(self, scope: _Scope) -> Task[None]:
        """Go through a block whose wanted results are known."""
        wanted, body = scope.wanted, scope.block.body
        for statement in reversed(body):
            if type(statement) is Apply:  # nearly always
                if statement.out in wanted:
                    wanted.update(statement.args)
            elif statement.blocks:
                found = not wanted.isdisjoint(statement.outs)
                every = found and wanted.issuperset(sought(statement))
                if every and is_whole(statement):
                    scope.whole.add(statement)
                    wanted.update(statement.inputs)
                elif found or has_checks(statement):
                    alive = self.enter(scope, statement)
                    for k, out in enumerate(statement.outs):
                        if out in wanted:
                            self.result(alive, k)
                    yield self.inside(alive)
            elif is_check(statement) or not wanted.isdisjoint(statement.outs):
                wanted.update(statement.inputs)
        scope.is_done = True
        rule = _RULES.get(type(scope.holder.statement), _WHOLE)
        for k, param in enumerate(scope.block.params):
            if param in wanted:
                rule.param(self, scope.holder, k)

    def _follow(self) -> None:
        """Follow late wants, but not into blocks that have not been gone through."""
        while self._waiting:
            scope, value = self._waiting.pop()
            makers = scope.makers = scope.makers or _makers(scope.block)
            maker, k = makers.get(value, (None, -1))
            if type(maker) is Apply:  # nearly always
                self.want(scope, maker.args)
            elif maker is None:
                if k >= 0:
                    _RULES.get(type(scope.holder.statement), _WHOLE).param(
                        self, scope.holder, k
                    )
            elif maker.blocks:
                self._want_of(scope, maker, k)
            else:
                self.want(scope, maker.inputs)

    def _want_of(self, scope: _Scope, maker: Statement, k: int) -> None:
        """Want a result of a statement with blocks that has been passed."""
        if maker in scope.alive:
            self.result(scope.alive[maker], k)
        elif maker not in scope.whole:
            alive = self.enter(scope, maker)
            self.result(alive, k)
            self._entered.append(alive)

    def want(self, scope: _Scope | None, values: Iterable[Operand]) -> None:
        """Take note of wants in a block; outside of all blocks the caller does."""
        if scope is None:
            return
        wanted = scope.wanted
        if not scope.is_done:
            wanted.update(values)
            return
        for value in values:
            if type(value) is Var and value not in wanted:
                wanted.add(value)
                self._waiting.append((scope, value))

    def enter(self, scope: _Scope | None, statement: Statement) -> _Alive:
        """The statement as one that is needed."""
        alive = _Alive(scope, statement)
        if scope is not None:
            scope.alive[statement] = alive
        alive.inner += [_Scope(block, alive) for block in statement.blocks]
        _RULES.get(type(statement), _WHOLE).enter(self, alive)
        return alive

    def result(self, alive: _Alive, k: int) -> None:
        """Want result k of a statement."""
        if k not in alive.kept:
            alive.kept.add(k)
            _RULES.get(type(alive.statement), _WHOLE).result(self, alive, k)


def _makers(block: Block) -> dict[Operand, tuple[Statement | None, int]]:
    """The maker of each value of a block, with the number of the result; for a
    parameter None, with its number.
    """
    makers: dict[Operand, tuple[Statement | None, int]] = {
        param: (None, k) for k, param in enumerate(block.params)
    }
    makers |= {s.out: (s, 0) for s in block.body if type(s) is Apply}
    for statement in (block.body[place] for place in block.others):
        makers.update((out, (statement, k)) for k, out in enumerate(statement.outs))
    return makers


# --- rules: one for each kind of statement -------------------------------------------


@dataclass(frozen=True, slots=True)
class _Rule:
    """The wants of a kind of statement with blocks, and its trimming.

    `enter`   wants the operands read once the statement is needed at all
    `result`  wants the operands of result k
    `param`   wants the operand of parameter k of its blocks
    `trim`    makes the statement without the rest, over trimmed blocks
    """

    enter: Callable[[_Search, _Alive], None]
    result: Callable[[_Search, _Alive, int], None]
    param: Callable[[_Search, _Alive, int], None]
    trim: Callable[[_Alive, list[Block]], Statement]


def _branch_enter(search: _Search, alive: _Alive) -> None:
    search.want(alive.scope, alive.statement.inputs[:1])  # the test


def _branch_result(search: _Search, alive: _Alive, k: int) -> None:
    for arm in alive.inner:
        search.want(arm, (arm.block.results[k],))


def _branch_param(search: _Search, alive: _Alive, k: int) -> None:
    search.want(alive.scope, (alive.statement.inputs[1 + k],))


def _branch_trim(alive: _Alive, blocks: list[Block]) -> Statement:
    branch: Any = alive.statement
    args = _used(alive)
    arms = [_cut(block, args, sorted(alive.kept)) for block in blocks]
    outs = _pick(branch.outs, sorted(alive.kept))
    return Branch(outs, branch.test, _pick(branch.args, args), arms[0], arms[1])


def _loop_result(search: _Search, alive: _Alive, k: int) -> None:
    loop: Any = alive.statement
    *_, body = alive.inner
    if k < len(body.block.results):  # the trips of a While are no result of its body
        search.want(body, (body.block.results[k],))
    search.want(alive.scope, loop.carries[k : k + 1])


def _scan_enter(search: _Search, alive: _Alive) -> None:
    search.want(alive.scope, alive.statement.inputs[:3])  # the bounds


def _scan_result(search: _Search, alive: _Alive, k: int) -> None:
    _loop_result(search, alive, k)
    scan: Any = alive.statement
    if k >= len(scan.carries) and scan.entries:
        # a stack has the dim of the entries: one of them stays, and tells it
        (body,) = alive.inner
        search.want(body, (body.block.params[-len(scan.entries)],))


def _scan_param(search: _Search, alive: _Alive, k: int) -> None:
    loop: Any = alive.statement
    if 1 <= k <= len(loop.carries):
        search.result(alive, k - 1)
    elif k:
        search.want(alive.scope, (loop.inputs[2 + k],))


def _scan_trim(alive: _Alive, blocks: list[Block]) -> Statement:
    scan: Any = alive.statement
    count, kept = len(scan.carries), sorted(alive.kept)
    carried = [k for k in kept if k < count]
    read = [k for k in _used(alive) if k > count]
    params = [0, *(1 + k for k in carried), *read]
    body = _cut(blocks[0], params, kept)
    entered = scan.first_entry
    return Scan(
        _pick(scan.outs, kept),
        *(scan.start, scan.stop, scan.step),
        _pick(scan.carries, carried),
        tuple(scan.reads[k - count - 1] for k in read if k < entered),
        tuple(scan.entries[k - entered] for k in read if k >= entered),
        body,
        scan.backwards,
        scan.snapshots,
        scan.notes,
    )


def _while_enter(search: _Search, alive: _Alive) -> None:
    test, _ = alive.inner
    search.want(test, test.block.results)


def _while_param(search: _Search, alive: _Alive, k: int) -> None:
    loop: Any = alive.statement
    if k < len(loop.carries):
        search.result(alive, k)
    else:
        search.want(alive.scope, (loop.inputs[k],))


def _while_trim(alive: _Alive, blocks: list[Block]) -> Statement:
    loop: Any = alive.statement
    count, trips = len(loop.carries), len(loop.outs) - 1
    kept = sorted(alive.kept - {trips})
    carried = [k for k in kept if k < count]
    read = [k for k in _used(alive) if k >= count]
    test, body = blocks
    return While(
        (*_pick(loop.outs, kept), loop.trips),
        _pick(loop.carries, carried),
        tuple(loop.reads[k - count] for k in read),
        _cut(test, [*carried, *read], [0]),
        _cut(body, [*carried, *read], kept),
        loop.snapshots,
        loop.notes,
    )


def _whole_enter(search: _Search, alive: _Alive) -> None:
    search.want(alive.scope, alive.statement.inputs)
    for scope in alive.inner:
        search.want(scope, scope.block.results)


def _nothing(search: _Search, alive: _Alive, k: int) -> None:
    """Want no more: the whole statement is wanted already."""


def _whole_trim(alive: _Alive, blocks: list[Block]) -> Statement:
    statement = alive.statement
    return statement.rebuilt(statement.outs, statement.inputs, tuple(blocks))


_RULES: dict[type[Statement], _Rule] = {
    Branch: _Rule(_branch_enter, _branch_result, _branch_param, _branch_trim),
    Scan: _Rule(_scan_enter, _scan_result, _scan_param, _scan_trim),
    While: _Rule(_while_enter, _loop_result, _while_param, _while_trim),
}
_WHOLE = _Rule(_whole_enter, _nothing, _nothing, _whole_trim)


# --- the wanted part -----------------------------------------------------------------


def _trimmed(alive: _Alive) -> Task[Statement]:
    """The wanted part of a statement; itself, if that is all."""
    blocks: list[Block] = []
    for scope in alive.inner:
        blocks.append((yield _kept(scope)))
    made = alive.statement
    same = all(b is s.block for b, s in zip(blocks, alive.inner, strict=True))
    if not (same and _is_all(alive)):
        made = _RULES.get(type(made), _WHOLE).trim(alive, blocks)
    alive.inner.clear()  # these refer to it: now its memory is free at once
    return made


def _is_all(alive: _Alive) -> bool:
    """Whether all results of a statement are wanted, and all that it hands in."""
    first = FIRST.get(type(alive.statement))
    if first is None:
        return True
    if not alive.kept.issuperset(range(len(sought(alive.statement)))):
        return False
    start = first(alive.statement)
    wanted = [scope.wanted for scope in alive.inner]
    params = zip(*[scope.block.params[start:] for scope in alive.inner], strict=True)
    return all(any(p in w for p, w in zip(ps, wanted, strict=True)) for ps in params)


def _kept(scope: _Scope) -> Task[Block]:
    """The block with all parameters and results, and the wanted part of its body."""
    block, body = scope.block, list[Statement]()
    for statement in block.body:
        if type(statement) is Apply:  # nearly always
            if statement.out in scope.wanted:
                body.append(statement)
        elif statement in scope.alive:
            body.append((yield _trimmed(scope.alive[statement])))
        elif is_check(statement) or not scope.wanted.isdisjoint(statement.outs):
            body.append(statement)
    scope.alive.clear()  # likewise
    same = len(body) == len(block.body) and all(map(is_, body, block.body))
    return block if same else Block(block.params, tuple(body), block.results)


def _used(alive: _Alive) -> list[int]:
    """The places of parameters that some block of the statement reads."""
    found: set[int] = set()
    for scope in alive.inner:
        wanted = scope.wanted
        found.update([k for k, p in enumerate(scope.block.params) if p in wanted])
    return sorted(found)


def _cut(block: Block, params: Sequence[int], results: Sequence[int]) -> Block:
    """The block with some of its parameters and results."""
    return Block(_pick(block.params, params), block.body, _pick(block.results, results))


def _pick(values: Sequence[Any], places: Sequence[int]) -> tuple[Any, ...]:
    return tuple(values[k] for k in places)
