"""Values of programs that are written out: operands, and lists of values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ad_transform.ir.dims import fit
from ad_transform.ir.nodes import Operand, Var

Value = Any
"""An operand, or a list of values; an array that stays one is its name."""


class Unwritten(Exception):
    """The program cannot be written out; the text names the obstacle.

    It may be written out if the `array` that a statement makes stays an array.
    """

    def __init__(self, through: str, array: Var | None = None) -> None:
        super().__init__(through)
        self.array = array


class Elements(list[Value]):
    """The elements of an array, with the one that a statement has `made` of them."""

    __slots__ = ("made",)

    def __init__(self, items: Iterable[Value], made: Var | None) -> None:
        super().__init__(items)
        self.made = made


def made_of(*values: Value) -> Var | None:
    """The array that some values are made of: that of the first elements among them."""
    found = (v.made for v in values if isinstance(v, Elements) and v.made)
    return next(found, None)


def is_array(value: Value) -> bool:
    """Whether a value is an array that stays one."""
    return isinstance(value, Var) and bool(value.type.dims)


def unless_it_fits(value: Value, wanted: Var) -> None:
    """Raise Unwritten where an array that stays one does not fit another's dims."""
    if is_array(value) and not fit(value.type.dims, wanted.type.dims):
        raise Unwritten(f"{value.type} for {wanted.type}")


def leaves(value: Value) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def like(value: Value, leaves: Iterator[Operand]) -> Value:
    """A value of the same form with other leaves."""
    if isinstance(value, list):
        return Elements([like(item, leaves) for item in value], made_of(value))
    return next(leaves)


def form(value: Value) -> Any:
    return [form(item) for item in value] if isinstance(value, list) else None
