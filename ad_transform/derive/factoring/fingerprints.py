"""Fingerprints of values: what they are by the laws of algebra, at one random point.

Values are the same polynomials and quotients of their atoms if they have the same
number modulo a large prime where each atom has a number drawn by lot, but for mischance
(Schwartz 1980, Zippel 1979). Atoms are inputs and results of functions.

The size of a value is what the absolute values of its terms add up to. Rounding costs a
few units of 2**-53 of that. So nothing cancels that did not before where a value is
made in another way of at most the same size. A sum of two values without an error loses
nothing at all: it counts as small, so that it is not multiplied out.
"""

from __future__ import annotations

from typing import NamedTuple

from ad_transform.derive.factoring.twins import Body
from ad_transform.eliminate.randomness import Random
from ad_transform.ir.constants import number_of
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.types import FLOAT, INT

PRIME = 2**61 - 1

LITTLE = 2**29 - 3
"""A prime whose remainders have products that are computed in a third of the time."""

_SMALL = 1e-3
_DIVISOR = 10.0  # a divisor may be so many times smaller than its terms
_LEAST, _MOST = 1e-150, 1e150
_SEED = 1
_POWERS = frozenset({-4, -3, -2, -1, 2, 3, 4, 5, 6, 7, 8})

OPEN = frozenset({"mul", "div", "add", "sub", "neg"})
"""Operations that are looked into."""


class Fingerprint(NamedTuple):
    """The number of a value, its size, that of its inverse, whether it is known without
    an error, and its number modulo LITTLE. Numbers that differ there differ.
    """

    number: int
    size: float
    inverse: float
    exact: bool
    little: int


class Fingerprints:
    """Fingerprints of atoms, of numbers, and of what operations make of them."""

    def __init__(self) -> None:
        self._random = Random(_SEED)
        self._drawn: dict[object, Fingerprint] = {}

    def drawn(self, key: object, exact: bool = False) -> Fingerprint:
        """The fingerprint of an atom, the same for the same key."""
        found = self._drawn.get(key)
        if found is None:
            number = 1 + self._random.below(PRIME - 1)
            size = 0.25 + self._random.below(1 << 20) / (1 << 18)
            little = 1 + number % (LITTLE - 1)
            found = Fingerprint(number, size, 1.0 / size, exact, little)
            self._drawn[key] = found
        return found

    def of_number(self, number: float) -> Fingerprint:
        """The fingerprint of a number that is not tiny or huge."""
        size = abs(number)
        if not _LEAST < size < _MOST:
            return self.drawn(("number", repr(number)), True)
        above, below = number.as_integer_ratio()
        found = above * pow(below, -1, PRIME) % PRIME
        little = above * pow(below, -1, LITTLE) % LITTLE
        return Fingerprint(found, size, 1.0 / size, True, little)

    def of_square(self, root: Fingerprint) -> Fingerprint:
        """The fingerprint of an input whose square root is there."""
        return self.of_power(root, 2)._replace(exact=True)

    def of_power(self, x: Fingerprint, n: int) -> Fingerprint:
        """The fingerprint of x ** n, n not 0."""
        size, inverse = (x.size, x.inverse) if n > 0 else (x.inverse, x.size)
        if n < 0 and not x.number:
            return self.drawn(("by 0", n))
        number, little = pow(x.number, n, PRIME), pow(x.little or 1, n, LITTLE)
        return self._within(number, size ** abs(n), inverse ** abs(n), little)

    def of(
        self, name: str, x: Fingerprint, y: Fingerprint | None = None
    ) -> Fingerprint:
        """The fingerprint of an operation."""
        if y is None and name == "is":
            return x
        if y is None:
            return x._replace(number=-x.number % PRIME, little=-x.little % LITTLE)
        if name == "mul":
            number, little = x.number * y.number % PRIME, x.little * y.little % LITTLE
            return self._within(number, x.size * y.size, x.inverse * y.inverse, little)
        if name == "div" and not y.number:
            return self.drawn(("by 0", x.number))
        if name == "div":
            number = x.number * pow(y.number, -1, PRIME) % PRIME
            little = x.little * pow(y.little or 1, -1, LITTLE) % LITTLE
            return self._within(number, x.size * y.inverse, x.inverse * y.size, little)
        sign = 1 if name == "add" else -1
        number = (x.number + sign * y.number) % PRIME
        little = (x.little + sign * y.little) % LITTLE
        own = self.drawn(("sum", min(number, PRIME - number))).size
        if x.exact and y.exact:
            own *= _SMALL
            return Fingerprint(number, own, 1.0 / own, False, little)
        size = x.size + y.size
        return Fingerprint(number, size, _DIVISOR * own / size, False, little)

    def _within(
        self, number: int, size: float, inverse: float, little: int
    ) -> Fingerprint:
        """The fingerprint, or that of an atom if its size is tiny or huge."""
        if _LEAST < size < _MOST and _LEAST < inverse < _MOST:
            return Fingerprint(number, size, inverse, False, little)
        return self.drawn(("far", number))


