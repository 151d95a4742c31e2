"""Intervals of operations that jump: unknown where the jump may lie inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ad_transform.derive.rounding.enclosure.functions import CLEAR
from ad_transform.derive.rounding.enclosure.interval import (
    NONE,
    ZERO,
    Given,
    Interval,
    floating,
)
from ad_transform.derive.rounding.largest_errors import Place
from ad_transform.ir.elemental import EXACT, Modulo
from ad_transform.ir.nodes import Apply, Literal
from ad_transform.ir.template import instantiate, parse_template

if TYPE_CHECKING:
    from ad_transform.derive.rounding.enclosure.propagation import Propagation


_FROM_WHOLE = parse_template("abs(remainder(x, 1.0))")
_FROM_HALF = parse_template("0.5 - abs(remainder(x, 1.0))")
_FROM_WHOLE_BUT_0 = parse_template(
    "1.0 - abs(x) if abs(x) < 1.0 else abs(remainder(x, 1.0))"
)

_MARGINS = {
    "floor": _FROM_WHOLE,
    "ceil": _FROM_WHOLE,
    "round": _FROM_HALF,
    "trunc": _FROM_WHOLE_BUT_0,
    "int": _FROM_WHOLE_BUT_0,
}
"""The distance of x from the nearest step of each function. Where it is rounded, it is
below a double only if the exact distance is: rounding is monotonic.
"""


def step(c: Propagation, place: Place, given: Given) -> Interval:
    """A whole number, unknown if a step is within reach."""
    reach = c.reach(given[0])
    if reach == ZERO:
        return NONE
    env = {"x": floating(place.args[0])}
    margin = instantiate(_MARGINS[place.statement.op.name], env, c.builder)
    return Interval(ZERO, c.make("step_radius", margin, reach))


_REACH = parse_template("d + e")
_OVERFLOWN = parse_template(
    f"0.0 if {CLEAR} else (0.0 if minus(x, y) == minus(x, y) else 1e999)"
)
"""The error of a test without errors of its sides: two that are the same are equal,
unless both have overflowed."""


def comparison(c: Propagation, place: Place, given: Given) -> Interval:
    """A test, unknown if the errors of both sides may close the margin."""
    x, y = map(floating, place.args)
    env = {"x": x, "y": y, "d": c.reach(given[0]), "e": c.reach(given[1])}
    reach = instantiate(_REACH, env, c.builder)
    if reach == ZERO:
        return Interval(ZERO, instantiate(_OVERFLOWN, env, c.builder))
    return Interval(ZERO, c.make("undecided", x, y, reach))


def modulo(c: Propagation, place: Place, given: Given) -> Interval:
    """x - q * y, if the whole number q is sure."""
    x, y = map(floating, place.args)
    op = place.statement.op
    assert isinstance(op.enclosure, Modulo)
    size, least, most = op.enclosure.size, op.enclosure.least, op.enclosure.most
    q = c.make("whole_quotient", x, y, place.out)
    env = {"y": y, "v": place.out, "q": q}
    ends = (instantiate(parse_template(t), env, c.builder) for t in (size, least))
    (cx, rx), (cy, ry) = ((s.center, s.radius) for s in given)
    intervals = (y, q, cx, rx, cy, ry)
    own = ZERO if op.ulps == EXACT else c.own_error(place)
    radius = c.make("modulo_radius", own, *ends, Literal(most), *intervals)
    center = c.make("minus", cx, c.make("times", q, cy)) if cy != ZERO else cx
    return Interval(center, radius)


_FLOORED = parse_template(
    "(0.0 if abs(v) < 2251799813685248.0 else e) if r < 1e999 else 1e999"
)
"""A quotient from 2**51 on is no longer computed as the whole number that it is."""


def floored(c: Propagation, place: Place, given: Given) -> Interval:
    """x // y, exact if its value is sure and a double."""
    rest = c.make("mod", *place.args)
    statement = Apply(place.statement.out, c.builder.table["mod"], place.args)
    interval = modulo(c, Place(statement, place.args, rest), given)
    env = {"r": interval.radius, "v": place.out, "e": c.own_error(place)}
    return Interval(ZERO, instantiate(_FLOORED, env, c.builder))


_SURE = parse_template("0.0 if (True if d == 0.0 else abs(x) > d) else 1e999")


def sign(c: Propagation, place: Place, given: Given) -> Interval:
    """The sign of x, if it is sure."""
    env = {"x": floating(place.args[0]), "d": c.reach(given[0])}
    return Interval(ZERO, instantiate(_SURE, env, c.builder))


_STEPPED = parse_template(
    "0.0 if abs(x) > d else ((0.0 if x != 0.0 else e) if d == 0.0 else 1e999)"
)


def stepped(c: Propagation, place: Place, given: Given) -> Interval:
    """heaviside: 0 or 1 if the sign of x is sure; at 0 the error of its value there."""
    env = {"x": floating(place.args[0])}
    env |= {"d": c.reach(given[0]), "e": c.reach(given[1])}
    return Interval(ZERO, instantiate(_STEPPED, env, c.builder))


def truth(c: Propagation, place: Place, given: Given) -> Interval:
    """The test whether x is 0, if that is sure; a test has its own interval."""
    return sign(c, place, given) if place.args[0].type.is_real else given[0]


_IS_FINITE = parse_template("0.0 if d < 1e999 else 1e999")


def finiteness(c: Propagation, place: Place, given: Given) -> Interval:
    """The test whether x is finite, exact if the interval of x is finite."""
    env = {"d": c.reach(given[0])}
    return Interval(ZERO, instantiate(_IS_FINITE, env, c.builder))
