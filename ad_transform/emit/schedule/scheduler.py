"""The schedule: values that get a statement, and values that are nested into their use.

A value gets a statement where it is used more than once, where the user named it, or
where a line would be too long. Every other value is nested: a reader expects that, and
it runs up to twice as fast. Values only ever move down: to their use, never out of the
block they stand in and never into an arm that might not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.composer import Composer
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.items import Items
from ad_transform.emit.schedule.lines import Bind, Line
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.records import Records, held
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.build import as_float
from ad_transform.ir.nodes import (
    Apply,
    Function,
    Literal,
    Operand,
    Passing,
    Statement,
    Var,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Kind

# Beside a float these take a whole literal as a float, with the same result: arithmetic
# on two floats is twice as fast.
_MIXED = frozenset(
    {"add", "sub", "mul", "div", "mod", "floordiv", "lt", "le", "gt", "ge", "eq", "ne"}
)

Schedule = Callable[["Scheduler", Any, Frame], Task[None] | None]
"""A function that schedules a kind of statement: a task if that holds blocks."""


class Scheduler:
    """Turns a function into lines.

    `uses`     how often each value is used
    `columns`  an estimate of the width of the name that a value will get
    `rules`    how each kind of statement is scheduled
    `items`    the loops that go over the items of lists
    """

    def __init__(
        self,
        function: Function,
        composer: Composer,
        uses: Mapping[Var, int],
        columns: Callable[[Var], int],
        rules: Mapping[type[Statement], Schedule],
        items: Mapping[Statement, Items],
        records: Records,
        brief: Set[Var] = frozenset(),
    ) -> None:
        self.function = function
        self.composer = composer
        self.uses = uses
        self.columns = columns
        self.rules = rules
        self.items = items
        self.endings: frozenset[Statement] = frozenset()  # of arms without indentation
        self.brief = brief  # lists and counts without the trip that leaves the loop
        self.records = records
        self.held = held(function)
        self.consumption = Consumption()
        self.cramped = False  # whether something is split for it is wide
        self.begun: set[Var] = set()  # lists that have been started
        self.said: list[tuple[str, ...]] = []  # comments of loops
        self.choices: set[Var] = set()  # values of conditional expressions
        self.views: set[Var] = set()  # arrays whose memory is that of lists
        self._bind = composer.around[Bind]

    def run(self, given: Mapping[Var, str], kept: frozenset[Var]) -> Frame:
        """The lines; `given` are the names of the parameters' values.

        Values in `kept` are nested though the user named them.
        """
        self.kept = set(kept)
        frame = Frame(self.composer.indent, self.composer.indent)
        held = {v: p.nest.container for p in self.function.parameters for v in p.vars}
        for var, name in given.items():
            frame.values[var] = self.composer.given(var, name, held.get(var))
        frame.owned = set(given) - self._fixed()
        bounce(self.body(self.function.body, frame))
        return frame

    def _fixed(self) -> set[Var]:
        """The values of constants of the module, and of items, which have no names."""
        return {
            var
            for parameter in self.function.parameters
            for var in parameter.vars
            if parameter.passing is Passing.MODULE or "." in parameter.name
        }

    def said_once(self, notes: tuple[str, ...]) -> tuple[str, ...]:
        """The comments of a loop, unless it stands in the text already."""
        if any(notes is one for one in self.said):
            return ()
        if notes:
            self.said.append(notes)
        return notes

    # --- operands ---------------------------------------------------------------------

    def piece(self, operand: Operand, frame: Frame) -> Piece:
        """The piece of an operand: a name, a literal, or an expression to be nested."""
        if type(operand) is Literal:
            return self.composer.literal(operand)
        if frame.pending:
            frame.pending.pop(operand, None)
        return frame.values[operand]

    def applied(self, statement: Apply, frame: Frame) -> Piece:
        """The operation of a statement."""
        args = statement.args
        name = statement.op.name
        if name in _MIXED or name == "pow":
            args = _as_floats(name, args)
        values = frame.values
        if frame.pending:
            for arg in statement.inputs:
                if type(arg) is Var:
                    frame.pending.pop(arg, None)
        literal = self.composer.literal
        pieces = [literal(a) if type(a) is Literal else values[a] for a in args]
        return self.composer.applied(statement, tuple(pieces))

    # --- fitting ----------------------------------------------------------------------

    def beside(self, kind: type[Line], *names: Var) -> int:
        """Columns that a line takes beside its expression, with the names it binds."""
        return self.composer.around[kind] + sum(map(self.columns, names))

    def fits(self, piece: Piece, frame: Frame, head: int) -> bool:
        """Whether `head` columns and the piece fit a line, or can be broken nicely."""
        found = self.composer.fits(piece, frame.indent, head)
        self.cramped = self.cramped or not found
        return found

    def fitted(self, piece: Piece, frame: Frame, head: int) -> Piece:
        """The piece, with operands bound to names, widest first, until it fits."""
        while not self.composer.fits(piece, frame.indent, head):
            self.cramped = True
            wide = piece.widest()
            if wide is None:
                break
            args = list(piece.args)
            args[wide] = self.bind(args[wide], frame)
            piece = piece.over(tuple(args))
        return piece

    def bind(self, piece: Piece, frame: Frame, annotated: bool = False) -> Piece:
        """The name of a piece that gets a statement of its own. If the piece has no
        value, the operand that it converts gets the name.
        """
        if piece.var is not None:
            return self.assign(piece.var, piece, frame, annotated)
        args = (self.bind(a, frame) if a.may_move else a for a in piece.args)
        return piece.over(tuple(args))

    def assign(
        self, var: Var, piece: Piece, frame: Frame, annotated: bool = False
    ) -> Piece:
        """The name of a value that a new statement gives to `piece`."""
        target = frame.targets.get(var, var)
        columns = self.columns(target)
        head = self._bind + columns
        if annotated:
            head += self.composer.annotation
        piece = self.fitted(piece, frame, head)
        frame.lines.append(Bind(target, piece, var.notes, annotated))
        frame.owned.add(var)
        is_vague = piece.is_vague and not annotated
        atom = frame.values[var] = self.composer.named(target, columns, is_vague)
        if var in self.views:
            atom.reads = piece.reads
        return atom

    def annotated(self, name: Piece, frame: Frame) -> bool:
        """Give the only statement that names a value its type; False if it cannot."""
        lines = frame.lines
        bound = [k for k, line in enumerate(lines) if _binds(line, name.var)]
        if not name.is_atom or len(bound) != 1:
            return False
        line = lines[bound[0]]
        assert isinstance(line, Bind)
        if line.value.is_atom:  # one name goes on under the other
            return False
        head = self.beside(Bind, line.var) + self.composer.annotation
        if not self.fits(line.value, frame, head):
            return False
        lines[bound[0]] = replace(line, annotated=True)
        return True

    def named(self, var: Var, is_vague: bool = False) -> Piece:
        """A value that gets a name."""
        return self.composer.named(var, self.columns(var), is_vague)

    def head(self, var: Var) -> int:
        """Columns in front of a nested value if it has to get a statement after all."""
        return self._bind + self.columns(var)

    def settle(self, var: Var, piece: Piece, frame: Frame) -> None:
        """Nest a value or give it a statement."""
        if self.uses[var] == 1 and (not var.named or var in self.kept):
            frame.values[var] = piece
            if piece.reads:
                frame.pending[var] = piece
        else:
            self.assign(var, piece, frame)

    def place(self, var: Var, piece: Piece, frame: Frame) -> None:
        """Nest a number or give it a statement; a list always has a name."""
        if var.type.dims:
            self.assign(var, piece, frame)
        else:
            self.settle(var, piece, frame)

    def before_writing(self, arrays: Iterable[Operand], frame: Frame) -> None:
        """Bind pending values to names if they read arrays that are about to change. No
        pending value reads a list of tuples of records.
        """
        if frame.pending:
            plain = (a for a in arrays if a.type.dims and a not in self.records.saved)
            lists = {self.array(a, frame).var for a in plain}
            for var, piece in list(frame.pending.items()):
                if not lists.isdisjoint(piece.reads):
                    del frame.pending[var]
                    self.assign(var, piece, frame)

    def array(self, array: Operand, frame: Frame) -> Piece:
        """The name of an array."""
        assert isinstance(array, Var)
        return frame.values[array]

    # --- statements -------------------------------------------------------------------

    def body(self, statements: tuple[Statement, ...], frame: Frame) -> Task[None]:
        """Schedule statements one after another."""
        for statement in statements:
            if statement.blocks:
                self.before_writing(self.consumption.by(statement), frame)
            task = self.rules[type(statement)](self, statement, frame)
            if task is not None:
                yield task


def _binds(line: Line, var: Var | None) -> bool:
    return isinstance(line, Bind) and line.var is var


def _as_floats(name: str, args: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """Whole literals beside floats as floats; the exponent of a power stays whole."""
    left, right = args
    if left.type.kind is right.type.kind:
        return args
    if isinstance(left, Literal) and left.type.kind is Kind.INT and right.type.is_real:
        return (as_float(left), right)
    if isinstance(right, Literal) and right.type.kind is Kind.INT and left.type.is_real:
        return args if name == "pow" else (left, as_float(right))
    return args
