"""A branch in two passes: both are branches on one test, and arms hand values over."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ad_transform.derive.sweep.handing import Handing, in_slots
from ad_transform.derive.sweep.two_passes import Half, Halves, Later, Level
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.blocks.free import free
from ad_transform.ir.nodes import Block, Branch, Literal, Operand, Var
from ad_transform.ir.trampoline import Task

Vars = tuple[Var, ...]


def two_branches(parent: Level, branch: Branch) -> Task[Halves]:
    """The two branches; raises Whole."""
    given = {k for k, arg in enumerate(branch.args) if arg in parent.reached}
    late: set[int] = set()
    while True:
        arms: list[Level] = []
        more: set[int] = set()
        for block in branch.blocks:
            level = _arm(parent, branch, block, given, late)
            yield level.taken_apart()
            arms.append(level)
            more |= {k for k, p in enumerate(block.params) if p in level.reached}
        some = {
            k
            for level in arms
            for k, result in enumerate(level.block.results)
            if result in level.reached
        }
        if more <= given and some <= late:
            break
        given |= more
        late |= some
    places = sorted(late)
    second: list[Later] = []
    for level in arms:
        params = {*level.block.params}
        arrays = {p for p in level.lasting if p.type.dims}
        known = arrays.intersection(params) | params - level.own - level.reached
        results = [level.block.results[k] for k in places]
        second.append(level.later(results, known))
    saved = [
        tuple(v for v in arm.saved if v not in level.block.params)
        for level, arm in zip(arms, second, strict=True)
    ]
    handed, handings = in_slots(saved)
    forth = _first(branch, arms, given, places, (handed, handings))
    return forth, _second(branch, arms, second, places, (handed, handings))


def _arm(
    parent: Level, branch: Branch, block: Block, given: Set[int], late: Set[int]
) -> Level:
    """An arm to take apart; seeds reach the `given` parameters. The results in `late`
    are those of the second pass.
    """
    reached: set[Operand] = {block.params[k] for k in given}
    pairs = zip(block.params, branch.args, strict=True)
    lasting: set[Operand] = {
        p
        for p, o in pairs
        if p not in reached and (o in parent.lasting or isinstance(o, Literal))
    }
    own = set(block.params) - reached - _at_hand(parent, branch, block)
    results = [block.results[k] for k in late if not parent.is_outermost]
    away = {r for r in results if r.type.dims}  # outermost ones are copied by columns
    return Level(block, reached, lasting, own, parent.names, given=away)


def _at_hand(parent: Level, branch: Branch, block: Block) -> set[Operand]:
    """The numbers that both passes have in an arm: the block around is given them."""
    there = {*parent.block.params} - parent.own - parent.reached
    pairs = zip(block.params, branch.args, strict=True)
    return {p for p, o in pairs if o in there and not p.type.dims}


Slots = tuple[Vars, Sequence[Handing]]


def _first(
    branch: Branch,
    arms: Sequence[Level],
    given: Set[int],
    late: Sequence[int],
    slots: Slots,
) -> Half:
    """The branch that computes values and hands them over."""
    handed, handings = slots
    early = [k for k in range(len(branch.outs)) if k not in late]
    outs = (*(branch.outs[k] for k in early), *handed)
    args = [k for k in range(len(branch.args)) if k not in given]
    blocks = [
        Block(
            tuple(level.block.params[k] for k in args),
            (*level.first, *handing.early),
            (*(level.block.results[k] for k in early), *handing.values),
        )
        for level, handing in zip(arms, handings, strict=True)
    ]
    return Branch(outs, branch.test, tuple(branch.args[k] for k in args), *blocks)


def _second(
    branch: Branch,
    arms: Sequence[Level],
    second: Sequence[Later],
    late: Sequence[int],
    slots: Slots,
) -> Half:
    """The branch of what seeds reach, with the values handed to it."""
    if not late:
        return None
    handed, handings = slots
    needed = [set(free(arm.body, arm.results)) for arm in second]
    args = [
        k
        for k in range(len(branch.args))
        if any(
            level.block.params[k] in read
            for level, read in zip(arms, needed, strict=True)
        )
    ]
    blocks = []
    for level, arm, handing in zip(arms, second, handings, strict=True):
        own = {*arm.saved}
        entering = tuple(
            v if isinstance(v, Var) and v in own else Var(out.type)
            for v, out in zip(handing.values, handed, strict=True)
        )
        params = (*(level.block.params[k] for k in args), *entering)
        blocks.append(renewed(Block(params, arm.body, arm.results)))
    outs = tuple(branch.outs[k] for k in late)
    inputs = (*(branch.args[k] for k in args), *handed)
    return Branch(outs, branch.test, inputs, *blocks)
