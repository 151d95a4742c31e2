"""Terms of sums that are 0 in one arm of a branch are computed in the other arm alone.

`if r > 3.0: r_bar = 0.0` `else: r_bar = ...` and behind it `x_bar[i] += dx * r_bar`,
`x_bar[j] -= dx * r_bar` become `if r > 3.0: continue`, and the rest of the trip. So the
arm that is not taken costs nothing, and nothing of it gets in: 0 times infinity is no
number. An operation fewer is done where the arm is taken, none more elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from heapq import heapify, heappop, heappush
from typing import cast

from ad_transform.ir.arms.cones import ZEROS, Cone
from ad_transform.ir.arms.gathered import is_of_numbers
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.blocks.ordered import Ordered
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.simplify import LAWS

_ZERO = Literal(0.0)


def conditional(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function with such statements in the arms; not those of its value. `table`
    has the operations.

    Linear in the statements, times the branches one inside the other.
    """
    if not any(isinstance(s, Branch) for s in function.nested):
        return function
    return each_block(function, _Change(function, table).of, leaves=False)


class _Change:
    """The change of blocks, outer ones first. The function returns those of `ends`."""

    def __init__(self, function: Function, table: Mapping[str, Elemental]) -> None:
        self.table = table
        self.sacred = of_value(function)
        self.consumption = Consumption()
        self.ends = {id(function.block): function.block}  # held, for ids are used again

    def of(self, block: Block) -> Block:
        """The block with statements in the arms of its branches."""
        held = [block.body[k] for k in block.holders]
        branches = [s for s in held if isinstance(s, Branch)]
        if not branches:
            return block
        is_end, made = id(block) in self.ends, block
        if any(map(_gives_zeros, branches)):
            body = _Body(block, self.sacred, is_end, self.table, self.consumption)
            made = with_body(block, body.changed())
        last = made.body[-1] if made.body else None
        if is_end and isinstance(last, Branch) and _gives(last, made.results):
            self.ends.update((id(arm), arm) for arm in last.blocks)
        return made


def _gives_zeros(branch: Branch) -> bool:
    """Whether a result is 0 in an arm of a branch: else no statement goes into one."""
    return any(not ZEROS.isdisjoint(arm.results) for arm in branch.blocks)


def _gives(branch: Branch, results: Sequence[Operand]) -> bool:
    """Whether results are numbers that are written out, or those of a branch."""
    return all(r in branch.outs or isinstance(r, Literal) for r in results)


