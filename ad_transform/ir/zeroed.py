"""What is 0 where some values are, and which tests the outcome of another one settles.

`s == 0.0` says that `s < 1e-6`, and `s < 1e-6` that `s > 1.0` is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from math import inf, nan

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Literal,
    Operand,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import Kind

_ZERO = Literal(0.0)
_COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
POWERS = frozenset({"sqrt", "pow", "mul", "neg", "abs"})
"""What is 0 where what it is made of is."""
_TESTED = POWERS | _COMPARISONS | {"not", "branch"}
"""The same for tests: what they compare."""
_PLAIN = frozenset({Kind.FLOAT, Kind.INT, Kind.BOOL})
_NEAR = 32
"""How many values are looked at behind one."""
_LARGEST = 1e300
"""Up to there numbers have a number between them, and any that are larger."""


@dataclass(slots=True)
class Known:
    """What a program is made of: what the value needs, which is `sacred`, what makes a
    value, and the value outside that a parameter of an arm stands for.
    """

    sacred: frozenset[Operand]
    makers: dict[Operand, Statement] = field(default_factory=dict)
    outside: dict[Operand, Operand] = field(default_factory=dict)

    def add(self, body: Sequence[Statement]) -> None:
        """Enter some statements, and all inside."""
        for statement in walk(tuple(body)):
            self.makers.update(dict.fromkeys(statement.outs, statement))
            if isinstance(statement, Branch):
                for block in statement.blocks:
                    pairs = zip(block.params, statement.args, strict=True)
                    self.outside.update(pairs)

    def root(self, value: Operand) -> Operand:
        """The value where it is made."""
        while value in self.outside:
            value = self.outside[value]
        return value

    def behind(
        self, values: Iterable[Operand], through: frozenset[str]
    ) -> set[Operand]:
        """Numbers, and what is near that they are made of by some operations."""
        found: set[Operand] = set()
        waiting = list(values)
        while waiting and len(found) < _NEAR:
            value = self.root(waiting.pop())
            maker = self.makers.get(value)
            if value in found or isinstance(value, Literal):
                continue
            found.add(value)
            if maker is not None and maker.label in through:
                waiting += maker.inputs
        return found

    def compared(self, branch: Branch) -> set[Operand]:
        """What its test compares, and those of branches in its arms."""
        inside = (s for s in walk((branch,)) if isinstance(s, Branch))
        return set().union(*(self.behind((s.test,), _TESTED) for s in inside))

    def may_move(self, statement: Statement) -> bool:
        """Whether it is an operation on numbers that the value does not need."""
        return (
            isinstance(statement, Apply)
            and statement.out not in self.sacred
            and all(
                v.type.is_real and not v.type.dims
                for v in (statement.out, *statement.inputs)
            )
        )

    def may_follow(self, statement: Statement) -> bool:
        """Whether it is that, a test, or a branch with nothing else in its arms."""
        return (
            self.sacred.isdisjoint(statement.outs)
            and all(isinstance(s, Apply | Branch) for s in walk((statement,)))
            and all(
                v.type.kind in _PLAIN and not v.type.dims
                for v in (*statement.outs, *statement.inputs)
            )
        )

    def settled(self, test: Operand, holds: bool, other: Operand) -> bool | None:
        """How another test turns out where one of them holds, or not; None if open."""
        test, other = self.root(test), self.root(other)
        if test is other:
            return holds
        mine, theirs = (_comparison(self.makers.get(t)) for t in (test, other))
        if not mine or not theirs or self.root(mine.value) != self.root(theirs.value):
            return None
        low, high = sorted((mine.number, theirs.number))
        samples = (nan, -inf, low, low / 2 + high / 2, high, inf)  # one of each kind
        found = {theirs.holds(x) for x in samples if mine.holds(x) == holds}
        return found.pop() if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A test that compares a value with a number."""

    value: Operand
    number: float
    test: Apply

    def holds(self, x: float) -> bool:
        """How it turns out where the value is x."""
        args = (a.value if isinstance(a, Literal) else x for a in self.test.args)
        return bool(self.test.op.compute(*args))


def _comparison(statement: Statement | None) -> _Comparison | None:
    """What a statement compares with a number, if it does that."""
    if not isinstance(statement, Apply) or statement.op.name not in _COMPARISONS:
        return None
    values = [a for a in statement.args if isinstance(a, Var)]
    numbers = [
        float(a.value)
        for a in statement.args
        if isinstance(a, Literal)
        and not isinstance(a.value, str)
        and abs(a.value) < _LARGEST
    ]
    if len(values) != 1 or len(numbers) != 1:
        return None
    return _Comparison(values[0], numbers[0], statement)


def zeros_of(
    statement: Statement, zeros: Collection[Operand], arms: Sequence[int] = (0, 1)
) -> Task[list[Var]]:
    """The results that are 0 where some values are; a branch takes one of some `arms`.

    Linear in the statements inside.
    """
    if isinstance(statement, Apply):
        return [statement.out] if _is_zero(statement, zeros) else []
    if not isinstance(statement, Branch):
        return []
    found = set(statement.outs)
    for block in (statement.blocks[arm] for arm in arms):
        pairs = zip(block.params, statement.args, strict=True)
        inside = {param for param, arg in pairs if arg in zeros}
        for one in block.body if inside else ():
            inside.update((yield zeros_of(one, inside)))
        ends = zip(statement.outs, block.results, strict=True)
        found -= {o for o, end in ends if end != _ZERO and end not in inside}
    return [out for out in statement.outs if out in found]


def _is_zero(statement: Apply, zeros: Collection[Operand]) -> bool:
    name, args = statement.op.name, statement.args
    if name == "mul":
        return any(a in zeros for a in args)
    if name in ("div", "neg"):
        return args[0] in zeros
    return name in ("add", "sub") and all(a in zeros for a in args)
