"""The questions that a schedule asks of its target: expressions, widths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from enum import Enum, auto
from typing import Protocol

from ad_transform.emit.schedule.lines import Item, Line
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Container, Literal, Var


class Connective(Enum):
    """Connectives of values of which not all are computed."""

    CONDITIONAL = auto()  # then, test, orelse
    CONJUNCTION = auto()  # test, then
    DISJUNCTION = auto()  # test, orelse


class Habits(Protocol):
    """The habits of a target in all its functions.

    over_items  whether loops go over the items of lists
    has_tuples  whether records of an arm are tuples of one list
    """

    @property
    def over_items(self) -> bool: ...
    @property
    def has_tuples(self) -> bool: ...

    def uses(self, op: Elemental, count: int, /) -> tuple[int, ...]:
        """Evaluations of each of `count` operands by an elemental, as in `Piece`."""
        ...

    def is_tuple(self, types: Sequence[Item], /) -> bool:
        """Whether records of these types are better one list of tuples than several
        lists.
        """
        ...


class Composer(Habits, Protocol):
    """Makes the expressions of one function in a target, and measures them.

    limit        columns of a line
    indent       columns of a step of indentation
    around       columns that a kind of line takes beside its expression and its names
    annotation   columns that it takes to say a type
    never_named  elementals that are written again in each use
    index_lasts  whether the index of a loop is there behind it, as in its last trip
    most_names   how many locals a function may have before names are used again
    """

    @property
    def limit(self) -> int: ...
    @property
    def indent(self) -> int: ...
    @property
    def around(self) -> Mapping[type[Line], int]: ...
    @property
    def annotation(self) -> int: ...
    @property
    def never_named(self) -> Set[str]: ...
    @property
    def index_lasts(self) -> bool: ...
    @property
    def most_names(self) -> float: ...

    def taken(self) -> set[str]:
        """The names of functions, modules and constants that the function refers to."""
        ...

    def item(self, name: str, places: Sequence[str]) -> str:
        """The text of an item of a parameter: `x[0]`."""
        ...

    def given(self, var: Var, name: str, holder: Container | None) -> Piece:
        """A value of a parameter, or an item of one that `holder` holds."""
        ...

    def named(self, var: Var, columns: int, is_vague: bool) -> Piece:
        """A value whose name takes about so many columns."""
        ...

    def literal(self, literal: Literal) -> Piece:
        """A literal, by its name if it has one."""
        ...

    def truth(self, piece: Piece) -> bool | None:
        """The truth value of a literal True or False; None for anything else."""
        ...

    def applied(self, statement: Apply, pieces: tuple[Piece, ...]) -> Piece:
        """The operation of a statement on the pieces of its operands."""
        ...

    def called(self, callee: str, pieces: tuple[Piece, ...], var: Var | None) -> Piece:
        """The call of a function of the same file; without `var`, of several values.
        Without a name it is the tuple of the pieces.
        """
        ...

    def joined(
        self, connective: Connective, pieces: tuple[Piece, ...], var: Var
    ) -> Piece:
        """A connective of its operands."""
        ...

    def negated(self, piece: Piece, var: Var | None) -> Piece:
        """The opposite of a test: of `not x` it is x."""
        ...

    def message(self, parts: Sequence[str | Piece], formats: Sequence[str]) -> int:
        """Columns that the message of a test takes beside it."""
        ...

    def fits(self, piece: Piece, indent: int, columns: int) -> bool:
        """Whether a statement fits a line, or can be broken nicely: the piece with so
        many columns beside it.
        """
        ...