Key = Operand | tuple[Literal, str]
"""A value, or a number of the user with its name: equal ones differ by that."""


def key_of(operand: Operand) -> Key:
    """The key of an operand."""
    if type(operand) is Literal and operand.name:
        return operand, operand.name
    return operand


class Code:
    """Straight code with the fingerprints of its values: `open` are the statements that
    are looked into.
    """

    def __init__(self, body: Body) -> None:
        self.fingerprints = Fingerprints()
        self.prints: dict[Key, Fingerprint] = {}
        self.open: dict[Operand, Apply] = {}
        self._roots = {
            s.args[0]: s.out
            for s in body
            if type(s) is Apply and s.op.form is Form.ROOT
        }
        self._read(body)

    def _read(self, body: Body) -> None:
        prints, read, of = self.prints, self.open, self.fingerprints.of
        for s in body:
            assert type(s) is Apply
            out, name = s.out, s.op.name
            numbers = name in OPEN and out.type == FLOAT
            for a in s.args:
                if type(a) is not Var or a not in prints:
                    self.of(a)
                numbers = numbers and (a.type is FLOAT or is_number(a))
            args = [prints[a] if type(a) is Var else self.of(a) for a in s.args]
            if numbers:
                read[out] = s
                prints[out] = of(name, *args)
            else:
                prints[out] = self._of_other(s, args)

    def of(self, operand: Operand) -> Fingerprint:
        """The fingerprint of an operand."""
        key = key_of(operand)
        if key not in self.prints:
            self.prints[key] = self._of_leaf(operand)
        return self.prints[key]

    def _of_leaf(self, operand: Operand) -> Fingerprint:
        draw = self.fingerprints.drawn
        if type(operand) is Literal:
            if operand.type in (FLOAT, INT):
                number = number_of(operand)
                if type(number) is float:  # a constant of the user keeps its name
                    return self.fingerprints.of_number(number)
            return draw((operand.type, repr(operand), operand.name), True)
        root = self._roots.get(operand)
        if root is None:
            return draw(operand, True)
        return self.fingerprints.of_square(draw(root))

    def _of_other(self, statement: Apply, args: list[Fingerprint]) -> Fingerprint:
        op, draw = statement.op, self.fingerprints.drawn
        first, last = statement.args[0], statement.args[-1]
        if op.linear or not is_number(statement.out):
            return draw(statement.out)
        if op.form is Form.ROOT and self._roots.get(first) is statement.out:
            return draw(statement.out)  # the root of an input, or of a value
        exponent = last.value if type(last) is Literal else None
        if op.form is Form.POWER and exponent in _POWERS and is_number(first):
            return self.fingerprints.of_power(args[0], int(exponent))
        types = tuple(a.type for a in statement.args)
        return draw((op.name, types, *[found.number for found in args]))


def is_number(operand: Operand) -> bool:
    """Whether an operand is a float, or an int that is written out."""
    own = operand.type
    return own is FLOAT or own == FLOAT or (own == INT and type(operand) is Literal)
