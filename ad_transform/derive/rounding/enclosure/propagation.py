"""The propagation of intervals through the statements of a program, and its blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ad_transform.derive.rounding.enclosure.arrays import known_beside, through_array
from ad_transform.derive.rounding.enclosure.interval import (
    NONE,
    UNKNOWN,
    ZERO,
    Given,
    Interval,
    constant,
    floating,
    pairs,
)
from ad_transform.derive.rounding.enclosure.loops import through_loop
from ad_transform.derive.rounding.enclosure.rules import rule_of
from ad_transform.derive.rounding.inputs import InputError, Known, Within, input_term
from ad_transform.derive.rounding.largest_errors import Place, Rules, own_error
from ad_transform.derive.rounding.operations import (
    constant_error,
    is_exact,
    jumps,
    scales_down,
)
from ad_transform.derive.rounding.overflow import Overflow
from ad_transform.derive.rounding.pieces import absolute
from ad_transform.derive.rounding.residuals import has_residual
from ad_transform.elementals.calls import GIVEN
from ad_transform.ir.blocks.blocks import pruned, renewed, without_alike
from ad_transform.ir.blocks.live import live_outside
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Curve, Form
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import FLOAT, INT

_SURE = parse_template("0.0 if r < 1e999 else 1e999")
_LEAST = Literal(5e-324)
_FEW_BITS = parse_template("r if abs(v) <= 9007199254740992 else 1e999")
_WIDE = frozenset(
    {Form.SUM, Form.DIFFERENCE, Form.PRODUCT, Form.POWER, Form.TOTAL}
    | {Form.REMAINDER, Form.WHOLE_QUOTIENT}
)
"""Operations on whole numbers whose result may have more bits than these."""


class Calls(Protocol):
    """The functions that are called, with helpers for intervals.

    callee     the function that is called
    enclosed   the name of the helper that gives values, their intervals and a doubt,
               for arguments and the intervals of those at some places
    may_doubt  whether the doubt of a helper may be another number than 0
    """

    def callee(self, call: Call) -> Function: ...

    def enclosed(self, call: Call, places: tuple[int, ...]) -> str: ...

    def may_doubt(self, helper: str) -> bool: ...


class Propagation:
    """The intervals of a program's values, found in order, over one builder."""

    def __init__(
        self,
        builder: Builder,
        rules: Rules,
        watching: bool = False,
        calls: Calls | None = None,
    ) -> None:
        self.builder = builder
        self.rules = rules
        self.watching = watching
        self.calls = calls
        self.doubt: Operand = ZERO
        self.doubts: set[Operand] = set()  # all doubts that it sums up
        self.intervals: dict[Operand, Interval] = {}
        self.wholes: set[Operand] = set()
        self.overflow = Overflow()

    def make(self, op: str, *args: Operand) -> Operand:
        return self.builder.apply(op, *args)

    def end(self, name: str, interval: Interval) -> Operand:
        """The lower or upper end of an interval, to be added to a value."""
        return (
            ZERO
            if interval.is_zero
            else self.make(name, interval.center, interval.radius)
        )

    def of_input(self, value: Var, own: InputError) -> Interval:
        """The interval of an input's error."""
        if isinstance(own, Known):
            return constant(own.error)
        half = input_term(self.builder, value, own, Literal(0.5))
        if isinstance(own, Within):
            half = self.make("times", Literal(1.0 + 2.0**-50), half)
        return Interval(ZERO, self.make("plus", half, _LEAST))

    def own_error(self, place: Place) -> Operand:
        """The largest error of an operation, halves of the least double included."""
        return self.make("plus", own_error(self.builder, place, self.rules), _LEAST)

    def run(self, body: Sequence[Statement]) -> Task[None]:
        """Take a program in, and find the intervals of its values."""
        for statement in body:
            if not isinstance(statement, Branch | Scan | While | Call):
                self.builder.body.append(statement)
            yield self.of(statement, statement.outs)

    def follow(self, body: Sequence[Statement]) -> Task[None]:
        """Find the intervals of a program that the builder has."""
        for statement in body:
            own = {}  # a loop that records has trips of its own
            if isinstance(statement, Scan | While) and statement.stacks:
                own = {str(statement.stacks[0].type.dims[0]): self.builder.trips()}
            outs = tuple(Var(o.type.renamed(own), o.hint) for o in statement.outs)
            yield self.of(statement, outs)

    def of(self, statement: Statement, outs: tuple[Var, ...]) -> Task[None]:
        """Find the intervals of a statement's values. A call, or a statement with
        blocks, is entered with intervals beside its values; it binds `outs`.
        """
        self.overflow.enter(statement)
        match statement:
            case Apply():
                self.operation(statement)
            case Branch():
                yield self.branch(statement, outs)
            case Scan() | While():
                yield through_loop(self, statement, outs)
            case Call():
                self.call(statement, outs)

    def watch(self, doubt: Operand) -> None:
        """Note a doubt, 0 or infinite, about the way that is taken."""
        if doubt not in self.doubts:
            self.doubts.add(doubt)
            self.doubt = self.total(self.doubt, doubt)

    def inner(self) -> Propagation:
        """A propagation for a block."""
        own = self.builder.inner()
        inner = Propagation(own, self.rules, self.watching, self.calls)
        inner.overflow = self.overflow
        return inner

    def call(self, statement: Call, outs: tuple[Var, ...]) -> None:
        """Enter a call of a helper for the values of a call and their intervals."""
        assert self.calls is not None
        args: list[Operand] = list(statement.args)
        callee = self.calls.callee(statement)
        changes, places = list(statement.changes), []
        pairs_ = zip(callee.block.params, statement.args, strict=True)
        for k, (param, arg) in enumerate(pairs_):
            own = self.intervals.get(arg, NONE)
            is_changed = k in statement.changes
            if not param.type.is_real:
                continue
            if param.type.is_array:
                if own.is_zero and not is_changed:
                    continue
                own = known_beside(self, arg)
            places.append(k)
            changes += (len(args), len(args) + 1) if is_changed else ()
            args += (own.center, own.radius)
        name = self.calls.enclosed(statement, tuple(places))
        count = len(callee.results)
        values = statement.outs[:count]
        real = [v for v in values if v.type.is_real]
        more = (*pairs(real), Var(FLOAT, "doubt"))
        given = (*outs[:count], *more)
        self.builder.body.append(
            Call(
                given,
                name,
                tuple(args),
                raises=statement.raises,
                changes=tuple(changes),
            )
        )
        for k, value in enumerate(real):
            self.intervals[value] = Interval(*more[2 * k : 2 * k + 2])
        self.wholes.update(v for v in values if not v.type.is_real)
        if not self.calls.may_doubt(name):
            return
        if self.watching:
            self.watch(more[-1])
        self.unless(more[-1], real)

    def branch(self, statement: Branch, outs: tuple[Var, ...]) -> Task[None]:
        """Enter a branch whose arms give their values with the intervals of these.

        Where it is not sure which arm exact arithmetic takes, nothing is known.
        """
        own = [self.intervals.get(a, NONE) for a in statement.args]
        handed = [v for s in own for v in (s.center, s.radius) if isinstance(v, Var)]
        then = yield self._arm(statement.then, own, handed)
        orelse = yield self._arm(statement.orelse, own, handed)
        more = (*pairs(outs), *(Var(FLOAT, "doubt") for _ in range(self.watching)))
        args = (*statement.args, *handed)
        made = Branch((*outs, *more), statement.test, *pruned(args, then, orelse))
        made, alike = without_alike(made, len(outs))
        self.builder.body.append(made)
        given = [alike.get(v, v) for v in more]
        for k, out in enumerate(statement.outs):
            if out.type.is_real or not out.type.dims:
                self.intervals[out] = Interval(*given[2 * k : 2 * k + 2])
        if self.watching:
            self.watch(given[-1])
        self.unless(self.intervals.get(statement.test, NONE).radius, statement.outs)

    def unless(self, doubt: Operand, values: Sequence[Var]) -> None:
        """Make the intervals of values unknown if there is a doubt, 0 or infinite. A
        doubt that is watched reaches everything already.
        """
        if self.watching:
            return
        for value in values:
            if not value.type.is_array:  # where arrays change, doubts are watched
                own = self.intervals.get(value, NONE)
                radius = self.total(own.radius, doubt)
                self.intervals[value] = Interval(own.center, radius)

    def _arm(self, block: Block, given: Given, handed: Sequence[Var]) -> Task[Block]:
        """The arm with its results, the center and radius of each, and its doubts."""
        inner = self.inner()
        arm = renewed(block)
        params = [Var(v.type, v.hint) for v in handed]
        inside: dict[Operand, Operand] = dict(zip(handed, params, strict=True))
        for param, interval in zip(arm.params, given, strict=True):
            center = inside.get(interval.center, interval.center)
            radius = inside.get(interval.radius, interval.radius)
            inner.intervals[param] = Interval(center, radius)
        yield inner.run(arm.body)
        intervals = (inner.intervals.get(r, NONE) for r in arm.results)
        results = (*arm.results, *(v for s in intervals for v in (s.center, s.radius)))
        if self.watching:
            results = (*results, inner.doubt)
        body = live_outside(tuple(inner.builder.body), results)
        return Block((*arm.params, *params), body, results)

    def operation(self, statement: Apply) -> None:
        """Find the interval of an operation's result."""
        if statement.op.layout is not None:
            through_array(self, statement)
            return
        place = Place(statement, statement.args, statement.out)
        given = [self.intervals.get(a, NONE) for a in statement.args]
        form, rule = statement.op.form, rule_of(statement.op)
        exact = all(s.is_zero for s in given)
        if statement.op is GIVEN or form is Form.CALLED:
            interval = given[0]
        elif form is Form.SOLVED:
            interval = UNKNOWN
        elif not any(a.type.is_real for a in (place.out, *place.args)):
            interval = self.whole(place, given)
        elif form is Form.COMPARISON and (exact and self._may_overflow(place.args)):
            assert rule is not None
            interval = rule(self, place, given)
        elif exact and (is_exact(statement) or constant_error(statement) is not None):
            interval = self._of_constant(statement)
        elif exact and not has_residual(statement) and form is not Form.WHOLE_QUOTIENT:
            interval = Interval(ZERO, self.own_error(place))
        elif not exact and self._steps_alone(place):
            radii = [s.radius for s in given if not s.is_zero]
            interval = Interval(ZERO, self.total(self.own_error(place), *radii))
        elif rule is not None:
            interval = rule(self, place, given)
        elif isinstance(statement.op.enclosure, Curve) and _only_first(given):
            interval = self.image(place, statement.op.enclosure, given[0])
        else:
            interval = UNKNOWN
        if statement.out.type == INT and (
            any(a.type.is_real for a in place.args)
            or not self.wholes.isdisjoint(place.args)
        ):
            self.wholes.add(statement.out)
        if not interval.is_zero:
            self.intervals[statement.out] = interval
            if self.watching and (jumps(statement) or statement.out in self.wholes):
                self.watch(self.certainty(form, interval))

    def certainty(self, form: Form, interval: Interval) -> Operand:
        """0 if a value is that of exact arithmetic, else infinite."""
        if form is Form.COMPARISON:  # its radius says no more than that
            return interval.radius
        return instantiate(_SURE, {"r": interval.radius}, self.builder)

    def whole(self, place: Place, given: Given) -> Interval:
        """Whole numbers of whole numbers: certain if these are, and of few bits.

        Where they come from floats and have more than 53, a float of them is rounded.
        """
        radius = self.total(*(s.radius for s in given))
        if place.statement.op.form in _WIDE and not self.wholes.isdisjoint(place.args):
            env = {"v": place.out, "r": radius}
            radius = instantiate(_FEW_BITS, env, self.builder)
        return Interval(ZERO, radius)

    def total(self, *radii: Operand) -> Operand:
        """The sum of radii."""
        total: Operand = ZERO
        for radius in radii:
            if total == ZERO:
                total = radius
            elif radius != ZERO:
                total = self.make("plus", total, radius)
        return total

    def _steps_alone(self, place: Place) -> bool:
        """Whether a function takes whole numbers only, which are right or unknown."""
        real = any(a.type.is_real for a in place.args)
        return isinstance(place.statement.op.enclosure, Curve) and not real

    def _may_overflow(self, args: Sequence[Operand]) -> bool:
        return any(map(self.overflow.silent, args))

    def _of_constant(self, statement: Apply) -> Interval:
        if scales_down(statement):
            return UNKNOWN
        return constant(constant_error(statement) or 0.0)

    def image(self, place: Place, curve: Curve, given: Interval) -> Interval:
        """A library function of an inexact argument."""
        env = dict(zip("xy", map(floating, place.args), strict=False))
        env |= {"v": place.out, "d": self.reach(given)}
        slope = instantiate(parse_template(curve.slope), env, self.builder)
        turn = instantiate(parse_template(curve.turn), env, self.builder)
        error, slack = self.own_error(place), Literal(float(curve.slack))
        interval = (given.center, given.radius)
        radius = self.make("image_radius", error, slope, slack, turn, *interval)
        return Interval(self.make("times", slope, given.center), radius)

    def reach(self, interval: Interval) -> Operand:
        """The largest possible error, without rounding up."""
        if interval.center == ZERO:
            return interval.radius
        return self.make(
            "plus", absolute(self.builder, interval.center), interval.radius
        )


def _only_first(given: Given) -> bool:
    """Whether the first argument alone is in error."""
    return all(s.is_zero for s in given[1:])
