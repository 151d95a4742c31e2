"""A request for a derivation, and the steps that all derivations share: copying the
program into a builder, running a task, and wrapping the outcome as a function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.accumulate import Matrix, Task
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.calls.calls import Calls, unlinked
from ad_transform.derive.entries import Hints, names_of, with_hints
from ad_transform.derive.primal import copy_primal
from ad_transform.derive.signature import (
    Independents,
    with_seeds,
)
from ad_transform.derive.sweep.solve import accumulate
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.held import held_body
from ad_transform.ir.laws.signs import learn
from ad_transform.ir.nodes import (
    Block,
    Function,
    Nest,
    Operand,
    Parameter,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.later import later
from ad_transform.options import Options

with later():
    from ad_transform.derive.calls.twins import Twins

Operands = tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """One function to derive."""

    function: Function
    independents: Independents
    value: bool
    name: str
    options: Options
    calls: Calls = field(default_factory=Calls)
    degree: int = 0  # of a Taylor polynomial
    sparse: bool = False  # matrices are given by their entries
    last: bool = False  # nothing is derived from the derivative
    seeded: bool = False  # each result has one adjoint, all at once

    @property
    def primal(self) -> Operands:
        """The results of the function, if its value is asked for as well."""
        return self.function.results if self.value else ()

    def copied(self, function: Function, primal: int) -> tuple[Builder, Operands]:
        """A builder that holds the function, and the function's results in it."""
        function = self.calls.linked(self, function)
        builder = Builder(TABLE, LAWS)
        sacred = replace(function, primal=primal)
        env = copy_primal(sacred, builder, self.options.powers)
        learn(builder, function.body, env)
        results = tuple(env.get(r, r) for r in function.results)
        held_body(tuple(builder.body), results)
        return builder, results

    def run(self, builder: Builder, task: Task) -> Outcome:
        """The cheapest code for a task, to be printed as it is."""
        task = replace(task, printed=True, callees=self.callees)
        return accumulate(builder, task, self.options)

    def derivation(
        self,
        outcome: Outcome,
        nest: Nest,
        seeds: tuple[Parameter, ...],
        primal: int,
        hints: Hints,
    ) -> Derivation:
        """The derivation of an outcome; it makes functions of others, too."""
        ends = nest, seeds, primal, hints
        return Derivation(outcome, lambda made: self.finish(made, *ends))

    def finish(
        self,
        outcome: Outcome,
        nest: Nest,
        seeds: tuple[Parameter, ...],
        primal: int,
        hints: Hints,
    ) -> Function:
        """The function of an outcome, under the name asked for.

        `hints` are the names of the last results.
        """
        parameters = with_seeds(self.function, self.independents, seeds)
        values = tuple(v for p in parameters for v in p.vars)
        block = with_hints(Block(values, outcome.body, outcome.results), hints)
        notes = self.function.notes if primal else ()
        return unlinked(Function(self.name, parameters, block, nest, primal, notes))

    @property
    def earlier(self) -> Request:
        """The request for a derivative that is itself to be derived."""
        return replace(self, last=False)

    @property
    def directions(self) -> int:
        """The number of adjoints of each result that go through the function."""
        return 1 if self.seeded else len(self.function.results)

    @property
    def callees(self) -> Twins:
        """The sweeps' source of functions derived from the callees."""
        return Twins(self)

    @property
    def columns(self) -> Hints:
        """The names of the independents."""
        return names_of(self.independents.columns)

    @property
    def rows(self) -> Hints:
        """The names of the results of the function."""
        return names_of(self.function.results)


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """The cheapest code for a request, and the function of it or of a rival."""

    outcome: Outcome
    function_of: Callable[[Outcome], Function]


def flat(matrix: Matrix) -> Operands:
    """The entries of a matrix, row by row."""
    return tuple(entry for row in matrix for entry in row)


def column(matrix: Matrix) -> Operands:
    """The first column of a matrix."""
    return tuple(row[0] for row in matrix)
