"""A multiple of a product or a quotient that has a number already has one number.

`2.0 * (1 / n)` becomes `2.0 / n`, and `2.0 * (1.0 / s / s * d)` becomes
`2.0 / s / s * d`. Numbers that meet where they are made are one already; these meet
where a loop stood between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace

from ad_transform.ir import decimals
from ad_transform.ir.constants import literal_of, number_of
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


def multiples(function: Function) -> Function:
    """The function with such numbers in one; those of its value stay. Linear."""
    if not any(map(_is_multiple, walk(function.body))):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _multiples(block, sacred))


def _multiples(block: Block, sacred: Set[Operand]) -> Block:
    if not any(map(_is_multiple, block.body)):
        return block
    return with_body(block, _Body(block, sacred).changed())


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

    def __init__(self, block: Block, sacred: Set[Operand]) -> None:
        self.now: list[Statement | None] = list(block.body)
        self.sacred = sacred
        self.made: dict[Operand, int] = {
            s.outs[0]: k for k, s in enumerate(block.body) if s.outs
        }
        self.read = Counter(o for s in block.body for o in s.inputs)
        self.read.update(block.results)

    def changed(self) -> Sequence[Statement]:
        """The body with numbers that meet in one."""
        for place, statement in enumerate(self.now):
            if statement is None or not _is_multiple(statement):
                continue
            assert isinstance(statement, Apply)
            if statement.out in self.sacred:
                continue
            number, value = statement.args
            if isinstance(value, Literal):
                number, value = value, number
            assert isinstance(number, Literal)
            path = self._path(value)
            if path:
                self._take(path, number, place)
        return [s for s in self.now if s is not None]

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

    def _take(self, path: Sequence[int], number: Literal, place: int) -> None:
        """Multiply what stands at the end of a path by a number of a multiple."""
        multiple = self.now[place]
        assert isinstance(multiple, Apply)
        *above, last = path
        end = self.now[last]
        assert isinstance(end, Apply)
        k = next(k for k, arg in enumerate(end.args) if _is_plain(arg))
        old = end.args[k]
        assert isinstance(old, Literal)
        product = decimals.product(number_of(number), number_of(old))
        args = list(end.args)
        args[k] = literal_of(product)
        out = Var(end.out.type) if above else multiple.out
        before: Operand = end.out
        self.now[last] = replace(end, out=out, args=tuple(args))
        self.made[out] = last
        self.read[out] = 1 if above else self.read[multiple.out]
        for step in reversed(above):
            one = self.now[step]
            assert isinstance(one, Apply)
            given = tuple(out if arg is before else arg for arg in one.args)
            before = one.out
            out = Var(one.out.type) if step != path[0] else multiple.out
            self.now[step] = replace(one, out=out, args=given)
            self.made[out] = step
            self.read[out] = 1 if step != path[0] else self.read[multiple.out]
        self.now[place] = None
