"""A function derived from one that a program calls, for the arguments that matter: its
request, and the function made of an outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.calls.calls import unlinked
from ad_transform.derive.entries import adjoints, names_of, with_hints
from ad_transform.derive.signature import Independents
from ad_transform.derive.sweep.callees import bar_of, borne
from ad_transform.ir.arms.guarded import guarded
from ad_transform.ir.blocks.consumed import changed_by
from ad_transform.ir.nodes import (
    Block,
    Function,
    Operand,
    Parameter,
    Statement,
    Var,
    one_or_tuple,
)
from ad_transform.ir.unlike import claimed

if TYPE_CHECKING:
    from ad_transform.derive.request import Request

Places = tuple[int, ...]

Made = tuple[tuple[Statement, ...], tuple[Operand, ...]]
"""The statements of a function, and its results."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A function derived from another, for the arguments at some places.

    `said` is a line about its results.
    """

    callee: Function
    places: Places
    name: str
    said: str

    @property
    def columns(self) -> tuple[Var, ...]:
        """The parameters at the places."""
        return tuple(self.callee.block.params[k] for k in self.places)

    @property
    def rows(self) -> Places:
        """The places of the results that are real."""
        results = enumerate(self.callee.results)
        return tuple(k for k, result in results if result.type.is_real)

    @property
    def ends(self) -> tuple[Operand, ...]:
        """The values with an adjoint on the way back: the real results, then the arrays
        that are only read, to whose adjoints it adds.
        """
        params = self.callee.block.params
        types = [param.type for param in params]
        sums = borne(types, self.places, changed_by(self.callee))
        results = self.callee.results
        return (*(results[k] for k in self.rows), *(params[k] for k in sums))

    def rows_of(self, values: Sequence[Operand]) -> tuple[Operand, ...]:
        """The `ends` of a copy of the function with these results."""
        return (*(values[k] for k in self.rows), *self.ends[len(self.rows) :])

    @property
    def bars(self) -> tuple[Var, ...]:
        """The adjoints of the `ends`."""
        return likes(self.ends, adjoints(names_of(self.ends)))

    def request(self, outer: Request) -> Request:
        """The request for the function, within that for its caller."""
        chosen = Independents(tuple(self.callee.parameters[k] for k in self.places))
        return replace(
            outer,
            function=self.callee,
            independents=chosen,
            value=True,
            name=self.name,
            seeded=True,
        )


def likes(values: Sequence[Operand], names: Sequence[str]) -> tuple[Var, ...]:
    """Parameters for the adjoints or tangents of values."""
    pairs = zip(values, names, strict=True)
    return tuple(Var(bar_of(v.type), name or "bar") for v, name in pairs)


def finished(
    request: Request,
    made: Made,
    more: Sequence[Var],
    primal: int,
    hints: tuple[str, ...],
) -> Function:
    """The function of an outcome, with more parameters behind those of the callee."""
    body, results = made
    parameters = list(request.function.parameters)
    taken = {p.name for p in parameters}
    for var in more:
        parameters.append(Parameter(claimed(var.hint, taken), (var,)))
    values = tuple(v for p in parameters for v in p.vars)
    block = with_hints(Block(values, body, results), hints)
    nest = one_or_tuple(len(results))
    function = Function(request.name, tuple(parameters), block, nest, primal)
    return guarded(unlinked(function))
