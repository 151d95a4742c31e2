"""Expressions of one function in C."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import cast

from ad_transform.emit.c.dialect import CONDITION, C, inner_name
from ad_transform.emit.c.lists import type_name
from ad_transform.emit.compiled.composer import CompiledComposer
from ad_transform.emit.compiled.expressions import Text
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.compiled.spelling import (
    AND,
    ATOM,
    COMPARE,
    OR,
    TERNARY,
    UNARY,
    Part,
    Slot,
    Spelling,
    in_commas,
    merged,
)
from ad_transform.emit.schedule.composer import Connective
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scope import Scope
from ad_transform.ir.nodes import Apply, Literal, Origin, Var
from ad_transform.ir.types import Type

_CONNECTIVES = {
    Connective.CONDITIONAL: Spelling(
        TERNARY, (Slot(1, OR), " ? ", Slot(0, OR), " : ", Slot(2, TERNARY)), (2, 2, 2)
    ),
    Connective.CONJUNCTION: Spelling(
        AND, (Slot(0, CONDITION), " && ", Slot(1, CONDITION)), (1, 2)
    ),
    Connective.DISJUNCTION: Spelling(
        OR, (Slot(0, CONDITION), " || ", Slot(1, CONDITION)), (1, 2)
    ),
}
_NOT = Spelling(UNARY, ("!", Slot(0, ATOM)), (1,))
_DOUBLE = Spelling(UNARY, ("(double)", Slot(0, ATOM)), (1,))


class CComposer(CompiledComposer):
    """C's composer; `memory` is the expression for the memory of the call."""

    dialect = C

    def __init__(
        self, scope: Scope, limit: int, lower: Mapping[Var, int], memory: str
    ) -> None:
        super().__init__(scope, limit, lower)
        self.memory = memory

    def literal(self, literal: Literal) -> Text:
        """A literal, by its name if it has one."""
        name = None
        if literal.origin is not Origin.LIBRARY:
            name = self.scope.constant(literal)
        if name is not None and not isinstance(literal.value, str):
            if literal.origin is not Origin.LOCAL:
                self.numbers[name] = literal.value
            return Text(None, (), None, name)
        if isinstance(literal.value, str):
            return Text(None, (), None, json.dumps(literal.value))
        return self.number(literal.value)

    def called(self, callee: str, pieces: tuple[Piece, ...], var: Var | None) -> Text:
        """`ad_callee(&memory, x, y)`; a writer adds the places of several results."""
        parts: list[Part] = [f"{inner_name(callee)}({self.memory}"]
        for k in range(len(pieces)):
            parts += [", ", Slot(k, TERNARY)]
        spelling = Spelling(ATOM, merged([*parts, ")"]), (1,) * len(pieces))
        made = Text(spelling, cast("tuple[Text, ...]", pieces), var)
        made.fails = made.risky = True
        return made

    def joined(
        self, connective: Connective, pieces: tuple[Piece, ...], var: Var
    ) -> Text:
        """`test ? x : y`, `test && x`, `test || x`."""
        return Text(_CONNECTIVES[connective], cast("tuple[Text, ...]", pieces), var)

    def negated(self, piece: Piece, var: Var | None) -> Piece:
        """`!x`, x of `!x`."""
        assert isinstance(piece, Text)
        if piece.spelling is not None and piece.spelling.parts[0] == "!":
            return piece.args[0]
        return Text(_NOT, (piece,), var)

    def compared(self, statement: Apply, args: tuple[Text, ...]) -> Text:
        """`strcmp(x, y) == 0`."""
        sign = " == 0" if statement.op.name == "eq" else " != 0"
        parts: tuple[Part, ...] = ("strcmp(", Slot(0, 0), ", ", Slot(1, 0), ")")
        return Text(Spelling(COMPARE, (*parts, sign), (1, 1)), args, statement.out)

    def converted(
        self, statement: Apply, args: tuple[Text, ...], whole: bool
    ) -> tuple[Text, ...]:
        """The operands; C converts them, but for those of macros."""
        if statement.op.name.startswith("is") and whole:
            return tuple(Text(_DOUBLE, (arg,), None) for arg in args)
        if statement.op.name == "div" and statement.args[1] == Literal(0):
            return args[0], self.number(0.0)  # compilers warn of `x / 0`
        return args

    # --- lists ------------------------------------------------------------------------

    def on_list(self, statement: Apply, args: tuple[Text, ...]) -> Text:
        """An operation on a list as an expression."""
        parts = LISTS[statement.op.name](self, statement)
        allocates = any(isinstance(p, str) and f"({self.memory}" in p for p in parts)
        spelling = Spelling(ATOM, merged(parts), (1,) * len(args))
        made = Text(spelling, args, statement.out)
        made.fails = made.fails or allocates
        return made

    def element(self, statement: Apply, first: int) -> list[Part]:
        """`x.at[i].at[j]`; the indices begin with argument `first`."""
        parts: list[Part] = [Slot(0, ATOM)]
        for k in range(first, len(statement.args)):
            index = statement.args[k]
            if isinstance(index, Literal):
                assert isinstance(index.value, int)
                before = list(parts)
                inside: list[Part] = [str(index.value)]
                if index.value < 0:
                    inside = [*before, f".size - {-index.value}"]
            elif self.lower.get(index, -1) >= 0:
                inside = [Slot(k, TERNARY)]
            else:
                inside = ["ad_place(", Slot(k, TERNARY), ", ", *parts, ".size)"]
            parts = [*parts, ".at[", *inside, "]"]
        return parts


Written = Callable[[CComposer, Apply], list[Part]]


def _changing(sign: str) -> Written:
    def written(composer: CComposer, statement: Apply) -> list[Part]:
        return [*composer.element(statement, 2), f" {sign} ", Slot(1, TERNARY)]

    return written


