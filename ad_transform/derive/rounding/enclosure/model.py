"""Enclosures of the exact result: mean values over intervals, with residuals.

The error of a value, computed less exact, is propagated with it as center and radius
(Kubota & Iri 1991, the mean-value argument; Rump's midpoint and radius): the center is
made of residuals and partials, the radius bounds everything else, second order,
roundings of the center and library functions included. Rigorous for round-to-nearest,
given the table of errors of library functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.enclosure.interval import NONE, Interval
from ad_transform.derive.rounding.enclosure.propagation import Calls, Propagation
from ad_transform.derive.rounding.inputs import Inputs
from ad_transform.derive.rounding.largest_errors import Rules
from ad_transform.derive.rounding.sources import CALLED, plain
from ad_transform.derive.rounding.sweep import alive
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Call,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.trampoline import bounce
from ad_transform.options import Options


def enclosure(
    function: Function, inputs: Inputs, options: Options, rules: Rules, calls: Calls
) -> tuple[Builder, tuple[Operand, ...], tuple[Operand, ...], tuple[Operand, ...]]:
    """The results of a function with the lower and upper ends of their enclosures."""
    source = Builder(TABLE, LAWS_TO_THE_BIT)
    env = copy_primal(alive(function), source, options.powers)
    results = tuple(env.get(r, r) for r in function.results)
    body = live(tuple(source.body), results)
    everywhere = hides_steps(body)
    propagation = Propagation(Builder(TABLE, LAWS_TO_THE_BIT), rules, everywhere, calls)
    for value, own in inputs.items():
        propagation.intervals[value] = propagation.of_input(value, own)
    bounce(propagation.run(body))
    ends = [_in_doubt(propagation, r) for r in results]
    low = tuple(propagation.end("low", interval) for interval in ends)
    high = tuple(propagation.end("high", interval) for interval in ends)
    return propagation.builder, results, low, high


def hides_steps(body: Sequence[Statement]) -> bool:
    """Whether arrays, or loops over whole numbers and tests, hand on values that
    rounding may have decided: nobody sees then which values that reaches.
    """
    return any(
        out.type.dims
        or not out.type.is_real
        or (isinstance(statement, Call) and out.type.shape)
        for statement in walk(tuple(body))
        for out in _handed_on(statement)
    )


def _handed_on(statement: Statement) -> tuple[Var, ...]:
    if isinstance(statement, Scan | While | Call):
        return statement.outs
    return tuple(out for out in statement.outs if out.type.dims)


def _in_doubt(propagation: Propagation, result: Operand) -> Interval:
    """The interval of a result, unknown if there is a doubt that reaches everything."""
    interval = propagation.intervals.get(result, NONE)
    if not propagation.watching:
        return interval
    radius = propagation.total(interval.radius, propagation.doubt)
    return Interval(interval.center, radius)


def doubts(
    builder: Builder,
    body: Sequence[Statement],
    inputs: Inputs,
    rules: Rules,
    calls: Calls,
) -> Operand:
    """Infinite if rounding may decide the way that a program in the builder takes: if a
    margin is smaller than the errors of the compared values. Else 0.
    """
    propagation = Propagation(builder, rules, True, calls)
    for value, own in inputs.items():
        propagation.intervals[value] = propagation.of_input(value, own)
    if any(out.type.dims for s in walk(tuple(body)) for out in s.outs):
        # arrays that the program has changed are gone: it is gone through again
        outs = tuple(out for statement in body for out in statement.outs)
        block = plain(Block((), tuple(body), outs), CALLED)
        again = Function("", (), block, LEAF, len(outs))
        copy = builder.inner()
        copy_primal(again, copy)
        bounce(propagation.run(copy.body))
    else:
        bounce(propagation.follow(body))
    return propagation.doubt
