"""Stacks: lists of the records of a loop, one entry a trip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.dataclass import replace
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import MADE
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Literal,
    Operand,
    Record,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.types import INT, Kind, Type

TRIPS = "saved."
"""The beginning of the names for the numbers of trips that loops record."""

_ZEROS: dict[Kind, float | int | bool | str] = {
    Kind.FLOAT: 0.0,
    Kind.INT: 0,
    Kind.BOOL: False,
    Kind.STR: "",
}


def zero(kind: Kind) -> Literal:
    """The literal for a value that nobody needs."""
    return Literal(_ZEROS[kind])


def is_made(type_: Type) -> bool:
    """Whether a placeholder of a type has to be made by statements."""
    return bool(type_.dims) or type_.kind is Kind.RECORD


def empty(types: Sequence[Type]) -> tuple[tuple[Statement, ...], tuple[Var, ...]]:
    """Loops of no trips that give empty stacks, one of each type. An array type that no
    loop records gets an array without elements, a record type an empty record.

    Stacks of one loop come from one loop again, so they may be gone over together.
    """
    found: list[Var] = []
    others: list[Statement] = []
    by_trips: dict[object, list[Var]] = {}
    for type_ in types:
        trips = type_.dims[0] if type_.dims else ""
        if not type_.dims:
            others.append(Record(Var(type_), ()))
            found += others[-1].outs
        elif str(trips).startswith(TRIPS):
            found.append(Var(type_))
            by_trips.setdefault(trips, []).append(found[-1])
        else:
            others.append(_no_elements(type_))
            found += others[-1].outs
    loops = (_no_trips(tuple(own)) for own in by_trips.values())
    return (*others, *loops), tuple(found)


def _no_elements(type_: Type) -> Apply:
    out = Var(Type(type_.kind, (ANY,) * len(type_.dims)))
    sizes = (Literal(0),) * len(type_.dims)
    op = TABLE[MADE[len(sizes)]]
    return Apply(out, op, (zero(type_.kind), *sizes))


def _no_trips(stacks: tuple[Var, ...]) -> Scan:
    types = [stack.type.entry for stack in stacks]
    body, inner = empty([t for t in types if is_made(t)])
    made = iter(inner)
    results = tuple(next(made) if is_made(t) else zero(t.kind) for t in types)
    block = Block((Var(INT),), body, results)
    return Scan(stacks, Literal(0), Literal(0), Literal(1), (), (), (), block)


def is_empty(statement: Statement) -> bool:
    """Whether a statement is a loop of no trips, which gives empty stacks."""
    return (
        isinstance(statement, Scan)
        and not statement.carries
        and statement.start == statement.stop == Literal(0)
    )


def with_another(loop: Scan, stack: Operand) -> tuple[Scan, Var] | None:
    """The loop of no trips with one more empty stack like one of its own, and that
    stack; None if the entries of the stack are not made in the loop.
    """
    own = loop.body.results[loop.outs.index(stack)]
    body = [*loop.body.body]
    entry: Operand = zero(own.type.kind)
    if is_made(own.type):
        place = next((k for k, s in enumerate(body) if own in s.outs), None)
        maker = body[place] if place is not None else None
        made = with_another(maker, own) if isinstance(maker, Scan) else None
        if made is None or place is None:
            return None
        body[place], entry = made
    results = (*loop.body.results, entry)
    block = Block(loop.body.params, tuple(body), results)
    out = Var(stack.type)
    return replace(loop, outs=(*loop.outs, out), body=block), out


def empty_beside(stack: Operand) -> Scan:
    """A loop of no trips over an empty stack; it gives another one of as many trips."""
    entry = Var(stack.type.entry)
    body = (empty_beside(entry),) if entry.type.dims else ()
    results = body[0].outs if body else (zero(entry.type.kind),)
    block = Block((Var(INT), entry), body, results)
    out = Var(stack.type)
    return Scan((out,), Literal(0), Literal(0), Literal(1), (), (), (stack,), block)


def fresh_trips(body: Iterable[Statement]) -> int:
    """The greatest number of a dim `saved.7` in a body; 0 if there is none."""
    numbers = (int(trips.removeprefix(TRIPS)) for trips in trips_of(body))
    return max(numbers, default=0)


def trips_of(body: Iterable[Statement]) -> tuple[str, ...]:
    """The names `saved.7` for the trips of the loops of a body that record."""
    found: dict[str, None] = {}
    for statement in walk(tuple(body)):
        params = (p for block in statement.blocks for p in block.params)
        for var in (*statement.outs, *params):
            for dim in var.type.dims:
                for part in str(dim).split(TRIPS)[1:]:
                    number = part.partition("+")[0].partition("-")[0]
                    found[f"{TRIPS}{number}"] = None
    return tuple(found)


def own_trips(body: Iterable[Statement]) -> tuple[str, ...]:
    """The names for the trips of the loops of a body that record, without loops over
    records of others: these have the trips of the others.
    """
    found: dict[str, None] = {}
    for loop in walk(tuple(body)):
        if not isinstance(loop, Scan | While) or not loop.stacks:
            continue
        if isinstance(loop, While) or not loop.entries:
            found[str(loop.stacks[0].type.dims[0])] = None
    return tuple(found)


def records_states(statement: Statement) -> bool:
    """Whether a statement is a loop that holds only some of its records."""
    if not isinstance(statement, Scan | While):
        return False
    return bool(statement.stacks) and statement.snapshots is not None


def hold_states(body: Iterable[Statement]) -> bool:
    """Whether a body has a loop that holds only some of its records."""
    return any(map(records_states, walk(tuple(body))))
