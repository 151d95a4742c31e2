"""Shapes of parameters in a mark of their own.

    # ad: shapes(x=[n], A=[m, 3], k=[n, int], y=["n + 1"])

It stands above a function with or without other marks, for parameters without an
annotation, or with one that has no shape, such as `np.ndarray` (contract, rule 3).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ad_transform.diagnostics import Diagnostic
from ad_transform.read.marks.annotations import Annotation, read_annotation
from ad_transform.read.marks.dims import UNKNOWN_SHAPE, Unclear, of_array
from ad_transform.read.marks.mark_comments import Def
from ad_transform.read.marks.marks import SHAPES, Item, suggestion
from ad_transform.read.syntax.names import Names
from ad_transform.read.syntax.scopes import parameters_of, parsed

_EXAMPLE = "write `# ad: shapes(x=[n], A=[m, 3], k=[n, int])`"


def shapes_in(items: Sequence[Item], names: Names) -> Mapping[str, Annotation]:
    """The shapes of parameters in the marks of a function.

    Faulty marks are left out here: `check_shapes` reports them.
    """
    found: dict[str, Annotation] = {}
    for item in items:
        for name, value, _ in item.options if item.kind == SHAPES else ():
            try:
                found[name] = _shape(value, names)
            except Unclear as unclear:
                found[name] = Annotation(None, "", str(unclear), _EXAMPLE)
    return found


def _shape(value: object, names: Names) -> Annotation:
    """The annotation of an array with dims from a mark; raises Unclear."""
    if not isinstance(value, tuple):
        raise Unclear("has no shape in brackets")
    dims = [_dim(one) for one in value]
    return Annotation(of_array("Array", dims, names))


def _dim(value: object) -> ast.expr:
    if isinstance(value, str) and value.replace(".", "_").isidentifier():
        return ast.Name(value)
    if isinstance(value, str) and isinstance(node := parsed(value), ast.BinOp):
        return node
    if type(value) is int:
        return ast.Constant(value)
    raise Unclear(f"has the dim `{value}`, which is no number, name, sum or product")


def check_shapes(
    items: Sequence[Item], node: Def, names: Names
) -> Iterator[Diagnostic]:
    """The faults of the shapes above a function."""
    parameters = {arg.arg: arg for arg in parameters_of(node.args)}
    seen: set[str] = set()
    for item in items:
        for name, span in item.names:
            message = f"{SHAPES!r} is given the name {name!r} without a shape"
            yield Diagnostic("AD020", message, span, f"write `shapes({name}=[n])`")
        if not item.names and not item.options:
            yield Diagnostic("AD020", "no shape is given", item.span, _EXAMPLE)
        for name, value, span in item.options:
            wrong = _fault(name, value, parameters, seen, names)
            if wrong:
                yield Diagnostic("AD020", wrong[0], span, wrong[1])
            seen.add(name)


def _fault(
    name: str,
    value: object,
    parameters: Mapping[str, ast.arg],
    seen: set[str],
    names: Names,
) -> tuple[str, str] | None:
    """The fault of one shape, and the way out; None if it has none."""
    if name in seen:
        return f"{name!r} has two shapes", "write it once"
    if name not in parameters:
        return f"{name!r} is no parameter", suggestion(name, parameters)
    said = read_annotation(parameters[name].annotation, names)
    if parameters[name].annotation is not None and said.refusal != UNKNOWN_SHAPE:
        help_ = "leave out its shape here, or annotate it `np.ndarray`"
        return f"{name!r} is annotated, and not as an array without a shape", help_
    try:
        _shape(value, names)
    except Unclear as unclear:
        return f"{name!r} {unclear}", _EXAMPLE
    return None
