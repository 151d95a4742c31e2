"""Series: the coefficients of a value, and how operations make them.

Sums, products and quotients have rules of their own; of any other operation the row's
partials s give v' = s x', so v_j is the sum of i x_i s_(j-i) / j (Griewank & Walther
2008, chapter 13). A partial is a series as well, which at that point is needed up to
degree j - 1 only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Literal, Operand

ZERO, ONE = Literal(0.0), Literal(1.0)


@dataclass(eq=False, slots=True)
class Series:
    """The coefficients of a value from degree 0 on, made as they are asked for.

    Those behind the ones that are there come from `more`, or are 0 without it.
    """

    known: list[Operand]
    more: Callable[[int], Operand] | None = None

    @property
    def value(self) -> Operand:
        """The coefficient of degree 0."""
        return self.known[0]

    @property
    def is_constant(self) -> bool:
        """Whether all coefficients but the first are known to be 0."""
        return self.more is None and all(map(is_zero, self.known[1:]))

    def at(self, j: int) -> Operand:
        """The coefficient of degree j."""
        while self.more is not None and len(self.known) <= j:
            self.known.append(self.more(len(self.known)))
        return self.known[j] if j < len(self.known) else ZERO


# --- numbers ----------------------------------------------------------------------


def product(builder: Builder, x: Operand, y: Operand) -> Operand:
    """The product x * y, unless it is 0."""
    return ZERO if is_zero(x) or is_zero(y) else builder.apply("mul", x, y)


def added(builder: Builder, x: Operand, y: Operand) -> Operand:
    """The sum x + y; a term that is 0 is left out."""
    if is_zero(x) or is_zero(y):
        return y if is_zero(x) else x
    return builder.apply("add", x, y)


def difference(builder: Builder, x: Operand, y: Operand) -> Operand:
    """The difference x - y; a term that is 0 is left out."""
    return x if is_zero(y) else builder.apply("sub", x, y)


# --- operations -------------------------------------------------------------------

Rule = Callable[[Builder, Series, Sequence[Series], int], Operand]
"""The coefficient of degree j of an operation on some series."""


def _sum(builder: Builder, _: Series, args: Sequence[Series], j: int) -> Operand:
    total: Operand = ZERO
    for arg in args:
        total = added(builder, total, arg.at(j))
    return total


def _difference(builder: Builder, _: Series, args: Sequence[Series], j: int) -> Operand:
    return difference(builder, args[0].at(j), args[1].at(j))


def _negation(builder: Builder, _: Series, args: Sequence[Series], j: int) -> Operand:
    found = args[0].at(j)
    return found if is_zero(found) else builder.apply("neg", found)


def _identity(_: Builder, __: Series, args: Sequence[Series], j: int) -> Operand:
    return args[0].at(j)


def _product(builder: Builder, _: Series, args: Sequence[Series], j: int) -> Operand:
    x, y = args
    total: Operand = ZERO
    if x is not y:
        for i in range(j + 1):
            total = added(builder, total, product(builder, x.at(i), y.at(j - i)))
        return total
    for i in range((j + 1) // 2):
        total = added(builder, total, product(builder, x.at(i), x.at(j - i)))
    total = product(builder, Literal(2.0), total)
    middle = ZERO if j % 2 else product(builder, x.at(j // 2), x.at(j // 2))
    return added(builder, total, middle)


def _quotient(
    builder: Builder, made: Series, args: Sequence[Series], j: int
) -> Operand:
    x, y = args
    total: Operand = ZERO
    for i in range(j):
        total = added(builder, total, product(builder, made.at(i), y.at(j - i)))
    rest = difference(builder, x.at(j), total)
    return rest if is_zero(rest) else builder.apply("div", rest, y.at(0))


RULES: Mapping[Form, Rule] = {
    Form.SUM: _sum,
    Form.TOTAL: _sum,
    Form.DIFFERENCE: _difference,
    Form.NEGATION: _negation,
    Form.IDENTITY: _identity,
    Form.PRODUCT: _product,
    Form.QUOTIENT: _quotient,
}
"""Operations that need no partials."""


def by_partials(
    builder: Builder,
    args: Sequence[Series],
    slope: Callable[[int], Series],
    j: int,
) -> Operand:
    """The coefficient of an operation whose partial by argument k is `slope(k)`."""
    total: Operand = ZERO
    for k, arg in enumerate(args):
        for i in range(1, j + 1) if not arg.is_constant else ():
            if not is_zero(arg.at(i)):
                times = product(builder, Literal(float(i)), arg.at(i))
                term = product(builder, slope(k).at(j - i), times)
                total = added(builder, total, term)
    return total if is_zero(total) else builder.apply("div", total, Literal(float(j)))


# --- powers -----------------------------------------------------------------------


def powers(builder: Builder, x: Series, value: Operand, y: Operand) -> Series:
    """x**y with a constant y; for a whole y products, which hold at 0, too."""
    if (times := _factors(y)) > 0:
        return Series([value], multiplied(builder, x, times).at)
    made = Series([value])
    made.more = lambda j: _miller(builder, made, x, y, j)
    return made


def multiplied(builder: Builder, x: Series, n: int) -> Series:
    """x to the power of a whole number from 1 on, by squaring."""
    if n == 1:
        return x
    half = multiplied(builder, x, n // 2)
    made = _times(builder, half, half)
    return _times(builder, made, x) if n % 2 else made


def _times(builder: Builder, x: Series, y: Series) -> Series:
    made = Series([builder.apply("mul", x.value, y.value)])
    made.more = lambda j: _product(builder, made, (x, y), j)
    return made


def _miller(builder: Builder, made: Series, x: Series, y: Operand, j: int) -> Operand:
    """The coefficient of x**y, y a constant: j x_0 v_j is the sum over i of (i y - (j -
    i)) x_i v_(j-i).
    """
    total: Operand = ZERO
    for i in range(1, j + 1):
        if is_zero(x.at(i)):
            continue
        times = product(builder, Literal(float(i)), y)
        factor = difference(builder, times, Literal(float(j - i)))
        term = product(builder, product(builder, factor, x.at(i)), made.at(j - i))
        total = added(builder, total, term)
    if is_zero(total):
        return total
    whole = product(builder, Literal(float(j)), x.at(0))
    return builder.apply("div", total, whole)


def _factors(exponent: Operand) -> int:
    """The exponent if it is a whole number, else 0."""
    if not isinstance(exponent, Literal) or isinstance(exponent.value, str):
        return 0
    number = float(exponent.value)
    return int(number) if number.is_integer() else 0
