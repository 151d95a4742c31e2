"""Whether a loop back has in each trip the value that the loop forth had in it.

It has what was recorded, what both are given, and what is computed of that in the same
way: `x > 1.0`, where x is recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Scan,
    Var,
    While,
)

_MOST = 40
"""Operations of a value that are compared."""


@dataclass(slots=True, eq=False)
class Values:
    """The values of a block: their makers, and the operands of its parameters. For an
    arm that surely runs, `ends` are its results by the values of the branch, those of
    branches around first.
    """

    made: dict[Operand, Apply]
    given: Mapping[Operand, Value]
    ends: tuple[Mapping[Value, Value], ...] = ()

    @classmethod
    def of(cls, block: Block, given: Mapping[Operand, Value]) -> Values:
        """The values of a block whose parameters are known."""
        return cls({s.out: s for s in block.body if type(s) is Apply}, given)

    def value(self, operand: Operand) -> Value:
        """An operand of the block, back to the block that makes it."""
        if type(operand) is Literal:
            return None, operand
        return self.given.get(operand) or (self, operand)

    def inside(self, value: Value) -> Value:
        """A value behind the branches around, in the arm that has made it."""
        for ends in self.ends:
            value = ends.get(value, value)
        return value

    def where(self, known: Mapping[Value, Value]) -> Values:
        """The same values where some from outside are known."""
        given = {param: known.get(value, value) for param, value in self.given.items()}
        return Values(self.made, given)

    def numbers(self) -> Mapping[Value, Var]:
        """The parameters that are numbers, by the values that they are known to be."""
        return {
            value: param
            for param, value in self.given.items()
            if isinstance(param, Var) and not param.type.is_array
        }

    def arm(self, branch: Branch, arm: int) -> Values:
        """The values of an arm of a branch that stands in the block."""
        block = branch.blocks[arm]
        pairs = zip(block.params, branch.args, strict=True)
        return Values.of(block, {param: self.value(arg) for param, arg in pairs})


Value = tuple["Values | None", Operand]
"""An operand of a block; of no block where it comes from outside of the loops."""


def trips(
    forth: Scan | While,
    back: Scan,
    lists: Mapping[Var, Var],
    around: tuple[Values, Values] | None,
) -> tuple[Values, Values]:
    """The values of a trip, and those of the same trip of a loop back, which goes the
    other way over the records of the first one: `lists` are their names there. Loops
    inside of others know the values `around` them.
    """
    first, second = (_Outside(one) for one in around or (None, None))
    own = Values.of(forth.body, {p: first.value(arg) for p, arg in _outside(forth)})
    known: dict[Operand, Value] = {
        lists[stack]: own.value(end)
        for stack, end in zip(forth.stacks, forth.records, strict=True)
        if stack in lists
    }
    items = {first.value(array): (own, param) for param, array in _entries(forth)}
    given: dict[Operand, Value] = {p: second.value(a) for p, a in _outside(back)}
    for param, array in _entries(back):
        item = known.get(array) or items.get(second.value(array))
        if item is not None:
            given[param] = item
    if isinstance(forth, Scan):
        ranges = zip(forth.inputs[:3], back.inputs[:3], strict=True)
        if all(are_same(first.value(a), second.value(b)) for a, b in ranges):
            given[back.body.params[0]] = own, forth.body.params[0]
    return own, Values.of(back.body, given)


@dataclass(frozen=True, slots=True)
class _Outside:
    """The values outside of a loop: those of a trip of the loop around, if any."""

    around: Values | None

    def value(self, operand: Operand) -> Value:
        return (None, operand) if self.around is None else self.around.value(operand)


def are_same(one: Value, other: Value) -> bool:
    """Whether two values are surely the same: made of the same ones alike."""
    waiting = [(one, other)]
    for _ in range(_MOST):
        if not waiting:
            return True
        (left, a), (right, b) = waiting.pop()
        if left is right and a == b:
            continue
        if left is None or right is None or a not in left.made or b not in right.made:
            return False
        first, second = left.made[a], right.made[b]
        if not _is_alike(first, second):
            return False
        pairs = zip(first.args, second.args, strict=True)
        waiting += [(left.value(x), right.value(y)) for x, y in pairs]
    return False


def _is_alike(one: Apply, other: Apply) -> bool:
    """Whether two operations on equal numbers and lists give one number."""
    plain = not one.op.consumes and not one.out.type.dims
    return plain and one.op is other.op and len(one.args) == len(other.args)


def _outside(loop: Scan | While) -> Sequence[tuple[Var, Operand]]:
    """The parameters of a trip that are the same in all trips, with their operands."""
    return [*zip(loop.read_params, loop.reads, strict=True)]


def _entries(loop: Scan | While) -> Sequence[tuple[Var, Operand]]:
    """The parameters of a trip that are items of lists, with the lists."""
    if isinstance(loop, While):
        return []
    return [*zip(loop.entry_params, loop.entries, strict=True)]
