"""Estimates of arrays as results, one element after another.

The estimates of the element at a place are those of a function that is given the place
as well. A loop over all places runs the statements that depend on the place: in reverse
one sweep for each element. All others, those for the value too, run once in front of
the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.kinds.lines import Lines
from ad_transform.derive.rounding.list_loops import ZEROS
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import COPY, MADE
from ad_transform.elementals.copies import copy_of
from ad_transform.elementals.whole import LENGTHS, OF_LIST, TO_LIST
from ad_transform.ir.blocks.blocks import placed
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.free import free
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    group,
    hint_of,
)
from ad_transform.ir.types import INT, Type
from ad_transform.ir.typing import result_type

Operands = tuple[Operand, ...]
Estimated = Callable[[Function], Block]
"""The program of the values of a function and, in turn, their estimates."""


@dataclass(frozen=True, slots=True)
class _Element:
    """A function for the element at `place`, and for the lengths of the array."""

    function: Function
    place: tuple[Var, ...]


def has_arrays(function: Function) -> bool:
    """Whether some results are arrays."""
    return any(result.type.is_array for result in function.results)


def by_element(
    function: Function, estimated: Estimated, names: tuple[str, ...]
) -> Block:
    """The program of all values and, in turn, of the estimates under these names.

    One sweep for each element of the arrays, one for each number.
    """
    text = Lines()
    columns: dict[Operand, Operands] = {}
    numbers = tuple(r for r in function.results if not r.type.is_array)
    if numbers:
        block = estimated(_of(function, numbers))
        text.body += block.body
        for k, number in enumerate(numbers):
            columns[number] = block.results[k :: len(numbers)]
    for own, array in enumerate(dict.fromkeys(function.results)):
        if array.type.is_array:
            element = _element(function, array)
            block = _with_own_trips(estimated(element.function), own)
            hints = (hint_of(array), *names)
            columns[array] = _filled(text, array, element, block, hints)
    results = tuple(
        columns[r][k] for k in range(len(names) + 1) for r in function.results
    )
    return Block(function.block.params, tuple(text.body), results)


def _of(function: Function, results: Operands) -> Function:
    """The function with these results alone."""
    block = replace(function.block, results=results)
    nest = group((LEAF,) * len(results))
    return replace(function, block=block, nest=nest, primal=len(results))


def _element(function: Function, array: Operand) -> _Element:
    text = Lines(list(function.body))
    rank = len(array.type.lengths)
    sizes, elements = text.sizes(array), array
    if array.type.shape:
        sizes = tuple(text.apply(op, array) for op in LENGTHS[:rank])
        elements = text.apply(TO_LIST[rank], array)
    place = tuple(Var(INT, "ijk"[k]) for k in range(rank))
    row = TABLE["get"]
    hint = hint_of(array)
    item = Var(result_type(row, (elements, *place)), hint)
    text.body.append(Apply(item, row, (elements, *place)))
    params = (*function.block.params, *place)
    made = _of(function, (item, *sizes))
    block = Block(params, tuple(text.body), made.results)
    return _Element(replace(made, block=block), place)


def _filled(
    text: Lines,
    array: Operand,
    element: _Element,
    block: Block,
    hints: tuple[str, ...],
) -> Operands:
    """The array and its estimates, filled place by place."""
    rank = len(element.place)
    ahead, inside = _apart(block.body, element.place)
    if any(len(array.type.dims) not in COPY for array in _changed(inside)):
        ahead, inside = [], list(block.body)  # it is made anew for each element
    text.body += ahead
    found, sizes = block.results[:: rank + 1], block.results[1 : rank + 1]
    if not {out for s in inside for out in s.outs}.isdisjoint(sizes):
        sizes = _lengths(text, element)
    dims = array.type.lengths
    starts = []
    for value, hint in zip(found, hints, strict=True):
        type_ = Type(value.type.kind, dims)
        zero = ZEROS[value.type.kind]
        made = text.apply(MADE[rank], zero, *sizes, declared=type_, hint=hint)
        starts.append(made)
    fill = partial(_stored, inside, found, element.place)
    loop = _looped(starts, element.place, sizes, fill)
    text.body.append(loop)
    if not array.type.shape:
        return loop.outs
    op = OF_LIST[rank]
    return tuple(text.apply(op, end, hint=end.hint) for end in loop.outs)


def _lengths(text: Lines, element: _Element) -> Operands:
    """The lengths of an array, even if statements for a place tell them."""
    block = element.function.block
    sizes = block.results[1:]
    alone = Block(block.params, live(block.body, sizes), sizes)
    own = _with_own_trips(placed(alone, alone.params, {}), len(text.body))
    text.body += own.body
    return own.results


def _apart(
    body: Sequence[Statement], place: Sequence[Var]
) -> tuple[list[Statement], list[Statement]]:
    """The statements that do not depend on the place; and all others, among them those
    that change an array which the others read.
    """
    consumption = Consumption()
    known: set[Operand] = set(place)
    read: set[Operand] = set()
    ahead: list[Statement] = []
    inside: list[Statement] = []
    for statement in body:
        alone = known.isdisjoint(statement.inputs)
        if alone and read.isdisjoint(consumption.by(statement)):
            ahead.append(statement)
            continue
        inside.append(statement)
        known.update(statement.outs)
        read.update(statement.inputs)
    return ahead, inside


Fill = Callable[[Sequence[Var]], tuple[list[Statement], Operands]]
"""The statements of a trip for the arrays that it is given, and these arrays behind
it."""


def _looped(
    starts: Sequence[Var], place: Sequence[Var], sizes: Sequence[Operand], fill: Fill
) -> Scan:
    """Loops over all places that hand arrays on."""
    index, *rest = place
    carries, outs = (tuple(Var(v.type, v.hint) for v in starts) for _ in range(2))
    if rest:
        loop = _looped(carries, rest, sizes[1:], fill)
        body: list[Statement] = [loop]
        ends: Operands = loop.outs
    else:
        body, ends = fill(carries)
    inner = Block((index, *carries), tuple(body), ends)
    read = free(inner.body, ends, inner.params)
    inner = replace(inner, params=(*inner.params, *read))
    zero, one = Literal(0), Literal(1)
    return Scan(outs, zero, sizes[0], one, tuple(starts), read, (), inner)


def _stored(
    inside: Sequence[Statement],
    values: Operands,
    place: Sequence[Var],
    arrays: Sequence[Var],
) -> tuple[list[Statement], Operands]:
    """The statements that compute values and store each in an array at a place; and the
    arrays behind them.
    """
    body, row = _with_copies(inside), TABLE["set"]
    ends = tuple(Var(a.type, a.hint) for a in arrays)
    for end, array, value in zip(ends, arrays, values, strict=True):
        body.append(Apply(end, row, (array, value, *place)))
    return body, ends


def _changed(inside: Sequence[Statement]) -> set[Operand]:
    """The arrays from outside that statements change."""
    own = {out for s in inside for out in s.outs}
    return Consumption().by_all(inside) - own


def _with_copies(inside: Sequence[Statement]) -> list[Statement]:
    """The statements over copies of the arrays from outside that they change."""
    changed = _changed(inside)
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for array in dict.fromkeys(v for s in inside for v in s.inputs):
        if array in changed and isinstance(array, Var):
            copy = copy_of(array)
            env[array] = copy.out
            body.append(copy)
    return [*body, *(s.over(env) for s in inside)]


def _with_own_trips(block: Block, number: int) -> Block:
    """The program with dims of their own for its stacks."""
    loops = (s for s in block.body if isinstance(s, Scan | While))
    trips = dict.fromkeys(str(stack.type.dims[0]) for s in loops for stack in s.stacks)
    own = {trip: f"element.{number}.{k}" for k, trip in enumerate(trips)}
    return placed(block, block.params, own)
