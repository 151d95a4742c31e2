"""`expand`: the function itself, its derivative operators written out.

The result is one program in the end: values, derivatives, and values made of these,
simplified and factored together. Results that no operator has a share in are sacred;
every operator is derived in some order, and the orders are chosen for the program as a
whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.kinds.kinds import Derived, Specification, derive
from ad_transform.derive.kinds.kinks import kinks_of
from ad_transform.derive.operators.combined import combined
from ad_transform.derive.operators.operators import Expander
from ad_transform.derive.operators.tidy import Order, tidy
from ad_transform.derive.request import Derivation, Request
from ad_transform.ir.blocks.blocks import shape
from ad_transform.ir.nodes import (
    LEAF,
    Derivative,
    Function,
    group,
    has_operators,
    walk,
)
from ad_transform.options import Options, weights_of

ORDERS = ("forward", "reverse", "markowitz")
"""Orders that all operators of a function are tried in, beside the cheapest of each."""

LONG = 500
"""Statements of a function from which on none of ORDERS is tried."""


def without_operators(
    function: Function, helpers: Sequence[Function], options: Options
) -> tuple[Function, tuple[Function, ...]]:
    """A function with code in the place of its operators, and the functions that it
    calls.
    """
    if not has_operators((function, *helpers)):
        return function, tuple(helpers)
    expander = Expander(options)
    for helper in helpers:
        expander.calls.functions[helper.name] = expander.function(helper)
    made = expander.function(function)
    return made, tuple(expander.calls.functions.values())


def expanded(specification: Specification) -> Derived:
    """The function with its operators written out, at the least price."""
    function = specification.function
    order = Order.of(function.block)
    nest = group((LEAF,) * len(function.results))
    block = order.applied(function.block)
    parted = replace(function, block=block, nest=nest, primal=order.sacred)
    weights = weights_of(specification.options.cost)
    found = [_made(specification, *way) for way in _ways(specification, parted)]
    best = min(found, key=lambda made: made.counts.price(weights))
    block = order.undone(best.function.block)
    made = replace(best.function, block=block, nest=function.nest)
    whole = replace(made, primal=min(order.leading, order.sacred))
    kinks = _kinks(specification)
    return replace(best, function=whole, kinks=kinks, trails=(), rivals={})


def _ways(
    specification: Specification, function: Function
) -> Iterator[tuple[Function, Options]]:
    """The programs and options to try: combinations of derivatives as they stand and as
    derivatives of combinations. With `auto`, and if the function is not long, each
    order for all operators.
    """
    options = specification.options
    fewer = replace(function, block=combined(function.block))
    programs = (function,) if _is_same(function, fewer) else (fewer, function)
    statements = sum(1 for _ in walk(function.body))
    orders = [options]
    if options.order == "auto" and statements < LONG and options.effort > 0:
        orders += (options.override(order=order) for order in ORDERS)
    for program in programs:
        for own in orders:
            yield program, own


def _is_same(function: Function, other: Function) -> bool:
    return shape(function.block) == shape(other.block)


def _made(
    specification: Specification, function: Function, options: Options
) -> Derived:
    raw, helpers = without_operators(function, specification.helpers, options)
    return derive(
        raw,
        specification.kind,
        (),
        value=True,
        name=specification.name,
        options=specification.options,
        span=specification.span,
        helpers=helpers,
    )


def simplified(r: Request) -> Derivation:
    """The program simplified and factored, but for its sacred results."""
    outcome = tidy(r)
    count = r.function.primal
    return r.derivation(outcome, r.function.nest, (), count, ())


def _kinks(specification: Specification) -> tuple[str, ...]:
    every = (specification.function, *specification.helpers)
    own = [s for f in every for s in walk(f.body) if isinstance(s, Derivative)]
    return kinks_of([(s.block, s.block.params[: s.count]) for s in own])
