"""The values of expressions while a function is flattened: none has a number yet.

Numbers are drafts of IR values or literals. Tuples and lists of the user exist only
here, as do functions, modules and None: what has parts is in `structured`, arrays and
lists of run-time length in `storage`, what can be called in `callables`, what loops go
over in `series`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal, node
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type

if TYPE_CHECKING:
    from ad_transform.read.values.classes import Class
    from ad_transform.read.values.frames import Promise

UNNAMED = 1 << 30


@dataclass(slots=True, eq=False)
class Draft:
    """A value of the IR in the making: it may still be given its name and notes.

    `hint` is its name so far, and `depth` the number of calls around the statement that
    gave it: a name given further out wins, for the reader of the marked function knows
    it. `within` is the helper whose statement or parameter named it, `call` the names
    of that run of it. An `optional` value may be None; it is `asked` once a test has
    asked for that. Such a test `tells` of a value, and whether it is there where the
    test holds. `of` is another draft for the same value, which takes the name as well.
    """

    type: Type
    span: Span | None = None
    hint: str = ""
    depth: int = UNNAMED
    notes: tuple[str, ...] = ()
    within: str = ""
    optional: bool = False
    asked: bool = False
    tells: tuple[Draft, bool] | None = None
    call: Mapping[str, Value | Promise] | None = None
    of: Draft | None = None


@dataclass(slots=True, eq=False)
class Member(Draft):
    """The text of a member of an Enum that the function is given."""

    cases: Class | None = None


Number = Draft | Literal


FILLERS = {t: Literal(v) for t, v in ((FLOAT, 0.0), (INT, 0), (BOOL, False), (STR, ""))}
"""Values for what nobody uses."""


class Entity:
    """What is no number: structures, arrays, series, functions, modules.

    One class for type checkers: the members of a union they compare with one another
    wherever two ways meet.
    """

    __slots__ = ()


@node
class Maybe(Entity):
    """The `value` where it is `given`, else None; where it is a name that may be
    `unbound`, else nothing at all.
    """

    given: Number
    value: Value
    unbound: bool = False


class Special(Enum):
    """Values with nothing inside."""

    NONE = "None"
    UNBOUND = "unbound"  # what a name stands for that nothing has been bound to
    REFUSED = "refused"  # what is wrong with it has been said
    UNUSED = "unused"  # nobody looks at it: any value will do
    UNSET = "unset"  # a field that has not been assigned, or not surely
    DOTS = "..."  # in an index


Value: TypeAlias = "Draft | Literal | Entity | Special"
"""What an expression can be."""


def is_int(value: Value) -> bool:
    """Whether a value is a whole number."""
    return isinstance(value, Draft | Literal) and value.type == INT


def is_text(value: Value) -> TypeGuard[Number]:
    """Whether a value is a text, known or not."""
    return isinstance(value, Draft | Literal) and value.type == STR


def is_whole(value: Value | Promise | None) -> TypeGuard[Draft]:
    """Whether a value is a whole array by now."""
    return isinstance(value, Draft) and bool(value.type.shape)
