"""Products multiplied out to cubes: with u = x * y and v = u / z, v is x * y / z."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from math import frexp

from ad_transform.dataclass import dataclass
from ad_transform.derive.factoring.cubes import (
    Cube,
    Definition,
    exact,
    over,
    times,
    whole,
)
from ad_transform.derive.factoring.twins import Body, deed
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import number_of
from ad_transform.ir.elemental import Form
from ad_transform.ir.laws.signs import is_nonzero
from ad_transform.ir.monomial import Monomial, cancels
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var
from ad_transform.ir.types import FLOAT, INT

LONGEST = 24
"""Products of more factors are not multiplied out further."""


@dataclass(slots=True)
class Products:
    """Values as cubes: products of atoms. An atom is a value that is no product.

    `loose` values are to be made anew, from `given` ones; `wanted` are those that
    statements which stay need. With `apart` a quotient stays whole where something
    would cancel by it (`missed` says that there is one); without `unit` nothing is
    divided by itself (`cancelled` says that something was). In code that is `choosing`
    nothing is, either, and x is no sqrt(x) * sqrt(x).
    """

    builder: Builder
    sacred: set[Operand]
    squares: dict[Operand, Var]
    choosing: bool  # see `chooses`
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
        """Read a statement; returns whether its value is to be made anew."""
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
        """Make a product in which everything cancels a number."""
        out, named = statement.out, any(isinstance(a, Literal) for a in statement.args)
        if named or out in self.sacred:
            return False
        self.values[out] = value
        self.loose[out] = statement
        return True

    def _product(self, statement: Apply) -> Cube | None:
        name = statement.op.name
        if name in ("add", "sub"):
            return None
        match name:
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
            case "sqrt" if not self.choosing:
                self._take_root(statement)
        return None

    def _take_root(self, statement: Apply) -> None:
        root, square = self.value(statement.out), self.value(statement.args[0])
        self.roots.append((root.power(-1), square))

    def _multiplied(self, x: Cube, y: Cube) -> Cube | None:
        """x * y, where q / sqrt(q) is sqrt(q), but q / q is not 1 if q may be 0."""
        c, d = x.constant, y.constant
        if c != 1.0 and d != 1.0 and not exact(c, d):
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
        """Whether nothing that may be 0 is divided by itself in x * y."""
        mine, atoms = dict(x.powers), list(self.atoms)
        may = self.unit and not self.choosing
        safe = may and all(
            is_nonzero(self.builder, atoms[atom])
            for atom, exponent in y.powers
            if mine.get(atom) == -exponent
        )
        self.cancelled = self.cancelled or safe
        return safe

    def by_roots(self) -> bool:
        """Want `v / x` for `y / v` where v is sqrt(x * y), known not to be 0, if that
        takes fewer operations; returns whether there is such a quotient.

        Then x is not 0 either. Elsewhere x * y may have lost all digits, and `v / x`
        would be 0 where `y / v` raises.
        """
        changed = {m: n for m in self.wanted if (n := self._by_root(m)) is not None}
        if changed:
            self.wanted = {changed.get(m, m): None for m in self.wanted}
            for operand in self.loose:
                value = self.values[operand]
                self.values[operand] = new = changed.get(value, value)
                if new is not value and value in self.names:
                    self.names.setdefault(new, self.names[value])
        return bool(changed)

    def _by_root(self, m: Cube) -> Cube | None:
        best = None
        for inverse, square in self.roots:
            if len(square.powers) < 2 or abs(frexp(square.constant)[0]) != 0.5:
                continue
            if whole(m, inverse) is None or not self._is_nonzero(inverse):
                continue
            found = over(over(m, square), inverse.power(2))
            if found.operations < (best or m).operations:
                best = found
        return best

    def _is_nonzero(self, m: Cube) -> bool:
        atoms = list(self.atoms)
        return all(is_nonzero(self.builder, atoms[atom]) for atom, _ in m.powers)

    def before(self, reference: Body, body: Body) -> dict[Cube, Definition]:
        """The definitions of products in the code behind the body, or in the body.

        Statements of both that do the same to the same are the same.
        """
        found: dict[Cube, Definition] = {}
        cubes: dict[Operand, Cube] = {}
        made: dict[object, tuple[Var, ...]] = {}
        for s in body:
            if self.loose.keys().isdisjoint(s.outs):
                made.setdefault(deed(s, map(self.value, s.inputs)), s.outs)

        def cube(operand: Operand) -> Cube | None:
            if isinstance(operand, Literal) or operand in self.values:
                return self.value(operand)
            return cubes.get(operand)

        for s in (*reference, *self.loose.values()):
            args = tuple(c for a in s.inputs if (c := cube(a)) is not None)
            if len(args) < len(s.inputs):
                continue
            if isinstance(s, Apply) and s.op.name in _JOINED and _is_real(s):
                own = self.values.get(s.out) or _JOINED[s.op.name](*args)
                cubes[s.out] = own
                found.setdefault(own, Definition(own, s.op.name, args))
            else:
                outs = made.get(deed(s, args), ())
                cubes.update(zip(s.outs, map(self.value, outs), strict=False))
        return found

    def want(self, operands: Iterable[Operand]) -> None:
        """Note that statements need the values of these operands."""
        loose, values, wanted = self.loose, self.values, self.wanted
        for operand in operands:
            if operand in loose:
                value = values[operand]
                if value.powers:
                    wanted[value] = None

    def _apart(self, x: Cube, y: Cube) -> tuple[Cube, Cube] | None:
        """x and y with a divisor of x taken as a whole, if then nothing cancels.

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
        """The monomial of a quotient that becomes an atom.

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
        if type(operand) is Literal and operand.type in (FLOAT, INT):
            number = number_of(operand)
            if _plain(number):
                return Monomial(number)
        known = self.values.get(operand)
        if known is None:
            root = self.squares.get(operand, operand)
            atom = self.atoms.setdefault(root, len(self.atoms))
            exponent = 1 if root is operand else 2
            known = self.values[operand] = _made(Monomial, (1.0, ((atom, exponent),)))
            self.given[known] = operand
        return known


def chooses(body: Body) -> bool:
    """Whether one of two values is taken element by element: a divisor of one may be 0
    or NaN where the other is taken.
    """
    return "where" in {s.op.name for s in body if type(s) is Apply}


_made = tuple.__new__  # half the time of calling the class

_JOINED: dict[str, Callable[..., Cube]] = {
    "mul": times,
    "div": over,
    "neg": lambda m: m.signed(-1),
}


def _is_real(statement: Apply) -> bool:
    """Whether it makes a float of floats; a product with an int must remain one."""
    if not statement.out.type.is_real:
        return False
    for operand in statement.args:
        if type(operand) is Var and not operand.type.is_real:
            return False
    return True


def _plain(constant: float) -> bool:
    """Whether a constant and its inverse are harmless factors."""
    return 1e-99 < constant < 1e99 or -1e99 < constant < -1e-99
