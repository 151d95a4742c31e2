"""Signatures: what a call sees, and what the marked function says about its types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ad_transform.ir.nodes import Passing
from ad_transform.read.code import Formal
from ad_transform.read.fence import Refused
from ad_transform.read.spelling import identifier

if TYPE_CHECKING:
    from ad_transform.read.expressions import Expressions

_SPELL = "spell the parameters out"


def formals_of(
    compiler: Expressions, parameters: cst.Parameters
) -> tuple[tuple[Formal, ...], tuple[str, ...], tuple[cst.BaseExpression, ...]]:
    """The formals, the names of those with a default, and the defaults in order.

    Refuses AD104 `*args` and `**kwargs`.
    """
    formals: list[Formal] = []
    names: list[str] = []
    defaults: list[cst.BaseExpression] = []
    for parameter, passing in written(parameters):
        name = identifier(parameter.name)
        span = compiler.span(parameter.name)
        formals.append(Formal(name, passing, parameter.default is not None, span))
        if parameter.default is not None:
            names.append(name)
            defaults.append(parameter.default)
    for star in (parameters.star_arg, parameters.star_kwarg):
        if isinstance(star, cst.Param):
            sign = "*" if star is parameters.star_arg else "**"
            message = f"`{sign}{star.name.value}` is not supported yet"
            compiler.refuse(Refused("AD104", message, _SPELL), star.name)
    return tuple(formals), tuple(names), tuple(defaults)


def written(parameters: cst.Parameters) -> Iterator[tuple[cst.Param, Passing]]:
    """The parameters in the order in which they are written, without the starred."""
    for parameter in parameters.posonly_params:
        yield parameter, Passing.POSITIONAL_ONLY
    for parameter in parameters.params:
        yield parameter, Passing.ANY
    for parameter in parameters.kwonly_params:
        yield parameter, Passing.KEYWORD_ONLY
