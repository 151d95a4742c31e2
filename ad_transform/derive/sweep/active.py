"""The operations on the way from the independents, those of inner blocks included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Operand,
    Scan,
    Solve,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.later import later

with later():
    from ad_transform.derive.sweep.dependence import Dependence


def active_operations(
    body: Sequence[Statement], columns: Iterable[Var]
) -> Iterator[Apply]:
    """The operations that read a value depending on the columns, in order."""
    for statement, active in _active(body, columns):
        if isinstance(statement, Apply) and not active.isdisjoint(statement.args):
            yield statement


def differentiated_operations(block: Block, columns: Iterable[Var]) -> Iterator[Apply]:
    """The active operations that results depend on, other than by comparisons."""
    reached = _reached(block)
    active = active_operations(block.body, columns)
    return (made for made in active if made.out in reached)


def _reached(block: Block) -> set[Operand]:
    """The values that the results of a block are made of, without those that are only
    compared or only choose an arm. Linear.
    """
    sources: dict[Operand | None, list[Operand]] = {}
    for statement in walk(block.body):
        for value, source in _made_of(statement):
            sources.setdefault(value, []).append(source)
    waiting = [*block.results, *sources.get(None, ())]
    reached = set(waiting)
    while waiting:
        new = [s for s in sources.get(waiting.pop(), ()) if s not in reached]
        reached.update(new)
        waiting += new
    return reached


def _made_of(statement: Statement) -> Iterator[tuple[Operand | None, Operand]]:
    """Pairs of a value of a statement or its blocks and a value that it is made of; a
    source of None is reached in any case.
    """
    match statement:
        case Check():
            pass
        case Branch(outs=outs, args=args):
            for arm in statement.blocks:
                yield from zip(outs, arm.results, strict=True)
                yield from zip(arm.params, args, strict=True)
        case Scan() | While():
            yield from zip(statement.outs, statement.body.results, strict=False)
            yield from zip(statement.carry_params, statement.handed_on, strict=True)
            params = statement.body.params[statement.first_carry :]
            yield from zip(params, _into(statement), strict=True)
        case Apply(out=out, args=args):
            if out.type.is_real:
                yield from ((out, arg) for arg in args)
        case _:
            inner = (result for block in statement.blocks for result in block.results)
            yield from ((None, source) for source in (*statement.inputs, *inner))


def _into(loop: Scan | While) -> tuple[Operand, ...]:
    """The operands behind the parameters of a body, except for the index."""
    return (*loop.carries, *loop.reads, *loop.entries)


def active_calls(
    body: Sequence[Statement], columns: Iterable[Var]
) -> Iterator[tuple[Call, tuple[int, ...]]]:
    """The calls with arguments that depend on the columns, and the places of these."""
    for statement, active in _active(body, columns):
        if isinstance(statement, Call):
            places = tuple(k for k, a in enumerate(statement.args) if a in active)
            if places and any(out.type.is_real for out in statement.outs):
                yield statement, places


def _active(
    body: Sequence[Statement], columns: Iterable[Var]
) -> Iterator[tuple[Statement, set[Operand]]]:
    """All statements, each with the values of its block that depend on the columns."""
    dependence = Dependence()
    stack = [_statements(dependence, body, columns)]
    while stack:
        statement, active = next(stack[-1], (None, set[Operand]()))
        if statement is None:
            stack.pop()
            continue
        yield statement, active
        if statement.blocks:
            inner = [
                _statements(dependence, block.body, params)
                for block, params in _entered(statement, active)
            ]
            stack.extend(reversed(inner))


def _statements(
    dependence: Dependence, body: Sequence[Statement], columns: Iterable[Var]
) -> Iterator[tuple[Statement, set[Operand]]]:
    active = set(dependence.within(body, dict.fromkeys(columns, 1)))
    return ((statement, active) for statement in body)


def _entered(
    statement: Statement, active: set[Operand]
) -> Iterator[tuple[Block, list[Var]]]:
    """The inner blocks, each with its active parameters."""
    match statement:
        case Branch():
            outer: tuple[Operand, ...] = statement.args
        case Scan() | While():
            # a carry that is active after any trip is so in all
            carries = (
                out if out in active else start
                for out, start in zip(statement.finals, statement.carries, strict=True)
            )
            outer = (*carries, *statement.reads, *statement.entries)
        case Solve():
            outer = (*statement.unknowns, *statement.args)
        case _:
            return
    blocks = statement.blocks
    for block in blocks[1:] if isinstance(statement, Solve) else blocks:
        params = block.params[len(block.params) - len(outer) :]
        pairs = zip(params, outer, strict=True)
        yield block, [p for p, o in pairs if o in active]
