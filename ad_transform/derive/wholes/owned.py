"""Whole arrays that a loop only changes in places: changed in place, trip after trip.

An array is a value, and a store into it makes a copy: each trip hands a changed copy to
the next. Where nothing else sees the array, no trip needs a copy. The loop carries the
array as an object, which is copied once, in front of the loop. So a trip costs as much
as the places, and not as much as the array.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.wholes.late_changes import late
from ad_transform.derive.wholes.returned import is_shared
from ad_transform.derive.wholes.taken_over import (
    copy_of,
    first,
    looking,
    makes_own,
    without_copies,
)
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.types import Kind, Type


def in_place(block: Block) -> Block:
    """The block with as few copies of whole arrays as it needs. Linear."""
    if not any(s.blocks or makes_own(s) for s in block.body):
        return block
    made: list[Statement] = []
    makers: dict[Operand, Apply] = {}
    for statement in _of_values(block):
        if isinstance(statement, Apply):
            makers[statement.out] = statement
        own = statement
        if statement.blocks:
            blocks = tuple(map(in_place, statement.blocks))
            own = statement.rebuilt(statement.outs, statement.inputs, blocks)
        made += _carried(own, makers) if isinstance(own, Scan) else [own]
    return Block(
        block.params, tuple(without_copies(made, block.results)), block.results
    )


def _of_values(block: Block) -> list[Statement]:
    """The statements of a block without copies of values, which nothing changes. A
    value that is handed out is copied elsewhere.
    """
    same: dict[Operand, Operand] = {
        s.out: s.args[0]
        for s in block.body
        if isinstance(s, Apply) and s.op.name == "copied" and s.out not in block.results
    }
    seen = {out: first(same, out) for out in same}
    return [s.over(seen) for s in block.body if same.keys().isdisjoint(s.outs)]


def _carried(loop: Scan, makers: Mapping[Operand, Apply]) -> list[Statement]:
    """A loop, and the statements around it for the arrays that it changes in place."""
    before: list[Statement] = []
    after: list[Statement] = []
    for k, out in enumerate(loop.finals):
        body = _owning(loop.body, 1 + k, k) if _is_whole(out) else None
        if body is None:
            continue
        start = Var(_object(loop.carries[k]), out.hint)  # its length may be unknown
        end = Var(_object(out), out.hint)
        before.append(copy_of(start, loop.carries[k], makers))
        after.append(Apply(out, TABLE["done"], (end,)))
        outs = (*loop.outs[:k], end, *loop.outs[k + 1 :])
        inputs = list(loop.inputs)
        inputs[3 + k] = start
        loop = loop.rebuilt(outs, tuple(inputs), (body,))
    return [*before, loop, *after]


def _is_whole(value: Operand) -> bool:
    return bool(value.type.shape) and not value.type.dims


def _object(value: Operand) -> Type:
    return Type(Kind.FLOAT, value.type.shape, value.type.shape)


def _owning(block: Block, k: int, j: int) -> Block | None:
    """The block with an object for parameter k, which it gives back as result j.

    None where the result is anything else than the parameter, changed in places. What
    reads the parameter may have to stand in front of its changes.
    """
    param = block.params[k]
    if block.results.count(block.results[j]) > 1 or not _is_whole(param):
        return None
    return _followed(block, k, j) or _followed(late(block), k, j)


def _followed(block: Block, k: int, j: int) -> Block | None:
    chain = _Chain(block, block.results[j])
    for place, statement in enumerate(block.body):
        chain.place[statement] = place
        for value in dict.fromkeys(statement.inputs):
            chain.readers[value].append(statement)
    param = block.params[k]
    first = Var(_object(param), param.hint)
    last = chain.followed(param, first)
    if last is None:
        return None
    params = (*block.params[:k], first, *block.params[k + 1 :])
    results = [chain.copies.get(r, r) for r in block.results]
    results[j] = last
    return Block(params, tuple(chain.body()), tuple(results))


@dataclass(slots=True)
class _Chain:
    """A block and new statements in the places of its own.

    `copies` are those of results that are views of the array: it changes later.
    """

    block: Block
    result: Operand
    made: dict[Statement, tuple[Statement, ...]] = field(default_factory=dict)
    place: dict[Statement, int] = field(default_factory=dict)
    readers: defaultdict[Operand, list[Statement]] = field(
        default_factory=lambda: defaultdict(list)
    )
    copies: dict[Operand, Var] = field(default_factory=dict)

    def body(self) -> Iterator[Statement]:
        """The new statements."""
        for statement in self.block.body:
            yield from self.made.get(statement, (statement,))
            for out in statement.outs:
                if out in self.copies:
                    yield Apply(self.copies[out], TABLE["copied"], (out,))

    def followed(self, value: Operand, own: Var) -> Var | None:
        """The object that is the result, if `value` is the object `own`."""
        changed = False
        while True:
            readers = self.readers[value]
            if value is self.result:
                is_read = self._read(readers, None, value, own)
                return own if is_read and changed else None
            if value in self.block.results:
                return None
            copies = [s for s in readers if not self._only_reads(s)]
            if len(copies) != 1:
                return None
            (copy,) = copies
            if not self._read(readers, copy, value, own):
                return None
            if isinstance(copy, Apply):
                step = self._changed(copy, own)
            elif isinstance(copy, Branch):
                step = self._chosen(copy, value, own)
            else:
                step = None
            if step is None:
                return None
            value, own = step
            changed = True

    @staticmethod
    def _only_reads(statement: Statement) -> bool:
        """Whether a statement is an operation that changes no array."""
        return isinstance(statement, Apply) and not (
            statement.op.consumes or statement.op.name == "own"
        )

    def _read(
        self,
        readers: Sequence[Statement],
        copy: Statement | None,
        value: Operand,
        own: Var,
    ) -> bool:
        """Enter the reads; all have to stand before the array changes."""
        last = len(self.block.body)
        if copy is not None:
            first = self.readers[copy.outs[0]] if isinstance(copy, Apply) else [copy]
            last = min((self.place[s] for s in first), default=last)
        for reader in readers:
            if reader is copy:
                continue
            if not isinstance(reader, Apply) or not self._is_over(reader, last):
                return False
            self.made[reader] = looking(reader, value, own)
        return True

    def _is_over(self, reader: Apply, last: int) -> bool:
        """Whether nothing looks at the array through a reader behind a place: a part is
        a view. Values that were made of it do not go into an arm behind that place.
        """
        waiting: list[tuple[Statement, bool]] = [(reader, True)]
        seen: set[tuple[Statement, bool]] = set()
        while waiting:
            statement, is_seen = waiting.pop()
            if (statement, is_seen) in seen:
                continue
            seen.add((statement, is_seen))
            is_late = self.place[statement] > last
            is_plain = isinstance(statement, Apply | Check)
            if is_seen and (is_late or not is_plain):
                return False
            if is_late and isinstance(statement, Branch):
                return False
            if isinstance(statement, Apply) and statement.op.consumes:
                continue
            is_view = is_seen and isinstance(statement, Apply) and is_shared(statement)
            for out in statement.outs:
                waiting += ((s, is_view) for s in self.readers[out])
                if is_view and out in self.block.results:
                    self.copies[out] = Var(out.type, out.hint)
        return True

    def _changed(self, copy: Apply, own: Var) -> tuple[Operand, Var] | None:
        """The array that a copy has become after its changes, and the object for it."""
        self.made[copy] = ()
        held: Operand = copy.out
        while True:
            readers = self.readers[held]
            reader = readers[0] if len(readers) == 1 else None
            out = Var(own.type, own.hint)
            if isinstance(reader, Scan):
                found = _inside(reader, held, own, out)
                if found is None:
                    return None
                held, made = found
                self.made[reader] = (made,)
            elif not isinstance(reader, Apply):
                return None
            elif reader.op.name == "done":
                self.made[reader] = ()
                return reader.out, own
            elif not reader.op.consumes or reader.args[0] is not held:
                return None
            else:
                args = (own, *reader.args[1:])
                self.made[reader] = (Apply(out, reader.op, args),)
                held = reader.out
            own = out

    def _chosen(
        self, branch: Branch, value: Operand, own: Var
    ) -> tuple[Operand, Var] | None:
        """The same for a branch whose arms change the array or leave it."""
        if branch.args.count(value) != 1 or branch.test is value:
            return None
        k = branch.args.index(value)
        for j, out in enumerate(branch.outs):
            arms = [_arm(block, k, j) for block in branch.blocks]
            whole = [arm for arm in arms if arm is not None]
            if not _is_whole(out) or len(whole) < len(arms):
                continue
            end = Var(own.type, out.hint)
            outs = (*branch.outs[:j], end, *branch.outs[j + 1 :])
            args = (*branch.args[:k], own, *branch.args[k + 1 :])
            self.made[branch] = (Branch(outs, branch.test, args, *whole),)
            return out, end
        return None


def _inside(
    loop: Scan, held: Operand, own: Var, out: Var
) -> tuple[Operand, Statement] | None:
    """The array that a loop gives back, and the loop with the object in its place; None
    where the loop does anything else with it.
    """
    if loop.inputs.count(held) != 1 or held not in loop.carries:
        return None
    k = loop.carries.index(held)
    outs = (*loop.outs[:k], out, *loop.outs[k + 1 :])
    return loop.outs[k], loop.over({held: own}).binding(outs)


def _arm(block: Block, k: int, j: int) -> Block | None:
    """An arm that changes parameter k in place, or gives it unchanged, as result j."""
    param = block.params[k]
    if block.results[j] is not param:
        return _owning(block, k, j)
    is_read = any(param in s.inputs for s in block.body)
    if is_read or block.results.count(param) > 1:
        return None
    own = Var(_object(param), param.hint)
    params = (*block.params[:k], own, *block.params[k + 1 :])
    return Block(params, block.body, (*block.results[:j], own, *block.results[j + 1 :]))
