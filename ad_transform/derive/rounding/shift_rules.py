"""How operations carry shifts on: one rule for each kind of operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ad_transform.derive.rounding.operations import Place, is_exact, scales_down
from ad_transform.derive.rounding.residuals import has_residual, remainder, residual
from ad_transform.derive.rounding.shifts import ZERO, Shift, floating
from ad_transform.ir.elemental import EXACT, Box, Elemental, Form, Modulo
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.template import instantiate, parse_template

if TYPE_CHECKING:
    from ad_transform.derive.rounding.carrier import Carrier

Given = Sequence[Shift]
Rule = Callable[["Carrier", Place, Given], Shift]


def _sum(c: Carrier, place: Place, given: Given) -> Shift:
    """The shifts of the terms, and the sum's own error."""
    own = ZERO if is_exact(place.statement) else residual(c.builder, place)
    assert own is not None
    centers: list[Operand] = [s.center for s in given] + [own]
    radii: list[Operand] = [s.radius for s in given if s.radius != ZERO]
    total = centers[0]
    for k, center in enumerate(centers[1:]):
        taken_off = k == 0 and place.statement.op.form is Form.DIFFERENCE
        if center != ZERO:
            total = _added(c, total, center, taken_off)
    kept = [x for x in centers if x != ZERO]
    if len(kept) < 2 and len(radii) < 2:
        return Shift(total, radii[0] if radii else ZERO)
    width = max(len(radii), len(kept))
    padded = [x + [ZERO] * (width - len(x)) for x in (radii, kept)]
    return Shift(total, c.make("sum_radius", *padded[0], *padded[1]))


def _added(c: Carrier, total: Operand, center: Operand, taken_off: bool) -> Operand:
    if total == ZERO and not taken_off:
        return center
    return c.make("minus" if taken_off else "plus", total, center)


def _product(c: Carrier, place: Place, given: Given) -> Shift:
    x, y = map(floating, place.args)
    error: Operand = ZERO
    if not (is_exact(place.statement) or scales_down(place.statement)):
        known = residual(c.builder, place)
        assert known is not None
        error = known
    return _times(c, place.out, (x, given[0]), (y, given[1]), error)


def _times(
    c: Carrier,
    v: Operand,
    left: tuple[Operand, Shift],
    right: tuple[Operand, Shift],
    error: Operand,
) -> Shift:
    (x, dx), (y, dy) = left, right
    center = error
    if dx.center != ZERO or dy.center != ZERO:
        center = c.make("product_center", error, x, dx.center, y, dy.center)
    shifts = (x, dx.center, dx.radius, y, dy.center, dy.radius)
    return Shift(center, c.make("product_radius", v, *shifts, error))


def _quotient(c: Carrier, place: Place, given: Given) -> Shift:
    x, y = map(floating, place.args)
    dx, dy, v = given[0], given[1], place.out
    rest = remainder(c.builder, v, y, x)
    center = c.make("quotient_center", v, dx.center, y, dy.center, rest)
    shifts = (x, dx.center, dx.radius, y, dy.center, dy.radius)
    return Shift(center, c.make("quotient_radius", center, v, *shifts, rest))


def _root(c: Carrier, place: Place, given: Given) -> Shift:
    (x,), (dx,), v = map(floating, place.args), given, place.out
    rest = remainder(c.builder, v, v, x)
    center = c.make("root_center", v, x, dx.center, rest)
    return Shift(
        center, c.make("root_radius", center, v, x, dx.center, dx.radius, rest)
    )


def _power(c: Carrier, place: Place, given: Given) -> Shift:
    """A square has a residual; other powers are library functions."""
    if not has_residual(place):
        return _any_power(c, place, given)
    error = residual(c.builder, place)
    assert error is not None
    side = (place.args[0], given[0])
    return _times(c, place.out, side, side, error)


_WOBBLE = parse_template(
    "(2.0000001 * (abs(v) + d) * e * (abs(log(x)) + 0.5)"
    " if e * (abs(log(x)) + 0.5) < 0.5 else 1e999) if x > 0 else 1e999"
)
"""What a shift of y up to e makes of x**y, v shifted by d at most, x by a quarter."""


_POWER_CENTER = parse_template("times(times(v, y), c / x) if x != 0 else 0.0")


def _literal_power(c: Carrier, place: Place, given: Shift) -> Shift:
    """The power of a shifted x, for a y that is exact."""
    x, y = map(floating, place.args)
    env = {"x": x, "y": y, "v": place.out, "c": given.center}
    center = instantiate(_POWER_CENTER, env, c.builder)
    shift = (given.center, given.radius)
    error = c.own_error(place)
    return Shift(center, c.make("power_radius", error, place.out, x, y, *shift))


def _any_power(c: Carrier, place: Place, given: Given) -> Shift:
    shift = _literal_power(c, place, given[0])
    if given[1].is_zero:
        return shift
    env = {"x": floating(place.args[0]), "v": place.out, "d": c.reach(shift)}
    wobble = instantiate(_WOBBLE, {**env, "e": c.reach(given[1])}, c.builder)
    return Shift(shift.center, c.make("sum_radius", shift.radius, wobble, ZERO, ZERO))


