"""Enclosures of the exact result: mean values over intervals, with residuals.

The shift of a value, computed less exact, is carried along with it as center and
radius (Kubota & Iri 1991, the mean-value argument; Rump's midpoint and radius): the
center is what residuals and partials say, the radius bounds everything else, second
order, roundings of the center and library functions included. Rigorous for
round-to-nearest, given the table of errors of library functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ad_transform.derive.lay import lay
from ad_transform.derive.rounding.curves import CURVES
from ad_transform.derive.rounding.inputs import (
    InputError,
    Inputs,
    Known,
    Within,
    input_term,
)
from ad_transform.derive.rounding.operations import (
    Place,
    Rules,
    constant_error,
    is_exact,
    own_error,
    scales_down,
)
from ad_transform.derive.rounding.pieces import absolute
from ad_transform.derive.rounding.residuals import (
    has_residual,
    remainder,
    residual,
)
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder, as_float, live
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.options import Options

ZERO = Literal(0.0)
_INFINITE = Literal(math.inf)
_LEAST = Literal(5e-324)


@dataclass(frozen=True, slots=True)
class Shift:
    """Computed less exact lies within `radius` of `center`."""

    center: Operand = ZERO
    radius: Operand = ZERO

    @property
    def is_zero(self) -> bool:
        return self.center == ZERO and self.radius == ZERO


NONE = Shift()
UNKNOWN = Shift(ZERO, _INFINITE)


def enclosure(
    function: Function, inputs: Inputs, options: Options, rules: Rules
) -> tuple[Builder, tuple[Operand, ...], tuple[Operand, ...], tuple[Operand, ...]]:
    """The results of a function with the lower and upper ends of their enclosures."""
    source = Builder(TABLE, LAWS)
    sacred = replace(function, primal=len(function.results))
    env = lay(sacred, source, options.powers)
    results = tuple(env.get(r, r) for r in function.results)
    body = live(tuple(source.body), results)
    carrier = Carrier(Builder(TABLE, LAWS), rules)
    for value, own in inputs.items():
        carrier.shifts[value] = carrier.of_input(value, own)
    carrier.run(body)
    ends = [carrier.shifts.get(r, NONE) for r in results]
    low = tuple(carrier.end("low", shift) for shift in ends)
    high = tuple(carrier.end("high", shift) for shift in ends)
    return carrier.builder, results, low, high


Given = Sequence[Shift]


class Carrier:
    """Carries shifts through the operations of a program, over one builder."""

    def __init__(self, builder: Builder, rules: Rules) -> None:
        self.builder = builder
        self.rules = rules
        self.shifts: dict[Operand, Shift] = {}

    def make(self, op: str, *args: Operand) -> Operand:
        return self.builder.apply(op, *args)

    def end(self, name: str, shift: Shift) -> Operand:
        """One end of what has to be added to a value."""
        return ZERO if shift.is_zero else self.make(name, shift.center, shift.radius)

    def of_input(self, value: Var, own: InputError) -> Shift:
        """What an input brings along."""
        if isinstance(own, Known):
            return _constant(own.error)
        half = input_term(self.builder, value, own, Literal(0.5))
        if isinstance(own, Within):
            half = self.make("times", Literal(1.0 + 2.0**-50), half)
        return Shift(ZERO, self.make("plus", half, _LEAST))

    def own_error(self, place: Place) -> Operand:
        """The largest error of an operation, halves of the least double included."""
        return self.make("plus", own_error(self.builder, place, self.rules), _LEAST)

    def run(self, body: Sequence[Statement]) -> None:
        """Take a program in, and carry shifts through all of it."""
        self.builder.body.extend(body)
        for statement in body:
            if isinstance(statement, Apply):
                self.carry(statement)
            elif isinstance(statement, Branch):
                self.branch(statement)

    def branch(self, statement: Branch) -> None:
        """The shifts of a branch are a branch of the shifts of its arms.

        Where it is not sure which arm exact arithmetic takes, nothing is known.
        """
        given = [self.shifts.get(a, NONE) for a in statement.args]
        handed = [v for s in given for v in (s.center, s.radius) if isinstance(v, Var)]
        then = self._arm(statement.then, given, handed)
        orelse = self._arm(statement.orelse, given, handed)
        args = (*statement.args, *handed)
        found = self.builder.branch(statement.test, args, then, orelse)
        doubt = self.shifts.get(statement.test, NONE).radius
        for k, out in enumerate(statement.outs):
            radius = self.make("plus", found[2 * k + 1], doubt)
            self.shifts[out] = Shift(found[2 * k], radius)

    def _arm(self, block: Block, given: Given, handed: Sequence[Var]) -> Block:
        """The arm that gives the center and radius of each result."""
        inner = Carrier(self.builder.inner(), self.rules)
        params = [Var(v.type, v.hint) for v in handed]
        inside: dict[Operand, Operand] = dict(zip(handed, params, strict=True))
        for param, shift in zip(block.params, given, strict=True):
            center = inside.get(shift.center, shift.center)
            radius = inside.get(shift.radius, shift.radius)
            inner.shifts[param] = Shift(center, radius)
        inner.run(block.body)
        shifts = (inner.shifts.get(r, NONE) for r in block.results)
        results = tuple(v for s in shifts for v in (s.center, s.radius))
        return inner.builder.block((*block.params, *params), results)

    def carry(self, statement: Apply) -> None:
        """Find the shift of an operation's result."""
        place = Place(statement, statement.args, statement.out)
        given = [self.shifts.get(a, NONE) for a in statement.args]
        name = statement.op.name
        exact = all(s.is_zero for s in given)
        if exact and (is_exact(statement) or constant_error(statement) is not None):
            shift = self._of_constant(statement)
        elif exact and not has_residual(place):
            shift = Shift(ZERO, self.own_error(place))
        elif name in _RULES:
            shift = _RULES[name](self, place, given)
        elif name in CURVES and all(s.is_zero for s in given[1:]):
            shift = self.image(place, given[0])
        else:
            shift = UNKNOWN
        if not shift.is_zero:
            self.shifts[statement.out] = shift

    def _of_constant(self, statement: Apply) -> Shift:
        if scales_down(statement):
            return UNKNOWN
        return _constant(constant_error(statement) or 0.0)

    def image(self, place: Place, given: Shift) -> Shift:
        """A library function of an inexact argument."""
        curve = CURVES[place.statement.op.name]
        env = dict(zip("xy", map(_float, place.args), strict=False))
        env |= {"v": place.out, "d": self.reach(given)}
        slope = instantiate(parse_template(curve.slope), env, self.builder)
        bend = instantiate(parse_template(curve.bend), env, self.builder)
        error, slack = self.own_error(place), Literal(float(curve.slack))
        shift = (given.center, given.radius)
        radius = self.make("image_radius", error, slope, slack, bend, *shift)
        return Shift(self.make("times", slope, given.center), radius)

    def reach(self, shift: Shift) -> Operand:
        """The largest shift there may be, without rounding up."""
        if shift.center == ZERO:
            return shift.radius
        return self.make("plus", absolute(self.builder, shift.center), shift.radius)


