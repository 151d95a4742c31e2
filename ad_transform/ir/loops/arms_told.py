"""Whether a test on the way back tells the arm of a branch on the way forth.

if left:                         if arm == 0:
    arm = 0                          ...
else:                            else:
    ...                              ...
    arm = 2 if x > 1.0 else 1

It asks for a value that is known on each way through the branches forth: on the ways
through one arm the answer is yes, and no on those through the other arm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.loops.same_values import Value, Values
from ad_transform.ir.nodes import Apply, Block, Branch, Literal, Operand
from ad_transform.ir.types import INT

_MOST = 64
"""Parts of ways through branches that are looked at."""

_ASKED = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})

Known = Mapping[Operand, Literal]
"""The values of tests on a way."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A value, or what comparisons with numbers say of it, the last one first."""

    operand: Operand
    asks: tuple[Apply, ...] = ()

    def answer(self) -> object:
        """The answer where the operand is known."""
        assert isinstance(self.operand, Literal)
        value = self.operand.value
        for made in reversed(self.asks):
            (_, number) = made.args
            assert isinstance(number, Literal)
            value = made.op.compute(value, number.value)
        return value


Pair = tuple[_Question, _Question]


def is_told(side: tuple[Block, Values], branch: Branch, test: Value) -> bool:
    """Whether a test surely tells the arm that a branch of a block takes."""
    block, values = side
    own, operand = values.inside(test)
    asks: list[Apply] = []
    while own is not values:
        made = None if own is None else own.made.get(operand)
        if own is None or made is None or not _is_asked(made):
            return False
        asks.append(made)
        own, operand = values.inside(own.value(made.args[0]))
    pair = _Question(branch.test), _Question(operand, tuple(asks))
    return _agree(block, values.made, pair)


def _is_asked(made: Apply) -> bool:
    """Whether a whole number is compared with a known one."""
    if made.op.name not in _ASKED:
        return False
    return made.args[0].type == INT and isinstance(made.args[1], Literal)


@dataclass(frozen=True, slots=True)
class _Way:
    """A part of a way: a block with its operations, two questions, and known tests."""

    block: Block
    made: Mapping[Operand, Apply]
    pair: Pair
    known: Known

    def told(self, tests: Set[Operand]) -> _Way:
        """The same with questions of values that are known, or that are compared."""
        one, other = (_told(q, self, tests) for q in self.pair)
        return replace(self, pair=(one, other))

    def through(self, branch: Branch) -> Iterator[_Way]:
        """The ways through the arms of a branch."""
        for taken, arm in zip((True, False), branch.blocks, strict=True):
            if self.known.get(branch.test, Literal(taken)).value is not taken:
                continue
            here: dict[Operand, Literal] = {**self.known, branch.test: Literal(taken)}
            ends: dict[Operand, Operand] = {**here}
            ends.update(zip(branch.outs, arm.results, strict=True))
            one, other = (
                _Question(ends.get(q.operand, q.operand), q.asks) for q in self.pair
            )
            given = zip(arm.params, branch.args, strict=True)
            known: dict[Operand, Literal] = {p: here[a] for p, a in given if a in here}
            made: dict[Operand, Apply] = {
                s.out: s for s in arm.body if type(s) is Apply
            }
            yield _Way(arm, made, (one, other), known)


def _agree(block: Block, made: Mapping[Operand, Apply], pair: Pair) -> bool:
    """Whether two questions have one answer on each way through the branches."""
    waiting = [_Way(block, made, pair, {})]
    for _ in range(_MOST):
        if not waiting:
            return True
        way = waiting.pop()
        held = (way.block.body[k] for k in way.block.holders)
        branches = [s for s in held if isinstance(s, Branch)]
        way = way.told({s.test for s in branches})
        one, other = way.pair
        open_ = {q.operand for q in way.pair if not isinstance(q.operand, Literal)}
        if not open_ and one.answer() is not other.answer():
            return False
        if open_:
            maker = next((s for s in branches if open_ <= {s.test, *s.outs}), None)
            if maker is None:
                return False
            waiting += way.through(maker)
    return False


def _told(question: _Question, way: _Way, tests: Set[Operand]) -> _Question:
    """A question of the value that is known, or that a comparison is made of."""
    operand, asks = question.operand, question.asks
    while operand not in way.known and operand not in tests:
        apply = way.made.get(operand)
        if apply is None or not _is_asked(apply):
            break
        operand, asks = apply.args[0], (*asks, apply)
    return _Question(way.known.get(operand, operand), asks)