def _negated(c: Carrier, place: Place, given: Given) -> Shift:
    return _signed(c, place, given, "-c")


def _same(c: Carrier, place: Place, given: Given) -> Shift:
    return given[0]


def _signed(c: Carrier, place: Place, given: Given, text: str) -> Shift:
    if given[0].center == ZERO:
        return given[0]
    env = {"c": given[0].center, "x": place.args[0], "v": place.out}
    return Shift(instantiate(parse_template(text), env, c.builder), given[0].radius)


def _absolute(c: Carrier, place: Place, given: Given) -> Shift:
    """The shift of x with the sign of x; as far as it reaches where that is open."""
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
    return Shift(
        instantiate(parse_template(center), env, c.builder),
        instantiate(parse_template("r if abs(x) > d else d + d"), env, c.builder),
    )


_CLEAR = "abs(minus(x, y)) > 1.0000001 * (d + e)"  # no law may see to overflows


def _choice(c: Carrier, place: Place, given: Given) -> Shift:
    """max and min: the shift of the one taken, if it is sure which; else of both."""
    x, y = map(floating, place.args[:2])
    env = {"x": x, "y": y, "v": place.out, "d": c.reach(given[0])}
    env |= {"e": c.reach(given[1]), "c": given[0].center, "r": given[0].radius}
    env |= {"b": given[1].center, "q": given[1].radius}
    center = f"(c if v == x else b) if {_CLEAR} else 0.0"
    radius = f"(r if v == x else q) if {_CLEAR} else 1.0000001 * (d + e)"
    return Shift(
        instantiate(parse_template(center), env, c.builder),
        instantiate(parse_template(radius), env, c.builder),
    )


def _lipschitz(c: Carrier, place: Place, given: Given) -> Shift:
    """Functions that grow no faster than their arguments, each by itself."""
    radii = [c.reach(s) for s in given if not s.is_zero]
    radii.append(c.own_error(place))
    return Shift(ZERO, c.make("sum_radius", *radii, *([ZERO] * len(radii))))


def _boxed(c: Carrier, place: Place, given: Given) -> Shift:
    """Functions of two arguments by how far they move in a box."""
    op = place.statement.op
    assert isinstance(op.enclosure, Box)
    env = dict(zip(op.parameters, map(floating, place.args), strict=True))
    env |= {"v": place.out, "d": c.reach(given[0]), "e": c.reach(given[1])}
    moved = instantiate(parse_template(op.enclosure.reach), env, c.builder)
    radii = (c.own_error(place), c.make("times", Literal(1.0 + 2.0**-40), moved))
    return Shift(ZERO, c.make("sum_radius", *radii, ZERO, ZERO))


def _angle(c: Carrier, place: Place, given: Given) -> Shift:
    y, x = map(floating, place.args)
    reaches = tuple(map(c.reach, given))
    return Shift(ZERO, c.make("angle_radius", c.own_error(place), y, x, *reaches))


def _step(c: Carrier, place: Place, given: Given) -> Shift:
    return Shift(ZERO, c.make("step_radius", place.args[0], c.reach(given[0])))


_UNDECIDED = parse_template(
    f"0.0 if {_CLEAR} else"
    " ((0.0 if minus(x, y) == minus(x, y) else 1e999) if d + e == 0.0 else 1e999)"
)
"""What is the same without an error is so, unless both sides have overflowed."""


def _comparison(c: Carrier, place: Place, given: Given) -> Shift:
    """Unknown where the margin is within reach of the errors of both sides."""
    x, y = map(floating, place.args)
    env = {"x": x, "y": y, "d": c.reach(given[0]), "e": c.reach(given[1])}
    return Shift(ZERO, instantiate(_UNDECIDED, env, c.builder))


def _products(c: Carrier, place: Place, given: Given) -> Shift:
    """Sums of products that are rounded once: fma and sumprod."""
    args = tuple(map(floating, place.args))
    half = len(args) // 2  # of fma x y z, the third is a plain term
    pairs = ((0, 1),) if len(args) % 2 else tuple((k, half + k) for k in range(half))
    last = given[2:] if len(args) % 2 else ()
    centers: list[Operand] = [s.center for s in last]
    radii: list[Operand] = [s.radius for s in last] + [c.own_error(place)]
    for j, k in pairs:
        shift = _times(c, place.out, (args[j], given[j]), (args[k], given[k]), ZERO)
        centers.append(shift.center)
        radii.append(shift.radius)
    total: Operand = ZERO
    for center in centers:
        total = _added(c, total, center, False) if center != ZERO else total
    width = max(len(centers), len(radii))
    padded = [x + [ZERO] * (width - len(x)) for x in (radii, centers)]
    return Shift(total, c.make("sum_radius", *padded[0], *padded[1]))


