"""The values of expressions while a function is flattened: none has a number yet.

Numbers are drafts of IR values or literals. Tuples and lists of the user exist only
here, as do functions, modules and None. Values with parts are in `structured`, arrays
and lists of run-time length in `storage`, callees in `callables`, and the values that
loops go over in `series`.
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
    """A value of the IR in the making: its name and notes may still change.

    `hint` is its name so far, and `depth` the number of calls around the statement that
    named it: a name from further out wins, for the reader of the marked function knows
    it. `within` is the helper whose statement or parameter named it, `call` the names
    of that run of the helper. An `optional` value may be None; it is `asked` once a
    test has compared it with None. The draft of such a test `tells` the value, and
    whether a test that holds means that it is given. `of` is another draft for the same
    value, which takes the name as well.
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
"""Fillers for values that nobody uses, by type."""


class Entity:
    """A value that is no number: structures, arrays, series, functions, modules.

    One class for type checkers: they compare the members of a union with one another
    wherever two ways meet.
    """

    __slots__ = ()


@node
class Maybe(Entity):
    """The `value` where it is `given`, else None; for a name that may be `unbound`,
    else no value at all.
    """

    given: Number
    value: Value
    unbound: bool = False


class Special(Enum):
    """Values with nothing inside."""

    NONE = "None"
    UNBOUND = "unbound"  # a name without a value
    REFUSED = "refused"  # after a report
    UNUSED = "unused"  # nobody reads it: any value will do
    UNSET = "unset"  # a field that may not be assigned yet
    DOTS = "..."  # in an index


Value: TypeAlias = "Draft | Literal | Entity | Special"
"""The value of an expression."""


def is_int(value: Value) -> TypeGuard[Number]:
    """Whether a value is a whole number."""
    return isinstance(value, Draft | Literal) and value.type == INT


def is_text(value: Value) -> TypeGuard[Number]:
    """Whether a value is a text, known or not."""
    return isinstance(value, Draft | Literal) and value.type == STR


def is_whole(value: Value | Promise | None) -> TypeGuard[Draft]:
    """Whether a value is a draft of a whole array."""
    return isinstance(value, Draft) and bool(value.type.shape)
