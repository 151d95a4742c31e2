"""Functions in two parts: values that parameters alone decide are computed once, in a
setup.

Relies on a derived function as it is printed; only moves its statements. So `f_grad(x,
k)` becomes `f_grad(x, setup)`, where `setup` is `f_grad_setup(k)`: the values that
depend on no independent and no seed and that the rest reads (Yoshida 1989, parameter
split; contract, rule 17). In loops only a value that is the same in all trips is such a
value; in the arms of branches there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import LENGTHS
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count
from ad_transform.ir.dims import ANY, Dim
from ad_transform.ir.held import held_bundle
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Bundle,
    Check,
    Function,
    Operand,
    Parameter,
    Passing,
    Statement,
    Var,
    one_or_tuple,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.later import later

with later():
    from ad_transform.derive.constants.regrouped import regrouped
    from ad_transform.derive.wholes.returned import owned
    from ad_transform.elementals.copies import copy_of

SETUP = "setup"
"""The name of the parameter for the result of the setup."""


def split(made: Derived, source: Function, span: Span) -> Derived:
    """The derived function behind its setup; linear but for arrays.

    Raises Refusal AD022 where every parameter is an independent.
    """
    function = made.function
    own = {p.name for p in source.parameters} - {*made.independents, made.vector}
    given = [p for p in function.parameters if p.name in own]
    if all(p.passing is Passing.MODULE for p in given):
        message = f"all parameters of {source.name!r} are independents"
        help_ = "name the independents: `gradient(x, split=True)`"
        raise Refusal(Diagnostic("AD022", message, span, help_))
    function = regrouped(function, [v for p in given for v in p.vars])
    early = _early(function, [v for p in given for v in p.vars])
    late = [s for s in function.body if s not in early]
    read = {o for s in late for o in s.inputs}.union(function.results)
    constants = [p for p in given if p.passing is Passing.MODULE]
    held = {v for p in constants for v in p.vars}
    passed = tuple(
        v
        for v in _bound(given, early)
        if v in read and v not in held and isinstance(v, Var)
    )
    setup = _setup(f"{function.name}_setup", given, early, passed)
    rest = _rest(function, given, constants, passed, late)
    held_bundle(Bundle(rest, (*made.before, setup)))
    shown = ", ".join(p.name for p in given if p.passing is not Passing.MODULE)
    return replace(
        made,
        function=rest,
        counts=count(rest),
        before=(*made.before, setup),
        setup=f"{setup.name}({shown})",
    )


def _bound(given: Sequence[Parameter], early: Iterable[Statement]) -> list[Var]:
    values = [v for p in given for v in p.vars]
    return [*values, *(out for s in early for out in s.outs)]


def _setup(
    name: str,
    given: Sequence[Parameter],
    early: Iterable[Statement],
    passed: tuple[Var, ...],
) -> Function:
    values = tuple(v for p in given for v in p.vars)
    body = list(live(tuple(early), passed))
    results = owned(body, passed)
    block = Block(values, tuple(body), results)
    nest = one_or_tuple(len(passed))
    return Function(name, tuple(given), block, nest, len(passed))


def _rest(
    function: Function,
    given: Sequence[Parameter],
    constants: Sequence[Parameter],
    passed: tuple[Var, ...],
    late: Sequence[Statement],
) -> Function:
    """The function that takes the setup as its last parameter, instead of others."""
    kept = [p for p in function.parameters if p not in given]
    only = any(p.passing is Passing.KEYWORD_ONLY for p in kept)
    passing = Passing.KEYWORD_ONLY if only else Passing.ANY
    if not only:
        kept = [replace(p, default=None) for p in kept]
    nest = one_or_tuple(len(passed))
    last = Parameter(SETUP, passed, nest, passing=passing)
    parameters = (*kept, last, *constants)
    values = tuple(v for p in parameters for v in p.vars)
    own = [v for p in kept for v in p.vars]
    body = [*_agreeing(own, passed), *_on_copies(passed, late)]
    results = owned(body, function.results)
    block = Block(values, tuple(body), results)
    return replace(function, parameters=parameters, block=block)


def _agreeing(own: Sequence[Var], passed: Sequence[Var]) -> Iterator[Statement]:
    """Checks that arrays of the setup are as long as the arrays that are passed."""
    seen: dict[Dim, tuple[Var, int]] = {}
    for var in own:
        for axis, dim in enumerate(var.type.shape):
            seen.setdefault(dim, (var, axis))
    for var in passed:
        for axis, dim in enumerate(var.type.shape):
            if dim == ANY or isinstance(dim, int) or dim not in seen:
                continue
            first, place = seen.pop(dim)
            builder = Builder(TABLE, LAWS)
            one = builder.apply(LENGTHS[place], first)
            other = builder.apply(LENGTHS[axis], var)
            test = builder.apply("eq", one, other)
            message = (f"{first.hint} has length ", one, ", not ", other)
            yield from builder.body
            yield Check(test, message, error="ValueError")


def _on_copies(
    passed: Sequence[Var], late: Sequence[Statement]
) -> tuple[Statement, ...]:
    """The statements over copies of the arrays of the setup that they change."""
    changed = Consumption().by_all(late)
    copies = {v: copy_of(v, v.span) for v in passed if v in changed}
    env: dict[Operand, Operand] = {v: copy.out for v, copy in copies.items()}
    return (*copies.values(), *(s.over(env) for s in late))


# --- early statements -------------------------------------------------------------


def _early(function: Function, given: Sequence[Var]) -> dict[Statement, None]:
    """The statements that the given values alone decide, in order."""
    arrays = _Arrays(function)
    late: set[Statement] = set()
    while True:
        known: set[Operand] = set(given)
        early: dict[Statement, None] = {}
        for statement in function.body:
            reads = (o for o in statement.inputs if isinstance(o, Var))
            if statement not in late and known.issuperset(reads):
                early[statement] = None
                known.update(statement.outs)
        more = arrays.moved(early, known) - late
        if not more:
            return early
        late |= more


class _Arrays:
    """The statements that make and that change the arrays of a function."""

    def __init__(self, function: Function) -> None:
        consumption = Consumption()
        self.function = function
        self.makers: dict[Operand, Statement] = {
            out: s for s in function.body for out in s.outs if out.type.dims
        }
        self.changers: dict[Operand, list[Statement]] = {}
        for statement in function.body:
            for array in consumption.by(statement):
                self.changers.setdefault(array, []).append(statement)

    def moved(
        self, early: dict[Statement, None], known: set[Operand]
    ) -> set[Statement]:
        """The early statements that have to be late: they change an array that is read
        behind them, or make one that is given back.
        """
        late = [s for s in self.function.body if s not in early]
        read = {o for s in late for o in s.inputs if o.type.dims and o in known}
        ends = {r for r in self.function.results if r.type.dims and r in known}
        found = {self.makers[array] for array in ends if array in self.makers}
        for array in read:
            changers = self.changers.get(array, ())
            maker = self.makers.get(array)
            found.update(changers)
            if changers and maker is not None and _is_new(maker):
                found.add(maker)
        return found.intersection(early)


def _is_new(statement: Statement) -> bool:
    """Whether a statement makes a new array of nothing: that is as quick as a copy."""
    return isinstance(statement, Apply) and not any(a.type.dims for a in statement.args)
