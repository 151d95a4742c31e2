"""Programs without arrays: loops of known trips trip by trip, elements as numbers.

The program is run on names in the place of numbers. Whole numbers that are known, such
as indices, are computed here. An array is a Python list of operands, on which the
structural operations do what their rows say. Both arms of a
branch that only a run decides are gone through, and give the elements that they change.

In part, arrays whose length or indices only a run knows stay arrays, and long loops
stay loops: a state of two numbers beside a list of measurements is two numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import copied
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Function,
    Literal,
    Nest,
    Operand,
    Parameter,
    Statement,
    Var,
    group,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Kind, Type
from ad_transform.ir.typing import DECLARED, result_type
from ad_transform.ir.written.written_arrays import ELEMENTS, MAKERS, OPERATIONS, bounded
from ad_transform.ir.written.written_blocks import RULES
from ad_transform.ir.written.written_values import (
    Elements,
    Unwritten,
    Value,
    is_array,
    leaves,
    like,
    made_of,
)
from ad_transform.ir.written.written_wholes import applied

STATEMENTS = 50_000
"""A program that would become longer is not written out, unless it is said how long."""


def has_arrays(function: Function) -> bool:
    """Whether an array is given or returned."""
    values = (*function.block.params, *function.results)
    return any(value.type.is_array for value in values)


def written_out(
    function: Function,
    table: Mapping[str, Elemental],
    most: int = STATEMENTS,
    largest: int = 0,
) -> Function:
    """The function over the elements of its arrays.

    Raises Unwritten for lengths and indices that only a run knows, for arithmetic on
    whole arrays of more than `largest` elements, for functions that are not looked
    into, and where more than `most` statements are gone through. Linear in these.
    """
    return _written(function, Writer(table, Allowance(most), set(), largest))


def written_in_part(
    function: Function, table: Mapping[str, Elemental], most: int
) -> Function | None:
    """The function over the elements of those arrays whose length and indices are
    known; None where there is none. Others stay arrays: one after the other is found.

    Raises Unwritten for functions that are not looked into, whole arrays, and where
    more than `most` statements are gone through. Linear in these, times the arrays that
    stay.
    """
    stay: set[Var] = set()
    while True:
        part = Part(stay)
        try:
            made = _written(function, Writer(table, Allowance(most), set(), 0, part))
        except Unwritten as unwritten:
            if unwritten.array is None or unwritten.array in stay:
                raise
            stay.add(unwritten.array)
        else:
            return made if part.known else None


def _written(function: Function, writer: Writer) -> Function:
    parameters = [_taken_apart(one, writer) for one in function.parameters]
    values = [value for _, own in parameters for value in own]
    params = tuple(v for value in values for v in leaves(value))
    writer.allowance.take(len(params))  # each becomes a name
    ends = [writer.renamed(e) for e in bounce(writer.run(function.block, values))]
    nest = _nested(function.nest, iter(ends))
    primal = sum(1 for end in ends[: function.primal] for _ in leaves(end))
    block = writer.block(params, leaves(ends))
    made = tuple(parameter for parameter, _ in parameters)
    return replace(function, parameters=made, block=block, nest=nest, primal=primal)


# --- the outside --------------------------------------------------------------------


def _taken_apart(parameter: Parameter, writer: Writer) -> tuple[Parameter, list[Value]]:
    """A parameter over elements, and the values that it carries."""
    if not writer.largest and any(var.type.shape for var in parameter.vars):
        raise Unwritten("whole arrays")
    values = [
        var
        if writer.part is not None and writer.part.takes(var)
        else _elements(var, var.type.lengths, var.hint)
        for var in parameter.vars
    ]
    nest = _nested(parameter.nest, iter(values))
    found = tuple(leaf for value in values for leaf in leaves(value))
    return replace(parameter, vars=found, nest=nest), values


def _elements(var: Var, dims: Sequence[Any], name: str) -> Value:
    """The elements of an array: x_0, x_1, ... or A_0_0, A_0_1, ..."""
    if not dims:
        return replace(var, type=Type(var.type.kind), hint=name)
    if not isinstance(dims[0], int):
        raise Unwritten(f"an array of length {dims[0]}")
    bounded(dims[0])
    items = [_elements(var, dims[1:], f"{name}_{k}") for k in range(dims[0])]
    return Elements(items, var)


def _nested(nest: Nest, values: Iterator[Value]) -> Nest:
    """The nest with an item for each element of an array."""
    if nest.is_leaf:
        next(values)
        return nest
    if nest.items == (LEAF,):
        value = next(values)
        return _rows(nest, value) if isinstance(value, list) else nest
    return replace(nest, items=tuple(_nested(item, values) for item in nest.items))


def _rows(nest: Nest, value: Value) -> Nest:
    if not isinstance(value, list):
        return LEAF
    assert nest.container is not None
    return group(tuple(_rows(nest, item) for item in value), nest.container)


# --- statements ---------------------------------------------------------------------


class Allowance:
    """The statements that may be gone through, all blocks and trips together."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def take(self, number: int = 1) -> None:
        """Count so many statements; raises Unwritten if that is too many."""
        self.left -= number
        if self.left < 0:
            raise Unwritten(f"more than {self.most} statements")


class Part:
    """A part of a program that is written out: all arrays but those that are to `stay`,
    and those whose length only a run knows. `known` are arrays that are elements.
    """

    LONG = 16
    """Trips up to which a loop is written out."""

    def __init__(self, stay: Set[Var]) -> None:
        self.stay = stay
        self.known: set[Var] = set()

    def takes(self, array: Var) -> bool:
        """Whether an array that is given or made stays one."""
        dims = array.type.dims
        if not dims:
            return False
        is_known = all(isinstance(n, int) and 0 < n <= ELEMENTS for n in dims)
        if is_known and array not in self.stay:
            self.known.add(array)
            return False
        return True


