"""Derivatives of whole arrays that are 0 where a choice does not take an arm.

The partial of an arm of `np.where(test, sqrt(x), x)` is infinite where x is 0, and the
derivative that meets it is 0 there: their product would be NaN. So a choice with an arm
0 moves behind the operations on it, and the product is computed where it counts:

    np.where(test, y_bar, 0.0) * (0.5 / sqrt(x))  ->  np.where(test, y_bar * ..., 0.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import inf
from typing import NamedTuple

from ad_transform.dataclass import dataclass, replace
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
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
_FINITE = frozenset({
    "add", "sub", "mul", "neg", "abs", "max", "min", "sin", "cos", "tanh", "atan",
    "spread", "where",
})
# fmt: on
"""Operations that give finite numbers of finite ones which are not huge, as those do
that only lay numbers out or add them up.
"""

_JOINED = frozenset({"mul", "div", "add", "sub", "neg"})
_TESTS = frozenset({"both", "either"})


class Mask(NamedTuple):
    """Where a value counts: where a test holds (`place` 1) or where it does not (0).
    The place is that of the 0 in `where(test, ...)`.
    """

    test: Operand
    place: int


class Masked(NamedTuple):
    """A value that is `inner` where one of the masks says that it counts, else 0."""

    masks: tuple[Mask, ...]
    inner: Operand


@dataclass(slots=True)
class Masks:
    """The masked values of a block, which `builder` makes."""

    builder: Builder
    sums: dict[Operand, Masked] = field(default_factory=dict)  # that are no choices
    finite: dict[Operand, bool] = field(default_factory=dict)  # what is known of it

    def moved(self, op: str, out: Var, args: Sequence[Operand]) -> Operand | None:
        """An operation on masked values as a masked value; None if it is none."""
        if op in ("mul", "div"):
            return self.product(op, out, args)
        if op == "neg":
            return self._negated(out, args[0])
        if op in ("add", "sub"):
            return self._sum(op, out, args)
        return None

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
        masks = found[0].masks
        if len(found) > 1:
            each = [self._united(one.masks) for one in found]
            masks = (self._met(each, "both", "either"),)
        others = [arg for arg in args if self._of(arg) is None]
        if factors == list(args) and op == "mul" and all(map(self.is_finite, others)):
            return self._entered(Masked(masks, product))
        return self._choice(Masked(masks, product), out)

    def total(self, out: Var, args: Sequence[Operand]) -> Operand | None:
        """The scalar product of a masked vector as the sum of a masked one; None if no
        vector is masked, or both are finite.
        """
        if all(map(self.is_finite, args)):
            return None
        product = self.product("mul", out, args)
        return None if product is None else self._apply("sum_all", out, product)

    def _negated(self, out: Var, value: Operand) -> Operand | None:
        one = self._of(value)
        if one is None:
            return None
        made = Masked(one.masks, self._apply("neg", out, one.inner))
        return self._entered(made) if one.inner is value else self._choice(made, out)

    def _sum(self, op: str, out: Var, args: Sequence[Operand]) -> Operand | None:
        """The sum of two masked values: a choice if one test tells where they count;
        None if one of them is not masked, or the sum is not.
        """
        one, other = map(self._of, args)
        if one is None or other is None:
            return None
        if one.inner is not args[0] and other.inner is not args[1]:
            (first,), (last,) = one.masks, other.masks
            if first == last:
                total = self.builder.apply(op, one.inner, other.inner)
                return self._choice(Masked(one.masks, total), out)
            if first.test == last.test:
                left, right = one.inner, other.inner
                right = self._apply("neg", out, right) if op == "sub" else right
                arms = (left, right) if first.place else (right, left)
                return self._apply("where", out, first.test, *arms)
        masks = tuple(dict.fromkeys((*one.masks, *other.masks)))
        if any(Mask(mask.test, 1 - mask.place) in masks for mask in masks):
            return None  # it counts everywhere
        return self._entered(Masked(masks, self._apply(op, out, *args)))

    def _entered(self, made: Masked) -> Operand:
        """A value that is 0 by itself where it does not count, noted as such."""
        if isinstance(made.inner, Var):
            self.sums[made.inner] = made
        return made.inner

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
        return Masked((Mask(test, place),), arms[1 - place])

    def made(self, value: Operand) -> Apply | None:
        """The operation that makes a value."""
        made = self.builder.definition.get(value) if isinstance(value, Var) else None
        return made if isinstance(made, Apply) else None

    def _united(self, masks: Sequence[Mask]) -> Mask:
        """Where one of the masks says that a value counts."""
        return self._met(masks, "either", "both")

    def _met(self, masks: Sequence[Mask], held: str, failed: str) -> Mask:
        """One mask for several: `held` joins tests that say where a value counts,
        `failed` those that say where it does not.
        """
        (test, place), *others = masks
        for one in others:
            own = one.test
            if one.place != place:
                own = self.builder.apply("not", own)
            test = self._joined(held if place else failed, test, own)
        return Mask(test, place)

    def _joined(self, op: str, one: Operand, other: Operand) -> Operand:
        """`op` of two tests; one that the other has in it says nothing more."""
        for whole, part in ((one, other), (other, one)):
            if whole == part:
                return whole
            made = self.made(whole)
            if made is not None and made.op.name in _TESTS and part in made.args:
                return whole if made.op.name == op else part
        return self.builder.apply(op, one, other)

    def _choice(self, made: Masked, out: Var) -> Operand:
        test, place = self._united(made.masks)
        arms = [made.inner, made.inner]
        arms[place] = Literal(0.0)
        return self._apply("where", out, test, *arms)

    def _apply(self, op: str, out: Var, *args: Operand) -> Operand:
        return self.builder.apply(op, *args, hint=hint_of(out))

    def is_finite(self, value: Operand) -> bool:
        """Whether a value is finite where the arguments of the function are."""
        waiting = [value]
        while waiting:
            one = waiting[-1]
            made = self.builder.definition.get(one) if isinstance(one, Var) else one
            if one in self.finite:
                waiting.pop()
            elif isinstance(made, Literal):
                self.finite[one] = made.value not in (inf, -inf)
            elif not isinstance(made, Apply):
                self.finite[one] = made is None  # given
            elif made.op.name not in _FINITE and made.op.layout is None:
                self.finite[one] = False
            elif unknown := [a for a in made.args if a not in self.finite]:
                waiting += unknown
            else:
                self.finite[one] = all(self.finite[a] for a in made.args)
        return self.finite[value]


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
    """The values that a trip multiplies with others that may be infinite, by themselves
    or in sums and products.
    """
    inside = Masks(Builder(TABLE, LAWS))
    for read, param in zip(loop.reads, loop.read_params, strict=True):
        inside.finite[param] = masks.is_finite(read)
    body = [s for s in loop.body.body if isinstance(s, Apply)]
    inside.builder.definition.update((s.out, s) for s in body)
    found: set[Operand] = set()
    for statement in reversed(body):
        name, args = statement.op.name, statement.args
        if name in _JOINED and statement.out in found:
            found.update(args)
        elif name == "div":
            found.add(args[0])
        elif name in ("mul", "dot"):
            one, other = args
            found.update([] if inside.is_finite(other) else [one])
            found.update([] if inside.is_finite(one) else [other])
    return found
