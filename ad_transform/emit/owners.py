"""Owners: the value with a name that a value without one belongs to.

A part is called after its owner, so that an edit of one statement renumbers the parts
of that statement and no others: `spread_1` and `spread_2` are what the source's
statement `spread = ...` computes on its way, `dspread_1` is derivative code that reads
`spread` or its parts, and no value of the source that comes later.
Relies on: every value is bound once, before it is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import (
    Check,
    Function,
    Operand,
    Statement,
    Var,
    walk,
)

Parts = Mapping[Span, str]
"""The owners of what a source computes, by place."""

RESULT = "value"
"""The owner of parts of a result that has no name."""

TESTED = "check"
"""The owner of parts of an assertion."""


def source_parts(source: Function) -> Parts:
    """The owners of what the statements of a source compute, by place. Linear.

    The owner is the first value with a name that is made of it.
    """
    owner = _by_reader(source, frozenset())
    found: dict[Span, str] = {}
    for statement in walk(source.body):
        for out in statement.outs:
            if out.span is not None and not out.hint:
                found.setdefault(out.span, owner.get(out, RESULT))
    return found


def owners(function: Function, parts: Parts | None, terms: Set[Var]) -> dict[Var, str]:
    """The owner of every value that has no name of its own. Linear.

    `parts` are those of the source, None if the function is no derivative; `terms` have
    hints and lay no claim to them.
    """
    by_reader = _by_reader(function, terms)
    if parts is None:
        return by_reader
    anchors = _Anchors(parts, by_reader, terms)
    for parameter in function.parameters:
        for var in parameter.vars:
            name = _word(var.hint) or _word(parameter.name.partition(".")[0])
            anchors.name(var, name or RESULT)
    for statement in walk(function.body):
        for out in statement.outs:
            anchors.add(out, statement)
    return anchors.owners


def _word(hint: str) -> str:
    return hint if hint.isidentifier() else ""


def _is_of_source(out: Var) -> bool:
    """Whether a hint is the user's, not that of a derivative."""
    return out.named or out.span is not None


# --- by the reader ------------------------------------------------------------------


def _by_reader(function: Function, terms: Set[Var]) -> dict[Var, str]:
    """For every value the name of what is made of it first, empty in derivatives."""
    found = {r: RESULT for r in function.results if isinstance(r, Var)}
    bodies = [function.body]
    while bodies:
        for statement in reversed(bodies.pop()):
            label = _label(statement, found, terms)
            found.update((o, label) for o in statement.inputs if isinstance(o, Var))
            for block in statement.blocks:
                found.update((r, label) for r in block.results if isinstance(r, Var))
                bodies.append(block.body)
    return found


def _label(statement: Statement, found: dict[Var, str], terms: Set[Var]) -> str:
    if isinstance(statement, Check):
        return TESTED
    if not statement.outs:
        return RESULT
    out = statement.outs[0]
    if _word(out.hint) and out not in terms:
        return out.hint if _is_of_source(out) else ""
    return found.get(out, RESULT)


# --- by what is read ----------------------------------------------------------------


Anchor = tuple[int, str]
"""The place of a name in the order of the program, and the name."""

_NOWHERE: Anchor = (-1, "")


@dataclass(slots=True)
class _Anchors:
    """Goes through a program and finds the latest value of the source that is read."""

    parts: Parts
    by_reader: Mapping[Var, str]
    terms: Set[Var]
    owners: dict[Var, str] = field(default_factory=dict)
    _place: dict[str, int] = field(default_factory=dict)
    _named: dict[Operand, Anchor] = field(default_factory=dict)
    _read: dict[Operand, Anchor] = field(default_factory=dict)

    def name(self, var: Var, name: str) -> None:
        """Let a value of the source, or a part of it, be found by those who read it."""
        place = self._place.setdefault(name, len(self._place))
        self._named[var] = place, name

    def add(self, out: Var, statement: Statement) -> None:
        """Find the owner of what a statement makes."""
        owner = self._of_source(out)
        if owner:
            self.name(out, owner)
        else:
            owner = self._of_derivative(out, statement.inputs)
        self.owners[out] = owner

    def _of_source(self, out: Var) -> str:
        if _word(out.hint) and out not in self.terms:
            return out.hint if _is_of_source(out) else ""
        known = self.parts.get(out.span, "") if out.span else ""
        return known or self.by_reader.get(out, "")

    def _of_derivative(self, out: Var, inputs: Sequence[Operand]) -> str:
        """`dy` where y is read; what reads only derivatives belongs where they do."""
        named = max((self._named.get(o, _NOWHERE) for o in inputs), default=_NOWHERE)
        read = max((self._read.get(o, _NOWHERE) for o in inputs), default=_NOWHERE)
        self._read[out] = found = read if named == _NOWHERE else named
        return f"d{found[1]}" if found[1] else RESULT
