"""Parameters that may be None as two: a value, and whether it is given.

`k` becomes `k` and `k_is_given` behind it; a test whether `k` is None reads that. A
truth value is true, and equal to something, only where it is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ad_transform.dataclass import replace
from ad_transform.elementals import TABLE
from ad_transform.emit.wholes.captured import closed
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.nodes import (
    OPTIONAL,
    Apply,
    Block,
    Branch,
    Call,
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

Flags: TypeAlias = frozenset[Var]


def told_apart(function: Function) -> Function:
    """The function with two parameters for each that may be None; linear in its size
    times its depth.
    """
    function = _with_flags(function)
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
    block = bounce(asking.block(function.block, _NONE))
    true = (_true(asking.answers[v], flag, v) for v, flag in truths.items())
    block = replace(block, body=(*true, *block.body))
    params = tuple(var for parameter in parameters for var in parameter.vars)
    block = closed(replace(block, params=params), lambda var, _: var.type, {})
    values = iter(block.params)
    own = tuple(
        replace(p, vars=tuple(next(values) for _ in p.vars)) for p in parameters
    )
    return replace(function, block=block, parameters=own)


def _with_flags(function: Function) -> Function:
    """The function with two parameters for each array that may be None: these have
    flags already.
    """
    if not any(parameter.nest.is_optional for parameter in function.parameters):
        return function
    taken = {parameter.name for parameter in function.parameters}
    parameters: list[Parameter] = []
    for parameter in function.parameters:
        if not parameter.nest.is_optional:
            parameters.append(parameter)
            continue
        flag, *values = parameter.vars
        nest = parameter.nest.items[1]
        own = replace(parameter, vars=tuple(values), nest=nest, default=None)
        word = claimed(f"{parameter.name}_is_none", taken)
        parameters += [own, Parameter(word, (flag,), annotation="bool")]
    values = [var for parameter in parameters for var in parameter.vars]
    block = replace(function.block, params=tuple(values))
    return replace(function, block=block, parameters=tuple(parameters))


def _true(out: Operand, flag: Var, value: Operand) -> Statement:
    """A truth value where it is given, else false."""
    assert isinstance(out, Var)
    return Apply(out, TABLE["both"], (flag, value))


def _is_optional(parameter: Parameter) -> bool:
    return parameter.annotation.startswith(OPTIONAL)


class _Asking:
    """Puts flags in the place of questions whether a parameter is None.

    flags    by value the flag that tells whether it is given
    answers  the values in place of those of the program
    told     the flags that hold where a truth value is true, and where it is false
    open     values that may be None and have no flag: of arms, and of loops
    """

    def __init__(self, flags: dict[Operand, Var]) -> None:
        self.flags = flags
        self.answers: dict[Operand, Operand] = {}
        self.told: dict[Operand, tuple[Flags, Flags]] = {
            flag: (frozenset({flag}), _NONE) for flag in flags.values()
        }
        self.open: set[Operand] = set()

    def block(self, block: Block, known: Flags) -> Task[Block]:
        """The block, where some flags are `known` to be true."""
        body: list[Statement] = []
        for statement in block.body:
            if isinstance(statement, Apply):
                body += self._apply(statement, known)
                continue
            if isinstance(statement, Call):
                body += self._refused(statement, known)
            inner = yield self._blocks(statement, known)
            if isinstance(statement, Branch):
                self._conclude(statement)
            inputs = tuple(map(self._read, statement.inputs))
            body.append(statement.rebuilt(statement.outs, inputs, inner))
        results = tuple(map(self._read, block.results))
        return replace(block, body=tuple(body), results=results)

    def _refused(self, call: Call, known: Flags) -> Iterator[Statement]:
        """Questions whether arguments are None, which a kept function might ask:
        refused.
        """
        span = next((out.span for out in call.outs if out.span), None)
        for arg in call.args:
            if self._may_be_none(arg, known):
                yield Apply(Var(BOOL, span=span), TABLE["is_none"], (arg,))

    def _blocks(self, statement: Statement, known: Flags) -> Task[tuple[Block, ...]]:
        """The blocks of a statement; those of a loop again until no more values are
        open.
        """
        while True:
            before = len(self.open)
            inner: list[Block] = []
            for one in statement.blocks:
                self._enter(statement, one, known)
                given = known | self._given(statement, one)
                inner.append((yield self.block(one, given)))
                self._leave(statement, one, given)
            if len(self.open) == before or not isinstance(statement, Scan | While):
                return tuple(inner)

    def _enter(self, statement: Statement, block: Block, known: Flags) -> None:
        """Learn the names of a block for the operands that it is handed."""
        carried = len(_carried(statement, block))
        for k, (inner, outer) in enumerate(handed(statement, block)):
            if k >= carried and outer in self.flags:
                self.flags[inner] = self.flags[outer]
            elif self._may_be_none(outer, known):
                self.open.add(inner)

    def _leave(self, statement: Statement, block: Block, known: Flags) -> None:
        """Learn the values that may be None behind a block, and in the next trip."""
        is_test = isinstance(statement, While) and block is statement.test
        if is_test or not isinstance(statement, Branch | Scan | While):
            return
        carried = _carried(statement, block)
        for k, (out, result) in enumerate(
            zip(statement.outs, block.results, strict=False)
        ):
            own = carried[k : k + 1]
            if self._may_be_none(result, known) or not self.open.isdisjoint(own):
                self.open.update((out, *own))

    def _may_be_none(self, value: Operand, known: Flags) -> bool:
        """Whether a value may be None where these flags hold."""
        flag = self.flags.get(value)
        return value in self.open or (flag is not None and flag not in known)

    def _given(self, statement: Statement, block: Block) -> Flags:
        """The flags that hold in an arm of a branch, by its test."""
        if not isinstance(statement, Branch):
            return _NONE
        return self._tells(self._read(statement.test))[block is statement.orelse]

    def _conclude(self, branch: Branch) -> None:
        """Learn the flags that follow from a choice of truth values."""
        given = [self._given(branch, arm) for arm in branch.blocks]
        for k, out in enumerate(branch.outs):
            results = [self._read(arm.results[k]) for arm in branch.blocks]
            true, false = (
                [
                    flags | self._tells(result)[side]
                    for flags, result in zip(given, results, strict=True)
                    if result != Literal(side == 1)  # that arm is not taken
                ]
                for side in (0, 1)
            )
            self.told[out] = _all(true), _all(false)

    def _tells(self, test: Operand) -> tuple[Flags, Flags]:
        return self.told.get(test, (_NONE, _NONE))

    def _read(self, value: Operand) -> Operand:
        return self.answers.get(value, value)

    def _apply(self, statement: Apply, known: Flags) -> Iterator[Statement]:
        out, asked = statement.out, statement.op.name
        args = tuple(map(self._read, statement.args))
        flags = [self.flags[a] for a in statement.args if a in self.flags]
        if asked == "is_given" and flags:
            self.answers[out] = flags[0]
        elif asked == "is_none" and flags:
            self._learn(out, "not", flags)
            yield Apply(out, TABLE["not"], (flags[0],))
        elif not self._asks(statement):
            self._learn(out, asked, args)
            yield Apply(out, statement.op, args)
        elif not self.open.isdisjoint(statement.args):
            yield Apply(out, TABLE["is_none"], args[:1])  # which is refused
        elif not known.issuperset(flags):
            unknown = [flag for flag in flags if flag not in known]
            yield from _asked(Apply(out, statement.op, args), unknown)
        else:
            yield Apply(out, statement.op, args)

    def _asks(self, statement: Apply) -> bool:
        """Whether an operation asks a question that Python answers for None, too; `not`
        of a truth value takes None for false.
        """
        asked = statement.op.name
        return asked in _OF_VALUES and (
            asked != "not" or statement.args[0].type != BOOL
        )

    def _learn(self, out: Var, asked: str, args: Sequence[Operand]) -> None:
        """Learn the flags that follow from a truth value."""
        found = [self._tells(arg) for arg in args]
        if asked == "not":
            ((true, false),) = found
            self.told[out] = false, true
        elif asked == "both":
            self.told[out] = _NONE.union(*(true for true, _ in found)), _NONE
        elif asked == "either":
            self.told[out] = _NONE, _NONE.union(*(false for _, false in found))


def _carried(statement: Statement, block: Block) -> Sequence[Operand]:
    """The parameters of a block of a loop for the carries."""
    if not isinstance(statement, Scan | While):
        return ()
    inside = [inner for inner, _ in handed(statement, block)]
    return inside[: len(statement.carries)]


def _all(found: Sequence[Flags]) -> Flags:
    """The flags that are in all of them."""
    return frozenset.intersection(*found) if found else _NONE


_NONE: Flags = frozenset()
_OF_VALUES = frozenset({"eq", "ne", "not"})
"""Questions that Python answers for None, too."""


def _asked(question: Apply, unknown: Sequence[Var]) -> Iterator[Statement]:
    """A question to values of which some may be None, by their flags."""
    if question.op.name == "not":
        yield _where(unknown[0], question, Literal(True))
    elif question.op.name == "eq":
        yield _equal(question, unknown)
    else:
        equal = Apply(Var(BOOL), TABLE["eq"], question.args)
        yield _equal(equal, unknown)
        yield Apply(question.out, TABLE["not"], (equal.out,))


def _equal(question: Apply, unknown: Sequence[Var]) -> Statement:
    """Whether two values are equal: None is equal to None only."""
    flag, *other = unknown
    if not other:
        return _where(flag, question, Literal(False))
    inner = _where(other[0], replace(question, out=Var(BOOL)), Literal(False))
    is_none = Apply(Var(BOOL), TABLE["not"], (other[0],))
    then = Block((), (inner,), inner.outs)
    orelse = Block((), (is_none,), (is_none.out,))
    return Branch((question.out,), flag, (), then, orelse)


def _where(flag: Var, asked: Apply, otherwise: Literal) -> Branch:
    """A question to a value where there is one, else that answer."""
    own = Var(BOOL)
    then = Block((), (replace(asked, out=own),), (own,))
    return Branch((asked.out,), flag, (), then, Block((), (), (otherwise,)))
