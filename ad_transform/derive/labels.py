"""Edge labels as expressions: a coefficient times a value of the builder.

A label `(c, x)` stands for c * x, `(c, None)` for the constant c. Signs always travel
in the coefficient; other constants are multiplied in at once, at forks or last. None of
these is always cheapest, so all are priced.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

from ad_transform.derive.partials import Partial
from ad_transform.eliminate.replay import Dearer, State
from ad_transform.ir.build import Builder
from ad_transform.ir.constants import literal_of, magnitude, number_of, total
from ad_transform.ir.constants import product as times
from ad_transform.ir.nodes import Apply, Literal, Operand, Var

Label: TypeAlias = tuple[float, "Operand | None"]

ZERO: Label = (0.0, None)
UNIT: Label = (1.0, None)

Hint = Callable[[int, int], str]


Form = Callable[[Partial], Operand]

EdgeLabel: TypeAlias = "tuple[Partial, ...] | Label"
"""Before it is used an edge holds its partials, one for each parallel edge."""


class Constants(Enum):
    """When a constant in a label is multiplied in."""

    AT_ONCE = "at once"
    AT_FORKS = "at forks"  # when the label is about to be used more than once
    LAST = "last"  # in the entries of the Jacobian


class Labels:
    """The algebra of labels over a builder (see `eliminate.replay.Algebra`).

    `form` makes the value of a partial, `hint(u, w)` names the label of the edge u -> w
    when it is complete, `hint_of_term(u, w)` a term of it. More than `room` new
    statements raise Dearer.
    """

    unit: EdgeLabel = UNIT

    def __init__(
        self,
        builder: Builder,
        form: Form,
        hint: Hint = lambda u, w: "",
        hint_of_term: Hint = lambda u, w: "",
        *,
        constants: Constants = Constants.AT_ONCE,
        room: int | None = None,
    ) -> None:
        self.builder = builder
        self.form = form
        self.eager = constants is Constants.AT_ONCE
        self.settles = constants is Constants.AT_FORKS
        self.hint = hint
        self.hint_of_term = hint_of_term
        self.watched: State[EdgeLabel] | None = None
        self._full = sys.maxsize if room is None else len(builder.body) + room
        self._formed: dict[int, Label] = {}

    def multiply(
        self, out_edge: EdgeLabel, in_edge: EdgeLabel, u: int, v: int, w: int
    ) -> EdgeLabel:
        c, x = self.formed(out_edge, v, w)
        d, y = self.formed(in_edge, u, v)
        if len(self.builder.body) > self._full:
            raise Dearer
        factor, name = times(c, d), self.hint_of_term(u, w)
        if x is None or y is None:
            return self._normal(factor, y if x is None else x, name)
        product = self.builder.apply("mul", x, y, hint=_if_unit(factor, name))
        return self._normal(factor, product, name)

    def watch(self, state: State[EdgeLabel] | None) -> None:
        """The graph under elimination, which says what is complete."""
        self.watched = state

    def _name(self, u: int, w: int) -> str:
        """The hint if no further path from u to w is certain to come."""
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
        c, x = self.formed(label, u, w)
        if x is None or abs(c) == 1.0 or c == 0.0:
            return c, x
        sign = 1.0 if c > 0 else -1.0
        name = _if_unit(sign, self._name(u, w))
        return sign, self._operand(magnitude(c), x, name)

    def formed(self, label: EdgeLabel, u: int, w: int) -> Label:
        """The label of u -> w as coefficient and value."""
        if isinstance(label[0], float):
            return label
        known = self._formed.get(id(label))
        if known is None:
            known = ZERO
            name = self.hint_of_term(u, w)
            for partial in label:
                value = self.form(partial)
                known = self._sum(known, self._normal(1.0, value, name), name)
            self._formed[id(label)] = known
        return known

    def operand(self, label: EdgeLabel, u: int, w: int) -> Operand:
        """The label of u -> w as one value: a float, also if a whole number made it."""
        hint = self.hint(u, w)
        value = self._operand(*self.formed(label, u, w), hint)
        if value.type.is_real:
            return value
        if isinstance(value, Literal):
            return Literal(float(value.value))
        return self.builder.apply("float", value, hint=hint)

    def _sum(self, a: Label, b: Label, name: str) -> Label:
        (c, x), (d, y) = a, b
        if c == 0.0 or d == 0.0:
            return b if c == 0.0 else a
        if x is y:
            c = total(c, d)
            return (c, x) if c else ZERO
        if x is not None and y is not None and abs(c) == abs(d):
            op = "add" if c == d else "sub"
            whole = self.builder.apply(op, x, y, hint=_if_unit(c, name))
            return self._normal(c, whole, name)
        left = self._operand(magnitude(c), x, "")
        right = self._operand(magnitude(d), y, "")
        op = "add" if (c > 0) == (d > 0) else "sub"
        sign = 1.0 if c > 0 else -1.0
        whole = self.builder.apply(op, left, right, hint=_if_unit(sign, name))
        return self._normal(sign, whole, name)

    def _normal(self, c: float, x: Operand | None, name: str) -> Label:
        c, x = self._split(c, x)
        if c == 0.0:
            return ZERO
        if not self.eager or x is None or abs(c) == 1.0:
            return c, x
        sign = 1.0 if c > 0 else -1.0
        return sign, self._operand(magnitude(c), x, _if_unit(sign, name))

    def _split(self, c: float, x: Operand | None) -> Label:
        while isinstance(x, Var):
            made = self.builder.definition.get(x)
            if not isinstance(made, Apply):
                return c, x
            if made.op.name == "neg":
                c, x = -c, made.args[0]
                continue
            factor = made.args[0]
            if made.op.name != "mul" or not isinstance(factor, Literal):
                return c, x
            k = number_of(factor)
            if self.eager and k > 0 and abs(c) == 1.0:
                return c, x
            c, x = times(c, k), made.args[1]
        if x is None:
            return c, None
        assert isinstance(x, Literal)
        return times(c, number_of(x)), None

    def _operand(self, c: float, x: Operand | None, hint: str) -> Operand:
        if x is None or c == 0.0:
            return literal_of(c)
        if c == 1.0:
            return x
        if c == -1.0:
            return self.builder.apply("neg", x, hint=hint)
        return self.builder.apply("mul", literal_of(c), x, hint=hint)


def _if_unit(c: float, name: str) -> str:
    """The name of x in the label (c, x): a multiple of a derivative has none."""
    return name if c == 1.0 else ""
