"""Lists side by side, whose items together are keys.

Where two lists are read side by side, the values that they come from, and those that
they go into, are side by side as well. Two lists are `paired` if each item that one
gets comes with an item of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.emit.python.dicts.lanes import Lanes, is_empty, lanes_of
from ad_transform.ir.nodes import Apply, Function, Operand, Var, walk


@dataclass(slots=True)
class Paired:
    """For each list the other one, and for each statement that changes a list the one
    that changes the other. `apart` are lists beside which two stand, or none.
    """

    other: dict[Var, Var] = field(default_factory=dict)
    first: dict[Var, Var] = field(default_factory=dict)  # the other way round
    changes: dict[Apply, Apply] = field(default_factory=dict)
    apart: set[Var] = field(default_factory=set)


def paired(
    functions: Mapping[str, Function], pairs: Iterable[tuple[Var, Var]]
) -> Paired:
    """The lists that are side by side, as `pairs` are. Linear."""
    places = _places(functions, pairs)
    found = Paired()
    waiting = [*pairs]
    while waiting:
        one, other = waiting.pop()
        if one in found.other or other in found.first:
            if found.other.get(one) is not other:
                found.apart.update((one, other))
            continue
        found.other[one], found.first[other] = other, one
        waiting += _beside(one, other, places, found)
    return found


@dataclass(slots=True)
class _Places:
    """The places of values: the lane of a statement and the place in it; the operation
    that makes each value, and those that read it.
    """

    lanes: dict[Var, list[tuple[Lanes, int, int]]] = field(default_factory=dict)
    makers: dict[Var, Apply] = field(default_factory=dict)
    makes: dict[Var, list[Apply]] = field(default_factory=dict)


def _places(
    functions: Mapping[str, Function], pairs: Iterable[tuple[Var, Var]]
) -> _Places:
    places = _Places()
    kinds = {var.type.kind for pair in pairs for var in pair}

    def is_list(operand: Operand) -> bool:
        type_ = operand.type
        return len(type_.dims) == 1 and type_.kind in kinds

    for function in functions.values():
        for statement in walk(function.body):
            if isinstance(statement, Apply):
                if statement.op.name in _MAKERS and is_list(statement.out):
                    _operation(places, statement)
                continue
            for lanes in lanes_of(statement, functions):
                for k, lane in enumerate(lanes.lanes):
                    for at, operand in enumerate(lane):
                        if isinstance(operand, Var) and is_list(operand):
                            row = (lanes, k, at)
                            places.lanes.setdefault(operand, []).append(row)
    return places


_MAKERS = frozenset({"append", "pop", "copy", "full"})


def _operation(places: _Places, statement: Apply) -> None:
    places.makers[statement.out] = statement
    array = statement.args[0]
    if isinstance(array, Var):
        places.makes.setdefault(array, []).append(statement)


def _beside(
    one: Var, other: Var, places: _Places, found: Paired
) -> Iterator[tuple[Var, Var]]:
    """The pairs that follow from one pair of values side by side."""
    made, beside = places.makers.get(one), places.makers.get(other)
    if made is not None or beside is not None:
        if made is None or beside is None or not _alike(made, beside):
            found.apart.update((one, other))
            return
        yield from _operations(made, beside, found)
    mine, theirs = (_by_name(places.makes.get(v, ())) for v in (one, other))
    for name in {**mine, **theirs}:
        if len(mine.get(name, ())) != len(theirs.get(name, ())):
            found.apart.update((one, other))
            continue
        for first, second in zip(mine[name], theirs[name], strict=True):
            yield from _operations(first, second, found)
            yield first.out, second.out
    yield from _in_lanes(one, other, places, found)


def _operations(
    first: Apply, second: Apply, found: Paired
) -> Iterator[tuple[Var, Var]]:
    """Two operations that do the same to lists side by side."""
    known = found.changes.setdefault(first, second)
    if known is not second:
        found.apart.update((first.out, second.out))
    array, beside = first.args[0], second.args[0]
    if isinstance(array, Var) and isinstance(beside, Var):
        yield array, beside


def _alike(first: Apply, second: Apply) -> bool:
    if is_empty(first) or is_empty(second):
        return is_empty(first) and is_empty(second)
    return first.op is second.op


def _by_name(statements: Iterable[Apply]) -> dict[str, list[Apply]]:
    found: dict[str, list[Apply]] = {}
    for statement in statements:
        found.setdefault(statement.op.name, []).append(statement)
    return found


def _in_lanes(
    one: Var, other: Var, places: _Places, found: Paired
) -> Iterator[tuple[Var, Var]]:
    """The pairs beside two values that stand in one lane, as often as each other.

    A block or a function may be given one alone that it only reads.
    """
    mine, theirs = (_by_lane(places.lanes.get(v, ())) for v in (one, other))
    for key in {**mine, **theirs}:
        rows, others = mine.get(key, []), theirs.get(key, [])
        lanes, _ = (rows or others)[0]
        if len(rows) != len(others):
            may_lack = lanes.given and key[1] == 0
            if not may_lack or (rows and others):
                found.apart.update((one, other))
            continue
        for (_, first), (_, second) in zip(rows, others, strict=True):
            for lane in lanes.lanes:
                left, right = lane[first], lane[second]
                if isinstance(left, Var) and isinstance(right, Var):
                    yield left, right


def _by_lane(
    rows: Iterable[tuple[Lanes, int, int]],
) -> dict[tuple[int, int], list[tuple[Lanes, int]]]:
    """The places by lane."""
    found: dict[tuple[int, int], list[tuple[Lanes, int]]] = {}
    for lanes, k, at in rows:
        found.setdefault((id(lanes), k), []).append((lanes, at))
    return found
