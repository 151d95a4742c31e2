"""Slopes of powers that are there are quotients: `x**(y - 1)` is `x**y / x`.

The slope of `x**y` is `y * (x**(y - 1) if x != 0 or y != 0 else 0)`, and code that is
differentiated once more needs it so. In finished code a power that is there, or a
product that has it, is divided by x: for `p = a * x**y` the slope is

    y * (p / x if x != 0 or y < 1 and y != 0 else a if y == 1 else 0)

That is the same at x = 0: for y > 1 the slope is 0, for y = 1 it is a, and for y < 1 it
raises. A product of the slope with x and y is that of the power with y: at x = 0 the
limit is taken for a slope that would raise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations

from ad_transform.dataclass import dataclass
from ad_transform.ir.arms.guarded_powers import Slope, slope_of
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.types import BOOL, FLOAT

FACTORS = 5
"""Factors of a slope that are looked at."""

ATOMS = 12
"""Factors up to which a product is multiplied out."""

Table = Mapping[str, Elemental]
Cube = frozenset[tuple[Operand, int]]
"""The factors of a product, with their powers."""


def lower_powers(function: Function, table: Table) -> Function:
    """The function with quotients for slopes of powers, where that is fewer operations.

    Linear in the statements of each block.
    """
    return each_block(function, lambda b: _changed(b, table), leaves=False)


def _changed(block: Block, table: Table) -> Block:
    if Branch not in block.kinds:
        return block
    makers: dict[Operand, Statement] = {out: s for s in block.body for out in s.outs}
    slopes = [
        (place, slope)
        for place, statement in enumerate(block.body)
        if type(statement) is Branch
        and (slope := slope_of(statement, makers)) is not None
    ]
    if not slopes:
        return block
    search = _Search(block, table)
    for place, slope in reversed(slopes):  # those of slopes first
        search.look_at(place, slope)
    return with_body(block, search.written())


@dataclass(frozen=True, slots=True)
class _Chain:
    """The product that a slope goes into: its factors, and its statements."""

    factors: tuple[Operand, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """A slope times some factors as `above / below`, and the factors that are left.

    `limit` is what the factors inside make, where the exponent is 1.
    """

    saved: int
    above: Operand
    below: Operand | None
    limit: tuple[Operand, ...]
    rest: tuple[Operand, ...]


class _Search:
    """The quotients of a block."""

    def __init__(self, block: Block, table: Table) -> None:
        self._table = table
        self._body = block.body
        self._places: dict[Operand, int] = {}
        self._readers: dict[Operand, list[int]] = {}
        for place, statement in enumerate(block.body):
            for out in statement.outs:
                self._places[out] = place
            for value in statement.inputs:
                self._readers.setdefault(value, []).append(place)
        self._uses = Counter(
            chain(chain.from_iterable(s.inputs for s in block.body), block.results)
        )
        self._cubes: dict[Operand, Cube] = {}
        self._with: dict[Operand, list[Operand]] = {}  # products by a factor
        self._by_cube: dict[Cube, list[Operand]] = {}
        for statement in block.body:
            if type(statement) is Apply and statement.out.type == FLOAT:
                self._enter(statement)
        self._gone: set[int] = set()
        self._made: dict[int, list[Statement]] = {}

    def _enter(self, statement: Apply) -> None:
        cube = self._cubes[statement.out] = self._cube(statement)
        self._by_cube.setdefault(cube, []).append(statement.out)
        if statement.op.name in ("mul", "div"):
            for atom, power in cube:
                if power == 1:
                    self._with.setdefault(atom, []).append(statement.out)

    def _cube(self, statement: Apply) -> Cube:
        if statement.op.name in ("mul", "div"):
            x, y = map(self._cube_of, statement.args)
            made = _times(x, y, 1 if statement.op.name == "mul" else -1)
            if len(made) <= ATOMS:
                return made
        return frozenset(((statement.out, 1),))

    def _cube_of(self, value: Operand) -> Cube:
        return self._cubes.get(value) or frozenset(((value, 1),))

    def look_at(self, place: int, slope: Slope) -> None:
        """Make a slope a quotient if that is fewer operations."""
        power = self._power(place, slope)
        if power is None:
            return
        product = self._chain(slope.out)
        root = product.places[-1] if product.places else place
        ways = self._ways(slope, power, product.factors, root)
        best = max(ways, key=lambda way: way.saved, default=None)
        if best is None or best.saved <= 0:
            return
        self._gone.update((place, *product.places))
        (out,) = self._body[root].outs
        self._made[root] = self._statements(slope, best, out)
        values = (best.above, best.below, *best.limit, slope.exponent)
        self._uses.update(value for value in values if value is not None)

    def _power(self, place: int, slope: Slope) -> Operand | None:
        """The power whose slope it is, if it is there."""
        for reader in self._readers.get(slope.base, ()):
            statement = self._body[reader]
            if reader >= place or reader in self._gone:
                continue
            if (
                type(statement) is Apply
                and statement.op.form is Form.POWER
                and statement.args == (slope.base, slope.exponent)
                and statement.out.type == FLOAT
            ):
                return statement.out
        return None

    def _chain(self, value: Operand) -> _Chain:
        """The product above a value that nothing else uses."""
        factors: list[Operand] = []
        places: list[int] = []
        while self._uses[value] == 1 and len(factors) < FACTORS:
            readers = self._readers.get(value)
            if readers is None or readers[0] in self._gone:
                break
            statement = self._body[readers[0]]
            if type(statement) is not Apply or statement.op.name != "mul":
                break
            x, y = statement.args
            factors.append(y if x is value else x)
            places.append(readers[0])
            value = statement.out
        return _Chain(tuple(factors), tuple(places))

    # --- ways ----------------------------------------------------------------------

    def _ways(
        self, slope: Slope, power: Operand, factors: tuple[Operand, ...], root: int
    ) -> Iterator[_Way]:
        """The ways to make a slope times factors in front of a place."""
        own, base = frozenset(((power, 1),)), self._cube_of(slope.base)
        cost = slope.cost + len(factors)
        for above in (power, *self._with.get(power, ())):
            if not self._is_there(above, root):
                continue
            beside = _times(self._cube_of(above), own, -1)
            for inside in _subsets(len(factors)):
                some = [factors[k] for k in inside]
                below = _times(beside, base, 1)
                for factor in some:
                    below = _times(below, self._cube_of(factor), -1)
                divisor = self._divisor(below, base, slope.base, root)
                if divisor is None and below:
                    continue
                rest = tuple(f for k, f in enumerate(factors) if k not in inside)
                limit = self._limit(some, root) if divisor is not None else ()
                now = (divisor is not None) + max(0, len(limit) - 1) + len(rest)
                yield _Way(cost - now, above, divisor, limit, rest)

    def _divisor(self, cube: Cube, base: Cube, x: Operand, root: int) -> Operand | None:
        """A value that is not 0 where the base is not, by its factors."""
        if cube == base:
            return x
        powers = dict(base)
        if not cube or any(not 0 < n <= powers.get(a, 0) for a, n in cube):
            return None
        return self._find(cube, root)

    def _limit(self, factors: Sequence[Operand], root: int) -> tuple[Operand, ...]:
        """A value that is the product of factors, or these."""
        if len(factors) < 2:
            return tuple(factors)
        cube: Cube = frozenset()
        for factor in factors:
            cube = _times(cube, self._cube_of(factor), 1)
        found = self._find(cube, root)
        return tuple(factors) if found is None else (found,)

    def _find(self, cube: Cube, root: int) -> Operand | None:
        """The value with some factors in front of a place."""
        if len(cube) == 1:
            ((atom, n),) = cube
            if n == 1:
                return atom
        for value in self._by_cube.get(cube, ()):
            if self._is_there(value, root):
                return value
        return None

    def _is_there(self, value: Operand, root: int) -> bool:
        place = self._places.get(value, -1)
        return place < root and place not in self._gone

    # --- code ----------------------------------------------------------------------

    def _statements(self, slope: Slope, way: _Way, out: Var) -> list[Statement]:
        """The statements of a way; the last one makes `out`."""
        made: list[Statement] = []
        value = way.above
        last = Var(FLOAT) if way.rest else out
        if way.below is not None:
            made += self._quotient(slope, way, last)
            value = last
        elif slope.exponent not in way.rest:
            made.append(_or_zero(slope, way, last))
            value = last
        for k, factor in enumerate(way.rest, 1):
            last = out if k == len(way.rest) else Var(FLOAT)
            made.append(Apply(last, self._table["mul"], (factor, value)))
            value = last
        return made

    def _quotient(self, slope: Slope, way: _Way, out: Var) -> Iterator[Statement]:
        assert way.below is not None
        y = slope.exponent
        test = Var(BOOL)
        yield Branch((test,), slope.nonzero, (y,), _given(True), self._below_one())
        args = tuple(
            dict.fromkeys(
                v for v in (way.above, way.below, *way.limit, y) if type(v) is Var
            )
        )
        params = tuple(Var(v.type, v.hint) for v in args)
        env: dict[Operand, Operand] = dict(zip(args, params, strict=True))
        above, below = env.get(way.above, way.above), env.get(way.below, way.below)
        ratio = Var(FLOAT)
        then = Block(
            params, (Apply(ratio, self._table["div"], (above, below)),), (ratio,)
        )
        yield Branch((out,), test, args, then, self._at_zero(slope, way, args))

    def _below_one(self) -> Block:
        """The block of `y < 1 and y != 0`."""
        y, less, found = Var(FLOAT), Var(BOOL), Var(BOOL)
        inner, other = Var(FLOAT), Var(BOOL)
        test = Apply(other, self._table["ne"], (inner, Literal(0)))
        then = Block((inner,), (test,), (other,))
        none = Block((Var(FLOAT),), (), (Literal(False),))
        body = (
            Apply(less, self._table["lt"], (y, Literal(1.0))),
            Branch((found,), less, (y,), then, none),
        )
        return Block((y,), body, (found,))

    def _at_zero(self, slope: Slope, way: _Way, args: tuple[Var, ...]) -> Block:
        """The block of `limit if y == 1 else 0`."""
        params = tuple(Var(v.type, v.hint) for v in args)
        env: dict[Operand, Operand] = dict(zip(args, params, strict=True))
        y = env.get(slope.exponent, slope.exponent)
        limit = tuple(env.get(v, v) for v in way.limit)
        test, out = Var(BOOL), Var(FLOAT)
        inside = tuple(dict.fromkeys(v for v in limit if type(v) is Var))
        own = tuple(Var(v.type, v.hint) for v in inside)
        given: dict[Operand, Operand] = dict(zip(inside, own, strict=True))
        then = self._product(own, [given.get(v, v) for v in limit])
        none = Block(tuple(Var(v.type) for v in inside), (), (Literal(0.0),))
        body = (
            Apply(test, self._table["eq"], (y, Literal(1.0))),
            Branch((out,), test, inside, then, none),
        )
        return Block(params, body, (out,))

    def _product(self, params: tuple[Var, ...], factors: list[Operand]) -> Block:
        body: list[Statement] = []
        value = factors[0] if factors else Literal(1.0)
        for factor in factors[1:]:
            out = Var(FLOAT)
            body.append(Apply(out, self._table["mul"], (value, factor)))
            value = out
        return Block(params, tuple(body), (value,))

    def written(self) -> Sequence[Statement]:
        """The statements of the block."""
        if not self._made:
            return self._body
        found: list[Statement] = []
        for place, statement in enumerate(self._body):
            if place in self._made:
                found += self._made[place]
            elif place not in self._gone:
                found.append(statement)
        return found


def _or_zero(slope: Slope, way: _Way, out: Var) -> Statement:
    """A power, or 0 where base and exponent are 0."""
    args = (way.above,)
    inside = Var(FLOAT)
    none = Block((Var(FLOAT),), (), (Literal(0.0),))
    return Branch((out,), slope.test, args, Block((inside,), (), (inside,)), none)


def _given(value: bool) -> Block:
    return Block((Var(FLOAT),), (), (Literal(value),))


def _times(x: Cube, y: Cube, sign: int) -> Cube:
    """The product of a cube and a power of another one."""
    powers = dict(x)
    for atom, n in y:
        powers[atom] = powers.get(atom, 0) + sign * n
    return frozenset((atom, n) for atom, n in powers.items() if n)


def _subsets(count: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(count), k) for k in range(count + 1))
