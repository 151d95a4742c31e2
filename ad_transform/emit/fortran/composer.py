"""Expressions of one function in Fortran.

There are no conditional expressions: `merge` computes both of its arguments, so it
stands only where that does no harm; else the schedule makes an `if` of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from ad_transform.emit.compiled.composer import CompiledComposer
from ad_transform.emit.compiled.expressions import Text
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.compiled.spelling import (
    AND,
    ATOM,
    COMPARE,
    OR,
    SUM,
    TERM,
    TERNARY,
    UNARY,
    Part,
    Slot,
    Spelling,
    in_commas,
    merged,
)
from ad_transform.emit.fortran.dialect import FORTRAN, PREFIX, plain
from ad_transform.emit.fortran.folded import Folded
from ad_transform.emit.fortran.lists import NUMBERS
from ad_transform.emit.schedule.composer import Connective
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scope import Scope
from ad_transform.ir.elemental import WHOLE
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.types import Kind, Type

_MERGE = Spelling(
    ATOM,
    ("merge(", Slot(0, TERNARY), ", ", Slot(2, TERNARY), ", ", Slot(1, TERNARY), ")"),
    (2, 2, 2),
)
_JOINING = {
    Connective.CONJUNCTION: Spelling(
        AND, (Slot(0, COMPARE), " .and. ", Slot(1, COMPARE)), (1, 2)
    ),
    Connective.DISJUNCTION: Spelling(
        OR, (Slot(0, COMPARE), " .or. ", Slot(1, COMPARE)), (1, 2)
    ),
}
_NOT = Spelling(UNARY, (".not. ", Slot(0, ATOM)), (1,))
_REAL = Spelling(ATOM, ("real(", Slot(0, TERNARY), ", dp)"), (1,))
_WHOLE = Spelling(ATOM, (f"{PREFIX}whole(", Slot(0, TERNARY), ")"), (1,))
_TRUTH = Spelling(COMPARE, (Slot(0, SUM), " /= 0"), (1,))

_GIVEN = Spelling(ATOM, (f"{PREFIX}given(", Slot(0, TERNARY), ")"), (1,))

_MIXED = frozenset({"add", "sub", "mul", "div", "lt", "le", "gt", "ge", "eq", "ne"})
"""Operations that take numbers of both kinds."""


class FortranComposer(CompiledComposer):
    """Fortran's composer; `kinds` are those of the literals that stand as pieces."""

    dialect = FORTRAN

    def __init__(self, scope: Scope, limit: int, lower: Mapping[Var, int]) -> None:
        super().__init__(scope, limit, lower)
        self.folded = Folded()

    def literal(self, literal: Literal) -> Text:
        """A literal as a number or a text."""
        value = literal.value
        if isinstance(value, str):
            doubled = value.replace('"', '""')
            return Text(None, (), None, f'"{doubled}"')
        piece = self.number(value)
        piece.kind = literal.type.kind
        return piece

    def called(self, callee: str, pieces: tuple[Piece, ...], var: Var | None) -> Text:
        """`ad_callee(x, y, failed)`; a writer adds the places of several results."""
        parts: list[Part] = [f"{inner_name(callee)}("]
        for k in range(len(pieces)):
            parts += [Slot(k, TERNARY), ", "]
        spelling = Spelling(ATOM, merged([*parts, "failed)"]), (1,) * len(pieces))
        made = Text(spelling, cast("tuple[Text, ...]", pieces), var)
        made.fails = made.risky = True
        return made

    def joined(
        self, connective: Connective, pieces: tuple[Piece, ...], var: Var
    ) -> Text:
        """`merge(x, y, test)`, `test .and. x`, `test .or. x`."""
        args = cast("tuple[Text, ...]", pieces)
        if connective is Connective.CONDITIONAL:
            then, test, orelse = args
            kind = var.type.kind
            args = (of_kind(then, kind), truth(test), of_kind(orelse, kind))
            made = Text(_MERGE, args, var)
            # gfortran frees the parts of a list that `merge` gives twice
            is_one = kind is not Kind.STR and not var.type.dims
            made.unfit = then.risky or orelse.risky or not is_one
            return made
        made = Text(_JOINING[connective], tuple(map(truth, args)), var)
        made.unfit = args[1].risky
        return made

    def negated(self, piece: Piece, var: Var | None) -> Piece:
        """`.not. x`, x of `.not. x`."""
        assert isinstance(piece, Text)
        if piece.spelling is not None and piece.spelling.parts[0] == ".not. ":
            return piece.args[0]
        return Text(_NOT, (truth(piece),), var)

    def compared(self, statement: Apply, args: tuple[Text, ...]) -> Text:
        """`x == y`, of texts."""
        sign = " == " if statement.op.name == "eq" else " /= "
        spelling = Spelling(COMPARE, (Slot(0, SUM), sign, Slot(1, SUM)), (1, 1))
        return Text(spelling, args, statement.out)

    def converted(
        self, statement: Apply, args: tuple[Text, ...], whole: bool
    ) -> tuple[Text, ...]:
        """The operands; a call hides a value that the compiler could not fold."""
        made = self._converted(statement, args, whole)
        is_called = whole and statement.op.result == "promote"
        if not made or is_called or self.folded.has(statement):
            return made
        first = Text(_GIVEN, (of_kind(made[0], Kind.FLOAT),), None)
        first.kind = Kind.FLOAT
        return first, *made[1:]

    def _converted(
        self, statement: Apply, args: tuple[Text, ...], whole: bool
    ) -> tuple[Text, ...]:
        """Fortran converts whole numbers in arithmetic, and no others."""
        name = statement.op.name
        if name in ("not", "both", "either"):
            return tuple(map(truth, args))
        is_real = statement.out.type.is_real and WHOLE not in statement.op.spellings
        if whole and not is_real and not name.startswith("is"):
            return tuple(of_kind(arg, Kind.INT) for arg in args)
        if name in _MIXED:
            return tuple(
                of_kind(arg, Kind.INT) if arg.kind is Kind.BOOL else arg for arg in args
            )
        return tuple(map(self._as_float, statement.args, args))

    def _as_float(self, operand: Operand, arg: Text) -> Text:
        """An operand as a float: `2.0_dp`, and not `real(2_ip, dp)`."""
        if isinstance(operand, Literal) and operand.type.kind is Kind.INT:
            return self.number(float(operand.value))
        return of_kind(arg, Kind.FLOAT)

    def fits(self, piece: Piece, indent: int, columns: int) -> bool:
        """Whether it may stand in one statement of a line or two."""
        assert isinstance(piece, Text)
        return not piece.unfit and super().fits(piece, indent, columns)

    # --- lists ------------------------------------------------------------------------

    def on_list(self, statement: Apply, args: tuple[Text, ...]) -> Text:
        """An operation on a list as an expression. An element to append is copied: it
        may be one of the same list, which moves.
        """
        if statement.op.name == "append" and _is_element(args[1]):
            args = args[0], copied(args[1])
        parts = merged(LISTS[statement.op.name](self, statement))
        made = Text(Spelling(ATOM, parts, (1,) * len(args)), args, statement.out)
        made.risky = True
        return made

    def element(self, statement: Apply, first: int) -> list[Part]:
        """`x%at(i)%at(j)`; the indices begin with argument `first`."""
        parts: list[Part] = [Slot(0, ATOM)]
        for k in range(first, len(statement.args)):
            index = statement.args[k]
            if isinstance(index, Literal):
                assert isinstance(index.value, int)
                inside: list[Part] = [str(index.value)]
                if index.value < 0:
                    inside = [*parts, f"%size - {-index.value}"]
            elif self.lower.get(index, -1) >= 0:
                inside = [Slot(k, TERNARY)]
            else:
                inside = ["ad_place(", Slot(k, TERNARY), ", ", *parts, "%size)"]
            parts = [*parts, "%at(", *inside, ")"]
        return parts


