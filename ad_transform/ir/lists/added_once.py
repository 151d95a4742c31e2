"""An element that is added to twice in a row is added to once; one that is 0 before is
stored.

`x_bar[i] += a * b` and `x_bar[i] += c * v` become `x_bar[i] += a * b + c * v`, and
`x_bar[i] = 0.0` and `x_bar[i] += v` become `x_bar[i] = v`. Where
`x_bar` is new in front of a loop, and no trip adds to an element of another one, it is
`x_bar[i] = a * b + c * v`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from typing import TypeAlias

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.inner import each_block, is_same, of_value, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.loops.affine import (
    AffineForm,
    AffineForms,
    equal,
    impossible,
    minus,
    number,
)
from ad_transform.ir.loops.meeting import Meeting
from ad_transform.ir.loops.sites import Site
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce

_ADDING = {"add_at": 1, "sub_at": -1}
"""Operations that add to an element, with the sign of the addend."""
_CHANGES = {*_ADDING, "set"}
_ZERO = Literal(0.0)
_ROOM = {"like": 1, "rows_like": 1, "full": 0, "grid": 0}
"""Operations that make new arrays, with the place of the first value of elements."""


def added_once(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such elements added to once, or stored; those of its value stay
    as they are. Linear. `table` has the operations.
    """
    if function.block.all_operations.isdisjoint(_ADDING):
        return function
    sacred = of_value(function)
    joined = each_block(function, lambda block: _joined(block, sacred, table))
    consumption = Consumption()
    return each_block(joined, lambda b: _stored(b, sacred, table, consumption))


def _adds(statement: Statement) -> bool:
    return isinstance(statement, Apply) and statement.op.name in _ADDING


def _is_one(statement: Apply) -> bool:
    """Whether a statement adds a number to an element of a list."""
    return (
        statement.op.name in _ADDING
        and len(statement.args) == 3
        and not statement.args[1].type.dims
    )


def _is_number(statement: Apply) -> bool:
    """Whether a statement adds a number to an element."""
    array, value, *index = statement.args
    return len(index) == len(array.type.dims) and not value.type.is_array


