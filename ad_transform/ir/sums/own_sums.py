"""Sums of two values that one branch gives are made in its arms, where one of the two
is 0 in an arm: there is no sum there.

`if x == y: p = 0.5 * u; q = 0.5 * v` `else: p = u; q = 0.0` and behind it `d = p + q`
become `if x == y: d = 0.5 * u + 0.5 * v` `else: d = u`. No arm does more than before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from ad_transform.dataclass import dataclass
from ad_transform.ir.arms.cones import ZEROS
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.blocks.ordered import Ordered
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Operand,
    Var,
)
from ad_transform.ir.simplify import LAWS

_SUMS = frozenset({"add", "sub"})

_MOST = 32
"""Statements that may go in front of a branch for a sum in its arms."""


def own_sums(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such sums in the arms; not those of its value. `table` has the
    operations. Linear in the statements, times the branches one inside the other.
    """
    if not any(isinstance(s, Branch) for s in function.nested):
        return function
    sacred, some = of_value(function), _given_by_some(function)
    return each_block(
        function, lambda block: _changed(block, sacred, some, table), leaves=False
    )


def _given_by_some(function: Function) -> frozenset[Operand]:
    """The results of branches that are 0 in some arms and not in others, arms of
    branches inside counted.
    """
    times: dict[Operand, int] = dict.fromkeys(ZEROS, 0)
    arms: dict[Operand, int] = {}
    for statement in reversed(function.nested):
        if isinstance(statement, Branch):
            results = (block.results for block in statement.blocks)
            for out, *ends in zip(statement.outs, *results, strict=True):
                times[out] = sum(times.get(end, 1) for end in ends)
                arms[out] = sum(arms.get(end, 1) for end in ends)
    return frozenset(out for out, n in arms.items() if 0 < times[out] < n)


def _changed(
    block: Block,
    sacred: Set[Operand],
    some: Set[Operand],
    table: Mapping[str, Elemental],
) -> Block:
    held = (block.body[k] for k in block.holders)
    branches = [s for s in held if isinstance(s, Branch)]
    if not any(_zeros(b) or not some.isdisjoint(b.outs) for b in branches):
        return block
    body = _Body(block, sacred, some)
    for place, statement in enumerate(block.body):
        while isinstance(statement, Branch) and body.takes_sum(place, table):
            pass  # another one may be there
    return with_body(block, body.ordered.statements())


def _zeros(branch: Branch) -> set[Operand]:
    """The results of a branch that are 0 in one of its arms."""
    ends = zip(branch.outs, *(b.results for b in branch.blocks), strict=True)
    return {out for out, *arms in ends if sum(end in ZEROS for end in arms) == 1}


@dataclass(frozen=True, slots=True)
class _Sum:
    """The places of a sum, which comes last, and of its products; the values that these
    read; and the places of statements that have to move in front of the branch.
    """

    places: list[int]
    read: list[Operand]
    moved: list[int]


@dataclass(frozen=True, slots=True)
class _Way:
    """The places of the products on the way of a value to a sum, the place of the sum,
    and the operand of it that has come that way.
    """

    places: tuple[int, ...]
    end: int
    arg: Operand


