"""Keys that are surely new when they are entered.

A list of keys is a dict only if no key is entered twice: each is entered in the arm of
a test that it is absent, or behind a check of that. A test is about the list and the
key of that moment; values never change, so it stays true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.emit.python.dicts.keyed import LOOKUPS
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    While,
)
from ad_transform.ir.trampoline import Task, bounce

Fact: TypeAlias = tuple[Operand, ...]
"""A list, and the parts of a key that is not in it."""

Facts: TypeAlias = frozenset[Fact]

_NONE: Facts = frozenset()


def unproven(
    functions: Iterable[Function], beside: Mapping[Apply, tuple[Apply, ...]]
) -> set[Operand]:
    """The lists that may get an item which is in them already. Linear, times the depth
    of blocks. `beside` are statements that enter the other parts of a key.
    """
    found = _Finder(beside)
    for function in functions:
        bounce(found.block(function.block, {}, _NONE))
    return found.unproven


@dataclass(slots=True)
class _Finder:
    """Goes through blocks in the order in which they run.

    `told` has, by test, the facts where it is true, and where it is false; `places` has
    the facts where a place is below 0. `written` has the keys of lists that hold none
    but numbers and texts that are written out.
    """

    beside: Mapping[Apply, tuple[Apply, ...]]
    unproven: set[Operand] = field(default_factory=set)
    told: dict[Operand, tuple[Facts, Facts]] = field(default_factory=dict)
    places: dict[Operand, Fact] = field(default_factory=dict)
    written: dict[Operand, frozenset[Operand]] = field(default_factory=dict)

    def block(
        self, block: Block, same: Mapping[Operand, Operand], facts: Facts
    ) -> Task[None]:
        """Look for keys that a block enters. `same` has the values outside of its
        parameters, `facts` hold there.
        """
        known = dict(same)
        facts = _without(facts, block.params)
        for statement in block.body:
            for out in statement.outs:
                self.told.pop(out, None)
                self.places.pop(out, None)
                known.pop(out, None)
            facts = _without(facts, statement.outs)
            if isinstance(statement, Apply):
                self._operation(statement, known, facts)
            elif isinstance(statement, Branch):
                yield self._branch(statement, known, facts)
            elif isinstance(statement, Check):
                facts |= self._of(statement.test, known)[0]
            else:
                for inner in statement.blocks:
                    handed_in = _read_only(statement, inner, known)
                    yield self.block(inner, handed_in, facts)

    def _of(
        self, test: Operand, known: Mapping[Operand, Operand]
    ) -> tuple[Facts, Facts]:
        return self.told.get(known.get(test, test), (_NONE, _NONE))

    def _operation(
        self, statement: Apply, known: dict[Operand, Operand], facts: Facts
    ) -> None:
        name, out = statement.op.name, statement.out
        args = tuple(known.get(arg, arg) for arg in statement.args)
        if name in LOOKUPS:
            count, is_placed = LOOKUPS[name]
            fact = (args[0], *args[count:])
            if is_placed:
                self.places[out] = fact
            else:
                self.told[out] = frozenset({fact}), _NONE
        elif name in _BELOW and args[0] in self.places and args[1] == _BELOW[name]:
            self.told[out] = frozenset({self.places[args[0]]}), _NONE
        elif name in _NOT_BELOW and args[0] in self.places:
            if args[1] == _NOT_BELOW[name]:
                self.told[out] = _NONE, frozenset({self.places[args[0]]})
        elif name == "not":
            self.told[out] = self._of(args[0], known)[::-1]
        elif name == "copy":
            known[out] = args[0]
        elif name == "pack" and all(isinstance(arg, Literal) for arg in args):
            self.written[out] = frozenset(args)
        elif name == "append":
            self._append(statement, args, known, facts)

    def _append(
        self,
        statement: Apply,
        args: tuple[Operand, ...],
        known: Mapping[Operand, Operand],
        facts: Facts,
    ) -> None:
        """A key is new in an empty list, among other written keys, and where a test
        says so.
        """
        keys, key = args
        is_empty = keys.type.dims == (0,)
        written = frozenset() if is_empty else self.written.get(keys)
        if written is not None and isinstance(key, Literal) and key not in written:
            self.written[statement.out] = written | {key}
            return
        more = [other.args[1] for other in self.beside.get(statement, ())]
        fact = (keys, key, *(known.get(o, o) for o in more))
        if not is_empty and fact not in facts:
            self.unproven.add(statement.out)

    def _branch(
        self, branch: Branch, known: Mapping[Operand, Operand], facts: Facts
    ) -> Task[None]:
        told = self._of(branch.test, known)
        ends: list[Sequence[tuple[Facts, Facts]]] = []
        outside = {known.get(arg, arg) for arg in branch.args}
        for block, more in zip(branch.blocks, told, strict=True):
            inner: dict[Operand, Operand] = {
                p: known.get(o, o) for p, o in handed(branch, block)
            }
            yield self.block(block, inner, facts | more)
            ends.append([_kept(self._of(r, inner), outside) for r in block.results])
        pairs = zip(branch.then.results, branch.orelse.results, strict=True)
        rows = zip(branch.outs, pairs, *ends, strict=True)
        for out, results, then, orelse in rows:
            known_here = _joined(told, results, then, orelse)
            if known_here != (_NONE, _NONE):
                self.told[out] = known_here


_BELOW = {"lt": Literal(0), "le": Literal(-1), "eq": Literal(-1)}
_NOT_BELOW = {"ge": Literal(0), "gt": Literal(-1), "ne": Literal(-1)}


def _read_only(
    statement: Statement, block: Block, known: Mapping[Operand, Operand]
) -> dict[Operand, Operand]:
    """The parameters of a block that are the same values outside in each trip."""
    if not isinstance(statement, Scan | While):
        return {}
    reads = set(statement.reads) - set(statement.carries)
    reads -= set(statement.entries) if isinstance(statement, Scan) else set()
    return {p: known.get(o, o) for p, o in handed(statement, block) if o in reads}


def _kept(told: tuple[Facts, Facts], outside: set[Operand]) -> tuple[Facts, Facts]:
    """The facts about values from outside of an arm."""
    true, false = (
        frozenset(f for f in facts if all(_is_outside(o, outside) for o in f))
        for facts in told
    )
    return true, false


def _without(facts: Facts, bound: Sequence[Operand]) -> Facts:
    """The facts without those of values that are bound anew."""
    if not facts:
        return facts
    return frozenset(f for f in facts if not any(operand in bound for operand in f))


def _is_outside(operand: Operand, outside: set[Operand]) -> bool:
    return isinstance(operand, Literal) or operand in outside


def _joined(
    test: tuple[Facts, Facts],
    results: tuple[Operand, Operand],
    then: tuple[Facts, Facts],
    orelse: tuple[Facts, Facts],
) -> tuple[Facts, Facts]:
    """The facts where a branch gives True, and where it gives False: those of both
    arms, or of the one arm that may give it.
    """
    found: list[Facts] = []
    for place, value in enumerate((True, False)):
        in_arms = [test[0] | then[place], test[1] | orelse[place]]
        possible = [
            facts
            for facts, result in zip(in_arms, results, strict=True)
            if result != Literal(not value)
        ]
        found.append(frozenset.intersection(*possible) if possible else _NONE)
    return found[0], found[1]
