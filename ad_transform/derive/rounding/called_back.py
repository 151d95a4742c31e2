"""The way back through a function that is called, as far as its errors go.

    x_bar, total, norm, largest = _step_linear(x, h, y_bar)

It computes the values once more, and then their adjoints: an operation that two results
depend on errs once, and counts once. Its caller adds the totals to its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.entries import adjoints, names_of
from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.hook import Backs, ErrorHook
from ad_transform.derive.rounding.model import Model
from ad_transform.derive.rounding.sweep import alive, relaid, reverse_unless_told
from ad_transform.derive.sweep.callees import bar_of, borne
from ad_transform.derive.sweep.context import Context
from ad_transform.derive.sweep.dependence import Dependence
from ad_transform.derive.sweep.hook import nothing
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.reverse import Asked, Reverse
from ad_transform.derive.sweep.solve import RULES
from ad_transform.derive.sweep.stacks import fresh_trips
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Function, Operand, Var
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.trampoline import bounce
from ad_transform.options import Options

Operands = tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Back:
    """A function, the places of the parameters whose adjoints are asked for, and those
    of the results that may be used nonlinearly. The arrays at the places `changes` are
    given back by the function, and copied here.
    """

    function: Function
    places: tuple[int, ...]
    nonlinear: tuple[int, ...]
    changes: tuple[int, ...]
    options: Options

    @property
    def columns(self) -> tuple[Var, ...]:
        """The parameters at the places."""
        return tuple(self.function.block.params[k] for k in self.places)

    def ends(self, results: Operands) -> Operands:
        """The values with adjoints that are given: the real ones among the results, and
        the arrays that are only read.
        """
        params = self.function.block.params
        types = [param.type for param in params]
        sums = borne(types, self.places, self.changes)
        real = (result for result in results if result.type.is_real)
        return (*real, *(params[k] for k in sums))


def swept_back(
    asked: Back, model: Model, called: Backs
) -> tuple[tuple[Var, ...], Builder, Operands]:
    """The adjoints given, and the program of those asked for and of the totals. Linear
    but for the sweep.
    """
    function, options = asked.function, asked.options
    source = Builder(TABLE, LAWS_TO_THE_BIT)
    env = copy_primal(alive(function), source, options.powers)
    results = tuple(env.get(r, r) for r in function.results)
    ends = asked.ends(results)
    body = live(tuple(source.body), results)
    outside = [results[k] for k in asked.nonlinear]
    hook = ErrorHook.of(model, body, asked.columns, called, outside, results)
    context = Context(
        reverse_unless_told(options),
        None,
        Dependence(hook.perturbs),
        "{}_bar",
        loops=fresh_trips(body),
        laws=LAWS_TO_THE_BIT,
    )
    bars = _bars(asked.ends(function.results))
    values = (v for s in body for v in (*s.inputs, *s.outs))
    sweep = Asked(
        body,
        asked.columns,
        tuple((end, (bar,)) for end, bar in zip(ends, bars, strict=True)),
        (*results, *hook.grown),  # the totals read these
        1,
        True,
        hook,
        nothing(hook, 1),
        lasting=[v for v in values if v.type.dims],
    )
    swept = bounce(Reverse(context, sweep).sweep(RULES))
    found = (*swept.adjoints[0], *swept.totals[0])
    whole = ordered((*swept.forth, *swept.back))
    made = {out for s in whole for out in s.outs}
    kept = [out for s in body for out in s.outs if out in made]
    builder, again = relaid(whole, kept, found)
    return bars, builder, tuple(again.get(v, v) for v in found)


def _bars(ends: Sequence[Operand]) -> tuple[Var, ...]:
    """Parameters for the adjoints of values."""
    names = adjoints(names_of(ends))
    pairs = zip(ends, names, strict=True)
    return tuple(Var(bar_of(end.type), name or "bar") for end, name in pairs)
