"""Sums go into the arm of a branch that has something to add.

`u_bar = v if c else 0.0` and `x_bar = x_bar + u_bar` behind it become
`x_bar = x_bar + v` in one arm, and nothing in the other one: what an arm adds to an
adjoint is often 0. Scaling on the way, `x_bar + k * u_bar`, goes along. No operation is
added.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import cast

from ad_transform.dataclass import dataclass
from ad_transform.ir.blocks import another
from ad_transform.ir.inner import each_block, of_value, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
    walk,
)

_ZEROS = frozenset({Literal(0.0), Literal(-0.0)})
_SCALING = {"mul": (0, 1), "div": (0,), "neg": (0,)}
"""The operands that make the result 0 where they are."""
_SUMS = {"add": (0, 1), "sub": (1,)}
"""The operands that leave the other one as it is where they are 0."""


def summed(function: Function) -> Function:
    """The function with sums in the arms that add something; not those of its value,
    for 0.0 is what -0.0 + 0.0 makes.

    Linear in the statements, times the branches one inside the other.
    """
    if not any(isinstance(s, Branch) for s in walk(function.body)):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _summed(block, sacred))


def _summed(block: Block, sacred: Set[Operand]) -> Block:
    if not any(isinstance(s, Branch) for s in block.body):
        return block
    return with_body(block, _Body(block.body, block.results, sacred).changed())


@dataclass(frozen=True, slots=True)
class _Chain:
    """What an arm takes in: scalings of a result of the branch, and the sum, `out`."""

    out: Var
    statements: tuple[Apply, ...]


class _Body:
    """A body, the places where its values are made, and what reads them."""

    def __init__(
        self,
        body: Sequence[Statement],
        results: tuple[Operand, ...],
        sacred: Set[Operand],
    ) -> None:
        self.body: list[Statement | None] = list(body)
        self.sacred = sacred
        self.made: dict[Operand, int] = {
            out: k for k, s in enumerate(body) for out in s.outs
        }
        self.readers: dict[Operand, list[int]] = {}
        for k, statement in enumerate(body):
            for one in statement.inputs:
                self.readers.setdefault(one, []).append(k)
        for one in results:
            self.readers.setdefault(one, []).append(len(body))

    def changed(self) -> list[Statement]:
        """The body with sums in arms; what one branch sums up, another may add to."""
        for place in range(len(self.body)):
            while chains := self._chains(place):
                self._take(place, chains)
        return [s for s in self.body if s is not None]

    def _chains(self, place: int) -> dict[int, _Chain]:
        """What goes into an arm of a branch, by the place of what is added."""
        branch = self.body[place]
        if not isinstance(branch, Branch):
            return {}
        found: dict[int, _Chain] = {}
        ends: set[Operand] = set()
        for k, out in enumerate(branch.outs):
            arms = [block.results[k] in _ZEROS for block in branch.blocks]
            if arms[0] != arms[1]:
                chain = self._chain(place, out)
                if chain is not None and chain.out not in ends:
                    found[k] = chain
                    ends.add(chain.out)
        return found

    def _chain(self, place: int, out: Var) -> _Chain | None:
        """What becomes of one result, as far as a sum; None where that may not move."""
        statements: list[Apply] = []
        value: Operand = out
        while True:
            statement = self._only_reader(value)
            if not isinstance(statement, Apply) or statement.out in self.sacred:
                return None
            if any(v.type.is_array for v in (statement.out, *statement.args)):
                return None
            others = [arg for arg in statement.args if arg is not value]
            if any(self.made.get(other, -1) > place for other in others):
                return None
            statements.append(statement)
            at = next(k for k, arg in enumerate(statement.args) if arg is value)
            if at in _SUMS.get(statement.op.name, ()):
                summand = statement.args[1 - at]
                may_be_zero = statement.op.name == "add" or not self._is_zero(
                    place, summand
                )
                if may_be_zero and self._is_named(summand):
                    return _Chain(statement.out, tuple(statements))
                return None
            if at not in _SCALING.get(statement.op.name, ()):
                return None
            value = statement.out

    def _is_zero(self, place: int, value: Operand) -> bool:
        """Whether a branch gives a value that is 0 in an arm."""
        branch = self.body[place]
        if not isinstance(branch, Branch) or value not in branch.outs:
            return False
        k = branch.outs.index(cast(Var, value))
        return any(block.results[k] in _ZEROS for block in branch.blocks)

    def _is_named(self, value: Operand) -> bool:
        """Whether a number has a name: no expression that is nested in one other."""
        if not isinstance(value, Var) or not value.type.is_real:
            return False
        maker = self.body[self.made[value]] if value in self.made else None
        return not isinstance(maker, Apply) or len(self.readers[value]) > 1

    def _only_reader(self, value: Operand) -> Statement | None:
        """What reads a value, if that is one statement, which reads it once."""
        readers = self.readers.get(value, [])
        if len(readers) != 1 or readers[0] == len(self.body):
            return None
        return self.body[readers[0]]

    def _take(self, place: int, chains: dict[int, _Chain]) -> None:
        """Let the branch at a place have more in its arms."""
        branch = self.body[place]
        assert isinstance(branch, Branch)
        for chain in chains.values():
            for statement in chain.statements:
                self.body[self.made[statement.out]] = None
            self.made[chain.out] = place
        outs = tuple(
            chains[k].out if k in chains else out for k, out in enumerate(branch.outs)
        )
        gone = {s.out for chain in chains.values() for s in chain.statements}
        gone.update(branch.outs)
        read = (a for c in chains.values() for s in c.statements for a in s.args)
        more = tuple(
            dict.fromkeys(
                a
                for a in read
                if isinstance(a, Var) and a not in gone and a not in branch.args
            )
        )
        args = (*branch.args, *more)
        then, orelse = (_taking(block, branch, args, chains) for block in branch.blocks)
        for one in more:
            self.readers.setdefault(one, []).append(place)
        self.body[place] = Branch(outs, branch.test, args, then, orelse)


def _taking(
    block: Block, branch: Branch, args: tuple[Operand, ...], chains: dict[int, _Chain]
) -> Block:
    """An arm with what chains do to its results, or leave where these are 0."""
    new = (another(a, {}) for a in args[len(branch.args) :] if isinstance(a, Var))
    params = (*block.params, *new)
    known: dict[Operand, Operand] = dict(zip(args, params, strict=True))
    known.update(zip(branch.outs, block.results, strict=True))
    body, results = list(block.body), list(block.results)
    for k, chain in chains.items():
        inner = dict(known)
        if results[k] in _ZEROS:
            scaled = {branch.outs[k], *(s.out for s in chain.statements)}
            (kept,) = (a for a in chain.statements[-1].args if a not in scaled)
            results[k] = inner.get(kept, kept)
            continue
        for statement in chain.statements:
            seen = tuple(inner.get(a, a) for a in statement.args)
            others = [a for a in seen if a not in _ZEROS]
            if statement.op.name == "add" and len(others) == 1:
                (inner[statement.out],) = others
                continue
            inner[statement.out] = out = another(statement.out, {})
            body.append(statement.rebuilt((out,), seen, ()))
        results[k] = inner[chain.out]
    return Block(params, tuple(body), tuple(results))
