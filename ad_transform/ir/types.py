"""Types of values: a scalar kind and the dimensions of an array."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a scalar is; only FLOAT carries derivatives."""

    FLOAT = "float"
    INT = "int"
    BOOL = "bool"
    STR = "str"


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar (`dims == ()`) or an array with static (int) or symbolic (str) dims."""

    kind: Kind
    dims: tuple[int | str, ...] = ()

    def __str__(self) -> str:
        dims = ", ".join(map(str, self.dims))
        return f"{self.kind.value}[{dims}]" if self.dims else self.kind.value

    @property
    def is_real(self) -> bool:
        """Whether values of the type can carry a derivative."""
        return self.kind is Kind.FLOAT


FLOAT = Type(Kind.FLOAT)
INT = Type(Kind.INT)
BOOL = Type(Kind.BOOL)
STR = Type(Kind.STR)
