"""Intervals of continuous functions: signs, choices, and functions with a Lipschitz
bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ad_transform.derive.rounding.enclosure.interval import (
    ZERO,
    Given,
    Interval,
    floating,
)
from ad_transform.derive.rounding.largest_errors import Place
from ad_transform.ir.elemental import Box
from ad_transform.ir.nodes import Literal
from ad_transform.ir.template import instantiate, parse_template

if TYPE_CHECKING:
    from ad_transform.derive.rounding.enclosure.propagation import Propagation


def negated(c: Propagation, place: Place, given: Given) -> Interval:
    return _signed(c, place, given, "-c")


def same(c: Propagation, place: Place, given: Given) -> Interval:
    return given[0]


def _signed(c: Propagation, place: Place, given: Given, text: str) -> Interval:
    if given[0].center == ZERO:
        return given[0]
    env = {"c": given[0].center, "x": place.args[0], "v": place.out}
    return Interval(instantiate(parse_template(text), env, c.builder), given[0].radius)


def absolute(c: Propagation, place: Place, given: Given) -> Interval:
    """The error of x, with the sign of x; its whole reach if the sign is open."""
    reach = c.reach(given[0])
    env = {
        "x": place.args[0],
        "d": reach,
        "c": given[0].center,
        "r": given[0].radius,
    }
    center = "(c if x > 0 else -c) if abs(x) > d else 0.0"
    if given[0].center == ZERO:
        center = "0.0"
    return Interval(
        instantiate(parse_template(center), env, c.builder),
        instantiate(parse_template("r if abs(x) > d else d + d"), env, c.builder),
    )


CLEAR = "abs(minus(x, y)) > 1.0000001 * (d + e)"  # no law may see to overflows


def choice(c: Propagation, place: Place, given: Given) -> Interval:
    """max and min: the error of the argument that is surely taken, else of both."""
    x, y = map(floating, place.args[:2])
    env = {"x": x, "y": y, "v": place.out, "d": c.reach(given[0])}
    env |= {"e": c.reach(given[1]), "c": given[0].center, "r": given[0].radius}
    env |= {"b": given[1].center, "q": given[1].radius}
    center = f"(c if v == x else b) if {CLEAR} else 0.0"
    radius = f"(r if v == x else q) if {CLEAR} else 1.0000001 * (d + e)"
    return Interval(
        instantiate(parse_template(center), env, c.builder),
        instantiate(parse_template(radius), env, c.builder),
    )


def lipschitz(c: Propagation, place: Place, given: Given) -> Interval:
    """Functions that grow no faster than their arguments, each by itself."""
    radii = [c.reach(s) for s in given if not s.is_zero]
    radii.append(c.own_error(place))
    return Interval(ZERO, c.make("sum_radius", *radii, *([ZERO] * len(radii))))


def boxed(c: Propagation, place: Place, given: Given) -> Interval:
    """Functions of two arguments, by their largest movement in a box."""
    op = place.statement.op
    assert isinstance(op.enclosure, Box)
    env = dict(zip(op.parameters, map(floating, place.args), strict=True))
    env |= {"v": place.out, "d": c.reach(given[0]), "e": c.reach(given[1])}
    moved = instantiate(parse_template(op.enclosure.reach), env, c.builder)
    radii = (c.own_error(place), c.make("times", Literal(1.0 + 2.0**-40), moved))
    return Interval(ZERO, c.make("sum_radius", *radii, ZERO, ZERO))


def angle(c: Propagation, place: Place, given: Given) -> Interval:
    y, x = map(floating, place.args)
    reaches = tuple(map(c.reach, given))
    return Interval(ZERO, c.make("angle_radius", c.own_error(place), y, x, *reaches))


_STABLE = "True if e == 0.0 else abs(y) > e"


_SIGN_CENTER = parse_template(
    f"((c if v == x else -c) if abs(x) > d else 0.0) if ({_STABLE}) else 0.0"
)


_SIGN_RADIUS = parse_template(f"(r if abs(x) > d else d + d) if ({_STABLE}) else 1e999")


def sign_of(c: Propagation, place: Place, given: Given) -> Interval:
    """copysign: the interval of abs(x) with the sign of y, if that is sure."""
    x, y = map(floating, place.args[:2])
    env = {"x": x, "y": y, "v": place.out, "d": c.reach(given[0])}
    env |= {"c": given[0].center, "r": given[0].radius, "e": c.reach(given[1])}
    center = instantiate(_SIGN_CENTER, env, c.builder)
    return Interval(center, instantiate(_SIGN_RADIUS, env, c.builder))
