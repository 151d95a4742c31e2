"""Calls of functions that are not looked into, with the partials that others give.

The partials come from the function for the Jacobian where there is one; else from the
one for tangents or for adjoints, called for unit seeds: for every argument that matters
or every value, whichever is less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, cast

from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.elementals import TABLE
from ad_transform.elementals.calls import GIVEN
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
)
from ad_transform.ir.types import FLOAT
from ad_transform.ir.unlike import claimed
from ad_transform.options import listed

Functions = Mapping[str, Function]


def with_slopes(
    callee: Function,
    functions: Functions,
    call: Call,
    places: Sequence[int],
    env: dict[Operand, Operand],
) -> Iterator[Statement]:
    """The call, the calls that give its partials, and its values with these.

    Raises Refusal (AD125) where nobody gives them.
    """
    yield Call(call.outs, call.callee, call.args, inert=True)
    way = _way(callee, call, places)
    slopes: dict[tuple[int, int], Var] = {}
    yield from _WAYS[way[0]](functions[way[1]], callee, call, places, slopes)
    for k, out in enumerate(call.outs):
        made = env[out] = Var(out.type, out.hint, out.span)
        operands = (*(call.args[p] for p in places), *(slopes[k, p] for p in places))
        yield Apply(made, GIVEN, (out, *operands))


# --- arrays of run-time shape ---------------------------------------------------------


class Twin(Protocol):
    """See `derive.twins`."""

    @property
    def callee(self) -> Function: ...
    @property
    def places(self) -> tuple[int, ...]: ...
    @property
    def name(self) -> str: ...


def adjoint_of_outside(functions: Functions, twin: Twin) -> Function:
    """The function of adjoints: it calls the function, then that of its adjoints.

    Raises Refusal (AD125) where nobody gives them.
    """
    callee = twin.callee
    giver = functions[_given_by(callee, "vjp")]
    params, values = _fresh(callee.block.params), _fresh(callee.results)
    bars = tuple(Var(v.type, f"{v.hint}_bar") for v in values)
    found = _fresh(giver.results)
    body = (
        Call(values, callee.name, params),
        Call(found, giver.name, (*params, *values, *bars)),
    )
    by_place = dict(zip(_real(callee), found, strict=True))
    results = tuple(by_place[place] for place in twin.places)
    return _function(twin, (*params, *bars), body, results, 0)


def tangent_of_outside(functions: Functions, twin: Twin) -> Function:
    """The function of values with tangents: arguments that do not matter have 0.

    Raises Refusal (AD125) where nobody gives them.
    """
    callee = twin.callee
    giver = functions[_given_by(callee, "jvp")]
    params, values = _fresh(callee.block.params), _fresh(callee.results)
    dots = {k: Var(params[k].type, f"{params[k].hint}_dot") for k in twin.places}
    body: list[Statement] = [Call(values, callee.name, params)]
    seeds: list[Operand] = []
    for place in _real(callee):
        if place in dots:
            seeds.append(dots[place])
        elif not params[place].type.shape:
            seeds.append(Literal(0.0))
        else:
            seeds.append(Var(params[place].type))
            zeros = TABLE["zeros_like"]
            body.append(Apply(cast(Var, seeds[-1]), zeros, (params[place],)))
    tangents = _fresh(giver.results)
    body.append(Call(tangents, giver.name, (*params, *seeds)))
    count = len(values)
    return _function(
        twin, (*params, *dots.values()), tuple(body), (*values, *tangents), count
    )


def _fresh(values: Sequence[Operand]) -> tuple[Var, ...]:
    return tuple(Var(v.type, hint_of(v)) for v in values)


def _real(callee: Function) -> list[int]:
    return [k for k, param in enumerate(callee.block.params) if param.type.is_real]


def _function(
    twin: Twin,
    params: tuple[Var, ...],
    body: tuple[Statement, ...],
    results: tuple[Operand, ...],
    primal: int,
) -> Function:
    names: set[str] = set()
    parameters = tuple(Parameter(claimed(one.hint, names), (one,)) for one in params)
    nest = one_or_tuple(len(results))
    return Function(twin.name, parameters, Block(params, body, results), nest, primal)


def _given_by(callee: Function, way: str) -> str:
    """The name of the function that gives adjoints, or tangents, of one of arrays."""
    outside = callee.outside
    assert outside is not None
    ways = dict(outside.ways)
    if way not in ways:
        kind = {"vjp": "adjoints", "jvp": "tangents"}[way]
        message = f"nobody gives the {kind} of {outside.name!r}"
        (wanted,) = (one for one in outside.wanted if f"_{way}(" in one)
        help_ = f"define `{wanted}` beside it, or mark a function as a rule for it"
        span = callee.results[0].span if isinstance(callee.results[0], Var) else None
        raise Refusal(Diagnostic("AD125", message, span, help_))
    return ways[way]


# --- partials of numbers --------------------------------------------------------------


def _way(callee: Function, call: Call, places: Sequence[int]) -> tuple[str, str]:
    """The way in which partials are given, such as "vjp", and the function for it."""
    outside = callee.outside
    assert outside is not None
    ways = dict(outside.ways)
    if not ways:
        message = f"nobody gives the derivative of {outside.name!r}"
        wanted = listed(tuple(f"`{one}`" for one in outside.wanted))
        help_ = f"define {wanted} beside it, or mark a function as a rule for it"
        raise Refusal(Diagnostic("AD125", message, call.outs[0].span, help_))
    few = ("vjp", "jvp") if len(call.outs) <= len(places) else ("jvp", "vjp")
    way = next(way for way in ("jac", *few) if way in ways)
    return way, ways[way]


def _real_places(callee: Function) -> list[list[int]]:
    """The places of the arguments of each parameter that carries a derivative."""
    found: list[list[int]] = []
    at = 0
    for parameter in callee.parameters:
        own = list(range(at, at + len(parameter.vars)))
        if parameter.vars[0].type.is_real:
            found.append(own)
        at += len(own)
    return found


def _by_jacobian(
    giver: Function,
    callee: Function,
    call: Call,
    places: Sequence[int],
    slopes: dict[tuple[int, int], Var],
) -> Iterator[Statement]:
    outs: list[Var] = []
    for own in _real_places(callee):
        for k in range(len(call.outs)):
            for place in own:
                slopes[k, place] = _slope(call, k, place)
                outs.append(slopes[k, place])
    yield Call(tuple(outs), giver.name, call.args, inert=True)


def _by_tangents(
    giver: Function,
    callee: Function,
    call: Call,
    places: Sequence[int],
    slopes: dict[tuple[int, int], Var],
) -> Iterator[Statement]:
    real = [place for own in _real_places(callee) for place in own]
    for place in places:
        seeds = _unit(len(real), real.index(place))
        outs = tuple(_slope(call, k, place) for k in range(len(call.outs)))
        slopes |= {(k, place): out for k, out in enumerate(outs)}
        yield Call(outs, giver.name, (*call.args, *seeds), inert=True)


def _by_adjoints(
    giver: Function,
    callee: Function,
    call: Call,
    places: Sequence[int],
    slopes: dict[tuple[int, int], Var],
) -> Iterator[Statement]:
    real = [place for own in _real_places(callee) for place in own]
    for k in range(len(call.outs)):
        seeds = _unit(len(call.outs), k)
        outs = tuple(_slope(call, k, place) for place in real)
        slopes |= {(k, place): out for place, out in zip(real, outs, strict=True)}
        yield Call(outs, giver.name, (*call.args, *call.outs, *seeds), inert=True)


_WAYS = {"jac": _by_jacobian, "jvp": _by_tangents, "vjp": _by_adjoints}


def _unit(length: int, place: int) -> tuple[Literal, ...]:
    return tuple(Literal(float(k == place)) for k in range(length))


def _slope(call: Call, value: int, place: int) -> Var:
    """A partial, named `dy_dx` if both values have names."""
    out, arg = call.outs[value], call.args[place]
    named = out.hint and isinstance(arg, Var) and arg.hint
    return Var(FLOAT, f"d{out.hint}_d{named}" if named else "")
