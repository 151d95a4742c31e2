"""Carries of loops: how trips use them; loops with fewer carries, or more."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import another
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
)

Loop = Scan | While
L = TypeVar("L", bound=Loop)
T = TypeVar("T")

_ZERO, _ONE = Literal(0), Literal(1)


def has_own_places(loop: Scan) -> bool:
    """Whether the index of each trip is another place in a list: none is told from the
    end, where -1 may be the last one.
    """
    is_told = isinstance(loop.start, Literal) and int(loop.start.value) >= 0
    return is_told and loop.step == _ONE and loop.snapshots is None


def given_in_all(statement: Statement) -> tuple[Operand | None, ...]:
    """For each parameter of the blocks in a statement its operand outside, where that
    is one value in all trips; else None.
    """
    match statement:
        case Branch(args=args):
            return args
        case Scan(carries=carries, reads=reads):
            return (*(None for _ in range(1 + len(carries))), *reads)
        case While(carries=carries, reads=reads):
            return (*(None for _ in carries), *reads)
    return ()


def counts_up(loop: Scan) -> bool:
    """Whether a loop is one over range(stop): the index of a trip is its number."""
    return loop.start == _ZERO and loop.step == _ONE


def makes_empty(statement: Statement) -> bool:
    """Whether a statement makes a list without items."""
    is_made = isinstance(statement, Apply) and statement.op.name in ("full", "like")
    return is_made and statement.outs[0].type.dims == (0,)


def changes(loop: Loop) -> Mapping[int, Apply]:
    """The operations that change carries, by the carries to which a trip does no more.
    An operation takes the carry first, and its value is carried on. Linear.
    """
    block, params = loop.body, loop.carry_params
    read = block.times_read
    places: dict[Operand, int] = {param: k for k, param in enumerate(params)}
    if isinstance(loop, While):
        tested = loop.test.times_read
        pairs = zip(params, loop.test.params, strict=False)
        places = {p: places[p] for p, param in pairs if not tested[param]}
    found: dict[int, Apply] = {}
    for statement in block.body:
        if not isinstance(statement, Apply) or not statement.args:
            continue
        array, out = statement.args[0], statement.out
        k = places.get(array)
        if k is not None and read[array] == read[out] == 1 and block.results[k] is out:
            found[k] = statement
    return found


def without_carries(loop: L, gone: Collection[int]) -> L:
    """The loop without some carries, which nothing in its trips reads any more."""

    def cut(values: Sequence[T], before: int = 0) -> tuple[T, ...]:
        return tuple(v for k, v in enumerate(values) if k - before not in gone)

    params = cut(loop.body.params, loop.first_carry)
    results = cut(loop.body.results)
    body = replace(loop.body, params=params, results=results)
    made = replace(loop, outs=cut(loop.outs), carries=cut(loop.carries), body=body)
    if isinstance(made, While):
        return replace(made, test=replace(made.test, params=cut(made.test.params)))
    return made


def reading_carries(loop: Scan, some: Sequence[int]) -> Scan:
    """A loop that reads some of its carries, which its trips do not change."""
    made = without_carries(loop, some)
    end, own = made.first_entry, made.body.params
    params = (*own[:end], *(loop.carry_params[k] for k in some), *own[end:])
    return replace(
        made,
        reads=(*made.reads, *(loop.carries[k] for k in some)),
        body=replace(made.body, params=params),
    )


def with_carries(
    loop: While,
    outs: tuple[Var, ...],
    carries: Mapping[Var, Operand],
    reads: Mapping[Var, Operand],
    branch: Branch | None,
    ends: Sequence[Operand],
) -> While:
    """A loop with a branch in its trips, and more carries and reads, by parameters.

    The new carries end a trip as `ends`, and the loop gives them as `outs`.
    """
    count = len(loop.carries)

    def with_both(
        block: Block, more: Sequence[Var], read: Sequence[Var]
    ) -> tuple[Var, ...]:
        return (*block.params[:count], *more, *block.params[count:], *read)

    tested = [[another(param, {}) for param in more] for more in (carries, reads)]
    results = loop.body.results
    body = Block(
        with_both(loop.body, tuple(carries), tuple(reads)),
        loop.body.body if branch is None else _with(loop.body.body, branch),
        (*results[:count], *ends, *results[count:]),
    )
    return While(
        (*loop.outs[:count], *outs, *loop.outs[count:]),
        (*loop.carries, *carries.values()),
        (*loop.reads, *reads.values()),
        replace(loop.test, params=with_both(loop.test, *tested)),
        body,
        notes=loop.notes,
    )


def _with(body: Sequence[Statement], new: Statement) -> tuple[Statement, ...]:
    """The statements with a new one behind the last that it needs."""
    needed = set(new.inputs)
    places = (k for k, s in enumerate(body, 1) if not needed.isdisjoint(s.outs))
    place = max(places, default=0)
    return (*body[:place], new, *body[place:])
