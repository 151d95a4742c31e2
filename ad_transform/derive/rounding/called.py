"""Functions that are called, as far as their errors go: each has helpers of its own.

For adjoints of its values one gives those of its arguments and the totals of the model,
so that it counts all errors as if it were written out; see `called_back`.

One that calls itself would compute its values once more at each level. It has a helper
that gives the values with their partials and, for each value, the totals of the model
for an adjoint of 1. The value then is an operation that derivatives go through and that
brings its totals along: they count as often as its adjoint says.

Another helper gives the values with their intervals, for intervals of the arguments,
and whether rounding may decide which way it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.called_back import Back, swept_back
from ad_transform.derive.rounding.enclosure.arrays import known_beside
from ad_transform.derive.rounding.enclosure.interval import (
    NONE,
    ZERO,
    Interval,
    floating,
    pairs,
)
from ad_transform.derive.rounding.enclosure.propagation import Propagation
from ad_transform.derive.rounding.equations import with_roots
from ad_transform.derive.rounding.finishing import finished
from ad_transform.derive.rounding.inputs import InputError, Known, Rounded, Within
from ad_transform.derive.rounding.largest_errors import Rules
from ad_transform.derive.rounding.literals import Decimals, restored
from ad_transform.derive.rounding.model import Model
from ad_transform.derive.rounding.read_in_lists import read_in_lists
from ad_transform.derive.rounding.sources import (
    ABOVE,
    numbered,
    plain,
    with_elements,
)
from ad_transform.derive.rounding.sweep import alive, sweep
from ad_transform.elementals import TABLE
from ad_transform.elementals.calls import ERRED, GIVEN, OFF, WITHIN
from ad_transform.ir.blocks.dissolve import dissolved
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.called import callees_of, reached
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Call,
    Function,
    Literal,
    Operand,
    Parameter,
    Statement,
    Var,
    hint_of,
    one_or_tuple,
    walk,
)
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import FLOAT
from ad_transform.ir.unlike import claimed, unlike
from ad_transform.options import Options

Places = tuple[int, ...]
Made = TypeVar("Made")


def has_calls(function: Function) -> bool:
    """Whether a function calls others."""
    return any(isinstance(s, Call) for s in walk(function.body))


@dataclass(slots=True)
class Asked:
    """The places of arguments and of results that calls of each function ask for.

    `places` are those of arguments that all calls ask for, and `nonlinear` those of
    results that each asks for that asks for any.
    """

    places: dict[str, tuple[int, ...]] = field(default_factory=dict)
    nonlinear: dict[str, tuple[int, ...]] = field(default_factory=dict)
    seen: dict[str, dict[tuple[Places, Places], None]] = field(default_factory=dict)

    def entered(self, callee: str, places: Places, nonlinear: Places) -> Places:
        """Enter what a call asks for; gives the places of results for its helper."""
        self.seen.setdefault(callee, {})[places, nonlinear] = None
        return self.nonlinear.get(callee, nonlinear) if nonlinear else ()

    @property
    def are_several(self) -> bool:
        """Whether two calls of a function ask for different arguments, or results."""
        return any(
            len({p for p, _ in own}) > 1 or len({n for _, n in own if n}) > 1
            for own in self.seen.values()
        )

    def joined(self) -> Asked:
        """All that the calls of each function ask for, for each of them."""
        made = Asked()
        for callee, own in self.seen.items():
            made.places[callee] = tuple(sorted({k for p, _ in own for k in p}))
            made.nonlinear[callee] = tuple(sorted({k for _, n in own for k in n}))
        return made


@dataclass(slots=True, eq=False)
class Called:
    """The functions that a program calls, by name, and their helpers.

    `freed` frees the literals that are in error. `source` has for each helper the name
    of the function that it belongs to, `said` a line about it, `form` a word.
    """

    functions: Mapping[str, Function]
    rules: Rules
    options: Options
    freed: Callable[[Function], Decimals]
    helpers: dict[str, Function | None] = field(default_factory=dict)
    source: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    form: dict[str, str] = field(default_factory=dict)
    backs: dict[tuple[object, ...], str] = field(default_factory=dict)
    swept: set[str] = field(default_factory=set)  # arrays matter to their calls
    sure: set[str] = field(default_factory=set)  # helpers without decisions
    asked: Asked = field(default_factory=Asked)
    _numbered: dict[str, Function] = field(default_factory=dict)
    _recursive: dict[str, bool] = field(default_factory=dict)

    def numbered(self, name: str) -> Function:
        """A function in which only operations on numbers err; raises ValueError for an
        unknown one.
        """
        if name not in self.functions:
            raise ValueError(f"cannot estimate the errors of {name!r}: not given")
        if name not in self._numbered:
            self._numbered[name] = read_in_lists(numbered(self.functions[name]))
        return self._numbered[name]

    def is_recursive(self, name: str) -> bool:
        """Whether a function calls itself, directly or through others."""
        if not self._recursive:
            callees = {f.name: callees_of(f) for f in self.functions.values()}
            self._recursive.update((f, f in reached(callees, f)) for f in callees)
        self.numbered(name)
        return self._recursive[name]

    def used(self, block: Block) -> tuple[Function, ...]:
        """The helpers that a program calls, each behind those that it calls."""
        found: dict[str, Function] = {}
        begun: set[str] = set()

        def follow(body: Sequence[Statement]) -> None:
            for statement in walk(tuple(body)):
                if isinstance(statement, Call) and statement.callee not in begun:
                    begun.add(statement.callee)
                    helper = self._helper(statement.callee)
                    follow(helper.body)
                    found[statement.callee] = helper

        follow(block.body)
        return tuple(found.values())

    def forms(self, helpers: Iterable[str]) -> dict[str, list[str]]:
        """The forms of some helpers, by the functions that they belong to."""
        found: dict[str, set[str]] = {}
        for name in helpers:
            if name in self.form:
                found.setdefault(self.source[name], set()).add(self.form[name])
        return {name: sorted(own) for name, own in found.items()}

    def _helper(self, name: str) -> Function:
        """A helper under its name; that of a function itself gives its values."""
        made = self.helpers.get(name)
        if made is None:
            function = with_roots(self.numbered(name), self.options)
            builder = Builder(TABLE, LAWS_TO_THE_BIT)
            env = copy_primal(alive(function), builder, self.options.powers)
            results = tuple(env.get(r, r) for r in function.results)
            made = _finished(name, function, (), builder, results, {})
            self.said[name] = f"{name.lstrip('_')}, for the functions that call it."
            self.helpers[name] = made
        return made

    # --- adjoints -------------------------------------------------------------------

    def settled(self, make: Callable[[], Made]) -> Made:
        """What is made with calls of helpers; made once more where two calls of a
        function want adjoints of different arguments: then one helper gives all.
        """
        helpers, backs = {**self.helpers}, {**self.backs}
        self.asked = Asked()
        made = make()
        if not self.asked.are_several:
            return made
        self.helpers, self.backs = helpers, backs
        self.asked = self.asked.joined()
        return make()

    def places(self, call: Call, places: Places) -> Places:
        """The places of the arguments whose adjoints a helper gives: these and more."""
        return self.asked.places.get(call.callee, places)

    def parameter(self, call: Call, place: int) -> Var:
        """The value in the callee of an argument."""
        return self.functions[call.callee].block.params[place]

    def back(
        self,
        call: Call,
        model: Model,
        places: Places,
        nonlinear: Places,
    ) -> str:
        """The helper for the adjoints of the arguments at some places, then the totals
        of a model; the results at others may be used nonlinearly.
        """
        callee = call.callee
        nonlinear = self.asked.entered(callee, places, nonlinear)
        key = callee, type(model), places, nonlinear, call.changes
        if key not in self.backs:
            name = unlike(f"{callee}_{type(model).__name__.lower()}", self.helpers)
            function, literals = self._prepared(callee)
            params = [function.block.params[k] for k in places]
            names = ", ".join(p.hint for p in params)
            gives = f"adjoints of {names}, and rounding errors" if names else ""
            said = f"{gives or 'rounding errors'}, by adjoints of its values"
            self._begin(name, callee, f": {said}", "adjoint")
            self.backs[key] = name
            function = with_elements(self.linked(function, model), {})
            changed = call.changes, self.options
            asked = Back(function, places, nonlinear, *changed)
            bars, builder, results = swept_back(asked, model, self)
            own = _finished(name, function, bars, builder, results, literals, 0)
            self.helpers[name] = own
        return self.backs[key]

    def linked(self, function: Function, model: Model) -> Function:
        """The function with calls of helpers for partials and totals of a model in the
        place of those that call themselves.
        """
        if not has_calls(function):
            return function
        return replace(function, block=bounce(self._linked(function.block, model)))

    def _has_partials(self, name: str) -> bool:
        """Whether calls of a function have partials: it calls itself, with numbers."""
        return name not in self.swept and self.is_recursive(name)

    def _linked(self, block: Block, model: Model) -> Task[Block]:
        body: list[Statement] = []
        for statement in block.body:
            if isinstance(statement, Call) and self._has_partials(statement.callee):
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
        self._begin(name, callee, " with partials and rounding errors", "partials")
        function, literals = self._prepared(callee)
        params = [p for p in function.block.params if p.type.is_real_number]
        adjoints, _ = sweep(
            self.linked(function, model),
            {param: Rounded() for param in params},
            self.options,
            model,
            self,
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

    def _begin(self, name: str, callee: str, said: str, form: str) -> None:
        self.helpers[name] = None
        self.source[name] = callee
        self.form[name] = form
        self.said[name] = f"{callee.lstrip('_')}{said}."

    def _prepared(self, callee: str) -> tuple[Function, Mapping[Var, Literal]]:
        """A function with inexact values for its literals in error; raises ValueError
        for an unknown function.
        """
        decimals = self.freed(with_roots(self.numbered(callee), self.options))
        off = tuple(
            _off(value, decimals.literals[value], known)
            for value, known in decimals.errors.items()
        )
        function = decimals.function
        block = replace(function.block, body=(*off, *function.body))
        return replace(function, block=block), decimals.literals

    # --- intervals ------------------------------------------------------------------

    def callee(self, call: Call) -> Function:
        """The function that is called, or that a helper which is called belongs to."""
        return self.functions[self.source.get(call.callee, call.callee)]

    def enclosed(self, call: Call, places: Places) -> str:
        """The helper that gives intervals for a call with intervals of the arguments at
        some places.
        """
        callee = self.source.get(call.callee, call.callee)
        key = callee, "enclosure", places
        if key not in self.backs:
            name = unlike(f"{callee}_enclosure", self.helpers)
            said = " with enclosures of its rounding errors"
            self._begin(name, callee, said, "enclosure")
            self.backs[key] = name
            self.helpers[name] = self._enclosing(name, callee, places)
        return self.backs[key]

    def may_doubt(self, helper: str) -> bool:
        """Whether a helper that gives intervals may find that rounding decides."""
        return helper not in self.sure

    def _enclosing(self, name: str, callee: str, places: Places) -> Function:
        function, literals = self._prepared(callee)
        source = Builder(TABLE, LAWS_TO_THE_BIT)
        env = copy_primal(alive(function), source, self.options.powers)
        values = tuple(env.get(r, r) for r in function.results)
        builder = Builder(TABLE, LAWS_TO_THE_BIT)
        propagation = Propagation(builder, self.rules, True, self)
        params = [function.block.params[k] for k in places]
        sides = pairs(params)
        for param, center, radius in zip(params, sides[::2], sides[1::2], strict=True):
            propagation.intervals[param] = Interval(center, radius)
        bounce(propagation.run(live(tuple(source.body), values)))
        results = list(values)
        for value in (v for v in values if v.type.is_real):
            interval = propagation.intervals.get(value, NONE)
            if value.type.is_array:
                interval = known_beside(propagation, value)
            results += (floating(interval.center), floating(interval.radius))
        results.append(propagation.doubt)
        if propagation.doubt == ZERO:
            self.sure.add(name)
        return _finished(name, function, sides, builder, results, literals)


def _off(value: Var, literal: Literal, own: InputError) -> Apply:
    """A value that is a literal in error."""
    if isinstance(own, Known):
        return Apply(value, OFF, (literal, Literal(own.error), Literal(0.0)))
    assert isinstance(own, Within) and isinstance(literal.value, float)
    most = own.absolute + own.relative * abs(literal.value)
    return Apply(value, WITHIN, (literal, Literal(most * ABOVE)))


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
    primal: int | None = None,
) -> Function:
    """The helper that gives these results; `more` are additional parameters. The first
    results, `primal` of them, are those of the function.
    """
    taken = {parameter.name for parameter in function.parameters}
    own = (Parameter(claimed(v.hint, taken), (v,)) for v in more)
    parameters = (*function.parameters, *own)
    values = tuple(v for p in parameters for v in p.vars)
    ends = tuple(results)
    block = Block(values, live(tuple(builder.body), ends), ends)
    nest = one_or_tuple(len(ends))
    made = restored(plain(block), literals)
    count = len(function.results) if primal is None else primal
    return finished(dissolved(Function(name, parameters, made, nest, count)))
