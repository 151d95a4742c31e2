"""Results of a loop are computed behind it, and not chosen in every trip.

`if s > 1.0: return s * t` in a loop is a flag, and a carry that is `s * t` where it is
up and nothing where it is down. The flag behind the loop is that of the last trip. So
the branch behind the loop can make `s * t` of what that trip has left: s and t become
carries, if they are none yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.blocks.inner import changed_inside, is_same, with_block
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
    While,
    checks,
    hint_of,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import FLOAT, INT, Type

_FALSE = Literal(False)
_FILLERS: Mapping[Type, Literal] = {FLOAT: Literal(0.0), INT: Literal(0)}


def sunk(function: Function) -> Function:
    """The function with the results of loops computed behind them.

    Linear in the statements, times the flags of a loop.
    """
    return with_block(function, bounce(_sunk(function.block)))


def _sunk(block: Block) -> Task[Block]:
    body = [*(yield from changed_inside(block, _sunk, leaves=False))]
    results = block.results
    loops = _loops(body)
    if loops:
        read = Counter(o for s in body for o in s.inputs)
        read.update(results)
        for place, loop in loops:
            for flag in _flags(loop):
                _try(body, place, flag, read)
        for place, loop in _loops(body):
            for flag in _flags(loop):
                results = _one_name(body, place, flag, results)
    if is_same(body, block.body):
        return block
    return replace(block, body=tuple(body), results=results)


def _loops(body: Sequence[Statement]) -> list[tuple[int, While]]:
    """The loops with a test, and their places."""
    return [(k, s) for k, s in enumerate(body) if isinstance(s, While)]


def _one_name(
    body: list[Statement], place: int, flag: int, results: tuple[Operand, ...]
) -> tuple[Operand, ...]:
    """The results, and a body, with one carry for two that are the same where the flag
    is up. A check behind the loop makes sure that it is up.
    """
    loop = body[place]
    assert isinstance(loop, While)
    sure = next(
        (
            k
            for k, s in enumerate(body)
            if isinstance(s, Check) and s.test is loop.outs[flag]
        ),
        None,
    )
    chosen = _chosen(loop.body.body, loop.body.results[flag])
    if sure is None or chosen is None:
        return results
    same = _same(loop, chosen)
    for early in body[place + 1 : sure + 1]:
        for read in early.inputs:
            same.pop(read, None)
    body[sure + 1 :] = [s.over(same) for s in body[sure + 1 :]]
    return tuple(same.get(r, r) for r in results)


def _same(loop: While, chosen: Branch) -> dict[Operand, Operand]:
    """The carries that no trip reads, each with another that is the same after a last
    trip which takes the branch.
    """
    read = {o for b in loop.blocks for s in b.body for o in s.inputs}
    read.update(r for b in loop.blocks for r in b.results)
    after = _After(loop, chosen)
    ends = [after.taken(end) or end for end in loop.handed_on]
    carried = [*zip(ends, loop.finals, loop.carry_params, strict=True)]
    last: dict[Operand, Var] = {
        end: out
        for end, out, param in carried
        if param in read and isinstance(end, Var)
    }
    return {o: last[e] for e, o, param in carried if e in last and param not in read}


def _flags(loop: While) -> list[int]:
    """The carries that are down before the loop, and then tell of the last trip."""
    return [k for k, carry in enumerate(loop.carries) if carry == _FALSE]


def _try(body: list[Statement], place: int, flag: int, read: Counter[Operand]) -> None:
    """Let the branch behind a loop make the values that it reads where a flag is up."""
    loop = body[place]
    assert isinstance(loop, While)
    behind = _chosen(body[place + 1 :], loop.outs[flag])
    chosen = _chosen(loop.body.body, loop.body.results[flag])
    if behind is None or chosen is None:
        return
    return_ = _Return.of(loop, chosen, behind, read)
    if return_ is not None:
        body[body.index(behind)] = return_.taken()
        body[place] = return_.loop


def _chosen(body: Sequence[Statement], test: Operand) -> Branch | None:
    """The only branch of a body that a test decides."""
    found = [s for s in body if isinstance(s, Branch) and s.test is test]
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class _Return:
    """A branch behind a loop, and the values that it reads where the flag is up: `made`
    of `operands` there, for the parameters at `places`.
    """

    loop: While
    behind: Branch
    places: tuple[int, ...]
    made: Block
    operands: tuple[Operand, ...]

    @classmethod
    def of(
        cls, loop: While, chosen: Branch, behind: Branch, read: Counter[Operand]
    ) -> _Return | None:
        """The values that can be made behind the loop; None if there are none."""
        pairs = zip(loop.finals, loop.handed_on, strict=True)
        ends: dict[Operand, Operand] = dict(pairs)
        given: dict[Operand, Operand] = dict(
            zip(chosen.outs, chosen.then.results, strict=True)
        )
        elsewhere = {o for s in behind.orelse.body for o in s.inputs}
        elsewhere.update(behind.orelse.results)
        places = tuple(
            k
            for k, arg in enumerate(behind.args)
            if ends.get(arg, arg) in given
            and read[arg] == 1
            and behind.orelse.params[k] not in elsewhere
        )
        if not places:
            return None
        results = tuple(given[ends[behind.args[k]]] for k in places)
        made = replace(
            chosen.then, body=live(chosen.then.body, results), results=results
        )
        if not _is_of_values(made):
            return None
        after = _After(loop, chosen)
        needed = {o for s in made.body for o in s.inputs}.union(results)
        args = zip(made.params, chosen.args, strict=True)
        found = [(p, after.of(arg)) for p, arg in args if p in needed]
        operands = {p: value for p, value in found if value is not None}
        if len(operands) < len(found) or len(after.added) > len(places):
            return None
        made = replace(made, params=tuple(operands))
        return cls(after.extended(), behind, places, made, tuple(operands.values()))

    def taken(self) -> Branch:
        """The branch that makes the values which it read."""
        behind, then, orelse = self.behind, self.behind.then, self.behind.orelse
        new = tuple(dict.fromkeys(o for o in self.operands if o not in behind.args))
        more = [tuple(Var(o.type, hint_of(o)) for o in new) for _ in "01"]
        params = dict(zip((*behind.args, *new), (*then.params, *more[0]), strict=True))
        here = renewed(self.made, tuple(params[o] for o in self.operands))
        given = (then.params[k] for k in self.places)
        env: dict[Operand, Operand] = dict(zip(given, here.results, strict=True))
        body = (*here.body, *(s.over(env) for s in then.body))
        results = tuple(env.get(r, r) for r in then.results)
        return replace(
            behind,
            args=(*behind.args, *new),
            then=Block((*then.params, *more[0]), body, results),
            orelse=replace(orelse, params=(*orelse.params, *more[1])),
        )


def _is_of_values(block: Block) -> bool:
    """Whether a block computes numbers and whole arrays of such, and does no more."""
    values = (v for s in block.body for v in (*s.inputs, *s.outs))
    checking = any(checks(s) or s.blocks for s in block.body)
    return not (checking or any(v.type.dims for v in values))


@dataclass(slots=True)
class _After:
    """The values of the last trip behind a loop, where a branch in it is taken.

    `added` has those that become carries, with their names behind the loop.
    """

    loop: While
    chosen: Branch
    added: dict[Operand, Var] = field(default_factory=dict)

    def of(self, value: Operand) -> Operand | None:
        """A value of the last trip; None for an array that is no carry."""
        if isinstance(value, Literal):
            return value
        loop = self.loop
        for param, read in zip(loop.read_params, loop.reads, strict=True):
            if param is value:
                return read
        for out, end in zip(loop.finals, loop.handed_on, strict=True):
            if value in (end, self.taken(end)):
                return out
        if value.type not in _FILLERS:
            return None
        out = Var(value.type, value.hint, value.span, value.named)
        return self.added.setdefault(value, out)

    def taken(self, end: Operand) -> Operand | None:
        """The value of a carry where the branch is taken, if there before that."""
        if end not in self.chosen.outs:
            return end
        result = self.chosen.then.results[self.chosen.outs.index(end)]
        pairs = zip(self.chosen.then.params, self.chosen.args, strict=True)
        return next((arg for param, arg in pairs if param is result), None)

    def extended(self) -> While:
        """The loop with more carries."""
        loop, count = self.loop, len(self.loop.carries)
        test, body = (
            replace(
                block,
                params=(
                    *block.params[:count],
                    *(Var(v.type, v.hint) for v in self.added.values()),
                    *block.params[count:],
                ),
            )
            for block in loop.blocks
        )
        ends = (*loop.handed_on, *self.added, *loop.records)
        starts = (_FILLERS[value.type] for value in self.added)
        return replace(
            loop,
            outs=(*loop.finals, *self.added.values(), *loop.outs[count:]),
            carries=(*loop.carries, *starts),
            test=test,
            body=replace(body, results=ends),
        )
