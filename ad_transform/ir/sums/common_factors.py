"""Two terms of a sum with a common factor are one term.

`a_bar + s * y - s * f` becomes `a_bar + s * e`, where `e = y - f` is there already, and
`a_bar + s * (y - f)` where it is not. What is derived straight has its factors in
common already; these terms meet where sums of a loop became one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set

from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Operand,
    Statement,
    Var,
    node,
)
from ad_transform.ir.types import INT

_SUMS = {"add": 1, "sub": -1}
"""The sign of the second operand of a sum."""


def common_factors(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such terms in one; those of its value stay. Linear. `table` has
    the operations.
    """
    if not any(statement.blocks for statement in function.body):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _factored(block, sacred, table))


def _factored(
    block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Block:
    found = block.operations
    if len(found.get("mul", ())) < 2 or not _SUMS.keys() & found.keys():
        return block
    return _Body(block, sacred, table).changed()


@node
class _Term:
    """A term of a sum, and its sign."""

    value: Operand
    sign: int


@node
class _Sum:
    """`rest + factor * (x + y)`, and the statements that it makes superfluous."""

    rest: _Term | None
    factor: Var
    x: _Term
    y: _Term
    without: tuple[Apply, ...]


class _Body:
    """A body, the makers of its values, and the number of reads of each."""

    def __init__(
        self, block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
    ) -> None:
        self.block, self.sacred, self.table = block, sacred, table
        self.read = block.times_read
        self.sharing = self._sharing()
        self.made: dict[Operand, Apply] = {}
        self.known: dict[tuple[str, tuple[Operand, ...]], Var] = {}

    def _sharing(self) -> Set[Operand]:
        """The products that are read once and have a factor of another one."""
        products = [s for s in self.block.operations["mul"] if self._alone(s)]
        times = Counter([a for s in products for a in s.args if type(a) is Var])
        often = {factor for factor, n in times.items() if n > 1}
        return {s.out for s in products if not often.isdisjoint(s.args)}

    def changed(self) -> Block:
        """The block with terms of a common factor in one."""
        if not self.sharing:
            return self.block
        body: list[Statement] = []
        gone: set[Statement] = set()
        for statement in self.block.body:
            if type(statement) is not Apply or not _is_plain(statement):
                body.append(statement)
                continue
            found: tuple[Apply, ...] = (statement,)
            for sum_ in self._sums(statement):
                made = self._made(statement, sum_)
                if made is not None:
                    gone.update(sum_.without)
                    found = made
                    break
            for one in found:
                self._enter(one)
            body += found
        if not gone:
            return self.block
        return with_body(self.block, [s for s in body if s not in gone])

    def _enter(self, statement: Apply) -> None:
        if not _is_plain(statement):
            return
        self.made[statement.out] = statement
        if len(statement.args) == 2:
            key = statement.op.name, statement.args
            self.known.setdefault(key, statement.out)

    def _sums(self, total: Apply) -> Iterator[_Sum]:
        """The ways to see a sum as two products with a common factor, and a rest."""
        if total.op.name not in _SUMS or self.sharing.isdisjoint(total.args):
            return
        if total.out in self.sacred:
            return
        for rest, first, last, without in self._splits(total):
            one, other = self._product(first.value), self._product(last.value)
            if one is None or other is None or one is other:
                continue
            for factor in one.args:
                if factor in other.args and isinstance(factor, Var):
                    x = _Term(_other(one, factor), first.sign)
                    y = _Term(_other(other, factor), last.sign)
                    yield _Sum(rest, factor, x, y, (*without, one, other))

    def _splits(
        self, total: Apply
    ) -> Iterator[tuple[_Term | None, _Term, _Term, tuple[Apply, ...]]]:
        """Splits of a sum into a rest and two terms, with the inner sums that go."""
        terms = _terms(total)
        yield None, terms[0], terms[1], ()
        for k, term in enumerate(terms):
            inner = self.made.get(term.value)
            if inner is None or inner.op.name not in _SUMS or not self._alone(inner):
                continue
            one, other = (_Term(t.value, t.sign * term.sign) for t in _terms(inner))
            yield one, other, terms[1 - k], (inner,)
            yield other, one, terms[1 - k], (inner,)

    def _product(self, value: Operand) -> Apply | None:
        """The product that a value is, if nothing else reads it."""
        made = self.made.get(value)
        is_product = made is not None and made.op.name == "mul" and self._alone(made)
        return made if is_product else None

    def _alone(self, made: Apply) -> bool:
        return self.read[made.out] == 1 and made.out not in self.sacred

    def _made(self, total: Apply, sum_: _Sum) -> tuple[Apply, ...] | None:
        """Statements of a sum with its factor once; None where a sign would be left."""
        rest = sum_.rest
        may_be_less = rest is not None and rest.sign > 0
        ways = [way for way in _ways(sum_) if way[0] > 0 or may_be_less]
        if not ways:
            return None
        sign, name, args = min(
            ways, key=lambda way: (way[1:] not in self.known, -way[0])
        )
        inner = self.known.get((name, args))
        made: list[Apply] = []
        if inner is None:
            is_real = any(arg.type.is_real for arg in args)  # counts add up to a count
            inner = Var(total.out.type if is_real else INT)
            made.append(Apply(inner, self.table[name], args))
        out = total.out if rest is None else Var(total.out.type)
        made.append(Apply(out, self.table["mul"], (sum_.factor, inner)))
        if rest is not None:
            ends = (rest.value, out) if rest.sign > 0 else (out, rest.value)
            last = self.table["add" if rest.sign == sign else "sub"]
            made.append(Apply(total.out, last, ends))
        return tuple(made)


def _ways(sum_: _Sum) -> list[tuple[int, str, tuple[Operand, Operand]]]:
    """The ways to write the other factor, each with the sign of the product."""
    x, y = sum_.x, sum_.y
    if x.sign == y.sign:
        return [(x.sign, "add", (x.value, y.value))]
    less, more = (x, y) if x.sign < 0 else (y, x)
    there = more.value, less.value
    return [(1, "sub", there), (-1, "sub", there[::-1])]


def _terms(total: Apply) -> tuple[_Term, _Term]:
    one, other = total.args
    return _Term(one, 1), _Term(other, _SUMS[total.op.name])


def _other(product: Apply, factor: Operand) -> Operand:
    one, other = product.args
    return other if one is factor else one


def _is_plain(statement: Apply) -> bool:
    """Whether it makes a number."""
    type_ = statement.out.type
    return type_.is_real and not type_.dims and not type_.shape
