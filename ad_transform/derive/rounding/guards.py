"""Partials for estimates: infinite where first order says nothing, never an exception.

A partial is taken with respect to an argument that carries an error. It is infinite
where that argument is so small, or so ill-conditioned, that its relative error need not
be small: near a pole, a branch point, or after underflow. It is infinite, too, where it
has underflowed itself and a large adjoint would make up for that: x / y has -x / y**2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from functools import cache

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.rounding.beyond import Beyond, beyond, exponent, made_in
from ad_transform.derive.rounding.uses import leaving, used_nonlinearly
from ad_transform.elementals.conditions import INF, TINY
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Statement, Var

LOST = 1e-11
"""A difference that has kept less than this of its operands may have no digit left."""

_NEAR = "abs(x - y) <= 1e-11 * abs(v)"

_ADDED = frozenset(
    {Form.SUM, Form.DIFFERENCE, Form.TOTAL, Form.NEGATION, Form.IDENTITY}
    | {Form.MAGNITUDE, Form.CHOICE}
)
"""Operations with partials of 0, 1 and -1."""

_FADED = f"({{0}}) if (True if abs({{1}}) > {TINY} else v == 0.0) else {INF}"


def guarded(
    op: Elemental, args: Sequence[Operand], nonlinear: bool, weighed: bool
) -> Elemental:
    """The row with its guards for partials; of `sqrt(x)` it is
    `(0.5 / v) if x > 1e-290 else 1e999`.

    If its result is used `nonlinear`, they are infinite, too, where that may have no
    correct digit; if it is `weighed`, where they have faded.
    """
    partials = op.guard or op.partials
    if op.form is Form.CHOICE:
        partials = _of_choice(op.prefers, args[:2])
        partials += ("0",) * op.variadic  # the others come with x
    if op.form is Form.POWER and _small_whole(args[1]):
        partials = op.partials  # made of products, which never raise
    if nonlinear and op.amplifies:
        small, size = op.amplifies
        kept = f"{small} >= {LOST} * {size}"  # sin(0) is 0 and has lost nothing
        partials = tuple(f"({p}) if {kept} else {INF}" for p in partials)
    if nonlinear and op.cancels:
        cast = "" if all(_is_float(a) for a in args) else "float"
        partials = tuple(
            f"{cast}({p}) if abs(v) > {LOST} * abs({of}) else {INF}"
            for p, of in zip(partials, op.cancels, strict=True)
        )
    if weighed and op.fades and partials is not op.partials:
        partials = tuple(
            _FADED.format(p, of) if of else p
            for p, of in zip(partials, op.fades, strict=True)
        )
    if partials is op.partials:
        return op
    return _guarded(op, partials)


@cache
def _guarded(op: Elemental, partials: tuple[str, ...]) -> Elemental:
    """A row with guarded partials; the same one for the same guards, so that runs of it
    are alike.
    """
    return replace(op, partials=partials, common="", parts=())


def _of_choice(test: str, args: Sequence[Operand]) -> tuple[str, ...]:
    """Partials of max and min, infinite if the choice is not sure: if the arguments are
    nearly equal, or one is a 0 that may have been another number.
    """
    if args[0] is args[1]:
        return "1", "0"
    near = _NEAR
    for name, value in zip("xy", args, strict=True):
        if not isinstance(value, Literal):
            near = f"(True if {name} == 0.0 else {near})"
    first = f"{INF} if {near} else (1 if {test} else 0)"
    return first, f"{INF} if {near} else (0 if {test} else 1)"


def _is_float(value: Operand) -> bool:
    return isinstance(value, Literal) or value.type.is_real


def _small_whole(exponent: Operand) -> bool:
    if not isinstance(exponent, Literal) or isinstance(exponent.value, str):
        return False
    return exponent.value == math.floor(exponent.value) and 1 <= exponent.value <= 64


@dataclass(slots=True)
class Conditions:
    """The values that carry an error (active), those used nonlinearly, and those that
    are used otherwise than in sums (weighed): their adjoints may be large.

    `beyond` are the differences, in error, beyond exponents and beyond sums that are
    used nonlinearly.
    """

    active: set[Operand] = field(default_factory=set)
    nonlinear: set[Operand] = field(default_factory=set)
    weighed: set[Operand] = field(default_factory=set)
    seen: set[Operand] = field(default_factory=set)  # all values that are computed
    beyond: dict[Operand, list[Beyond]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        body: Sequence[Statement],
        inputs: Sequence[Var],
        erring: set[Operand],
        nonlinear: Sequence[Operand] = (),
        weighed: Sequence[Operand] = (),
    ) -> Conditions:
        """The conditions in a program with these inputs in error.

        A value is active if it errs itself (`erring`) or depends on an active one, and
        nonlinear if a result does not depend on it linearly: in `exp(x) + y` that is x.
        The values `nonlinear` may be used in any way outside, those `weighed` otherwise
        than in sums. O(statements).
        """
        found = cls(set(inputs), set(nonlinear), {*nonlinear, *weighed})
        for statement in body:
            if not (erring.isdisjoint(statement.outs) and found.passive(statement)):
                found.active.update(statement.outs)
        for statement in reversed(body):
            if not (found.weighed.isdisjoint(statement.outs) and _adds(statement)):
                found.weighed.update(statement.inputs)
            found.seen.update(statement.outs)
        found.nonlinear.update(used_nonlinearly(body, nonlinear))
        made = made_in(body)
        for statement in body:
            is_one = isinstance(statement, Apply) and exponent(statement) is not None
            if is_one or not found.nonlinear.isdisjoint(statement.outs):
                apart = beyond(statement, made)
                erring_ones = [o for o in apart if not found.passive(o.difference)]
                found.beyond[statement.outs[0]] = erring_ones
        return found

    def leaving(self, holder: Statement, block: Block) -> Sequence[Operand]:
        """The results of a statement's block that may be used nonlinearly."""
        if not self.seen.issuperset(holder.outs):
            return block.results
        return leaving(holder, block, self.nonlinear)

    def passive(self, statement: Statement) -> bool:
        """Whether no argument of a statement carries an error."""
        return self.active.isdisjoint(statement.inputs)


def _adds(statement: Statement) -> bool:
    """Whether a statement hands adjoints on unchanged, or hands on none at all."""
    if not isinstance(statement, Apply):
        return False
    return statement.op.form in _ADDED or not statement.out.type.is_real
