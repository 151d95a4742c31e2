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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.trips.nested_tests import Chain, Level, asked, chains
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.inner import with_block
from ad_transform.ir.blocks.places import Place
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
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL, INT, Type

_HINT = "arm"


def numbered(function: Function) -> Function:
    """The function with numbers of arms for tests of nested branches.

    Linear in the statements, times the branches one inside the other.
    """
    found = {s: c for s, c in chains(Place(function.block)) if c.saves}
    if not found:
        return function
    return with_block(function, bounce(_Numbering(found).block(function.block)))


@dataclass(frozen=True, slots=True)
class _Test:
    """A test as a comparison of the arm's number; a list of tests as that of each
    number of a list.
    """

    arm: Var
    name: str
    number: int

    def of(self, arm: Var) -> _Test:
        """The same test by another name of the number."""
        return _Test(arm, self.name, self.number)


Tests = dict[Operand, _Test]


def _tests(chain: Chain, arm: Var) -> Tests:
    """The tests by the number of the arm; the number of an arm without a further branch
    is its level.
    """
    return {
        level.test: _Test(arm, "gt" if level.side == 0 else "eq", number)
        for number, level in enumerate(chain.levels)
    }


@dataclass(slots=True)
class _Body:
    """A block in the making: its tests that are numbers of arms, those of them that a
    loop around records in this way, and its statements.
    """

    tests: Tests
    recorded: Tests = field(default_factory=dict)
    body: list[Statement] = field(default_factory=list)
    made: dict[Operand, Operand] = field(default_factory=dict)

    def value(self, operand: Operand) -> Operand:
        """An operand in the form in which it is read here."""
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
        """The statement with tests made of numbers where it reads them; a test that it
        hands on stays, with its number beside it.
        """
        read = (o for o in asked(statement) if o in self.tests)
        return statement.over({o: self.value(o) for o in read})

    def arms(self, operands: Iterable[Operand]) -> list[Var]:
        """The numbers of arms behind some tests."""
        known = (self.tests[o].arm for o in operands if o in self.tests)
        return list(dict.fromkeys(known))


@dataclass(slots=True)
class _Numbering:
    """The chains that get numbers, by their outermost branches."""

    chains: Mapping[Branch, Chain]

    def block(self, block: Block) -> Task[Block]:
        """The block with numbers of arms."""
        inside = yield self._body(block, {})
        return _closed(block, inside)

    def _body(self, block: Block, tests: Tests) -> Task[_Body]:
        inside = _Body(tests)
        for statement in block.body:
            made = statement
            known: Tests = {}
            chain = self.chains.get(made) if isinstance(made, Branch) else None
            if chain is not None:
                arm = Var(INT, _HINT)
                known = _tests(chain, arm)
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
                inside.recorded.update((t, known[t]) for t in chain.recorded)
                if chain.leaves:
                    del known[chain.levels[0].test]
                inside.tests.update(known)
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
        start, end = loop.first_read, loop.first_entry
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
    """The parameters of a block for the numbers that are handed to it; and its tests,
    for operands that are handed to it and for items of these.
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
    """The numbers that a trip records in the place of tests, and their lists."""
    lists: dict[Var, Var] = {}
    for out, end in zip(loop.stacks, loop.records, strict=True):
        if end in own.recorded:
            test = own.recorded[end]
            type_ = Type(INT.kind, out.type.dims)
            stack = lists.setdefault(test.arm, Var(type_, f"{_HINT}_list"))
            inside.tests[out] = inside.recorded[out] = test.of(stack)
    return list(lists), list(lists.values())


def _giving(levels: Sequence[Level], arm: Var) -> Branch:
    """The outermost branch, where every one also gives the number of the arm."""
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
