"""Taylor coefficients of a function of one number, by Taylor arithmetic.

Every value is a series in the independent; the coefficients of an operation come from
those of its arguments. Sums, products and quotients have rules of their own; of any
other operation the row's partials s give v' = s x', so v_j is the sum of
i x_i s_(j-i) / j (Griewank & Walther 2008, chapter 13). A partial is a series as well,
which at that point is needed up to degree j - 1 only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ad_transform.derive.linearise import is_zero
from ad_transform.derive.outcome import Outcome
from ad_transform.derive.request import Derivation, Request
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.elemental import Form
from ad_transform.ir.live import live
from ad_transform.ir.nodes import LEAF, Apply, Literal, Operand, Var, group
from ad_transform.ir.template import Env, Workshop, instantiate, parse_template
from ad_transform.ir.types import Type
from ad_transform.options import weights_of

ZERO, ONE = Literal(0.0), Literal(1.0)


def taylor(r: Request) -> Derivation:
    """The value and the coefficients of (t - t0)**j, j = 1, ..., degree.

    Raises Refusal: AD020 without a degree, AD023 unless there is one independent, a
    number; AD031 for what has no series by now: branches, loops and kinks.
    """
    if not r.degree:
        message = f"`taylor` of {r.function.name!r} has no degree"
        raise Refusal(Diagnostic("AD020", message, None, "write `taylor(t, degree=3)`"))
    if len(r.independents.columns) != 1:
        message = f"`taylor` of {r.function.name!r} needs one number to expand in"
        raise Refusal(Diagnostic("AD023", message, None, "write `taylor(t, degree=3)`"))
    builder, (row,) = r.copied(r.function, 1)
    bench = _Bench(builder)
    (t,) = r.independents.columns
    bench.enter(t, _Series(builder, t, [t, ONE]))
    for statement in tuple(builder.body):
        if isinstance(statement, Apply) and not any(
            a.type.dims for a in statement.args
        ):
            out = statement.out
            made = bench.made(statement.op.name, statement.args, out, out.span)
            bench.enter(out, made)
        else:
            span = statement.outs[0].span if statement.outs else None
            raise _refused("branches, loops, arrays and assertions", span)
    series = bench.series(row)
    found = tuple(series.at(j) for j in range(r.degree + 1))
    body = live(tuple(builder.body), found)
    counts, weights = count_statements(body, found), weights_of(r.options.cost)
    idle = (t,) if all(map(is_zero, found[1:])) else ()
    outcome = Outcome(body, found, counts, "taylor", idle, (), weights)
    nest = group((LEAF,) * len(found))
    hint = row.hint if isinstance(row, Var) and row.hint else r.function.name
    hints = tuple(f"{hint}_{j}" for j in range(1, len(found)))
    return r.finish(outcome, nest, (), 1, hints), outcome


def _refused(what: str, span: Span | None) -> Refusal:
    message = f"`taylor` through {what} is not supported yet"
    help_ = "expand what is computed before or behind it"
    return Refusal(Diagnostic("AD031", message, span, help_))


@dataclass(eq=False)
class _Series:
    """The coefficients of a value, made as they are asked for.

    Those behind the ones that are there come from `more`, or are 0 without it.
    """

    builder: Builder
    value: Operand
    known: list[Operand]
    more: Callable[[int], Operand] | None = None

    @property
    def type(self) -> Type:
        return self.value.type

    @property
    def is_constant(self) -> bool:
        return self.more is None and len(self.known) == 1

    def at(self, j: int) -> Operand:
        """The coefficient of degree j."""
        while self.more is not None and len(self.known) <= j:
            self.known.append(self.more(len(self.known)))
        return self.known[j] if j < len(self.known) else ZERO


@dataclass(slots=True)
class _Bench:
    """Operations on series; the workshop in which partials are instantiated."""

    builder: Builder
    entered: dict[Operand, _Series] = field(default_factory=dict)

    def enter(self, value: Operand, series: _Series) -> None:
        self.entered[value] = series

    def series(self, value: Operand | _Series) -> _Series:
        """That of a value; what does not depend on the independent is a constant."""
        if isinstance(value, _Series):
            return value
        if value not in self.entered:
            return _Series(self.builder, value, [value])
        return self.entered[value]

    def apply(self, op: str, *args: Any) -> Any:
        """A series for an operation inside a partial; of constants one again."""
        all_series = [self.series(arg) for arg in args]
        value = self.builder.apply(op, *(s.value for s in all_series))
        if isinstance(value, Literal) or all(s.is_constant for s in all_series):
            return value
        if value in self.entered:
            return self.entered[value]
        made = self.made(op, args, value, None)
        self.enter(value, made)
        return made

    def branch(self, *_: object) -> tuple[Any, ...]:
        raise _refused("a function with kinks", None)

    def inner(self) -> Any:
        raise _refused("a function with kinks", None)

    def made(
        self, op: str, args: Sequence[Any], value: Operand, span: Span | None
    ) -> _Series:
        """The series of an operation whose value is there."""
        given = [self.series(arg) for arg in args]
        series = _Series(self.builder, value, [value])
        if all(s.is_constant for s in given) or not value.type.is_real:
            return series
        row = TABLE[op]
        rule = _RULES.get(row.form)
        if rule is not None:
            series.more = lambda j: rule(self, series, given, j)
        elif row.form is Form.POWER:
            self._power(series, *given)
        elif row.variadic or len(row.partials) != len(given):
            raise _refused(f"{op!r}", span)
        else:
            self._by_partials(series, given, row.partials, row.parameters)
        return series

    def _by_partials(
        self,
        series: _Series,
        given: Sequence[_Series],
        partials: Sequence[str],
        parameters: Sequence[str],
    ) -> None:
        slopes: list[_Series | None] = [None] * len(given)
        env = {**dict(zip(parameters, given, strict=True)), "v": series}

        def slope(k: int) -> _Series:
            found = slopes[k]
            if found is None:
                template = parse_template(partials[k])
                made = instantiate(template, cast(Env, env), cast(Workshop, self))
                found = slopes[k] = self.series(made)
            return found

        def more(j: int) -> Operand:
            total: Operand = ZERO
            for k, arg in enumerate(given):
                for i in range(1, j + 1) if not arg.is_constant else ():
                    if not is_zero(arg.at(i)):
                        times = self.product(Literal(float(i)), arg.at(i))
                        total = self.sum(total, self.product(slope(k).at(j - i), times))
            return self.builder.apply("div", total, Literal(float(j)))

        series.more = more

    def _power(self, series: _Series, x: _Series, y: _Series) -> None:
        """A power: of a whole number products, which hold at 0, too."""
        if not y.is_constant:
            self._by_partials(series, (x, y), ("y * v / x", "v * log(x)"), ("x", "y"))
        elif (times := _factors(y.value)) > 0:
            series.more = self._multiplied(x, times).at
        else:
            series.more = lambda j: _miller(self, series, x, y.value, j)

    def _multiplied(self, x: _Series, n: int) -> _Series:
        """x to the power of a whole number from 1 on, by squaring."""
        if n == 1:
            return x
        half = self._multiplied(x, n // 2)
        made = self.apply("mul", half, half)
        return self.series(self.apply("mul", made, x) if n % 2 else made)

    # --- coefficients ---------------------------------------------------------------

    def product(self, x: Operand, y: Operand) -> Operand:
        if is_zero(x) or is_zero(y):
            return ZERO
        return self.builder.apply("mul", x, y)

    def sum(self, x: Operand, y: Operand) -> Operand:
        if is_zero(x) or is_zero(y):
            return y if is_zero(x) else x
        return self.builder.apply("add", x, y)

    def difference(self, x: Operand, y: Operand) -> Operand:
        return x if is_zero(y) else self.builder.apply("sub", x, y)


_Rule = Callable[[_Bench, _Series, Sequence[_Series], int], Operand]


def _sum(bench: _Bench, _: _Series, args: Sequence[_Series], j: int) -> Operand:
    total: Operand = ZERO
    for arg in args:
        total = bench.sum(total, arg.at(j))
    return total


def _difference(bench: _Bench, _: _Series, args: Sequence[_Series], j: int) -> Operand:
    return bench.difference(args[0].at(j), args[1].at(j))


def _negation(bench: _Bench, _: _Series, args: Sequence[_Series], j: int) -> Operand:
    found = args[0].at(j)
    return found if is_zero(found) else bench.builder.apply("neg", found)


def _identity(bench: _Bench, _: _Series, args: Sequence[_Series], j: int) -> Operand:
    return args[0].at(j)


def _product(bench: _Bench, _: _Series, args: Sequence[_Series], j: int) -> Operand:
    x, y = args
    total: Operand = ZERO
    if x is not y:
        for i in range(j + 1):
            total = bench.sum(total, bench.product(x.at(i), y.at(j - i)))
        return total
    for i in range((j + 1) // 2):
        total = bench.sum(total, bench.product(x.at(i), x.at(j - i)))
    total = bench.product(Literal(2.0), total)
    middle = ZERO if j % 2 else bench.product(x.at(j // 2), x.at(j // 2))
    return bench.sum(total, middle)


def _quotient(bench: _Bench, made: _Series, args: Sequence[_Series], j: int) -> Operand:
    x, y = args
    total: Operand = ZERO
    for i in range(j):
        total = bench.sum(total, bench.product(made.at(i), y.at(j - i)))
    rest = bench.difference(x.at(j), total)
    return rest if is_zero(rest) else bench.builder.apply("div", rest, y.at(0))


def _miller(bench: _Bench, made: _Series, x: _Series, y: Operand, j: int) -> Operand:
    """Of x**y with a constant y: j x_0 v_j is the sum over i of
    (i y - (j - i)) x_i v_(j-i).
    """
    total: Operand = ZERO
    for i in range(1, j + 1):
        if is_zero(x.at(i)):
            continue
        times = bench.product(Literal(float(i)), y)
        factor = bench.difference(times, Literal(float(j - i)))
        term = bench.product(bench.product(factor, x.at(i)), made.at(j - i))
        total = bench.sum(total, term)
    return bench.builder.apply("div", total, bench.product(Literal(float(j)), x.at(0)))


def _factors(exponent: Operand) -> int:
    """A whole number that is an exponent; 0 for any other."""
    if not isinstance(exponent, Literal) or isinstance(exponent.value, str):
        return 0
    number = float(exponent.value)
    return int(number) if number.is_integer() else 0


_RULES: dict[Form, _Rule] = {
    Form.SUM: _sum,
    Form.TOTAL: _sum,
    Form.DIFFERENCE: _difference,
    Form.NEGATION: _negation,
    Form.IDENTITY: _identity,
    Form.PRODUCT: _product,
    Form.QUOTIENT: _quotient,
}
"""Operations that need no partials."""
