"""Functions derived from those that a program calls, where a sweep goes through the
call: one with the adjoints of some arguments, one with the tangents of the values.

So are calls differentiated whose arguments or values are arrays. Each function is made
once, for the arguments that matter; while it is made it may be called already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulate import Task
from ad_transform.derive.calls import unlinked
from ad_transform.derive.entries import adjoints, names_of, tangents, with_hints
from ad_transform.derive.outcome import Outcome
from ad_transform.derive.outside import adjoint_of_outside, tangent_of_outside
from ad_transform.derive.signature import Independents
from ad_transform.derive.sweep.callees import bar_of, borne
from ad_transform.derive.taylor.expansion import named
from ad_transform.derive.taylor.rules import expansion, outcome
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.ir.consumed import changed_by
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Call,
    Function,
    Operand,
    Parameter,
    Var,
    group,
)
from ad_transform.ir.unlike import claimed

if TYPE_CHECKING:
    from ad_transform.derive.request import Request

Places = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Twin:
    """A function derived from another, for the arguments at some places.

    `said` is what it gives, in a line.
    """

    callee: Function
    places: Places
    name: str
    said: str

    @property
    def columns(self) -> tuple[Var, ...]:
        """The parameters that matter."""
        return tuple(self.callee.block.params[k] for k in self.places)

    @property
    def rows(self) -> Places:
        """The places of the results that are real."""
        results = enumerate(self.callee.results)
        return tuple(k for k, result in results if result.type.is_real)

    def request(self, outer: Request) -> Request:
        """What is asked of the function."""
        chosen = Independents(tuple(self.callee.parameters[k] for k in self.places))
        return replace(
            outer,
            function=self.callee,
            independents=chosen,
            value=True,
            name=self.name,
        )


@dataclass(frozen=True, slots=True)
class Twins:
    """The functions derived for a request, as its sweeps ask for them."""

    outer: Request

    def adjoint(self, call: Call, places: Places) -> str:
        """See `sweep.context.Callees`."""
        said = "{}: adjoints of {}, from those of what it gives."
        return self._made(call, places, "adj", said, _adjoint)

    def tangent(self, call: Call, places: Places) -> str:
        """See `sweep.context.Callees`."""
        said = "{} with tangents along those of {}."
        return self._made(call, places, "dot", said, _tangent)

    def series(self, call: Call, places: Places) -> str:
        """See `sweep.context.Callees`; raises Refusal (AD031) where nobody knows."""
        outside = self.outer.calls.functions[call.callee].outside
        if outside is not None:
            message = (
                f"`taylor` through the external {outside.name!r} is not supported yet"
            )
            help_ = "write what it computes in the file, without `external`"
            raise Refusal(Diagnostic("AD031", message, call.outs[0].span, help_))
        said = "{} with Taylor coefficients, from those of {}."
        return self._made(call, places, "series", said, _series)

    def _made(
        self,
        call: Call,
        places: Places,
        suffix: str,
        said: str,
        make: Callable[[Request, Twin], Function],
    ) -> str:
        calls, key = self.outer.calls, (call.callee, places, suffix)
        if key not in calls.twins:
            callee = calls.functions[call.callee]
            names = ", ".join(callee.parameters[k].name for k in places)
            text = said.format(call.callee.lstrip("_"), names)
            base = f"_{call.callee.lstrip('_')}" if callee.outside else call.callee
            name = calls.unlike(f"{base}_{suffix}")
            twin = calls.twins[key] = Twin(callee, places, name, text)
            try:
                calls.functions[name] = make(self.outer, twin)
            except Refusal:
                del calls.twins[key]  # another way may do without
                raise
        return calls.twins[key].name


def _adjoint(outer: Request, twin: Twin) -> Function:
    if twin.callee.outside is not None:
        return adjoint_of_outside(outer.calls.functions, twin)
    params = twin.callee.block.params
    types = [param.type for param in params]
    sums = tuple(params[k] for k in borne(types, twin.places, changed_by(twin.callee)))
    request = twin.request(outer)
    builder, values = request.copied(twin.callee, 0)
    rows = (*(values[k] for k in twin.rows), *sums)
    ends = (*(twin.callee.results[k] for k in twin.rows), *sums)
    bars = _likes(ends, adjoints(names_of(ends)))
    task = Task(twin.columns, rows, (lambda m: m[0],), adjoints=(bars,))
    outcome = request.run(builder, task)
    return _finished(request, outcome, bars, 0, adjoints(names_of(twin.columns)))


def _tangent(outer: Request, twin: Twin) -> Function:
    if twin.callee.outside is not None:
        return tangent_of_outside(outer.calls.functions, twin)
    count = len(twin.callee.results)
    request = twin.request(outer)
    builder, values = request.copied(twin.callee, count)
    rows = tuple(values[k] for k in twin.rows)
    dots = _likes(twin.columns, tangents(names_of(twin.columns)))
    task = Task(
        twin.columns,
        rows,
        (lambda m: (*values, *(row[0] for row in m)),),
        count,
        tangents=(dots,),
    )
    outcome = request.run(builder, task)
    return _finished(request, outcome, dots, count, tangents(names_of(rows)))


def _series(outer: Request, twin: Twin) -> Function:
    count, degree = len(twin.callee.results), outer.degree
    request = twin.request(outer)
    builder, values = request.copied(twin.callee, count)
    given = {
        column: tuple(
            Var(bar_of(column.type), named(column, j + 1)) for j in range(degree)
        )
        for column in twin.columns
    }
    made = expansion(builder, degree, given, request.callees)
    rows = [values[k] for k in twin.rows]
    found = [made.whole(r, c) for r in rows for c in made.coefficients(r)]
    results = (*values, *found)
    made_of = outcome(made, results, request.options)
    names = tuple(named(row, j + 1) for row in rows for j in range(degree))
    more = [var for own in given.values() for var in own]
    return _finished(request, made_of, more, count, names)


def _likes(values: Sequence[Operand], names: Sequence[str]) -> tuple[Var, ...]:
    """Adjoints or tangents of values, as parameters."""
    pairs = zip(values, names, strict=True)
    return tuple(Var(bar_of(v.type), name or "bar") for v, name in pairs)


def _finished(
    request: Request,
    outcome: Outcome,
    more: Sequence[Var],
    primal: int,
    hints: tuple[str, ...],
) -> Function:
    """The function of an outcome, with more parameters behind those of the callee."""
    parameters = list(request.function.parameters)
    taken = {p.name for p in parameters}
    for var in more:
        parameters.append(Parameter(claimed(var.hint, taken), (var,)))
    values = tuple(v for p in parameters for v in p.vars)
    block = with_hints(Block(values, outcome.body, outcome.results), hints)
    count = len(outcome.results)
    nest = group((LEAF,) * count) if count > 1 else LEAF
    return unlinked(Function(request.name, tuple(parameters), block, nest, primal))
