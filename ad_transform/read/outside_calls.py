"""Calls of functions that are not looked into: numbers and arrays in and out."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal, Nest, Parameter
from ad_transform.ir.types import FLOAT
from ad_transform.read.arguments import Unfit
from ad_transform.read.context import Context
from ad_transform.read.drafts import DraftCall
from ad_transform.read.grids import SMALL, Grid, grid_of, shape_text
from ad_transform.read.values import (
    Draft,
    External,
    Group,
    Number,
    Special,
    Value,
    describe,
)


def called(
    flat: Context, callee: External, names: Mapping[str, Value], span: Span
) -> Value:
    """The result of a function that is not looked into."""
    given: list[Number] = []
    for parameter in callee.function.parameters:
        value = names[parameter.name]
        try:
            grid = grid_of(flat, value, span)
        except Unfit:
            grid = None
        if value is Special.REFUSED:
            return value
        wrong = _misfit(grid, parameter, value)
        if wrong:
            code = callee.closure.code
            message = f"{code.name!r} takes {wrong} for {parameter.name!r}"
            help_ = f"give it numbers, or an array of at most {SMALL} elements"
            return flat.refuse("AD107", message, span, help_)
        assert grid is not None
        given += (item for item in grid.items if isinstance(item, Draft | Literal))
    outs: list[Draft] = []
    value = _made_of(callee.function.nest, outs, span)
    base = callee.closure.code.name
    for k, out in enumerate(outs, 1):
        out.hint = base if len(outs) == 1 else f"{base}_{k}"
    flat.add(DraftCall(tuple(outs), callee.function.name, tuple(given), raises=False))
    return value


def _misfit(grid: Grid | None, parameter: Parameter, value: Value) -> str:
    """How a value differs from what a parameter takes; empty where it does not."""
    wanted = shape_of_nest(parameter.nest)
    if grid is None:
        what = f"an array of shape {shape_text(wanted)}" if wanted else "a number"
        return f"{what}, not {describe(value)}"
    if grid.shape != wanted:
        texts = map(shape_text, (wanted, grid.shape))
        return " and not ".join(f"shape {text}" for text in texts)
    return ""


def shape_of_nest(nest: Nest) -> tuple[int, ...]:
    """The shape of an array, none for a number."""
    if nest.is_leaf:
        return ()
    return (len(nest.items), *shape_of_nest(nest.items[0]))


def _made_of(nest: Nest, outs: list[Draft], span: Span) -> Value:
    if nest.container is None:
        outs.append(Draft(FLOAT, span))
        return outs[-1]
    items = tuple(_made_of(item, outs, span) for item in nest.items)
    return Group(nest.container, items, span)
