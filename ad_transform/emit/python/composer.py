"""Expressions of one function, composed and measured for a schedule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, cast

from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import BY_NUMBER
from ad_transform.emit.python.chained import chained
from ad_transform.emit.python.dicts.keyed import ABSENT
from ad_transform.emit.python.expressions import (
    MAX_HEIGHT,
    Bound,
    Expression,
    Vague,
    compose,
    literal_text,
    text_atom,
    value_atom,
)
from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.python.on_arrays import (
    spelled_as,
    spelled_on_arrays,
    text_of_equals,
    text_of_floats,
)
from ad_transform.emit.python.references import References
from ad_transform.emit.python.spelling import (
    CHAINS,
    CONDITIONAL,
    CONJUNCTION,
    DISJUNCTION,
    PRESENT,
    PRESENT_AMONG,
    PRESENT_AS_PAIR,
    PRESENT_AS_THREE,
    PRESENT_BESIDE,
    SUM,
    Reference,
    Spelling,
    calling,
    spelled,
)
from ad_transform.emit.schedule.composer import Connective
from ad_transform.emit.schedule.lines import (
    Append,
    Assert,
    Bind,
    Do,
    If,
    Item,
    Line,
    Loop,
    Print,
    Raise,
    Unpack,
    Update,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.width import width
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Container, Literal, Operand, Origin, Var
from ad_transform.ir.types import Kind

MAX_TERMS = 12
"""Lines of one sum; a longer one is cut."""

_VAGUE_HOLDERS = (Container.ARRAY, Container.OBJECT, Container.DICT)

MANY = 200
"""Above this number of locals, names of dead temporaries are used again: CPython needs
a longer instruction for locals beyond 255, and floats that die early are cheaper."""

LEAST = 3
"""Records of a trip that are worth a tuple: `saved.append((a, b, c))` and then
`for a, b, c in reversed(saved)` take 100 to 150 ns a trip, three lists 120 to 190."""

# Calls whose type mypy takes from their arguments.
_GENERIC = frozenset({"builtins.abs", "builtins.sum", "builtins.round"})

_NARROWING = frozenset({"is_none", "is_given"})
"""Type checkers narrow types by these only if they stand in the test itself."""

_VAGUE = frozenset(
    [
        "mat_vec",
        "vec_mat",
        "mat_mat",
        "sum_rows",
        "sum_columns",
        "average_rows",
        "average_columns",
        "max_rows",
        "max_columns",
        "min_rows",
        "min_columns",
        "pow",
        "solved_for",
        "inverse",
        "turned",
    ]
)
"""Operations on arrays of which the type is `Any` to type checkers."""

_AROUND: Mapping[type[Line], int] = {
    Bind: len(" = "),
    Unpack: INDENT,
    Update: len(" = "),
    Append: len(".append()"),
    Do: 0,
    Assert: len("assert "),
    Raise: len("if :"),
    Print: len("print()"),
    If: len("if :"),
    Loop: len("while :"),
}

_CONNECTIVES = {
    Connective.CONDITIONAL: CONDITIONAL,
    Connective.CONJUNCTION: CONJUNCTION,
    Connective.DISJUNCTION: DISJUNCTION,
}

_NOT = TABLE["not"]
_OPPOSITES = tuple(
    (TABLE[one], TABLE[other])
    for a, b in (("eq", "ne"), ("lt", "ge"), ("le", "gt"))
    for one, other in ((a, b), (b, a))
)


_PRESENT = {
    TABLE["absent"]: PRESENT,
    TABLE["absent_beside"]: PRESENT_BESIDE,
    TABLE["absent_among"]: PRESENT_AMONG,
    ABSENT[2]: PRESENT_AS_PAIR,
    ABSENT[3]: PRESENT_AS_THREE,
}
"""The opposites of tests that an item is absent: rows outside of the table."""


def _is_whole(piece: Piece) -> bool:
    """Whether it is surely a whole number."""
    if piece.var is not None:
        return piece.var.type.kind is Kind.INT and not piece.var.type.is_array
    return isinstance(piece, Expression) and piece.text.removeprefix("-").isdecimal()


class PythonComposer:
    """Python's `emit.schedule.composer.Composer`, lines `limit` columns wide."""

    indent = INDENT
    around = _AROUND
    annotation = len(": float")
    never_named: Set[str] = _NARROWING | {"done"}
    over_items = True
    has_tuples = True
    index_lasts = True
    most_names: float = MANY

    def __init__(self, references: References, limit: int) -> None:
        self.references = references
        self.limit = limit
        self._bounds: dict[tuple[object, int, bool], Bound] = {}
        self._literals: dict[tuple[Literal, str], Expression] = {}

    @staticmethod
    def uses(op: Elemental, count: int) -> tuple[int, ...]:
        """Evaluations of each operand by the spelling of an elemental."""
        return spelled(op, count).uses

    @staticmethod
    def is_tuple(types: Sequence[Item]) -> bool:
        """Whether a tuple is faster."""
        return len(types) >= LEAST

    def taken(self) -> set[str]:
        """The names of modules, functions and helpers that the function refers to."""
        return self.references.taken()

    # --- atoms ------------------------------------------------------------------------

    def item(self, name: str, places: Sequence[str]) -> str:
        """`x[0][1]`."""
        return name + "".join(f"[{k}]" for k in places)

    def given(self, var: Var, name: str, holder: Container | None) -> Expression:
        """A value of a parameter; black writes `x[0] ** 2`, but `x**2`.

        mypy does not know what an array, an object or a dict holds.
        """
        atom = value_atom(var, width(name), holder in _VAGUE_HOLDERS)
        atom.hug = not name.endswith("]")
        return atom

    def named(self, var: Var, columns: int, is_vague: bool) -> Expression:
        """A value with a name."""
        return value_atom(var, columns, is_vague)

    def literal(self, literal: Literal) -> Expression:
        """A literal by its name if it has one."""
        key = (literal, literal.name)
        piece = self._literals.get(key)
        if piece is None:
            piece = self._literals[key] = text_atom(self._text(literal))
        return piece

    def truth(self, piece: Piece) -> bool | None:
        """The truth value of a literal True or False; None for anything else."""
        said = cast("Expression", piece).text if piece.var is None else ""
        return {"True": True, "False": False}.get(said)

    def _text(self, literal: Literal) -> str:
        reference, scope = self.references.reference, self.references.scope
        if literal.origin is Origin.LIBRARY:
            return reference(literal.name)
        return scope.constant(literal) or literal_text(literal, reference)

    # --- operations -------------------------------------------------------------------

    def applied(self, statement: Apply, pieces: tuple[Piece, ...]) -> Expression:
        """An elemental as its row spells it."""
        op, args = statement.op, statement.args
        if op is _NOT and self._has_opposite(pieces[0]):
            return self.negated(pieces[0], statement.out)
        if statement.out.type.shape:
            is_vague = op.name in _VAGUE or op.name in BY_NUMBER
        else:
            is_vague = op.name == "pow" and _is_vague_power(args)
        text = text_of_floats(op, args)
        if not text and statement.out.type.shape:
            text = text_of_equals(op, args)
        if text:
            spelling = spelled_as(text, op, len(args))
            bound = self._bound((op, text), spelling, is_vague)
        elif op.layout is None and statement.out.type.shape:
            spelling = spelled_on_arrays(op, len(args))
            bound = self._bound((op, "arrays"), spelling, is_vague)
        else:
            bound = self._bound(op, spelled(op, len(args)), is_vague)
        return compose(bound, _expressions(pieces), statement.out)

    def called(
        self, callee: str, pieces: tuple[Piece, ...], var: Var | None
    ) -> Expression:
        """`callee(x, y)`."""
        bound = self._bound(callee, calling(callee, len(pieces)))
        return compose(bound, _expressions(pieces), var)

    def joined(
        self, connective: Connective, pieces: tuple[Piece, ...], var: Var
    ) -> Expression:
        """`x if test else y`, `test and x`, `test or x`."""
        bound = self._bound(connective, _CONNECTIVES[connective])
        if connective is Connective.CONJUNCTION:
            before, other = _expressions(pieces)
            return self._both(bound, before, other, var)
        return compose(bound, _expressions(pieces), var)

    def _both(
        self, bound: Bound, before: Expression, other: Expression, var: Var | None
    ) -> Expression:
        """`a and b`, or two comparisons at once: `x < y <= z`."""
        is_longer = before.bound is bound
        found = chained(before.args[-1] if is_longer else before, other)
        if found is None:
            return compose(bound, (before, other), var)
        signs, compared = found
        own = before.args[-1].var if is_longer else var
        chain = compose(self._bound(signs, CHAINS[signs]), compared, own)
        return compose(bound, (before.args[0], chain), var) if is_longer else chain

    def _has_opposite(self, piece: Piece) -> bool:
        """Whether it compares whole numbers, or asks whether an item is in a list."""
        own = piece.bound if isinstance(piece, Expression) else None
        if any(own is self._of(op) for op in _PRESENT):
            return True
        tests = (self._bound(one, spelled(one, 2)) for one, _ in _OPPOSITES)
        return any(own is test for test in tests) and all(map(_is_whole, piece.args))

    def negated(self, piece: Piece, var: Var | None) -> Expression:
        """`not x`, x of `not x`, `x != y` of `x == y`, `x in y` of `x not in y`, and
        the other way round; of whole numbers, none of which is NaN, also `x >= y` of
        `x < y`, and the like.
        """
        opposite = self._bound(_NOT, spelled(_NOT, 1))
        if isinstance(piece, Expression) and piece.bound is opposite:
            return piece.args[0]
        for op, present in _PRESENT.items():
            spellings = self._bound((_NOT, op), present), self._of(op)
            bound = piece.bound if isinstance(piece, Expression) else None
            if any(bound is spelling for spelling in spellings):
                return compose(
                    spellings[bound is spellings[0]], _expressions(piece.args), var
                )
        for one, other in _OPPOSITES:
            own = piece.bound if isinstance(piece, Expression) else None
            if own is not self._bound(one, spelled(one, 2)):
                continue
            if one.name in ("eq", "ne") or all(map(_is_whole, piece.args)):
                spelling = self._bound(other, spelled(other, 2))
                return compose(spelling, _expressions(piece.args), var)
        return compose(opposite, _expressions((piece,)), var)

    def _of(self, op: Elemental) -> Bound:
        """The spelling of an operation."""
        return self._bound(op, spelled(op, len(op.parameters)))

    def _bound(self, key: object, spelling: Spelling, is_vague: bool = False) -> Bound:
        whole = (key, len(spelling.uses), is_vague)
        found = self._bounds.get(whole)
        if found is None:
            found = self._bounds[whole] = self._bind(spelling, is_vague)
        return found

    def _bind(self, spelling: Spelling, is_vague: bool) -> Bound:
        reference = self.references.reference
        parts = tuple(
            reference(part.qualified) if isinstance(part, Reference) else part
            for part in spelling.parts
        )
        first = spelling.parts[0]
        called = isinstance(first, Reference) and first.qualified not in _GENERIC
        vague = Vague.NEVER if called else Vague.AS_OPERANDS
        fixed = sum(width(part) for part in parts if isinstance(part, str))
        return Bound(spelling, parts, fixed, Vague.ALWAYS if is_vague else vague)

    # --- measures ---------------------------------------------------------------------

    def message(self, parts: Sequence[str | Piece], formats: Sequence[str]) -> int:
        """Columns of `, f"text{value:format}"`."""
        columns = sum(width(p) if isinstance(p, str) else p.width + 2 for p in parts)
        said = columns + len(', f""') if parts else 0
        return said + sum(map(len, formats))

    def fits(self, piece: Any, indent: int, columns: int) -> bool:
        """Whether it fits a line, or black breaks it at its loosest operators."""
        if piece.height > MAX_HEIGHT:
            return False
        if indent + columns + piece.width <= self.limit:
            return True
        if piece.terms < 3:
            return False
        inside: int = self.limit - indent - INDENT
        if piece.width <= inside:
            return True
        is_sum: bool = piece.tightness == SUM and piece.terms <= MAX_TERMS
        return is_sum and bool(piece.longest <= inside)


def _expressions(pieces: tuple[Piece, ...]) -> tuple[Expression, ...]:
    """Pieces, as expressions that this composer made."""
    return cast("tuple[Expression, ...]", pieces)


def _is_vague_power(args: tuple[Operand, ...]) -> bool:
    """typeshed types `x**y` as `Any` unless y is surely a whole number."""
    base, exponent = args
    return exponent.type.is_real or (
        not base.type.is_real and not isinstance(exponent, Literal)
    )
