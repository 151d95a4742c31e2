"""The schedule: which values get a statement, which are nested into their use.

A value gets a statement where it is used more than once, where the user named it, or
where a line would be too long; everything else is nested, for that is what a reader
expects and runs up to twice as fast. Values only ever move down: to their use, never
out of the block they stand in and never into an arm that might not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ad_transform.emit.python.expressions import (
    MAX_HEIGHT,
    Bound,
    Piece,
    Vague,
    compose,
    literal_text,
    text_atom,
    value_atom,
)
from ad_transform.emit.python.layout import INDENT, width
from ad_transform.emit.python.spelling import SUM, Form, Reference
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.lines import Bind
from ad_transform.emit.schedule.records import saved
from ad_transform.emit.schedule.scope import Scope
from ad_transform.emit.schedule.uses import count_uses
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

MAX_TERMS = 12
"""Lines of one sum; a longer one is cut."""

# Beside a float these take a whole literal as a float, with the same result: arithmetic
# on two floats is twice as fast.
_MIXED = frozenset(
    {"add", "sub", "mul", "div", "mod", "floordiv", "lt", "le", "gt", "ge", "eq", "ne"}
)
_MODULE = Passing.MODULE
# Calls whose type mypy takes from their arguments.
_GENERIC = frozenset({"builtins.abs", "builtins.sum", "builtins.round"})

Schedule = Callable[["Scheduler", Any, Frame], Task[None] | None]
"""How a kind of statement is scheduled: a task where it holds blocks."""


class Scheduler:
    """Turns a function into lines and the pieces that it returns.

    `columns` estimates the width of the name that a value will get; `rules` say how
    each kind of statement is scheduled.
    """

    def __init__(
        self,
        function: Function,
        scope: Scope,
        limit: int,
        columns: Callable[[Var], int],
        rules: Mapping[type[Statement], Schedule],
    ) -> None:
        self.function = function
        self.scope = scope
        self.limit = limit
        self.columns = columns
        self.rules = rules
        self.uses = count_uses(function)
        self.saved = saved(function)
        self.begun: set[Var] = set()  # lists that have been annotated
        self.items: set[Var] = set()  # of tuples: black writes `T[0] ** 2`
        self._bounds: dict[tuple[object, int, bool], Bound] = {}
        self._literals: dict[tuple[Literal, str], Piece] = {}

    def run(self, given: dict[Var, int], kept: frozenset[Var]) -> Frame:
        """The lines; `given` are the widths of the parameters' names.

        Values in `kept` are nested though the user named them.
        """
        self.kept = set(kept)
        frame = Frame(INDENT)
        for var, columns in given.items():
            atom = frame.values[var] = value_atom(var, columns, False)
            atom.hug = var not in self.items
        constants = {p.vars for p in self.function.parameters if p.passing is _MODULE}
        frame.owned = {v for v in given if (v,) not in constants} - self.items
        bounce(self.body(self.function.body, frame))
        return frame

    # --- operands ---------------------------------------------------------------------

    def piece(self, operand: Operand, frame: Frame) -> Piece:
        """What an operand is: a name, a literal, or an expression to be nested."""
        if isinstance(operand, Literal):
            return self.literal(operand)
        if frame.pending:
            frame.pending.pop(operand, None)
        return frame.values[operand]

    def literal(self, literal: Literal) -> Piece:
        """A literal by its name if it has one."""
        key = (literal, literal.name)
        piece = self._literals.get(key)
        if piece is None:
            text = self.scope.constant(literal)
            if text is None:
                text = literal_text(literal, self.scope.reference)
            piece = self._literals[key] = text_atom(text)
        return piece

    def operands(self, statement: Apply, frame: Frame) -> tuple[Piece, ...]:
        args = statement.args
        name = statement.op.name
        if name in _MIXED or name == "pow":
            args = _as_floats(name, args)
        values = frame.values
        if frame.pending:
            for arg in statement.inputs:
                if isinstance(arg, Var):
                    frame.pending.pop(arg, None)
        return tuple(
            [values[arg] if isinstance(arg, Var) else self.literal(arg) for arg in args]
        )

    def bound(self, key: object, form: Form, vague_power: bool = False) -> Bound:
        found = self._bounds.get((key, len(form.uses), vague_power))
        if found is None:
            found = self.bind_form(form, vague_power)
            self._bounds[(key, len(form.uses), vague_power)] = found
        return found

    def bind_form(self, form: Form, vague_power: bool) -> Bound:
        parts = tuple(
            (
                self.scope.reference(part.qualified)
                if isinstance(part, Reference)
                else part
            )
            for part in form.parts
        )
        first = form.parts[0]
        called = isinstance(first, Reference) and first.qualified not in _GENERIC
        vague = Vague.NEVER if called else Vague.AS_OPERANDS
        fixed = sum(width(part) for part in parts if isinstance(part, str))
        return Bound(form, parts, fixed, Vague.ALWAYS if vague_power else vague)

    # --- fitting ----------------------------------------------------------------------

    def fits(self, piece: Piece, indent: int, head: int) -> bool:
        """Whether `head` columns and the piece fit a line, or can be broken nicely."""
        if piece.height > MAX_HEIGHT:
            return False
        if indent + head + piece.width <= self.limit:
            return True
        if piece.terms < 3:
            return False
        inside = self.limit - indent - INDENT
        if piece.width <= inside:
            return True
        return (
            piece.tightness == SUM
            and piece.terms <= MAX_TERMS
            and piece.longest <= inside
        )

    def fitted(self, piece: Piece, frame: Frame, head: int) -> Piece:
        """The piece, with operands bound to names, widest first, until it fits."""
        while not self.fits(piece, frame.indent, head):
            bound = piece.bound
            if bound is None:
                break
            wide = -1
            for k, arg in enumerate(piece.args):
                movable = arg.bound is not None and bound.form.uses[k] == 1
                if movable and (wide < 0 or arg.width > piece.args[wide].width):
                    wide = k
            if wide < 0:
                break
            args = list(piece.args)
            args[wide] = self.bind(args[wide], frame)
            piece = compose(bound, tuple(args), piece.var)
        return piece

    def bind(self, piece: Piece, frame: Frame, annotated: bool = False) -> Piece:
        """The name of a piece that gets a statement of its own."""
        var = piece.var
        assert var is not None
        return self.assign(var, piece, frame, annotated)

    def assign(
        self, var: Var, piece: Piece, frame: Frame, annotated: bool = False
    ) -> Piece:
        """The name of a value that a new statement gives to `piece`."""
        target = frame.targets.get(var, var)
        columns = self.columns(target)
        head = columns + 3 + (len(": float") if annotated else 0)
        piece = self.fitted(piece, frame, head)
        frame.lines.append(Bind(target, piece, var.notes, annotated))
        frame.owned.add(var)
        atom = value_atom(target, columns, piece.vague and not annotated)
        frame.values[var] = atom
        return atom

    def head(self, var: Var) -> int:
        """What stands before a nested value if it has to get a statement after all."""
        return self.columns(var) + len(" = ")

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
        """Bind to names what has been read of arrays that are about to change."""
        if frame.pending:
            lists = {self.array(a, frame).var for a in arrays if a.type.dims}
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
                self.before_writing(statement.inputs, frame)
            task = self.rules[type(statement)](self, statement, frame)
            if task is not None:
                yield task


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
