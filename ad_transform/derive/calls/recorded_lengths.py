"""Lists that records hold for their length alone: the length is recorded.

    return total, (found, rest)          return total, (len(found), rest)
    ...                                  ...
    found, rest = record                 size, rest = record
    found_bar = [0.0] * len(found)       found_bar = [0.0] * size

So nobody reads the list behind the call that changes it, which may do so in place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TypeVar

from ad_transform.dataclass import replace
from ad_transform.derive.calls.unread_records import Group, classes_of, values_of
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.inner import changed_inside
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Bundle,
    Function,
    Open,
    Operand,
    Record,
    Statement,
    Var,
    hint_of,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import INT

Places = Mapping[Statement, Set[int]]
"""The places of a record at which a length stands for a list."""

V = TypeVar("V", bound=Operand)

_SIZE, _FULL = TABLE["size"], TABLE["full"]


def with_lengths(bundle: Bundle) -> Bundle:
    """The bundle whose records hold lengths in the place of lists of which nothing else
    is read. Linear.
    """
    statements = [s for f in bundle.functions for s in walk(f.body)]
    made = [s for s in statements if isinstance(s, Record | Open)]
    if not any(_is_list(value) for one in made for value in values_of(one)):
        return bundle
    read = {o for s in statements for o in _read(s)}
    read.update(o for f in bundle.functions for o in f.results)
    classes = classes_of(bundle, statements, made)
    held: dict[tuple[Group, int], bool] = {}
    for one in made:
        for k, value in enumerate(values_of(one)):
            is_length = _is_list(value) and (
                isinstance(one, Record) or value not in read
            )
            place = classes.group(one), k
            held[place] = held.get(place, True) and is_length
    places: Places = {
        one: {k for k in range(len(values_of(one))) if held[classes.group(one), k]}
        for one in made
    }
    if not any(places.values()):
        return bundle
    main, *before = (_changed(f, places) for f in (bundle.main, *bundle.before))
    return Bundle(main, tuple(before))


def _is_list(value: Operand) -> bool:
    return isinstance(value, Var) and len(value.type.dims) == 1


def _is_length(statement: Statement) -> bool:
    """Whether a statement reads of a list its length alone."""
    if not isinstance(statement, Apply):
        return False
    return statement.op is TABLE["like"] or (
        statement.op is _SIZE and len(statement.args) == 1
    )


def _read(statement: Statement) -> Iterator[Operand]:
    """The values that a statement reads for more than their length."""
    yield from statement.inputs[1:] if _is_length(statement) else statement.inputs
    for block in statement.blocks:
        yield from block.results


def _changed(function: Function, places: Places) -> Function:
    if function.outside is not None:
        return function
    return replace(function, block=bounce(_with_lengths(function.block, places)))


def _with_lengths(block: Block, places: Places) -> Task[Block]:
    inside = yield from changed_inside(block, lambda held: _with_lengths(held, places))
    sizes = {  # of lists recorded here or before
        value: _size_of(value)
        for statement in inside
        if isinstance(statement, Record | Open)
        for k, value in enumerate(values_of(statement))
        if k in places.get(statement, ())
    }
    if not sizes:
        return replace(block, body=tuple(inside))
    made_here = {out for statement in inside for out in statement.outs}
    given = (value for value in sizes if value not in made_here)
    body: list[Statement] = []
    body += (Apply(sizes[value], _SIZE, (value,)) for value in given)
    env: dict[Operand, Operand] = {}
    for statement in inside:
        own = places.get(statement, frozenset())
        made = statement.over(env) if env else statement
        if isinstance(made, Record):
            body.append(replace(made, args=_told(made.args, own, sizes)))
        elif isinstance(made, Open):
            outs = _told(made.outs, own, sizes)
            body.append(replace(made, outs=outs))
        elif isinstance(made, Apply) and _is_length(made) and made.args[0] in sizes:
            size = sizes[made.args[0]]
            if made.op is _SIZE:
                env[made.out] = size
            else:
                body.append(Apply(made.out, _FULL, (made.args[1], size)))
        else:
            body.append(made)
            more = (out for out in made.outs if out in sizes)
            body += (Apply(sizes[out], _SIZE, (out,)) for out in more)
    results = tuple(env.get(result, result) for result in block.results)
    return replace(block, body=tuple(body), results=results)


def _told(
    values: Sequence[V], places: Set[int], sizes: Mapping[Operand, Var]
) -> tuple[V | Var, ...]:
    """The values of a record, with lengths in some places."""
    return tuple(sizes[v] if k in places else v for k, v in enumerate(values))


def _size_of(array: Operand) -> Var:
    """A value for the length of a list."""
    hint = hint_of(array)
    return Var(INT, f"{hint}_size" if hint else "")
