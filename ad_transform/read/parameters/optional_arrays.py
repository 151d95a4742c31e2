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
    where just one is given, zeros of its length would have to stand for the others. So
    is one that stands in expressions alone, `Vector[n + 1]`.
    """
    refusals = [*_untold(pairs), *_told_at_times(pairs)]
    args = {arg.arg: arg for arg in parameters_of(node.args)}
    for parameter, message, help_ in refusals:
        span = name_of(args[parameter.name], module.source)
        module.report.add("AD104", message, span, help_)
    return not refusals


_Refusal = tuple[Parameter, str, str]


def _told_at_times(pairs: Sequence[tuple[Parameter, Value]]) -> Iterator[_Refusal]:
    """The parameters with a length that only several arrays tell that may be None."""
    always = {d for _, v in pairs if not isinstance(v, Maybe) for d in _dims(v)}
    before: set[str] = set()
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
            yield parameter, message, help_


def _untold(pairs: Sequence[tuple[Parameter, Value]]) -> Iterator[_Refusal]:
    """The parameters with an expression for a length, and a name in it that is the
    length of no array that is always given.
    """
    given = (v for _, v in pairs if not isinstance(v, Maybe))
    told = {d for v in given for leaf in leaves_of(v) for d in leaf.type.lengths}
    for parameter, value in pairs:
        own = value.value if isinstance(value, Maybe) else value
        for dim in (d for leaf in leaves_of(own) for d in leaf.type.lengths):
            unknown = [name for name in names(dim) if name not in told]
            if unknown and unknown != [dim]:
                message = f"{parameter.name!r} has the length {dim}, and no parameter "
                message += f"that is always given has the length {unknown[0]}"
                help_ = "give the length a name of its own, and check it below: "
                help_ += f"`assert len({parameter.name}) == ...`"
                yield parameter, message, help_
                break


def _dims(value: Value) -> Iterator[str]:
    """The names in the shapes of arrays."""
    for leaf in leaves_of(value):
        for dim in leaf.type.lengths:
            yield from names(dim)


def name_of(arg: ast.arg, source: Source) -> Span:
    """The extent of the name of a parameter, without its annotation."""
    span = source.span(arg)
    return span._replace(end_line=span.line, end_column=span.column + len(arg.arg))
