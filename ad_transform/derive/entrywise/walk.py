"""The entries of a Jacobian, appended to lists where the rows come about.

A block is gone through once. Elements of independents have columns of their own.
Numbers computed from them have partials by these columns, from one elimination for each
straight run. Where such a number is stored as an element of a result, or added to it,
as many entries are appended as it has columns. A store over entries ends them: `since`
has the number of entries at that time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.entrywise.appending import Same
from ad_transform.derive.entrywise.elements import Elements, growing
from ad_transform.derive.entrywise.places import ONE, ZERO, Operands
from ad_transform.derive.entrywise.unknown import Unknown, handed_on
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.blocks.free import free
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.types import FLOAT, INT


@dataclass(slots=True, eq=False)
class Walk(Elements):
    """A walk through a block."""

    def inside(self) -> Self:
        """The walk for an inner block."""
        return replace(
            self,
            growing=self.growing.copy(),
            bounds=self.bounds.inside(),
            env=self.env.copy(),
            slopes=self.slopes.copy(),
            text=self.text.inner(),
            waiting=[],
            stores=[],
        )

    def block(self, block: Block) -> Operands:
        """Go through a block. Returns its results in the new one; raises Unknown."""
        body = block.body
        terms = self.claims.terms.get(id(body), ())
        ends = (*block.results, *(term.value for term in terms))
        needed = _needed_after(body, ends)
        for place, statement in enumerate(body):
            self._statement(statement, needed[place])
        values = [self.of(term.value) for term in terms]
        self.flush([v for v in map(self.of, ends) if self.is_active(v)])
        for term, value in zip(terms, values, strict=True):
            if self.is_active(value):
                self.append(term.key, ZERO, value, term.sign)
        return tuple(self.of(result) for result in block.results)

    def _statement(self, statement: Statement, needed: frozenset[Operand]) -> None:
        if isinstance(statement, Apply):
            self.operation(statement)
            return
        is_special = any(self.of(x) in self.sources for x in statement.inputs)
        if isinstance(statement, Scan | While | Branch) and (
            is_special or self.claims.touched(statement)
        ):
            wanted = {self.of(x) for x in (*needed, *statement.inputs)}
            self.flush([v for v in self.pending() if v in wanted])
            if isinstance(statement, Branch):
                self._branch(statement)
            else:
                self._loop(statement)
            return
        if is_special or any(self.of(x) in self.lists for x in statement.inputs):
            spans = (out.span for out in statement.outs)
            raise Unknown("a function is given an array as a whole", next(spans, None))
        outs = tuple(replace(out) for out in statement.outs)
        made = statement.over(self.env).binding(outs).map_blocks(renewed)
        self.env.update(zip(statement.outs, outs, strict=True))
        self.text.body.append(made)
        self.note(made)

    # --- loops and arms ---------------------------------------------------------------

    def _loop(self, loop: Scan | While) -> None:
        """Go through a loop that reads elements or stores some."""
        keys, inner, n = self.claims.touched(loop), self.inside(), len(loop.carries)
        indices = self._indices(loop, inner)
        params = loop.body.params[len(indices) :]
        inside = tuple(Var(p.type, p.hint) for p in params[:n])
        carried = tuple(map(self.of, loop.carries))
        given = (*inside, *map(self.of, loop.reads))
        inner.env.update(zip(params, given, strict=False))
        entries, views = self._entries(loop, params[len(given) :], inner)
        for param, carry, var in zip(params[:n], carried, inside, strict=True):
            if param in self.claims.keys:
                inner.claim(var)
            elif self.is_active(carry) or carry in self.sources:
                raise handed_on(param.span)
        if isinstance(loop, While):
            inner.bounds.count_up(inside, carried, loop.body)
        inner.hold(keys, tuple(map(growing, self.grown(keys))))
        first = inner.growing.copy()
        results = inner.block(loop.body)
        for result, out in zip(results, loop.outs, strict=False):
            if out not in self.claims.keys and inner.is_active(result):
                raise handed_on(out.span)
        keys = tuple(key for key in keys if inner.growing[key] != first[key])
        lists = tuple(part for key in keys for part in first[key].parts)
        ends = (*results[:n], *inner.grown(keys), *results[n:])
        body = Block((*indices, *inside, *lists), tuple(inner.text.body), ends)
        before, after = self.grown(keys), tuple(map(growing, self.grown(keys)))
        outs = tuple(Var(o.type, o.hint, o.span, o.named) for o in loop.outs)
        carries, made = (*carried, *before), (*outs[:n], *after, *outs[n:])
        if isinstance(loop, Scan):
            start, stop, step = map(self.of, (loop.start, loop.stop, loop.step))
            reads, (block,) = closed((body,), views)
            way = loop.backwards, None, loop.notes
            self.text.body.append(
                Scan(made, start, stop, step, carries, reads, entries, block, *way)
            )
        else:
            reads, (test, block) = closed((self._test(loop, lists), body))
            how = (None, loop.notes)
            self.text.body.append(While(made, carries, reads, test, block, *how))
        self.env.update(zip(loop.outs, outs, strict=True))
        self.hold(keys, after)
        self._claim_all(loop.outs, outs)

    def _indices(self, loop: Scan | While, inner: Self) -> tuple[Var, ...]:
        """The index of a loop that has one."""
        if isinstance(loop, While):
            return ()
        own = loop.body.params[0]
        index = inner.env[own] = Var(own.type, own.hint)
        start, stop, step = map(self.of, (loop.start, loop.stop, loop.step))
        inner.bounds.loop(index, start, stop, step)
        return (index,)

    def _entries(
        self, loop: Scan | While, params: Sequence[Var], inner: Self
    ) -> tuple[Operands, tuple[Var, ...]]:
        """The lists that a loop goes over, and their items in a trip."""
        entries = tuple(map(self.of, loop.entries)) if isinstance(loop, Scan) else ()
        hidden = any(
            x in self.sources or x in self.lists or self.is_active(x) for x in entries
        )
        if hidden or loop.snapshots is not None:
            raise Unknown("a loop goes over what another recorded", loop.outs[0].span)
        views = tuple(Var(p.type, p.hint) for p in params)
        inner.env.update(zip(params, views, strict=True))
        return entries, views

    def _test(self, loop: While, lists: Sequence[Var]) -> Block:
        """The test of a loop, with parameters for the lists of entries."""
        params, n = loop.test.params, len(loop.carries)
        own = tuple(Var(p.type, p.hint) for p in params[:n])
        env: dict[Operand, Operand] = dict(zip(params[:n], own, strict=True))
        env.update(zip(params[n:], map(self.of, loop.reads), strict=True))
        body: list[Statement] = []
        for statement in loop.test.body:
            outs = tuple(replace(out) for out in statement.outs)
            body.append(statement.over(env).binding(outs).map_blocks(renewed))
            env.update(zip(statement.outs, outs, strict=True))
        results = tuple(env.get(r, r) for r in loop.test.results)
        return Block((*own, *map(growing, lists)), tuple(body), results)

    def claim(self, value: Var) -> None:
        """Note that a result claims a value: the entries of it are known."""
        if value.type.dims:
            self.lists.add(value)
        else:
            self.slopes[value] = {Same(value, (), value.span): ONE}

    def _claim_all(self, old: Sequence[Var], new: Sequence[Var]) -> None:
        for out, made in zip(old, new, strict=True):
            if out in self.claims.keys:
                self.claim(made)

    def _branch(self, branch: Branch) -> None:
        keys = self.claims.touched(branch)
        test = self.of(branch.test)
        outs = tuple(Var(o.type, o.hint, o.span, o.named) for o in branch.outs)
        walks, found = [], []
        for block in (branch.then, branch.orelse):
            inner = self.inside()
            over = (self.of(x) for x in branch.args)
            inner.env.update(zip(block.params, over, strict=True))
            found.append(inner.block(block))
            walks.append(inner)
        keys = tuple(
            key
            for key in keys
            if any(inner.growing[key] != self.growing[key] for inner in walks)
        )
        after = tuple(map(growing, self.grown(keys)))
        more: list[Var] = []
        ends = [
            [*results, *inner.grown(keys)]
            for results, inner in zip(found, walks, strict=True)
        ]
        for k, out in enumerate(branch.outs):
            if out not in self.claims.keys:
                sides = [
                    _columns(walk, results[k])
                    for walk, results in zip(walks, found, strict=True)
                ]
                more += self._either(outs[k], sides, ends)
        bodies = [tuple(walk.text.body) for walk in walks]
        arms = [Block((), b, tuple(e)) for b, e in zip(bodies, ends, strict=True)]
        args, (then, orelse) = closed(arms)
        self.text.body.append(Branch((*outs, *after, *more), test, args, then, orelse))
        self.env.update(zip(branch.outs, outs, strict=True))
        self.hold(keys, after)
        self._claim_all(branch.outs, outs)

    def _either(
        self,
        out: Var,
        sides: Sequence[Sequence[tuple[Operand, Operand]]],
        ends: Sequence[list[Operand]],
    ) -> list[Var]:
        """The columns and partials of a number that a branch chooses, as results of
        both arms; the arm with fewer is filled up with partials 0.
        """
        most = max(map(len, sides))
        if not most:
            return []
        for side, end in zip(sides, ends, strict=True):
            last = side[0][0] if side else ZERO
            rest = [(last, Literal(0.0))] * (most - len(side))
            end.extend(part for pair in (*side, *rest) for part in pair)
        made = [Var(INT if k % 2 == 0 else FLOAT) for k in range(2 * most)]
        self.slopes[out] = dict(zip(made[::2], made[1::2], strict=True))
        return made


def _columns(walk: Walk, value: Operand) -> list[tuple[Operand, Operand]]:
    """The columns of a number that an arm gives, and its partials."""
    found: list[tuple[Operand, Operand]] = []
    for column, slope in (walk.slopes.get(value) or {}).items():
        if isinstance(column, Same):
            raise column.unknown()
        found.append((column, slope))
    return found


def closed(
    blocks: Sequence[Block], last: tuple[Var, ...] = ()
) -> tuple[tuple[Var, ...], tuple[Block, ...]]:
    """The values that blocks read from outside, and the blocks with parameters for
    these: behind the others, but in front of `last`.
    """
    found: dict[Var, None] = {}
    for block in blocks:
        own = (*block.params, *last)
        found.update(dict.fromkeys(free(block.body, block.results, own)))
    reads = tuple(found)
    return reads, tuple(
        renewed(Block((*block.params, *reads, *last), block.body, block.results))
        for block in blocks
    )


def _needed_after(
    body: Sequence[Statement], results: Operands
) -> list[frozenset[Operand]]:
    """Behind each statement of a body, the values that are still read."""
    found: list[frozenset[Operand]] = []
    needed = frozenset(results)
    for statement in reversed(body):
        found.append(needed)
        needed |= frozenset(statement.inputs)
    return found[::-1]
