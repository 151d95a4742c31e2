"""The arms of nested branches are numbered, where tests would be kept of each of them.

if v < a:                            if v < a:
    left, high = True, False             arm = 0
else:                                elif v > a + b:
    left, high = False, v > a + b        arm = 1
                                     else:
                                         arm = 2
saved.append((left, high))           saved.append(arm)

One whole number is kept in place of a test for each level. On the way back `left` is
`arm == 0`, and `high` is `arm == 1`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from ad_transform.dataclass import dataclass
from ad_transform.elementals import TABLE
from ad_transform.ir.inner import with_block
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.places import Place
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL, INT, Type

_HINT = "arm"


def numbered(function: Function) -> Function:
    """The function with numbers of arms for tests of nested branches.

    Linear in the statements, times the branches one inside the other.
    """
    chains = {s: c for s, c in _chains(Place(function.block)) if c.saves}
    if not chains:
        return function
    return with_block(function, bounce(_Numbering(chains).block(function.block)))


@dataclass(frozen=True, slots=True)
class _Level:
    """A branch of nested ones, and which of its arms holds the next of them: 0, 1, or
    None where it is the last. `test` is its test, or the value that the outermost one
    gives for that.
    """

    branch: Branch
    side: int | None
    test: Var


@dataclass(frozen=True, slots=True)
class _Chain:
    """Nested branches, outermost first, and what becomes of their tests: which are read
    behind, and which the loop around records.
    """

    levels: tuple[_Level, ...]
    read: frozenset[Var]
    recorded: frozenset[Var]
    leaves: bool = False  # the outermost test tells whether the loop goes on

    @property
    def saves(self) -> bool:
        """Whether there are fewer values to keep."""
        inner = {level.test for level in self.levels[1:]}
        return len(self.recorded | (self.read & inner)) > 1

    def tests(self, arm: Var) -> Tests:
        """The tests by the number of the arm: that of an arm without another branch is
        how many levels down it is.
        """
        return {
            level.test: _Test(arm, "gt" if level.side == 0 else "eq", number)
            for number, level in enumerate(self.levels)
        }


def _levels(branch: Branch) -> tuple[_Level, ...]:
    """A branch and those in its arms whose tests it gives, False elsewhere."""
    assert isinstance(branch.test, Var)
    found: list[_Level] = []
    test, wanted = branch.test, {out: out for out in branch.outs if out.type == BOOL}
    while True:
        step = _next(branch, wanted)
        if step is None:
            return (*found, _Level(branch, None, test))
        side, given, inner = step
        found.append(_Level(branch, side, test))
        assert isinstance(inner.test, Var)
        branch, test = inner, given[inner.test]
        wanted = {out: given[out] for out in inner.outs if out in given}


def _next(
    branch: Branch, wanted: Mapping[Var, Var]
) -> tuple[int, Mapping[Var, Var], Branch] | None:
    """The arm with the next branch, what the values in it are called outside, and that
    branch.
    """
    for side in (1, 0):
        arm, other = branch.blocks[side], branch.blocks[1 - side]
        rows = zip(branch.outs, arm.results, other.results, strict=True)
        given = {
            inner: wanted[out]
            for out, inner, default in rows
            if out in wanted and isinstance(inner, Var) and default == _FALSE
        }
        for statement in arm.body:
            if isinstance(statement, Branch) and statement.test in given:
                return side, given, statement
    return None


_FALSE = Literal(False)


def _chains(place: Place) -> Iterator[tuple[Branch, _Chain]]:
    """The outermost of nested branches, with their chains."""
    waiting = [place]
    inner: set[Branch] = set()
    while waiting:
        here = waiting.pop()
        for statement in here.block.body:
            if not isinstance(statement, Branch) or statement in inner:
                continue
            if isinstance(statement.test, Var):
                levels = _levels(statement)
                inner.update(level.branch for level in levels[1:])
                if len(levels) > 1:
                    yield statement, _chain(here, levels)
        waiting += here.inside()


def _chain(place: Place, levels: tuple[_Level, ...]) -> _Chain:
    """Nested branches that stand in a block; none of their tests is said to be read
    where a list of one of them is read in another way than trip by trip.
    """
    tests = [level.test for level in levels]
    stacks = {test: place.stacks(test) for test in tests}
    recorded = {test for test, own in stacks.items() if own}
    outer = place.outer
    lists = [stack for own in stacks.values() for stack in own or ()]
    if outer is not None and not all(_goes_back(outer, stack) for stack in lists):
        return _Chain(levels, frozenset(), frozenset())
    read = {t for t in tests if stacks[t] is None or place.readers(t)}
    leaves = stacks[tests[0]] is None
    return _Chain(levels, frozenset(read), frozenset(recorded), leaves)


def _goes_back(place: Place, stack: Var) -> bool:
    """Whether all that reads a list goes over it, or hands it to what does."""
    above = place.stacks(stack)
    if above is None:
        return False
    if above and not (place.outer and all(_goes_back(place.outer, s) for s in above)):
        return False
    for statement in place.readers(stack):
        for block, param in _params(statement, stack):
            if param is None:
                return False
            inside = Place(block, statement, place)
            if param.type.dims and not _goes_back(inside, param):
                return False
    return True


def _params(statement: Statement, value: Var) -> Iterator[tuple[Block, Var | None]]:
    """What blocks of a statement call a value that they are handed as it is, or item by
    item; None where it is read in another way.
    """
    for block, pairs in _handed(statement):
        for operand, param in pairs:
            if operand is value:
                yield block, param
    others = _handed_otherwise(statement)
    if value in others:
        yield Block((), (), ()), None


def _handed(
    statement: Statement,
) -> list[tuple[Block, list[tuple[Operand, Var]]]]:
    """What blocks of a statement are handed, with their names for it."""
    match statement:
        case Branch(args=args):
            return [
                (b, list(zip(args, b.params, strict=True))) for b in statement.blocks
            ]
        case Scan(reads=reads, entries=entries, body=body, snapshots=None):
            params = body.params[1 + len(statement.carries) :]
            return [(body, list(zip((*reads, *entries), params, strict=True)))]
        case While(reads=reads, snapshots=None):
            count = len(statement.carries)
            return [
                (b, list(zip(reads, b.params[count:], strict=True)))
                for b in statement.blocks
            ]
    return []


def _handed_otherwise(statement: Statement) -> tuple[Operand, ...]:
    """What a statement reads in another way."""
    match statement:
        case Branch(test=test):
            return (test,)
        case Scan(snapshots=None):
            ends = statement.start, statement.stop, statement.step
            return (*ends, *statement.carries)
        case While(snapshots=None):
            return statement.carries
    return statement.inputs


@dataclass(frozen=True, slots=True)
class _Test:
    """A test as a comparison of the number of an arm, or a list of tests as that of
    each number of a list.
    """

    arm: Var
    name: str
    number: int

    def of(self, arm: Var) -> _Test:
        """The same by another name of the number."""
        return _Test(arm, self.name, self.number)


Tests = dict[Operand, _Test]


@dataclass(slots=True)
class _Body:
    """A block in the making: which tests are numbers of arms, those of them that a
    loop around may record so, and its statements.
    """

    tests: Tests
    recorded: Tests = field(default_factory=dict)
    body: list[Statement] = field(default_factory=list)
    made: dict[Operand, Operand] = field(default_factory=dict)

    def value(self, operand: Operand) -> Operand:
        """An operand as it is read here."""
        test = self.tests.get(operand)
        if test is None:
            return operand
        if operand not in self.made:
            out = Var(BOOL)
            op = TABLE[test.name]
            self.body.append(Apply(out, op, (test.arm, Literal(test.number))))
            self.made[operand] = out
        return self.made[operand]

    def over(self, statement: Statement) -> Statement:
        """The statement with what it reads; what is handed on stays, and the numbers
        are handed on beside it.
        """
        handed = {o for _, pairs in _handed(statement) for o, _ in pairs}
        read = [o for o in statement.inputs if o not in handed]
        return statement.over({o: self.value(o) for o in read if o in self.tests})

    def arms(self, operands: Iterable[Operand]) -> list[Var]:
        """The numbers that go with tests."""
        known = (self.tests[o].arm for o in operands if o in self.tests)
        return list(dict.fromkeys(known))


@dataclass(slots=True)
class _Numbering:
    """The chains that get numbers, by their outermost branches."""

    chains: Mapping[Branch, _Chain]

    def block(self, block: Block) -> Task[Block]:
        """The block with numbers of arms."""
        inside = yield self._body(block, {})
        return _closed(block, inside)

    def _body(self, block: Block, tests: Tests) -> Task[_Body]:
        inside = _Body(tests)
        for statement in block.body:
            made = statement
            chain = self.chains.get(made) if isinstance(made, Branch) else None
            arm = Var(INT, _HINT)
            if chain is not None:
                made = _giving(chain.levels, arm)
            made = inside.over(made)
            if isinstance(made, Branch):
                made = yield self._branch(made, inside)
            elif isinstance(made, Scan | While):
                made = yield self._loop(made, inside)
            elif made.blocks:
                blocks: list[Block] = []
                for one in made.blocks:
                    blocks.append((yield self.block(one)))
                made = made.rebuilt(made.outs, made.inputs, tuple(blocks))
            inside.body.append(made)
            if chain is not None:
                tests = chain.tests(arm)
                inside.recorded.update((t, tests[t]) for t in chain.recorded)
                if chain.leaves:
                    del tests[chain.levels[0].test]
                inside.tests.update(tests)
        return inside

    def _branch(self, branch: Branch, inside: _Body) -> Task[Statement]:
        arms = inside.arms(branch.args)
        blocks: list[Block] = []
        for block in branch.blocks:
            more, tests = _given(block.params, branch.args, arms, inside.tests)
            own = yield self._body(block, tests)
            blocks.append(_closed(block, own, (*block.params, *more)))
        return Branch(branch.outs, branch.test, (*branch.args, *arms), *blocks)

    def _loop(self, loop: Scan | While, inside: _Body) -> Task[Statement]:
        start = len(loop.carries) + isinstance(loop, Scan)
        end = start + len(loop.reads)
        arms = inside.arms(loop.reads)
        items = inside.arms(loop.entries) if isinstance(loop, Scan) else []
        blocks: list[Block] = []
        new: list[Var] = []
        for block in loop.blocks:
            read, tests = _given(
                block.params[start:end], loop.reads, arms, inside.tests
            )
            entries: list[Var] = []
            if isinstance(loop, Scan):
                entries, more = _given(
                    block.params[end:], loop.entries, items, inside.tests
                )
                tests.update(more)
            own = yield self._body(block, tests)
            params = *block.params[:end], *read, *block.params[end:], *entries
            more_results: list[Var] = []
            if block is loop.body:
                more_results, new = _recorded(loop, own, inside)
            blocks.append(_closed(block, own, params, more_results))
        if isinstance(loop, Scan):
            return replace(
                loop,
                outs=(*loop.outs, *new),
                reads=(*loop.reads, *arms),
                entries=(*loop.entries, *items),
                body=blocks[0],
            )
        test, body = blocks
        outs = *loop.outs[:-1], *new, loop.trips
        reads = *loop.reads, *arms
        return replace(loop, outs=outs, reads=reads, test=test, body=body)


def _closed(
    block: Block,
    inside: _Body,
    params: tuple[Var, ...] | None = None,
    more: Sequence[Var] = (),
) -> Block:
    """A block with its parameters, and with more results."""
    results = tuple(map(inside.value, block.results))
    return Block(params or block.params, tuple(inside.body), (*results, *more))


def _given(
    params: Sequence[Var],
    operands: Sequence[Operand],
    arms: Sequence[Var],
    known: Tests,
) -> tuple[list[Var], Tests]:
    """The parameters of a block for numbers that it is handed, and its tests: those of
    what it is handed, or of items of that.
    """
    named: dict[Var, Var] = {}
    tests: Tests = {}
    for param, operand in zip(params, operands, strict=True):
        if operand in known:
            test = known[operand]
            type_ = Type(INT.kind, param.type.dims)
            hint = f"{_HINT}_list" if type_.dims else _HINT
            own = named.setdefault(test.arm, Var(type_, hint))
            tests[param] = test.of(own)
    return [named[arm] for arm in arms], tests


def _recorded(
    loop: Scan | While, own: _Body, inside: _Body
) -> tuple[list[Var], list[Var]]:
    """The numbers that a trip gives for the tests that it records, and their lists."""
    lists: dict[Var, Var] = {}
    ends = loop.body.results[len(loop.carries) :]
    for out, end in zip(loop.stacks, ends, strict=True):
        if end in own.recorded:
            test = own.recorded[end]
            type_ = Type(INT.kind, out.type.dims)
            stack = lists.setdefault(test.arm, Var(type_, f"{_HINT}_list"))
            inside.tests[out] = inside.recorded[out] = test.of(stack)
    return list(lists), list(lists.values())


def _giving(levels: Sequence[_Level], arm: Var) -> Branch:
    """The outermost branch, where every one gives the number of the arm, too."""
    made: Branch | None = None
    inner: Operand = Literal(len(levels))
    for number, level in reversed(list(enumerate(levels))):
        old = level.branch
        then, orelse = old.blocks
        ends: list[Operand] = [Literal(number), inner]
        if level.side == 0:
            ends.reverse()
        if made is not None and level.side is not None:
            sides = list(old.blocks)
            held = sides[level.side]
            body = tuple(
                made if s is levels[number + 1].branch else s for s in held.body
            )
            sides[level.side] = replace(held, body=body)
            then, orelse = sides
        then, orelse = (
            replace(block, results=(*block.results, end))
            for block, end in zip((then, orelse), ends, strict=True)
        )
        inner = Var(INT, _HINT) if number else arm
        assert isinstance(inner, Var)
        made = Branch((*old.outs, inner), old.test, old.args, then, orelse)
    assert made is not None
    return made
