"""A multiple of a product or a quotient that has a number already has one number.

`2.0 * (1 / n)` becomes `2.0 / n`, and `2.0 * (1.0 / s / s * d)` becomes
`2.0 / s / s * d`. A sign is the number -1: `-(0.5 * r)` and `0.5 * -r` become
`-0.5 * r`. Numbers that meet where they are made are one already; these meet where a
loop stood between them. They stay two where one number cannot hold both:
`1e200 * (1e200 / n)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import chain
from math import inf

from ad_transform.dataclass import replace
from ad_transform.ir import decimals
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
)

_PRODUCTS = frozenset({"mul", "div", "neg"})
_NUMBERS = {"mul": 1, "neg": 0}
"""The count of numbers that are written in a multiple."""
_MINUS_ONE = Literal(-1.0)
_DEPTH = 8
"""Factors and divisors that are looked through."""
_LEAST = 2.0**-1022
"""The least number of all digits."""


def multiples(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such numbers in one; those of its value stay. Linear. `table`
    has the operations.
    """
    if not any(map(_has_multiple, function.block.every)):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _multiples(block, sacred, table))


def _multiples(
    block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Block:
    if not _has_multiple(block):
        return block
    return _Body(block, sacred, table).changed()


def _has_multiple(block: Block) -> bool:
    """Whether there is a multiple in a block, inner ones apart."""
    found = block.operations
    return any(map(_is_multiple, chain(*[found[n] for n in _NUMBERS if n in found])))


def _is_multiple(statement: Statement) -> bool:
    if type(statement) is not Apply:
        return False
    name = statement.op.name
    if name not in _NUMBERS or not statement.out.type.is_real:
        return False
    plain = [type(arg) is Literal and not arg.name for arg in statement.args]
    return _NUMBERS[name] == plain.count(True)


def _is_plain(operand: Operand) -> bool:
    """Whether an operand is a number that is written out."""
    return isinstance(operand, Literal) and not operand.name


def _factors(multiple: Apply) -> tuple[Literal, Operand]:
    """The number of a multiple, and its other operand."""
    number = _number_in(multiple)
    (value,) = (arg for arg in multiple.args if arg is not number)
    return number, value


def _number_in(statement: Apply) -> Literal:
    """The number in a product or quotient; that of a negation is -1."""
    plain = (arg for arg in statement.args if isinstance(arg, Literal) and not arg.name)
    return next(plain, _MINUS_ONE)


class _Body:
    """A body, where its values are made, and how often they are read."""

    def __init__(
        self, block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
    ) -> None:
        self.now: list[Statement | None] = list(block.body)
        self.block, self.sacred = block, sacred
        self.neg, self.mul = table["neg"], table["mul"]
        self.same: dict[Operand, Operand] = {}  # once another value
        self.made: dict[Operand, int] = {
            s.outs[0]: k for k, s in enumerate(block.body) if s.outs
        }
        self.read = Counter(block.times_read)

    def changed(self) -> Block:
        """The block with numbers that meet in one."""
        taken = False
        for place, statement in enumerate(self.now):
            if statement is None or not _is_multiple(statement):
                continue
            assert isinstance(statement, Apply)
            if statement.out in self.sacred:
                continue
            number, value = _factors(statement.over(self.same))
            path = self._path(value)
            if path and self._is_held(path[-1], number):
                self._take(path, number, place)
                taken = True
        if not taken:
            return self.block
        body = [s.over(self.same) for s in self.now if s is not None]
        return with_body(self.block, body, self.same)

    def _path(self, value: Operand) -> list[int]:
        """The places of the makers of a value, down to one that has a number; empty if
        none has, or something else reads it.
        """
        found: list[int] = []
        while len(found) < _DEPTH:
            place = self.made.get(value, -1)
            statement = self.now[place] if place >= 0 else None
            if not isinstance(statement, Apply) or self.read[value] != 1:
                return []
            out, name = statement.out, statement.op.name
            if out in self.sacred or not out.type.is_real:
                return []
            if name not in _PRODUCTS or (
                name == "neg" and _is_plain(statement.args[0])
            ):
                return []
            found.append(place)
            factors = statement.args[: 2 if name == "mul" else 1]
            if any(map(_is_plain, factors)):
                return found
            inner = next(filter(self._is_inner, factors), None)
            if name == "neg" and inner is None:
                return found
            value = factors[0] if inner is None else inner
        return []

    def _is_inner(self, value: Operand) -> bool:
        """Whether a factor is a product or a quotient that nothing else reads."""
        place = self.made.get(value, -1)
        statement = self.now[place] if place >= 0 else None
        is_product = isinstance(statement, Apply) and statement.op.name in _PRODUCTS
        return is_product and self.read[value] == 1

    def _is_held(self, place: int, number: Literal) -> bool:
        """Whether a number times that of a statement is one that a float holds."""
        statement = self.now[place]
        assert isinstance(statement, Apply)
        old = _number_in(statement)
        try:
            product = decimals.product(number_of(number), number_of(old))
        except OverflowError:
            return False
        return _LEAST <= abs(product) < inf

    def _take(self, path: Sequence[int], number: Literal, place: int) -> None:
        """Multiply the statement at the end of a path by the number of a multiple."""
        multiple = self.now[place]
        assert isinstance(multiple, Apply)
        self.now[place] = None
        before: Operand = multiple.out
        given: Operand = multiple.out
        for step in reversed(path):
            one = self.now[step]
            assert isinstance(one, Apply)
            is_last = step == path[0]
            out = multiple.out if is_last else Var(one.out.type)
            if step == path[-1]:
                made, given = self._times(one, number, out)
            else:
                args = tuple(given if arg is before else arg for arg in one.args)
                made, given = replace(one, out=out, args=args), out
            self.now[step] = made
            before = one.out
            if made is not None:
                self.made[out] = step
                self.read[out] = self.read[multiple.out] if is_last else 1
        if given is not multiple.out:
            self.same[multiple.out] = given
            self.read[given] += self.read[multiple.out] - 1

    def _times(
        self, one: Apply, number: Literal, out: Var
    ) -> tuple[Apply | None, Operand]:
        """A product or quotient with a number, times another number, and its value;
        None and the other factor where no product is left.
        """
        if one.op.name == "neg":
            one = replace(one, op=self.mul, args=(_MINUS_ONE, *one.args))
        old = _number_in(one)
        k = one.args.index(old)
        product = decimals.product(number_of(number), number_of(old))
        other = one.args[1 - k] if one.op.name == "mul" else None
        if other is not None and other.type.is_real:  # -1.0 * n is no -n of a whole n
            if product == 1:
                return None, self.same.get(other, other)
            if product == -1:
                return Apply(out, self.neg, (other,)), out
        args = list(one.args)
        args[k] = literal_of(product)
        return replace(one, out=out, args=tuple(args)), out
