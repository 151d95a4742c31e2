"""The reference interpreter: it runs a function of the IR statement by statement.

It is the oracle of the tests, so it does nothing clever. Arithmetic comes from a
`Library`: `FLOATS` computes on Python's numbers what the rows say, a test may bring
50-digit arithmetic instead. Arrays are Python lists; an elemental that consumes an
array changes the list in place, which is right because arrays are linear (`ir.verify`).
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Derivative,
    Function,
    Literal,
    Maker,
    Open,
    Operand,
    Print,
    Record,
    Scan,
    Solve,
    Statement,
    While,
)
from ad_transform.ir.trampoline import Task, bounce

Values = tuple[Any, ...]
Library = Callable[[Elemental], Callable[..., Any]]
"""The implementation of an elemental, called with the values of its arguments."""


def FLOATS(op: Elemental) -> Callable[..., Any]:
    """The library of Python's own numbers."""
    return op.compute


Functions = Mapping[str, Function]
"""The functions that a program may call, by name."""


def evaluate(
    function: Function,
    args: Sequence[Any],
    library: Library = FLOATS,
    functions: Functions | None = None,
) -> Values:
    """The results of a function, one value for each leaf of its nest.

    `args` has one value for each of `function.block.params`, arrays as nested lists,
    which are left as they are; `functions` are those that it calls. Raises the errors
    of the operations, AssertionError for a failed check, and ValueError for a wrong
    number of arguments. Linear in the number of operations carried out; no recursion
    over blocks.
    """
    machine = _Machine(library, functions or {})
    return bounce(_run(function.block, tuple(map(_owned, args)), machine))


@dataclass(frozen=True, slots=True)
class _Machine:
    """The library and the functions that a program runs with."""

    library: Library
    functions: Functions

    def __call__(self, block: Block, values: Values) -> Task[Values]:
        return _run(block, values, self)


_Read = Callable[[Operand], Any]


def _owned(value: Any) -> Any:
    return [_owned(v) for v in value] if isinstance(value, list) else value


def _run(block: Block, values: Values, machine: _Machine) -> Task[Values]:
    env: dict[Operand, Any] = dict(zip(block.params, values, strict=True))
    library = machine.library

    def read(operand: Operand) -> Any:
        return operand.value if type(operand) is Literal else env[operand]

    for statement in block.body:
        if type(statement) is Apply:
            args = [
                arg.value if type(arg) is Literal else env[arg]
                for arg in statement.args
            ]
            env[statement.out] = library(statement.op)(*args)
        else:
            outs = yield _MEANING[type(statement)](statement, read, machine)
            env.update(zip(statement.outs, outs, strict=True))
    return tuple(map(read, block.results))


def _branch(branch: Branch, read: _Read, run: _Machine) -> Task[Values]:
    taken = branch.then if read(branch.test) else branch.orelse
    outs: Values = yield run(taken, tuple(map(read, branch.args)))
    return outs


def _scan(scan: Scan, read: _Read, run: _Machine) -> Task[Values]:
    trips = range(read(scan.start), read(scan.stop), read(scan.step))
    carries = tuple(map(read, scan.carries))
    reads = tuple(map(read, scan.reads))
    entries = tuple(map(read, scan.entries))
    # entry and record k belong to the k-th index of the range, whichever way it runs
    stacks: list[list[Any]] = [[None] * len(trips) for _ in scan.stacks]
    order = range(len(trips))
    for k in reversed(order) if scan.backwards else order:
        entry = tuple(stack[k] for stack in entries)
        outs = yield run(scan.body, (trips[k], *carries, *reads, *entry))
        carries = outs[: len(carries)]
        for stack, record in zip(stacks, outs[len(carries) :], strict=True):
            stack[k] = record
    return (*carries, *stacks)


def _while(loop: While, read: _Read, run: _Machine) -> Task[Values]:
    carries = tuple(map(read, loop.carries))
    reads = tuple(map(read, loop.reads))
    stacks: list[list[Any]] = [[] for _ in loop.stacks]
    trips = 0
    while (yield run(loop.test, (*carries, *reads)))[0]:
        outs = yield run(loop.body, (*carries, *reads))
        carries = outs[: len(carries)]
        for stack, record in zip(stacks, outs[len(carries) :], strict=True):
            stack.append(record)
        trips += 1
    return (*carries, *stacks, trips)


def _solve(solve: Solve, read: _Read, run: _Machine) -> Task[Values]:
    outs: Values = yield run(solve.primal, tuple(map(read, solve.args)))
    return outs


def _call(call: Call, read: _Read, run: _Machine) -> Task[Values]:
    callee = run.functions[call.callee]
    if callee.outside is not None:
        raise ValueError(f"{call.callee} is not looked into, so it cannot be evaluated")
    outs: Values = yield run(callee.block, tuple(map(read, call.args)))
    return outs


def _record(record: Record, read: _Read, _: _Machine) -> Task[Values]:
    yield from ()
    return (tuple(map(read, record.args)),)


def _open(opened: Open, read: _Read, _: _Machine) -> Task[Values]:
    yield from ()
    values: Values = read(opened.record)
    return values


def _check(check: Check, read: _Read, _: _Machine) -> Task[Values]:
    if not read(check.test):
        name = "Exception" if isinstance(check.error, Maker) else check.error
        error: type[Exception] = getattr(builtins, name or "AssertionError")
        raise error(_said(check, read))
    yield from ()  # a task like its siblings, though it needs no other
    return ()


def _print(said: Print, read: _Read, _: _Machine) -> Task[Values]:
    words: dict[str, Any] = dict(said.words)
    print(_said(said, read), **words)
    yield from ()
    return ()


def _said(statement: Check | Print, read: _Read) -> str:
    """The message of a statement."""
    formats = iter(statement.formats)
    parts = (
        m if isinstance(m, str) else f"{{{next(formats, '')}}}".format(read(m))
        for m in statement.message
    )
    return "".join(parts)


def _derivative(made: Derivative, read: _Read, run: _Machine) -> Task[Values]:
    """Raise: an operator has no value before code stands in its place."""
    raise NotImplementedError(f"{made.operator} stands for code: see derive.operators")


_MEANING: dict[type[Statement], Callable[[Any, _Read, _Machine], Task[Values]]] = {
    Branch: _branch,
    Scan: _scan,
    While: _while,
    Solve: _solve,
    Call: _call,
    Record: _record,
    Open: _open,
    Check: _check,
    Print: _print,
    Derivative: _derivative,
}