def _constant(error: float) -> Shift:
    """A known error, itself rounded to nearest."""
    return Shift(Literal(error), Literal(abs(error) * 2.0**-52)) if error else NONE


def _float(operand: Operand) -> Operand:
    return as_float(operand) if isinstance(operand, Literal) else operand


# --- one rule for each kind of operation ----------------------------------------------

Rule = Callable[[Carrier, Place, Given], Shift]


def _sum(c: Carrier, place: Place, given: Given) -> Shift:
    """The shifts of the terms, and the sum's own error."""
    own = ZERO if is_exact(place.statement) else residual(c.builder, place)
    assert own is not None
    centers: list[Operand] = [s.center for s in given] + [own]
    radii: list[Operand] = [s.radius for s in given if s.radius != ZERO]
    total = centers[0]
    for k, center in enumerate(centers[1:]):
        taken_off = k == 0 and place.statement.op.name == "sub"
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
    x, y = map(_float, place.args)
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
    x, y = map(_float, place.args)
    dx, dy, v = given[0], given[1], place.out
    rest = remainder(c.builder, v, y, x)
    center = c.make("quotient_center", v, dx.center, y, dy.center, rest)
    shifts = (x, dx.center, dx.radius, y, dy.center, dy.radius)
    return Shift(center, c.make("quotient_radius", center, v, *shifts, rest))


def _root(c: Carrier, place: Place, given: Given) -> Shift:
    (x,), (dx,), v = map(_float, place.args), given, place.out
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


def _any_power(c: Carrier, place: Place, given: Given) -> Shift:
    shift = c.image(place, given[0])
    if given[1].is_zero:
        return shift
    env = {"x": _float(place.args[0]), "v": place.out, "d": c.reach(shift)}
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
    return Shift(
        instantiate(parse_template(center), env, c.builder),
        instantiate(parse_template("r if abs(x) > d else d + d"), env, c.builder),
    )


_CLEAR = "abs(x - y) > 1.0000001 * (d + e)"


def _choice(c: Carrier, place: Place, given: Given) -> Shift:
    """max and min: the shift of the one taken, if it is sure which; else of both."""
    x, y = map(_float, place.args)
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


def _angle(c: Carrier, place: Place, given: Given) -> Shift:
    y, x = map(_float, place.args)
    reaches = tuple(map(c.reach, given))
    return Shift(ZERO, c.make("angle_radius", c.own_error(place), y, x, *reaches))


def _step(c: Carrier, place: Place, given: Given) -> Shift:
    return Shift(ZERO, c.make("step_radius", place.args[0], c.reach(given[0])))


_UNDECIDED = parse_template(f"0.0 if {_CLEAR} else 1e999")


def _comparison(c: Carrier, place: Place, given: Given) -> Shift:
    """Unknown where the margin is within reach of the errors of both sides."""
    x, y = map(_float, place.args)
    env = {"x": x, "y": y, "d": c.reach(given[0]), "e": c.reach(given[1])}
    return Shift(ZERO, instantiate(_UNDECIDED, env, c.builder))


_RULES: Mapping[str, Rule] = {
    **dict.fromkeys(("add", "sub", "sum", "sum_from", "fsum"), _sum),
    "mul": _product,
    "div": _quotient,
    "sqrt": _root,
    "pow": _power,
    "math_pow": _power,
    "neg": _negated,
    "pos": _same,
    "float": _same,
    "abs": _absolute,
    "fabs": _absolute,
    **dict.fromkeys(("max", "min", "maximum", "minimum", "fmax", "fmin"), _choice),
    **dict.fromkeys(("hypot", "dist", "logaddexp"), _lipschitz),
    **dict.fromkeys(("lt", "le", "gt", "ge", "eq", "ne"), _comparison),
    "not": _same,
    "atan2": _angle,
    **dict.fromkeys(("floor", "ceil", "trunc", "round", "int"), _step),
}
