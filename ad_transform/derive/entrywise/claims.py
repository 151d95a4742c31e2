"""Values of a program that become its results, element by element or term by term.

A result that is a list is made, then changed in place, through loops and arms; one that
is a number is a sum of terms that loops add to it. All values on the way are claimed
by the result: where an element is stored, or a term is added, its row is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.entrywise.unknown import Unknown
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    walk,
)

Ends = tuple[tuple[Var, int], ...]
"""Parameters of a block that a value comes from, and the signs they have in it."""


COPIES = frozenset({"copy", "copy_rows"})
"""Operations that copy a list."""

MAKERS = COPIES | {"full", "like", "grid", "rows_like"}
"""Operations that make a list of which all elements are one number, or a copy."""

CHANGES = frozenset({"set", "add_at", "sub_at", "append"})
"""Operations that change one element."""

_SIGNS = {"add": (1, 1), "plus": (1, 1), "sub": (1, -1), "minus": (1, -1), "neg": (-1,)}
"""Operations that a sum of terms is made of, and the signs of their arguments."""


@dataclass(frozen=True, slots=True)
class Term:
    """A number that is added to a result, or taken from it."""

    value: Operand
    sign: int
    key: int


@dataclass(slots=True, eq=False)
class Claims:
    """The values that results claim, by the place of the result; `terms` are the terms
    of the sums that a block forms, by the identity of its body.
    """

    keys: dict[Var, int] = field(default_factory=dict)
    terms: dict[int, list[Term]] = field(default_factory=dict)

    def touched(self, statement: Statement) -> tuple[int, ...]:
        """The results that change in a statement with blocks, in order."""
        found = {self.keys[o]: None for o in statement.outs if o in self.keys}
        for block in statement.blocks:
            for inner in walk(block.body):
                found |= {self.keys[o]: None for o in inner.outs if o in self.keys}
        return tuple(sorted(found))


@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """A block, and the statements that make its values."""

    block: Block
    made: Mapping[Var, Statement]
    is_top: bool


def _scope(block: Block, *, is_top: bool = False) -> _Scope:
    made = {out: s for s in block.body for out in s.outs}
    return _Scope(block, made, is_top)


def claimed(block: Block, results: Sequence[Operand]) -> Claims:
    """The claims of results of a block; raises Unknown."""
    claims = Claims()
    top = _scope(block, is_top=True)
    for key, result in enumerate(results):
        _Claim(claims, key).follow(result, top, 1)
    return claims


@dataclass(frozen=True, slots=True, eq=False)
class _Claim:
    claims: Claims
    key: int

    def follow(self, value: Operand, scope: _Scope, sign: int) -> Ends:
        """Claim a value and the values that it comes from. Returns the parameters of
        the block that it comes from, with signs; raises Unknown.
        """
        if value.type.is_array:
            return self._list(value, scope)
        return self._number(value, scope, sign)

    def _own(self, value: Var) -> None:
        if self.claims.keys.setdefault(value, self.key) != self.key:
            raise Unknown("two results are one value, or change places", value.span)

    def _list(self, value: Operand, scope: _Scope) -> Ends:
        while True:
            if not isinstance(value, Var):
                raise Unknown("a result is a constant")
            if value.type.shape:
                raise Unknown("a result is computed as a whole", value.span)
            self._own(value)
            if value in scope.block.params:
                if scope.is_top:
                    raise Unknown("a result is a parameter", value.span)
                return ((value, 1),)
            made = scope.made[value]
            if isinstance(made, Apply):
                if made.op.name in CHANGES:
                    value = made.args[0]
                    continue
                if made.op.name not in MAKERS:
                    raise Unknown("a result is computed as a whole", value.span)
                if not scope.is_top:
                    raise Unknown("a result is made anew in a loop or arm", value.span)
                return ()
            ((value, _),) = self._through(made, value, scope, 1)

    def _number(self, value: Operand, scope: _Scope, sign: int) -> Ends:
        if isinstance(value, Var) and value in scope.block.params and not scope.is_top:
            self._own(value)
            return ((value, sign),)
        made = scope.made.get(value) if isinstance(value, Var) else None
        if (
            isinstance(made, Apply)
            and made.op.name in _SIGNS
            and self._sums(made, scope)
        ):
            assert isinstance(value, Var)
            self._own(value)
            found: Ends = ()
            for arg, own in zip(made.args, _SIGNS[made.op.name], strict=True):
                found += self.follow(arg, scope, sign * own)
            return found
        if isinstance(made, Scan | While | Branch) and self._is_sum(made, value):
            assert isinstance(value, Var)
            self._own(value)
            found = ()
            for outer, own_sign in self._through(made, value, scope, sign):
                found += self.follow(outer, scope, own_sign)
            return found
        terms = self.claims.terms.setdefault(id(scope.block.body), [])
        terms.append(Term(value, sign, self.key))
        return ()

    def _sums(self, made: Apply, scope: _Scope) -> bool:
        """Whether a sum has a part from a loop, from arms, or from outside."""
        stack: list[Operand] = list(made.args)
        while stack:
            value = stack.pop()
            if value in scope.block.params and not scope.is_top:
                return True
            one = scope.made.get(value) if isinstance(value, Var) else None
            if isinstance(one, Scan | While | Branch):
                return True
            if isinstance(one, Apply) and one.op.name in _SIGNS:
                stack += one.args
        return False

    def _is_sum(self, made: Scan | While | Branch, value: Operand) -> bool:
        """Whether a loop adds to a number that it carries, or an arm may do so."""
        if isinstance(made, Branch):
            return True
        place = made.outs.index(value)
        if place >= len(made.carries):
            return False
        carry, own = made.carry_params[place], _scope(made.body)
        stack: list[Operand] = [made.body.results[place]]
        while stack:
            one = stack.pop()
            if one is carry:
                return True
            part = own.made.get(one) if isinstance(one, Var) else None
            if isinstance(part, Apply) and part.op.name in _SIGNS:
                stack += part.args
            elif isinstance(part, Scan | While):
                pairs = zip(part.outs, part.carries, strict=False)
                stack += [carry for out, carry in pairs if out is one]
            elif isinstance(part, Branch):
                stack += part.args
        return False

    def _through(
        self, made: Statement, value: Var, scope: _Scope, sign: int
    ) -> list[tuple[Operand, int]]:
        """The operands outside of a loop or a branch that a result of it comes from."""
        place = made.outs.index(value)
        if isinstance(made, Scan | While) and place < len(made.carries):
            carry = made.carry_params[place]
            inner = _scope(made.body)
            if self.follow(made.body.results[place], inner, sign) != ((carry, sign),):
                what = "a loop makes a result out of another one"
                raise Unknown(what, value.span)
            self._own(carry)
            return [(made.carries[place], sign)]
        if isinstance(made, Branch):
            ends = [
                [
                    (made.args[arm.params.index(end)], own)
                    for end, own in self.follow(arm.results[place], _scope(arm), sign)
                ]
                for arm in (made.then, made.orelse)
            ]
            if ends[0] != ends[1]:
                raise Unknown("two arms make a result of different lists", value.span)
            return ends[0]
        raise Unknown("a function or a loop gives a result as a whole", value.span)
