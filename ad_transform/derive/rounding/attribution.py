"""The line that loses the digits, for given inputs: the report, evaluated.

The program is run by the reference interpreter; nothing of the user's is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.actual import Actual
from ad_transform.derive.rounding.linear import Linear
from ad_transform.derive.rounding.model import Adjoints
from ad_transform.derive.rounding.problem import Problem, copy_values
from ad_transform.derive.rounding.report import Row, rows_of
from ad_transform.diagnostics import Listing
from ad_transform.ir.build import Builder
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function, Operand

NOTABLE = 1.0
"""Decimal digits cancelled from which on a line is said to lose them."""


@dataclass(frozen=True, slots=True)
class Share:
    """A row of the report with its figures; `actual` is None where it is unknown."""

    row: Row
    bound: float
    actual: float | None
    digits: float


@dataclass(frozen=True, slots=True)
class Attribution:
    """A result with its estimates, and the shares of all sources of error."""

    value: float
    bound: float
    rms: float
    error: float
    uncertainty: float
    shares: tuple[Share, ...]

    @property
    def culprit(self) -> Share | None:
        """The share with most digits of inexact operands lost; None if few are."""
        lost = [s for s in self.shares if not s.row.passive and s.digits >= NOTABLE]
        return max(lost, key=lambda s: s.digits, default=None)


def attribute(
    problem: Problem, listing: Listing, point: Sequence[Any]
) -> tuple[Attribution, ...]:
    """The attribution of each real result at a point, one value for each parameter.

    Raises the function's exceptions there. Linear but for the sweeps: three a result.
    """
    subject = problem.subject(listing)
    adjoints, _ = problem.swept(subject.model)
    tables = rows_of(adjoints, subject)
    sizes, signed = (
        _copied(*problem.swept(model), adjoints.builder)
        for model in (Linear(subject.rules), Actual(subject.rules))
    )
    each = [
        (result, next(sizes), next(sizes), next(signed), next(signed))
        for result in adjoints.results
    ]
    heads = [head for head in each if head[0].type.is_real]
    wanted: list[Operand] = []
    for head, rows in zip(heads, tables, strict=True):
        wanted += head
        wanted += (x for row in rows for x in _figures(row))
    block = problem.block(adjoints.builder, tuple(wanted))
    function = problem.function
    program = Function(function.name, function.parameters, block, function.nest)
    values = iter(evaluate(program, point))
    return tuple(_attribution(rows, values) for rows in tables)


def _copied(
    adjoints: Adjoints, found: Sequence[Sequence[Operand]], builder: Builder
) -> Iterator[Operand]:
    """The estimates of all results, in another builder."""
    flat = tuple(chain.from_iterable(found))
    return iter(copy_values(adjoints.builder, flat, builder))


def _attribution(rows: Sequence[Row], values: Iterator[float]) -> Attribution:
    value, bound, rms, error, doubt = islice(values, 5)
    shares = tuple(_shares(rows, values))
    return Attribution(value, bound, rms, error, doubt, shares)


def _figures(row: Row) -> tuple[Operand, ...]:
    return (row.bound, row.digits, *((row.actual,) if row.actual is not None else ()))


def _shares(rows: Sequence[Row], values: Iterator[float]) -> Iterator[Share]:
    for row in rows:
        bound, digits = next(values), next(values)
        yield Share(row, bound, None if row.actual is None else next(values), digits)


def finite(value: float | None) -> float | None:
    """The value; None if it is no finite number."""
    return value if value is not None and math.isfinite(value) else None