class _Body:
    """A body, and the places of readers of its values; results are read behind it."""

    def __init__(
        self,
        block: Block,
        sacred: Set[Operand],
        is_end: bool,
        table: Mapping[str, Elemental],
        consumption: Consumption,
    ) -> None:
        self.is_end = is_end
        self.is_second = False  # branches may wait from now on
        self.table = table
        self.ordered = Ordered(block.body)
        self.results = block.results
        self.sacred = sacred
        self.consumption = consumption
        self.readers = {value: [*places] for value, places in block.readers.items()}

    def changed(self) -> Sequence[Statement]:
        """The body with statements for one arm alone in that arm. A branch waits for
        its operands only in a second round, as others may take it over where it stands.
        """
        for self.is_second in (False, True):
            for place in range(len(self.ordered.now)):
                if type(self.ordered.now[place]) is Branch:
                    for arm in (0, 1):
                        self._change(place, arm)
        return self.ordered.statements()

    def _change(self, place: int, arm: int) -> None:
        """Let a branch take in the statements on its values that are 0 in an arm."""
        taken = True
        while taken:  # others may go when one has gone
            branch = self.ordered.now[place]
            if not isinstance(branch, Branch):
                return  # it has gone into another one
            taking, beside = branch.blocks[1 - arm].results, branch.blocks[arm].results
            zeros = [
                out
                for out, zero, end in zip(branch.outs, beside, taking, strict=True)
                if zero in ZEROS and end not in ZEROS and out not in self.sacred
            ]
            if not zeros:
                return
            alone = [[zero] for zero in zeros] if len(zeros) > 1 else []
            taken = any(self._take(place, arm, group) for group in (zeros, *alone))

    def _take(self, place: int, arm: int, zeros: Sequence[Var]) -> bool:
        """Whether a branch has taken in the statements on some of its values."""
        branch = self.ordered.now[place]
        assert isinstance(branch, Branch)
        cone = self._cone(zeros)
        if cone is None:
            return False
        ends = self._ends(cone)
        if ends is None or any(v in self.sacred for v in (*cone.linear, *cone.sums)):
            return False
        more_zeros = sum(end in cone.linear for end in ends) > len(zeros)
        if more_zeros and not self._is_all(cone, branch):
            return False  # more names would be 0 there
        if not all(self._is_named(root) for root in cone.sums.values()):
            return False
        taken = branch.blocks[1 - arm].results
        nothing = {o for o, r in zip(branch.outs, taken, strict=True) if r in ZEROS}
        if not nothing.isdisjoint(cone.minuends):
            return False  # less than nothing is another operation
        places = self._with_own(place, arm, cone)
        statements = [cast(Statement, self.ordered.now[k]) for k in places]
        inside = {*branch.outs, *(out for s in statements for out in s.outs)}
        read = dict.fromkeys(a for s in statements for a in s.inputs if a not in inside)
        anchor = place
        moved = self._ahead(read, places, place)
        if moved is None and self.is_second and self._may_wait(branch, cone):
            anchor = self.ordered.sorted(cone.places)[0]
            moved = self._ahead(read, places, anchor)
        if moved is None:
            return False
        more = [a for a in read if isinstance(a, Var) and a not in branch.args]
        ahead = sum(self.ordered.is_behind(place, k) for k in places)
        parts = statements[:ahead], statements[ahead:]
        made = _taking(branch, arm, parts, cone, ends, more, self.table)
        self.ordered.move(moved, anchor)
        gone = {place, *places}
        for k in gone:
            self.ordered.now[k] = None
        self.ordered.now[anchor] = made
        self.ordered.made.update(dict.fromkeys(ends, anchor))
        for operand in dict.fromkeys((*branch.inputs, *read)):
            if isinstance(operand, Var):  # numbers are read everywhere
                _exchange(self.readers[operand], gone, anchor)
        return True

    def _ahead(
        self, read: Iterable[Operand], places: Sequence[int], place: int
    ) -> list[int] | None:
        """The statements that have to go in front of a place: makers of operands there,
        and reads of arrays that statements at `places` change there; None where one
        cannot, or is at one of the `places` itself.
        """
        statements = [cast(Statement, self.ordered.now[k]) for k in places]
        operands = [*read]
        for array in self.consumption.by_all(statements):
            for k in self._others(array, places, place):
                reader = self.ordered.now[k]
                if not isinstance(reader, Apply):
                    return None
                operands.append(reader.out)
        moved = self.ordered.ahead(operands, place)
        return moved if moved is not None and set(places).isdisjoint(moved) else None

    def _others(
        self, array: Operand, places: Sequence[int], place: int
    ) -> Iterator[int]:
        """The places behind a place at which other statements read an array. Results
        are no reads: the block does not give an array that is consumed.
        """
        return (
            k
            for k in self.readers[array]
            if k not in places and k < len(self.ordered.now)
            if self.ordered.is_behind(k, place)
        )

    def _may_wait(self, branch: Branch, cone: Cone) -> bool:
        """Whether a branch may move to the first statement of a cone: it is of numbers
        alone, and nothing outside of the cone but the results reads its values.
        """
        within = {*cone.places, len(self.ordered.now)}
        read = (k for out in branch.outs for k in self.readers.get(out, ()))
        return is_of_numbers(branch) and within.issuperset(read)

    def _cone(self, zeros: Sequence[Var]) -> Cone | None:
        """The cone of values that are 0: it ends in sums, or in results of the block,
        or in both where that saves a loop; None where it ends in anything else, or is
        too small.
        """
        cone = Cone(zeros)
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
                continue
            statement = self.ordered.now[place]
            taken = cone.take(place, statement)
            if taken is None:
                return None
            for out in statement.outs if taken and statement else ():
                for reader in self.readers.get(out, ()) if out in cone.linear else ():
                    heappush(waiting, reader)
        given = not cone.linear.isdisjoint(self.results)
        if cone.sums and given:
            loops = (isinstance(self.ordered.now[k], Scan) for k in cone.places)
            return cone if any(loops) else None
        return cone if cone.sums or (given and cone.places) else None

    def _is_all(self, cone: Cone, branch: Branch) -> bool:
        """Whether nothing is left behind a branch: its arms return their values."""
        made = cone.linear.union(cone.sums)
        results = [result for result in self.results if result not in made]
        return self.is_end and _gives(branch, results)

    def _with_own(self, place: int, arm: int, cone: Cone) -> list[int]:
        """The places of a cone, and of statements that serve it and its arm alone."""
        branch = self.ordered.now[place]
        assert isinstance(branch, Branch)
        beside = branch.blocks[arm]
        read = {branch.test, *beside.results}
        read.update(operand for s in beside.body for operand in s.inputs)
        pairs = zip(beside.params, branch.args, strict=True)
        elsewhere = {a for p, a in pairs if p in read} | {branch.test}
        elsewhere.update(cone.sums.values())  # results of the other arm
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
        return self.ordered.sorted(found - {place})

    def _is_own(self, place: int, found: set[int]) -> bool:
        """Whether a statement serves some others alone, and may wait for them."""
        statement = self.ordered.now[place]
        if not isinstance(statement, Apply) or statement.out in self.sacred:
            return False
        if statement.op.consumes or not found.issuperset(self.readers[statement.out]):
            return False
        arrays = (arg for arg in statement.args if arg.type.dims)
        return all(self._stays(k, a) for a in arrays for k in self.readers[a])

    def _stays(self, place: int, array: Operand) -> bool:
        """Whether the statement at a place certainly leaves an array as it is."""
        if place == len(self.ordered.now):
            return False
        statement = self.ordered.now[place]
        return statement is not None and array not in self.consumption.by(statement)

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

    def _ends(self, cone: Cone) -> list[Var] | None:
        """The results of the block in a cone, and the sums that are read outside of it.

        None where such a sum is an array, and a later one changes it.
        """
        given = dict.fromkeys(r for r in self.results if r in cone.linear)
        found = [cast(Var, value) for value in given]
        places = set(cone.places)
        for total in cone.sums:
            readers = self.readers.get(total, [])
            outside = [k for k in readers if k not in places]
            if outside:
                if total.type.dims and len(outside) < len(readers):
                    return None
                found.append(cast(Var, total))
        return found


