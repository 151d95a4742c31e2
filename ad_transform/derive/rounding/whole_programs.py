"""Operations on whole arrays that are programs over the lists of their elements.

Sorted arrays and equations have their elements brought into their order first: the
program sees whether rounding may have decided it. Of equations it decides nothing,
for their solution is the same in any order of the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ad_transform.derive.rounding.list_programs import program
from ad_transform.derive.rounding.whole_lists import Writer
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.types import Type

Given = Callable[[Writer, Apply], list[Operand]]
"""The arguments of the program of an operation."""


def _elements(writer: Writer, statement: Apply) -> list[Operand]:
    """The elements of all arguments."""
    return [writer.elements(a) if a.type.shape else a for a in statement.args]


def _taken(order: str, take: str, writer: Writer, statement: Apply) -> list[Operand]:
    """The elements in order."""
    (array,) = statement.args
    return [writer.elements(writer.apply(take, array, writer.apply(order, array)))]


def _with_order(
    order: str, take: str, writer: Writer, statement: Apply
) -> list[Operand]:
    """The elements in order, and the places where they stood."""
    (array,) = statement.args
    places = writer.apply(order, array)
    taken = writer.apply(take, array, places)
    return [writer.elements(taken), writer.elements(places)]


def _equations(writer: Writer, statement: Apply) -> list[Operand]:
    """Both sides, the largest pivots first, and the number of right sides."""
    places = writer.apply("pivots", statement.args[0])
    sides = [writer.apply("taken_rows", side, places) for side in statement.args]
    return [*map(writer.elements, sides), writer.length(statement.args[1], 1)]


def _beside(value: float, axis: int, writer: Writer, statement: Apply) -> list[Operand]:
    """The elements, and a value for each place along an axis."""
    (array,) = statement.args
    size = writer.length(array, axis)
    return [writer.elements(array), _list(writer, value, size, statement.out)]


def _along_line(writer: Writer, statement: Apply) -> list[Operand]:
    """Both ends, and a zero for each place between."""
    start, stop, size = statement.args
    return [start, stop, _list(writer, 0.0, size, statement.out)]


def _weights(writer: Writer, statement: Apply) -> list[Operand]:
    """The ends 1 and 0, and a zero for each place between."""
    (array,) = statement.args
    zeros = _list(writer, 0.0, writer.length(array, 0), array)
    return [Literal(1.0), Literal(0.0), zeros]


def _overlapping(
    first: str, then: str, writer: Writer, statement: Apply
) -> list[Operand]:
    """Both vectors, and a zero for each place that one has in addition to the other."""
    both = writer.apply(first, *(writer.length(arg, 0) for arg in statement.args))
    size = writer.apply(then, both, Literal(1))
    zeros = _list(writer, 0.0, size, statement.out)
    return [*map(writer.elements, statement.args), zeros]


def _list(writer: Writer, value: float, size: Operand, like: Operand) -> Operand:
    """A list of one value, as long as the last axis of an array."""
    type_ = Type(like.type.kind, like.type.shape[-1:])
    return writer.apply("full", Literal(value), size, declared=type_)


# fmt: off
_GIVEN: dict[str, Given] = {
    "in_order":               partial(_taken, "argsort", "taken"),
    "in_order_rows":          partial(_taken, "argsort_rows", "along_rows"),
    "in_order_columns":       partial(_taken, "argsort_columns", "along_columns"),
    "argsort":                partial(_with_order, "argsort", "taken"),
    "ranked":                 partial(_with_order, "ranked", "taken"),
    "argsort_rows":           partial(_with_order, "argsort_rows", "along_rows"),
    "argsort_columns":        partial(_with_order, "argsort_columns", "along_columns"),
    "argmax":                 _elements,
    "argmax_rows":            partial(_beside, 0, 1),
    "argmax_columns":         partial(_beside, 0, 0),
    "place_behind":           _elements,
    "place_before":           _elements,
    "places_behind":          _elements,
    "places_before":          _elements,
    "interpolated":           _elements,
    "all_interpolated":       _elements,
    "running_max":            _elements,
    "running_min":            _elements,
    "running_max_rows":       _elements,
    "running_min_rows":       _elements,
    "recurred":               _elements,
    "recurred_rows":          _elements,
    "cumulated_rows":         _elements,
    "cumulated_product_rows": _elements,
    "product_rows":           partial(_beside, 1.0, 1),
    "sum_of_each":            _elements,
    "sum_of_tiles":           _elements,
    "with_line":              _elements,
    "spaced":                 _along_line,
    "weights":                _weights,
    "all_solved_for":         _equations,
    "convolved":              partial(_overlapping, "add", "sub"),
    "correlated":             partial(_overlapping, "sub", "add"),
    "determinant":            partial(_with_order, "pivots", "taken_rows"),
    "log_determinant":        partial(_with_order, "pivots", "taken_rows"),
    "sign_of_determinant":    partial(_with_order, "pivots", "taken_rows"),
    "cholesky":               _elements,
}
_OTHERWISE = {"weights": "spaced", "ranked": "argsort"}
"""Programs of other names."""
# fmt: on


def has_program(statement: Apply) -> bool:
    """Whether an operation is a program over the elements of its arrays."""
    given = any(a.type.is_real and a.type.shape for a in statement.args)
    return statement.op.name in _GIVEN and (given or statement.out.type.is_real)


def by_program(writer: Writer, statement: Apply) -> None:
    """Let the program of an operation make its result."""
    name, out = statement.op.name, statement.out
    given = _GIVEN[name](writer, statement)
    body, result = program(_OTHERWISE.get(name, name), given, out.span)
    if out.type.shape:
        writer.body += body
        assert not isinstance(result, Literal)
        writer.whole(out, result, ())
        return
    *rest, last = body
    outs = tuple(out if o is result else o for o in last.outs)
    writer.body += [*rest, last.binding(outs)]
