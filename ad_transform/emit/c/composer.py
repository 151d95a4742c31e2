"""Expressions of one function in C, composed and measured for a schedule."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from typing import cast

from ad_transform.emit.c.dialect import CONDITION, C, inner_name, number
from ad_transform.emit.c.lists import list_name, type_name
from ad_transform.emit.compiled.spelling import (
    AND,
    ATOM,
    COMPARE,
    OR,
    TERNARY,
    UNARY,
    Form,
    Part,
    Slot,
    merged,
    spelled,
)
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
from ad_transform.emit.schedule.scope import Scope
from ad_transform.emit.width import width
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.elemental import Form as Choice
from ad_transform.ir.nodes import Apply, Container, Literal, Origin, Var
from ad_transform.ir.types import Kind, Type

INDENT = 4
MAX_HEIGHT = 40
"""Deepest nesting of expressions."""


class Text(Piece):
    """An expression in C: an atom, or a form of expressions.

    text       of an atom that is no value
    fails      whether computing it may set `memory.failed`
    """

    __slots__ = ("fails", "form", "height", "text", "tightness")

    args: tuple[Text, ...]

    def __init__(
        self, form: Form | None, args: tuple[Text, ...], var: Var | None, text: str = ""
    ) -> None:
        super().__init__(args, () if form is None else form.uses, var)
        self.form = form
        self.text = text
        self.is_atom = form is None
        self.tightness = ATOM if form is None else form.tightness
        self.height: int = 1 + max((arg.height for arg in args), default=0)
        self.fails: bool = any(arg.fails for arg in args)
        self.width = width(text)
        for arg in args:
            if arg.reads:
                self.reads |= arg.reads
        if form is not None:
            self.width = sum(
                (
                    width(part)
                    if isinstance(part, str)
                    else args[part.arg].width
                    + 2 * (args[part.arg].tightness < part.least)
                )
                for part in form.parts
            )

    def over(self, args: tuple[Piece, ...]) -> Text:
        """The same form of other expressions."""
        made = Text(self.form, cast("tuple[Text, ...]", args), self.var)
        made.fails = made.fails or self.fails
        return made


def text_of(piece: Piece, names: Mapping[Var, str]) -> str:
    """The expression on one line."""
    out: list[str] = []
    stack: list[Piece | str] = [piece]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        assert isinstance(item, Text)
        if item.form is None:
            out.append(item.text if item.var is None else names[item.var])
            continue
        for part in reversed(item.form.parts):
            if isinstance(part, str):
                stack.append(part)
                continue
            arg = item.args[part.arg]
            stack += [arg] if arg.tightness >= part.least else [")", arg, "("]
    return "".join(out)


_CONNECTIVES = {
    Connective.CONDITIONAL: Form(
        TERNARY, (Slot(1, OR), " ? ", Slot(0, OR), " : ", Slot(2, TERNARY)), (2, 2, 2)
    ),
    Connective.CONJUNCTION: Form(
        AND, (Slot(0, CONDITION), " && ", Slot(1, CONDITION)), (1, 2)
    ),
    Connective.DISJUNCTION: Form(
        OR, (Slot(0, CONDITION), " || ", Slot(1, CONDITION)), (1, 2)
    ),
}
_NOT = Form(UNARY, ("!", Slot(0, ATOM)), (1,))
_IDENTITY = frozenset({"float", "pos"})


class CComposer:
    """C's `emit.schedule.composer.Composer`, lines `limit` columns wide."""

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
    most_names = float("inf")

    def __init__(
        self,
        scope: Scope,
        limit: int,
        lower: Mapping[Var, int],
        memory: str,
    ) -> None:
        self.scope = scope
        self.limit = limit
        self.lower = lower
        self.memory = memory
        self.numbers: dict[str, float | int] = {}

    def uses(self, op: Elemental, count: int) -> tuple[int, ...]:
        """How often the spelling of an elemental evaluates each operand."""
        if op.layout is not None or op.name in ("eq", "ne"):
            return (1,) * count
        return spelled(C, op, count, False).uses

    def is_tuple(self, types: Sequence[Type]) -> bool:
        """There are no tuples."""
        return False

    def taken(self) -> set[str]:
        """The names by which the function calls what it refers to."""
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

    def literal(self, literal: Literal) -> Text:
        """A literal, by its name if it has one."""
        name = None
        if literal.origin is not Origin.LIBRARY:
            name = self.scope.constant(literal)
        if name is not None and not isinstance(literal.value, str):
            if literal.origin is not Origin.LOCAL:
                self.numbers[name] = literal.value
            return Text(None, (), None, name)
        value = literal.value
        text = json.dumps(value) if isinstance(value, str) else number(value)
        piece = Text(None, (), None, text)
        piece.tightness = UNARY if text.startswith("-") else ATOM
        return piece

    # --- operations -------------------------------------------------------------------

    def applied(self, statement: Apply, pieces: tuple[Piece, ...]) -> Text:
        """An elemental as its row spells it, or what it does to a list."""
        op, args = statement.op, cast("tuple[Text, ...]", pieces)
        if op.layout is not None:
            return self._on_list(statement, args)
        kinds = [a.type.kind for a in statement.args]
        if Kind.STR in kinds:
            sign = " == 0" if op.name == "eq" else " != 0"
            parts: tuple[Part, ...] = ("strcmp(", Slot(0, 0), ", ", Slot(1, 0), ")")
            return Text(Form(COMPARE, (*parts, sign), (1, 1)), args, statement.out)
        whole = Kind.FLOAT not in kinds
        if whole and op.form is Choice.CHOICE and args[0].var is args[1].var:
            return args[0]
        form = spelled(C, op, len(args), whole)
        if op.name in _IDENTITY and not whole:
            return args[0]
        if op.name.startswith("is") and whole:
            args = tuple(_converted(arg) for arg in args)
        return Text(form, args, statement.out)

    def called(self, callee: str, pieces: tuple[Piece, ...], var: Var | None) -> Text:
        """`ad_callee(&memory, x, y)`; a writer adds where several results go."""
        parts: list[Part] = [f"{inner_name(callee)}({self.memory}"]
        for k in range(len(pieces)):
            parts += [", ", Slot(k, TERNARY)]
        form = Form(ATOM, merged([*parts, ")"]), (1,) * len(pieces))
        made = Text(form, cast("tuple[Text, ...]", pieces), var)
        made.fails = True
        return made

    def joined(
        self, connective: Connective, pieces: tuple[Piece, ...], var: Var
    ) -> Text:
        """`test ? x : y`, `test && x`, `test || x`."""
        return Text(_CONNECTIVES[connective], cast("tuple[Text, ...]", pieces), var)

    def negated(self, piece: Piece, var: Var | None) -> Piece:
        """`!x`, x of `!x`."""
        assert isinstance(piece, Text)
        if piece.form is not None and piece.form.parts[0] == "!":
            return piece.args[0]
        return Text(_NOT, (piece,), var)

    # --- lists ------------------------------------------------------------------------

    def _on_list(self, statement: Apply, args: tuple[Text, ...]) -> Text:
        parts = LISTS[statement.op.name](self, statement)
        allocates = any(isinstance(p, str) and f"({self.memory}" in p for p in parts)
        form = Form(ATOM, merged(parts), (1,) * len(args))
        made = Text(form, args, statement.out)
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


