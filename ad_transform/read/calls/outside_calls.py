"""Calls of functions that are not looked into: numbers and arrays in and out."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.ir.dims import ANY, Dim
from ad_transform.ir.dims import names as dim_names
from ad_transform.ir.nodes import Literal, Nest, Parameter
from ad_transform.ir.types import FLOAT, Type
from ad_transform.read.arrays import extents
from ad_transform.read.known.grids import SMALL, Grid, grid_of, shape_text
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCall
from ad_transform.read.values.callables import External
from ad_transform.read.values.described import describe
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes.wholes import agree, length, real, whole_of
from ad_transform.read.wholes.wholes import shape_text as dims_text


def called(
    flat: Context, callee: External, names: Mapping[str, Value], span: Span
) -> Value:
    """The result of a function that is not looked into."""
    given: list[Number] = []
    lengths: dict[str, tuple[Number, int]] = {}
    for parameter in callee.function.parameters:
        value = names[parameter.name]
        if value is not Special.REFUSED and parameter.vars[0].type.shape:
            try:
                given.append(_whole(flat, value, parameter.vars[0].type, lengths, span))
            except Unfit as unfit:
                name = callee.closure.code.name
                message = f"{parameter.name!r} of {name!r} {unfit}"
                return flat.refuse("AD107", message, span, unfit.help)
            continue
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
    first, *_ = callee.function.results
    if first.type.shape:
        meaning = {name: a.type.shape[k] for name, (a, k) in lengths.items()}
        value = Draft(_known(first.type, meaning), span)
        outs = [value]
    base = callee.closure.code.name
    for k, out in enumerate(outs, 1):
        out.hint = base if len(outs) == 1 else f"{base}_{k}"
    flat.add(DraftCall(tuple(outs), callee.function.name, tuple(given), raises=False))
    return value


def _whole(
    flat: Context,
    value: Value,
    type_: Type,
    lengths: dict[str, tuple[Number, int]],
    span: Span,
) -> Number:
    """A value as a whole array of a shape; `lengths` are axes with its named dims."""
    array = real(flat, whole_of(flat, value, span), span)
    if len(array.type.shape) != len(type_.shape):
        shapes = map(dims_text, (type_.shape, array.type.shape))
        raise Unfit("takes shape {} and not {}".format(*shapes), "give it that shape")
    for axis, length_ in enumerate(type_.shape):
        if isinstance(length_, int):
            extents.agree(flat, length(flat, array, axis, span), Literal(length_), span)
        elif length_ in lengths:
            agree(flat, *lengths[length_], array, axis, span)
        else:
            lengths[length_] = array, axis
    return array


def _known(type_: Type, meaning: Mapping[str, Dim]) -> Type:
    """The type of a result by the lengths of arguments, as far as these are known."""
    named = {name for dim in type_.shape for name in dim_names(dim)}
    unknown: dict[str, Dim] = dict.fromkeys(named - meaning.keys(), ANY)
    return type_.renamed({**meaning, **unknown})


def _misfit(grid: Grid | None, parameter: Parameter, value: Value) -> str:
    """The difference of a value from a parameter, in words; empty where it fits."""
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
