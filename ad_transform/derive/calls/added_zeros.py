"""Functions that would add their part of an adjoint to zeros give that part alone.

    a_bar = f_back(record, a_bar, [0.0] * n)      a_bar = f_back(record, a_bar)

A function is given the sums so far for a list, and adds to them. Here every call gives
it zeros.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from ad_transform.dataclass import replace
from ad_transform.derive.calls.changes import own_functions, with_changes
from ad_transform.elementals.copies import is_copy
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Bundle,
    Call,
    Function,
    Literal,
    Operand,
    Statement,
    walk,
)
from ad_transform.ir.verify import Lawful

Place = tuple[str, int]
"""A function, and the place of a parameter."""

_ADDED = frozenset({"added", "added_rows", "added_layers"})
_MADE = {"full": 0, "grid": 0, "block": 0, "like": 1, "rows_like": 1, "layers_like": 1}
"""Operations that make arrays of one number, and its place among their arguments."""


def without_zeros(bundle: Bundle) -> Bundle:
    """The bundle whose functions do not add to zeros. Linear."""
    places = {(f.name, k) for f in own_functions(bundle) for k in _adding(f)}
    if not places:
        return bundle
    for function in bundle.functions:
        places -= set(_given_others(function, places))
    if not places:
        return bundle
    main, *before = (_changed(f, places) for f in (bundle.main, *bundle.before))
    return with_changes(Bundle(main, tuple(before)), Lawful()) or bundle


def _adding(function: Function) -> Iterator[int]:
    """The places of parameters that are read once only: the body adds to them."""
    read = Counter(o for s in walk(function.body) for o in s.inputs)
    read.update(function.results)
    for statement in function.body:
        sums = _sum(statement)
        if sums is not None and sums[0] in function.block.params and read[sums[0]] == 1:
            yield function.block.params.index(sums[0])


def _sum(statement: Statement) -> tuple[Operand, Operand] | None:
    """The operands of a statement that adds one array to another; None for others."""
    if not isinstance(statement, Apply) or statement.op.name not in _ADDED:
        return None
    to, array = statement.args
    return to, array


def _given_others(function: Function, places: Set[Place]) -> Iterator[Place]:
    """The places at which some call passes anything but zeros."""
    zeros: set[Operand] = set()
    for statement in walk(function.body):  # a list stands before its copies
        if _are_zeros(statement) or (
            is_copy(statement) and statement.inputs[0] in zeros
        ):
            zeros.update(statement.outs)
    for statement in walk(function.body):
        if isinstance(statement, Call):
            for name, k in places:
                if name == statement.callee and statement.args[k] not in zeros:
                    yield name, k


def _are_zeros(statement: Statement) -> bool:
    if not isinstance(statement, Apply):
        return False
    place = _MADE.get(statement.op.name)
    return place is not None and statement.args[place] == Literal(0.0)


def _changed(function: Function, places: Set[Place]) -> Function:
    if function.outside is not None:
        return function
    block = function.block
    own = {p for k, p in enumerate(block.params) if (function.name, k) in places}
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env) if env else statement
        sums = _sum(made)
        if sums is not None and sums[0] in own:
            env[made.outs[0]] = sums[1]
        else:
            body.append(made)
    results = tuple(env.get(result, result) for result in block.results)
    return replace(function, block=Block(block.params, tuple(body), results))
