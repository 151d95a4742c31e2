"""What is made of a value that is 0 in an arm, and only added to sums, goes into the
other arm.

`if r > 3.0: r_bar = 0.0` `else: r_bar = ...` and behind it `x_bar[i] += dx * r_bar`,
`x_bar[j] -= dx * r_bar` become `if r > 3.0: continue`, and the rest of the trip. So the
arm that is not taken costs nothing, and nothing of it gets in: 0 times infinity is no
number. `ir.summed` does the same of a single sum.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from heapq import heapify, heappop, heappush
from typing import cast

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
from ad_transform.ir.ordered import Ordered

_ZEROS = frozenset({Literal(0.0), Literal(-0.0)})
_CHANGES = frozenset({"add_at", "sub_at"})
_SUMS = _CHANGES | {"sub"}
"""Operations that leave the first operand as it is where the second is 0."""
_DEPTH = 4
"""Branches one in the other that are looked into."""
_LEAST = 2
"""Statements that are worth it; of one, a sum, `ir.summed` takes care."""


def conditional(function: Function) -> Function:
    """The function with such statements in the arms; not those of its value.

    Linear in the statements, times the branches one inside the other.
    """
    if not any(isinstance(s, Branch) for s in walk(function.body)):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _conditional(block, sacred))


def _conditional(block: Block, sacred: Set[Operand]) -> Block:
    if not any(isinstance(statement, Branch) for statement in block.body):
        return block
    return with_body(block, _Body(block, sacred).changed())


class _Cone:
    """What is made of the values of a branch that are 0 in an arm: `linear` values,
    which are 0 there too, and `sums`, by what they are there; the statements by place.
    """

    def __init__(self, zeros: Sequence[Var]) -> None:
        self.linear: set[Operand] = set(zeros)
        self.sums: dict[Operand, Operand] = {}
        self.places: list[int] = []

    def take(self, place: int, statement: Statement | None) -> bool | None:
        """Whether a statement that reads a value belongs to it; None where then nothing
        does.
        """
        read = statement.inputs if statement else ()
        if self.linear.isdisjoint(read):
            return False
        assert statement is not None
        is_change = isinstance(statement, Apply) and statement.op.name in _CHANGES
        if not is_change and any(out.type.is_array for out in statement.outs):
            return None  # sums of arrays are new arrays
        if _scales(statement, self.linear, _DEPTH):
            self.linear.update(statement.outs)
        elif not isinstance(statement, Apply):
            return None
        else:
            name, args = statement.op.name, statement.args
            are_linear = [arg in self.linear for arg in args]
            if name == "add":
                self._add(statement.out, args[are_linear.index(False)])
            elif name in _SUMS and are_linear[1] and not are_linear[0]:
                self._add(statement.out, args[0])
            else:
                return None
        self.places.append(place)
        return True

    def _add(self, total: Var, other: Operand) -> None:
        self.sums[total] = self.sums.get(other, other)


def _is_linear(branch: Branch, linear: Set[Operand], depth: int) -> bool:
    """Whether all that a branch gives is 0 where some values are."""
    if not depth or branch.test in linear:
        return False
    for block in branch.blocks:
        inner: set[Operand] = {
            p for p, a in zip(block.params, branch.args, strict=True) if a in linear
        }
        for statement in block.body:
            if inner.isdisjoint(statement.inputs):
                continue
            if not _scales(statement, inner, depth):
                return False
            inner.update(statement.outs)
        if not all(result in inner or result in _ZEROS for result in block.results):
            return False
    return True


def _scales(statement: Statement, linear: Set[Operand], depth: int) -> bool:
    """Whether what a statement in an arm makes of values that are 0 is 0."""
    if isinstance(statement, Branch):
        return _is_linear(statement, linear, depth - 1)
    if not isinstance(statement, Apply):
        return False
    are_linear = [arg in linear for arg in statement.args]
    match statement.op.name:
        case "neg" | "mul":
            return True
        case "div":
            return not are_linear[1]
        case "add" | "sub":
            return all(are_linear)
    return False


class _Body:
    """A body, and where its values are read; the last place are the results."""

    def __init__(self, block: Block, sacred: Set[Operand]) -> None:
        self.ordered = Ordered(block.body)
        self.results = block.results
        self.sacred = sacred
        self.readers: dict[Operand, list[int]] = {}
        for k, statement in enumerate(block.body):
            for operand in dict.fromkeys(statement.inputs):
                self.readers.setdefault(operand, []).append(k)
        for operand in dict.fromkeys(block.results):
            self.readers.setdefault(operand, []).append(len(block.body))

    def changed(self) -> Sequence[Statement]:
        """The body with what only an arm adds in that arm."""
        for place, statement in enumerate(self.ordered.body):
            if isinstance(statement, Branch):
                for arm in (0, 1):
                    self._change(place, arm)
        return self.ordered.statements()

    def _change(self, place: int, arm: int) -> None:
        """Let a branch have what is made of its values that are 0 in an arm."""
        branch = self.ordered.now[place]
        if not isinstance(branch, Branch):
            return  # it has gone into another one
        pairs = zip(branch.outs, branch.blocks[arm].results, strict=True)
        zeros = [out for out, result in pairs if result in _ZEROS]
        cone = self._cone(zeros) if zeros else None
        if cone is None:
            return
        ends = self._ends(cone)
        if ends is None or any(v in self.sacred for v in (*cone.linear, *cone.sums)):
            return
        if not all(self._is_named(root) for root in cone.sums.values()):
            return
        places = self._with_own(place, arm, cone)
        statements = [cast(Statement, self.ordered.now[k]) for k in places]
        inside = {*zeros, *(out for s in statements for out in s.outs)}
        read = dict.fromkeys(a for s in statements for a in s.inputs if a not in inside)
        moved = self.ordered.ahead(read, place)
        if moved is None or not set(places).isdisjoint(moved):
            return
        more = [a for a in read if isinstance(a, Var) and a not in branch.args]
        ahead = sum(k < place for k in places)
        parts = statements[:ahead], statements[ahead:]
        self.ordered.now[place] = _taking(branch, arm, parts, cone, ends, more)
        self.ordered.move(moved, place)
        gone = set(places)
        for k in places:
            self.ordered.now[k] = None
        self.ordered.made.update(dict.fromkeys(ends, place))
        for operand in read:
            others = [k for k in self.readers[operand] if k not in gone]
            self.readers[operand] = sorted({*others, place})

    def _cone(self, zeros: Sequence[Var]) -> _Cone | None:
        """What only sums are made of; None where anything else is, or too little."""
        cone = _Cone(zeros)
        waiting: list[int] = []
        for value in zeros:
            waiting += self.readers.get(value, ())
        waiting.sort()
        last = -1
        while waiting:
            place = heappop(waiting)
            if place == last:
                continue
            last = place
            if place == len(self.ordered.now):
                return None  # it is given to another trip
            statement = self.ordered.now[place]
            taken = cone.take(place, statement)
            if taken is None:
                return None
            for out in statement.outs if taken and statement else ():
                for reader in self.readers.get(out, ()) if out in cone.linear else ():
                    heappush(waiting, reader)
        return cone if len(cone.places) >= _LEAST and cone.sums else None

    def _with_own(self, place: int, arm: int, cone: _Cone) -> list[int]:
        """The places of a cone, and of what is computed for it and for the arm alone
        where it goes.
        """
        branch = self.ordered.now[place]
        assert isinstance(branch, Branch)
        beside = branch.blocks[arm]
        read = {branch.test, *beside.results}
        read.update(operand for s in beside.body for operand in s.inputs)
        pairs = zip(beside.params, branch.args, strict=True)
        elsewhere = {a for p, a in pairs if p in read} | {branch.test}
        elsewhere.update(cone.sums.values())  # what the other arm gives
        found = {*cone.places, place}
        waiting = [-k for k in found]
        heapify(waiting)
        while waiting:
            statement = self.ordered.now[-heappop(waiting)]
            for value in statement.inputs if statement else ():
                maker = self.ordered.made.get(value, -1)
                if maker < 0 or maker in found or value in elsewhere:
                    continue
                if self._is_own(maker, found):
                    found.add(maker)
                    heappush(waiting, -maker)
        return sorted(found - {place})

    def _is_own(self, place: int, found: set[int]) -> bool:
        """Whether a statement serves some others alone, and may wait for them."""
        statement = self.ordered.now[place]
        if not isinstance(statement, Apply) or statement.out in self.sacred:
            return False
        if statement.op.consumes or not found.issuperset(self.readers[statement.out]):
            return False
        arrays = (arg for arg in statement.args if arg.type.dims)
        return all(self._stays(k) for a in arrays for k in self.readers[a])

    def _stays(self, place: int) -> bool:
        """Whether what is at a place certainly changes no array."""
        if place == len(self.ordered.now):
            return False
        statement = self.ordered.now[place]
        return isinstance(statement, Apply) and not statement.op.consumes

    def _is_named(self, value: Operand) -> bool:
        """Whether a value is an array, or a number that has a name: no expression that
        is nested in one other.
        """
        if not isinstance(value, Var):
            return False
        maker = self.ordered.made.get(value, -1)
        statement = self.ordered.now[maker] if maker >= 0 else None
        is_nested = isinstance(statement, Apply) and len(self.readers[value]) == 1
        return bool(value.type.dims) or not is_nested

    def _ends(self, cone: _Cone) -> list[Var] | None:
        """The sums that are read outside of a cone; None where an array is, and a later
        sum changes it.
        """
        places = set(cone.places)
        found: list[Var] = []
        for total in cone.sums:
            readers = self.readers.get(total, [])
            outside = [k for k in readers if k not in places]
            if outside:
                if total.type.dims and len(outside) < len(readers):
                    return None
                found.append(cast(Var, total))
        return found


def _taking(
    branch: Branch,
    arm: int,
    parts: tuple[Sequence[Statement], Sequence[Statement]],
    cone: _Cone,
    ends: Sequence[Var],
    more: Sequence[Var],
) -> Branch:
    """The branch with statements in the other one of its arms, in front of what that
    does and behind it: sums in place of what it gave.
    """
    within = {out for statement in parts[0] for out in statement.outs}
    own = [k for k, arg in enumerate(branch.args) if arg not in within]
    kept = [k for k, out in enumerate(branch.outs) if out not in cone.linear]
    args = (*(branch.args[k] for k in own), *more)
    blocks: list[Block] = []
    for k, block in enumerate(branch.blocks):
        params = (*(block.params[j] for j in own), *(another(v, {}) for v in more))
        inner: dict[Operand, Operand] = dict(zip(args, params, strict=True))
        results = block.results
        if k == arm:
            body = list(block.body)
            inner.update((total, inner.get(r, r)) for total, r in cone.sums.items())
        else:
            body = _copied(parts[0], inner)
            pairs = zip(block.params, branch.args, strict=True)
            env: dict[Operand, Operand] = {p: inner[a] for p, a in pairs if a in within}
            body += (statement.over(env) for statement in block.body)
            results = tuple(env.get(result, result) for result in results)
            inner.update(zip(branch.outs, results, strict=True))
            body += _copied(parts[1], inner)
        given = (*(results[j] for j in kept), *(inner[end] for end in ends))
        blocks.append(Block(params, tuple(body), given))
    outs = (*(branch.outs[j] for j in kept), *ends)
    return Branch(outs, branch.test, args, *blocks)


def _copied(
    statements: Sequence[Statement], inner: dict[Operand, Operand]
) -> list[Statement]:
    """The statements over what values are called in the arm; theirs are entered."""
    body: list[Statement] = []
    for statement in statements:
        outs = tuple(another(out, {}) for out in statement.outs)
        body.append(statement.over(inner).binding(outs))
        inner.update(zip(statement.outs, outs, strict=True))
    return body
