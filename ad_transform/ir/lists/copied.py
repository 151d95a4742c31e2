"""Loops that only copy an array into a new one are a copy.

`m = [[a[i][j] for j in range(n)] for i in range(n)]` is `m = [row[:] for row in a]`.
So is a loop over rows of a few elements, `m[i][0] = a[i][0]` and `m[i][1] = a[i][1]`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.ir.blocks.carried import counts_up, without_carries
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.dims import ANY
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
)

_ROOM = {"full", "like", "grid", "rows_like"}
_COPY = {1: "copy", 2: "copy_rows"}


def copied(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with copies in place of such loops. Linear. `table` has the
    operations.
    """
    if not any(isinstance(s, Scan) and _may_copy(s) for s in function.nested):
        return function
    return each_block(function, lambda block: _copied(block, table))


def _may_copy(loop: Scan) -> bool:
    """Whether a loop over a range from 0 carries lists alone, and records nothing."""
    return (
        counts_up(loop)
        and bool(loop.carries)
        and not (loop.stacks or loop.entries or loop.backwards)
        and loop.snapshots is None
        and all(carry.type.dims for carry in loop.carries)
    )


def _copied(block: Block, table: Mapping[str, Elemental]) -> Block:
    if not any(isinstance(s, Scan) and _may_copy(s) for s in block.body):
        return block
    scope = _Scope(block, None, None)
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        if isinstance(statement, Scan) and _may_copy(statement):
            assert isinstance(made, Scan)
            gone: list[int] = []
            for k, carry in enumerate(statement.carries):
                room = scope.makers.get(carry)
                if scope.read[carry] != 1 or not _is_room(room):
                    continue
                array = _source(statement, k, scope)
                if array is not None and array.type == carry.type:
                    out = statement.outs[k]
                    op = table[_COPY[len(array.type.dims)]]
                    body.append(Apply(out, op, (env.get(array, array),)))
                    gone.append(k)
            if len(gone) == len(statement.carries):
                continue
            made = without_carries(made, gone) if gone else made
        body.append(made)
    return with_body(block, body, env)


def _place(loop: Scan, value: Operand) -> int:
    """The place of a value among the results of a loop."""
    return next(k for k, out in enumerate(loop.outs) if out is value)


def _is_room(statement: Statement | None) -> bool:
    """Whether a statement makes a new list."""
    return isinstance(statement, Apply) and statement.op.name in _ROOM


class _Scope:
    """A block in loops: its operations, and the operands of its parameters outside.

    The arrays of a place are read in terms of the outermost block that has them.
    """

    def __init__(self, block: Block, outer: _Scope | None, loop: Scan | None) -> None:
        self.block, self.outer, self.loop = block, outer, loop
        self.read = block.times_read
        self.makers: dict[Operand, Statement] = {
            out: s for s in block.body for out in s.outs
        }
        self.handed: dict[Operand, Operand] = {}
        if loop is not None:
            self.handed.update(zip(loop.read_params, loop.reads, strict=True))

    def found(self, operand: Operand) -> tuple[Operand, _Scope]:
        """The operand in the outermost block that has it, and that block."""
        scope = self
        while scope.outer is not None and operand in scope.handed:
            operand, scope = scope.handed[operand], scope.outer
        return operand, scope

    def element(self, value: Operand) -> tuple[Operand, tuple[Operand, ...]] | None:
        """The array and the indices that a value is read at; None if a trip makes or
        changes the array.
        """
        match self.makers.get(value):
            case Apply(op=op, args=(array, *index)) if op.name == "get":
                places = tuple(self.found(place)[0] for place in index)
                source, scope = self.found(array)
                made = scope.makers.get(source)
                if isinstance(made, Scan) and _may_copy(made):  # a row, copied before
                    inner = _filled(made, _place(made, source), scope)
                    if inner is not None:
                        return inner[0], (*inner[1], *places)
                return None if scope.outer is not None else (source, places)
        return None

    def is_length(self, number: Operand, array: Operand, axis: int) -> bool:
        """Whether a number is the length of an array along an axis."""
        dim = array.type.dims[axis]
        found, scope = self.found(number)
        if isinstance(found, Literal):
            return found.value == dim
        match scope.makers.get(found):
            case Apply(op=op, args=(of, *row)) if op.name == "size":
                return dim != ANY and of.type.dims[len(row)] == dim
        return False


def _source(loop: Scan, k: int, scope: _Scope) -> Operand | None:
    """The array that the trips of a loop copy into a carry, place by place."""
    found = _filled(loop, k, scope)
    return None if found is None or found[1] else found[0]


def _filled(
    loop: Scan, k: int, scope: _Scope
) -> tuple[Operand, tuple[Operand, ...]] | None:
    """The array that fills a carry of a loop place by place, and the row at which it
    begins, if it is a matrix.
    """
    inner = _Scope(loop.body, scope, loop)
    loops, indices = [(loop, scope)], [loop.body.params[0]]
    param, result = loop.body.params[1 + k], loop.body.results[k]
    while True:
        made = inner.makers.get(result)
        if inner.read[param] != 1 or inner.read[result] != 1:
            return None
        if not isinstance(made, Scan) or not _may_copy(made):
            break
        at = _place(made, result)
        if made.carries[at] is not param:
            return None
        loops.append((made, inner))
        param, result = made.body.params[1 + at], made.body.results[at]
        inner = _Scope(made.body, inner, made)
        indices.append(made.body.params[0])
    found = _by_element(param, result, indices, inner)
    if found is not None:
        return found if _are_all(found[0], 0, loops) else None
    match made:
        case Apply(op=op, args=(target, value, *index)) if op.name == "set":
            places = [inner.found(place)[0] for place in index]
            element = inner.element(value)
            if target is not param or places != indices or element is None:
                return None
            array, read = element
            start = len(read) - len(indices)
            if start < 0 or list(read[start:]) != indices:
                return None
            if len(array.type.dims) == len(read) and _are_all(array, start, loops):
                return array, read[:start]
    return None


def _are_all(array: Operand, start: int, loops: Sequence[tuple[Scan, _Scope]]) -> bool:
    """Whether loops go over all of an array, from an axis on."""
    return all(
        outer.is_length(each.stop, array, start + axis)
        for axis, (each, outer) in enumerate(loops)
    )


def _by_element(
    param: Operand, result: Operand, indices: Sequence[Operand], scope: _Scope
) -> tuple[Operand, tuple[Operand, ...]] | None:
    """The array whose row a trip copies element by element, all of them in order."""
    width = param.type.dims[-1]
    if not isinstance(width, int):
        return None
    found: set[Operand] = set()
    value = result
    for place in range(width):
        where = [*indices, Literal(width - 1 - place)]
        made = scope.makers.get(value)
        if not isinstance(made, Apply) or made.op.name != "set":
            return None
        target, item, *index = made.args
        element = scope.element(item)
        if [scope.found(i)[0] for i in index] != where or element is None:
            return None
        if list(element[1]) != where or scope.read[target] != 1:
            return None
        found.add(element[0])
        value = target
    if len(found) != 1 or value is not param:
        return None
    (array,) = found
    return (array, ()) if array.type.dims[-1] == width else None
