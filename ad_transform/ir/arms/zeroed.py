"""Values that are 0 where others are, and tests that the outcome of another one
settles.

`s == 0.0` says that `s < 1e-6`, and `s < 1e-6` that `s > 1.0` is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import field
from math import inf, nan

from ad_transform.dataclass import dataclass
from ad_transform.ir.arms.cones import ZEROS
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import Kind

_COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
POWERS = frozenset({"sqrt", "pow", "mul", "neg", "abs"})
"""Operations that give 0 where their operands are 0."""
_FACTORS = {"mul": slice(None), "div": slice(1), "neg": slice(None)}
"""Operations that give 0 where one of these arguments is."""
_TESTED = POWERS | _COMPARISONS | {"not", "branch"}
"""Operations between a test and the values that it compares."""
_PLAIN = frozenset({Kind.FLOAT, Kind.INT, Kind.BOOL})
_NEAR = 32
"""The number of values that are looked at behind one."""
_LARGEST = 1e300
"""Numbers up to this one have a number between them, and larger ones above."""


@dataclass(slots=True)
class Known:
    """Facts of a program: the `sacred` values, which its value needs; the maker of each
    value; the operand outside of each parameter of an arm; and the values that tests
    compare, once these have been looked at.
    """

    sacred: frozenset[Operand]
    makers: dict[Operand, Statement] = field(default_factory=dict)
    outside: dict[Operand, Operand] = field(default_factory=dict)
    near: dict[Operand, set[Operand]] = field(default_factory=dict)

    def add(self, body: Sequence[Statement]) -> None:
        """Enter some statements, and all inside."""
        self.near.clear()
        for statement in walk(tuple(body)):
            if type(statement) is Apply:  # nearly always
                self.makers[statement.out] = statement
                continue
            self.makers.update(dict.fromkeys(statement.outs, statement))
            if isinstance(statement, Branch):
                for block in statement.blocks:
                    pairs = zip(block.params, statement.args, strict=True)
                    self.outside.update(pairs)

    def root(self, value: Operand) -> Operand:
        """The value where it is made."""
        while value in self.outside:
            value = self.outside[value]
        return value

    def behind(
        self, values: Iterable[Operand], through: frozenset[str]
    ) -> set[Operand]:
        """Values, and near ones that they are computed from by some operations."""
        found: set[Operand] = set()
        waiting = list(values)
        while waiting and len(found) < _NEAR:
            value = self.root(waiting.pop())
            maker = self.makers.get(value)
            if value in found or isinstance(value, Literal):
                continue
            found.add(value)
            if maker is not None and maker.label in through:
                waiting += maker.inputs
        return found

    def compared(self, branch: Branch, among: Set[Operand]) -> set[Operand]:
        """Those of some values that its test compares, or a test of a branch inside."""
        inside = (s for block in branch.blocks for s in block.nested)
        tests = [branch.test, *(s.test for s in inside if isinstance(s, Branch))]
        return {one for test in tests for one in self._near(test) & among}

    def _near(self, test: Operand) -> set[Operand]:
        """The values that a test compares."""
        if test not in self.near:
            self.near[test] = self.behind((test,), _TESTED)
        return self.near[test]

    def may_move(self, statement: Statement) -> bool:
        """Whether it is an operation on numbers that the value does not need."""
        return (
            isinstance(statement, Apply)
            and statement.out not in self.sacred
            and all(
                v.type.is_real and not v.type.dims
                for v in (statement.out, *statement.inputs)
            )
        )

    def may_follow(self, statement: Statement) -> bool:
        """Whether it is such an operation, a test, or a branch of these alone."""
        return (
            self.sacred.isdisjoint(statement.outs)
            and all(isinstance(s, Apply | Branch) for s in walk((statement,)))
            and all(
                v.type.kind in _PLAIN and not v.type.dims
                for v in (*statement.outs, *statement.inputs)
            )
        )

    def settled(self, test: Operand, holds: bool, other: Operand) -> bool | None:
        """The outcome of another test where one holds, or does not; None if open."""
        test, other = self.root(test), self.root(other)
        if test is other:
            return holds
        mine, theirs = (_comparison(self.makers.get(t)) for t in (test, other))
        if not mine or not theirs or self.root(mine.value) != self.root(theirs.value):
            return None
        low, high = sorted((mine.number, theirs.number))
        samples = (nan, -inf, low, low / 2 + high / 2, high, inf)  # one of each kind
        found = {theirs.holds(x) for x in samples if mine.holds(x) == holds}
        return found.pop() if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A test that compares a value with a number."""

    value: Operand
    number: float
    test: Apply

    def holds(self, x: float) -> bool:
        """Its outcome where the value is x."""
        args = (a.value if isinstance(a, Literal) else x for a in self.test.args)
        return bool(self.test.op.compute(*args))


