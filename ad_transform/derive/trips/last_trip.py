"""The trip of a loop back over the trip that left the loop forth.

It is the first one of the loop back. Where the others change no adjoint, it is all
that the loop back does.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.trips.ways import Ways, names_forth
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.blocks import another, placed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.laws.products import mul_unit
from ad_transform.ir.laws.sums import add_zero, sub_zero
from ad_transform.ir.loops.exits import read_in
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Scan,
    Substitution,
    Var,
    While,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.later import later

with later():
    from ad_transform.ir.blocks.decided import taken, tests_where

Given = dict[Var, Operand]

_UNITS = (add_zero, sub_zero, mul_unit)
_LAWS = {
    op: tuple(law for law in LAWS[op] if law[1] in _UNITS)
    for op in ("add", "sub", "mul")
}
"""The laws of sums with 0 and products with 1."""


@dataclass(frozen=True, slots=True)
class LastTrip:
    """The trip back over the trip that left; `block` has the parameters of all trips.

    Outside the loop back only those of its carries are read that are at `kept`.
    """

    back: Scan
    block: Block
    kept: Sequence[int]
    recorded: Given  # the values of the trip forth, by parameters that stand for them

    @property
    def given(self) -> Given:
        """The operands of the loop back, by the parameters that the trip uses."""
        back = self.back
        outer = zip(self.block.params[1:], (*back.carries, *back.reads), strict=False)
        used = {*read_in(self.block), *self.carried}
        return {param: one for param, one in outer if param in used}

    @property
    def carried(self) -> tuple[Var, ...]:
        """The parameters for the carries of the loop back that are at `kept`."""
        return tuple(self.block.params[1 + k] for k in self.kept)


def last_of(ways: Ways, loop: While, flag: int, back: Scan) -> LastTrip | None:
    """The trip back over the trip that left; None if others change an adjoint."""
    twins = names_forth(ways, loop, loop.body, back, back.body)

    def over(value: bool) -> Block:
        known = tests_where(loop.body, loop.body.results[flag], value)
        env = {own: known[other] for own, other in twins.items() if other in known}
        return taken(back.body, env)

    params = back.body.params
    kept = [k for k, out in enumerate(back.outs) if out in ways.readers]
    ends = Builder(TABLE, LAWS).inline(over(False), params)
    if any(ends[k] is not params[1 + k] for k in kept):
        return None
    leaving = over(True)
    results = tuple(leaving.results[k] for k in kept)
    again: Given = {o: twins[o] for s in leaving.body for o in s.outs if o in twins}
    body = [s for s in leaving.body if again.keys().isdisjoint(s.outs)]
    block = Block((*params, *again), live(tuple(body), results), results)
    if params[0] in read_in(block):
        return None
    records = zip(loop.stacks, loop.records, strict=True)
    made: Substitution = dict(records)
    entries = zip(params[len(params) - len(back.entries) :], back.entries, strict=True)
    recorded: Given = {param: made[own] for param, own in entries}
    return LastTrip(back, block, kept, {**recorded, **again})


def branch_of(test: Operand, last: LastTrip, given: Given, known: Given) -> Branch:
    """A branch that makes the trip back where the test holds, and else nothing."""
    leaves = _of_numbers(last.block, given)
    used = {*read_in(leaves), *last.carried}
    params = tuple(param for param in last.block.params if param in used)
    others = {param: another(param, {}) for param in params}
    stays = Block(tuple(others.values()), (), tuple(others[p] for p in last.carried))
    outs = tuple(another(last.back.outs[k], {}) for k in last.kept)
    args = tuple(known[param] for param in params)
    return Branch(outs, test, args, replace(leaves, params=params), stays)


def _of_numbers(block: Block, given: Given) -> Block:
    """A trip with given numbers in it; a sum with 0.0 is its other term."""
    over = [given[p] if isinstance(given.get(p), Literal) else p for p in block.params]
    made = placed(block, over, {})
    builder = Builder(TABLE, _LAWS)
    env: Substitution = {}
    for statement in made.body:
        seen = statement.over(env)
        if not isinstance(seen, Apply):
            builder.body.append(seen)
        elif seen.op.name in _LAWS and any(isinstance(a, Literal) for a in seen.args):
            env[seen.out] = builder.apply(seen.op.name, *seen.args)
        else:
            env[seen.out] = builder.adopt(seen)
    results = tuple(env.get(result, result) for result in made.results)
    return Block(block.params, tuple(builder.body), results)
