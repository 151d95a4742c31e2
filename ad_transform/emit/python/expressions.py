"""Expressions in Python: trees of spellings over values, with their widths.

An expression knows its future width, so that the schedule can decide which values are
nested and which get a statement. Expressions are never much wider than a line and never
higher than MAX_HEIGHT.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable, Mapping
from enum import Enum
from typing import cast, final

from ad_transform.emit.python.layout import quoted
from ad_transform.emit.python.spelling import (
    ATOM,
    FACTOR,
    SUM,
    TERM,
    TERNARY,
    Colon,
    Slot,
    Spelling,
)
from ad_transform.emit.schedule.pieces import NOTHING, Piece
from ad_transform.emit.width import width
from ad_transform.ir.nodes import Literal, Var, node

MAX_HEIGHT = 60
"""Deepest nesting; Python's own parser gives up at 200 open parentheses."""

Names = Mapping[Var, str]


class Vague(Enum):
    """The operations whose type mypy takes for `Any`."""

    NEVER = 0
    AS_OPERANDS = 1
    ALWAYS = 2  # x**y with a float exponent


@node
class Bound:
    """A spelling whose references have become text.

    parts     texts, slots and colons in order
    fixed     the width of the texts
    vague     when mypy takes the type of the whole for `Any`
    """

    spelling: Spelling
    parts: tuple[str | Slot | Colon, ...]
    fixed: int
    vague: Vague


@final
class Expression(Piece):
    """A piece in Python: an atom, or a spelling of expressions.

    bound      the spelling, None for atoms
    text       of an atom that is no value
    terms      into how many lines black would split it: terms of a sum, factors of a
               product, 3 for a conditional expression, else 1
    longest    width of the longest term of a sum with its sign
    hug        whether black writes `x**2` of it
    """

    __slots__ = ("bound", "height", "hug", "longest", "terms", "text", "tightness")

    args: tuple[Expression, ...]

    def __init__(
        self,
        bound: Bound | None,
        args: tuple[Expression, ...],
        var: Var | None,
        text: str,
    ) -> None:
        self.args = args
        self.uses = () if bound is None else bound.spelling.uses
        self.var = var
        self.width = 0
        self.is_vague = False
        self.reads = NOTHING
        self.held = None
        self.bound = bound
        self.text = text
        self.tightness = ATOM
        self.height = 0
        self.terms = 1
        self.longest = 0
        self.hug = False
        self.is_atom = bound is None

    def over(self, args: tuple[Piece, ...]) -> Expression:
        """The same spelling of other expressions."""
        assert self.bound is not None
        return compose(self.bound, cast("tuple[Expression, ...]", args), self.var)


def value_atom(var: Var, columns: int, vague: bool) -> Expression:
    """A value that has a name."""
    piece = Expression(None, (), var, "")
    piece.width = piece.longest = columns
    piece.hug = True
    piece.is_vague = vague
    if var.type.dims:
        piece.reads = frozenset({var})
    return piece


def text_atom(text: str) -> Expression:
    """A literal or the name of a constant."""
    piece = Expression(None, (), None, text)
    piece.width = piece.longest = width(text)
    negative = text.startswith("-")
    piece.tightness = FACTOR if negative else ATOM
    piece.hug = not text.startswith(('"', "'"))
    return piece


def literal_text(literal: Literal, reference: Callable[[str], str]) -> str:
    """A literal without a name; infinities and NaN are constants of `math`."""
    value = literal.value
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        if value != value:
            return reference("math.nan")
        if value in (float("inf"), float("-inf")):
            return ("-" if value < 0 else "") + reference("math.inf")
    return repr(value).replace("e+", "e")


def key_text(name: str) -> str:
    """A key of a dict as black writes it."""
    value = literal_eval(name)
    return quoted(value) if isinstance(value, str) else name


