"""Types of values: a scalar kind and the dimensions of an array."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import TypeAlias

from ad_transform.dataclass import dataclass, found_once
from ad_transform.ir.dims import Dim, renamed

Items: TypeAlias = "tuple[Items, ...] | float | int | bool | str"
"""The items of a list that is written out, row by row."""


class Kind(Enum):
    """The kind of a scalar; only FLOAT carries derivatives.

    A RECORD holds other values, and nobody knows which: see `statements.Record`.
    """

    FLOAT = "float"
    INT = "int"
    BOOL = "bool"
    STR = "str"
    RECORD = "record"

    __hash__ = object.__hash__  # Enum's own is Python code


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar, or an array; a dim is an int or a polynomial as text.

    A list has `dims`, float[3], float[n-1, 2*m] (see `ir.dims`): it is an object, whose
    elements are read and written one by one. An array of numpy has a `shape`, as in
    float<n, 3>: it is a value like a number, computed with as a whole and never
    changed; one that is being filled has both.
    """

    kind: Kind
    dims: tuple[Dim, ...] = ()
    shape: tuple[Dim, ...] = ()
    is_real: bool = field(init=False, repr=False, compare=False)
    """Whether values of the type can carry a derivative."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_real", self.kind is Kind.FLOAT)

    def __str__(self) -> str:
        text = self.kind.value
        if self.dims:
            text += f"[{', '.join(map(str, self.dims))}]"
        if self.shape:
            text += f"<{', '.join(map(str, self.shape))}>"
        return text

    @property
    def is_real_number(self) -> bool:
        """Whether values of the type are numbers that can carry a derivative."""
        return self.is_real and not self.is_array

    @property
    def is_array(self) -> bool:
        """Whether values of the type have elements."""
        return bool(self.dims or self.shape)

    @property
    def lengths(self) -> tuple[Dim, ...]:
        """The dims of a list, else the shape of an array; those of a number are ()."""
        return self.dims or self.shape

    @found_once
    def entry(self) -> Type:
        """The type of the items of such a list."""
        return Type(self.kind, self.dims[1:], self.shape)

    def renamed(self, meaning: Mapping[str, Dim]) -> Type:
        """The type with other dims for the names in its own."""
        if not (meaning and (self.dims or self.shape)):
            return self
        dims, shape = (
            tuple(renamed(d, meaning) for d in lengths)
            for lengths in (self.dims, self.shape)
        )
        return Type(self.kind, dims, shape)


FLOAT = Type(Kind.FLOAT)
INT = Type(Kind.INT)
BOOL = Type(Kind.BOOL)
STR = Type(Kind.STR)
RECORD = Type(Kind.RECORD)