def inner_name(name: str) -> str:
    """The name of a function that only its own module calls."""
    return PREFIX + plain(name)


def of_kind(piece: Text, kind: Kind) -> Text:
    """A number as one of another kind."""
    if piece.kind is kind or piece.kind is None:
        return piece
    if kind is Kind.BOOL:
        return truth(piece)
    whole = Text(_WHOLE, (piece,), None) if piece.kind is Kind.BOOL else piece
    whole.kind = Kind.INT
    if kind is Kind.INT:
        return whole
    made = Text(_REAL, (whole,), None)
    made.kind = kind
    return made


def truth(piece: Text) -> Text:
    """A number as a test: numbers other than 0 are true."""
    if piece.kind in (Kind.BOOL, None):
        return piece
    made = Text(_TRUTH, (piece,), None)
    made.kind = Kind.BOOL
    return made


def copied(piece: Text) -> Text:
    """A copy of a list; a number in brackets, which is one."""
    is_list = piece.var is not None and bool(piece.var.type.dims)
    head = f"ad_copy_{list_name(piece.var.type)}" if is_list and piece.var else ""
    spelling = Spelling(ATOM, (f"{head}(", Slot(0, TERNARY), ")"), (1,))
    return Text(spelling, (piece,), piece.var)


def _is_element(piece: Text) -> bool:
    """Whether it is an element of a list, and no expression of its own."""
    parts = () if piece.spelling is None else piece.spelling.parts
    return any(isinstance(part, str) and part.startswith("%at(") for part in parts)


Written = Callable[[FortranComposer, Apply], list[Part]]


def _changing(sign: str) -> Written:
    """`x%at(i) = y`, `x%at(i) = x%at(i) + y`."""

    def written(composer: FortranComposer, statement: Apply) -> list[Part]:
        return _assigned(composer.element(statement, 2), sign)

    return written


