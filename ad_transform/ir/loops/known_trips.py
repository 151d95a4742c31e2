"""Facts that a loop back knows of the trips that it goes back over.

for x in data:                       for x in data:
    p = w * x                            p = w * x
    if p <= 0.0:                         if p <= 0.0:
        left = True                          left = True
        break                                break
    p_list.append(p)                     p_list.append(p)
if left:                             if left:
    return 0.0                           return 0.0
for p in reversed(p_list):           for p in reversed(p_list):
    if p > 0.0:                          w_bar = w_bar + ...
        w_bar = w_bar + ...

Where no trip has left the loop, each of them has gone on; and the number of a trip need
not be recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.blocks.decided import taken, tests_where
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.loops.exits import counter_of, exit_of, read_in
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
    While,
    hint_of,
)
from ad_transform.ir.trampoline import Task, bounce

_FALSE = Literal(False)
_PLACES = frozenset({"add", "sub"})
"""Operations on indices that are done again for the range of a loop."""
Names = Mapping[Operand, Operand]
"""The values, in the block of the loops, of parameters of an inner block."""


def known_trips(function: Function) -> Function:
    """The function with loops back that use the facts that they know. Linear, times the
    loops one inside the other.
    """
    if not any(isinstance(s, While) and s.stacks for s in function.nested):
        return function
    return each_block(function, _changed)


def _changed(block: Block) -> Block:
    loops = [s for s in block.body if isinstance(s, While) and s.snapshots is None]
    records = {stack for loop in loops for stack in loop.stacks}
    if not records:
        return block
    readers: dict[Var, list[int]] = {}
    for place, statement in enumerate(block.body):
        for value in records.intersection(statement.inputs):
            readers.setdefault(value, []).append(place)
    rows: list[Sequence[Statement]] = [(s,) for s in block.body]
    for loop in loops:
        places = {k for stack in loop.stacks for k in readers.get(stack, ())}
        if places:
            trips = _Trips(loop)
            for place in places:
                rows[place] = bounce(trips.all_over(rows[place], {}, stayed=False))
    return with_body(block, [statement for row in rows for statement in row])


class _Trips:
    """The trips of a loop forth, and the facts known of them. It may stand in the trips
    of another one; `around` are the operations beside it.
    """

    def __init__(self, loop: While, around: Sequence[Statement] = ()) -> None:
        self.loop = loop
        self.around: dict[Operand, Apply] = {
            s.out: s for s in around if isinstance(s, Apply)
        }
        left = exit_of(loop)
        self.flag = None if left is None else loop.outs[left.flag]
        self.tests: Mapping[Operand, Literal] = {}
        if left is not None:
            end = loop.body.results[left.flag]
            self.tests = tests_where(loop.body, end, False)
        self.records: dict[Operand, Operand] = dict(
            zip(loop.stacks, loop.records, strict=True)
        )
        self.count: Var | None = None
        self.range: tuple[Operand, ...] = ()
        counter = None if left is None else counter_of(loop, left, frozenset())
        if counter is not None:
            stop, inputs = counter.stop, loop.inputs
            end = stop if isinstance(stop, Literal) else inputs[stop]
            self.count = loop.body.params[counter.carry]
            self.range = loop.carries[counter.carry], end, counter.step
        reads = zip(loop.reads, loop.read_params, strict=True)
        self.forth = {**self.records, **dict(reads)}
        self.made: dict[tuple[object, ...], Operand] = {
            (s.op.name, *s.args): s.out
            for s in loop.body.body
            if isinstance(s, Apply) and _is_of_numbers(s)
        }
        self.counters = {
            p
            for k, p in enumerate(loop.carry_params)
            if loop.carries[k] == Literal(0) and self._counts(k)
        }

    def _counts(self, carry: int) -> bool:
        """Whether a carry that begins with 0 is one more in each trip."""
        param, end = self.loop.body.params[carry], self.loop.body.results[carry]
        return self.made.get(("add", param, Literal(1))) is end

    def over(self, block: Block, names: Names, stayed: bool) -> Task[Block]:
        """A block with loops back that use the facts; `stayed` if no trip has left."""
        return with_body(block, (yield self.all_over(block.body, names, stayed)))

    def all_over(
        self, statements: Sequence[Statement], names: Names, stayed: bool
    ) -> Task[list[Statement]]:
        """As `over`, for statements of a block."""
        body: list[Statement] = []
        for statement in statements:
            if isinstance(statement, Branch):
                body.append((yield self._branch(statement, names, stayed)))
            elif isinstance(statement, Scan):
                body += yield self._back(statement, names, stayed)
            else:
                body.append(statement)
        return body

    def _branch(self, branch: Branch, names: Names, stayed: bool) -> Task[Branch]:
        if not any(names.get(a, a) in self.records for a in branch.args):
            return branch
        arms: list[Block] = []
        test = names.get(branch.test, branch.test)
        if test is self.flag:
            branch = self._with_range(branch, names)
        for holds, arm in zip((True, False), branch.blocks, strict=True):
            pairs = zip(arm.params, branch.args, strict=True)
            inner: dict[Operand, Operand] = {p: names.get(a, a) for p, a in pairs}
            has_stayed = stayed or (test is self.flag and not holds)
            arms.append((yield self.over(arm, inner, has_stayed)))
        return branch.rebuilt(branch.outs, branch.inputs, tuple(arms))

    def _with_range(self, branch: Branch, names: Names) -> Branch:
        """A branch on the flag that is also given the range of the loop."""
        given = {names.get(arg, arg) for arg in branch.args}
        new = [v for v in self.range if isinstance(v, Var) and v not in given]
        if not new or names:
            return branch
        arms = (
            replace(arm, params=(*arm.params, *(another(v, {}) for v in new)))
            for arm in branch.blocks
        )
        return Branch(branch.outs, branch.test, (*branch.args, *new), *arms)

    def _back(self, loop: Scan, names: Names, stayed: bool) -> Task[list[Statement]]:
        """A loop back over the records of this one, and statements in front of it."""
        bounds = loop.start, names.get(loop.stop, loop.stop), loop.step
        if not stayed or bounds != (Literal(0), self.loop.trips, Literal(1)):
            return [loop]
        params = loop.body.params[loop.first_read :]
        inputs = (*loop.reads, *loop.entries)
        forth: dict[Operand, Operand] = {}
        for param, arg in zip(params, inputs, strict=True):
            outer = names.get(arg, arg)
            found = self.forth.get(outer)
            if found is not None:
                forth[param] = found
        counted = [p for p, one in forth.items() if one in self.counters]
        loop = self._measuring(loop, forth)
        index, *others = loop.body.params
        own, known = index, dict[Operand, Operand]()
        made, ends = self._ends(loop, names)
        if ends and ends != bounds:
            loop = replace(loop, start=ends[0], stop=ends[1], step=ends[2])
            is_first = ends[0] == bounds[0] and ends[2] == bounds[2]
            counted = [*(counted if is_first else ()), *self._counting(forth)]
        if counted:
            own = replace(index, hint=hint_of(counted[0]) or index.hint)
            known.update(dict.fromkeys((index, *counted), own))
        known.update(self._told(loop.body, forth))
        body = taken(loop.body, known) if known else loop.body
        body = replace(body, params=(own, *others)) if counted else body
        inside = {known.get(value, value): one for value, one in forth.items()}
        if ends and self.count is not None:
            inside[own] = self.count
        body = yield self._inside(body, inside)
        return [*made, loop if body is loop.body else replace(loop, body=body)]

    def _inside(self, block: Block, names: Names) -> Task[Block]:
        """A trip back that knows the loops in the trip forth: none has been left whose
        exit would have left this loop, too.
        """
        around = self.loop.body.body
        for loop in around:
            if isinstance(loop, While) and loop.stacks and loop.snapshots is None:
                trips = _Trips(loop, around)
                if self.tests.get(trips.flag or _FALSE) == _FALSE:
                    block = yield trips.over(block, names, stayed=True)
        return block

    def _measuring(self, loop: Scan, forth: Names) -> Scan:
        """The loop that takes lengths of recorded lists, in place of lengths that arms
        forth took of them and recorded, too.
        """
        here = {one: param for param, one in forth.items()}
        sizes: dict[Var, Apply] = {}
        for param, one in forth.items():
            length = self._length(one)
            lists = here.get(length.args[0]) if length is not None else None
            if isinstance(param, Var) and length is not None and lists is not None:
                sizes[param] = replace(length, out=param, args=(lists,))
        return loop if not sizes else _with(loop, sizes)

    def _length(self, value: Operand) -> Apply | None:
        """A length that the arm of a trip that stays takes, over values outside."""
        for branch in self.loop.body.body:
            if not isinstance(branch, Branch) or value not in branch.outs:
                continue
            if branch.test not in self.tests:
                return None
            arm = branch.blocks[not self.tests[branch.test].value]
            end = arm.results[branch.outs.index(value)]
            outer = dict(zip(arm.params, branch.args, strict=True))
            for statement in arm.body:
                match statement:
                    case Apply(op=op, args=(Var() as array,)) if statement.out is end:
                        is_size = op.name == "size" and array in outer
                        args = (outer[array],) if is_size else ()
                        return replace(statement, args=args) if is_size else None
        return None

    def _counting(self, forth: Names) -> list[Operand]:
        """The values of a trip back that are the counter of the loop forth."""
        return [param for param, one in forth.items() if one is self.count]

    def _ends(
        self, loop: Scan, names: Names
    ) -> tuple[list[Statement], tuple[Operand, ...]]:
        """The statements that make the range of the loop forth here, and this range;
        none if it has none, or if a trip back needs its own number.
        """
        if not self.range or self.count is None:
            return [], ()
        start, _, step = self.range
        is_number = (start, step) == (Literal(0), Literal(1))
        if not is_number and loop.body.params[0] in read_in(loop.body):
            return [], ()
        here = {outer: inner for inner, outer in names.items()}
        made: list[Statement] = []
        ends: list[Operand] = []
        for end in self.range:
            found = end if isinstance(end, Literal) else here.get(end)
            maker = self.around.get(end) if found is None else None
            if maker is not None and maker.op.name in _PLACES:
                args = [
                    a if isinstance(a, Literal) else here.get(a) for a in maker.args
                ]
                known = tuple(arg for arg in args if arg is not None)
                if len(known) == len(args):
                    found = Var(maker.out.type, maker.out.hint)
                    made.append(Apply(found, maker.op, known))
            if found is None:
                return [], ()
            ends.append(found)
        return made, tuple(ends)

    def _told(self, block: Block, forth: dict[Operand, Operand]) -> Names:
        """The known tests of a trip back; `forth` has the values of the trip forth for
        values of this one, and gets those for values that are computed again.
        """
        known = {p: self.tests[one] for p, one in forth.items() if one in self.tests}
        for statement in block.body:
            if not isinstance(statement, Apply) or not _is_of_numbers(statement):
                continue
            made = (statement.op.name, *(forth.get(a, a) for a in statement.args))
            if made in self.made:
                out = forth[statement.out] = self.made[made]
                if out in self.tests:
                    known[statement.out] = self.tests[out]
            elif statement.op.name == "not" and statement.args[0] in known:
                holds = known[statement.args[0]].value
                known[statement.out] = Literal(not holds)
        return dict[Operand, Operand](known)


def _with(loop: Scan, made: Mapping[Var, Apply]) -> Scan:
    """The loop with operations in place of entries that it goes over."""
    first = loop.first_entry
    params, entries = loop.body.params, loop.entries
    kept = [k for k, param in enumerate(params[first:]) if param not in made]
    block = replace(
        loop.body,
        params=(*params[:first], *(params[first + k] for k in kept)),
        body=(*made.values(), *loop.body.body),
    )
    return replace(loop, entries=tuple(entries[k] for k in kept), body=block)


def _is_of_numbers(statement: Apply) -> bool:
    return not any(value.type.dims for value in (statement.out, *statement.args))
