"""Functions that change the lists that they are given, where nobody reads these again.

    def _fill_forth(i, seen):            def _fill_forth(i, seen):
        seen_2 = seen.copy()                 seen[i] = 1
        seen_2[i] = 1                        seen = _fill_forth(i + 1, seen)
        seen_3 = _fill_forth(i + 1, seen_2)  return seen
        return seen_3

A function that is swept copies what it changes, for the list of its caller. Where no
call in the bundle reads that list behind the call, the copy is for nothing; in one that
calls itself it is most of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby

from ad_transform.ir.consumed import changed_by
from ad_transform.ir.inner import changed_inside
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Bundle,
    Call,
    Function,
    Operand,
    Scan,
    Statement,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.verify import LawBroken, Lawful, verify_bundle

Place = tuple[str, int]
"""A function, and the place of a parameter."""

_COPIES = frozenset({"copy", "copy_rows", "copy_layers"})


def called_in_place(bundle: Bundle) -> Bundle:
    """The bundle without copies of what is handed over for good. Linear in it for each
    function that copies a parameter.
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
        made = _without(bundle, {*taken, *group})
        if _is_lawful(made, changed_by(bundle.main), known):
            best = made
            taken.update(group)
    return best


def _copied(bundle: Bundle) -> Iterator[Place]:
    """The parameters that functions copy before anything else becomes of them."""
    steps = {
        s.snapshots.step
        for f in bundle.functions
        for s in walk(f.body)
        if isinstance(s, Scan | While) and s.snapshots is not None
    }
    for function in bundle.before:
        if function.outside is not None or function.name in steps:
            continue
        copied = [s.inputs[0] for s in function.body if _is_copy(s)]
        for k, param in enumerate(function.block.params):
            if copied.count(param) == 1:
                yield function.name, k


def _is_copy(statement: Statement) -> bool:
    return isinstance(statement, Apply) and statement.op.name in _COPIES


def _is_lawful(bundle: Bundle, changed: Sequence[int], known: Lawful) -> bool:
    """Whether no list is read behind a call that changes it; the main function changes
    the same as before.
    """
    if tuple(changed_by(bundle.main)) != tuple(changed):
        return False
    try:
        verify_bundle(bundle, known)
    except LawBroken:
        return False
    return True


def _without(bundle: Bundle, places: Set[Place]) -> Bundle:
    """The bundle without the copies of some parameters."""
    main, *before = (_changed(f, places) for f in (bundle.main, *bundle.before))
    return Bundle(main, tuple(before))


def _changed(function: Function, places: Set[Place]) -> Function:
    if function.outside is not None:
        return function
    block = bounce(_with_changes(function.block, places))
    own = {p for k, p in enumerate(block.params) if (function.name, k) in places}
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        if _is_copy(made) and made.inputs[0] in own:
            env[made.outs[0]] = made.inputs[0]
            continue
        body.append(made)
    results = tuple(env.get(result, result) for result in block.results)
    block = Block(block.params, tuple(body), results)
    return function if block == function.block else replace(function, block=block)


def _with_changes(block: Block, places: Set[Place]) -> Task[Block]:
    """A block whose calls say what the functions change, and where lengths of lists are
    asked for before anything is changed.
    """
    inside = yield from changed_inside(block, lambda b: _with_changes(b, places))
    sizes: dict[Operand, list[Statement]] = {}
    for statement in filter(_is_size, inside):
        sizes.setdefault(statement.inputs[0], []).append(statement)
    made_here = {out for statement in inside for out in statement.outs}
    body = [s for array, own in sizes.items() if array not in made_here for s in own]
    for statement in inside:
        if not _is_size(statement):
            is_call = isinstance(statement, Call)
            body.append(_saying(statement, places) if is_call else statement)
            body += (size for out in statement.outs for size in sizes.get(out, ()))
    return replace(block, body=tuple(body))


def _is_size(statement: Statement) -> bool:
    """Whether it asks how long a list is."""
    is_it = isinstance(statement, Apply) and statement.op.name == "size"
    return is_it and len(statement.inputs) == 1


def _saying(call: Statement, places: Set[Place]) -> Statement:
    """A call that says what its function changes."""
    assert isinstance(call, Call)
    own = {k for name, k in places if name == call.callee}
    changes = tuple(sorted(own.union(call.changes)))
    return call if changes == call.changes else replace(call, changes=changes)
