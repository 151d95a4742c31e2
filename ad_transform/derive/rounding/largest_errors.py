"""The largest error of an operation, in halves of a unit in the last place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.beyond import Beyond, exponent
from ad_transform.derive.rounding.guards import LOST
from ad_transform.derive.rounding.operations import constant_error, number, scales_down
from ad_transform.derive.rounding.pieces import is_never_negative, summed
from ad_transform.elementals.conditions import TINY
from ad_transform.ir.build import Builder, as_float
from ad_transform.ir.elemental import CORRECT, Form
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.template import instantiate, parse_template

_INEXACT = {
    Form.SUM: "True if ne(minus(v, x), y) else ne(minus(v, y), x)",
    Form.DIFFERENCE: "True if ne(minus(x, v), y) else ne(plus(v, y), x)",
}
_KEPT = f"({{0}}) if abs(v) >= {LOST} * abs({{1}}) else 1e999"
_KEPT_OF_SUM = f"0.0 if abs(v) >= {LOST} * s else 1e999"
_SMALL_PART = f"abs(e) if abs(e) <= {LOST} * abs(v) else 1e999"
_UNDERFLOWN = f"a * 1e-323 if (v < {TINY} if v > -{TINY} else False) else 0.0"


@dataclass(frozen=True, slots=True)
class Place:
    """An operation at its place: its operands and result, as the builder has them.

    `nonlinear` if its result is used nonlinearly; `passive` if nothing that goes in
    carries an error. A sum or an exponent is compared with what is `beyond` it.
    """

    statement: Apply
    args: tuple[Operand, ...]
    out: Operand
    nonlinear: bool = False
    passive: bool = True
    beyond: tuple[Beyond, ...] = ()

    @property
    def suspect(self) -> bool:
        """Whether digits cancelled here may matter, and be wrong."""
        return self.nonlinear and not self.passive


@dataclass(frozen=True, slots=True)
class Rules:
    """The assumptions of an estimate.

    ulps      errors of library functions by name, where they are not those of the rows
    residual  makes code for the error of a product, quotient or root, or for something
              that is 0 where the error is; given (`tests="all"`), the generated code
              tests each of these at run time, and an exact one counts as nothing
    """

    ulps: Mapping[str, float] = field(default_factory=dict)
    residual: Callable[[Builder, Place], Operand] | None = None

    def ulps_of(self, statement: Apply) -> float:
        """The largest error of an operation in ulps of its result."""
        return self.ulps.get(statement.op.name, statement.op.ulps)


DEFAULT = Rules()


def largest_term(
    builder: Builder, place: Place, weight: Operand, rules: Rules = DEFAULT
) -> Operand:
    """`weight`, not negative, times the largest error in halves of an ulp.

    The error of a sum is zero where the sum is exact; where that comes of cancellation
    that may have left nothing, and the result is used nonlinearly, it is infinite.
    """
    term = _largest_term(builder, place, weight, rules)
    return _if_small_beyond(builder, place, term)


def _largest_term(
    builder: Builder, place: Place, weight: Operand, rules: Rules
) -> Operand:
    statement, form = place.statement, place.statement.op.form
    known = constant_error(statement)
    if known is not None:
        most = _rounded_up(abs(known))
        return builder.apply("mul", weight, Literal(2.0 * most))
    if form in _SIZES:
        return _product(builder, weight, 2.0, _SIZES[form](builder, place))
    text, env = _tested(builder, place, rules)
    if text:
        env |= {"a": weight, "v": place.out}
        return instantiate(parse_template(text), env, builder)
    ulps = rules.ulps_of(statement)
    if ulps == math.inf:
        env = {"a": weight, "v": place.out}
        text = "32 * a * ulp(1 + abs(v))"
        if place.suspect:
            text = f"({text}) if abs(v) > {LOST} else 1e999"
        return instantiate(parse_template(text), env, builder)
    return _product(builder, weight, 2.0 * ulps, builder.apply("ulp", place.out))


def _size_of_total(builder: Builder, place: Place) -> Operand:
    """The size of the error of a `sum(...)`; that error is known.

    Where that is no small part of the sum, first order says nothing of the rest.
    """
    error = builder.apply("sum_error", place.out, *place.args)
    form, terms = place.statement.op.form, place.args
    if not (place.nonlinear and _may_cancel(builder, form, terms)):
        return builder.apply("abs", error)
    env = {"e": error, "v": place.out}
    return instantiate(parse_template(_SMALL_PART), env, builder)


def _size_off(builder: Builder, place: Place) -> Operand:
    """The size of the error of a sum over an array; terms may be in error, too."""
    error = builder.apply("abs", place.args[1])
    return summed(builder, [error, _lost_of_sum(builder, place)])


def _lost_of_sum(builder: Builder, place: Place) -> Operand:
    """Infinite if digits that matter may be lost in a sum over an array, else 0."""
    *_, size = place.args
    if not place.nonlinear or isinstance(size, Literal):
        return Literal(0.0)
    env = {"v": place.out, "s": size}
    return instantiate(parse_template(_KEPT_OF_SUM), env, builder)


_SIZES: Mapping[Form, Callable[[Builder, Place], Operand]] = {
    Form.TOTAL: _size_of_total,
    Form.OFF: _size_off,
    Form.SOLVED: lambda builder, place: builder.apply("abs", place.args[1]),
    Form.WITHIN: lambda _, place: place.args[1],
}
"""Forms whose error is computed, with the size of the error or a bound of it."""


def _rounded_up(error: float) -> float:
    """The error of literals, rounded up if its own rounding may count."""
    return math.nextafter(error, math.inf) if 0.0 < error < 1e-290 else error


def _tested(
    builder: Builder, place: Place, rules: Rules
) -> tuple[str, dict[str, Operand]]:
    """The largest error by a test at run time, over x, y, v and the weight a; or none.

    Operations that `two_bits` finds exact are so but for underflow, whose share is
    always added.
    """
    statement, form = place.statement, place.statement.op.form
    args = (as_float(a) if isinstance(a, Literal) else a for a in place.args)
    env: dict[str, Operand] = dict(zip("xy", args, strict=False))
    if scales_down(statement):
        return _UNDERFLOWN, env
    if form in _INEXACT:
        exact, terms = _if_kept(builder, place)
        return f"a * ulp(v) if ({_INEXACT[form]}) else ({exact})", env | terms
    parts = two_bits(statement)
    if parts is not None:
        return parts.test, env
    if is_square(statement) and rules.ulps_of(statement) > CORRECT:
        scale = 2.0 * rules.ulps_of(statement)
        return f"a * ulp(v) if v == times(x, x) else {scale} * a * ulp(v)", env
    if rules.residual is not None and form in _WITH_RESIDUAL:
        judged = "v" if form is Form.PRODUCT else "x"
        return _RESIDUAL.format(judged), env | {"r": rules.residual(builder, place)}
    return "", env


_WITH_RESIDUAL = frozenset({Form.PRODUCT, Form.QUOTIENT, Form.ROOT})
_RESIDUAL = (
    "a * ulp(v) if (True if r != 0.0 else "
    f"({{0}} < {TINY} if {{0}} > -{TINY} else False)) else 0.0"
)
"""Where {0} is tiny, the residual may have underflowed."""


@dataclass(frozen=True, slots=True)
class TwoBits:
    """A factor or divisor c = m + n, powers of two but for their signs, m within a
    factor 2 of c; `of` is multiplied with it to give `whole`.

    Then `whole - m * of` is exact (Sterbenz), and the operation is so if that is
    `n * of`, but for underflow where n or m is below 1.
    """

    of: str
    whole: str
    m: float
    n: float

    @property
    def test(self) -> str:
        """The largest error as a template."""
        small = min(abs(self.m), abs(self.n)) < 1.0 or self.whole == "x"
        rest = f"minus({self.whole}, times({self.m}, {self.of}))"
        exact = f"({_UNDERFLOWN})" if small else "0.0"
        return f"a * ulp(v) if {rest} != times({self.n}, {self.of}) else {exact}"


def two_bits(statement: Apply) -> TwoBits | None:
    """The test for a product with, or quotient by, a literal of two bits; else None."""
    values = [number(a) for a in statement.args]
    match statement.op.form, values:
        case (Form.PRODUCT, [None, float(c)]):
            of, whole = "x", "v"
        case (Form.PRODUCT, [float(c), None]):
            of, whole = "y", "v"
        case (Form.QUOTIENT, [None, float(c)]):
            of, whole = "v", "x"
        case _:
            return None
    top, bottom = abs(c).as_integer_ratio() if 1e-15 < abs(c) < 1e15 else (0, 1)
    for high in (1 << top.bit_length(), 1 << max(top.bit_length() - 1, 0)):
        rest = top - high
        if top and rest and abs(rest) & (abs(rest) - 1) == 0:
            sign = math.copysign(1.0, c)
            return TwoBits(of, whole, sign * high / bottom, sign * rest / bottom)
    return None


def is_square(statement: Apply) -> bool:
    """Whether an operation is `x**2`: the library's power, not `x * x`."""
    if statement.op.form is not Form.POWER:
        return False
    base, exponent = statement.args
    return number(exponent) == 2.0 and base.type.is_real


