"""An arm knows the numbers that earlier branches on its test gave.

`if left: seed = 1.0` `else: seed = 0.0` and behind it, perhaps deep in other branches,
`if left: c_bar = seed * y` become `if left: c_bar = y`. So the adjoint of what an early
`return` gives costs nothing on its way back to where that stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import cast

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import alike_in_both, lists_fit
from ad_transform.ir.blocks.inner import is_same, of_value, with_block
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Substitution,
    While,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL


class _Value:
    """A value under all names that it has in the blocks that it is handed to.

    With a `test` it is the result of a branch: the first of `ends` where the test
    holds, the second elsewhere; None is a value that only that arm knows.
    """

    __slots__ = ("ends", "test")

    def __init__(
        self,
        test: _Value | None = None,
        ends: tuple[_Known | None, _Known | None] = (None, None),
    ) -> None:
        self.test = test
        self.ends = ends


_Known = _Value | Literal
_Names = dict[Operand, _Known]
_Tests = dict[_Value, bool]


def retested(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such numbers where they are read, but for statements of its
    value. `table` has the operations. Linear.
    """
    if not any(statement.blocks for statement in function.body):
        return function
    change = _Change(of_value(function), table)
    block, _ = bounce(change.of(function.block, {}, {}))
    return with_block(function, block)


class _Change:
    def __init__(self, sacred: Set[Operand], table: Mapping[str, Elemental]) -> None:
        self.sacred = sacred
        self.table = table
        self.gone: set[Operand] = set()  # other values are in their place

    def of(
        self, block: Block, names: _Names, tests: _Tests
    ) -> Task[tuple[Block, list[_Known | None]]]:
        """A block where some tests are known, and its results as far as they are known.
        `names` are its parameters of which something may be known.
        """
        env: Substitution = {}
        for param, known in names.items():
            _note(param, _found(known, tests), env)
        if not env and not block.holders:
            return block, _ends(block.results, names, tests)
        body: list[Statement] = []
        for statement in block.body:
            if type(statement) is Apply:
                body += self._applied(statement, names, env) if env else (statement,)
            elif isinstance(statement, Branch):
                body += yield from self._branch(statement, names, tests, env)
            elif isinstance(statement, Scan | While):
                body.append((yield from self._loop(statement, names, tests, env)))
            else:
                body.append(self._over(statement, env))
        results = tuple([env.get(r, r) for r in block.results])
        ends = _ends(results, names, tests)
        if not is_same(body, block.body) or not is_same(results, block.results):
            block = replace(block, body=tuple(body), results=results)
        return block, ends

    def _over(self, statement: Statement, env: Substitution) -> Statement:
        """A statement over known operands; one that makes a part of the value only over
        substitutes of values that are gone.
        """
        if env.keys().isdisjoint(statement.inputs):
            return statement
        if self._is_sacred(statement):
            env = {one: env[one] for one in statement.inputs if one in self.gone}
        return statement.over(env) if env else statement

    def _is_sacred(self, statement: Statement) -> bool:
        return not self.sacred.isdisjoint(statement.outs)

    def _applied(
        self, one: Apply, names: _Names, env: Substitution
    ) -> Sequence[Statement]:
        """An operation, simplified by its known operands."""
        if env.keys().isdisjoint(one.args) or one.out in self.sacred:
            return (one,)
        if one.out.type.dims or not one.out.type.is_real:
            return (one.over(env),)
        builder = Builder(self.table, LAWS)
        args = (env.get(arg, arg) for arg in one.args)
        made = builder.apply(one.op.name, *args, hint=one.out.hint)
        env[one.out] = made
        self.gone.add(one.out)
        known = _known(made, names)
        if known is not None:
            names[one.out] = known
        return builder.body

    def _branch(
        self, branch: Branch, names: _Names, tests: _Tests, env: Substitution
    ) -> Task[Sequence[Statement]]:
        """A branch, or the arm that is taken where its test is known."""
        test = _named(branch.test, names)
        taken = _holds(test, tests)
        arm = branch.then if taken else branch.orelse
        is_needless = taken is not None and not self._is_sacred(branch)
        if is_needless and lists_fit(branch, arm):
            made, ends = yield self.of(arm, _handed(arm, branch.args, 0, names), tests)
            given = (env.get(arg, arg) for arg in branch.args)
            inner: Substitution = dict(zip(arm.params, given, strict=True))
            for out, result, end in zip(branch.outs, made.results, ends, strict=True):
                env[out] = inner.get(result, result)
                self.gone.add(out)
                if end is not None:
                    names[out] = end
            return [statement.over(inner) for statement in made.body]
        blocks: list[Block] = []
        both: list[list[_Known | None]] = []
        own = _Value() if isinstance(test, Literal) else test
        before = tests.get(own)
        for holds, arm in zip((True, False), branch.blocks, strict=True):
            tests[own] = holds
            made, ends = yield self.of(arm, _handed(arm, branch.args, 0, names), tests)
            blocks.append(made)
            both.append(ends)
        del tests[own]
        if before is not None:
            tests[own] = before
        for out, first, second in zip(branch.outs, *both, strict=True):
            if isinstance(first, Literal) and first == second:
                names[out] = first
            else:
                names[out] = _Value(own, (first, second))
            if out not in self.sacred:
                _note(out, names[out], env)
        made = _holding(branch, blocks)
        if made is not branch:
            for one, alike in alike_in_both(cast(Branch, made)).items():
                if one not in self.sacred:
                    env.setdefault(one, env.get(alike, alike))
        return (self._over(made, env),)

    def _loop(
        self, loop: Scan | While, names: _Names, tests: _Tests, env: Substitution
    ) -> Task[Statement]:
        """A loop; nothing is known of its carries and entries."""
        first = loop.first_read
        blocks: list[Block] = []
        for block in loop.blocks:
            inner = _handed(block, loop.reads, first, names)
            made, _ = yield self.of(block, inner, tests)
            blocks.append(made)
        return self._over(_holding(loop, blocks), env)


