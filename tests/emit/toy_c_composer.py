"""The expressions of the toy second target, see `toy_c`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ad_transform.emit.schedule.composer import Connective
from ad_transform.emit.schedule.lines import (
    Append,
    Assert,
    Bind,
    Do,
    If,
    Line,
    Loop,
    Raise,
    Unpack,
    Update,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Literal, Var
from ad_transform.ir.types import Kind, Type

FUNCTIONS = """
sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh
asinh acosh atanh erf erfc fabs floor ceil trunc lgamma isnan isinf isfinite
"""
_OF_TWO = ("atan2", "copysign", "fmod", "remainder", "hypot", "pow")
_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "plus": "+", "minus": "-", "times": "*",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
}  # fmt: skip

SPELLINGS: Mapping[str, str] = {
    **{name: f"{name}({{0}})" for name in FUNCTIONS.split()},
    **{name: f"{name}({{0}}, {{1}})" for name in _OF_TWO},
    **{name: f"{{0}} {sign} {{1}}" for name, sign in _SIGNS.items()},
    "div": "(double){0} / {1}",
    "neg": "-{0}",
    "pos": "+{0}",
    "not": "!{0}",
    "math_pow": "pow({0}, {1})",
    "abs": "fabs({0})",
    "float": "(double){0}",
    "int": "(long){0}",
    "max": "{1} > {0} ? {1} : {0}",
    "min": "{1} < {0} ? {1} : {0}",
    "max_of": "{1} > {0} ? {1} : {0}",
    "min_of": "{1} < {0} ? {1} : {0}",
    "if": "{1} ? {0} : {2}",
    "and": "{0} && {1}",
    "or": "{0} || {1}",
}
_CONNECTIVES = {
    Connective.CONDITIONAL: "if",
    Connective.CONJUNCTION: "and",
    Connective.DISJUNCTION: "or",
}
TYPES = {Kind.FLOAT: "double", Kind.INT: "long", Kind.BOOL: "int"}


def spelling(op: Elemental) -> str:
    """The toy's own table first, then what the row itself says of C."""
    return SPELLINGS.get(op.name) or op.spelling("c")


class Text(Piece):
    """An expression in C: a template over others, or a text."""

    __slots__ = ("template",)

    def __init__(
        self, template: str, args: tuple[Piece, ...], uses: tuple[int, ...], var: Any
    ) -> None:
        super().__init__(args, uses, var)
        self.template = template
        around = sum(arg.width + 2 * (not arg.is_atom) for arg in args)
        self.width = len(template) - 3 * len(args) + around

    def over(self, args: tuple[Piece, ...]) -> Text:
        return Text(self.template, args, self.uses, self.var)


def atom(text: str, var: Var | None, columns: int) -> Text:
    piece = Text(text, (), (), var)
    piece.width, piece.is_atom = columns, True
    return piece


class Composer:
    """Makes the expressions of a function in C."""

    limit = 88
    indent = 4
    around: Mapping[type[Line], int] = {
        Bind: 4, Update: 4, Append: 12, Unpack: 4, Do: 1, Assert: 8, Raise: 6, If: 7,
        Loop: 10,
    }  # fmt: skip
    annotation = 0
    never_named = frozenset[str]()
    most_names = float("inf")

    def uses(self, op: Elemental, count: int) -> tuple[int, ...]:
        text = spelling(op)
        lazy = "?" in text
        return tuple(
            2 if lazy or text.count(f"{{{k}}}") > 1 else 1 for k in range(count)
        )

    def is_tuple(self, types: Sequence[Type]) -> bool:
        return False

    def taken(self) -> set[str]:
        return {*FUNCTIONS.split(), *_OF_TWO, "append", "reverse", "trips"}

    def item(self, name: str, places: Sequence[str]) -> str:
        return name + "".join(f"[{k}]" for k in places)

    def given(self, var: Var, name: str, _: object) -> Piece:
        return atom("", var, len(name))

    def named(self, var: Var, columns: int, is_vague: bool) -> Piece:
        return atom("", var, columns)

    def literal(self, literal: Literal) -> Piece:
        text = _number(literal.value)
        return atom(text, None, len(text))

    def applied(self, statement: Apply, pieces: tuple[Piece, ...]) -> Piece:
        op = statement.op
        return Text(spelling(op), pieces, self.uses(op, len(pieces)), statement.out)

    def called(self, callee: str, pieces: tuple[Piece, ...], var: Var | None) -> Piece:
        slots = ", ".join(f"{{{k}}}" for k in range(len(pieces)))
        return Text(f"{callee}({slots})", pieces, (1,) * len(pieces), var)

    def joined(
        self, connective: Connective, pieces: tuple[Piece, ...], var: Var
    ) -> Piece:
        name = _CONNECTIVES[connective]
        return Text(SPELLINGS[name], pieces, (2,) * len(pieces), var)

    def negated(self, piece: Piece, var: Var | None) -> Piece:
        return Text("!{0}", (piece,), (1,), var)

    def message(self, parts: Sequence[str | Piece], formats: Sequence[str]) -> int:
        return 0

    def fits(self, piece: Piece, indent: int, columns: int) -> bool:
        return indent + columns + piece.width <= self.limit


def _number(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    text = repr(value)
    names = {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}
    return names.get(text, f"({text})" if text.startswith("-") else text)
