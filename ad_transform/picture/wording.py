"""Names of vertices, operations, and formulas as the emitted code would spell them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ad_transform.emit.python.expressions import (
    Bound,
    Expression,
    Vague,
    compose,
    literal_text,
    text_atom,
    text_of,
)
from ad_transform.emit.python.spelling import (
    CONDITIONAL,
    CONJUNCTION,
    DISJUNCTION,
    SUM,
    TERM,
    Reference,
    Spelling,
    spelled,
)
from ad_transform.emit.width import width
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.formulas import Formula, definition, terms_of
from ad_transform.ir.nodes import Apply, Block, Branch, Literal, Operand, Statement, Var

WIDEST = 240
"""Columns of the widest formula; wider ones are named or left out."""

INLINE = 16
"""Columns up to which a value without a name stands in formulas as an expression."""

Pieces = Mapping[Operand, Expression]

OMITTED = "…"
BLANK = "·"


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


_QUALIFIED = re.compile(r"(?<![\w.])[a-z]\w*(?:\.\w+)+")
_LONG = re.compile(r"(?<![\w.])\d+\.\d{5,}(?:e[+-]?\d+)?")


def rounded(text: str) -> str:
    """The formula with its long numbers rounded to four digits."""
    return _LONG.sub(lambda found: f"{float(found[0]):.4g}", text)


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
        self.taken = frozenset(names.values())
        self._called: dict[Var, str] = {}
        self._pieces: dict[Operand, Expression] = {}

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
        piece = self._statement(made, var, self._pieces)
        return OMITTED if piece is None else text_of(piece, {})

    def label(self, operand: Operand, name: str) -> str:
        """The formula of a label; `name` stands for it elsewhere if it is too wide."""
        if isinstance(operand, Var) and operand not in self.names:
            self._called.setdefault(operand, name)
            if self._piece(operand).text == self._called[operand]:
                return self.definition(operand)
        return self.text(operand)

    def _piece(self, operand: Operand) -> Expression:
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

    def _made(self, operand: Operand) -> Expression:
        if isinstance(operand, Literal):
            return self._literal(operand)
        if operand in self.names:
            return text_atom(self.names[operand])
        made = self.builder.definition.get(operand)
        if made is None:
            return text_atom(operand.hint or OMITTED)
        piece = self._statement(made, operand, self._pieces)
        spare = self.spare.get(operand)
        if piece is None or piece.width > (INLINE if spare else WIDEST):
            return text_atom(spare or self._called.get(operand, OMITTED))
        return piece

    # --- statements -------------------------------------------------------------------

    def _statement(
        self, statement: Statement, out: Var, pieces: Pieces, depth: int = 0
    ) -> Expression | None:
        """The expression of one output; None where it takes more than an expression."""
        if isinstance(statement, Apply):
            args = [self._of(arg, pieces) for arg in statement.args]
            return self.applied(statement, args)
        if not isinstance(statement, Branch):
            return None
        test = self._of(statement.test, pieces)
        given = [self._of(arg, pieces) for arg in statement.args]
        place = statement.outs.index(out)
        then = self._arm(statement.then, given, place, depth + 1)
        orelse = self._arm(statement.orelse, given, place, depth + 1)
        if then is None or orelse is None:
            return None
        if statement.then.results[place] == Literal(True):
            return compose(self._bound(DISJUNCTION), (test, orelse), None)
        if statement.orelse.results[place] == Literal(False):
            return compose(self._bound(CONJUNCTION), (test, then), None)
        return compose(self._bound(CONDITIONAL), (then, test, orelse), None)

    def _arm(
        self, block: Block, given: list[Expression], place: int, depth: int
    ) -> Expression | None:
        """The expression of a result of an arm, if it is short and not too deep."""
        if depth > _DEEPEST:
            return None
        pieces: dict[Operand, Expression] = dict(zip(block.params, given, strict=True))
        for statement in block.body:
            for out in statement.outs:
                piece = self._statement(statement, out, pieces, depth)
                if piece is None or piece.width > WIDEST:
                    return None
                pieces[out] = piece
        return self._of(block.results[place], pieces)

    def _of(self, operand: Operand, pieces: Pieces) -> Expression:
        if isinstance(operand, Literal):
            return self._literal(operand)
        return pieces[operand]

    def applied(self, statement: Apply, args: Sequence[Expression]) -> Expression:
        """The operation of a statement on other operands."""
        bound = self._bound(spelled(statement.op, len(args)))
        return compose(bound, tuple(args), None)

    def of(self, text: str, statement: Apply) -> str:
        """The operation of a statement on a text in the place of its first operand."""
        others = [self._piece(arg) for arg in statement.args[1:]]
        return text_of(self.applied(statement, [text_atom(text), *others]), {})

    def _literal(self, literal: Literal) -> Expression:
        if literal.formula is not None:
            return self._formula(literal.formula)
        if literal.name:
            return text_atom(self.reference(literal.name))
        return text_atom(literal_text(literal, self.reference))

    def _formula(self, formula: Formula) -> Expression:
        """A constant made of named ones, in brackets where it needs them."""
        text = definition(formula)
        text = _QUALIFIED.sub(lambda found: self.reference(found[0]), text)
        piece = text_atom(text)
        if len(terms_of(formula)) > 1:
            piece.tightness = SUM
        elif not text.isidentifier():
            piece.tightness = TERM
        return piece

    def _bound(self, form: Spelling) -> Bound:
        parts = tuple(
            self.reference(part.qualified) if isinstance(part, Reference) else part
            for part in form.parts
        )
        fixed = sum(width(part) for part in parts if isinstance(part, str))
        return Bound(form, parts, fixed, Vague.NEVER)

    def reference(self, qualified: str) -> str:
        """The reference to a function: `sin`, or `math.sin` if `sin` is taken."""
        module, _, name = qualified.rpartition(".")
        hidden = name in self.taken and module not in ("", "helpers")
        return qualified if hidden else name


_DEEPEST = 8


# --- operations -----------------------------------------------------------------------

LONGEST = 12
"""Columns of an operation with its constants: `2.0 * ·`."""


def operation(statement: Statement, active: frozenset[Var], spell: Speller) -> str:
    """The operation of a vertex: `sin`, `*`, or with constants: `2.0 * ·`, `·**2`."""
    if not isinstance(statement, Apply):
        return "if" if isinstance(statement, Branch) else "loop"
    form = spelled(statement.op, len(statement.args))
    bare = _bare(statement.op, form)
    if active.issuperset(statement.args):
        return bare
    args = [
        text_atom(BLANK) if arg in active else text_atom(spell.text(arg))
        for arg in statement.args
    ]
    whole = text_of(spell.applied(statement, args), {})
    return whole if width(whole) <= LONGEST else bare


def _bare(op: Elemental, form: Spelling) -> str:
    """The operation without operands: a function's name or a sign."""
    if form.is_call and isinstance(form.parts[0], Reference):
        return form.parts[0].qualified.rpartition(".")[2]
    texts = [part.strip() for part in form.parts if isinstance(part, str)]
    signs = [text for text in texts if text]
    return signs[0] if len(signs) == 1 and form.tightness >= SUM else op.name


def amount(count: int, noun: str) -> str:
    """ "1 edge", "2 edges"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
