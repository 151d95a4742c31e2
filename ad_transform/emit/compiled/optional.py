"""Parameters that may be None as two: a value, and whether it is given.

`k` becomes `k` and `k_is_given` behind it; what asks whether `k` is None reads that. A
truth value is true, and equal to something, only where it is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ad_transform.elementals import TABLE
from ad_transform.emit.compiled.wholes.captured import closed
from ad_transform.ir.consumed import handed
from ad_transform.ir.nodes import (
    OPTIONAL,
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Parameter,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL
from ad_transform.ir.unlike import claimed


def told_apart(function: Function) -> Function:
    """The function with such parameters in twos; linear in its size times its depth."""
    if not any(map(_is_optional, function.parameters)):
        return function
    taken = {parameter.name for parameter in function.parameters}
    flags: dict[Operand, Var] = {}
    parameters: list[Parameter] = []
    for parameter in function.parameters:
        if not _is_optional(parameter):
            parameters.append(parameter)
            continue
        kind = parameter.annotation.removeprefix(OPTIONAL)
        word = claimed(f"{parameter.name}_is_given", taken)
        flags[parameter.vars[0]] = flag = Var(BOOL, word)
        parameters.append(replace(parameter, annotation=kind, default=None))
        parameters.append(Parameter(word, (flag,), annotation="bool"))
    truths = {v: f for v, f in flags.items() if v.type == BOOL}
    asking = _Asking(dict(flags))
    asking.answers |= {v: Var(BOOL) for v, f in truths.items()}
    block = bounce(asking.block(function.block, frozenset()))
    true = (_true(asking.answers[v], flag, v) for v, flag in truths.items())
    block = replace(block, body=(*true, *block.body))
    params = tuple(var for parameter in parameters for var in parameter.vars)
    block = closed(replace(block, params=params), {}, {})
    values = iter(block.params)
    own = tuple(
        replace(p, vars=tuple(next(values) for _ in p.vars)) for p in parameters
    )
    return replace(function, block=block, parameters=own)


def _true(out: Operand, flag: Var, value: Operand) -> Statement:
    """A truth value where it is given, else false."""
    assert isinstance(out, Var)
    return Apply(out, TABLE["both"], (flag, value))


def _is_optional(parameter: Parameter) -> bool:
    return parameter.annotation.startswith(OPTIONAL)


class _Asking:
    """Puts flags in the place of questions whether a parameter is None."""

    def __init__(self, flags: dict[Operand, Var]) -> None:
        self.flags = flags
        self.answers: dict[Operand, Operand] = {}

    def block(self, block: Block, known: frozenset[Var]) -> Task[Block]:
        """The block, where some flags are `known` to be true."""
        body: list[Statement] = []
        for statement in block.body:
            if isinstance(statement, Apply):
                body += self._apply(statement, known)
                continue
            inner: list[Block] = []
            for one in statement.blocks:
                self._enter(statement, one)
                given = self._given(statement, one)
                inner.append((yield self.block(one, known | given)))
            inputs = tuple(map(self._read, statement.inputs))
            body.append(statement.rebuilt(statement.outs, inputs, tuple(inner)))
        results = tuple(map(self._read, block.results))
        return replace(block, body=tuple(body), results=results)

    def _enter(self, statement: Statement, block: Block) -> None:
        """Learn the names that a block has for what it is given."""
        carried = statement.carries if isinstance(statement, Scan | While) else ()
        for inner, outer in handed(statement, block):
            if outer in self.flags and outer not in carried:
                self.flags[inner] = self.flags[outer]

    def _given(self, statement: Statement, block: Block) -> frozenset[Var]:
        """The flag that a branch asks for, in the arm where it is true."""
        test = self._read(statement.test) if isinstance(statement, Branch) else None
        if not isinstance(test, Var) or block is not statement.blocks[0]:
            return frozenset()
        return frozenset({test}.intersection(self.flags.values()))

    def _read(self, value: Operand) -> Operand:
        return self.answers.get(value, value)

    def _apply(self, statement: Apply, known: frozenset[Var]) -> Iterator[Statement]:
        out, asked = statement.out, statement.op.name
        plain = Apply(out, statement.op, tuple(map(self._read, statement.args)))
        flags = (self.flags[a] for a in statement.args if a in self.flags)
        flag = next(flags, None)
        if flag is None or (flag in known and asked in _OF_VALUES):
            yield plain
        elif asked == "is_given":
            self.answers[out] = flag
        elif asked == "is_none":
            yield Apply(out, TABLE["not"], (flag,))
        elif asked == "eq":
            yield _where_given(flag, plain, False)
        elif asked == "ne":
            equal = Apply(Var(BOOL), TABLE["eq"], plain.args)
            yield _where_given(flag, equal, False)
            yield Apply(out, TABLE["not"], (equal.out,))
        elif asked == "not" and statement.args[0] not in self.answers:
            yield _where_given(flag, plain, True)
        else:
            yield plain


_OF_VALUES = frozenset({"eq", "ne", "not"})
"""Questions that Python answers for None, too."""


def _where_given(flag: Var, asked: Apply, of_none: bool) -> Statement:
    """A question to a value where there is one; `of_none` is the answer of None."""
    own = Var(BOOL)
    then = Block((), (Apply(own, asked.op, asked.args),), (own,))
    orelse = Block((), (), (Literal(of_none),))
    return Branch((asked.out,), flag, (), then, orelse)