def _comparison(statement: Statement | None) -> _Comparison | None:
    """The comparison of a value with a number that a statement is, if it is one."""
    if not isinstance(statement, Apply) or statement.op.name not in _COMPARISONS:
        return None
    values = [a for a in statement.args if isinstance(a, Var)]
    numbers = [
        float(a.value)
        for a in statement.args
        if isinstance(a, Literal)
        and not isinstance(a.value, str)
        and abs(a.value) < _LARGEST
    ]
    if len(values) != 1 or len(numbers) != 1:
        return None
    return _Comparison(values[0], numbers[0], statement)


def zeros_of(
    statement: Statement, zeros: set[Operand], arms: Sequence[int] = (0, 1)
) -> Task[list[Var]]:
    """The results of a statement, a branch into `arms`, that are 0 where values are."""
    if isinstance(statement, Apply):
        return [statement.out] if is_zero(statement, zeros) else []
    if isinstance(statement, Branch):
        found: list[list[bool]] = []
        for block in (statement.blocks[arm] for arm in arms):
            pairs = zip(block.params, statement.args, strict=True)
            given: set[Operand] = {param for param, arg in pairs if arg in zeros}
            found.append((yield _ends(block, given)))
            if True not in found[-1]:
                return []
        are_zero = [all(ends) for ends in zip(*found, strict=True)]
    elif isinstance(statement, Scan | While):
        are_zero = yield _ends_of_loop(statement, zeros)
    else:
        return []
    return [
        out for out, is_zero in zip(statement.outs, are_zero, strict=False) if is_zero
    ]


def _ends(block: Block, given: Set[Operand]) -> Task[list[bool]]:
    """Whether each result of a block is 0 where some of its parameters are."""
    zeros = {*ZEROS, *given}
    for statement in block.body:
        if not isinstance(statement, Apply):
            zeros.update((yield zeros_of(statement, zeros)))
        elif is_zero(statement, zeros):
            zeros.add(statement.out)
    return [result in zeros for result in block.results]


def _ends_of_loop(loop: Scan | While, zeros: Set[Operand]) -> Task[list[bool]]:
    """Whether each result of a loop is 0: a carry that stays 0, or a list of zeros."""
    params, count = loop.carry_params, len(loop.carries)
    read = (*loop.reads, *loop.entries) if isinstance(loop, Scan) else loop.reads
    pairs = zip(loop.body.params[loop.first_read :], read, strict=True)
    outside: set[Operand] = {param for param, operand in pairs if operand in zeros}
    staying = {k for k, carry in enumerate(loop.carries) if carry in zeros}
    while True:
        given = outside.union(params[k] for k in staying)
        ends: list[bool] = yield _ends(loop.body, given)
        changed = {k for k in staying if not ends[k]}
        if not changed:
            return [k in staying for k in range(count)] + ends[count:]
        staying -= changed


def is_zero(statement: Apply, zeros: set[Operand]) -> bool:
    """Whether the result of an operation is 0 where some values are."""
    op, args = statement.op, statement.args
    if op.name in _FACTORS:
        return not zeros.isdisjoint(args[_FACTORS[op.name]])
    if op.name in ("add", "sub"):
        return zeros.issuperset(args)
    if op.layout is None or not op.layout.linear_in:
        return False
    bound = op.bind(args)
    return all(
        zeros.issuperset(value if isinstance(value, tuple) else (value,))
        for value in (bound[name] for name in op.layout.linear_in)
    )