def _converted(arg: Text) -> Text:
    return Text(Form(UNARY, ("(double)", Slot(0, ATOM)), (1,)), (arg,), None)


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
    return list_name(type_.kind, len(type_.dims))


def _making(name: str, *order: int) -> Written:
    """`ad_name_reals(&memory, x, y)`, the arguments in this order."""

    def written(composer: CComposer, statement: Apply) -> list[Part]:
        parts: list[Part] = [f"ad_{name}_{_kept(statement)}({composer.memory}"]
        for k in order or range(len(statement.args)):
            parts += [", ", Slot(k, TERNARY)]
        return [*parts, ")"]

    return written


def _telling(name: str) -> Written:
    def written(composer: CComposer, statement: Apply) -> list[Part]:
        return [f"ad_{name}_{_kept(statement)}(", Slot(0, TERNARY), ")"]

    return written


def _append(composer: CComposer, statement: Apply) -> list[Part]:
    head = f"ad_push_{_kept(statement)}({composer.memory}, &"
    return [head, Slot(0, ATOM), ", ", Slot(1, TERNARY), ")"]


def _item(type_: Type) -> Type:
    """What a list of such a type holds."""
    return Type(type_.kind, type_.dims[1:])


def _pack(composer: CComposer, statement: Apply) -> list[Part]:
    count, type_ = len(statement.args), statement.out.type
    name, item = list_name(type_.kind, len(type_.dims)), type_name(_item(type_))
    head = f"ad_pack_{name}({composer.memory}, {count}, (const {item}[]){{"
    parts: list[Part] = [head]
    for k in range(count):
        parts += [", ", Slot(k, TERNARY)] if k else [Slot(k, TERNARY)]
    return [*parts, "})"]


# fmt: off
LISTS: Mapping[str, Written] = {
    "get":           lambda c, s: c.element(s, 1),
    "size":          lambda c, s: [*c.element(s, 1), ".size"],
    "set":           _changing("="),
    "add_at":        _changing("+="),
    "sub_at":        _changing("-="),
    "append":        _append,
    "pop":           lambda c, s: [Slot(0, ATOM), ".size--"],
    "pack":          _pack,
    "full":          _making("full", 0, 1),
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
    "max_in":        _telling("max"),
    "min_in":        _telling("min"),
}
# fmt: on
"""How what is done with lists is written."""