def _joined(
    block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Block:
    """A block with an element added to once where that was twice."""
    if _ADDING.keys().isdisjoint(block.operations):
        return block
    read = block.times_read
    made: dict[Operand, int] = {}  # arrays by the place of their change
    gets: dict[Operand, tuple[Operand, ...]] = {}
    env: dict[Operand, Operand] = {}
    body: list[Statement | None] = []
    for old in block.body:
        statement = old.over(env) if env else old
        if statement.label == "get":
            gets[statement.outs[0]] = statement.inputs
        is_clearing = _is_clearing(statement)
        if not isinstance(statement, Apply) or not (is_clearing or _is_one(statement)):
            body.append(statement)
            continue
        place = made.get(statement.args[0], -1)
        before = body[place] if place >= 0 else None
        both: tuple[Apply, ...] = (statement,)
        if (
            isinstance(before, Apply)
            and before.args[2] == statement.args[2]
            and read[before.out] == 1
            and statement.out not in sacred
            and not is_clearing
        ):
            body[place] = None
            array, value, index = before.args[0], *statement.args[1:]
            if not _is_clearing(before):
                both = _both(before, statement, table)
            elif _ADDING[statement.op.name] > 0 and gets.get(value) == (array, index):
                env[statement.out] = array  # it is cleared, and is then what it was
                continue
            else:
                both = _store(replace(statement, args=(array, value, index)), table)
        body += both
        made[statement.out] = len(body) - 1
    return with_body(block, [s for s in body if s is not None], env)


def _is_clearing(statement: Statement) -> bool:
    """Whether a statement stores 0.0 in an element of a list of numbers."""
    return (
        isinstance(statement, Apply)
        and statement.op.name == "set"
        and len(statement.args) == 3
        and statement.args[1] == _ZERO
        and len(statement.out.type.dims) == 1
    )


def _both(
    before: Apply, behind: Apply, table: Mapping[str, Elemental]
) -> tuple[Apply, Apply]:
    """The total of two addends of an element, and the statement that adds it."""
    array, one, place = before.args
    other = behind.args[1]
    first, second = (_ADDING[each.op.name] for each in (before, behind))
    name, sign = ("add" if first == second else "sub"), first
    if first < second:
        one, other, sign = other, one, second
    total = Apply(Var(other.type), table[name], (one, other))
    op = before.op if sign == first else behind.op
    return total, replace(behind, op=op, args=(array, total.out, place))


def _stored(
    block: Block,
    sacred: Set[Operand],
    table: Mapping[str, Elemental],
    consumption: Consumption,
) -> Block:
    """A block with elements stored that were 0 and are added to once."""
    if not any(isinstance(s, Scan) or _adds(s) for s in block.body):
        return block
    begun = _Begun(block, sacred, consumption)
    found: list[Statement] = []
    for statement in block.body:
        made = statement
        if isinstance(made, Apply):
            if begun.is_first(made):
                found += _store(made, table)
                continue
        elif isinstance(made, Scan):
            adds = begun.first_in(made)
            if adds:
                body = bounce(with_stores(made.body, adds, table))
                made = replace(made, body=body)
        found.append(made)
    return with_body(block, found)


@dataclass(frozen=True, slots=True)
class _Stores:
    """The stores of a loop into one of the arrays that it carries."""

    meeting: Meeting
    array: int

    def all(self) -> Iterator[Site]:
        """The sites of the stores."""
        return self.meeting.stores(self.array)


_Place: TypeAlias = tuple[AffineForm, ...] | _Stores
"""The index of an element, or all elements that a loop stores."""


class _Begun:
    """New arrays of zeros in a block, with the stores into them so far."""

    def __init__(
        self, block: Block, sacred: Set[Operand], consumption: Consumption
    ) -> None:
        self._forms = AffineForms(block.body, {})
        self._sacred = sacred
        self._consumption = consumption
        self._stored: dict[Operand, list[_Place]] = {}

    def is_first(self, statement: Apply) -> bool:
        """Whether a statement adds to an element that is 0; takes note of it."""
        name, args = statement.op.name, statement.args
        if name in _ROOM:
            if args[_ROOM[name]] == Literal(0.0):
                self._stored[statement.out] = []
            return False
        if name not in _CHANGES or args[0] not in self._stored:
            return False
        before = self._stored.pop(args[0])
        index = tuple(map(self._forms.of, args[2:]))
        self._stored[statement.out] = [*before, index]
        return (
            name in _ADDING
            and statement.out not in self._sacred
            and _is_number(statement)
            and all(_is_elsewhere(index, other) for other in before)
        )

    def first_in(self, loop: Scan) -> set[Statement]:
        """Statements in a loop that add to elements which are 0; notes its stores."""
        known = {
            k: self._stored.pop(carry)
            for k, carry in enumerate(loop.carries)
            if carry in self._stored and loop.outs[k] not in self._sacred
        }
        if not known or loop.snapshots is not None:
            return set()
        meeting = Meeting(loop, self._forms, self._consumption)
        for k, before in known.items():
            if meeting.is_known(k):
                self._stored[loop.outs[k]] = [*before, _Stores(meeting, k)]
        first = Counter(
            statement
            for statement, site in meeting.first()
            if site.array in known
            and _is_number(statement)
            and not any(
                isinstance(other, _Stores) or meeting.may_be(site, other)
                for other in known[site.array]
            )
        )
        times = Counter(s for s in walk(loop.body.body) if s in first)
        return {s for s, count in first.items() if count == times[s]}


def _is_elsewhere(index: tuple[AffineForm, ...], other: _Place) -> bool:
    """Whether an element is none of those that were stored before."""
    if isinstance(other, _Stores):
        return not any(other.meeting.may_be(site, index) for site in other.all())
    below = (minus(number(-1), form) for form in (*index, *other))
    pairs = zip(index, other, strict=False)
    met = (condition for a, b in pairs for condition in equal(a, b))
    return all(impossible((one,)) for one in below) and impossible(met)


def with_stores(
    block: Block, adds: Set[Statement], table: Mapping[str, Elemental]
) -> Task[Block]:
    """A block with stores in place of some statements that add to an element.

    Linear. `table` has the operations.
    """
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Apply) and statement in adds:
            body += _store(statement, table)
        elif statement.blocks:
            inner: list[Block] = []
            for held in statement.blocks:
                inner.append((yield with_stores(held, adds, table)))
            outs, inputs = statement.outs, statement.inputs
            is_new = not is_same(inner, statement.blocks)
            made = statement.rebuilt(outs, inputs, tuple(inner))
            body.append(made if is_new else statement)
        else:
            body.append(statement)
    return with_body(block, body)


def _store(add: Apply, table: Mapping[str, Elemental]) -> tuple[Apply, ...]:
    """The statements that store an element, in place of one that adds to it."""
    array, value, *places = add.args
    if add.op.name == "add_at":
        return (replace(add, op=table["set"]),)
    less = Apply(Var(value.type), table["neg"], (value,))
    return less, replace(add, op=table["set"], args=(array, less.out, *places))
