"""Expressions as trees, and what the signs of their values cost.

A value that one operation uses belongs to the tree of what it is used for, and a sign
goes through it to where it costs nothing. So signs are chosen only of values that are
used several times, or have to be there: these are the roots of trees, and their leaves.

What computes the same as an earlier value up to its sign stands for that: `y - x` for
the negative of `x - y`, and so does each negation. Values of the source stay as they
are, but others may stand for them.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.constants import number_of
from ad_transform.ir.nodes import Apply, Literal, Operand

PLUS, MINUS, BOTH = 1, 2, 3
"""The signs in which a value is there."""

LARGEST = 24
"""Operations of a tree at most; a larger one is several."""

_PRODUCTS = frozenset({"mul", "div"})
_OPEN = frozenset({"mul", "div", "add", "sub", "neg"})

Costs = tuple[int, int]
"""Negations that a value takes as it is, and as its negative."""

_OF_LEAF: tuple[Costs, ...] = ((1, 1), (0, 1), (1, 0), (0, 0))
_OF_LITERAL: Costs = (0, 0)


_Code = tuple[Operand, bool, Operand | None, bool, Operand | None, bool]
"""A statement: its value, whether that is a product, and the operands with their signs,
None for numbers.
"""


class Signed(NamedTuple):
    """A value, or its negative."""

    value: Operand
    negative: bool


class Written(NamedTuple):
    """How a statement is written: whether as its negative, and so its operands, and
    whether what they make is negated then.
    """

    wrong: bool
    first: bool
    second: bool
    negated: bool


class Trees:
    """The trees of a body: `made` are the statements whose signs are free, by their
    values, `needs` the signs that others ask of values, and `saved` so many statements
    stand for others. Where none does there are no trees.
    """

    def __init__(self, body: Body, results: Results, primal: int) -> None:
        self.sacred = needed(body, results[:primal])
        self.made: dict[Operand, Apply] = {}
        self.needs: dict[Operand, int] = {}
        self.asked: set[Operand] = set(results)
        self.saved = 0
        self.users: dict[Operand, list[Operand]] = {}
        self.leaves: dict[Operand, list[Operand]] = {}
        self._members: dict[Operand, list[Apply]] = {}
        self._stands_for: dict[Operand, Signed] = {}
        self._known: dict[object, Signed] = {}
        self._numbers: dict[Operand, int] = {}
        for statement in body:
            if isinstance(statement, Apply) and self._has_sign(statement):
                self._enter(statement)
            else:
                self.asked.update(statement.inputs)
        if self.saved:
            self._grow()

    def signed(self, value: Operand) -> Signed:
        """What a value stands for."""
        return self._stands_for.get(value) or Signed(value, False)

    def is_other(self, value: Operand) -> bool:
        """Whether a value stands for another one."""
        return value in self._stands_for

    def _has_sign(self, statement: Apply) -> bool:
        out = statement.out
        if statement.op.name not in _OPEN or not out.type.is_real:
            return False
        return not out.type.dims and all(a.type.is_real for a in statement.args)

    def _enter(self, statement: Apply) -> None:
        out, is_open = statement.out, statement.out not in self.sacred
        if not is_open:
            self.asked.update(statement.args)
        form, negative = self._form(statement)
        first = self._known.get(form)
        if first is None:
            self._known[form] = Signed(out, negative)
            if is_open:
                self.made[out] = statement
        elif is_open:
            self._stands_for[out] = Signed(first.value, first.negative != negative)
            self.saved += 1

    def _form(self, statement: Apply) -> tuple[object, bool]:
        """Equal for what computes the same up to the sign, and the sign."""
        name = statement.op.name
        if name == "neg":
            base, negative = self._without_sign(statement.args[0])
            number = self._number(base)
            self._known.setdefault(number, Signed(base, False))
            return number, not negative
        (x, minus_x), (y, minus_y) = map(self._without_sign, statement.args)
        one, other = self._number(x), self._number(y)
        if name == "div":
            return (name, one, other), minus_x != minus_y
        if name == "sub":
            name, minus_y = "add", not minus_y
        if other < one:
            one, other, minus_x, minus_y = other, one, minus_y, minus_x
        if name == "mul":
            return (name, one, other), minus_x != minus_y
        return (name, one, other, minus_x != minus_y), minus_x

    def _without_sign(self, value: Operand) -> Signed:
        if type(value) is not Literal:
            return self.signed(value)
        number = number_of(value)
        if type(number) is float and number < 0.0:
            return Signed(Literal(-number), True)
        return Signed(value, False)

    def _number(self, value: Operand) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    def _grow(self) -> None:
        """Find what is needed, and which values belong to the trees of others."""
        for value in self.asked:
            base, negative = self.signed(value)
            sign = MINUS if negative else PLUS
            self.needs[base] = self.needs.get(base, 0) | sign
        uses = Counter(self.signed(a).value for s in self.made.values() for a in s.args)
        size: dict[Operand, int] = {}
        inner: set[Operand] = set()
        for out, statement in self.made.items():
            below = [
                base
                for base in (self.signed(a).value for a in statement.args)
                if base in size and uses[base] == 1 and base not in self.needs
            ]
            size[out] = 1 + sum(map(size.__getitem__, below))
            if size[out] > LARGEST:
                size[out] = 1
            else:
                inner.update(below)
        root: dict[Operand, Operand] = {}
        codes: dict[Operand, list[_Code]] = {}
        for out, statement in reversed(self.made.items()):
            top = root.get(out, out)
            self._members.setdefault(top, []).append(statement)
            codes.setdefault(top, []).append(self._coded(statement))
            leaves = self.leaves.setdefault(top, [])
            for a in statement.args:
                base = self.signed(a).value
                if base in inner:
                    root[base] = top
                elif type(base) is not Literal and base not in leaves:
                    leaves.append(base)
                    self.users.setdefault(base, []).append(top)
        self._code = {top: code[::-1] for top, code in codes.items()}

    def _coded(self, statement: Apply) -> _Code:
        (x, minus_x), (y, minus_y) = map(self.signed, statement.args)
        name = statement.op.name
        return (
            statement.out,
            name in _PRODUCTS,
            None if type(x) is Literal else x,
            minus_x,
            None if type(y) is Literal else y,
            minus_y != (name == "sub"),
        )

    def costs(self, root: Operand, signs: dict[Operand, int]) -> Costs:
        """What a tree costs where leaves are there in such signs, PLUS but for those
        of `signs`.
        """
        return self._below(root, signs)[root]

    def _below(self, root: Operand, signs: dict[Operand, int]) -> dict[Operand, Costs]:
        """The costs of all values in a tree."""
        found: dict[Operand, Costs] = {}
        for out, is_product, x, minus_x, y, minus_y in self._code[root]:
            p, m = found.get(x) or _OF_LEAF[signs.get(x, PLUS)] if x else _OF_LITERAL
            q, n = found.get(y) or _OF_LEAF[signs.get(y, PLUS)] if y else _OF_LITERAL
            if minus_x:
                p, m = m, p
            if minus_y:
                q, n = n, q
            alike, other, mixed = p + q, m + n, p + n
            mixed = min(mixed, m + q)
            if is_product:
                alike = min(alike, other)
                found[out] = min(alike, mixed + 1), min(mixed, alike + 1)
            else:
                found[out] = min(alike, mixed, other + 1), min(other, mixed, alike + 1)
        return found

    def _of(
        self, value: Operand, found: dict[Operand, Costs], signs: dict[Operand, int]
    ) -> Costs:
        if type(value) is Literal:
            return _OF_LITERAL
        base, negative = self.signed(value)
        costs = found.get(base) or _OF_LEAF[signs.get(base, PLUS)]
        return costs[::-1] if negative else costs

    def ways(
        self, root: Operand, wrong: bool, signs: dict[Operand, int]
    ) -> dict[Operand, Written]:
        """How the statements of a tree are written for what it costs at least."""
        below = self._below(root, signs)
        wanted = {root: wrong}
        found: dict[Operand, Written] = {}
        for statement in self._members[root]:
            out, args = statement.out, statement.args
            pairs = [self._of(a, below, signs) for a in args]
            way = _cheapest(statement.op.name, wanted[out], *pairs)
            found[out] = way
            for a, minus in zip(args, (way.first, way.second), strict=True):
                base, negative = self.signed(a)
                if base in below:
                    wanted[base] = minus != negative
        return found


def _cheapest(name: str, wrong: bool, x: Costs, y: Costs) -> Written:
    """The signs of two operands that cost least."""
    best, least = None, 0
    for first in (False, True):
        for second in (False, True):
            if name in _PRODUCTS:
                negated = (first != second) != wrong
            else:
                negated = is_negative(name, wrong, first, second) == (True, True)
            cost = x[first] + y[second] + negated
            if best is None or cost < least:
                best, least = Written(wrong, first, second, negated), cost
    assert best is not None
    return best


def is_negative(name: str, wrong: bool, first: bool, second: bool) -> tuple[bool, bool]:
    """Whether the terms of a sum, so written, are subtracted."""
    return first != wrong, (second != wrong) != (name == "sub")