def _modulo(c: Carrier, place: Place, given: Given) -> Shift:
    """x - q * y, where it is sure which whole number q is."""
    x, y = map(floating, place.args)
    op = place.statement.op
    assert isinstance(op.enclosure, Modulo)
    size, least, most = op.enclosure.size, op.enclosure.least, op.enclosure.most
    q = c.make("whole_quotient", x, y, place.out)
    env = {"y": y, "v": place.out, "q": q}
    ends = (instantiate(parse_template(t), env, c.builder) for t in (size, least))
    (cx, rx), (cy, ry) = ((s.center, s.radius) for s in given)
    shifts = (y, q, cx, rx, cy, ry)
    own = ZERO if op.ulps == EXACT else c.own_error(place)
    radius = c.make("modulo_radius", own, *ends, Literal(most), *shifts)
    center = c.make("minus", cx, c.make("times", q, cy)) if cy != ZERO else cx
    return Shift(center, radius)


_FLOORED = parse_template(
    "(0.0 if abs(v) < 2251799813685248.0 else e) if r < 1e999 else 1e999"
)
"""A quotient from 2**51 on is no longer computed as the whole number that it is."""


def _floored(c: Carrier, place: Place, given: Given) -> Shift:
    """x // y, exact where it is sure which whole number that is, and it is a double."""
    rest = c.make("mod", *place.args)
    statement = Apply(place.statement.out, c.builder.table["mod"], place.args)
    shift = _modulo(c, Place(statement, place.args, rest), given)
    env = {"r": shift.radius, "v": place.out, "e": c.own_error(place)}
    return Shift(ZERO, instantiate(_FLOORED, env, c.builder))


_STABLE = "True if e == 0.0 else abs(y) > e"
_SIGN_CENTER = parse_template(
    f"((c if v == x else -c) if abs(x) > d else 0.0) if ({_STABLE}) else 0.0"
)
_SIGN_RADIUS = parse_template(f"(r if abs(x) > d else d + d) if ({_STABLE}) else 1e999")


def _sign_of(c: Carrier, place: Place, given: Given) -> Shift:
    """copysign: the shift of abs(x) with the sign of y, if that is sure."""
    x, y = map(floating, place.args[:2])
    env = {"x": x, "y": y, "v": place.out, "d": c.reach(given[0])}
    env |= {"c": given[0].center, "r": given[0].radius, "e": c.reach(given[1])}
    center = instantiate(_SIGN_CENTER, env, c.builder)
    return Shift(center, instantiate(_SIGN_RADIUS, env, c.builder))


_SURE = parse_template("0.0 if (True if d == 0.0 else abs(x) > d) else 1e999")


def _sign(c: Carrier, place: Place, given: Given) -> Shift:
    """The sign of x, if it is sure."""
    env = {"x": floating(place.args[0]), "d": c.reach(given[0])}
    return Shift(ZERO, instantiate(_SURE, env, c.builder))


_STEPPED = parse_template(
    "0.0 if abs(x) > d else ((0.0 if x != 0.0 else e) if d == 0.0 else 1e999)"
)


def _stepped(c: Carrier, place: Place, given: Given) -> Shift:
    """heaviside: 0 or 1 where the sign of x is sure, at 0 the shift of its value."""
    env = {"x": floating(place.args[0])}
    env |= {"d": c.reach(given[0]), "e": c.reach(given[1])}
    return Shift(ZERO, instantiate(_STEPPED, env, c.builder))


def _truth(c: Carrier, place: Place, given: Given) -> Shift:
    """Whether x is 0, if that is sure; of a test it is known already."""
    return _sign(c, place, given) if place.args[0].type.is_real else given[0]


_IS_FINITE = parse_template("0.0 if d < 1e999 else 1e999")


def _finiteness(c: Carrier, place: Place, given: Given) -> Shift:
    """What is finite is so exactly, if the shift is."""
    env = {"d": c.reach(given[0])}
    return Shift(ZERO, instantiate(_IS_FINITE, env, c.builder))


_RULES: Mapping[Form, Rule] = {
    Form.SUM: _sum,
    Form.DIFFERENCE: _sum,
    Form.TOTAL: _sum,
    Form.PRODUCT: _product,
    Form.QUOTIENT: _quotient,
    Form.ROOT: _root,
    Form.POWER: _power,
    Form.PRODUCT_SUM: _products,
    Form.NEGATION: _negated,
    Form.IDENTITY: _same,
    Form.MAGNITUDE: _absolute,
    Form.CHOICE: _choice,
    Form.COPIED_SIGN: _sign_of,
    Form.SIGN: _sign,
    Form.UNIT_STEP: _stepped,
    Form.WHOLE: _step,
    Form.WHOLE_QUOTIENT: _floored,
    Form.REMAINDER: _modulo,
    Form.NONEXPANSIVE: _lipschitz,
    Form.ANGLE: _angle,
    Form.COMPARISON: _comparison,
    Form.TRUTH: _truth,
    Form.FINITENESS: _finiteness,
}


def rule_of(op: Elemental) -> Rule | None:
    """How an operation carries shifts on; None for a function of one argument, which
    has a curve, or nothing is known of.
    """
    return _boxed if isinstance(op.enclosure, Box) else _RULES.get(op.form)
