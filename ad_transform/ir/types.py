"""Types of values: a scalar kind and the dimensions of an array."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ad_transform.ir.dims import Dim, renamed


class Kind(Enum):
    """What a scalar is; only FLOAT carries derivatives."""

    FLOAT = "float"
    INT = "int"
    BOOL = "bool"
    STR = "str"

    __hash__ = object.__hash__  # Enum's own is Python code


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar (`dims == ()`) or an array; a dim is an int or a linear form as text.

    float[3], float[n-1, 2*m]; see `ir.dims`.
    """

    kind: Kind
    dims: tuple[Dim, ...] = ()

    def __str__(self) -> str:
        dims = ", ".join(map(str, self.dims))
        return f"{self.kind.value}[{dims}]" if self.dims else self.kind.value

    @property
    def is_real(self) -> bool:
        """Whether values of the type can carry a derivative."""
        return self.kind is Kind.FLOAT

    def renamed(self, meaning: Mapping[str, Dim]) -> Type:
        """The type with other dims for the names in its own."""
        if not (meaning and self.dims):
            return self
        return Type(self.kind, tuple(renamed(d, meaning) for d in self.dims))


FLOAT = Type(Kind.FLOAT)
INT = Type(Kind.INT)
BOOL = Type(Kind.BOOL)
STR = Type(Kind.STR)
