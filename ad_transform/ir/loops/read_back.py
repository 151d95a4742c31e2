"""A value that is still in a list is read from the list and not recorded as well.

`y[i + 1] = y[i] + h * sin(y[i])` in a loop and `cos(y[i])` on the way back need one
list, y: no later trip stores anything in the places of this one. So does `y[i] =
tanh(x[i])` with `1.0 - y[i] * y[i]`. Places that arms count from the indices of the
loops are counted again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.loops.affine import AffineForm, AffineForms, written
from ad_transform.ir.loops.in_arrays import (
    Choice,
    Element,
    Number,
    Record,
    There,
    record_of,
)
from ad_transform.ir.loops.meeting import Meeting
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.types import BOOL, INT, Kind

Table = Mapping[str, Elemental]


def read_back(function: Function, table: Table) -> Function:
    """The function without such records. Linear, times the records of loops. `table`
    has the operations.
    """
    if not any(isinstance(s, Scan) and s.entries for s in function.nested):
        return function
    consumption = Consumption()
    return each_block(
        function, lambda block: _changed(block, consumption, table), leaves=False
    )


def _changed(block: Block, consumption: Consumption, table: Table) -> Block:
    if not any(map(_may_be_there, [block.body[k] for k in block.holders])):
        return block
    body = list(block.body)
    last = {operand: k for k, s in enumerate(body) for operand in s.inputs}
    last.update(dict.fromkeys(block.results, len(body)))
    forms: AffineForms | None = None
    for place, loop in enumerate(body):
        if not _may_be_there(loop):
            continue
        forms = forms or AffineForms(block.body, {})
        meeting = Meeting(loop, forms, consumption)
        for stack, record in zip(loop.stacks, loop.records, strict=True):
            behind = body[place + 1 : last.get(stack, place) + 1]
            if not behind or last[stack] == len(body):
                continue
            found = record_of(loop, record, meeting)
            if found is None or found.kinds() != {stack.type.kind}:
                continue  # a whole number among floats is one of them in the array
            if not consumption.by_all(behind).isdisjoint(found.arrays()):
                continue
            reading = _Reading(found, table)
            made = [reading.of(s, stack, forms) for s in behind]
            if any(stack in s.inputs for s in made):
                continue
            body[place + 1 : place + 1 + len(made)] = made
    return with_body(block, body)


def _may_be_there(loop: Statement) -> TypeGuard[Scan]:
    """Whether a loop records whole numbers, or carries arrays beside any record."""
    if not isinstance(loop, Scan):
        return False
    return loop.snapshots is None and bool(
        loop.stacks
        and (
            any(carry.type.dims for carry in loop.carries)
            or any(stack.type.kind == Kind.INT for stack in loop.stacks)
        )
    )


class _Reading:
    """Loops that read arrays in place of the entries of a stack."""

    def __init__(self, record: Record, table: Table) -> None:
        self._record = record
        self._table = table
        self._arrays = record.arrays()
        self._values = record.values()

    def of(self, statement: Statement, stack: Var, forms: AffineForms) -> Statement:
        """A statement that reads the arrays; the same statement where it cannot."""
        if stack not in statement.inputs:
            return statement
        made = self._over(statement, stack, forms, 0, {})
        return statement if made is None else made

    def _over(
        self,
        loop: Statement,
        stack: Var,
        forms: AffineForms,
        level: int,
        names: Mapping[Var, Var],
    ) -> Scan | None:
        """A loop over the entries of a stack that so many loops around it, and this
        one, go over; `names` are the names of arrays and whole numbers in its block.
        """
        record = self._record
        if not isinstance(loop, Scan) or loop.snapshots is not None:
            return None
        bounds = tuple(map(forms.of, (loop.start, loop.stop, loop.step)))
        if bounds != record.ranges[level] or stack in (*loop.carries, *loop.reads):
            return None
        handing = _Handing(loop)
        around = {v: names.get(v, v) for v in (*self._arrays, *self._values)}
        inner = {
            v: handing.value(outer, self._arrays.get(v, ""))
            for v, outer in around.items()
            if v not in record.indices[level:]
        }
        inner[record.indices[level]] = loop.body.params[0]
        gone = handing.without(stack)
        if any(p.type.kind != stack.type.kind for p in gone):
            return None
        if loop.stacks and not handing.entries:  # its trips would be those of others
            return None
        index: dict[Operand, AffineForm] = {
            loop.body.params[0]: {record.indices[level]: 1}
        }
        own = forms.within(loop.body, handing.read(), index, lambda: Var(INT))
        given = loop.body.results
        if level + 1 == len(record.indices):
            body: list[Statement] | None = list(loop.body.body)
            for param in gone:
                assert body is not None
                body = (
                    None if param in given else self._in_arms(body, param, own, inner)
                )
                if body is None:
                    break
            if body is not None:
                return handing.loop(body, given)
            if not _decides(record.there, loop.body, own):
                return None
            builder = Builder(self._table, {})  # the trip may know the indices
            read: list[Statement] = []
            env: dict[Operand, Operand] = {}
            rest = list(loop.body.body)
            for param in gone:
                statements, env[param] = self._read(param, record.there, inner)
                for statement in statements:
                    read.append(_named(statement.over(env), rest, env))
            ends = tuple(env.get(result, result) for result in given)
            results = builder.absorb((*read, *(s.over(env) for s in rest)), ends)
            return handing.loop(builder.body, results)
        made = list(loop.body.body)
        for param in gone:
            for place, statement in enumerate(made):
                if param in statement.inputs:
                    changed = self._over(statement, param, own, level + 1, inner)
                    if changed is None:
                        return None
                    made[place] = changed
        return None if any(p in given for p in gone) else handing.loop(made, given)

    def _in_arms(
        self,
        body: Sequence[Statement],
        param: Var,
        forms: AffineForms,
        names: Mapping[Var, Var],
    ) -> list[Statement] | None:
        """The statements with a choice read in the arms of branches on its relation;
        None where there is no such branch, or another statement needs the choice.
        """
        there = self._record.there
        if not isinstance(there, Choice):
            return None
        made: list[Statement] = []
        for statement in body:
            if param not in statement.inputs:
                made.append(statement)
                continue
            same = (there.relation, there.sides)
            if not isinstance(statement, Branch) or statement.test is param:
                return None
            if forms.relation(statement.test) != same:
                return None
            made.append(self._in_both(statement, param, there, names))
        return made

    def _in_both(
        self, branch: Branch, param: Var, there: Choice, names: Mapping[Var, Var]
    ) -> Branch:
        """A branch that is not handed a value: each arm reads it in its own way."""
        kept = [k for k, arg in enumerate(branch.args) if arg is not param]
        own = (*self._arrays, *self._values)
        arms: list[Block] = []
        for block, part in zip(branch.blocks, there.arms, strict=True):
            more = tuple(another(names[v], {}) for v in own)
            inner = dict(zip(own, more, strict=True))
            body: list[Statement] = []
            env: dict[Operand, Operand] = {}
            for k, value in enumerate(block.params):
                if branch.args[k] is param:
                    read, env[value] = self._read(value, part, inner)
                    body += read
            params = (*(block.params[k] for k in kept), *more)
            body += (statement.over(env) for statement in block.body)
            results = tuple(env.get(result, result) for result in block.results)
            arms.append(Block(params, tuple(body), results))
        args = (*(branch.args[k] for k in kept), *(names[v] for v in own))
        return Branch(branch.outs, branch.test, args, *arms)

    def _read(
        self, out: Var, there: There, names: Mapping[Var, Var]
    ) -> tuple[list[Statement], Operand]:
        """The statements that read a value, and that value: `out`, or a whole number
        that need not be read.
        """
        made: list[Statement] = []

        def write(form: AffineForm) -> Operand:
            statements, value = written(form, names, self._table)
            made.extend(statements)
            return value

        match there:
            case Literal():
                return made, there
            case Number(form=form):
                return made, write(form)
            case Element(array=array, index=index):
                places = tuple(map(write, index))
                read = Apply(out, self._table["get"], (names[array], *places))
                return [*made, read], out
        sides = tuple(map(write, there.sides))
        test = Apply(Var(BOOL), self._table[there.relation], sides)
        own = (*self._arrays, *self._values)
        args = tuple(names[v] for v in own)
        arms: list[Block] = []
        for arm in there.arms:
            params = tuple(another(arg, {}) for arg in args)
            inner = dict(zip(own, params, strict=True))
            body, value = self._read(another(out, {}), arm, inner)
            arms.append(Block(params, tuple(body), (value,)))
        return [*made, test, Branch((out,), test.out, args, *arms)], out


def _named(
    read: Statement, rest: list[Statement], env: dict[Operand, Operand]
) -> Statement:
    """A statement that reads an element; that of the `rest` that reads the same into a
    name, without which the rest goes on, if there is one.
    """
    for place, other in enumerate(rest):
        if not isinstance(other, Apply) or not isinstance(read, Apply):
            continue
        if other.op is read.op and other.args == read.args and other.out.hint:
            env[read.out] = other.out
            return rest.pop(place)
    return read


def _decides(there: There, block: Block, forms: AffineForms) -> bool:
    """Whether a block has a branch on the same relation, which can take in the reads:
    one branch more would take longer than to record the value.
    """
    if not isinstance(there, Choice):
        return True
    same = (there.relation, there.sides)
    return all(_decides(arm, block, forms) for arm in there.arms) and any(
        isinstance(s, Branch) and forms.relation(s.test) == same for s in block.body
    )


class _Handing:
    """A loop that reads more, and goes over less."""

    def __init__(self, loop: Scan) -> None:
        self._loop = loop
        self.reads = list(loop.reads)
        self.entries = list(loop.entries)
        self.params = list(loop.body.params)

    def value(self, outer: Var, hint: str = "") -> Var:
        """The parameter that a value from outside is handed in by."""
        first = self._loop.first_read
        if outer not in self.reads:
            param = Var(outer.type, hint or outer.hint)
            self.params.insert(first + len(self.reads), param)
            self.reads.append(outer)
        return self.params[first + self.reads.index(outer)]

    def read(self) -> Iterator[tuple[Var, Operand]]:
        """The parameters of the values that it reads, with these values."""
        first = self._loop.first_read
        return zip(self.params[first:], self.reads, strict=False)

    def without(self, stack: Var) -> list[Var]:
        """Go over a stack no more; gives the parameters of its entries."""
        first = self._loop.first_read + len(self.reads)
        places = [k for k, entry in enumerate(self.entries) if entry is stack]
        gone = [self.params[first + k] for k in places]
        self.entries = [entry for entry in self.entries if entry is not stack]
        self.params = [p for p in self.params if p not in gone]
        return gone

    def loop(self, body: Sequence[Statement], results: Sequence[Operand]) -> Scan:
        """The loop with another body."""
        block = Block(tuple(self.params), tuple(body), tuple(results))
        reads, entries = tuple(self.reads), tuple(self.entries)
        return replace(self._loop, reads=reads, entries=entries, body=block)
