"""Enclosures of the exact result: mean values over intervals, with residuals.

The error of a value, computed less exact, is propagated with it as center and
radius (Kubota & Iri 1991, the mean-value argument; Rump's midpoint and radius): the
center is what residuals and partials say, the radius bounds everything else, second
order, roundings of the center and library functions included. Rigorous for
round-to-nearest, given the table of errors of library functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.enclosure.interval import NONE
from ad_transform.derive.rounding.enclosure.propagation import Propagation
from ad_transform.derive.rounding.inputs import Inputs
from ad_transform.derive.rounding.largest_errors import Rules
from ad_transform.derive.rounding.sweep import alive
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Function, Operand, Statement
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.trampoline import bounce
from ad_transform.options import Options


def enclosure(
    function: Function, inputs: Inputs, options: Options, rules: Rules
) -> tuple[Builder, tuple[Operand, ...], tuple[Operand, ...], tuple[Operand, ...]]:
    """The results of a function with the lower and upper ends of their enclosures."""
    source = Builder(TABLE, LAWS_TO_THE_BIT)
    env = copy_primal(alive(function), source, options.powers)
    results = tuple(env.get(r, r) for r in function.results)
    body = live(tuple(source.body), results)
    propagation = Propagation(Builder(TABLE, LAWS_TO_THE_BIT), rules)
    for value, own in inputs.items():
        propagation.intervals[value] = propagation.of_input(value, own)
    bounce(propagation.run(body))
    ends = [propagation.intervals.get(r, NONE) for r in results]
    low = tuple(propagation.end("low", interval) for interval in ends)
    high = tuple(propagation.end("high", interval) for interval in ends)
    return propagation.builder, results, low, high


def doubts(
    builder: Builder, body: Sequence[Statement], inputs: Inputs, rules: Rules
) -> Operand:
    """Infinite where rounding may decide which way a program in the builder takes, by a
    margin smaller than the errors of what is compared; else 0.
    """
    propagation = Propagation(builder, rules, watching=True)
    for value, own in inputs.items():
        propagation.intervals[value] = propagation.of_input(value, own)
    bounce(propagation.follow(body))
    return propagation.doubt
