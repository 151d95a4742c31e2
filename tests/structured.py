"""A generator of structured programs of the IR, shared by all property tests.

Branches, scans and whiles in each other to a small depth, with records that later loops
go over, constants where values could be, and results, carries, records and arguments
that nobody reads. Every value is bounded and every loop short; a test never compares
what is equal at a generic point, so at `point` every program is differentiable, and the
way it takes is the same nearby.

    @given(programs())
    def test_something(function): ...

    function = program(random.Random(7)); evaluate(function, point(function, 7))
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Branch,
    Container,
    Function,
    Literal,
    Operand,
    Parameter,
    Scan,
    Statement,
    Var,
    While,
    group,
)
from ad_transform.ir.types import BOOL, FLOAT, INT, Kind, Type
from ad_transform.ir.typing import result_type

TRIPS = 4
"""Most trips of a loop."""

LENGTH = 4
"""Elements of an array."""

_UNARY = ("sin", "cos", "tanh", "atan", "neg")
_BINARY = ("add", "sub", "mul")
_BOUNDED = ("sin", "cos", "tanh", "atan")


@dataclass(frozen=True)
class Sizes:
    """Statements of a block, depth of nesting, parameters, results, arrays."""

    statements: int = 6
    depth: int = 2
    parameters: int = 3
    results: int = 3
    arrays: int = 0


def programs(arrays: int = 0) -> st.SearchStrategy[Function]:
    """Structured programs for `hypothesis`, which shrinks their sizes; those with
    arrays read, write, copy and hand on up to so many.
    """
    sizes = st.builds(
        Sizes,
        statements=st.integers(1, 6),
        depth=st.integers(0, 2),
        parameters=st.integers(1, 3),
        results=st.integers(1, 3),
        arrays=st.integers(min(arrays, 1), arrays),
    )
    seeds = st.integers(0, 1 << 32)
    return st.builds(
        lambda size, seed: program(random.Random(seed), size), sizes, seeds
    )


def program(rng: random.Random, sizes: Sizes | None = None) -> Function:
    """One program; `random.Random(seed)` gives the same one each time."""
    return _Writer(rng, sizes or Sizes()).function()


def point(function: Function, seed: int = 0) -> tuple[Any, ...]:
    """Arguments for a program, generic ones for its floats."""
    rng = random.Random(seed)
    values: dict[Kind, Callable[[], Any]] = {
        Kind.FLOAT: lambda: rng.choice((-1.0, 1.0)) * rng.uniform(0.1, 1.9),
        Kind.INT: lambda: rng.randrange(TRIPS + 1),
        Kind.BOOL: lambda: rng.random() < 0.5,
    }
    return tuple(
        (
            [values[p.type.kind]() for _ in range(LENGTH)]
            if p.type.dims
            else values[p.type.kind]()
        )
        for p in function.block.params
    )


_Ends = tuple[Operand, Operand, Operand]
"""The range of a loop."""


ARRAY = Type(Kind.FLOAT, ("n_elements",))


@dataclass
class _Body:
    """A block under construction, and the values that can be read in it."""

    depth: int
    floats: list[Operand] = field(default_factory=list)
    ints: list[Operand] = field(default_factory=list)
    bools: list[Operand] = field(default_factory=list)
    stacks: list[tuple[_Ends, list[Var]]] = field(default_factory=list)
    arrays: list[Var] = field(default_factory=list)  # that may still be changed
    statements: list[Statement] = field(default_factory=list)

    def enter(self, values: Sequence[Var]) -> None:
        """Let values be read."""
        pools = {FLOAT: self.floats, INT: self.ints, BOOL: self.bools}
        for value in values:
            if value.type in pools:
                pools[value.type].append(value)
            elif value.type == ARRAY:
                self.arrays.append(value)

    def apply(self, op: str, *args: Operand) -> Var:
        row = TABLE[op]
        out = Var(result_type(row, args))
        self.statements.append(Apply(out, row, args))
        self.enter((out,))
        return out


class _Writer:
    def __init__(self, rng: random.Random, sizes: Sizes) -> None:
        self.rng = rng
        self.sizes = sizes
        self.loops = 0
        self.kinds = (self.unary, self.binary, self.branch, self.scan, self.loop)
        if sizes.arrays:
            simple = (self.read, self.write, self.write, self.copy)
            self.kinds = (*self.kinds, *simple, self.sweep, self.choose)

    def function(self) -> Function:
        count = self.rng.randint(1, self.sizes.parameters)
        params = [Var(FLOAT, f"x{k}", named=True) for k in range(count)]
        params += [Var(INT, "n", named=True), Var(BOOL, "t", named=True)]
        params += [Var(ARRAY, f"a{k}", named=True) for k in range(self.sizes.arrays)]
        block = self.block(params, [FLOAT] * self.rng.randint(1, self.sizes.results))
        block = self.mixed(block)
        parameters = tuple(map(_parameter, block.params))
        results = len(block.results)
        nest = LEAF if results == 1 else group((LEAF,) * results)
        return Function("f", parameters, block, nest, primal=results)

    def mixed(self, block: Block) -> Block:
        """The block with results that depend on more than one value."""
        body = _Body(0, statements=list(block.body))
        body.enter([*block.params, *(o for s in block.body for o in s.outs)])
        results = [body.apply("add", r, self.value(body)) for r in block.results]
        return Block(block.params, tuple(body.statements), tuple(results))

    # --- blocks -------------------------------------------------------------------

    def block(
        self,
        params: Sequence[Var],
        results: Sequence[Type],
        depth: int = 0,
        bounded: bool = False,
        first: Callable[[_Body], None] | None = None,
    ) -> Block:
        """A block with some statements; with `bounded`, no result grows."""
        body = _Body(depth)
        body.enter(params)
        if first is not None:
            first(body)
        for _ in range(self.rng.randint(1, max(1, self.sizes.statements >> depth))):
            self.statement(body)
        given = [self.value(body, t) for t in results]
        if bounded:
            given = [self.small(body, g) if g.type == FLOAT else g for g in given]
        return Block(tuple(params), tuple(body.statements), tuple(given))

    def statement(self, body: _Body) -> None:
        kinds = self.kinds if body.depth < self.sizes.depth else self.kinds[:2]
        self.rng.choice(kinds)(body)
        if body.depth == self.sizes.depth and body.arrays and self.rng.random() < 0.5:
            self.rng.choice((self.read, self.write))(body)
        if body.stacks and self.rng.random() < 0.7:
            self.replay(body)

    def value(self, body: _Body, type_: Type = FLOAT) -> Operand:
        """Some value of a type, late ones and constants among them."""
        pool = {FLOAT: body.floats, INT: body.ints, BOOL: body.bools}[type_]
        if pool and self.rng.random() < 0.85:
            return self.rng.choice(pool[-5:])
        constants: dict[Type, Sequence[Any]] = {
            FLOAT: (0.0, 1.0, -1.0, 0.5, 1.7),
            INT: (0, 1, 2),
            BOOL: (True, False),
        }
        return Literal(self.rng.choice(constants[type_]))

    def small(self, body: _Body, value: Operand) -> Operand:
        """A value of at most 2, made of another."""
        if isinstance(value, Literal):
            return value
        return body.apply(self.rng.choice(_BOUNDED), value)

    def values(self, body: _Body, types: Sequence[Type]) -> tuple[Operand, ...]:
        return tuple(self.value(body, t) for t in types)

    def some(self, types: Sequence[Type], least: int = 0, most: int = 3) -> list[Type]:
        count = self.rng.randint(least, most)
        return [self.rng.choice(types) for _ in range(count)]

    # --- statements ---------------------------------------------------------------

    def unary(self, body: _Body) -> None:
        body.apply(self.rng.choice(_UNARY), self.value(body))

    def binary(self, body: _Body) -> None:
        args = self.value(body), self.value(body)
        if self.rng.random() < 0.15:  # a quotient that is defined everywhere
            square = body.apply("mul", args[1], args[1])
            body.apply("div", args[0], body.apply("add", Literal(1.5), square))
        else:
            body.apply(self.rng.choice(_BINARY), *args)

    def test(self, body: _Body) -> Operand:
        if body.bools and self.rng.random() < 0.3:
            return self.rng.choice(body.bools)
        # odd enough not to be met
        limit = Literal(round(self.rng.uniform(-1.0, 1.0), 6) + 1.23e-7)
        return body.apply(self.rng.choice(("lt", "gt")), self.value(body), limit)

    def branch(self, body: _Body) -> None:
        test = self.test(body)
        args = self.values(body, self.some((FLOAT, FLOAT, FLOAT, INT, BOOL), 1, 4))
        types = self.some((FLOAT, FLOAT, FLOAT, INT, BOOL), 1)
        arms = [
            self.block([Var(a.type) for a in args], types, body.depth + 1)
            for _ in range(2)
        ]
        outs = tuple(map(Var, types))
        body.statements.append(Branch(outs, test, args, arms[0], arms[1]))
        body.enter(outs)

    # --- arrays -------------------------------------------------------------------

    def index(self) -> Literal:
        return Literal(self.rng.randrange(-LENGTH, LENGTH))

    def read(self, body: _Body) -> None:
        if body.arrays:
            body.apply("get", self.rng.choice(body.arrays), self.index())

    def taken(self, body: _Body) -> Var:
        """An array that nobody reads any more."""
        return body.arrays.pop(self.rng.randrange(len(body.arrays)))

    def write(self, body: _Body) -> None:
        if body.arrays:
            value, op = self.value(body), self.rng.choice(("set", "add_at", "sub_at"))
            body.apply(op, self.taken(body), self.small(body, value), self.index())

    def copy(self, body: _Body) -> None:
        if body.arrays:
            body.apply("copy", self.rng.choice(body.arrays))

    def sweep(self, body: _Body) -> None:
        """A loop over an array that it changes, reading a neighbour."""
        if not body.arrays:
            return
        array = self.taken(body)
        stop = body.apply("size", array)
        i, inside, carry = Var(INT), Var(ARRAY), Var(FLOAT)
        inner = _Body(self.sizes.depth)
        inner.enter((carry,))
        here = inner.apply("sub", i, Literal(self.rng.randint(0, 1)))
        inner.apply("get", inside, here)
        self.statement(inner)
        value = self.small(inner, inner.floats[-1])
        last = inner.apply(self.rng.choice(("set", "add_at")), inside, value, i)
        given = (last, self.small(inner, self.value(inner)))
        block = Block((i, inside, carry), tuple(inner.statements), given)
        outs = Var(ARRAY), Var(FLOAT)
        ends = (Literal(0), stop, Literal(1))
        args = ((array, self.value(body)), (), ())
        way = self.rng.random() < 0.3
        body.statements.append(Scan(outs, *ends, *args, block, way))
        body.enter(outs)

    def choose(self, body: _Body) -> None:
        """A branch that changes an array in one way or another."""
        if not body.arrays:
            return
        test, array, value = self.test(body), self.taken(body), self.value(body)
        arms: list[Block] = []
        for _ in range(2):
            params = (Var(ARRAY), Var(FLOAT))
            inner = _Body(self.sizes.depth)
            inner.enter(params)
            for _ in range(self.rng.randint(0, 2)):
                self.rng.choice((self.read, self.write, self.copy))(inner)
            ends = (inner.arrays[-1], self.value(inner))
            arms.append(Block(params, tuple(inner.statements), ends))
        outs = Var(ARRAY), Var(FLOAT)
        args = (array, value)
        body.statements.append(Branch(outs, test, args, arms[0], arms[1]))
        body.enter(outs)

    # --- loops --------------------------------------------------------------------

    def trips(self) -> str:
        self.loops += 1
        return f"k{self.loops}"

    def stack(self, records: Sequence[Type]) -> tuple[Var, ...]:
        """Stacks of one loop."""
        trips = self.trips()
        return tuple(Var(Type(r.kind, (trips, *r.dims))) for r in records)

    def scan(self, body: _Body) -> None:
        carried = self.some((FLOAT, FLOAT, INT))
        carried = [t if t == FLOAT else BOOL for t in carried]
        reads = self.some((FLOAT, FLOAT, INT, BOOL))
        records = self.some((FLOAT, FLOAT, INT))
        start, stop = Literal(0), self.value(body, INT)
        if isinstance(stop, Var) and body.depth:
            stop = Literal(self.rng.randint(0, TRIPS))  # an inner n may be anything
        step = Literal(1)
        if self.rng.random() < 0.2:
            start, stop, step = (
                Literal(5),
                Literal(self.rng.randint(-1, 6)),
                Literal(-2),
            )
        backwards = self.rng.random() < 0.3
        args = (self.values(body, carried), self.values(body, reads))
        params = [Var(INT), *map(Var, carried), *map(Var, reads)]
        inner = self.block(params, [*carried, *records], body.depth + 1, bounded=True)
        stacks = self.stack(records)
        outs = (*map(Var, carried), *stacks)
        if not outs:
            return
        ends = (start, stop, step)
        loop = Scan(outs, *ends, *args, (), inner, backwards)
        body.statements.append(loop)
        body.enter(outs)
        if stacks:
            body.stacks.append((ends, list(stacks)))

    def loop(self, body: _Body) -> None:
        carried = [INT, *self.some((FLOAT,), 1)]
        reads = self.some((FLOAT, FLOAT, BOOL))
        records = self.some((FLOAT, FLOAT, INT))
        starts = (Literal(0), *self.values(body, carried[1:]))
        args = (starts, self.values(body, reads))
        types = [*carried, *reads]

        def counted(inner: _Body) -> None:
            inner.apply("add", inner.ints[0], Literal(1))

        made = self.block(
            [*map(Var, types)], [*carried[1:], *records], body.depth + 1, True, counted
        )
        (count, *_), results = (s.outs[0] for s in made.body), made.results
        inner = Block(made.params, made.body, (count, *results))
        stacks = self.stack(records)
        outs = (*map(Var, carried), *stacks, Var(INT))
        body.statements.append(While(outs, *args, self.goes_on(types), inner))
        body.enter(outs)
        if stacks:
            body.stacks.append(((Literal(0), outs[-1], Literal(1)), list(stacks)))

    def goes_on(self, types: Sequence[Type]) -> Block:
        """At most so many trips, and fewer if a value says so."""
        params = tuple(map(Var, types))
        body = _Body(self.sizes.depth)
        few = body.apply("lt", params[0], Literal(self.rng.randint(0, TRIPS)))
        if self.rng.random() < 0.3:
            return Block(params, tuple(body.statements), (few,))
        limit = Literal(round(self.rng.uniform(-1.5, 1.5), 6) + 1.23e-7)
        op = self.rng.choice(("lt", "gt"))
        inside, test, out = Var(FLOAT), Var(BOOL), Var(BOOL)
        asked = Apply(test, TABLE[op], (inside, limit))
        arms = Block((inside,), (asked,), (test,)), Block((Var(FLOAT),), (), (_FALSE,))
        body.statements.append(Branch((out,), few, (params[1],), *arms))
        return Block(params, tuple(body.statements), (out,))

    def replay(self, body: _Body) -> None:
        """A loop over what another one has recorded."""
        ends, stacks = body.stacks.pop()
        carried = [FLOAT] * self.rng.randint(0, 2)
        records = self.some((FLOAT,), most=2)
        types = [INT, *carried, *(Type(s.type.kind) for s in stacks)]
        block = self.block([*map(Var, types)], [*carried, *records], 9, bounded=True)
        made = tuple(Var(Type(FLOAT.kind, stacks[0].type.dims)) for _ in records)
        outs = (*map(Var, carried), *made)
        if not outs:
            return
        given = (self.values(body, carried), (), tuple(stacks))
        backwards = self.rng.random() < 0.7
        body.statements.append(Scan(outs, *ends, *given, block, backwards))
        body.enter(outs)
        if made and self.rng.random() < 0.5:
            body.stacks.append((ends, [*stacks, *made]))


_FALSE = Literal(False)


def _parameter(var: Var) -> Parameter:
    if var.type == ARRAY:
        return Parameter(var.hint, (var,), group((LEAF,), Container.ARRAY))
    return Parameter(var.hint, (var,), annotation=var.type.kind.value)
