"""Functions derived from those that a program calls, where a sweep goes through the
call: one with the adjoints of some arguments, one with the tangents of the values.

So are calls differentiated whose arguments or values are arrays. Each function is made
once, for the arguments that matter; while it is made it may be called already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.accumulate import Task
from ad_transform.derive.entries import adjoints, names_of, tangents
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.ir.nodes import Call, Function, Var
from ad_transform.later import later

with later():
    from ad_transform.derive.calls.forms import Choice
    from ad_transform.derive.calls.outside import adjoint_of_outside, tangent_of_outside
    from ad_transform.derive.calls.recorded import recorded
    from ad_transform.derive.calls.twin import Places, Twin, finished, likes
    from ad_transform.derive.sweep.callees import bar_of
    from ad_transform.derive.sweep.forward import whole
    from ad_transform.derive.taylor.expansion import named
    from ad_transform.derive.taylor.rules import expansion, outcome

if TYPE_CHECKING:
    from ad_transform.derive.request import Request


@dataclass(frozen=True, slots=True)
class Twins:
    """The functions derived for a request, as its sweeps ask for them."""

    outer: Request

    def adjoint(self, call: Call, places: Places) -> str:
        """See `sweep.context.Callees`."""
        said = "{}: adjoints of {}, from those of what it gives."
        return self._made(call, places, "adj", said, _adjoint)

    def is_recursive(self, call: Call) -> bool:
        """See `sweep.context.Callees`."""
        return self.outer.calls.is_recursive(call.callee)

    def closed(self, call: Call, places: Places) -> Places:
        """See `sweep.context.Callees`."""
        return self.outer.calls.closed(call.callee, places)

    def parameter(self, call: Call, place: int) -> Var:
        """See `sweep.context.Callees`."""
        return self.outer.calls.functions[call.callee].block.params[place]

    def recorded(self, call: Call, places: Places) -> tuple[str, str] | None:
        """See `sweep.context.Callees`; only in the last derivation, for nobody knows
        how records change.
        """
        outer, calls = self.outer, self.outer.calls
        if not outer.last or calls.functions[call.callee].outside is not None:
            return None
        key = call.callee, places
        if key not in calls.recorded:
            forth = self._twin(
                call, places, "forth", "{}, and a record for its adjoints."
            )
            back = self._twin(
                call, places, "back", "{}: adjoints of {}, by its record."
            )
            calls.recorded[key] = forth.name, back.name
            made = recorded(outer, forth, back)
            calls.functions[forth.name] = made.forth
            calls.functions[back.name] = made.back
            if not Choice(calls, outer).is_worth_it(call, made):
                calls.recorded[key] = None
        return calls.recorded[key]

    def tangent(self, call: Call, places: Places) -> str:
        """See `sweep.context.Callees`."""
        said = "{} with tangents along those of {}."
        return self._made(call, places, "dot", said, _tangent)

    def series(self, call: Call, places: Places) -> str:
        """See `sweep.context.Callees`; raises Refusal (AD031) where none is known."""
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
            twin = self._twin(call, places, suffix, said)
            try:
                calls.functions[twin.name] = make(self.outer, twin)
            except Refusal:
                del calls.twins[key]  # another way may do without
                raise
        return calls.twins[key].name

    def _twin(self, call: Call, places: Places, suffix: str, said: str) -> Twin:
        """A twin without a function so far: it may be called already."""
        calls = self.outer.calls
        callee = calls.functions[call.callee]
        names = ", ".join(callee.parameters[k].name for k in places)
        text = said.format(call.callee.lstrip("_"), names)
        base = f"_{call.callee.lstrip('_')}" if callee.outside else call.callee
        name = calls.unlike(f"{base}_{suffix}")
        twin = calls.twins[call.callee, places, suffix] = Twin(
            callee, places, name, text
        )
        return twin


def _adjoint(outer: Request, twin: Twin) -> Function:
    if twin.callee.outside is not None:
        return adjoint_of_outside(outer.calls.functions, twin)
    request, bars = twin.request(outer), twin.bars
    builder, values = request.copied(twin.callee, 0)
    task = Task(twin.columns, twin.rows_of(values), (lambda m: m[0],), adjoints=(bars,))
    outcome = request.run(builder, task)
    return finished(
        request,
        (outcome.body, outcome.results),
        bars,
        0,
        adjoints(names_of(twin.columns)),
    )


def _tangent(outer: Request, twin: Twin) -> Function:
    if twin.callee.outside is not None:
        return tangent_of_outside(outer.calls.functions, twin)
    count = len(twin.callee.results)
    request = twin.request(outer)
    builder, values = request.copied(twin.callee, count)
    rows = tuple(values[k] for k in twin.rows)
    dots = likes(twin.columns, tangents(names_of(twin.columns)))
    task = Task(
        twin.columns,
        rows,
        (lambda m: (*values, *(row[0] for row in m)),),
        count,
        tangents=(dots,),
    )
    outcome = request.run(builder, task)
    found = outcome.results[count:]
    body, found = whole(outcome.body, found, rows)  # zeros of a list are a list
    results = (*outcome.results[:count], *found)
    return finished(request, (body, results), dots, count, tangents(names_of(rows)))


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
    return finished(request, (made_of.body, made_of.results), more, count, names)
