"""Differences that sums use through products and quotients.

A step of Newton's iteration, `y - (g - x) / h`, needs no digit of `g - x` if `g / h` is
small beside the sum. Such a difference is beyond the sum, which is compared with its
terms, here `g / h`. In an exponent, `exp(e * (u - w))`, they are compared with 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.rounding.operations import number
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Operand, Statement

_SUMS = frozenset({Form.SUM, Form.DIFFERENCE})

_HOPS = 3
"""Products and quotients between a sum and a difference beyond it."""

_NESTED = 3
"""Sums within sums in which differences beyond them are searched for."""

_MOST = 2
"""Differences beyond a sum that it is compared with: each takes a line or more."""

Made = Mapping[Operand, Statement]


@dataclass(frozen=True, slots=True)
class Beyond:
    """A difference beyond a sum: `g - x` in `y - (g - x) / h`.

    used        the term of a sum, or the exponent, that leads to it: the quotient
    difference  its statement, which may be a sum
    factors     what it is multiplied with in the sum
    divisors    what it is divided by: `h`
    """

    used: Operand
    difference: Apply
    factors: tuple[Operand, ...] = ()
    divisors: tuple[Operand, ...] = ()

    def over(self, env: Mapping[Operand, Operand]) -> Beyond:
        """It, with values of `env` in the place of its own."""
        terms = {a: env[a] for a in self.difference.args if a in env}
        return Beyond(
            env.get(self.used, self.used),
            self.difference.over(terms),
            tuple(env.get(a, a) for a in self.factors),
            tuple(env.get(a, a) for a in self.divisors),
        )


def beyond(statement: Statement, made: Made) -> list[Beyond]:
    """The differences beyond a sum, beyond the sums in it, and beyond these
    differences; or those in an exponent. None if they are more than a few: then each
    needs its digits. `made` are the statements by their values.
    """
    if not isinstance(statement, Apply):
        return []
    found = list(islice(_all_beyond(statement, made), _MOST + 1))
    return found if len(found) <= _MOST else []


def _all_beyond(statement: Apply, made: Made) -> Iterator[Beyond]:
    if statement.op.form in _SUMS:
        yield from _beyond(statement, made, Beyond(statement.out, statement))
        return
    power = exponent(statement)
    if power is None:
        return
    found = _through(power, made, Beyond(power, statement))
    if found is not None:
        yield found
        yield from _beyond(found.difference, made, found)


def exponent(statement: Apply) -> Operand | None:
    """The exponent of a number: x of `exp(x)` and `1.05**x`. It needs a small error
    beside 1, and no digit where it is small itself.
    """
    if statement.op.name == "exp":
        return statement.args[0]
    if statement.op.form is not Form.POWER:
        return None
    base, power = statement.args
    value = number(base)
    return power if value is not None and 1e-3 < value < 1e3 else None


def _beyond(
    statement: Apply, made: Made, way: Beyond, depth: int = 0
) -> Iterator[Beyond]:
    """The differences beyond a sum to which some products and quotients have led."""
    for term in statement.args:
        found = _through(term, made, way)
        if found is None:
            continue
        if found.used is term:
            yield found
        if depth < _NESTED:
            yield from _beyond(found.difference, made, found, depth + 1)


def _through(term: Operand, made: Made, way: Beyond) -> Beyond | None:
    """The difference behind a term of a sum, if there are only products, quotients and
    signs between; it is not `used` if there are none.
    """
    maker = made.get(term)
    if isinstance(maker, Apply) and maker.op.form in _SUMS:
        return replace(way, difference=maker) if maker.out.type.is_real else None
    return _behind(term, made, replace(way, used=term), _HOPS)


def _behind(operand: Operand, made: Made, way: Beyond, hops: int) -> Beyond | None:
    """The difference that an operand is, or leads to by so many operations."""
    maker = made.get(operand)
    if not (isinstance(maker, Apply) and maker.out.type.is_real):
        return None
    form, args = maker.op.form, maker.args
    if form in _SUMS:
        return replace(way, difference=maker)
    if hops == 0:
        return None
    if form is Form.NEGATION:
        return _behind(args[0], made, way, hops - 1)
    if form is Form.QUOTIENT:
        divided = replace(way, divisors=(*way.divisors, args[1]))
        return _behind(args[0], made, divided, hops - 1)
    if form is not Form.PRODUCT or args[0] is args[1]:
        return None
    for of, by in (args, args[::-1]):
        multiplied = replace(way, factors=(*way.factors, by))
        found = _behind(of, made, multiplied, hops - 1)
        if found is not None:
            return found
    return None


def made_in(body: Iterable[Statement]) -> Made:
    """The statements of a body by their values."""
    return {out: statement for statement in body for out in statement.outs}
