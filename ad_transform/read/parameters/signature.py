"""Signatures: the parameters of a function, as calls see them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst as cst

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import Passing
from ad_transform.read.syntax.concrete import Twin


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A parameter in the source, with its default in both forms."""

    arg: ast.arg
    passing: Passing
    default: Twin | None


def written(parameters: cst.Parameters, arguments: ast.arguments) -> Iterator[Written]:
    """The parameters in the order of the source, without the starred ones."""
    forms = (
        *parameters.posonly_params,
        *parameters.params,
        *parameters.kwonly_params,
    )
    for form, (arg, passing, tree) in zip(forms, _in_order(arguments), strict=True):
        twin = None
        if form.default is not None and tree is not None:
            twin = (form.default, tree)
        yield Written(arg, passing, twin)


def _in_order(
    arguments: ast.arguments,
) -> Iterator[tuple[ast.arg, Passing, ast.expr | None]]:
    places = [
        *((arg, Passing.POSITIONAL_ONLY) for arg in arguments.posonlyargs),
        *((arg, Passing.ANY) for arg in arguments.args),
    ]
    bare = len(places) - len(arguments.defaults)
    defaults = [None] * bare + list(arguments.defaults)
    for (arg, passing), default in zip(places, defaults, strict=True):
        yield arg, passing, default
    for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield arg, Passing.KEYWORD_ONLY, default
