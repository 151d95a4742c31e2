"""Sharing among products: derivative code with fewer multiplications and divisions.

First every product, quotient and negation of derivative code is multiplied out to a
monomial: with `u = x * y` and `v = u / z` that is `v = x * y / z`. Then the monomials
that sums, functions and results need are built again with few operations, from each
other and from products of the primal, which stay as they are (`cover`, or `pairs` where
there are very many). A value becomes a divisor only if it was one before, so no new
division by zero arises. A square root counts as a factor whose square is known:
`1 / sqrt(q) * q` is `sqrt(q)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import frexp

from ad_transform.derive.factoring.cover import Ways, cover, quotients
from ad_transform.derive.factoring.cubes import (
    Cube,
    Definition,
    exact,
    over,
    times,
    whole,
)
from ad_transform.derive.factoring.pairs import by_pairs
from ad_transform.derive.factoring.rewrite import Rewriter
from ad_transform.ir.blocks import live, needed
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import Constant, number_of
from ad_transform.ir.elemental import Form
from ad_transform.ir.laws.signs import is_nonzero
from ad_transform.ir.monomial import Monomial, cancels
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var
from ad_transform.ir.types import FLOAT, INT

Body = tuple[Statement, ...]
Results = tuple[Operand, ...]

LONGEST = 24
"""Products of more factors are not multiplied out further."""

_PRODUCTS = frozenset({Form.PRODUCT, Form.QUOTIENT, Form.NEGATION, Form.POWER})


def extracted(
    builder: Builder, body: Body, results: Results, primal: int, ways: Ways
) -> Iterator[tuple[Body, Results]]:
    """The body and results with products made anew; not always cheaper.

    What the first `primal` results need stays as it is. `ways` are those of `cover`.
    Where it matters, it is done several times: with all quotients multiplied out, with
    and without 1 for what is divided by itself, and without those quotients by which
    something would cancel.
    """
    sacred, squares = needed(body, results[:primal]), _squares(body)
    readers = [_Reader(builder, sacred, squares, apart=False)]
    for reader in readers:
        for statement in body:
            if not reader.read(statement):
                reader.want(statement.inputs)
        reader.want(results)
        yield _rewritten(builder, body, results, reader, ways)
        if reader.missed:
            again = _Reader(builder, sacred, squares, apart=True, unit=reader.unit)
            readers.append(again)
        if reader.cancelled and not reader.apart:
            readers.append(_Reader(builder, sacred, squares, apart=False, unit=False))


def _rewritten(
    builder: Builder, body: Body, results: Results, reader: _Reader, ways: Ways
) -> tuple[Body, Results]:
    """The body and results with all that is wanted made of what is given."""
    definitions = _definitions(builder, reader, ways)
    if definitions is None:
        return body, results
    made = {d.made: d for d in definitions}
    kept = [s for s in body if reader.loose.keys().isdisjoint(s.outs)]
    makers: dict[Operand, Statement] = {out: s for s in kept for out in s.outs}
    writer = Rewriter(
        builder.inner(),
        reader.loose,
        reader.values,
        reader.given,
        reader.names,
        made,
        makers,
    )
    for statement in kept:
        writer.write(statement)
    for result in results:
        if result in reader.loose:
            writer.write(reader.values[result])
    ends = tuple(writer.operand(r) for r in results)
    return live(tuple(writer.fresh.body), ends), ends


def _definitions(
    builder: Builder, reader: _Reader, ways: Ways
) -> list[Definition] | None:
    """What makes all that is wanted; orders that ask for the same get the same."""
    key = (ways, *map(_key, reader.given), None, *map(_key, reader.wanted))
    if key not in builder.memory:
        definitions = cover(reader.given, reader.wanted, ways)
        if definitions is None and ways is quotients:
            definitions = by_pairs(reader.given, reader.wanted)
        builder.memory[key] = definitions
    found: list[Definition] | None = builder.memory[key]
    return found


def _key(m: Cube) -> object:
    constant = m.constant
    return (m, constant.formula) if isinstance(constant, Constant) else m


@dataclass(slots=True)
class _Reader:
    """The monomials of values; `loose` values are to be made anew."""

    builder: Builder
    sacred: set[Operand]
    squares: dict[Operand, Var]
    apart: bool
    unit: bool = True  # whether x / x is 1 where x is not 0
    missed: bool = False
    cancelled: bool = False
    values: dict[Operand, Cube] = field(default_factory=dict)
    atoms: dict[Operand, int] = field(default_factory=dict)
    given: dict[Cube, Operand] = field(default_factory=dict)
    loose: dict[Operand, Apply] = field(default_factory=dict)
    names: dict[Cube, Var] = field(default_factory=dict)
    wanted: dict[Cube, None] = field(default_factory=dict)
    quotients: dict[Cube, Var] = field(default_factory=dict)
    roots: list[tuple[Cube, Cube]] = field(default_factory=list)

    def read(self, statement: Statement) -> bool:
        """Take a statement in; whether it is to be made anew."""
        if not isinstance(statement, Apply) or not _is_real(statement):
            return False
        value = self._product(statement)
        if value is None or value.operations > LONGEST:
            return False
        if not _plain(value.constant):
            return False
        out = statement.out
        if not value.powers:
            return self._take_number(statement, value)
        self.values[out] = value
        if statement.op.name == "div" and any(e > 0 for _, e in value.powers):
            self.quotients.setdefault(value, out)
        if out in self.sacred:
            self.given.setdefault(value, out)
            return False
        self.loose[out] = statement
        known = self.names.get(value)
        if known is None or (out.named, bool(out.hint)) > (
            known.named,
            bool(known.hint),
        ):
            self.names[value] = out
        return True

    def _take_number(self, statement: Apply, value: Cube) -> bool:
        """A product in which everything cancels is a number from now on."""
        out, named = statement.out, any(isinstance(a, Literal) for a in statement.args)
        if named or out in self.sacred:
            return False
        self.values[out] = value
        self.loose[out] = statement
        return True

    def _product(self, statement: Apply) -> Cube | None:
        match statement.op.name:
            case "mul":
                x, y = statement.args
                return self._multiplied(self.value(x), self.value(y))
            case "div":
                x, y = statement.args
                below = self.value(y)
                if abs(frexp(below.constant)[0]) == 0.5:  # 1 / constant is exact
                    return self._multiplied(self.value(x), below.power(-1))
            case "neg":
                return self.value(statement.args[0]).signed(-1)
            case _ if statement.op.form is Form.POWER and statement.out in self.sacred:
                x, y = statement.args
                if isinstance(x, Var) and isinstance(y, Literal) and y.value in (2, 3):
                    return self.value(x).power(int(y.value))
            case "sqrt":
                self._take_root(statement)
        return None

    def _take_root(self, statement: Apply) -> None:
        root, square = self.value(statement.out), self.value(statement.args[0])
        self.roots.append((root.power(-1), square))

    def _multiplied(self, x: Cube, y: Cube) -> Cube | None:
        """x * y, where q / sqrt(q) is sqrt(q), but q / q is not 1 if q may be 0."""
        if not exact(x.constant, y.constant):
            return None
        if cancels(x, y) and not self._cancels_safely(x, y):
            found = self._apart(x, y) or self._apart(y, x)
            if found is None:
                return None
            x, y = found
        m = times(x, y)
        for inverse, square in self.roots:
            if whole(m, inverse) and (rest := whole(m, square)):
                m = over(rest, inverse.power(2))
        return m

    def _cancels_safely(self, x: Cube, y: Cube) -> bool:
        """Whether nothing is divided by itself in x * y that may be 0."""
        mine, atoms = dict(x.powers), list(self.atoms)
        safe = self.unit and all(
            is_nonzero(self.builder, atoms[atom])
            for atom, exponent in y.powers
            if mine.get(atom) == -exponent
        )
        self.cancelled = self.cancelled or safe
        return safe

    def want(self, operands: Iterable[Operand]) -> None:
        """The values of these are needed as they are."""
        for operand in operands:
            if operand in self.loose and self.values[operand].powers:
                self.wanted[self.values[operand]] = None

    def _apart(self, x: Cube, y: Cube) -> tuple[Cube, Cube] | None:
        """The same with a divisor of x taken whole, if then nothing cancels.

        With q = a / b, a product with 1 / q and 1 / b is one by q * b. Only quotients
        that are there anyway are taken.
        """
        for value, quotient in self.quotients.items():
            if value not in self.wanted and value not in self.given:
                continue
            rest = whole(x, value.power(-1))
            if rest is None or cancels(rest, y):
                continue
            if not self.apart:
                self.missed = True
                return None
            taken = over(rest, self._whole(quotient))
            if not cancels(taken, y):
                return taken, y
        return None

    def _whole(self, quotient: Var) -> Cube:
        """The monomial of a quotient that is an atom from now on.

        It and the products that it is made of stay as they are.
        """
        atom = self.atoms.setdefault(quotient, len(self.atoms))
        itself = Monomial(1.0, ((atom, 1),))
        self.given[itself] = quotient
        stack: list[Operand] = [quotient]
        while stack:
            operand = stack.pop()
            statement = self.loose.pop(operand, None)
            if statement is not None:
                self.given.setdefault(self.values[operand], operand)
                stack += statement.args
        return itself

    def value(self, operand: Operand) -> Cube:
        """The monomial of an operand; an atom if it is nothing else."""
        if isinstance(operand, Literal) and operand.type in (FLOAT, INT):
            number = number_of(operand)
            if _plain(number):
                return Monomial(number)
        known = self.values.get(operand)
        if known is None:
            root = self.squares.get(operand, operand)
            atom = self.atoms.setdefault(root, len(self.atoms))
            exponent = 1 if root is operand else 2
            known = self.values[operand] = Monomial(1.0, ((atom, exponent),))
            self.given[known] = operand
        return known


def _squares(body: Body) -> dict[Operand, Var]:
    """The square roots of inputs, sums and the like, by what they are the root of."""
    products = {s.out for s in body if isinstance(s, Apply) and s.op.form in _PRODUCTS}
    return {
        s.args[0]: s.out
        for s in reversed(body)
        if isinstance(s, Apply) and s.op.name == "sqrt" and s.args[0] not in products
    }


def _is_real(statement: Apply) -> bool:
    """Whether it makes a float of floats; a product with an int must remain one."""
    operands = (*statement.args, statement.out)
    return all(isinstance(o, Literal) or o.type.is_real for o in operands)


def _plain(constant: float) -> bool:
    """Whether a constant and its inverse can be multiplied without a second thought."""
    return 1e-99 < abs(constant) < 1e99
