"""Matrices whose elements single loops change are arrays of numpy, not lists of rows.

An element of a list takes a third of the time of one of an array, but all elements of
the matrix are taken from the list, and put into it, where it is read as a whole. These
are many more than those that single loops change. A loop in a loop changes few where
both the row and the column of an element depend on the inner one, as in `A[k, k - n]`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.wholes.returned import is_shared
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.inner import each_block
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Bundle,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.types import Kind, Type

# fmt: off
_ELEMENTS = {
    "get":    "pick_both",
    "set":    "put_pick_both",
    "add_at": "gained_pick_both",
    "sub_at": "lost_pick_both",
}
# fmt: on
_TO_LISTS = ("to_list", "to_rows")


def with_matrices(bundle: Bundle) -> Bundle:
    """The bundle with arrays for lists of rows that are read as a whole. Linear, times
    the number of such lists.
    """
    *before, main = map(_function, bundle.functions)
    if all(a is b for a, b in zip((*before, main), bundle.functions, strict=True)):
        return bundle
    return Bundle(main, tuple(before))


def _function(function: Function) -> Function:
    if function.outside is not None:
        return function
    return each_block(function, _block)


def _block(block: Block) -> Block:
    tried: set[Statement] = set()
    while True:
        left = (s for s in block.body if isinstance(s, Apply) and s not in tried)
        start = next((s for s in left if _begins(s)), None)
        if start is None:
            return block
        tried.add(start)
        block = _Matrix(start, block).block() or block


def _begins(statement: Apply) -> bool:
    """Whether a statement makes a list of rows of floats."""
    out, name = statement.out.type, statement.op.name
    if len(out.dims) != 2 or out.shape or out.kind is not Kind.FLOAT:
        return False
    return name in _TO_LISTS or (name == "grid" and statement.args[0] == Literal(0.0))


@dataclass(slots=True)
class _Matrix:
    """One list of rows in a block; `is_read` says whether it has been read as a whole,
    `depth` how many loops stand around the statements that are looked at.

    Raises _Kept where it has to stay a list.
    """

    start: Apply
    around: Block
    is_read: bool = False
    depth: int = 0

    def block(self) -> Block | None:
        """The block with an array for the list; None if that has to stay."""
        body = self.around.body
        place = body.index(self.start)
        now: dict[Operand, Var] = {self.start.out: _object(self.start.out)}
        first = self._first(now[self.start.out])
        try:
            rest = self._statements(body[place + 1 :], now, None)
        except _Kept:
            return None
        is_whole = self.is_read or self.start.op.name in _TO_LISTS
        if not is_whole or not now.keys().isdisjoint(self.around.results):
            return None
        whole = (*body[:place], first, *rest)
        return Block(self.around.params, whole, self.around.results)

    def _first(self, array: Var) -> Apply:
        """The statement that makes the array."""
        if self.start.op.name == "grid":
            return Apply(array, TABLE["matrix"], self.start.args[1:])
        (whole,) = self.start.args
        makers = (s for s in self.around.body if whole in s.outs)
        maker = next(makers, None)
        readers = sum(s.inputs.count(whole) for s in self.around.body)
        is_new = isinstance(maker, Apply) and not is_shared(maker)
        is_own = is_new and readers == 1 and whole not in self.around.results
        named = isinstance(whole, Var) and whole.named
        op = "adopted" if is_own and not named else "own"
        return Apply(array, TABLE[op], (whole,))

    def _statements(
        self,
        body: Sequence[Statement],
        now: dict[Operand, Var],
        inner: set[Operand] | None,
    ) -> list[Statement]:
        """Statements on the array; `now` has it for each value of the list, and `inner`
        the values that depend on the trip of the loop around; None outside of loops.
        """
        made: list[Statement] = []
        for statement in body:
            if inner is not None and not inner.isdisjoint(statement.inputs):
                inner.update(statement.outs)
            lists = [o for o in statement.inputs if o in now]
            if not lists:
                made.append(statement)
            elif len(lists) > 1:
                raise _Kept
            elif isinstance(statement, Apply):
                made.append(self._apply(statement, now))
                self._require_few(statement, inner)
            elif isinstance(statement, Scan):
                made.append(self._scan(statement, lists[0], now))
            elif isinstance(statement, Branch):
                made.append(self._branch(statement, lists[0], now, inner))
            else:
                raise _Kept
        return made

    def _apply(self, statement: Apply, now: dict[Operand, Var]) -> Apply:
        name, out, args = statement.op.name, statement.out, statement.args
        if args[0] not in now:
            raise _Kept
        array = now[args[0]]
        if name == "of_rows":
            self.is_read = True
            return Apply(out, TABLE["done"], (array,))
        if name == "size":
            op = "length" if len(args) == 1 else "width"
            return Apply(out, TABLE[op], (array,))
        if name == "rows_like" and self.start.op.name == "grid":
            like = (args[1], *self.start.args[1:])
            return Apply(out, TABLE["grid"], like)
        count = 4 if statement.op.consumes else 3
        if name not in _ELEMENTS or len(args) != count:
            raise _Kept
        if statement.op.consumes:
            if self.is_read:  # it was read as it is by then
                raise _Kept
            new = now[out] = _object(out)
            out = new
        return Apply(out, TABLE[_ELEMENTS[name]], (array, *args[1:]))

    def _require_few(self, statement: Apply, inner: set[Operand] | None) -> None:
        """Require that the inner one of several loops moves along both axes."""
        if self.depth < 2 or inner is None or statement.op.name not in _ELEMENTS:
            return
        if not inner.issuperset(statement.args[-2:]):
            raise _Kept

    def _scan(self, loop: Scan, value: Operand, now: dict[Operand, Var]) -> Scan:
        place = loop.inputs.index(value) - 2  # behind the index among the parameters
        if place < 1 or value in loop.entries or self.is_read:
            raise _Kept
        param = loop.body.params[place]
        own: dict[Operand, Var] = {param: _object(param)}
        self.depth += 1
        inner: set[Operand] = {loop.body.params[0]}
        inner.update(loop.body.params[1 + len(loop.carries) + len(loop.reads) :])
        body = self._statements(loop.body.body, own, inner)
        self.depth -= 1
        results, outs = list(loop.body.results), list(loop.outs)
        for k, result in enumerate(results):
            if result in own:
                if k != place - 1 or value not in loop.carries:
                    raise _Kept
                results[k] = own[result]
                now[outs[k]] = new = _object(outs[k])
                outs[k] = new
        if value in loop.carries and loop.body.results[place - 1] not in own:
            raise _Kept
        params = tuple(own.get(p, p) for p in loop.body.params)
        block = Block(params, tuple(body), tuple(results))
        inputs = tuple(now.get(o, o) if o is value else o for o in loop.inputs)
        return loop.rebuilt(tuple(outs), inputs, (block,))

    def _branch(
        self,
        branch: Branch,
        value: Operand,
        now: dict[Operand, Var],
        inner: set[Operand] | None,
    ) -> Branch:
        if branch.test is value:
            raise _Kept
        place = branch.args.index(value)
        arms: list[Block] = []
        places: set[tuple[int, ...]] = set()
        for arm in branch.blocks:
            param = arm.params[place]
            own: dict[Operand, Var] = {param: _object(param)}
            held: set[Operand] | None = None
            if inner is not None:
                pairs = zip(arm.params, branch.args, strict=True)
                held = {p for p, a in pairs if a in inner}
            body = self._statements(arm.body, own, held)
            places.add(tuple(k for k, r in enumerate(arm.results) if r in own))
            params = tuple(own.get(p, p) for p in arm.params)
            results = tuple(own.get(r, r) for r in arm.results)
            arms.append(Block(params, tuple(body), results))
        if len(places) > 1 or len(next(iter(places))) > 1 or self.is_read:
            raise _Kept
        outs = list(branch.outs)
        for k in next(iter(places)):
            now[outs[k]] = new = _object(outs[k])
            outs[k] = new
        args = tuple(now[a] if a is value else a for a in branch.args)
        return Branch(tuple(outs), branch.test, args, *arms)


class _Kept(Exception):
    """The list stays a list."""


def _object(array: Operand) -> Var:
    """An array that is changed in place, under the name of a list."""
    assert isinstance(array, Var)
    return replace(array, type=Type(Kind.FLOAT, array.type.dims, array.type.dims))
