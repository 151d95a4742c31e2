"""The statements that blocks are made of.

Whoever goes through programs needs five things of a statement: `outs` (what it binds),
`inputs` (what it reads), `blocks` (the closed blocks that it holds), `label` (all else
that it is) and `rebuilt` (the same statement over others of the first three). All
passes that copy, rename, substitute or remove are written over these, so a new kind of
statement is a class here, and a row in each of the tables that give it a meaning: those
of `ir.verify`, `ir.text`, `ir.parse` and `ir.evaluate`, and of the printer.

Loops stand in `ir.looping`, what all statements share in `ir.rebuildable`. The file is
long because it is one flat list: blocks hold statements of every kind, and these five
things of each are all that it says, with the facts that blocks keep of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from functools import lru_cache
from itertools import chain
from typing import Any, TypeAlias

from ad_transform.dataclass import found_once, kept, replace
from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.looping import Scan, While
from ad_transform.ir.rebuildable import Blocks, Operands, Rebuildable, Vars, cut
from ad_transform.ir.values import Literal, Maker, Operand, Var, node


@node
class Block:
    """A closed piece of program: parameters, statements, results."""

    params: Vars
    body: tuple[Statement, ...]
    results: Operands

    @found_once
    def others(self) -> tuple[int, ...]:
        """The places of the statements that are no Apply: nearly all are one."""
        return tuple([k for k, s in enumerate(self.body) if type(s) is not Apply])

    @found_once
    def holders(self) -> tuple[int, ...]:
        """The places of the statements that hold blocks."""
        body = self.body
        return tuple(
            [k for k, s in enumerate(body) if type(s) is not Apply and s.blocks]
        )

    @found_once
    def nests(self) -> tuple[int, ...]:
        """The places of the statements that hold blocks in which others hold some."""
        held = ((k, self.body[k].blocks) for k in self.holders)
        return tuple([k for k, blocks in held if any(b.holders for b in blocks)])

    @found_once
    def nested(self) -> tuple[Statement, ...]:
        """The statements that hold blocks, those of inner blocks behind the one that
        holds them.
        """
        found: list[Statement] = []
        waiting = [self.body[k] for k in reversed(self.holders)]
        while waiting:
            statement = waiting.pop()
            found.append(statement)
            for block in reversed(statement.blocks):
                waiting += [block.body[k] for k in reversed(block.holders)]
        return tuple(found)

    @found_once
    def every(self) -> tuple[Block, ...]:
        """The block and its inner blocks, outer ones before those in them."""
        found: list[Block] = []
        waiting: list[Block] = [self]
        while waiting:
            block = waiting.pop()
            found.append(block)
            for k in reversed(block.holders):
                waiting += block.body[k].blocks[::-1]
        return tuple(found)

    @found_once
    def every_holding(self) -> tuple[Block, ...]:
        """The same without blocks that hold none and stand beside none that does."""
        found: list[Block] = []
        waiting: list[Block] = [self]
        while waiting:
            block = waiting.pop()
            found.append(block)
            for k in reversed(block.nests):
                waiting += block.body[k].blocks[::-1]
        return tuple(found)

    @found_once
    def kinds(self) -> frozenset[type[Statement]]:
        """The classes of its statements, inner ones apart."""
        return frozenset(map(type, self.body))

    @found_once
    def all_kinds(self) -> frozenset[type[Statement]]:
        """The classes of its statements, inner ones included."""
        return frozenset().union(*[block.kinds for block in self.every])

    @found_once
    def all_operations(self) -> frozenset[str]:
        """The names of its operations, inner ones included."""
        return frozenset().union(*[block.operations for block in self.every])

    @found_once
    def times_read(self) -> Mapping[Operand, int]:
        """The number of reads of each value in it, results included; else 0."""
        inputs = [statement.inputs for statement in self.body]
        return Counter(chain(*inputs, self.results))

    @found_once
    def unread(self) -> tuple[bool, frozenset[int]]:
        """Whether a value made in the block is not read in it, inner blocks apart; and
        the places of the parameters that are not.

        Of a statement with blocks all results have to be read, of any other but a check
        one.
        """
        read: set[Operand] = set(self.results).union(*[s.inputs for s in self.body])
        idle = frozenset([k for k, p in enumerate(self.params) if p not in read])
        made = [s.out for s in self.body if type(s) is Apply]
        return not read.issuperset(made) or self._leaves(read), idle

    def _leaves(self, read: Set[Operand]) -> bool:
        """Whether a result of its other statements is not among the values read."""
        for one in [self.body[place] for place in self.others]:
            if one.blocks:
                if not (one.outs and read >= {*sought(one)}):
                    return True
            elif not checks(one) and read.isdisjoint(one.outs):
                return True
        return False

    @found_once
    def is_whole(self) -> bool:
        """Whether all values made in the block are read where they are made, in inner
        blocks too. Asked of inner blocks first (`found_inside`).
        """
        if self.unread[0]:
            return False
        return all(is_whole(self.body[k]) for k in self.holders)

    @found_once
    def has_checks(self) -> bool:
        """Whether it or an inner block has a check. Asked of inner blocks first."""
        others = [self.body[k] for k in self.others]
        return any(is_check(s) or has_checks(s) for s in others)

    @found_once
    def must_run(self) -> bool:
        """Whether a statement in the block, or in inner blocks, runs whether or not its
        results are needed. Asked of inner blocks first.
        """
        others = [self.body[k] for k in self.others]
        return any(checks(s) or any(b.must_run for b in s.blocks) for s in others)

    @found_once
    def may_call(self) -> bool:
        """Whether it or an inner block has a call. Asked of inner blocks first."""
        inner = (block for k in self.holders for block in self.body[k].blocks)
        return Call in self.kinds or any(block.may_call for block in inner)

    @found_once
    def operations(self) -> Mapping[str, Sequence[Apply]]:
        """Its operations by their names, inner ones apart."""
        found: dict[str, list[Apply]] = {}
        for statement in self.body:
            if type(statement) is Apply:
                name = statement.op.name
                if name in found:
                    found[name].append(statement)
                else:
                    found[name] = [statement]
        return found

    @found_once
    def readers(self) -> Mapping[Operand, Sequence[int]]:
        """For each value in it that is read, the places of the statements that read it;
        results are read behind the last one. Literals are left out.
        """
        found: dict[Operand, list[int]] = {}
        behind = (self.results,)
        for k, read in enumerate([*[s.inputs for s in self.body], *behind]):
            for operand in read:
                if type(operand) is Literal:
                    continue
                if operand not in found:
                    found[operand] = [k]
                elif found[operand][-1] != k:
                    found[operand].append(k)
        return found


@node
class Apply(Rebuildable):
    """`out = op(*args)`."""

    out: Var
    op: Elemental
    args: Operands

    @kept
    def outs(self) -> Vars:
        return (self.out,)

    @property
    def label(self) -> Hashable:
        return self.op.name

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Apply:
        (out,) = outs
        return Apply(out, self.op, inputs)


@node
class Branch(Rebuildable):
    """`outs = (then if test else orelse)(*args)`; only the taken block runs."""

    outs: Vars
    test: Operand
    args: Operands
    then: Block
    orelse: Block

    @kept
    def inputs(self) -> Operands:
        return (self.test, *self.args)

    @kept
    def blocks(self) -> Blocks:
        return (self.then, self.orelse)

    @property
    def label(self) -> Hashable:
        return "branch"

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Branch:
        then, orelse = blocks
        return Branch(outs, inputs[0], inputs[1:], then, orelse)


@node
class Solve(Rebuildable):
    """`outs = primal(*args)`, of which the first solve `residual(x, *args) = 0` for x.

    As many outs are unknowns as the residual gives values; the others carry no
    derivative. Derivatives of the unknowns are those of the equation, whatever the
    primal does to solve it.
    """

    outs: Vars
    args: Operands
    primal: Block
    residual: Block

    @kept
    def blocks(self) -> Blocks:
        return (self.primal, self.residual)

    @property
    def unknowns(self) -> Vars:
        """The outs that the equation determines."""
        return self.outs[: len(self.residual.results)]

    @property
    def label(self) -> Hashable:
        return "solve"

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Solve:
        return Solve(outs, inputs, *blocks)


Message: TypeAlias = tuple[str | Operand, ...]


def _shown(message: Message) -> Operands:
    """The values in a message."""
    return tuple(part for part in message if not isinstance(part, str))


def _texts(message: Message) -> Iterator[str | None]:
    """The texts of a message, and None in place of values."""
    return (part if isinstance(part, str) else None for part in message)


def _showing(message: Message, values: Iterable[Operand]) -> Message:
    """The message with other values."""
    others = iter(values)
    return tuple(part if isinstance(part, str) else next(others) for part in message)


@node
class Check(Rebuildable):
    """`assert test, message`; the message is a sequence of texts and values.

    `formats` say how each value is shown: "", "!r", ":.3f", "!s:>8"; none is all plain.
    With `error`, the name of a builtin exception or a class of the user, it is `if not
    test: raise error(message)`.
    """

    test: Operand
    message: Message = ()
    formats: tuple[str, ...] = ()
    span: Span | None = None
    notes: tuple[str, ...] = ()
    error: str | Maker = ""

    @kept
    def outs(self) -> Vars:
        return ()

    @kept
    def inputs(self) -> Operands:
        return (self.test, *_shown(self.message))

    @property
    def label(self) -> Hashable:
        return ("check", self.error, self.formats, *_texts(self.message))

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Check:
        test, *values = inputs
        return replace(self, test=test, message=_showing(self.message, values))


@node
class Print(Rebuildable):
    """`print` of a message, as a Check has it; `words` are its other arguments."""

    message: Message
    formats: tuple[str, ...] = ()
    words: tuple[tuple[str, str | bool], ...] = ()
    span: Span | None = None
    notes: tuple[str, ...] = ()

    @kept
    def outs(self) -> Vars:
        return ()

    @kept
    def inputs(self) -> Operands:
        return _shown(self.message)

    @property
    def label(self) -> Hashable:
        return ("print", self.words, self.formats, *_texts(self.message))

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Print:
        return replace(self, message=_showing(self.message, inputs))


@node
class Call(Rebuildable):
    """`outs = callee(*args)`: another function of the bundle (`ir.bundle`).

    It reads its arguments and changes none but the arrays at the places in `changes`,
    which are gone behind it; the numbers and the arrays that it gives are its caller's.
    Of an `inert` one the derivatives are known to other statements:
    its values count as constants. One that `raises` calls a function that checks, and
    so is made whether its values are needed or not.
    """

    outs: Vars
    callee: str
    args: Operands
    inert: bool = False
    raises: bool = False
    changes: tuple[int, ...] = ()

    @property
    def label(self) -> Hashable:
        how = (self.inert, self.raises, self.changes)
        return ("call", self.callee, len(self.outs), *how)

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Call:
        how = (self.inert, self.raises, self.changes)
        return Call(outs, self.callee, inputs, *how)


@node
class Record(Rebuildable):
    """`out` holds some values, for an `Open` to give them back.

    The record of a function that calls itself holds the records of these calls, so its
    type cannot tell of them. Arrays in it are gone.
    """

    out: Var
    args: Operands

    @kept
    def outs(self) -> Vars:
        return (self.out,)

    @property
    def label(self) -> Hashable:
        return "record"

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Record:
        (out,) = outs
        return Record(out, inputs)


@node
class Open(Rebuildable):
    """`outs` are the values that a record holds; nothing changes the arrays in it."""

    outs: Vars
    record: Operand

    @kept
    def inputs(self) -> Operands:
        return (self.record,)

    @property
    def label(self) -> Hashable:
        return ("open", len(self.outs))

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Open:
        (record,) = inputs
        return Open(outs, record)


@node
class Derivative(Rebuildable):
    """`outs` are the results of an operator (`ir.operators`) on `block` at `args`.

    The block takes (*independents, *others), `count` independents first; `seeds` are
    the vector that a product is taken with. It stands for code that the derivation
    puts in its place (`derive.operators`) before anything else looks at the program.
    """

    outs: Vars
    operator: str
    count: int
    args: Operands
    seeds: Operands
    block: Block

    @kept
    def inputs(self) -> Operands:
        return (*self.args, *self.seeds)

    @kept
    def blocks(self) -> Blocks:
        return (self.block,)

    @property
    def label(self) -> Hashable:
        return ("derivative", self.operator, self.count, len(self.seeds))

    def rebuilt(self, outs: Vars, inputs: Operands, blocks: Blocks) -> Derivative:
        (block,) = blocks
        args, seeds, _ = cut(inputs, len(self.args), len(self.seeds))
        return Derivative(outs, self.operator, self.count, args, seeds, block)


Statement: TypeAlias = (
    Apply
    | Branch
    | Scan
    | While
    | Solve
    | Call
    | Record
    | Open
    | Check
    | Print
    | Derivative
)


# every pass reads these: the fields themselves, without a call
for _kind, _name, _field in (
    (Apply, "inputs", "args"),
    (Solve, "inputs", "args"),
    (Call, "inputs", "args"),
    (Record, "inputs", "args"),
):
    setattr(_kind, _name, vars(_kind)[_field])


def checks(statement: Statement) -> bool:
    """Whether a statement runs even if its results are not needed, blocks apart."""
    if isinstance(statement, Apply):
        return False
    return not statement.outs or (isinstance(statement, Call) and statement.raises)


def is_check(statement: Statement) -> bool:
    """Whether it is a check; a loop or branch that gives nothing need hold none."""
    return checks(statement) and not statement.blocks


def sought(statement: Statement) -> Vars:
    """The results that a statement has only if they are needed."""
    return statement.outs[:-1] if isinstance(statement, While) else statement.outs


def found_inside(statement: Statement, *facts: str) -> None:
    """Find facts of blocks, of inner blocks first: that takes no recursion. Blocks that
    know the last fact are passed over.
    """
    order: list[Block] = []
    last = f"_sought_{facts[-1]}"
    waiting = [statement]
    for one in waiting:  # which grows
        for block in one.blocks:
            if not hasattr(block, last):
                order.append(block)
                if block.holders:
                    waiting += [block.body[k] for k in block.holders]
    for block in reversed(order):
        for fact in facts:
            getattr(block, fact)


def checks_inside(statement: Statement) -> bool:
    """Whether a statement in the blocks runs though its results are not needed.

    Blocks keep the answer: chains of them are asked this at each link.
    """
    if not statement.blocks:
        return False
    found_inside(statement, "must_run")
    return any(block.must_run for block in statement.blocks)


def calls_inside(statement: Statement) -> bool:
    """Whether the blocks of a statement hold a call."""
    found_inside(statement, "may_call")
    return any(block.may_call for block in statement.blocks)


def has_checks(statement: Statement) -> bool:
    """Whether there is a check in its blocks."""
    return any(block.has_checks for block in statement.blocks)


def is_whole(statement: Statement) -> bool:
    """Whether a statement with blocks has results, and all that is made in its blocks
    and handed in is read: where its results are needed, so is everything.
    """
    idle: Set[int] | None = None
    for block in statement.blocks:
        if not block.is_whole:
            return False
        own = block.unread[1]
        idle = own if idle is None else idle & own
    first = FIRST.get(type(statement))
    stays = not idle or first is None or max(idle) < first(statement)
    return stays and bool(statement.outs)


FIRST: Mapping[type[Statement], Callable[[Any], int]] = {
    Branch: lambda branch: 0,
    Scan: lambda scan: scan.first_read,
    While: lambda loop: loop.first_read,
}
"""From which parameter on those that no block reads go, by the kind of statement."""


def prints(body: tuple[Statement, ...]) -> bool:
    """Whether a body prints: two bodies that do are not merged into one."""
    return any(isinstance(statement, Print) for statement in walk(body))


@lru_cache(maxsize=4)  # passes over one program come one after another
def walk(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """All statements, those of inner blocks behind the statement that holds them."""
    found: list[Statement] = []
    waiting: list[Block | list[Statement]] = [Block((), body, ())]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, Block):
            found += item
            continue
        body, start = item.body, 0
        parts: list[Block | list[Statement]] = []
        run: list[Statement] = []
        for place in item.holders:
            run += body[start : place + 1]
            start = place + 1
            for block in body[place].blocks:
                if block.holders:
                    parts += (run, block)
                    run = []
                else:
                    run += block.body
        run += body[start:]
        parts.append(run)
        waiting += parts[::-1]
    return tuple(found)
