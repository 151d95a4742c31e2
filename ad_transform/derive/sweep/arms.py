"""The reverse sweep through a branch.

Where the adjoints of its values do not depend on them, one branch computes both: the
value and, with it, the adjoints of its arguments. Else a branch forth also gives the
values that its twin, the branch back, needs (`handing`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import chain

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.sweep.cut import Split, split
from ad_transform.derive.sweep.dependence import union
from ad_transform.derive.sweep.fewest import fewest, read_by
from ad_transform.derive.sweep.handing import in_records, in_slots
from ad_transform.derive.sweep.hook import NOTHING, moved, nothing, unknown
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.recomputed import found_again
from ad_transform.derive.sweep.reverse import (
    Asked,
    Operands,
    Reverse,
    Rule,
    Swept,
)
from ad_transform.ir.blocks.blocks import pruned
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.dims import ANY
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Var,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import FLOAT, Type


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm that has been swept, over its parameters and the `given` adjoints.

    `lasting` are the arrays among its parameters that nothing changes.
    """

    block: Block
    given: dict[Operand, Var]
    swept: Swept
    lasting: Set[Operand]


def back_through_branch(parent: Reverse, branch: Branch, rules: Rules) -> Task[None]:
    """Enter the twins of a branch; the adjoints go to its arguments."""
    seeds = [
        parent.adjoint(out) if out in parent.terms else None for out in branch.outs
    ]
    rows = [
        j
        for j, seed in enumerate(seeds)
        if seed is not None and not all(map(is_zero, seed))
    ]
    wanted = [j for j, out in enumerate(branch.outs) if out in parent.needed]
    if not rows:
        if wanted:
            parent.needed.update(branch.inputs)
        parent.keep_checks(branch)
        return
    columns, borne = _columns(parent, branch, rows)
    adjoints = [parent.handed(branch.args[k]) for k in borne]
    outer = [*(seeds[j] for j in rows), *adjoints]
    flat = tuple(chain.from_iterable(s for s in outer if s is not None))
    handed = tuple(dict.fromkeys(o for o in flat if isinstance(o, Var)))
    others = parent.others(handed, branch.inputs)
    if wanted:
        whole = parent.asked.mixed and not others
    else:
        whole = parent.shapes.are_left(branch)
    arms: list[Arm] = []
    places = rows, wanted, columns, borne
    for arm in (0, 1):
        swept = yield _arm(parent, branch, arm, places, flat, whole, rules)
        arms.append(swept)
    if whole:
        _enter_whole(parent, branch, arms, wanted, columns, handed)
    else:
        _enter_twins(parent, branch, arms, wanted, columns, handed)


Rules = Mapping[type, Rule]
_Places = tuple[list[int], list[int], list[int], list[int]]