class Writer:
    """A program while it is written out, all of it or a part."""

    def __init__(
        self,
        table: Mapping[str, Elemental],
        allowance: Allowance,
        noted: set[Var],
        largest: int,
        part: Part | None = None,
    ) -> None:
        self.table = table
        self.part = part
        self.largest = largest
        self.allowance = allowance
        self.noted = noted  # values whose comments stand somewhere
        self.elements: dict[Operand, Var] = {}  # values that elements are, by name
        self.body: list[Statement] = []

    def inside(self) -> Writer:
        """A writer for an inner block."""
        return Writer(self.table, self.allowance, self.noted, self.largest, self.part)

    def run(self, block: Block, values: Sequence[Value]) -> Task[list[Value]]:
        """The results of a block."""
        env: dict[Operand, Value] = dict(zip(block.params, values, strict=True))
        for statement in block.body:
            if isinstance(statement, Apply):
                self.allowance.take(0 if _is_whole(statement) else 1)
                args = [env.get(a, a) for a in statement.args]
                env[statement.out] = self._applied(statement, args)
                continue
            self.allowance.take()
            rule = RULES.get(type(statement))
            outs = None
            if rule is not None:
                outs = yield rule(self, statement, env)
            if outs is None:
                outs = self._kept(statement, env)
            env.update(zip(statement.outs, outs, strict=True))
        return [env.get(result, result) for result in block.results]

    def block(self, params: Iterable[Var], results: Iterable[Operand]) -> Block:
        """The written statements as a block, with `renamed` results. Values without
        names, parameters too, take the names of the elements that they are.
        """
        body = (
            s.rebuilt(
                tuple(self.elements.get(out, out) for out in s.outs),
                tuple(self.elements.get(value, value) for value in s.inputs),
                s.blocks,
            )
            for s in self.body
        )
        given = (self.elements.get(param, param) for param in params)
        return Block(tuple(given), tuple(body), tuple(results))

    def renamed(self, value: Value) -> Value:
        """A value over operands of `block`."""
        return like(value, (self.elements.get(v, v) for v in leaves(value)))

    def element(self, value: Value, name: str, of: Var | None = None) -> None:
        """Let a value be an element of an array, under its name if it has no other. The
        notes of the array stand at its first element.
        """
        if isinstance(value, Var) and not value.hint and value not in self.elements:
            notes = (*value.notes, *(self._notes(of) if of else ()))
            self.elements[value] = replace(value, hint=name, notes=notes)

    def add(self, out: Var, name: str, op: str, *args: Operand) -> Var:
        """The value of an operation in the place of another, under a name."""
        own = replace(self._anew(out), hint=name)
        self.body.append(Apply(own, self.table[op], args))
        return own

    def _anew(self, out: Var) -> Var:
        """A new variable for a number, with the hint and notes of another."""
        return replace(out, type=Type(out.type.kind), notes=self._notes(out))

    def _notes(self, out: Var) -> tuple[str, ...]:
        """The comments of a value, which stand at the first number for it."""
        notes = () if out in self.noted else out.notes
        self.noted.add(out)
        return notes

    def _applied(self, statement: Apply, args: list[Value]) -> Value:
        op, out = statement.op, statement.out
        if _is_whole(statement):
            if not self.largest:
                raise Unwritten("whole arrays")
            return applied(self, statement, args)
        if self.part is not None and self._stays(statement, args, self.part):
            return self._on_arrays(statement, args)
        rule = OPERATIONS.get(op.name)
        if rule is not None:
            return rule(self, statement, args)
        if op.layout is not None:
            raise Unwritten(f"{op.name!r} of an array", made_of(*args))
        is_known = out.type.kind in (Kind.INT, Kind.BOOL)
        if is_known and all(isinstance(a, Literal) for a in args):
            return Literal(op.compute(*(a.value for a in args)))
        own = self._anew(out)
        self.body.append(Apply(own, op, tuple(args)))
        return own

    def _stays(self, statement: Apply, args: Sequence[Value], part: Part) -> bool:
        """Whether an operation is one on arrays that stay, or makes such a one."""
        if any(map(is_array, args)):
            return True
        return statement.op.name in MAKERS and part.takes(statement.out)

    def _on_arrays(self, statement: Apply, args: Sequence[Value]) -> Var:
        """An operation on arrays that stay."""
        if any(isinstance(arg, list) for arg in args):
            raise Unwritten("elements in an array", made_of(*args))
        op, out = statement.op, statement.out
        if is_array(out):
            declares = op.result == DECLARED
            own = replace(out, type=out.type if declares else result_type(op, args))
        else:
            own = self._anew(out)
        self.body.append(Apply(own, op, tuple(args)))
        return own

    def _kept(
        self, statement: Statement, env: Mapping[Operand, Value]
    ) -> Sequence[Value]:
        """The values of a statement that stays as it is, if it has no arrays."""
        given = [env.get(o, o) for o in statement.inputs]
        if any(isinstance(v, list) for v in given):
            raise Unwritten("elements in what stays as it is", made_of(*given))
        if self.part is None and any(out.type.dims for out in statement.outs):
            raise Unwritten("what only a run knows the trips of")
        made = copied(statement, dict(env))
        self.body.append(made)
        return made.outs


def _is_whole(statement: Apply) -> bool:
    """Whether it is of whole arrays, of which each number counts as a statement."""
    return any(value.type.shape for value in (statement.out, *statement.args))
