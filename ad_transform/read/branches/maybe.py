"""Values that may be None, as only a run knows: `best = None` before a loop, a float
behind.

Such a value has a truth value beside it: whether it is given. Behind a test that found
it given, it is the plain value. Any other use is checked, for Python raises TypeError
there.

A name that is bound in one arm only, or in the trips of a loop that may make none, is
such a value, too: a read of it is checked, for Python raises UnboundLocalError there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import Type
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.machine.fields import filler, home_of
from ad_transform.read.values.regrouping import kind_of, regroup
from ad_transform.read.values.structured import STRUCTURED
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Maybe,
    Special,
    Value,
    is_whole,
)

with later():
    from ad_transform.read.branches import choices

Join = Callable[[Value, Value], "Value | None"]
"""The value that is one value behind the first arm, and another behind the second."""


def is_open(value: Value) -> bool:
    """Whether a value is None or unbound, or may be."""
    return value in _NOTHING or isinstance(value, Maybe)


def is_unbound(value: Value | None) -> bool:
    """Whether a name is unbound, or may be."""
    if isinstance(value, Maybe):
        return value.unbound
    return value is Special.UNBOUND


def are_mixed(one: Value, other: Value) -> bool:
    """Whether one of two values may be None, and the other one unbound."""
    return is_open(one) and is_open(other) and is_unbound(one) is not is_unbound(other)


def given_of(value: Value) -> Value:
    """The truth value that tells whether a value is given."""
    if isinstance(value, Maybe):
        return value.given
    return value if value is Special.UNUSED else Literal(value not in _NOTHING)


def value_of(value: Value) -> Value:
    """The value itself, for the case that it is given."""
    if isinstance(value, Maybe):
        return value.value
    return Special.UNUSED if value in _NOTHING else value


def of(given: Value | None, value: Value | None, unbound: bool = False) -> Value | None:
    """A value that is given if a truth value holds."""
    if given is None or value is None:
        return None
    if Special.REFUSED in (given, value):
        return Special.REFUSED
    assert isinstance(given, Draft | Literal)
    return value if given == Literal(True) else Maybe(given, value, unbound)


def of_flag(flat: Context, is_none: Draft, value: Value) -> Value:
    """The value of a parameter with a flag that tells whether it is None."""
    given = flat.apply(TABLE["not"], (is_none,), is_none.span or _NOWHERE)
    assert isinstance(given, Draft)
    flat.absent[given] = is_none
    flat.told[is_none] = ((True, given, False), (False, given, True))
    return Maybe(given, value)


_NOWHERE = Span(0, 0, 0, 0)
_NOTHING = (Special.NONE, Special.UNBOUND)


def joined(one: Value, other: Value, join: Join) -> Value | None:
    """The value that is one of two, if one of them may be None; None if they do not go
    together.
    """
    if any(isinstance(value, Draft) and value.optional for value in (one, other)):
        return None
    if are_mixed(one, other):
        return None
    given = join(given_of(one), given_of(other))
    unbound = is_unbound(one) or is_unbound(other)
    return of(given, join(value_of(one), value_of(other)), unbound)


def filled(value: Value) -> Value | None:
    """A filler of the same shape; None if it would hold something other than numbers. A
    draft in place of a whole array has still to be made.
    """
    if is_whole(value):
        return Draft(value.type)
    home = home_of(value)
    if home is not None:
        return home.at(Literal(0))
    if isinstance(value, STRUCTURED):
        items = [filled(item) for item in value.items]
        found = tuple(item for item in items if item is not None)
        if len(found) < len(items):
            return None
        return filler(kind_of(value), found, None)
    known = FILLERS.get(value.type) if isinstance(value, Draft | Literal) else None
    return None if isinstance(value, Draft) and value.optional else known


def made(filler: Value, array: Callable[[Type], Value]) -> Value:
    """A value of `filled`, with whole arrays in place of its drafts."""
    if isinstance(filler, STRUCTURED) and not home_of(filler):
        items = tuple(made(item, array) for item in filler.items)
        return regroup(kind_of(filler), items)
    return array(filler.type) if isinstance(filler, Draft) else filler


# --- facts from tests -----------------------------------------------------------------


def tested(flat: Context, value: Maybe, negated: bool, span: Span) -> Value:
    """`value is None`; with `negated`, `value is not None`."""
    given = value.given
    if not isinstance(given, Draft):
        return Literal(bool(given.value) is negated)
    flat.told[given] = ((True, given, True), (False, given, False))
    if negated:
        return given
    return flat.absent.get(given) or flat.apply(TABLE["not"], (given,), span)


def where_given(
    flat: Context, value: Value, test: Callable[[Value], Value], span: Span
) -> Value:
    """A test that None does not pass: whether the value is given is tested first."""
    value = settled(flat.given_here, value)
    if not isinstance(value, Maybe):
        return test(value)
    inner, given = value.value, tested(flat, value, True, span)
    return choices.lazily(flat, given, True, lambda: test(inner), span)


def turned(flat: Context, test: Draft, out: Draft) -> None:
    """Note the facts that `not test` tells."""
    known = flat.told.get(test, ())
    if known:
        flat.told[out] = tuple((not when, given, holds) for when, given, holds in known)


def both(flat: Context, out: Draft, conjunction: bool, *tests: Value) -> None:
    """Note the facts that `a and b` tells if it holds, or `a or b` if it does not."""
    if flat.told:
        own = [
            t for test in tests if isinstance(test, Draft) for t in _told(flat, test)
        ]
        found = tuple(one for one in own if one[0] is conjunction)
        if found:
            flat.told[out] = found


def _told(flat: Context, test: Draft) -> tuple[tuple[bool, Draft, bool], ...]:
    return flat.told.get(test, ())


def learn(flat: Context, test: Value, holds: bool) -> None:
    """Learn the facts that a test tells if it holds, or does not; up to the end of the
    block.
    """
    if flat.told and isinstance(test, Draft):
        facts = {given: is_ for when, given, is_ in _told(flat, test) if when is holds}
        flat.given_here.update(facts)


def settled(known_here: Mapping[Draft, bool], value: Value) -> Value:
    """A value that may be None; the plain one, or None, if that is known here."""
    if not isinstance(value, Maybe) or not isinstance(value.given, Draft):
        return value
    known = known_here.get(value.given)
    if known is None:
        return value
    if known:
        return value.value
    return Special.UNBOUND if value.unbound else Special.NONE


def certain(flat: Context, value: Value, span: Span) -> Value:
    """A value for a use; TypeError if it is None."""
    value = settled(flat.given_here, value)
    if not isinstance(value, Maybe):
        return value
    hint = value.value.hint if isinstance(value.value, Draft) else ""
    return checked(flat, value, f"{hint or 'a value'} is None", "TypeError", span)


def checked(flat: Context, value: Maybe, said: str, error: str, span: Span) -> Value:
    """A value, with a check that it is given."""
    flat.add(DraftCheck(value.given, (said,), (), span, (), error))
    if isinstance(value.given, Draft):
        flat.given_here[value.given] = True
    return value.value