def _may_cancel(builder: Builder, form: Form, terms: Sequence[Operand]) -> bool:
    """Whether the terms of a sum may have opposite signs."""
    if form is Form.DIFFERENCE:
        return True
    return not all(is_never_negative(builder, a) for a in terms)


def lost_digits(builder: Builder, place: Place) -> Operand:
    """Infinite if a difference, or a sum over an array, may have lost all its digits
    and they matter; else 0.

    First order says nothing about such a result.
    """
    if place.statement.op.form is Form.OFF:
        return _lost_of_sum(builder, place)
    if place.statement.op.form not in _INEXACT:
        return Literal(0.0)
    text, env = _if_kept(builder, place)
    lost = instantiate(parse_template(text), env | {"v": place.out}, builder)
    return _if_small_beyond(builder, place, lost)


_NESTED = 3
"""The depth of sums within sums that are searched for cancelled terms."""


def _if_kept(builder: Builder, place: Place) -> tuple[str, dict[str, Operand]]:
    """A template that is infinite if a suspect difference may have no digit, else 0.

    Of `v = x - y` it is `0.0 if abs(v) > 1e-11 * abs(x) else 1e999`. Where x or y is a
    difference itself, v is compared with the terms of that too: in `(a - b) - y` the
    digits may have been lost against a. The environment has the terms by name.
    """
    text, env = "0.0", dict[str, Operand]()
    form = place.statement.op.form
    if not (place.suspect and _may_cancel(builder, form, place.args)):
        return text, env
    terms = [next(a for a in place.args if not isinstance(a, Literal))]
    sums = [a for a in place.args if isinstance(a, Var)]
    for operand in sums:  # grows while it is read
        made = builder.definition.get(operand)
        if len(terms) < _NESTED and isinstance(made, Apply):
            inner = [a for a in made.args if isinstance(a, Var)]
            if made.op.form in _INEXACT and inner:
                terms.append(inner[0])
                sums += inner
    for k, term in enumerate(dict.fromkeys(terms)):
        text, env[f"m{k}"] = _KEPT.format(text, f"m{k}"), term
    return text, env