def _known(value: Operand, names: _Names) -> _Known | None:
    return value if isinstance(value, Literal) else names.get(value)


def _ends(
    results: Sequence[Operand], names: _Names, tests: _Tests
) -> list[_Known | None]:
    """Results as far as they are known."""
    known = [r if type(r) is Literal else names.get(r) for r in results]
    return [_found(k, tests) if type(k) is _Value else k for k in known]


def _named(test: Operand, names: _Names) -> _Known:
    """A test, under one name for all blocks that it is handed to from now on."""
    return test if isinstance(test, Literal) else names.setdefault(test, _Value())


def _handed(block: Block, args: Sequence[Operand], first: int, names: _Names) -> _Names:
    """The parameters for some values, from the first on, that may be known."""
    found: _Names = {}
    for param, arg in zip(block.params[first:], args, strict=False):
        if type(arg) is Literal or arg in names or arg.type is BOOL:
            found[param] = _named(arg, names)
    return found


def _holds(test: _Known | None, tests: _Tests) -> bool | None:
    """Whether a test holds, if that is known; by the test of its branch, too."""
    if isinstance(test, Literal):
        return bool(test.value)
    if test is None or test in tests:
        return None if test is None else tests[test]
    if test.test is None or test.test not in tests:
        return None
    end = test.ends[not tests[test.test]]
    return bool(end.value) if isinstance(end, Literal) else None


def _found(value: _Known | None, tests: _Tests) -> _Known | None:
    """A value as the known tests decide it."""
    while type(value) is _Value and value.test is not None:
        holds = _holds(value.test, tests)
        if holds is None:
            return value
        value = value.ends[not holds]
    return value


def _note(value: Operand, known: _Known | None, env: Substitution) -> None:
    """Enter a number that is known for a value."""
    if isinstance(known, Literal) and known.type == value.type:
        env[value] = known


def _holding(statement: Branch | Scan | While, blocks: Sequence[Block]) -> Statement:
    """The statement with other blocks; itself, if they are the same."""
    if is_same(blocks, statement.blocks):
        return statement
    return statement.rebuilt(statement.outs, statement.inputs, tuple(blocks))
