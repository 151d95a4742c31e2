"""Differences that sums use through products and quotients.

A step of Newton's iteration, `y - (g - x) / h`, needs no digit of `g - x` if `g / h` is
small beside the sum. Such a difference is beyond the sum, which is compared with its
terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ad_transform.dataclass import dataclass
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Operand, Statement

_SUMS = frozenset({Form.SUM, Form.DIFFERENCE})

_LEADING = _SUMS | {Form.QUOTIENT, Form.PRODUCT, Form.NEGATION}

_HOPS = 3
"""Products and quotients between a sum and a difference beyond it."""

_NESTED = 3
"""Sums within sums in which differences beyond them are searched for."""

Made = Mapping[Operand, Statement]


@dataclass(frozen=True, slots=True)
class Beyond:
    """A difference beyond a sum: `g - x` in `y - (g - x) / h`.

    used      the term of the sum
    form      whether it is a sum or a difference, but for signs
    terms     those of the difference: `g` and `x`
    factors   the factors of the difference in that term
    divisors  the divisors: `h`
    """

    used: Operand
    form: Form
    terms: tuple[Operand, ...]
    factors: tuple[Operand, ...]
    divisors: tuple[Operand, ...]

    @property
    def needed(self) -> tuple[Operand, ...]:
        """The values that need their digits all the same."""
        return (*self.terms, *self.factors, *self.divisors)

    def over(self, env: Mapping[Operand, Operand]) -> Beyond:
        """It, with values of `env` in the place of its own."""
        own = (self.terms, self.factors, self.divisors)
        terms, factors, divisors = (tuple(env.get(a, a) for a in each) for each in own)
        used = env.get(self.used, self.used)
        return Beyond(used, self.form, terms, factors, divisors)


def beyond(statement: Statement, made: Made, depth: int = 0) -> list[Beyond]:
    """The differences beyond a sum, and beyond the sums in it; `made` are the
    statements by their values.
    """
    if not (isinstance(statement, Apply) and statement.op.form in _SUMS):
        return []
    found: list[Beyond] = []
    for term in statement.args:
        through = _through(term, made)
        if through is not None:
            found.append(through)
        elif term in made and depth < _NESTED:
            found += beyond(made[term], made, depth + 1)
    return found


def _through(used: Operand, made: Made) -> Beyond | None:
    """The difference behind a term of a sum, if there are only products, quotients and
    signs between, and one at least.
    """
    factors: list[Operand] = []
    divisors: list[Operand] = []
    operand = used
    for hop in range(_HOPS + 1):
        maker = made.get(operand)
        if not isinstance(maker, Apply):
            return None
        match maker.op.form:
            case Form.SUM | Form.DIFFERENCE if hop and maker.out.type.is_real:
                form, terms = maker.op.form, maker.args
                return Beyond(used, form, terms, tuple(factors), tuple(divisors))
            case Form.QUOTIENT:
                operand, by = maker.args
                divisors.append(by)
            case Form.NEGATION:
                (operand,) = maker.args
            case Form.PRODUCT if maker.args[0] is not maker.args[1]:
                operand, by = _product(maker, made)
                factors.append(by)
            case _:
                return None
    return None


def _product(maker: Apply, made: Made) -> tuple[Operand, Operand]:
    """The factor of a product that leads to a difference, and the other one."""
    x, y = maker.args
    first = made.get(x)
    if isinstance(first, Apply) and first.op.form in _LEADING:
        return x, y
    return y, x


def made_in(body: Iterable[Statement]) -> Made:
    """The statements of a body by their values."""
    return {out: statement for statement in body for out in statement.outs}