def compose(bound: Bound, args: tuple[Expression, ...], var: Var | None) -> Expression:
    """A spelling of pieces; its width counts the parentheses it needs.

    An expression that is spelled as its operand is that operand.
    """
    parts = bound.parts
    if len(parts) == 1 and type(parts[0]) is Slot:
        return args[parts[0].arg]
    piece = Expression(bound, args, var, "")
    spelling = bound.spelling
    columns = bound.fixed
    height = 0
    vague = False
    for part in parts:
        if type(part) is Slot:
            arg = args[part.arg]
            columns += arg.width
            if not part.bare >> arg.tightness & 1:
                columns += 2
            height = max(height, arg.height)
            vague = vague or arg.is_vague
        elif type(part) is Colon:
            columns += len(_colon(part, args))
    if spelling.power:
        left, right = args
        piece.hug = False
        if left.is_atom and left.hug and left.tightness == ATOM and _hugs(right):
            columns -= 2
    piece.tightness = spelling.tightness
    piece.width = piece.longest = columns
    piece.height = height + 1
    piece.is_vague = bound.vague is Vague.ALWAYS or (
        vague and bound.vague is Vague.AS_OPERANDS
    )
    if spelling.tightness in _SPLIT:
        _measure_terms(piece, args)
    for arg in args:
        if arg.reads:
            piece.reads |= arg.reads
    return piece


_SPLIT = frozenset({SUM, TERM, TERNARY})


def _measure_terms(piece: Expression, args: tuple[Expression, ...]) -> None:
    if piece.tightness == TERNARY:
        piece.terms = 3
        return
    left, right = args
    last = right.width + 2 + (2 if right.tightness <= piece.tightness else 0)
    if left.tightness == piece.tightness:
        piece.terms = left.terms + 1
        piece.longest = max(left.longest, last)
    else:
        piece.terms = 2
        first = left.width + (2 if left.tightness < piece.tightness else 0)
        piece.longest = max(first, last)


def _colon(colon: Colon, args: tuple[Expression, ...]) -> str:
    """A colon between `args`: `x[i:-1]`, but `x[i + 1 :]`."""
    return ":" if all(map(_hugs, (args[k] for k in colon.bounds))) else colon.loose


def _hugs(piece: Expression) -> bool:
    """Whether black writes `x**piece`, and `x[piece:]`, without blanks."""
    if piece.is_atom:
        return piece.hug
    bound = piece.bound
    return (
        bound is not None
        and bound.parts[0] in ("-", "+")
        and piece.args[0].is_atom
        and piece.args[0].hug
        and piece.args[0].tightness == ATOM
    )


def text_of(piece: Piece, names: Names) -> str:
    """The expression on one line."""
    assert isinstance(piece, Expression)
    out: list[str] = []
    stack: list[Expression | str] = [piece]
    while stack:
        item = stack.pop()
        if type(item) is Expression:
            stack += _unfolded(item, names)
        else:
            out.append(item)
    return "".join(out)


def _unfolded(piece: Expression, names: Names) -> list[Expression | str]:
    """The parts of an expression, the last one first."""
    bound = piece.bound
    if bound is None:
        return [names[piece.var] if piece.var is not None else piece.text]
    found: list[Expression | str] = []
    parts = bound.parts
    if bound.spelling.power:
        left, right = piece.args
        if left.is_atom and left.hug and left.tightness == ATOM and _hugs(right):
            parts = (parts[0], "**", parts[2])
    for part in reversed(parts):
        if type(part) is Slot:
            arg = piece.args[part.arg]
            own: Expression | str = arg
            if arg.bound is None:  # a name or a number, mostly
                own = names[arg.var] if arg.var is not None else arg.text
            if part.bare >> arg.tightness & 1:
                found.append(own)
            else:
                found += (")", own, "(")
        elif type(part) is Colon:
            found.append(_colon(part, piece.args))
        elif isinstance(part, str):
            found.append(part)
    return found
