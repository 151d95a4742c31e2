"""Copies of arrays where a program needs two of them.

For the reader every write makes a new value and keeps the old one. In the IR an array
is gone after it is written, carried by a loop or given back (`ir.verify`, law 7), and
generated code writes in place. So an array that is read again later is copied first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Derivative,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.later import later

with later():
    from ad_transform.elementals.copies import copy_of

Gone = Set[Operand]


def with_copies(function: Function, kept: Gone = frozenset()) -> Function:
    """The function with the copies that its arrays need; it leaves `kept` unchanged.
    Linear.
    """
    if not any(var.type.dims for var in _bound(function.block)):
        return function
    block, _ = _copied(function.block, kept)
    return replace(function, block=block)


def _bound(block: Block) -> Iterator[Var]:
    waiting = [block]
    while waiting:
        inner = waiting.pop()
        yield from inner.params
        for statement in inner.body:
            yield from statement.outs
            waiting += statement.blocks


def _copied(block: Block, kept: Gone) -> tuple[Block, Gone]:
    """The block with copies, and the parameters that it consumes; it leaves `kept`
    unchanged.
    """
    last: dict[Operand, int] = {}  # the place of the last read of an array
    for place, statement in enumerate(block.body):
        last.update((a, place) for a in statement.inputs if a.type.dims)
    end = len(block.body)
    last.update((a, end) for a in (*block.results, *kept) if a.type.dims)
    last.update((a, end + 1) for a in kept)
    body: list[Statement] = []
    gone: set[Operand] = set()
    for place, statement in enumerate(block.body):
        made, eaten = _inside(statement)
        made = _spared(made, eaten, last, place, body)
        gone.update(a for a in eaten if last[a] <= place)
        body.append(made)
    results = _given(block.results, kept, body)
    gone.update(r for r in results if r.type.dims)
    return Block(block.params, tuple(body), results), gone & set(block.params)


def _inside(statement: Statement) -> tuple[Statement, list[Operand]]:
    """The statement with copies in its blocks, and the arrays that it consumes."""
    match statement:
        case Apply(op=op, args=args):
            return statement, [a for a in args if op.consumes and a.type.dims]
        case Branch(args=args):
            made, gone = _blocks(statement, [frozenset()] * 2)
            return made, _eaten(args, [b.params for b in made.blocks], gone)
        case Scan(carries=carries, body=body):
            kept = frozenset(body.params[len(carries) + 1 :])
            made, _ = _blocks(statement, [kept])
            return made, [c for c in carries if c.type.dims]
        case While(carries=carries, test=test, body=body):
            outside = frozenset(body.params[len(carries) :])
            made, _ = _blocks(statement, [frozenset(test.params), outside])
            return made, [c for c in carries if c.type.dims]
        case Derivative(block=block):
            made, _ = _blocks(statement, [frozenset(block.params)])
            return made, []
    return statement, []


def _blocks(statement: Statement, kept: Sequence[Gone]) -> tuple[Statement, list[Gone]]:
    pairs = [
        _copied(block, own) for block, own in zip(statement.blocks, kept, strict=True)
    ]
    blocks = tuple(block for block, _ in pairs)
    made = statement.rebuilt(statement.outs, statement.inputs, blocks)
    return made, [gone for _, gone in pairs]


def _eaten(
    args: Sequence[Operand], params: Sequence[Sequence[Var]], gone: Sequence[Gone]
) -> list[Operand]:
    """The arguments that some block consumes, once for each place."""
    return [
        arg
        for k, arg in enumerate(args)
        if any(own[k] in away for own, away in zip(params, gone, strict=True))
    ]


def _spared(
    statement: Statement,
    eaten: Sequence[Operand],
    last: Mapping[Operand, int],
    place: int,
    body: list[Statement],
) -> Statement:
    """The statement, on copies of arrays that are read later, or twice by itself."""
    inputs = list(statement.inputs)
    for array in eaten:
        again = last[array] > place or inputs.count(array) > 1
        if again and isinstance(array, Var):
            inputs[_consumed(statement, inputs, array)] = _copy(array, body)
    if inputs == list(statement.inputs):
        return statement
    return statement.rebuilt(statement.outs, tuple(inputs), statement.blocks)


def _consumed(statement: Statement, inputs: Sequence[Operand], array: Var) -> int:
    """The place among the inputs that consumes the array."""
    if isinstance(statement, Scan):
        return inputs.index(array, 3)
    return inputs.index(array)


def _copy(array: Var, body: list[Statement]) -> Var:
    copy = copy_of(array, array.span)
    body.append(copy)
    return copy.out


def _given(
    results: Sequence[Operand], kept: Gone, body: list[Statement]
) -> tuple[Operand, ...]:
    """The results, with copies of arrays that come twice or have to stay."""
    found: list[Operand] = []
    for result in results:
        again = result.type.dims and (result in found or result in kept)
        found.append(
            _copy(result, body) if again and isinstance(result, Var) else result
        )
    return tuple(found)
