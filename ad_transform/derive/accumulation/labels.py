"""Edge labels as expressions: a constant times at most one value of the builder.

Signs always travel in the constant; other constants are multiplied in at once, at forks
or last. None of these is always cheapest, so all are priced.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import TypeAlias

from ad_transform.derive.accumulation.partials import Partial
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.replay import State
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.decimals import product, total
from ad_transform.ir.monomial import Monomial, multiple
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.template import instantiate

Label: TypeAlias = Monomial[Operand]

ZERO: Label = Monomial(0.0)
UNIT: Label = Monomial(1.0)

Hint = Callable[[int, int], str]


EdgeLabel: TypeAlias = "tuple[Partial, ...] | Label"
"""Before it is used an edge holds its partials, one for each parallel edge."""


class Constants(Enum):
    """The time at which a constant in a label is multiplied in."""

    AT_ONCE = "at once"
    AT_FORKS = "at forks"  # when the label is about to be used more than once
    LAST = "last"  # in the entries of the Jacobian


_label = tuple.__new__  # half the time of calling the class

_SCALES = frozenset({"mul", "neg"})
"""Operations that may multiply a value by a number."""


class Labels:
    """The algebra of labels over a builder (see `eliminate.replay.Algebra`).

    `hint(u, w)` names the label of the edge u -> w
    when it is complete, `hint_of_term(u, w)` a term of it. More than `room` new
    statements raise Dearer. `indifferent` says whether all `constants` would have given
    the same labels so far.
    """

    unit: EdgeLabel = UNIT

    def __init__(
        self,
        builder: Builder,
        hint: Hint = lambda u, w: "",
        hint_of_term: Hint = lambda u, w: "",
        *,
        constants: Constants = Constants.AT_ONCE,
        room: int | None = None,
    ) -> None:
        self.builder = builder
        self.eager = constants is Constants.AT_ONCE
        self.settles = constants is Constants.AT_FORKS
        self.hint = hint
        self.hint_of_term = hint_of_term
        self.indifferent = True
        self.watched: State[EdgeLabel] | None = None
        self._full = sys.maxsize if room is None else len(builder.body) + room
        self._formed: dict[int, Label] = {}
        self._traits = builder.traits

    def multiply(
        self, out_edge: EdgeLabel, in_edge: EdgeLabel, u: int, v: int, w: int
    ) -> EdgeLabel:
        if type(out_edge) is not Monomial:
            out_edge = self.formed(out_edge, v, w)
        if type(in_edge) is not Monomial:
            in_edge = self.formed(in_edge, u, v)
        c, left = out_edge
        d, right = in_edge
        builder = self.builder
        if len(builder.body) > self._full:
            raise Dearer
        name = self.hint_of_term(u, w)
        constant = d if type(c) is float and c == 1.0 else _product(c, d)
        if constant is None:  # each stays where it is
            values = self._operand(out_edge, ""), self._operand(in_edge, "")
            return multiple(1.0, builder.apply("mul", *values, hint=name))
        if not (left and right):
            return self._normal(_label(Monomial, (constant, right or left)), name)
        x, y = left[0][0], right[0][0]
        hint = name if constant == 1.0 else ""  # as in `_if_unit`
        made = builder.apply("mul", x, y, hint=hint)
        return self._normal(_label(Monomial, (constant, ((made, 1),))), name)

    def watch(self, state: State[EdgeLabel] | None) -> None:
        """Keep the graph under elimination: it knows the labels that are complete."""
        self.watched = state

    def _name(self, u: int, w: int) -> str:
        """The hint, if it is certain that no further path leads from u to w."""
        name = self.hint(u, w)
        if name and self.watched and self.watched.is_complete(u, w):
            return name
        return ""

    def add(self, old: EdgeLabel, new: EdgeLabel, u: int, w: int) -> EdgeLabel:
        name = self._name(u, w)
        return self._sum(self.formed(old, u, w), self.formed(new, u, w), name)

    def settle(self, label: EdgeLabel, u: int, w: int) -> EdgeLabel:
        """The label with its constant multiplied in, if that is the policy."""
        if not self.settles:
            return label
        m = self.formed(label, u, w)
        if not m.powers or abs(m.constant) == 1.0 or m.constant == 0.0:
            return m
        return self._settled(m, self._name(u, w))

    def _settled(self, m: Label, name: str) -> Label:
        """The label with its constant multiplied in, but for the sign."""
        return multiple(
            float(m.sign), self._operand(m.positive, _if_unit(m.sign, name))
        )

    def formed(self, label: EdgeLabel, u: int, w: int) -> Label:
        """The label of u -> w as a constant times a value."""
        if isinstance(label, Monomial):
            return label
        known = self._formed.get(id(label))
        if known is None:
            known = ZERO
            name = self.hint_of_term(u, w)
            for partial in label:
                value = instantiate(partial.template, partial.env, self.builder)
                known = self._sum(known, self._normal(multiple(1.0, value), name), name)
            self._formed[id(label)] = known
        return known

    def operand(self, label: EdgeLabel, u: int, w: int) -> Operand:
        """The label of u -> w as one value: a float, even if a whole number made it."""
        hint = self.hint(u, w)
        value = self._operand(self.formed(label, u, w), hint)
        if value.type.is_real:
            return value
        if isinstance(value, Literal):
            return Literal(float(value.value))
        return self.builder.apply("float", value, hint=hint)

    def _sum(self, a: Label, b: Label, name: str) -> Label:
        c, left = a
        d, right = b
        if c == 0.0 or d == 0.0:
            return b if c == 0.0 else a
        if left == right:
            self.indifferent = False
            with suppress(OverflowError):
                c = total(c, d)
                return Monomial(c, left) if c else ZERO
        op = "add" if (c < 0.0) is (d < 0.0) else "sub"
        if left and right and abs(c) == abs(d):  # c * x + c * y is c * (x + y)
            constant, x, y = c, left[0][0], right[0][0]
        else:
            constant = float(a.sign)
            x, y = self._operand(a.positive, ""), self._operand(b.positive, "")
        whole = self.builder.apply(op, x, y, hint=_if_unit(constant, name))
        return self._normal(_label(Monomial, (constant, ((whole, 1),))), name)

    def _normal(self, label: Label, name: str) -> Label:
        constant, powers = m = label
        if powers:
            value = powers[0][0]
            if type(value) is Literal or value in self._traits:  # else it has none
                constant, powers = m = self._split(label)
        if constant == 0.0:
            return ZERO
        if not powers or constant in (1.0, -1.0):
            return m
        self.indifferent = False
        return self._settled(m, name) if self.eager else m

    def _split(self, m: Label) -> Label:
        """The label with the constants and signs of its value in its constant."""
        definition = self.builder.definition
        while m[1]:
            value = m[1][0][0]
            if isinstance(value, Literal):
                constant = _product(m.constant, number_of(value))
                return m if constant is None else Monomial(constant)
            made = definition.get(value)
            if not isinstance(made, Apply) or made.op.name not in _SCALES:
                return m
            part = _multiple(made)
            if part is None:
                return m
            if part.constant > 0.0 and abs(m.constant) == 1.0:
                self.indifferent = False
                if self.eager:
                    return m
            constant = _product(m.constant, part.constant)
            if constant is None:
                return m
            m = Monomial(constant, part.powers)
        return m

    def _operand(self, m: Label, hint: str) -> Operand:
        if not m.powers or m.constant == 0.0:
            return literal_of(m.constant)
        value = _value(m)
        if m.constant == 1.0:
            return value
        if m.constant == -1.0:
            return self.builder.apply("neg", value, hint=hint)
        return self.builder.apply("mul", literal_of(m.constant), value, hint=hint)


def _product(c: float, d: float) -> float | None:
    """c * d; None where no float holds it."""
    try:
        return product(c, d)
    except OverflowError:
        return None


def _multiple(made: Apply) -> Label | None:
    """The value as -x or c * x, as derivative code has it: the number first."""
    name, first = made.op.name, made.args[0]
    if name == "mul":
        second = made.args[1]
        return multiple(number_of(first), second) if type(first) is Literal else None
    return multiple(-1.0, first) if name == "neg" else None


def _value(label: Label) -> Operand:
    """The value x of the label c * x."""
    return label.powers[0][0]


def _if_unit(c: float, name: str) -> str:
    """The name of x for the label c * x; none for a multiple of a derivative."""
    return name if c == 1.0 else ""
