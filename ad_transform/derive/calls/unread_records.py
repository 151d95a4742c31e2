"""Records of functions that are called, without the values that nobody reads.

A function that calls itself is swept before it is known what its own way back reads. So
it records all arguments of a call; a list that the call does not take on the way back
is not read there, and no copy of it is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ad_transform.dataclass import replace
from ad_transform.derive.calls.unread import without_unread
from ad_transform.ir.blocks.inner import changed_inside
from ad_transform.ir.blocks.live import live
from ad_transform.ir.classes import Classes
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Bundle,
    Call,
    Function,
    Open,
    Operand,
    Record,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Kind

Group = tuple[Operand, int]
"""A class of records that may be the same one, by one of them, and their number of
values."""


def lean(bundle: Bundle) -> Bundle:
    """The bundle without the parameters that functions do not read, and without the
    values of records that nobody reads.
    """
    while True:
        made = _with_less(without_unread(bundle))
        if made is bundle:
            return bundle
        bundle = made


def _with_less(bundle: Bundle) -> Bundle:
    """The bundle with smaller records; itself if all is read."""
    statements = [s for f in bundle.functions for s in walk(f.body)]
    made = [s for s in statements if isinstance(s, Record | Open)]
    if not made:
        return bundle
    classes = classes_of(bundle, statements, made)
    read = {o for s in statements for o in s.inputs}
    read.update(o for f in bundle.functions for o in f.results)
    read.update(o for s in statements for b in s.blocks for o in b.results)
    wanted: dict[Group, set[int]] = {}
    for one in made:
        places = wanted.setdefault(classes.group(one), set())
        if isinstance(one, Open):
            places.update(k for k, out in enumerate(one.outs) if out in read)
    if all(len(places) == group[1] for group, places in wanted.items()):
        return bundle
    less: dict[Statement, tuple[int, ...]] = {
        one: tuple(sorted(wanted[classes.group(one)]))
        for one in made
        if len(wanted[classes.group(one)]) < len(values_of(one))
    }
    main, *before = (_smaller(f, less) for f in (bundle.main, *bundle.before))
    return Bundle(main, tuple(before))


def values_of(one: Record | Open) -> Sequence[Operand]:
    """The values that a record is made of, or gives back."""
    return one.args if isinstance(one, Record) else one.outs


def _smaller(function: Function, less: Mapping[Statement, tuple[int, ...]]) -> Function:
    """The function with smaller records, without statements that only these needed."""
    if function.outside is not None:
        return function
    block = bounce(_with_smaller(function.block, less))
    body = live(block.body, block.results)
    return replace(function, block=replace(block, body=body))


def _with_smaller(
    block: Block, less: Mapping[Statement, tuple[int, ...]]
) -> Task[Block]:
    inside = yield from changed_inside(block, lambda inner: _with_smaller(inner, less))
    body: list[Statement] = []
    for statement in inside:
        places = less.get(statement)
        if places is None:
            body.append(statement)
        elif isinstance(statement, Record):
            args = tuple(statement.args[k] for k in places)
            body.append(replace(statement, args=args))
        elif isinstance(statement, Open) and places:
            outs = tuple(statement.outs[k] for k in places)
            body.append(replace(statement, outs=outs))
    return replace(block, body=tuple(body))


# --- records that may be one another --------------------------------------------------


class _Records(Classes[Operand]):
    """Records in classes: two that may be the same one are in one class."""

    def group(self, one: Record | Open) -> Group:
        """The class of the record that is made or opened, and its number of values."""
        record = one.out if isinstance(one, Record) else one.record
        return self.find(record), len(values_of(one))


def classes_of(
    bundle: Bundle, statements: Sequence[Statement], made: Sequence[Record | Open]
) -> _Records:
    """The classes of records; `made` are those among the statements of a bundle that
    make or open one.
    """
    functions = {f.name: f for f in bundle.before if f.outside is None}
    classes = _Records()
    for statement in statements:
        for one, other in _flows(statement, functions):
            if _is_record(one) and _is_record(other):
                classes.join(one, other)
    fresh = True
    while fresh:  # values at one place of a group may be the same one
        fresh = False
        held: dict[tuple[Group, int], Operand] = {}
        for one_made in made:
            group = classes.group(one_made)
            for k, value in enumerate(values_of(one_made)):
                if _is_record(value):
                    fresh |= classes.join(held.setdefault((group, k), value), value)
    return classes


def _is_record(value: Operand) -> bool:
    return isinstance(value, Var) and value.type.kind is Kind.RECORD


def _flows(
    statement: Statement, functions: Mapping[str, Function]
) -> Iterator[tuple[Operand, Operand]]:
    """Pairs of values that may be the same one, by a statement."""
    match statement:
        case Record() | Open():
            return
        case Branch(outs=outs, args=args):
            for block in statement.blocks:
                yield from zip(block.params, args, strict=True)
                yield from zip(outs, block.results, strict=True)
        case Scan(carries=carries, reads=reads, entries=entries):
            params = statement.body.params[1:]
            yield from zip(params, (*carries, *reads, *entries), strict=True)
            yield from _of_trips(statement, params)
        case While(carries=carries, reads=reads):
            for block in statement.blocks:
                yield from zip(block.params, (*carries, *reads), strict=True)
            yield from _of_trips(statement, statement.body.params)
        case Call(callee=callee) if callee in functions:
            function = functions[callee]
            yield from zip(function.block.params, statement.args, strict=True)
            yield from zip(statement.outs, function.results, strict=True)
        case _:
            values = (*statement.inputs, *statement.outs)
            yield from pairwise(filter(_is_record, values))


def _of_trips(
    loop: Scan | While, params: Sequence[Var]
) -> Iterator[tuple[Operand, Operand]]:
    ends = loop.body.results
    yield from zip(params[: len(loop.carries)], ends, strict=False)
    yield from zip(loop.outs, ends, strict=False)