def _kept(statement: Apply) -> str:
    """The kind of list that a statement makes, or that its first argument is."""
    type_ = statement.out.type
    if not type_.dims:
        type_ = statement.args[0].type
    return list_name(type_)


def _making(name: str, *order: int) -> Written:
    """`ad_name_reals(&memory, x, y)`, the arguments in this order."""

    def written(composer: CComposer, statement: Apply) -> list[Part]:
        parts: list[Part] = [f"ad_{name}_{_kept(statement)}({composer.memory}"]
        for k in order or range(len(statement.args)):
            parts += [", ", Slot(k, TERNARY)]
        return [*parts, ")"]

    return written


def _placing(name: str) -> Written:
    """`ad_name_reals(&memory, x, y)`: places of items, by the kind of these."""

    def written(composer: CComposer, statement: Apply) -> list[Part]:
        own = list_name(statement.args[0].type)
        head = f"ad_{name}_{own}({composer.memory}, "
        return [head, *in_commas(range(len(statement.args))), ")"]

    return written


def _telling(name: str, *more: int) -> Written:
    """`ad_name_reals(x)`, and more arguments behind the list."""

    def written(composer: CComposer, statement: Apply) -> list[Part]:
        own = list_name(statement.args[0].type)
        parts: list[Part] = [f"ad_{name}_{own}(", Slot(0, TERNARY)]
        for k in more:
            parts += [", ", Slot(k, TERNARY)]
        return [*parts, ")"]

    return written


def _missing(name: str, *more: int) -> Written:
    """`(ad_name_reals(x, y) < 0)`"""
    told = _telling(name, *more)
    return lambda composer, statement: ["(", *told(composer, statement), " < 0)"]


def _added_up(composer: CComposer, statement: Apply) -> list[Part]:
    head = f"ad_pairwise_{list_name(statement.args[0].type)}("
    return [head, Slot(0, TERNARY), ", 0, ", Slot(0, ATOM), ".size)"]


def _exact(name: str, *first: Part) -> list[Part]:
    """`ad_name(first, x.size, x.at)`"""
    parts: list[Part] = [f"ad_{name}("]
    for part in first:
        parts += [part, ", "]
    return [*parts, Slot(0, ATOM), ".size, ", Slot(0, ATOM), ".at)"]


def _at(place: int = 1) -> list[Part]:
    """`x.at[k]`, a place that surely exists."""
    return [Slot(0, ATOM), ".at[", Slot(place, TERNARY), "]"]


def _storing(sign: str) -> Written:
    return lambda composer, statement: [*_at(2), f" {sign} ", Slot(1, TERNARY)]


def _append(composer: CComposer, statement: Apply) -> list[Part]:
    head = f"ad_push_{_kept(statement)}({composer.memory}, &"
    return [head, Slot(0, ATOM), ", ", Slot(1, TERNARY), ")"]


def _item(type_: Type) -> Type:
    """The type of the items of a list."""
    return Type(type_.kind, type_.dims[1:])


def _pack(composer: CComposer, statement: Apply) -> list[Part]:
    count, type_ = len(statement.args), statement.out.type
    name, item = list_name(type_), type_name(_item(type_))
    head = f"ad_pack_{name}({composer.memory}, {count}, (const {item}[]){{"
    return [head, *in_commas(range(count)), "})"]


# fmt: off
LISTS: Mapping[str, Written] = {
    "get":           lambda c, s: c.element(s, 1),
    "size":          lambda c, s: [*c.element(s, 1), ".size"],
    "set":           _changing("="),
    "add_at":        _changing("+="),
    "sub_at":        _changing("-="),
    "read":          lambda c, s: _at(),
    "store":         _storing("="),
    "gain":          _storing("+="),
    "pairwise":      _telling("pairwise", 1, 2),
    "sorting":       _placing("sorting"),
    "pivoting":      _placing("pivoting"),
    "behind":        _telling("behind", 1),
    "solved":        _making("solved"),
    "rooted":        _making("rooted"),
    "measured":      _making("measured"),
    "eigen":         _making("eigen"),
    "inverted":      _making("inverted"),
    "before":        _telling("before", 1),
    "place":         _telling("find", 1),
    "place_beside":  _telling("beside", 1, 2, 3),
    "place_among":   _telling("among", 1, 2, 3, 4, 5),
    "absent":        _missing("find", 1),
    "absent_beside": _missing("beside", 1, 2, 3),
    "absent_among":  _missing("among", 1, 2, 3, 4, 5),
    "append":        _append,
    "pop":           lambda c, s: [Slot(0, ATOM), ".size--"],
    "pack":          _pack,
    "full":          _making("full", 0, 1),
    "array":         _making("new", 1),
    "grid":          _making("full"),
    "block":         _making("full"),
    "like":          _making("like"),
    "rows_like":     _making("like"),
    "layers_like":   _making("like"),
    "copy":          _making("copy"),
    "copy_rows":     _making("copy"),
    "copy_layers":   _making("copy"),
    "added":         _making("added"),
    "added_rows":    _making("added"),
    "added_layers":  _making("added"),
    "sum_of":        _telling("sum"),
    "sum_of_rows":   _telling("sum"),
    "sum_of_layers": _telling("sum"),
    "sum_gap":       lambda c, s: _exact("sum_error", Slot(1, TERNARY)),
    "total_of":      lambda c, s: _exact("total"),
    "fsum_of":       lambda c, s: _exact("fsum", "0.0"),
    "hypot_in":      lambda c, s: _exact("norm"),
    "sum_in":        _added_up,
    "largest_in":    _telling("largest"),
    "max_in":        _telling("max"),
    "min_in":        _telling("min"),
}
# fmt: on
"""The rows that write operations on lists."""