def _columns(
    parent: Reverse, branch: Branch, rows: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The arguments whose adjoints the arms give; and those of them whose adjoints the
    arms are handed, to add to. The latter are arrays that no arm changes, and whole
    arrays if all values of the arms are numbers: then arms read elements.
    """
    only_numbers = not any(branch.outs[j].type.shape for j in rows)
    consumed = Consumption().by(branch)
    reached = 0
    for block in branch.blocks:
        masks = parent.context.dependence.of(block)
        reached |= union(masks[j] for j in rows)
    columns, borne = [], []
    for k, arg in enumerate(branch.args):
        is_number = not arg.type.dims and not arg.type.shape
        if arg in parent.varied and (reached >> k & 1 or is_number):
            columns.append(k)
            is_read = only_numbers and bool(arg.type.shape)
            if is_read or (arg.type.dims and arg not in consumed):
                borne.append(k)
    return columns, borne


def _arm(
    parent: Reverse,
    branch: Branch,
    place: int,
    places: _Places,
    flat: Operands,
    whole: bool,
    rules: Rules,
) -> Task[Arm]:
    """An arm swept, with parameters for the adjoints that are handed in."""
    rows, wanted, columns, borne = places
    block = branch.blocks[place]
    lost = set() if whole else _lost(branch, block, parent.shapes.lost)
    block = parent.context.merged(block)
    if parent.asked.is_repeated:
        parent.context.free.update(parent.found_again)
    parent.context.hold_still(branch, place, block.params, branch.args)
    varied = tuple(block.params[k] for k in columns)
    hook = parent.asked.hook and parent.asked.hook.inside(block, varied, branch)
    handed = dict.fromkeys(o for o in flat if isinstance(o, Var))
    params: dict[Operand, Var] = {o: Var(o.type, o.hint) for o in handed}
    inner = [params.get(o, o) if isinstance(o, Var) else o for o in flat]
    count = parent.asked.directions
    ends = (
        *(block.results[j] for j in rows),
        *(block.params[k] for k in borne),
    )
    seeds = [tuple(inner[n * count : (n + 1) * count]) for n in range(len(ends))]
    lasting = _lasting(branch, block, wanted, parent.shapes.lasting)
    asked = Asked(
        block.body,
        varied,
        tuple(zip(ends, seeds, strict=True)),
        tuple(block.results[j] for j in wanted),
        count,
        whole,
        hook,
        nothing(hook, count),
        lasting,
        lost,
        parent.asked.is_repeated,
    )
    swept = yield Reverse(parent.context, asked).sweep(rules)
    return Arm(block, params, swept, lasting)


def _lasting(
    branch: Branch, block: Block, wanted: Sequence[int], lasting: Set[Operand]
) -> set[Operand]:
    """The arrays that last, of those from outside an arm and of its results."""
    pairs = zip(block.params, branch.args, strict=True)
    found: set[Operand] = {p for p, a in pairs if a in lasting}
    ends = {block.results[j] for j in wanted if branch.outs[j] in lasting}
    return found | ends.difference(block.params)


def _lost(branch: Branch, block: Block, lost: Set[Operand]) -> set[Operand]:
    """The arrays from outside an arm that are gone before its way back. An array that
    the other arm changes is one of them: the branch forth consumes it.
    """
    gone = {
        arg
        for other in branch.blocks
        if other is not block
        for arg in Consumption().handed(branch, other)
    }
    pairs = zip(block.params, branch.args, strict=True)
    return {p for p, a in pairs if a in lost or a in gone}


def _enter_whole(
    parent: Reverse,
    branch: Branch,
    arms: Sequence[Arm],
    wanted: Sequence[int],
    columns: Sequence[int],
    handed: tuple[Var, ...],
) -> None:
    """Enter one branch that gives the wanted values and the adjoints."""
    live, terms, outs = _terms(parent, branch, arms, columns)
    totals, more = _totals(parent, arms)
    outs += more
    blocks = []
    for arm in arms:
        results = (
            *(arm.block.results[j] for j in wanted),
            *(arm.swept.adjoints[d][n] for d, n in live),
            *(arm.swept.totals[d][n] for d, n in totals),
        )
        params = (*arm.block.params, *arm.given.values())
        body = ordered((*arm.swept.forth, *arm.swept.back))
        blocks.append(Block(params, body, results))
    args, then, orelse = pruned((*branch.args, *handed), *blocks)
    own = tuple(branch.outs[j] for j in wanted)
    statement = Branch((*own, *outs), branch.test, args, then, orelse)
    if wanted:
        parent.replaced[branch] = statement
        parent.note(statement, outs)
    elif outs:
        parent.replaced[branch] = None
        parent.append([statement])
    else:
        parent.keep_checks(branch)
    for k, term in terms:
        parent.add(branch.args[k], term)


def _terms(
    parent: Reverse, branch: Branch, arms: Sequence[Arm], columns: Sequence[int]
) -> tuple[list[tuple[int, int]], list[tuple[int, Operands]], list[Var]]:
    """The adjoints that the arms give: their places, their values by argument, and the
    new variables.
    """
    live: list[tuple[int, int]] = []
    terms: list[tuple[int, Operands]] = []
    outs: list[Var] = []
    then, orelse = (arm.swept.adjoints for arm in arms)
    outside = [_outside(branch, arm) for arm in arms] if columns else []
    for n, k in enumerate(columns):
        term: list[Operand] = []
        for d in range(parent.asked.directions):
            one, other = then[d][n], orelse[d][n]
            same = _same_outside(outside, (one, other))
            if same is not None:
                term.append(same)
                continue
            arg = branch.args[k]
            out = Var(_either(one, other), parent.context.called(arg, d))
            live.append((d, n))
            outs.append(out)
            term.append(out)
        terms.append((k, tuple(term)))
    return live, terms, outs


def _totals(
    parent: Reverse, arms: Sequence[Arm]
) -> tuple[list[tuple[int, int]], list[Var]]:
    """The totals that the arms give for a hook: their places and values; the parent
    gets the totals.
    """
    hook, directions = parent.asked.hook, parent.asked.directions
    if hook is None:
        return [], []
    zeros = nothing(hook, directions)
    live = sorted({place for arm in arms for place in moved(zeros, arm.swept.totals)})
    made = unknown(hook, directions)
    if live:
        parent.gathering.others.append(
            tuple(
                tuple(v if (d, k) in live else NOTHING for k, v in enumerate(own))
                for d, own in enumerate(made)
            )
        )
    return live, [made[d][k] for d, k in live]


def _either(one: Operand, other: Operand) -> Type:
    """The type of an adjoint that two arms give: an array, or a float."""
    if not one.type.dims:
        return one.type if one.type.shape else Type(FLOAT.kind, (), other.type.shape)
    same = one.type.dims == other.type.dims
    return one.type if same else Type(one.type.kind, (ANY,) * len(one.type.dims))


def _outside(branch: Branch, arm: Arm) -> dict[Operand, Operand]:
    """The outer operands of the values that an arm was given."""
    known: dict[Operand, Operand] = {}
    known.update(zip(arm.block.params, branch.args, strict=True))
    known.update((inner, outer) for outer, inner in arm.given.items())
    return known


def _same_outside(
    outside: Sequence[Mapping[Operand, Operand]], ends: Operands
) -> Operand | None:
    """The common result of both arms, if it is a number or an outer value."""
    found = [
        known.get(end) if isinstance(end, Var) else end
        for known, end in zip(outside, ends, strict=True)
    ]
    if found[0] is not None and found[0] == found[1]:
        return found[0]
    return None


def _enter_twins(
    parent: Reverse,
    branch: Branch,
    arms: Sequence[Arm],
    wanted: Sequence[int],
    columns: Sequence[int],
    handed: tuple[Var, ...],
) -> None:
    """Enter a branch forth that gives the wanted and the saved values, and one back."""
    live, terms, outs = _terms(parent, branch, arms, columns)
    totals, more = _totals(parent, arms)
    outs += more
    if not outs:
        parent.needed.update(branch.inputs)
        for k, term in terms:
            parent.add(branch.args[k], term)
        return
    ends = [
        tuple(
            chain(
                (arm.swept.adjoints[d][n] for d, n in live),
                (arm.swept.totals[d][n] for d, n in totals),
            )
        )
        for arm in arms
    ]
    parts = [
        _part(parent, arm, end, wanted) for arm, end in zip(arms, ends, strict=True)
    ]
    pairs = list(zip(arms, parts, strict=True))
    known = [_through_results(parent, arm, part.saved, wanted) for arm, part in pairs]
    rest = [
        tuple(v for v in part.saved if v not in own)
        for part, own in zip(parts, known, strict=True)
    ]
    stored, handing = (in_records if parent.context.apart else in_slots)(rest)
    again = sorted({j for own in known for j in own.values()})
    own = tuple(branch.outs[j] for j in wanted)
    kept = (*stored, *(branch.outs[j] for j in again))
    forth, back = [], []
    for (arm, part), by, end, hand in zip(pairs, known, ends, handing, strict=True):
        results = tuple(arm.block.results[j] for j in wanted)
        body = ordered((*arm.swept.forth, *part.early, *hand.early))
        forth.append(Block(arm.block.params, body, (*results, *hand.values)))
        places = {j: v for v, j in by.items()}
        entering = (*hand.entering, *(places.get(j, _NOTHING) for j in again))
        given = tuple(
            v if isinstance(v, Var) else Var(k.type)
            for v, k in zip(entering, kept, strict=True)
        )
        params = (*arm.block.params, *arm.given.values(), *given)
        back.append(Block(params, (*hand.late, *part.late), end))
    args, then, orelse = pruned(branch.args, *forth)
    first = Branch((*own, *stored), branch.test, args, then, orelse)
    parent.replaced[branch] = first
    parent.needed.update(first.inputs)
    mask = parent.masked(branch.outs)
    parent.mask.update((out, mask) for out in stored)
    args, then, orelse = pruned((*branch.args, *handed, *kept), *back)
    parent.append([Branch(tuple(outs), branch.test, args, then, orelse)])
    for k, term in terms:
        parent.add(branch.args[k], term)


def _part(parent: Reverse, arm: Arm, end: Operands, wanted: Sequence[int]) -> Split:
    """The way back through an arm. Operands that it is handed keep their names;
    elements of arrays that last are found again. A function of its own takes all in a
    record.
    """
    back = (*_tests(arm), *arm.swept.back)
    late, free = arm.given.values(), arm.block.params
    if parent.context.apart:
        return fewest((arm.swept.forth, back), end, late, free, arm.lasting)
    there = [p for p in free if p in parent.context.free]
    there = [p for p in there if p in arm.lasting or not p.type.is_array]
    given = {arm.block.results[j] for j in wanted}
    again = [s for s in found_again(arm.swept.forth, there) if s.out not in given]
    part = split(back, end, late, (*free, *(s.out for s in again)))
    return replace(part, late=(*read_by(part.late, end, again), *part.late))


def _tests(arm: Arm) -> list[Apply]:
    """The comparisons of an arm's parameters that decide branches on its way back.

    They are made again: handed over, every arm of an `elif` chain would have to give
    those of all arms behind it.
    """
    tests = {s.test for s in arm.swept.back if isinstance(s, Branch)}
    given = set(arm.block.params)
    return [
        s
        for s in arm.swept.forth
        if isinstance(s, Apply)
        and s.out in tests
        and s.op.form is Form.COMPARISON
        and given.issuperset(a for a in s.args if isinstance(a, Var))
    ]


def _through_results(
    parent: Reverse, arm: Arm, saved: tuple[Var, ...], wanted: Sequence[int]
) -> dict[Var, int]:
    """The saved values that the arm gives anyway, with their places. A record also
    holds the numbers among them, but no list that has another owner.
    """
    results = arm.block.results
    places: dict[Operand, int] = {}
    for j in wanted:
        if results[j].type.dims or not parent.context.apart:
            places.setdefault(results[j], j)
    return {v: places[v] for v in saved if v in places}


_NOTHING = Literal(0.0)
