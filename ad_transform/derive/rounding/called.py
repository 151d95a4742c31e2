"""Functions that are called, as far as their errors go: each has helpers of its own.

One gives the values with their partials and, for each value, the totals of the model
for an adjoint of 1. The value then is an operation that derivatives go through and that
brings its totals along: they count as often as its adjoint says. The other gives the
values with their intervals, for intervals of the arguments, and whether rounding may
decide which way it takes. Both call themselves where the function does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.enclosure.interval import (
    NONE,
    Interval,
    floating,
    pairs,
)
from ad_transform.derive.rounding.enclosure.propagation import Propagation
from ad_transform.derive.rounding.equations import with_roots
from ad_transform.derive.rounding.inputs import Known, Rounded
from ad_transform.derive.rounding.largest_errors import Rules
from ad_transform.derive.rounding.literals import Decimals, restored
from ad_transform.derive.rounding.model import Model
from ad_transform.derive.rounding.sources import numbered, plain
from ad_transform.derive.rounding.sweep import alive, sweep
from ad_transform.elementals import TABLE
from ad_transform.elementals.calls import ERRED, GIVEN, OFF
from ad_transform.ir.blocks.dissolve import dissolved
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Call,
    Function,
    Literal,
    Operand,
    Parameter,
    Statement,
    Var,
    group,
    hint_of,
    walk,
)
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import FLOAT
from ad_transform.ir.unlike import claimed
from ad_transform.options import Options


def has_calls(function: Function) -> bool:
    """Whether a function calls others."""
    return any(isinstance(s, Call) for s in walk(function.body))


@dataclass(slots=True, eq=False)
class Called:
    """The functions that a program calls, by name, and their helpers.

    `freed` frees the literals that are in error. `source` has for each helper the name
    of the function that it belongs to, `said` a line about it.
    """

    functions: Mapping[str, Function]
    rules: Rules
    options: Options
    freed: Callable[[Function], Decimals]
    helpers: dict[str, Function | None] = field(default_factory=dict)
    source: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)

    def used(self, block: Block) -> tuple[Function, ...]:
        """The helpers that a program calls, each behind those that it calls."""
        found: dict[str, Function] = {}
        begun: set[str] = set()

        def follow(body: Sequence[Statement]) -> None:
            for statement in walk(tuple(body)):
                if isinstance(statement, Call) and statement.callee not in begun:
                    begun.add(statement.callee)
                    helper = self.helpers[statement.callee]
                    assert helper is not None
                    follow(helper.body)
                    found[statement.callee] = helper

        follow(block.body)
        return tuple(found.values())

    # --- adjoints -------------------------------------------------------------------

    def linked(self, function: Function, model: Model) -> Function:
        """The function with calls of helpers for partials and totals of a model."""
        if not has_calls(function):
            return function
        return replace(function, block=bounce(self._linked(function.block, model)))

    def _linked(self, block: Block, model: Model) -> Task[Block]:
        body: list[Statement] = []
        for statement in block.body:
            if isinstance(statement, Call):
                body += self._link(statement, model)
                continue
            inner: list[Block] = []
            for own in statement.blocks:
                inner.append((yield self._linked(own, model)))
            outs, inputs = statement.outs, statement.inputs
            body.append(statement.rebuilt(outs, inputs, tuple(inner)))
        return replace(block, body=tuple(body))

    def _link(self, call: Call, model: Model) -> Iterator[Statement]:
        name = self._with_totals(call.callee, model)
        params = self.functions[call.callee].block.params
        pairs_ = zip(params, call.args, strict=True)
        real = [arg for param, arg in pairs_ if param.type.is_real_number]
        outs: list[Var] = []
        more: list[Var] = []
        behind: list[Statement] = []
        for out in call.outs:
            if not out.type.is_real:
                outs.append(out)
                continue
            value, given = Var(FLOAT, out.hint, out.span), Var(FLOAT, out.hint)
            slopes = [Var(FLOAT, _slope(out, arg)) for arg in real]
            totals = [Var(FLOAT, out.hint and f"{out.hint}_{n}") for n in model.names]
            outs.append(value)
            more += (*slopes, *totals)
            by = [(a, s) for a, s in zip(real, slopes, strict=True) if _varies(a)]
            args = (*(a for a, _ in by), *(slope for _, slope in by))
            behind.append(Apply(given, GIVEN, (value, *args)))
            behind.append(Apply(out, ERRED, (given, *totals)))
        yield Call((*outs, *more), name, call.args, inert=True, raises=call.raises)
        yield from behind

    def _with_totals(self, callee: str, model: Model) -> str:
        """The helper that gives partials and totals."""
        name = f"{callee}_{type(model).__name__.lower()}"
        if name in self.helpers:
            return name
        self._begin(name, callee, "partials and rounding errors")
        function, literals = self._prepared(callee)
        params = [p for p in function.block.params if p.type.is_real_number]
        adjoints, _ = sweep(
            self.linked(function, model),
            {param: Rounded() for param in params},
            self.options,
            model,
            function.results,
        )
        builder, results = adjoints.builder, list(adjoints.results)
        for k, result in enumerate(function.results):
            if result.type.is_real:
                results += adjoints.matrix[k][len(adjoints.places) :]
                results += model.gathered(
                    builder, adjoints.found(k), adjoints.totals[k], adjoints.grown
                )
        self.helpers[name] = _finished(name, function, (), builder, results, literals)
        return name

    def _begin(self, name: str, callee: str, gives: str) -> None:
        self.helpers[name] = None
        self.source[name] = callee
        self.said[name] = f"{callee.lstrip('_')} with {gives}."

    def _prepared(self, callee: str) -> tuple[Function, Mapping[Var, Literal]]:
        """A function with inexact values for its literals in error; raises ValueError
        for an unknown function.
        """
        if callee not in self.functions:
            raise ValueError(f"cannot estimate the errors of {callee!r}: not given")
        decimals = self.freed(
            with_roots(numbered(self.functions[callee]), self.options)
        )
        off = tuple(
            Apply(
                value,
                OFF,
                (decimals.literals[value], Literal(known.error), Literal(0.0)),
            )
            for value, known in decimals.errors.items()
            if isinstance(known, Known)  # nothing is folded in callees
        )
        function = decimals.function
        block = replace(function.block, body=(*off, *function.body))
        return replace(function, block=block), decimals.literals

    # --- intervals ------------------------------------------------------------------

    def enclosed(self, call: Call) -> tuple[str, Function]:
        """The helper that gives intervals for a call, and the function called."""
        callee = self.source.get(call.callee, call.callee)
        name = f"{callee}_enclosure"
        if name not in self.helpers:
            self._begin(name, callee, "enclosures of its rounding errors")
            self.helpers[name] = self._enclosing(name, callee)
        return name, self.functions[callee]

    def _enclosing(self, name: str, callee: str) -> Function:
        function, literals = self._prepared(callee)
        source = Builder(TABLE, LAWS_TO_THE_BIT)
        env = copy_primal(alive(function), source, self.options.powers)
        values = tuple(env.get(r, r) for r in function.results)
        builder = Builder(TABLE, LAWS_TO_THE_BIT)
        propagation = Propagation(builder, self.rules, True, self)
        params = [p for p in function.block.params if p.type.is_real_number]
        sides = pairs(params)
        for param, center, radius in zip(params, sides[::2], sides[1::2], strict=True):
            propagation.intervals[param] = Interval(center, radius)
        bounce(propagation.run(live(tuple(source.body), values)))
        results = list(values)
        for value in (v for v in values if v.type.is_real):
            interval = propagation.intervals.get(value, NONE)
            results += (floating(interval.center), floating(interval.radius))
        results.append(propagation.doubt)
        return _finished(name, function, sides, builder, results, literals)


def _varies(arg: Operand) -> bool:
    return isinstance(arg, Var)


def _slope(out: Var, arg: Operand) -> str:
    """The name of a partial."""
    name = hint_of(arg)
    return f"d{out.hint}_d{name}" if out.hint and name else ""


def _finished(
    name: str,
    function: Function,
    more: Sequence[Var],
    builder: Builder,
    results: Sequence[Operand],
    literals: Mapping[Var, Literal],
) -> Function:
    """The helper that gives these results; `more` are additional parameters."""
    taken = {parameter.name for parameter in function.parameters}
    own = (Parameter(claimed(v.hint, taken), (v,)) for v in more)
    parameters = (*function.parameters, *own)
    values = tuple(v for p in parameters for v in p.vars)
    ends = tuple(results)
    block = Block(values, live(tuple(builder.body), ends), ends)
    nest = group((LEAF,) * len(ends))
    made = restored(plain(block), literals)
    return dissolved(Function(name, parameters, made, nest, len(function.results)))
