"""Parameters that are arrays or None: `w: "Vector[n]" = None`.

Such a parameter is two values: whether it is None, and the array. If it is None, zeros
stand in for the array, and nothing reads them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.dims import names
from ad_transform.ir.nodes import LEAF, Container, Nest, Parameter
from ad_transform.ir.types import BOOL
from ad_transform.read.parameters.structures import leaves_of
from ad_transform.read.project.module import Module
from ad_transform.read.syntax.scopes import parameters_of
from ad_transform.read.syntax.source import Source
from ad_transform.read.values.values import Draft, Maybe, Value


def or_none(parameter: Parameter, value: Value) -> tuple[Parameter, Value]:
    """An array that may be None, as two values: whether it is None, and the array."""
    nest = Nest(Container.OPTIONAL, (LEAF, parameter.nest))
    is_none = Draft(BOOL, None, f"{parameter.name}_is_none", 0)
    return replace(parameter, nest=nest), Maybe(is_none, value)


def lengths_told(
    node: ast.FunctionDef, pairs: Sequence[tuple[Parameter, Value]], module: Module
) -> bool:
    """Whether every length has an array that tells it; False after a report (AD104).

    A length is refused if only arrays that may be None tell it, and several of them:
    where just one is given, zeros of its length would have to stand for the others.
    """
    always = {d for _, v in pairs if not isinstance(v, Maybe) for d in _dims(v)}
    before: set[str] = set()
    args = {arg.arg: arg for arg in parameters_of(node.args)}
    found = True
    for parameter, value in pairs:
        if not isinstance(value, Maybe):
            continue
        own = [d for d in _dims(value.value) if d not in always]
        twice = [d for d in own if d in before]
        before.update(own)
        if twice:
            message = f"the length {twice[0]} of {parameter.name!r} is told by arrays "
            message += "alone that may be None"
            help_ = "let a parameter have it that is always given, or give it a name "
            help_ += f"of its own here: `{twice[0]}_2`"
            span = name_of(args[parameter.name], module.source)
            module.report.add("AD104", message, span, help_)
            found = False
    return found


def _dims(value: Value) -> Iterator[str]:
    """The names in the shapes of arrays."""
    for leaf in leaves_of(value):
        for dim in leaf.type.lengths:
            yield from names(dim)


def name_of(arg: ast.arg, source: Source) -> Span:
    """The extent of the name of a parameter, without its annotation."""
    span = source.span(arg)
    return span._replace(end_line=span.line, end_column=span.column + len(arg.arg))
