"""Uses of each list of keys of a bundle.

A list of unknown origin or destination is `other`; so is one with elements that are
read by place, or stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import field
from functools import partial

from ad_transform.dataclass import dataclass
from ad_transform.emit.python.dicts.keyed import LOOKUPS
from ad_transform.emit.python.dicts.lanes import (
    Lanes,
    holds_keys,
    is_empty,
    is_written,
    lanes_of,
)
from ad_transform.emit.python.dicts.listed_keys import may_take, outer
from ad_transform.ir.classes import Classes
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Call,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    walk,
)

PLACED, ALONE, BESIDE, AMONG, COUNTED, GONE_OVER, SHORTENED, WRITTEN, OTHER = range(9)
"""Ways in which lists are made and used."""

PARTS = {1: ALONE, 2: BESIDE, 3: AMONG}
"""The use of a list of parts of keys, by the number of these."""

_CHANGES = frozenset({"append", "pop", "copy"})


@dataclass(slots=True)
class Uses:
    """The lists of a bundle: `classes`, and the uses of each. `beside` are lists that
    are looked at side by side: first parts of keys with second ones, and with third.
    """

    classes: Classes[Var] = field(default_factory=Classes)
    found: dict[Var, set[int]] = field(default_factory=dict)
    beside: tuple[list[tuple[Var, Var]], ...] = field(default_factory=lambda: ([], []))

    def of(self, var: Var) -> Set[int]:
        """The uses of a list."""
        return self.found.get(self.classes.find(var), set())

    def enter(self, operand: Operand, use: int) -> None:
        """Take note of a use."""
        if isinstance(operand, Var) and holds_keys(operand.type):
            self.found.setdefault(operand, set()).add(use)

    def gather(self) -> None:
        """Join the uses of values that are one list."""
        found: dict[Var, set[int]] = {}
        for var, uses in self.found.items():
            found.setdefault(self.classes.find(var), set()).update(uses)
        self.found = found


def uses_in(
    functions: Mapping[str, Function], public: Set[str], calls: Set[str]
) -> Uses:
    """The uses of lists; linear. `public` functions are called from outside, `calls`
    are called by others.
    """
    uses = Uses()
    for name, function in functions.items():
        if name in public or name not in calls:
            _others(uses, (*function.block.params, *function.results))
        allowed = partial(may_take, around=outer(function))
        for statement in walk(function.body):
            if isinstance(statement, Apply):
                _operation(uses, statement, allowed)
            else:
                _holder(uses, statement, lanes_of(statement, functions))
    uses.gather()
    return uses


def _others(uses: Uses, operands: Iterable[Operand]) -> None:
    for operand in operands:
        uses.enter(operand, OTHER)


def _operation(uses: Uses, statement: Apply, allowed: Callable[[Apply], bool]) -> None:
    name, args, out = statement.op.name, statement.args, statement.out
    if name in LOOKUPS:
        count, is_placed = LOOKUPS[name]
        for array in args[:count]:
            uses.enter(array, PARTS[count])
            if is_placed:
                uses.enter(array, PLACED)
        first, *others = args[:count]
        for pairs, other in zip(uses.beside, others, strict=False):
            if isinstance(first, Var) and isinstance(other, Var):
                pairs.append((first, other))
    elif name in _CHANGES:
        if isinstance(args[0], Var) and holds_keys(args[0].type):
            uses.classes.join(out, args[0])
            if name == "pop":
                uses.enter(out, SHORTENED)
    elif name == "size" and len(args) == 1:
        uses.enter(args[0], COUNTED)
    elif name == "get" and holds_keys(args[0].type) and allowed(statement):
        uses.enter(args[0], GONE_OVER)
    elif is_written(statement):
        uses.enter(out, WRITTEN)
    elif not is_empty(statement):
        _others(uses, (*args, out))


def _holder(uses: Uses, statement: Statement, lanes: tuple[Lanes, ...]) -> None:
    """A statement with blocks, a call, a record or a message."""
    for each in lanes:
        for values in each.across():
            lists = [v for v in values if isinstance(v, Var) and holds_keys(v.type)]
            for other in lists[1:]:
                uses.classes.join(other, lists[0])
            if lists and len(lists) < len(values):
                _others(uses, lists)
    if isinstance(statement, Branch) or (isinstance(statement, Call) and lanes):
        return
    if isinstance(statement, Scan | While) and statement.snapshots is None:
        behind = statement.outs[len(statement.carries) :]
        _others(uses, (*behind, *statement.records))
        _others(uses, (*statement.entry_params, *statement.entries))
        return
    _others(uses, (*statement.outs, *statement.inputs))
    for block in statement.blocks:
        _others(uses, (*block.params, *block.results))
