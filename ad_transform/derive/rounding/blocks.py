"""Estimates of functions with branches and loops."""

from __future__ import annotations

from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.enclosure.model import doubts
from ad_transform.derive.rounding.inputs import Inputs
from ad_transform.derive.rounding.largest_errors import Rules
from ad_transform.derive.rounding.reverse import ZERO, Gauge, Reverse, deciding
from ad_transform.derive.rounding.sweep import alive
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Function, Literal, Operand
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.options import Options

Operands = tuple[Operand, ...]


def through_blocks(
    function: Function, inputs: Inputs, options: Options, gauge: Gauge, rules: Rules
) -> tuple[Builder, Operands, tuple[Operands, ...]]:
    """A builder with the results and, in turn, their estimates by a model.

    All are infinite where rounding may decide which way the program takes. Linear in
    the program and in the number of its real results.
    """
    builder = Builder(TABLE, LAWS_TO_THE_BIT)
    env = copy_primal(alive(function), builder, options.powers)
    results = tuple(env.get(r, r) for r in function.results)
    builder.body = list(live(tuple(builder.body), results))
    primal = deciding(builder.body, results)
    sweep = Reverse(builder, gauge)
    sweep.forward(tuple(inputs))
    doubt = doubts(builder, primal, inputs, rules)
    rows = [_estimates(sweep, gauge, result, inputs, doubt) for result in results]
    return builder, results, tuple(zip(*rows, strict=True))


def _estimates(
    sweep: Reverse, gauge: Gauge, result: Operand, inputs: Inputs, doubt: Operand
) -> Operands:
    builder, held = sweep.builder, gauge.start
    if result.type.is_real:
        held = sweep.back((result,), (Literal(1.0),), held)
        for value, own in inputs.items():
            adjoint = sweep.adjoint(value)
            if adjoint != ZERO:
                held = gauge.bring(builder, held, value, own, adjoint)
    estimates = gauge.finish(builder, held)
    return tuple(builder.apply("plus", one, doubt) for one in estimates)
