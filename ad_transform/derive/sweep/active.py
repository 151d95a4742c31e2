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
    """The operations that read what depends on the columns, in order of appearance."""
    for statement, active in _active(body, columns):
        if isinstance(statement, Apply) and not active.isdisjoint(statement.args):
            yield statement


def differentiated_operations(block: Block, columns: Iterable[Var]) -> Iterator[Apply]:
    """Those of them that results depend on other than by comparisons."""
    reached = _reached(block)
    active = active_operations(block.body, columns)
    return (made for made in active if made.out in reached)


def _reached(block: Block) -> set[Operand]:
    """The values that the results of a block are made of: none that is only compared,
    or only decides which arm runs. Linear, times the nesting.
    """
    every = walk(block.body)
    reached: set[Operand] = set(block.results)
    before = 0
    while before < len(reached):
        before = len(reached)
        for statement in every:
            reached.update(_results(statement, reached))
        for statement in reversed(every):
            reached.update(_read(statement, reached))
    return reached


def _results(statement: Statement, reached: set[Operand]) -> Iterator[Operand]:
    """The results of its blocks that reached values are made of."""
    match statement:
        case Branch(outs=outs, then=then, orelse=orelse):
            for ends in zip(outs, then.results, orelse.results, strict=True):
                if ends[0] in reached:
                    yield from ends[1:]
        case Scan(outs=outs, body=body) | While(outs=outs, body=body):
            first = isinstance(statement, Scan)  # behind the index
            for k, end in enumerate(body.results):
                is_carry = k < len(statement.carries)
                if outs[k] in reached or (
                    is_carry and body.params[k + first] in reached
                ):
                    yield end
        case _:
            for inner in statement.blocks:
                yield from inner.results


def _read(statement: Statement, reached: set[Operand]) -> Iterator[Operand]:
    """What reached values are made of, of what it reads."""
    match statement:
        case Check():
            pass
        case Branch(args=args, then=then, orelse=orelse):
            for arg, *params in zip(args, then.params, orelse.params, strict=True):
                if not reached.isdisjoint(params):
                    yield arg
        case Scan(body=body) | While(body=body):
            first = isinstance(statement, Scan)
            inner = body.params[first:]
            for outer, param in zip(_into(statement), inner, strict=True):
                if param in reached:
                    yield outer
        case Apply(out=out, args=args):
            if out in reached and out.type.is_real:
                yield from args
        case _:
            yield from statement.inputs


def _into(loop: Scan | While) -> tuple[Operand, ...]:
    """What the parameters of a body stand for, the index apart."""
    entries = loop.entries if isinstance(loop, Scan) else ()
    return (*loop.carries, *loop.reads, *entries)


def active_calls(
    body: Sequence[Statement], columns: Iterable[Var]
) -> Iterator[tuple[Call, tuple[int, ...]]]:
    """The calls that read what depends on the columns, with the places of these."""
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
    """The inner blocks, each with its parameters that are active."""
    match statement:
        case Branch():
            outer: tuple[Operand, ...] = statement.args
        case Scan() | While():
            entries = statement.entries if isinstance(statement, Scan) else ()
            # a carry that is active after any trip is so in all
            carries = (
                out if out in active else start
                for out, start in zip(statement.outs, statement.carries, strict=False)
            )
            outer = (*carries, *statement.reads, *entries)
        case Solve():
            outer = (*statement.unknowns, *statement.args)
        case _:
            return
    blocks = statement.blocks
    for block in blocks[1:] if isinstance(statement, Solve) else blocks:
        params = block.params[len(block.params) - len(outer) :]
        pairs = zip(params, outer, strict=True)
        yield block, [p for p, o in pairs if o in active]
