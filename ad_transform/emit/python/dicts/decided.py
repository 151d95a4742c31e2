"""Which lists of a bundle are dicts and sets in Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

from ad_transform.dataclass import dataclass, field
from ad_transform.emit.python.dicts import uses as ways
from ad_transform.emit.python.dicts.entered import unproven
from ad_transform.emit.python.dicts.keyed import Keyed, keyed
from ad_transform.emit.python.dicts.lanes import holds_keys
from ad_transform.emit.python.dicts.pairs import Paired, paired
from ad_transform.emit.python.dicts.uses import Uses, uses_in
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Bundle,
    Call,
    Function,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.types import Kind


@dataclass(slots=True)
class Decided:
    """The type of each list that becomes a dict or a set. Those in `second` hold second
    parts of keys; where the list of first parts, which `first` gives, stands beside
    one, it is `gone`. By a statement that changes the first, `beside` has the one of
    the second.
    """

    types: dict[Var, Keyed] = field(default_factory=dict)
    second: set[Var] = field(default_factory=set)
    gone: set[Var] = field(default_factory=set)
    first: Mapping[Var, Var] = field(default_factory=dict)
    beside: Mapping[Apply, Apply] = field(default_factory=dict)


def decided(bundle: Bundle, public: Set[str]) -> Decided | None:
    """What becomes of the lists; None if nothing does. Linear, times the depth of
    blocks. `public` functions are called from outside.
    """
    functions = {f.name: f for f in bundle.functions if f.outside is None}
    uses = uses_in(functions, public, _called(functions))
    pairs = paired(functions, uses.pairs)
    seconds = _seconds(uses, pairs, functions)
    doubtful = {
        uses.classes.of(var)
        for var in unproven(functions.values(), pairs.changes)
        if isinstance(var, Var)
    }
    found = Decided(first=pairs.first, beside=pairs.changes)
    types = _types(functions, uses, seconds, doubtful)
    by_second = {second: types[root] for root, second in seconds.items()}
    for var in _lists(functions):
        root = uses.classes.of(var)
        if (type_ := types.get(root)) is not None:
            found.types[var] = type_
        elif (type_ := by_second.get(root)) is not None:
            found.second.add(var)
            if var in pairs.first:
                found.gone.add(var)
            else:
                found.types[var] = type_
    return found if found.types else None


def _types(
    functions: Mapping[str, Function],
    uses: Uses,
    seconds: Mapping[Var, Var],
    doubtful: Set[Var],
) -> dict[Var, Keyed | None]:
    """What lists are, by what stands for all that are one."""
    found: dict[Var, Keyed | None] = {}
    for var in _lists(functions):
        root = uses.classes.of(var)
        used = uses.of(var)
        if root in found or root in seconds.values() or ways.OTHER in used:
            continue
        found[root] = None
        if ways.ALONE in used and ways.BESIDE not in used:
            keys: tuple[Kind, ...] = (var.type.kind,)
        elif root in seconds:
            keys = (var.type.kind, seconds[root].type.kind)
            used = used | uses.of(seconds[root])
        else:
            continue
        is_set = used.isdisjoint(_ORDERED)
        if is_set or root not in doubtful:
            found[root] = keyed(keys, is_set)
    return found


_ORDERED = frozenset({ways.PLACED, ways.COUNTED, ways.GONE_OVER, ways.SHORTENED})
"""What is not done with sets."""


def _called(functions: Mapping[str, Function]) -> Set[str]:
    """The functions that are called, and by calls alone."""
    called: set[str] = set()
    steps: set[str] = set()
    for function in functions.values():
        for statement in walk(function.body):
            if isinstance(statement, Call):
                called.add(statement.callee)
            elif isinstance(statement, Scan | While) and statement.snapshots:
                steps.add(statement.snapshots.step)
    return called - steps


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


# --- keys of two parts ----------------------------------------------------------------


def _seconds(
    uses: Uses, pairs: Paired, functions: Mapping[str, Function]
) -> dict[Var, Var]:
    """By lists of first parts of keys those of second parts that surely go with them,
    both by what stands for all that are one list.
    """
    found: dict[Var, Var] = {}
    wrong = {uses.classes.of(var) for var in pairs.apart}
    for one, other in pairs.other.items():
        first, second = uses.classes.of(one), uses.classes.of(other)
        if found.setdefault(first, second) is not second:
            wrong.update((first, second))
    for first, second in found.items():
        if {ways.OTHER, ways.ALONE} & (uses.of(first) | uses.of(second)):
            wrong.update((first, second))
    seconds = Counter(found.values())
    wrong.update(s for s, times in seconds.items() if times > 1 or s in found)
    wrong |= _alone(uses, pairs, functions, {*found, *seconds})
    return {
        first: second
        for first, second in found.items()
        if first not in wrong and second not in wrong
    }


def _alone(
    uses: Uses, pairs: Paired, functions: Mapping[str, Function], held: set[Var]
) -> set[Var]:
    """Lists of which one changes without the other, or is looked at in between; and
    those that a function gives in a way that cannot be told without them.
    """
    beside = {**{b: a for a, b in pairs.changes.items()}, **pairs.changes}
    wrong: set[Var] = set()

    def is_held(var: Var) -> bool:
        return holds_keys(var.type) and uses.classes.of(var) in held

    for function in functions.values():
        if any(item != LEAF for item in function.nest.items):
            ends = [r for r in function.results if isinstance(r, Var) and is_held(r)]
            wrong.update(map(uses.classes.of, ends))
        for block in (function.block, *_blocks(function)):
            places = {s: k for k, s in enumerate(block.body)}
            for k, statement in enumerate(block.body):
                if not isinstance(statement, Apply) or not is_held(statement.out):
                    continue
                other = beside.get(statement)
                at = places.get(other) if other is not None else None
                is_one = other is not None and beside.get(other) is statement
                is_read = at is None or _reads(block.body[k + 1 : at], statement.out)
                if is_read or not is_one:
                    wrong.add(uses.classes.of(statement.out))
    return wrong


def _reads(statements: Sequence[Statement], var: Var) -> bool:
    return any(var in statement.inputs for statement in statements)
