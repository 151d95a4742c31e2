"""Names of vertices, operations, and formulas as the emitted code would spell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.emit.expressions import (
    Bound,
    Piece,
    Vague,
    compose,
    literal_text,
    text_atom,
    text_of,
)
from ad_transform.emit.layout import width
from ad_transform.emit.spelling import (
    CONDITIONAL,
    CONJUNCTION,
    DISJUNCTION,
    Form,
    Reference,
    spelled,
)
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Block, Branch, Literal, Operand, Statement, Var

WIDEST = 240
"""Columns of the widest formula; what is wider is named or left out."""

INLINE = 16
"""Columns up to which a value without a name stands in formulas as an expression."""

OMITTED = "…"
BLANK = "·"


def reference(qualified: str) -> str:
    """How a function or constant is called: "math.sin" is `sin`."""
    return qualified.rpartition(".")[2]


def short(text: str, columns: int) -> str:
    """The text, cut to so many columns."""
    if width(text) <= columns:
        return text
    kept = ""
    for character in text:
        if width(kept + character) >= columns:
            break
        kept += character
    return kept.rstrip() + OMITTED


class Speller:
    """Spells values of a builder as Python expressions.

    `names` are those of the user's values, `spare` those of other vertices, used where
    the expression takes more than INLINE columns.
    """

    def __init__(
        self, builder: Builder, names: Mapping[Var, str], spare: Mapping[Var, str]
    ) -> None:
        self.builder = builder
        self.names = names
        self.spare = spare
        self._called: dict[Var, str] = {}
        self._pieces: dict[Operand, Piece] = {}

    def text(self, operand: Operand) -> str:
        """The formula of a value, by its name if it has one."""
        return text_of(self._piece(operand), {})

    def definition(self, var: Var) -> str:
        """The formula of a value whatever its name; empty for an input."""
        made = self.builder.definition.get(var)
        if made is None:
            return ""
        for operand in made.inputs:
            self._piece(operand)
        piece = _statement(made, var, self._pieces)
        return OMITTED if piece is None else text_of(piece, {})

    def label(self, operand: Operand, name: str) -> str:
        """The formula of a label; others call it `name` where it is too wide."""
        if isinstance(operand, Var) and operand not in self.names:
            self._called.setdefault(operand, name)
            if self._piece(operand).text == self._called[operand]:
                return self.definition(operand)
        return self.text(operand)

    def _piece(self, operand: Operand) -> Piece:
        stack = [operand]
        while stack:
            missing = [a for a in self._needs(stack[-1]) if a not in self._pieces]
            if missing:
                stack += missing
                continue
            top = stack.pop()
            if top not in self._pieces:
                self._pieces[top] = self._made(top)
        return self._pieces[operand]

    def _needs(self, operand: Operand) -> Sequence[Operand]:
        if isinstance(operand, Literal) or operand in self.names:
            return ()
        made = self.builder.definition.get(operand)
        return () if made is None else made.inputs

    def _made(self, operand: Operand) -> Piece:
        if isinstance(operand, Literal):
            return _literal(operand)
        if operand in self.names:
            return text_atom(self.names[operand])
        made = self.builder.definition.get(operand)
        if made is None:
            return text_atom(operand.hint or OMITTED)
        piece = _statement(made, operand, self._pieces)
        spare = self.spare.get(operand)
        if piece is None or piece.width > (INLINE if spare else WIDEST):
            return text_atom(spare or self._called.get(operand, OMITTED))
        return piece


def _statement(
    statement: Apply | Branch, out: Var, pieces: Mapping[Operand, Piece]
) -> Piece | None:
    """The expression of one output; None where it takes more than an expression."""
    if isinstance(statement, Apply):
        return _applied(statement, [pieces[arg] for arg in statement.args])
    test = pieces[statement.test]
    given = [pieces[arg] for arg in statement.args]
    place = statement.outs.index(out)
    arms = [_arm(b, given, place) for b in (statement.then, statement.orelse)]
    then, orelse = arms
    if then is None or orelse is None:
        return None
    if statement.then.results[place] == Literal(True):
        return compose(_bound(DISJUNCTION), (test, orelse), None)
    if statement.orelse.results[place] == Literal(False):
        return compose(_bound(CONJUNCTION), (test, then), None)
    return compose(_bound(CONDITIONAL), (then, test, orelse), None)


def _arm(block: Block, given: list[Piece], place: int) -> Piece | None:
    """The expression of a result of an arm without inner branches."""
    pieces: dict[Operand, Piece] = dict(zip(block.params, given, strict=True))

    def piece(operand: Operand) -> Piece:
        return _literal(operand) if isinstance(operand, Literal) else pieces[operand]

    for statement in block.body:
        if not isinstance(statement, Apply):
            return None
        made = _applied(statement, [piece(arg) for arg in statement.args])
        if made.width > WIDEST:
            return None
        pieces[statement.out] = made
    return piece(block.results[place])


def _applied(statement: Apply, args: Sequence[Piece]) -> Piece:
    return compose(_bound(spelled(statement.op, len(args))), tuple(args), None)


def _literal(literal: Literal) -> Piece:
    return text_atom(reference(literal.name) or literal_text(literal, reference))


def _bound(form: Form) -> Bound:
    parts = tuple(
        reference(part.qualified) if isinstance(part, Reference) else part
        for part in form.parts
    )
    fixed = sum(width(part) for part in parts if isinstance(part, str))
    return Bound(form, parts, fixed, Vague.NEVER)


# --- operations -----------------------------------------------------------------------

LONGEST = 12
"""Columns of an operation with its constants: `2.0 * ·`."""


def operation(statement: Statement, active: frozenset[Var], spell: Speller) -> str:
    """What a vertex does: `sin`, `*`, or with its constants: `2.0 * ·`, `·**2`."""
    if not isinstance(statement, Apply):
        return "if"
    form = spelled(statement.op, len(statement.args))
    bare = _bare(form)
    if active.issuperset(statement.args):
        return bare
    args = [
        text_atom(BLANK) if arg in active else text_atom(spell.text(arg))
        for arg in statement.args
    ]
    whole = text_of(_applied(statement, args), {})
    return whole if width(whole) <= LONGEST else bare


def _bare(form: Form) -> str:
    """The operation without operands: a function's name, or the signs."""
    for part in form.parts:
        if isinstance(part, Reference):
            return reference(part.qualified)
    texts = [part.strip() for part in form.parts if isinstance(part, str)]
    return BLANK.join(filter(None, texts)) or "="
