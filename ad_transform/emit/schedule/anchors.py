"""Anchors: the value of the source that a value of derivative code belongs to.

It is the latest value of the source that is read. A parameter of an arm or a loop
belongs where its operand outside does, and a result where its value inside does. A
value called `x_bar` belongs to x.

Relies on: every value is bound once, before it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.emit.schedule.arm_lists import Keep, TakeBack
from ad_transform.emit.schedule.roles import (
    plain_name,
    role_beside,
    role_of,
    several,
    word,
)
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)

Parts = Mapping[Span, tuple[str, ...]]
"""The owners of a source's values, by place: a helper's place may have many."""

RESULT = "value"
"""The owner of parts of a result that has no name."""

Anchor = tuple[int, str]
"""The place of a name in the order of the program, and the name."""

_NOWHERE: Anchor = (-1, "")
_SUFFIXES = ("_bar", "_dot")


def is_of_source(out: Var) -> bool:
    """Whether a hint is the user's, not that of a derivative."""
    return out.named or out.span is not None


@dataclass(slots=True)
class Anchors:
    """Goes through a program, inner statements before the one that holds them.

    `parts` are those of the source, `by_reader` the names of the first values made of
    each value; `terms` have hints and lay no claim to them.
    """

    parts: Parts
    by_reader: Mapping[Var, str]
    terms: Set[Var]
    names: dict[Var, str] = field(default_factory=dict)
    _place: dict[str, int] = field(default_factory=dict)
    _plain: dict[Operand, str] = field(default_factory=dict)  # see `plain_name`
    _named: dict[Operand, Anchor] = field(default_factory=dict)
    _read: dict[Operand, Anchor] = field(default_factory=dict)
    _records: dict[Operand, Var] = field(default_factory=dict)  # by stack
    _kept: dict[Var, Sequence[Operand]] = field(default_factory=dict)  # by list

    def run(self, function: Function) -> None:
        """Find the names of all values of a function. Linear."""
        for parameter in function.parameters:
            for var in parameter.vars:
                name = word(var.hint) or word(parameter.name.partition(".")[0])
                self._name(var, name or RESULT)
        left: Statement | None
        waiting: list[tuple[Statement | None, Sequence[Statement], int]]
        waiting = [(None, function.body, 0)]
        while waiting:
            left, body, start = waiting.pop()
            if left is not None:
                self._leave(left)
            for k in range(start, len(body)):
                statement = body[k]
                if type(statement) is Apply:  # nearly always
                    self._add(statement.out, statement, 0)
                elif not statement.blocks:
                    self._leave(statement)
                else:
                    self._enter(statement)
                    waiting.append((statement, body, k + 1))
                    waiting += [(None, b.body, 0) for b in reversed(statement.blocks)]
                    break

    def _name(self, var: Operand, name: str) -> None:
        """Let the readers of a value of the source, or of a part of it, find it."""
        self._named[var] = self._placed(name)

    def _placed(self, name: str) -> Anchor:
        if name not in self._place:
            self._place[name] = len(self._place)
        return self._place[name], name

    # --- into blocks ------------------------------------------------------------------

    def _enter(self, statement: Statement) -> None:
        """Anchor the parameters of blocks at the operands that they stand for."""
        for block in statement.blocks:
            for param, outer in given(statement, block):
                record = self._records.get(outer)
                if word(param.hint):
                    self._hinted(param)
                elif record is not None and param.type == outer.type:
                    self._records[param] = record  # the same list, in an arm
                    self._follow(param, outer)
                elif record is not None:
                    self._follow(param, record)
                    self.names[param] = self._recorded(record)
                    if record in self._records:  # a list that was recorded
                        self._records[param] = self._records[record]
                else:
                    self._follow(param, outer)

    def _take(self, statement: TakeBack) -> None:
        """Anchor the values that an arm takes back at those that were kept."""
        kept = self._kept[statement.held]
        for out, record in zip(statement.outs, kept, strict=True):
            if word(out.hint):
                self._hinted(out)
                continue
            self._follow(out, record)
            if isinstance(record, Var):
                self.names[out] = self._recorded(record)

    def _hinted(self, param: Var) -> None:
        if is_of_source(param):
            self._name(param, param.hint)
            return
        name = param.hint
        while name.endswith(_SUFFIXES):
            name = name[:-4]
        self._read[param] = self._placed(name)

    def _follow(self, var: Operand, other: Operand) -> None:
        if other in self._named:
            self._named[var] = self._named[other]
        elif other in self._read:
            self._read[var] = self._read[other]

    def _recorded(self, record: Var) -> str:
        """The name of a record; one that is a list is called after its entries."""
        if record in self._records:
            return word(record.hint) or several(self._recorded(self._records[record]))
        return word(record.hint) or self.names.get(record, RESULT)

    # --- out of statements ------------------------------------------------------------

    def _leave(self, statement: Statement) -> None:
        """Find the names of the results of a statement."""
        if isinstance(statement, Keep):
            self._kept[statement.held] = statement.args
            if not statement.held.hint and isinstance(statement.args[0], Var):
                self.names[statement.held] = several(self._recorded(statement.args[0]))
        elif isinstance(statement, TakeBack):
            self._take(statement)
        else:
            for k, out in enumerate(statement.outs):
                self._add(out, statement, k)

    def _add(self, out: Var, statement: Statement, k: int) -> None:
        """Find the name of result k of a statement."""
        owner = self._of_source(out)
        made = None
        if isinstance(statement, Branch):
            made = self._made_in_an_arm(statement, k)
        known = self.names.get(made, word(made.hint)) if made is not None else ""
        if made is not None and known:
            self._follow(out, made)
            name = known
            if made in self._records:
                self._records[out] = self._records[made]
        elif owner:
            self._name(out, owner)
            name = role_of(statement, owner)
        else:
            name = self._of_derivative(out, statement, k)
        plain = ""
        if type(statement) is Apply:
            plain = plain_name(statement, self._plain)
        self._plain[out] = plain
        self.names[out] = plain or name
        if statement.blocks:
            self._stack(out, statement, k)

    def _stack(self, out: Var, statement: Statement, k: int) -> None:
        """Note the records that a list holds; none for a loop without trips."""
        if isinstance(statement, Scan) and statement.start == statement.stop:
            return
        if isinstance(statement, Scan | While) and out in statement.stacks:
            record = statement.body.results[k]
            if isinstance(record, Var):
                self._records[out] = record
                self.names[out] = several(self._recorded(record))

    def _made_in_an_arm(self, statement: Branch, k: int) -> Var | None:
        """The value in an arm that result k of a branch is called after, where the
        other arm gives a number, an empty list, or the value from in front of the
        branch.
        """
        ends = [block.results[k] for block in statement.blocks]
        found = [end for end in ends if isinstance(end, Var)]
        lists = [end for end in found if end in self._records]
        found = lists[:1] or found
        if len(found) == 1:
            return found[0]
        there = [
            end
            for end, block in zip(ends, statement.blocks, strict=True)
            if isinstance(end, Var) and end in block.params and word(end.hint)
        ]
        return there[0] if len(there) == 1 else None

    def _of_source(self, out: Var) -> str:
        if out.hint and word(out.hint) and out not in self.terms:
            return out.hint if is_of_source(out) else ""
        reader = self.by_reader.get(out, "")
        known = self.parts.get(out.span, ()) if out.span else ()
        return reader if not known or reader in known else known[0]

    def _of_derivative(self, out: Var, statement: Statement, k: int) -> str:
        """The name of a value of derivative code, after the latest value of the source
        that it reads. A value that reads only derivatives has their anchor.
        """
        inputs = statement.args if type(statement) is Apply else _made_of(statement, k)
        latest, found = _latest(inputs, self._named)
        if latest is None:
            latest, found = _latest(inputs, self._read)
        if statement.blocks and word(out.hint):
            self._hinted(out)
        else:
            self._read[out] = found
        if latest is None and inputs:
            latest = inputs[0]
        return role_beside(statement, latest, found[1] or RESULT)


def _latest(
    inputs: Sequence[Operand], places: Mapping[Operand, Anchor]
) -> tuple[Operand | None, Anchor]:
    """The first operand with the latest anchor, and that anchor."""
    latest, found = None, _NOWHERE
    for operand in inputs:
        if type(operand) is Var and operand in places and places[operand] > found:
            latest, found = operand, places[operand]
    return latest, found


def _made_of(statement: Statement, k: int) -> Sequence[Operand]:
    """The operands that decide the anchor of result k of a statement."""
    if isinstance(statement, Branch) and statement.args:
        return statement.args
    if isinstance(statement, Scan | While) and k < len(statement.body.results):
        return (statement.body.results[k],)
    return statement.inputs


def given(statement: Statement, block: Block) -> Iterable[tuple[Var, Operand]]:
    """The parameters of a block with the operands that they stand for."""
    match statement:
        case Branch(args=args):
            return zip(block.params, args, strict=True)
        case Scan():
            return zip(block.params[1:], statement.inputs[3:], strict=True)
        case While():
            return zip(block.params, statement.inputs, strict=True)
    return ()