def _if_small_beyond(builder: Builder, place: Place, error: Operand) -> Operand:
    """An error, infinite where a sum, or 1 beside an exponent, is too small beside the
    terms of differences beyond it: in `v = y - (g - x) / h` that is `g / h`.
    """
    is_exponent = exponent(place.statement) is not None
    env = {"e": error, "v": Literal(1.0) if is_exponent else place.out}
    text = "e"
    for k, one in enumerate(place.beyond):
        form, terms = one.difference.op.form, one.difference.args
        if not _may_cancel(builder, form, terms):
            continue
        term: Operand = next(a for a in terms if not isinstance(a, Literal))
        for factor in one.factors:
            term = builder.apply("mul", term, factor)
        for divisor in one.divisors:
            term = builder.apply("div", term, divisor)
        text, env[f"b{k}"] = _KEPT.format(text, f"b{k}"), term
    return instantiate(parse_template(text), env, builder) if text != "e" else error


def own_error(builder: Builder, place: Place, rules: Rules = DEFAULT) -> Operand:
    """The largest error of an operation."""
    return largest_term(builder, place, Literal(0.5), rules)


def _product(builder: Builder, weight: Operand, c: float, unit: Operand) -> Operand:
    scaled = builder.apply("mul", Literal(c), weight)
    return builder.apply("mul", scaled, unit)
