"""An estimate to be made: a function, its inputs in error, the options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.called import Called, has_calls
from ad_transform.derive.rounding.called_arrays import with_arrays
from ad_transform.derive.rounding.calls_in_lists import calling_with_lists, with_lists
from ad_transform.derive.rounding.enclosure.model import doubts
from ad_transform.derive.rounding.equations import with_roots
from ad_transform.derive.rounding.error_options import ErrorOptions
from ad_transform.derive.rounding.folded import folded
from ad_transform.derive.rounding.inputs import Inputs, input_errors
from ad_transform.derive.rounding.jumps import may_jump
from ad_transform.derive.rounding.literals import (
    Decimals,
    decimal,
    decimal_error,
    exact,
    restored,
    whole_error,
)
from ad_transform.derive.rounding.model import ZERO, Adjoints, Model
from ad_transform.derive.rounding.read_in_lists import read_in_lists
from ad_transform.derive.rounding.report import Subject
from ad_transform.derive.rounding.sources import numbered, plain, with_elements
from ad_transform.derive.rounding.sweep import sweep
from ad_transform.diagnostics import Diagnostic, Listing, Refusal, Span
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import LEAF, Block, Function, Literal, Operand, Var
from ad_transform.options import Options

Operands = tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """A function whose decimal literals have become inputs, and the errors in it.

    `inputs` are the numbers that bring an error along, `own` the parameters; `titles`
    are the names of the inputs that carry errors.
    """

    function: Function
    inputs: Inputs
    own: frozenset[Var]
    literals: dict[Var, Literal]
    titles: dict[Var, str]
    asked: ErrorOptions
    options: Options
    called: Called

    @classmethod
    def of(
        cls,
        function: Function,
        names: tuple[str, ...],
        asked: ErrorOptions,
        options: Options,
        span: Span | None,
        helpers: Sequence[Function] = (),
        called: Called | None = None,
    ) -> Problem:
        """The problem that a mark poses; raises Refusal AD020 and AD023. `helpers` are
        the functions that the function calls, `called` the same of another problem.
        """
        function = calling_with_lists(function)
        helpers = tuple(map(with_lists, helpers))
        rounded = asked.inputs == "rounded"
        own = input_errors(function, names, rounded, asked.uncertainties, span)
        arrays = {value: error for value, error in own.items() if value.type.is_array}
        function = numbered(function)
        if has_calls(function):
            function = read_in_lists(function)
        function = with_roots(with_elements(function, arrays), options)
        freed = _freed(asked)
        decimals = freed(function)
        titles = {v: f"input {p.name}" for p in function.parameters for v in p.vars}
        literals = dict(decimals.literals)
        titles |= {v: f"literal {c.name or c.value}" for v, c in literals.items()}
        numbers = {v: error for v, error in own.items() if not v.type.is_array}
        rest = asked.rules, options, freed
        called = called or Called({f.name: f for f in helpers}, *rest)
        called.swept |= with_arrays(decimals.function, helpers)
        return cls(
            decimals.function,
            {**numbers, **decimals.errors},
            frozenset(own),
            literals,
            titles,
            asked,
            options,
            called,
        )

    def subject(self, listing: Listing) -> Subject:
        """The subject of a report; raises Refusal AD031 for a function with calls."""
        if has_calls(self.function):
            text = "no report is made of functions that call themselves yet"
            raise Refusal(Diagnostic("AD031", text, None, "leave out `report=True`"))
        return Subject.of(self.function.body, listing, self.asked.rules, self.titles)

    def in_reverse(self) -> Problem:
        """The same problem, swept in reverse: every operation has its adjoint."""
        return replace(self, options=self.options.override(order="reverse"))

    @property
    def may_jump(self) -> bool:
        """Whether rounding may decide a step or a way that adjoints do not see."""
        return may_jump(self.function, self.called.numbered)

    def swept(self, model: Model) -> tuple[Adjoints, tuple[Operands, ...]]:
        """The adjoints, and the estimates of a model for each result.

        Infinite where rounding may decide which way the program takes.
        """
        function = self.called.linked(self.function, model)
        rest = self.inputs, self.options, model, self.called
        adjoints, primal = self.called.settled(lambda: sweep(function, *rest))
        count = len(adjoints.results)
        estimates = tuple(model.estimates(adjoints, k) for k in range(count))
        if not self.may_jump:
            return adjoints, estimates
        builder = adjoints.builder
        doubt = doubts(builder, primal, self.inputs, self.asked.rules, self.called)
        if doubt == ZERO:
            return adjoints, estimates
        return adjoints, tuple(
            tuple(builder.apply("plus", one, doubt) for one in own) for own in estimates
        )

    def block(self, builder: Builder, results: Operands) -> Block:
        """The program for these results, with its literals in their places again."""
        body = live(tuple(builder.body), results)
        block = Block(self.function.block.params, body, results)
        return plain(restored(block, self.literals))


def _freed(asked: ErrorOptions) -> Callable[[Function], Decimals]:
    """The function that turns literals in error into inputs."""
    is_decimal = asked.literals == "decimal"
    if asked.known is None:
        return decimal if is_decimal else exact
    error = decimal_error if is_decimal else whole_error
    return partial(folded, known=asked.known, otherwise=error)


def copy_values(source: Builder, values: Operands, target: Builder) -> Operands:
    """Values of a program in another builder over the same inputs."""
    program = Function("", (), Block((), tuple(source.body), values), LEAF)
    env = copy_primal(program, target)
    return tuple(env.get(value, value) for value in values)
