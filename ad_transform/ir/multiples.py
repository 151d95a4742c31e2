"""A multiple of a product or a quotient that has a number already has one number.

`2.0 * (1 / n)` becomes `2.0 / n`, and `2.0 * (1.0 / s / s * d)` becomes
`2.0 / s / s * d`. Numbers that meet where they are made are one already; these meet
where a loop stood between them. They stay two where one number cannot hold both:
`1e200 * (1e200 / n)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from math import inf

from ad_transform.ir import decimals
from ad_transform.ir.carried import times_read
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.inner import each_block, of_value, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
    walk,
)

_PRODUCTS = frozenset({"mul", "div"})
_DEPTH = 8
"""Factors and divisors that are looked through."""
_LEAST = 2.0**-1022
"""The least number of all digits."""


def multiples(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such numbers in one; those of its value stay. Linear. `table`
    has the operations.
    """
    if not any(map(_is_multiple, walk(function.body))):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _multiples(block, sacred, table["neg"]))


def _multiples(block: Block, sacred: Set[Operand], neg: Elemental) -> Block:
    if not any(map(_is_multiple, block.body)):
        return block
    return _Body(block, sacred, neg).changed()


def _is_multiple(statement: Statement) -> bool:
    return (
        isinstance(statement, Apply)
        and statement.op.name == "mul"
        and statement.out.type.is_real
        and sum(map(_is_plain, statement.args)) == 1
    )


def _is_plain(operand: Operand) -> bool:
    """Whether an operand is a number that is written out."""
    return isinstance(operand, Literal) and not operand.name


class _Body:
    """A body, where its values are made, and how often they are read."""

    def __init__(self, block: Block, sacred: Set[Operand], neg: Elemental) -> None:
        self.now: list[Statement | None] = list(block.body)
        self.block, self.sacred, self.neg = block, sacred, neg
        self.same: dict[Operand, Operand] = {}  # once another value
        self.made: dict[Operand, int] = {
            s.outs[0]: k for k, s in enumerate(block.body) if s.outs
        }
        self.read = times_read(block)

    def changed(self) -> Block:
        """The block with numbers that meet in one."""
        for place, statement in enumerate(self.now):
            if statement is None or not _is_multiple(statement):
                continue
            assert isinstance(statement, Apply)
            if statement.out in self.sacred:
                continue
            number, value = statement.over(self.same).args
            if isinstance(value, Literal):
                number, value = value, number
            assert isinstance(number, Literal)
            path = self._path(value)
            if path and self._is_held(path[-1], number):
                self._take(path, number, place)
        body = [s.over(self.same) for s in self.now if s is not None]
        return with_body(self.block, body, self.same)

    def _path(self, value: Operand) -> list[int]:
        """The places of what makes a value, down to what has a number; empty if nothing
        has, or something else reads it.
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
            if name not in _PRODUCTS:
                return []
            found.append(place)
            factors = statement.args[: 1 if name == "div" else 2]
            if any(map(_is_plain, factors)):
                return found
            value = next(filter(self._is_inner, factors), factors[0])
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
        old = next(filter(_is_plain, statement.args))
        assert isinstance(old, Literal)
        try:
            product = decimals.product(number_of(number), number_of(old))
        except OverflowError:
            return False
        return _LEAST <= abs(product) < inf

    def _take(self, path: Sequence[int], number: Literal, place: int) -> None:
        """Multiply what stands at the end of a path by a number of a multiple."""
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
        once what it is of is no product.
        """
        k = next(k for k, arg in enumerate(one.args) if _is_plain(arg))
        old = one.args[k]
        assert isinstance(old, Literal)
        product = decimals.product(number_of(number), number_of(old))
        if one.op.name == "mul" and product == 1:
            return None, self.same.get(one.args[1 - k], one.args[1 - k])
        if one.op.name == "mul" and product == -1:
            return Apply(out, self.neg, (one.args[1 - k],)), out
        args = list(one.args)
        args[k] = literal_of(product)
        return replace(one, out=out, args=tuple(args)), out
