"""Lists of a bundle that become dicts and sets in Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.emit.python.dicts import uses as ways
from ad_transform.emit.python.dicts.entered import unproven
from ad_transform.emit.python.dicts.keyed import Keyed, keyed
from ad_transform.emit.python.dicts.lanes import holds_keys
from ad_transform.emit.python.dicts.pairs import Paired, paired
from ad_transform.emit.python.dicts.uses import Uses, uses_in
from ad_transform.ir.called import callees_of, steps_of
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Bundle,
    Function,
    Statement,
    Var,
)


@dataclass(slots=True)
class Decided:
    """The lists that become dicts and sets, by type. A list of second or third parts of
    keys has the place of its `part`; it is `gone` where a list of first parts, given by
    `first`, stands beside it. For a statement that changes first parts, `beside` has
    those that change the other parts.
    """

    types: dict[Var, Keyed] = field(default_factory=dict)
    part: dict[Var, int] = field(default_factory=dict)
    gone: set[Var] = field(default_factory=set)
    first: dict[Var, Var] = field(default_factory=dict)
    beside: Mapping[Apply, tuple[Apply, ...]] = field(default_factory=dict)


def decided(bundle: Bundle, public: Set[str]) -> Decided | None:
    """The types of lists that become dicts and sets; None if none does. Linear, times
    the depth of blocks. `public` functions are called from outside.
    """
    functions = {f.name: f for f in bundle.functions if f.outside is None}
    uses = uses_in(functions, public, _called(functions))
    pairs = [paired(functions, each) for each in uses.beside]
    beside = _beside(pairs)
    others = _others(uses, pairs, functions, beside)
    doubtful = {
        uses.classes.find(var)
        for var in unproven(functions.values(), beside)
        if isinstance(var, Var)
    }
    found = Decided(beside=beside)
    types = _types(functions, uses, others, doubtful)
    parts = {
        other: (types[root], place)
        for root, each in others.items()
        for place, other in enumerate(each, 1)
    }
    for var in _lists(functions):
        root = uses.classes.find(var)
        if (type_ := types.get(root)) is not None:
            found.types[var] = type_
            continue
        type_, place = parts.get(root, (None, 0))
        if type_ is not None:
            found.part[var] = place
            first = pairs[place - 1].first.get(var)
            if first is not None:
                found.gone.add(var)
                found.first[var] = first
            else:
                found.types[var] = type_
    return found if found.types else None


def _types(
    functions: Mapping[str, Function],
    uses: Uses,
    others: Mapping[Var, tuple[Var, ...]],
    doubtful: Set[Var],
) -> dict[Var, Keyed | None]:
    """The types of lists by their representative; None for those that stay lists."""
    found: dict[Var, Keyed | None] = {}
    more = {other for each in others.values() for other in each}
    for var in _lists(functions):
        root = uses.classes.find(var)
        used = set(uses.of(var))
        if root in found or root in more or ways.OTHER in used:
            continue
        found[root] = None
        own = others.get(root, ())
        if used & _PARTS != {ways.PARTS[1 + len(own)]}:
            continue
        keys = (var.type.kind, *(other.type.kind for other in own))
        used = used.union(*map(uses.of, own))
        is_set = used.isdisjoint(_ORDERED)
        if ways.WRITTEN in used and own:
            continue
        if is_set or root not in doubtful:
            found[root] = keyed(keys, is_set)
    return found


_PARTS = frozenset(ways.PARTS.values())
_ORDERED = frozenset({ways.PLACED, ways.COUNTED, ways.GONE_OVER, ways.SHORTENED})
"""Uses that sets do not have."""


def _called(functions: Mapping[str, Function]) -> Set[str]:
    """The functions that only calls reach."""
    called = {name for function in functions.values() for name in callees_of(function)}
    return called - steps_of(functions.values())


def _lists(functions: Mapping[str, Function]) -> Iterator[Var]:
    """The lists of keys, those of inner blocks too."""
    for function in functions.values():
        blocks = [function.block, *_blocks(function)]
        for block in blocks:
            for var in block.params:
                if holds_keys(var.type):
                    yield var
            for statement in block.body:
                yield from (out for out in statement.outs if holds_keys(out.type))


def _blocks(function: Function) -> Iterator[Block]:
    for statement in function.nested:
        yield from statement.blocks


# --- keys of several parts ------------------------------------------------------------


def _beside(pairs: Sequence[Paired]) -> dict[Apply, tuple[Apply, ...]]:
    """For each statement that changes first parts of keys, those that change the
    others.
    """
    found: dict[Apply, tuple[Apply, ...]] = {}
    for each in pairs:
        for one, other in each.changes.items():
            found[one] = (*found.get(one, ()), other)
    return found


def _others(
    uses: Uses,
    pairs: Sequence[Paired],
    functions: Mapping[str, Function],
    beside: Mapping[Apply, tuple[Apply, ...]],
) -> dict[Var, tuple[Var, ...]]:
    """The lists of other parts of keys that surely go with a list of first parts, by
    that list; all by their representatives.
    """
    found: dict[Var, tuple[Var, ...]] = {}
    wrong: set[Var] = set()
    for each in pairs:
        wrong.update(map(uses.classes.find, each.apart))
        known: dict[Var, Var] = {}
        for one, other in each.other.items():
            first, second = uses.classes.find(one), uses.classes.find(other)
            if known.setdefault(first, second) is not second:
                wrong.update((first, second))
        for first, second in known.items():
            found[first] = (*found.get(first, ()), second)
    times = Counter(root for first, more in found.items() for root in (first, *more))
    wrong.update(root for root, count in times.items() if count > 1)
    for first, more in found.items():
        for root in (first, *more):
            used = uses.of(root)
            if ways.OTHER in used or used & _PARTS != {ways.PARTS[1 + len(more)]}:
                wrong.add(first)
    wrong |= _alone(uses, functions, beside, set(times))
    return {
        first: more for first, more in found.items() if wrong.isdisjoint((first, *more))
    }


def _alone(
    uses: Uses,
    functions: Mapping[str, Function],
    beside: Mapping[Apply, tuple[Apply, ...]],
    held: set[Var],
) -> set[Var]:
    """Lists of which one changes without the others, or is read in between; and lists
    among the results of a function whose nest cannot do without them.
    """
    groups: dict[Apply, tuple[Apply, ...]] = {}
    wrong: set[Var] = set()
    for one, others in beside.items():
        for each in (one, *others):
            if each in groups:  # it is beside two
                wrong.add(uses.classes.find(each.out))
            groups[each] = (one, *others)

    def is_held(var: Var) -> bool:
        return holds_keys(var.type) and uses.classes.find(var) in held

    for function in functions.values():
        if any(item != LEAF for item in function.nest.items):
            ends = [r for r in function.results if isinstance(r, Var) and is_held(r)]
            wrong.update(map(uses.classes.find, ends))
        for block in (function.block, *_blocks(function)):
            places = {s: k for k, s in enumerate(block.body)}
            for k, statement in enumerate(block.body):
                if not isinstance(statement, Apply) or not is_held(statement.out):
                    continue
                group = groups.get(statement, ())
                here = [places[one] for one in group if one in places]
                is_whole = bool(group) and len(here) == len(group)
                last = max(here, default=k)
                if not is_whole or _reads(block.body[k + 1 : last], statement.out):
                    wrong.add(uses.classes.find(statement.out))
    return wrong


def _reads(statements: Sequence[Statement], var: Var) -> bool:
    return any(var in statement.inputs for statement in statements)