def _exchange(readers: list[int], gone: Iterable[int], place: int) -> None:
    """Let one place read a value in place of those that are gone. The places are
    sorted; a value of a whole function may have as many as that has statements.
    """
    for k in gone:
        at = bisect_left(readers, k)
        if at < len(readers) and readers[at] == k:
            del readers[at]
    at = bisect_left(readers, place)
    if at == len(readers) or readers[at] != place:
        readers.insert(at, place)


def _taking(
    branch: Branch,
    arm: int,
    parts: tuple[Sequence[Statement], Sequence[Statement]],
    cone: Cone,
    ends: Sequence[Var],
    more: Sequence[Var],
    table: Mapping[str, Elemental],
) -> Branch:
    """The branch with statements in the other one of its arms, in front of the arm's
    own and behind these: it gives sums in place of the values in them.
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
            inner.update(zip(branch.outs, results, strict=True))
            inner.update((total, inner.get(r, r)) for total, r in cone.sums.items())
            inner.update((end, _ZERO) for end in ends if end not in inner)
        else:
            body = _copied(parts[0], inner, table)
            pairs = zip(block.params, branch.args, strict=True)
            env: dict[Operand, Operand] = {p: inner[a] for p, a in pairs if a in within}
            body += (statement.over(env) for statement in block.body)
            results = tuple(env.get(result, result) for result in results)
            inner.update(zip(branch.outs, results, strict=True))
            body += _copied(parts[1], inner, table)
        given = (*(results[j] for j in kept), *(inner[end] for end in ends))
        blocks.append(Block(params, tuple(body), given))
    outs = (*(branch.outs[j] for j in kept), *ends)
    return Branch(outs, branch.test, args, *blocks)


def _copied(
    statements: Sequence[Statement],
    inner: dict[Operand, Operand],
    table: Mapping[str, Elemental],
) -> list[Statement]:
    """The statements over the names of values in the arm; their results are entered.
    Operations on numbers of the arm are simplified.
    """
    body: list[Statement] = []
    for statement in statements:
        seen = [inner.get(operand, operand) for operand in statement.inputs]
        others = [operand for operand in seen if operand not in ZEROS]
        is_add = isinstance(statement, Apply) and statement.op.name == "add"
        if is_add and len(others) == 1:
            (inner[statement.outs[0]],) = others
            continue
        new = [o for o in statement.inputs if isinstance(inner.get(o), Literal)]
        if new and isinstance(statement, Apply) and not statement.out.type.dims:
            builder, out = Builder(table, LAWS), statement.out
            inner[out] = builder.apply(statement.op.name, *seen, hint=out.hint)
            body += builder.body
            continue
        made = statement.over(inner)
        outs = tuple(another(out, {}) for out in statement.outs)
        if isinstance(statement, Apply) and statement.op.result == "same":
            # the arm may say more of how long its list is
            type_, (out,) = made.inputs[0].type, statement.outs
            outs = (Var(type_, out.hint, out.span, out.named, out.notes),)
        body.append(made.binding(outs))
        inner.update(zip(statement.outs, outs, strict=True))
    return body