class _Body:
    """A body, and where its values are read; the last place are the results."""

    def __init__(self, block: Block, sacred: Set[Operand], some: Set[Operand]) -> None:
        self.ordered = Ordered(block.body)
        self.sacred = sacred
        self.some = some
        self.readers: dict[Operand, list[int]] = {}
        for place, statement in enumerate(block.body):
            for operand in statement.inputs:
                self.readers.setdefault(operand, []).append(place)
        for operand in block.results:
            self.readers.setdefault(operand, []).append(len(block.body))

    def takes_sum(self, place: int, table: Mapping[str, Elemental]) -> bool:
        """Whether a branch makes a sum now that was made behind it."""
        branch = self.ordered.now[place]
        assert isinstance(branch, Branch)
        found = self._sum_of(branch, place)
        if found is None and self._swaps_one(branch, place):
            found = self._sum_of(branch, place)
        if found is None:
            return False
        made = [s for k in found.places if isinstance(s := self.ordered.now[k], Apply)]
        gone = {
            o
            for o in branch.outs
            if self.readers.get(o) and {*found.places}.issuperset(self.readers[o])
        }
        taking = _taking(branch, made, gone, found.read, table)
        if taking is None:
            return False
        self.ordered.now[place] = taking
        self.ordered.move(found.moved, place)
        self.ordered.made[made[-1].out] = place
        for k in found.places:
            self.ordered.now[k] = None
        for operand in found.read:
            others = [k for k in self.readers[operand] if k not in found.places]
            self.readers[operand] = [*others, place]
        return True

    def _sum_of(self, branch: Branch, place: int) -> _Sum | None:
        """A sum that a branch can make, if there is one."""
        zeros = _zeros(branch)
        first: dict[int, tuple[Var, _Way]] = {}
        for out in branch.outs if zeros else ():
            way = self._way(out)
            if way is None:
                continue
            value, other = first.setdefault(way.end, (out, way))
            if value is out or zeros.isdisjoint((value, out)):
                continue
            total = self.ordered.now[way.end]
            assert isinstance(total, Apply)
            nothing = [w.arg for v, w in ((value, other), (out, way)) if v in zeros]
            if total.op.name == "sub" and total.args[1] not in nothing:
                continue  # less than nothing is another operation
            made = self.ordered.sorted({*other.places, *way.places})
            ready = self._ready([*made, way.end], branch, place)
            if ready is not None:
                return ready
        return self._added(branch, place)

    def _added(self, branch: Branch, place: int) -> _Sum | None:
        """A sum with a result that is 0 in some arms: these do not add."""
        for way in self._plain_ways(branch):
            ready = self._ready([way.end], branch, place)
            if ready is not None:
                return ready
        return None

    def _plain_ways(self, branch: Branch) -> Iterator[_Way]:
        """The ways of results that are 0 in some arms to sums with other values."""
        for out in branch.outs:
            way = self._way(out) if out in self.some else None
            if way is None or way.places:
                continue
            total = self.ordered.now[way.end]
            assert isinstance(total, Apply)
            is_less = total.op.name == "sub" and total.args[0] is out
            if not is_less and sum(arg in branch.outs for arg in total.args) == 1:
                yield way

    def _swaps_one(self, branch: Branch, place: int) -> bool:
        """Whether a result is added earlier in a chain of sums now."""
        return any(self._swaps(branch, place, way) for way in self._plain_ways(branch))

    def _swaps(self, branch: Branch, place: int, way: _Way) -> bool:
        """Whether a result is added earlier in a chain of sums now: `p + x * q + r` is
        `p + r + x * q`, where the branch gives q and r, and p is known before it.
        """
        total = self.ordered.now[way.end]
        assert isinstance(total, Apply)
        last = next(arg for arg in total.args if arg is not way.arg)
        k = self.ordered.made.get(last)
        made = None if k is None else self.ordered.now[k]
        if k is None or not isinstance(made, Apply) or made.op.name not in _SUMS:
            return False
        one, other = made.args
        if not self._is_free(branch, place, one, way.arg):
            one, other = other, one
            if made.op.name == "sub" or not self._is_free(branch, place, one, way.arg):
                return False
        alone = self.readers[last] == [way.end] and last not in self.sacred
        if not alone or one is other or made.out.type != one.type:
            return False
        if not self.ordered.is_behind(k, place):
            return False
        first = Var(made.out.type, made.out.hint)
        self.ordered.now[k] = Apply(first, total.op, (one, way.arg))
        args = tuple(first if arg is one else arg for arg in made.args)
        self.ordered.now[way.end] = Apply(total.out, made.op, args)
        self.ordered.made[first] = k
        self.readers[way.arg], self.readers[first] = [k], [way.end]
        others = [at for at in self.readers[other] if at != k]
        self.readers[other] = [*others, way.end]
        return True

    def _is_free(
        self, branch: Branch, place: int, one: Operand, value: Operand
    ) -> bool:
        """Whether another value may be added to one in the arms: that is known before
        the branch, or another result of it, where the value is 0 in an arm.
        """
        if not isinstance(one, Var) or one.type != value.type:
            return False
        if one in branch.outs:
            alone = len(self.readers[one]) == 1
            return alone and value in _zeros(branch)
        return self.ordered.ahead([one], place, _MOST) is not None

    def _way(self, value: Operand) -> _Way | None:
        """The way of a value that is read once to a sum."""
        places: list[int] = []
        while len(self.readers.get(value, ())) == 1:
            (place,) = self.readers[value]
            if place == len(self.ordered.now):
                return None
            statement = self.ordered.now[place]
            if not isinstance(statement, Apply) or statement.out in self.sacred:
                return None
            if not statement.out.type.is_real or statement.out.type.dims:
                return None
            if statement.op.name in ("add", "sub"):
                return _Way(tuple(places), place, value)
            if not _scales(statement, value):
                return None
            places.append(place)
            value = statement.out
        return None

    def _ready(self, places: list[int], branch: Branch, place: int) -> _Sum | None:
        """The sum at some places, if its operands can be made in front of a branch."""
        made = [self.ordered.now[k] for k in places]
        own = {*branch.outs, *(out for s in made if s for out in s.outs)}
        inputs = (arg for s in made if s for arg in s.inputs if arg not in own)
        read = list(dict.fromkeys(inputs))
        moved = self.ordered.ahead(read, place, _MOST)
        if moved is None or not {*places, place}.isdisjoint(moved):
            return None
        return _Sum(places, read, moved)


def _scales(statement: Apply, value: Operand) -> bool:
    """Whether a statement makes a multiple of a value."""
    name, args = statement.op.name, statement.args
    if name in ("mul", "div"):
        return args[0] is not args[1] and (name == "mul" or args[0] is value)
    return name == "neg"


def _taking(
    branch: Branch,
    made: Sequence[Apply],
    gone: Set[Operand],
    read: Sequence[Operand],
    table: Mapping[str, Elemental],
) -> Branch | None:
    """The branch with some operations at the end of its arms: it gives the last one,
    and no longer the values that are `gone`. None if that is an array, and a number in
    an arm.
    """
    kept = [k for k, out in enumerate(branch.outs) if out not in gone]
    more = [a for a in read if isinstance(a, Var) and a not in branch.args]
    total = made[-1].out
    blocks: list[Block] = []
    for block in branch.blocks:
        params = (*block.params, *(another(v, {}) for v in more))
        inner: dict[Operand, Operand] = dict(
            zip((*branch.args, *more), params, strict=True)
        )
        builder = Builder(table, LAWS)
        results = builder.absorb(block.body, block.results)
        inner.update(zip(branch.outs, results, strict=True))
        for one in made:
            args = (inner.get(arg, arg) for arg in one.args)
            hint = one.out.hint
            inner[one.out] = builder.apply(one.op.name, *args, hint=hint)
        if len(inner[total].type.shape) != len(total.type.shape):
            return None
        given = (*(results[k] for k in kept), inner[total])
        blocks.append(Block(params, tuple(builder.body), given))
    outs = (*(branch.outs[k] for k in kept), total)
    return Branch(outs, branch.test, (*branch.args, *more), *blocks)