def _assigned(place: list[Part], sign: str) -> list[Part]:
    old: list[Part] = [*place, f" {sign} "] if sign else []
    return [*place, " = ", *old, Slot(1, TERM if sign else TERNARY)]


def _kept(statement: Apply) -> str:
    """The kind of list that a statement makes, or that its first argument is."""
    made = statement.out.type
    return list_name(made if made.dims else statement.args[0].type)


def _call(name: str, kind: str, statement: Apply) -> list[Part]:
    return [f"ad_{name}_{kind}(", *in_commas(range(len(statement.args))), ")"]


def _making(name: str) -> Written:
    """`ad_name_reals(x, y)`."""

    return lambda composer, statement: _call(name, _kept(statement), statement)


def _added_up(composer: FortranComposer, statement: Apply) -> list[Part]:
    head = f"ad_pairwise_{list_name(statement.args[0].type)}("
    return [head, Slot(0, TERNARY), ", 0_ip, ", Slot(0, ATOM), "%size)"]


def _exact(name: str, *first: Part) -> list[Part]:
    """`ad_name(first, x%at(0:x%size - 1))`"""
    parts: list[Part] = [f"ad_{name}("]
    for part in first:
        parts += [part, ", "]
    return [*parts, Slot(0, ATOM), "%at(0:", Slot(0, ATOM), "%size - 1))"]


def _at(place: int) -> list[Part]:
    """`x%at(k)`, a place that surely exists."""
    return [Slot(0, ATOM), "%at(", Slot(place, TERNARY), ")"]


def _storing(sign: str) -> Written:
    return lambda composer, statement: _assigned(_at(2), sign)


def _listed(name: str) -> Written:
    """`ad_name_reals(x, y)`, by the kind of the first argument."""

    return lambda composer, statement: _call(
        name, list_name(statement.args[0].type), statement
    )


def _missing(name: str) -> Written:
    """`(ad_name_reals(x, y) < 0)`"""
    told = _listed(name)
    return lambda composer, statement: ["(", *told(composer, statement), " < 0)"]


def _new(composer: FortranComposer, statement: Apply) -> list[Part]:
    return [f"ad_new_{_kept(statement)}(", Slot(1, TERNARY), ")"]


def _append(composer: FortranComposer, statement: Apply) -> list[Part]:
    head = f"call ad_push_{_kept(statement)}("
    return [head, Slot(0, ATOM), ", ", Slot(1, TERNARY), ")"]


def _pop(composer: FortranComposer, statement: Apply) -> list[Part]:
    return [Slot(0, ATOM), "%size = ", Slot(0, ATOM), "%size - 1"]


def _pack(composer: FortranComposer, statement: Apply) -> list[Part]:
    type_ = statement.out.type
    item = Type(type_.kind, type_.dims[1:])
    inside = f"ad_{list_name(item)}" if item.dims else NUMBERS[item.kind]
    head = f"ad_pack_{list_name(type_)}([{inside} :: "
    return [head, *in_commas(range(len(statement.args))), "])"]


# fmt: off
LISTS: Mapping[str, Written] = {
    "get":           lambda c, s: c.element(s, 1),
    "size":          lambda c, s: [*c.element(s, 1), "%size"],
    "set":           _changing(""),
    "add_at":        _changing("+"),
    "sub_at":        _changing("-"),
    "read":          lambda c, s: _at(1),
    "store":         _storing(""),
    "gain":          _storing("+"),
    "pairwise":      _making("pairwise"),
    "sorting":       _listed("sorting"),
    "pivoting":      _listed("pivoting"),
    "behind":        _listed("behind"),
    "solved":        _listed("solved"),
    "rooted":        _listed("rooted"),
    "measured":      _listed("measured"),
    "eigen":         _listed("eigen"),
    "inverted":      _listed("inverted"),
    "before":        _listed("before"),
    "place":         _listed("find"),
    "place_beside":  _listed("beside"),
    "place_among":   _listed("among"),
    "absent":        _missing("find"),
    "absent_beside": _missing("beside"),
    "absent_among":  _missing("among"),
    "array":         _new,
    "append":        _append,
    "pop":           _pop,
    "pack":          _pack,
    "full":          _making("full"),
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
    "sum_of":        _making("sum"),
    "sum_of_rows":   _making("sum"),
    "sum_of_layers": _making("sum"),
    "sum_gap":       lambda c, s: _exact("sum_error", Slot(1, TERNARY)),
    "total_of":      lambda c, s: _exact("total"),
    "fsum_of":       lambda c, s: _exact("fsum", "0.0_dp"),
    "hypot_in":      lambda c, s: _exact("norm"),
    "sum_in":        _added_up,
    "largest_in":    _making("largest"),
    "max_in":        _making("max"),
    "min_in":        _making("min"),
}
# fmt: on
"""The rows that write operations on lists."""
