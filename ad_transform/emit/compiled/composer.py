"""Expressions of one function in a compiled language, composed and measured."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from typing import cast

from ad_transform.emit.compiled.expressions import Text
from ad_transform.emit.compiled.spelling import ATOM, TERNARY, Dialect, Slot, spelled
from ad_transform.emit.schedule.lines import (
    Append,
    Assert,
    Bind,
    Do,
    If,
    Item,
    Line,
    Loop,
    Raise,
    Unpack,
    Update,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scope import Scope
from ad_transform.emit.width import width
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.nodes import Apply, Container, Literal, Var
from ad_transform.ir.types import Kind

INDENT = 4
MAX_HEIGHT = 40
"""Deepest nesting of expressions."""

_IDENTITY = frozenset({"float", "pos"})

_ALONE = (Slot(0, TERNARY),)
"""The spelling of a sum of one number: that number, as tightly as it binds."""


class CompiledComposer(ABC):
    """An `emit.schedule.composer.Composer` of a dialect, lines `limit` columns wide.

    `lower` are the least that whole numbers can be, where that is known.
    """

    dialect: Dialect
    indent = INDENT
    around: Mapping[type[Line], int] = {
        Bind: len("const double  = ;"),
        Update: len(" = ;"),
        Append: len("ad_push_reals(&memory, &, );"),
        Unpack: INDENT,
        Do: 1,
        Assert: len("if (!()) {"),
        Raise: len("if () {"),
        If: len("if () {"),
        Loop: len("while () {"),
    }
    annotation = 0
    never_named: Set[str] = frozenset()
    over_items = False
    has_tuples = False
    index_lasts = False
    most_names = float("inf")

    def __init__(self, scope: Scope, limit: int, lower: Mapping[Var, int]) -> None:
        self.scope = scope
        self.limit = limit
        self.lower = lower
        self.numbers: dict[str, float | int] = {}

    def uses(self, op: Elemental, count: int) -> tuple[int, ...]:
        """Evaluations of each operand by the spelling of an elemental."""
        if op.layout is not None or op.name in ("eq", "ne"):
            return (1,) * count
        return spelled(self.dialect, op, count, False).uses

    def is_tuple(self, types: Sequence[Item]) -> bool:
        """There are no tuples."""
        return False

    def taken(self) -> set[str]:
        """The names of constants that the function refers to."""
        return set(self.numbers)

    # --- atoms ------------------------------------------------------------------------

    def item(self, name: str, places: Sequence[str]) -> str:
        """`x[0][1]`."""
        return name + "".join(f"[{k}]" for k in places)

    def given(self, var: Var, name: str, holder: Container | None) -> Text:
        """A value of a parameter."""
        return self.named(var, width(name), False)

    def named(self, var: Var, columns: int, is_vague: bool) -> Text:
        """A value with a name."""
        piece = Text(None, (), var)
        piece.width = columns
        if var.type.dims:
            piece.reads = frozenset({var})
        return piece

    @abstractmethod
    def literal(self, literal: Literal) -> Text:
        """A literal, by its name if it has one."""

    def truth(self, piece: Piece) -> bool | None:
        """The truth value of a literal True or False; None for anything else."""
        said = cast("Text", piece).text if piece.var is None else ""
        return {self.literal(Literal(v)).text: v for v in (True, False)}.get(said)

    def number(self, value: float | int) -> Text:
        """A number."""
        text = self.dialect.number(value)
        piece = Text(None, (), None, text)
        piece.tightness = self.dialect.minus[0] if text.startswith("-") else ATOM
        return piece

    # --- operations -------------------------------------------------------------------

    def applied(self, statement: Apply, pieces: tuple[Piece, ...]) -> Text:
        """An elemental as its row spells it, or an operation on a list."""
        op, args = statement.op, cast("tuple[Text, ...]", pieces)
        if op.layout is not None:
            return self.on_list(statement, args)
        kinds = [a.type.kind for a in statement.args]
        if Kind.STR in kinds:
            return self.compared(statement, args)
        is_fraction = op.form is Form.POWER and statement.out.type.is_real  # n**-2
        whole = Kind.FLOAT not in kinds and not is_fraction
        if whole and op.form is Form.CHOICE and args[0].var is args[1].var:
            return args[0]  # compilers warn of it
        if op.name in _IDENTITY and not whole:
            return args[0]
        spelling = spelled(self.dialect, op, len(args), whole)
        args = self.converted(statement, args, whole)
        if spelling.parts == _ALONE:
            return args[0]
        return Text(spelling, args, statement.out)

    @abstractmethod
    def on_list(self, statement: Apply, args: tuple[Text, ...]) -> Text:
        """An operation on a list as an expression."""

    @abstractmethod
    def compared(self, statement: Apply, args: tuple[Text, ...]) -> Text:
        """The comparison of two texts."""

    @abstractmethod
    def converted(
        self, statement: Apply, args: tuple[Text, ...], whole: bool
    ) -> tuple[Text, ...]:
        """The operands, of the types that the spelling of the operation takes."""

    # --- measures ---------------------------------------------------------------------

    def message(self, parts: Sequence[str | Piece], formats: Sequence[str]) -> int:
        """Nothing: it is a comment."""
        return 0

    def fits(self, piece: Piece, indent: int, columns: int) -> bool:
        """Whether it fits a line, or three of them broken at blanks."""
        assert isinstance(piece, Text)
        if piece.height > MAX_HEIGHT:
            return False
        return indent + columns + piece.width <= 2 * (self.limit - indent)
