"""Arrays that an output holds as constants, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from ad_transform.elementals.helpers import NUMPY
from ad_transform.emit.python.expressions import literal_text
from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.width import width
from ad_transform.ir.nodes import Literal, Origin

if TYPE_CHECKING:
    from ad_transform.derive.constants.module_arrays import ModuleArray

Nested: TypeAlias = "list[Nested | str]"


def print_array(
    array: ModuleArray,
    reserved: frozenset[str],
    formulas: Mapping[str, str],
    limit: int,
) -> str:
    """The definition of an array as black lays it out; several lines if it is long."""
    numpy = next(name for name in NUMPY if name not in reserved)
    nested: Nested = [_text(number, reserved, formulas) for number in array.numbers]
    if len(array.shape) > 1:
        nested = [nested[k : k + array.shape[1]] for k in _starts(array.shape)]
    text = f"{numpy}.array({_one(nested)})"
    if width(f"{array.name} = {text}") <= limit:
        return text
    return "\n".join([f"{numpy}.array(", *_lines(nested, "", INDENT, limit), ")"])


def _starts(shape: tuple[int, ...]) -> range:
    """The numbers of the first elements of a matrix's rows."""
    rows, columns = shape
    return range(0, rows * columns, columns)


def _one(nested: Nested | str) -> str:
    """A list on one line."""
    return nested if isinstance(nested, str) else f"[{', '.join(map(_one, nested))}]"


def _lines(nested: Nested | str, comma: str, indent: int, limit: int) -> Iterator[str]:
    """A list on one line if it fits, else with an item a line."""
    margin = " " * indent
    line = f"{margin}{_one(nested)}{comma}"
    if width(line) <= limit or isinstance(nested, str):
        yield line
        return
    yield f"{margin}["
    for item in nested:
        yield from _lines(item, ",", indent + INDENT, limit)
    yield f"{margin}]{comma}"


def _text(
    number: Literal, reserved: frozenset[str], formulas: Mapping[str, str]
) -> str:
    """A number, by its name where the output defines that."""
    if number.origin is Origin.FORMULA and number.name in formulas:
        return formulas[number.name]
    if number.origin is Origin.MODULE or (
        number.origin is Origin.LIBRARY and "math" not in reserved
    ):
        return number.name
    return literal_text(Literal(number.value), str)
