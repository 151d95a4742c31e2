"""Derivatives of whole arrays that are 0 where a choice does not take an arm.

The partial of an arm of `np.where(test, sqrt(x), x)` is infinite where x is 0, and the
derivative that meets it is 0 there: their product would be NaN. So a choice with an arm
0 moves behind the operations on it, and the product is computed where it counts:

    np.where(test, y_bar, 0.0) * (0.5 / sqrt(x))  ->  np.where(test, y_bar * ..., 0.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import NamedTuple

from ad_transform.dataclass import dataclass, replace
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Literal,
    Operand,
    Scan,
    Statement,
    Substitution,
    Var,
    hint_of,
)
from ad_transform.ir.simplify import LAWS

# fmt: off
_TAME = frozenset({
    "add", "sub", "mul", "neg", "abs", "max", "min", "sin", "cos", "tanh", "atan",
    "spread", "where",
})
# fmt: on
"""Operations that give finite numbers of finite ones which are not huge."""

_TESTS = frozenset({"both", "either"})


class Masked(NamedTuple):
    """A value that is 0 where a test holds (`place` 0), or where it does not (1); where
    it counts it is `inner`.
    """

    test: Operand
    place: int
    inner: Operand


@dataclass(slots=True)
class Masks:
    """The masked values of a block, which `builder` makes."""

    builder: Builder
    sums: dict[Operand, Masked] = field(default_factory=dict)  # that are no choices
    tame: dict[Operand, bool] = field(default_factory=dict)

    def moved(self, op: str, out: Var, args: Sequence[Operand]) -> Operand | None:
        """An operation on masked values as a masked value; None if it is none."""
        if op in ("mul", "div"):
            return self.product(op, out, args)
        if op == "neg":
            return self._negated(out, args[0])
        if op in ("add", "sub"):
            one, other = map(self._of, args)
            if one is not None and other is not None:
                return self._sum(op, out, args, one, other)
        return None

    def _negated(self, out: Var, value: Operand) -> Operand | None:
        one = self._of(value)
        if one is None:
            return None
        inner = self._apply("neg", out, one.inner)
        if one.inner is not value:
            return self._choice(one._replace(inner=inner), out)
        self.sums[inner] = one._replace(inner=inner)
        return inner

    def product(self, op: str, out: Var, args: Sequence[Operand]) -> Operand | None:
        """A product or quotient of masked values as a masked one."""
        factors, found = list(args), list[Masked]()
        for k, arg in enumerate(args[: 1 if op == "div" else None]):
            one = self._of(arg)
            if one is not None:
                factors[k] = one.inner
                found.append(one)
        if not found:
            return None
        product = self.builder.apply(op, *factors)
        made = Masked(*self._meet(found, "both", "either"), product)
        others = [arg for arg in args if self._of(arg) is None]
        if factors == list(args) and op == "mul" and all(map(self.is_tame, others)):
            self.sums[product] = made
            return product
        return self._choice(made, out)

    def total(self, out: Var, args: Sequence[Operand]) -> Operand | None:
        """The scalar product of a masked vector as the sum of a masked one; None if no
        vector is masked, or both are finite.
        """
        if all(map(self.is_tame, args)):
            return None
        product = self.product("mul", out, args)
        return None if product is None else self._apply("sum_all", out, product)

    def _sum(
        self, op: str, out: Var, args: Sequence[Operand], one: Masked, other: Masked
    ) -> Operand | None:
        """The sum of two masked values: a choice if one test tells where they count."""
        is_one = one.test == other.test
        if is_one and one.inner is not args[0] and other.inner is not args[1]:
            if one.place == other.place:
                total = self.builder.apply(op, one.inner, other.inner)
                return self._choice(one._replace(inner=total), out)
            last = other.inner if op == "add" else self._apply("neg", out, other.inner)
            arms = (one.inner, last) if one.place else (last, one.inner)
            return self._apply("where", out, one.test, *arms)
        if is_one and one.place != other.place:
            return None  # it counts everywhere
        total = self._apply(op, out, *args)
        self.sums[total] = Masked(*self._meet((one, other), "either", "both"), total)
        return total

    def _of(self, value: Operand) -> Masked | None:
        """A value as a masked one."""
        if value in self.sums:
            return self.sums[value]
        made = self.made(value)
        if made is None or made.op.name != "where":
            return None
        test, *arms = made.args
        if Literal(0.0) not in arms:
            return None
        place = arms.index(Literal(0.0))
        return Masked(test, place, arms[1 - place])

    def made(self, value: Operand) -> Apply | None:
        """The operation that makes a value."""
        made = self.builder.definition.get(value) if isinstance(value, Var) else None
        return made if isinstance(made, Apply) else None

    def _meet(
        self, found: Sequence[Masked], both: str, either: str
    ) -> tuple[Operand, int]:
        """The test for several masked values, and its place of the 0. They are `both`
        needed where the tests hold, or `either` where they tell where a 0 is.
        """
        first, *others = found
        test, place = first.test, first.place
        for one in others:
            own = one.test
            if one.place != place:
                own = self.builder.apply("not", own)
            test = self._joined(both if place else either, test, own)
        return test, place

    def _joined(self, op: str, one: Operand, other: Operand) -> Operand:
        """`op` of two tests; one that the other has in it says nothing more."""
        for whole, part in ((one, other), (other, one)):
            if whole == part:
                return whole
            made = (
                self.builder.definition.get(whole) if isinstance(whole, Var) else None
            )
            if isinstance(made, Apply) and made.op.name in _TESTS and part in made.args:
                return whole if made.op.name == op else part
        return self.builder.apply(op, one, other)

    def _choice(self, made: Masked, out: Var) -> Operand:
        arms = [made.inner, made.inner]
        arms[made.place] = Literal(0.0)
        return self._apply("where", out, made.test, *arms)

    def _apply(self, op: str, out: Var, *args: Operand) -> Operand:
        return self.builder.apply(op, *args, hint=hint_of(out))

    def is_tame(self, value: Operand) -> bool:
        """Whether a value is finite where the arguments of the function are."""
        waiting = [value]
        while waiting:
            one = waiting[-1]
            made = self.builder.definition.get(one) if isinstance(one, Var) else None
            if one in self.tame:
                waiting.pop()
            elif not isinstance(made, Apply):
                self.tame[one] = made is None
            elif not _is_even(made.op):
                self.tame[one] = False
            elif unknown := [a for a in made.args if a not in self.tame]:
                waiting += unknown
            else:
                self.tame[one] = all(self.tame[a] for a in made.args)
        return self.tame[value]


def _is_even(op: Elemental) -> bool:
    """Whether an operation gives finite numbers of finite ones that are not huge."""
    return op.name in _TAME or op.layout is not None


def with_choices(loop: Scan, masks: Masks) -> Scan:
    """The loop with choices of 0 or a value made in its trips that are multiplied there
    with values which may be infinite: they can move behind these products.
    """
    factors = _beside_risky(loop, masks)
    more: dict[Operand, Var] = {}
    choices: list[Statement] = []
    env: Substitution = {}
    for read, param in zip(loop.reads, loop.read_params, strict=True):
        choice = masks.made(read)
        if param not in factors or choice is None:
            continue
        if choice.op.name == "where" and Literal(0.0) in choice.args:
            for arg in choice.args:
                if isinstance(arg, Var) and arg not in more:
                    more[arg] = Var(arg.type, arg.hint)
            env[param] = out = Var(choice.out.type, choice.out.hint)
            inside = [more[arg] if isinstance(arg, Var) else arg for arg in choice.args]
            choices.append(Apply(out, choice.op, tuple(inside)))
    if not choices:
        return loop
    body, place = loop.body, loop.first_entry
    params = (*body.params[:place], *more.values(), *body.params[place:])
    statements = [s.over(env) for s in body.body]
    results = tuple(env.get(r, r) for r in body.results)
    block = Block(params, (*choices, *statements), results)
    return replace(loop, reads=(*loop.reads, *more), body=block)


def _beside_risky(loop: Scan, masks: Masks) -> set[Operand]:
    """The values that a trip multiplies with others that may be infinite."""
    inside = Masks(Builder(TABLE, LAWS))
    for read, param in zip(loop.reads, loop.read_params, strict=True):
        inside.tame[param] = masks.is_tame(read)
    found: set[Operand] = set()
    for statement in loop.body.body:
        if not isinstance(statement, Apply):
            continue
        inside.builder.definition[statement.out] = statement
        if statement.op.name in ("mul", "div", "dot"):
            for k, arg in enumerate(statement.args):
                others = (*statement.args[:k], *statement.args[k + 1 :])
                if statement.op.name == "div" or not all(map(inside.is_tame, others)):
                    found.add(arg)
    return found
