"""Functions that change the lists that they are given, where nobody reads these again.

    def _fill_forth(i, seen):            def _fill_forth(i, seen):
        seen_2 = seen.copy()                 seen[i] = 1
        seen_2[i] = 1                        seen = _fill_forth(i + 1, seen)
        seen_3 = _fill_forth(i + 1, seen_2)  return seen
        return seen_3

A function that is swept copies a list of its caller before it changes it. Where no call
in the bundle reads that list behind the call, the copy is for nothing; in one that
calls itself it is most of the time. Where only calls from elsewhere read the list
again, they hand over a copy, and those inside make none.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import groupby

from ad_transform.dataclass import replace
from ad_transform.derive.calls.changes import own_functions, with_changes
from ad_transform.elementals.copies import copy_of, is_copy
from ad_transform.ir.blocks.inner import changed_inside
from ad_transform.ir.called import callees_of, reached
from ad_transform.ir.lists.same_lengths import is_length
from ad_transform.ir.nodes import (
    Block,
    Bundle,
    Call,
    Function,
    Operand,
    Statement,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.verify import Lawful

Place = tuple[str, int]
"""A function, and the place of a parameter."""


def called_in_place(bundle: Bundle) -> Bundle:
    """The bundle without copies of arguments that nobody reads again. Linear in it for
    each function that copies a parameter.
    """
    places = list(_copied(bundle))
    if not places:
        return bundle
    known = Lawful()
    each = [list(own) for _, own in groupby(places, lambda place: place[0])]
    groups = [places, *each, *([place] for place in places)]
    taken: set[Place] = set()
    best = bundle
    for group in groups:
        if taken.issuperset(group):
            continue
        made = with_changes(_without(bundle, {*taken, *group}), known)
        if made is not None:
            best = made
            taken.update(group)
    left = [place for place in places if place not in taken]
    cycles = _cycles(bundle) if left else {}
    for place in left:
        if place[0] not in cycles:
            continue
        spared = _with_copies(bundle, place, cycles[place[0]])
        made = with_changes(_without(spared, {*taken, place}), known)
        if made is not None:
            best, bundle = made, spared
            taken.add(place)
    return best


def _copied(bundle: Bundle) -> Iterator[Place]:
    """The parameters whose copy is the first use that a function makes of them."""
    for function in own_functions(bundle):
        copied = [s.inputs[0] for s in function.body if is_copy(s)]
        for k, param in enumerate(function.block.params):
            if copied.count(param) == 1:
                yield function.name, k


def _cycles(bundle: Bundle) -> dict[str, set[str]]:
    """The functions that call themselves, each with its callees that call it again."""
    looked_into = [f for f in bundle.functions if f.outside is None]
    callees = {f.name: callees_of(f) for f in looked_into}
    below = {name: reached(callees, name) for name in callees}
    return {
        name: {other for other in own if name in below.get(other, ())}
        for name, own in below.items()
        if name in own
    }


def _with_copies(bundle: Bundle, place: Place, inside: Set[str]) -> Bundle:
    """The bundle where all functions but some hand a copy to a function."""
    main, *before = (
        f
        if f.outside is not None or f.name in inside
        else replace(f, block=bounce(_handing_copies(f.block, place)))
        for f in (bundle.main, *bundle.before)
    )
    return Bundle(main, tuple(before))


def _handing_copies(block: Block, place: Place) -> Task[Block]:
    within = yield from changed_inside(block, lambda held: _handing_copies(held, place))
    name, k = place
    body: list[Statement] = []
    for statement in within:
        if isinstance(statement, Call) and statement.callee == name:
            copy = copy_of(statement.args[k])
            args = (*statement.args[:k], copy.out, *statement.args[k + 1 :])
            body += (copy, replace(statement, args=args))
        else:
            body.append(statement)
    return replace(block, body=tuple(body))


def _without(bundle: Bundle, places: Set[Place]) -> Bundle:
    """The bundle without the copies of some parameters."""
    main, *before = (_changed(f, places) for f in (bundle.main, *bundle.before))
    return Bundle(main, tuple(before))


def _changed(function: Function, places: Set[Place]) -> Function:
    if function.outside is not None:
        return function
    block = bounce(_sizes_first(function.block))
    own = {p for k, p in enumerate(block.params) if (function.name, k) in places}
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        if is_copy(made) and made.inputs[0] in own:
            env[made.outs[0]] = made.inputs[0]
            continue
        body.append(made)
    results = tuple(env.get(result, result) for result in block.results)
    return replace(function, block=Block(block.params, tuple(body), results))


def _sizes_first(block: Block) -> Task[Block]:
    """The block with lengths of lists asked for before anything is changed."""
    inside = yield from changed_inside(block, _sizes_first)
    sizes: dict[Operand, list[Statement]] = {}
    for size in filter(is_length, inside):
        sizes.setdefault(size.inputs[0], []).append(size)
    made_here = {out for statement in inside for out in statement.outs}
    body = [s for array, own in sizes.items() if array not in made_here for s in own]
    for statement in inside:
        if not is_length(statement):
            body.append(statement)
            body += (size for out in statement.outs for size in sizes.get(out, ()))
    return replace(block, body=tuple(body))
