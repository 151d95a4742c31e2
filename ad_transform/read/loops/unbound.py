"""Names that may not have been bound, as only a run knows.

`if n > 3: y = x`, and a loop that may make no trip, may bind y. Behind them it is
a `Maybe`, which is checked where it is read. At the head of a trip it is one as well,
once the types that trips bind to it are known.
"""

from __future__ import annotations

from functools import reduce

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import STR
from ad_transform.read.branches import (
    maybe,
    widening,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.values.frames import Promise
from ad_transform.read.values.values import FILLERS, Draft, Maybe, Special, Value

_UNKNOWN = (None, Special.REFUSED, Special.UNBOUND, Special.UNUSED)


def read(flat: Context, value: Value, name: str, span: Span) -> Value:
    """The value of a name that is read; a run raises UnboundLocalError where it has
    none.
    """
    if not isinstance(value, Maybe):
        return value
    said = f"local variable {name!r} is not bound"
    return maybe.checked(flat, value, said, "UnboundLocalError", span)


def filler(end: Value | Promise | None) -> Literal | None:
    """A number of the type that a trip binds to a name; None where that is no number.
    Types that depend on the name itself, from an earlier trip, are not known yet.
    """
    parts = end.known(through=True) if isinstance(end, Promise) else (end,)
    known = [maybe.value_of(part) for part in parts if part not in _UNKNOWN]
    types = [part.type for part in known if isinstance(part, Draft | Literal)]
    if len(types) < len(known) or not all(type_ in FILLERS for type_ in types):
        return None
    if not types or (STR in types and set(types) != {STR}):
        return None
    return FILLERS[reduce(widening.joint, types)]
