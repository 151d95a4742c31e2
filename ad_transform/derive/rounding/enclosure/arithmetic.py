"""Intervals of sums, products, quotients, roots and powers, with their residuals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ad_transform.derive.rounding.enclosure.interval import (
    ZERO,
    Given,
    Interval,
    floating,
)
from ad_transform.derive.rounding.largest_errors import Place
from ad_transform.derive.rounding.operations import (
    constant_error,
    is_exact,
    scales_down,
)
from ad_transform.derive.rounding.residuals import has_residual, remainder, residual
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Literal, Operand
from ad_transform.ir.template import instantiate, parse_template

if TYPE_CHECKING:
    from ad_transform.derive.rounding.enclosure.propagation import Propagation


def sum(c: Propagation, place: Place, given: Given) -> Interval:
    """The errors of the terms, and the sum's own error."""
    own = ZERO if is_exact(place.statement) else _lost_by_sum(c, place)
    centers: list[Operand] = [s.center for s in given] + [own]
    radii: list[Operand] = [s.radius for s in given if s.radius != ZERO]
    total = centers[0]
    for k, center in enumerate(centers[1:]):
        taken_off = k == 0 and place.statement.op.form is Form.DIFFERENCE
        if center != ZERO:
            total = _added(c, total, center, taken_off)
    kept = [x for x in centers if x != ZERO]
    if len(kept) < 2 and len(radii) < 2:
        return Interval(total, radii[0] if radii else ZERO)
    width = max(len(radii), len(kept))
    padded = [x + [ZERO] * (width - len(x)) for x in (radii, kept)]
    return Interval(total, c.make("sum_radius", *padded[0], *padded[1]))


def _lost_by_sum(c: Propagation, place: Place) -> Operand:
    """The rounding error of a sum or a difference."""
    form = place.statement.op.form
    if constant_error(place.statement) is None:
        if form is Form.SUM:
            return c.make("sum_lost", place.out, *map(floating, place.args))
        if form is Form.DIFFERENCE:
            x, y = map(floating, place.args)
            return c.make("sum_lost", place.out, x, c.make("neg", y))
    own = residual(c.builder, place)
    assert own is not None
    return own


def off(c: Propagation, place: Place, given: Given) -> Interval:
    """The known error of a value, which is rounded itself."""
    before, (_, error, _) = given[0], place.args
    total = _added(c, before.center, error, False)
    centers: list[Operand] = [before.center, error, error]
    return Interval(total, c.make("sum_radius", before.radius, ZERO, ZERO, *centers))


def _added(c: Propagation, total: Operand, center: Operand, taken_off: bool) -> Operand:
    if total == ZERO and not taken_off:
        return center
    return c.make("minus" if taken_off else "plus", total, center)


def product(c: Propagation, place: Place, given: Given) -> Interval:
    x, y = map(floating, place.args)
    error: Operand = ZERO
    if not (is_exact(place.statement) or scales_down(place.statement)):
        error = _lost(c, place, x, y)
    return _times(c, place.out, (x, given[0]), (y, given[1]), error)


def _lost(c: Propagation, place: Place, x: Operand, y: Operand) -> Operand:
    """The rounding error of a product: by a helper, for the halves of a factor are not
    shared among arms and loops.
    """
    known = constant_error(place.statement)
    if known is not None:
        return Literal(known)
    return c.make("neg", remainder(c.builder, x, y, place.out))


def _times(
    c: Propagation,
    v: Operand,
    left: tuple[Operand, Interval],
    right: tuple[Operand, Interval],
    error: Operand,
) -> Interval:
    (x, dx), (y, dy) = left, right
    center = error
    if dx.center != ZERO or dy.center != ZERO:
        center = c.make("product_center", error, x, dx.center, y, dy.center)
    intervals = (x, dx.center, dx.radius, y, dy.center, dy.radius)
    return Interval(center, c.make("product_radius", v, *intervals, error))


def quotient(c: Propagation, place: Place, given: Given) -> Interval:
    x, y = map(floating, place.args)
    dx, dy, v = given[0], given[1], place.out
    rest = remainder(c.builder, v, y, x)
    center = c.make("quotient_center", v, dx.center, y, dy.center, rest)
    intervals = (x, dx.center, dx.radius, y, dy.center, dy.radius)
    return Interval(center, c.make("quotient_radius", center, v, *intervals, rest))


def root(c: Propagation, place: Place, given: Given) -> Interval:
    (x,), (dx,), v = map(floating, place.args), given, place.out
    rest = remainder(c.builder, v, v, x)
    center = c.make("root_center", v, x, dx.center, rest)
    return Interval(
        center, c.make("root_radius", center, v, x, dx.center, dx.radius, rest)
    )


def power(c: Propagation, place: Place, given: Given) -> Interval:
    """The error of a power: of a square by its residual, else as a library function."""
    if not has_residual(place.statement):
        return _any_power(c, place, given)
    error = residual(c.builder, place)
    assert error is not None
    side = (place.args[0], given[0])
    return _times(c, place.out, side, side, error)


_WOBBLE = parse_template(
    "(2.0000001 * (abs(v) + d) * e * (abs(log(x)) + 0.5)"
    " if e * (abs(log(x)) + 0.5) < 0.5 else 1e999) if x > 0 else 1e999"
)
"""The change of x**y by an error of y up to e, v in error by d at most, x by a
quarter."""


_POWER_CENTER = parse_template("times(times(v, y), c / x) if x != 0 else 0.0")


def _literal_power(c: Propagation, place: Place, given: Interval) -> Interval:
    """The power of an inexact x, for an exact y."""
    x, y = map(floating, place.args)
    env = {"x": x, "y": y, "v": place.out, "c": given.center}
    center = instantiate(_POWER_CENTER, env, c.builder)
    interval = (given.center, given.radius)
    error = c.own_error(place)
    return Interval(center, c.make("power_radius", error, place.out, x, y, *interval))


def _any_power(c: Propagation, place: Place, given: Given) -> Interval:
    interval = _literal_power(c, place, given[0])
    if given[1].is_zero:
        return interval
    env = {"x": floating(place.args[0]), "v": place.out, "d": c.reach(interval)}
    wobble = instantiate(_WOBBLE, {**env, "e": c.reach(given[1])}, c.builder)
    return Interval(
        interval.center, c.make("sum_radius", interval.radius, wobble, ZERO, ZERO)
    )


def products(c: Propagation, place: Place, given: Given) -> Interval:
    """The errors of sums of products that are rounded once: fma and sumprod."""
    args = tuple(map(floating, place.args))
    half = len(args) // 2  # of fma x y z, the third is a plain term
    pairs = ((0, 1),) if len(args) % 2 else tuple((k, half + k) for k in range(half))
    last = given[2:] if len(args) % 2 else ()
    centers: list[Operand] = [s.center for s in last]
    radii: list[Operand] = [s.radius for s in last] + [c.own_error(place)]
    for j, k in pairs:
        interval = _times(c, place.out, (args[j], given[j]), (args[k], given[k]), ZERO)
        centers.append(interval.center)
        radii.append(interval.radius)
    total: Operand = ZERO
    for center in centers:
        total = _added(c, total, center, False) if center != ZERO else total
    width = max(len(centers), len(radii))
    padded = [x + [ZERO] * (width - len(x)) for x in (radii, centers)]
    return Interval(total, c.make("sum_radius", *padded[0], *padded[1]))
