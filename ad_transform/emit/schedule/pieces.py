"""Expressions to be written, with the facts that a schedule needs of them.

A piece is an expression that has not been written yet. The target that makes it has
measured it, so that the schedule can decide which values are nested and which get a
statement.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from ad_transform.ir.nodes import Var

NOTHING: frozenset[Var] = frozenset()


class Piece(ABC):
    """An expression: an atom (a value with a name, or a text), or made of pieces.

    args       the pieces that it is made of
    uses       evaluations of each of them, as far as one may tell: 2 stands for several
               times or perhaps none
    var        the value that it computes, None for texts
    text       the text of an atom that is no name
    width      columns it takes on one line
    is_atom    whether no part of it could get a name
    is_vague   whether readers of the target cannot tell its type: where it is given a
               name, the text says the type as well
    reads      the lists that it reads where it is written
    held       the names in it, found when they are first asked for (`names_in`)
    """

    text: str
    __slots__ = ("args", "held", "is_atom", "is_vague", "reads", "uses", "var", "width")

    def __init__(
        self, args: tuple[Piece, ...], uses: tuple[int, ...], var: Var | None
    ) -> None:
        self.args = args
        self.uses = uses
        self.var = var
        self.width = 0
        self.is_atom = False
        self.is_vague = False
        self.reads = NOTHING
        self.held: tuple[Piece, ...] | None = None

    @abstractmethod
    def over(self, args: tuple[Piece, ...]) -> Piece:
        """The same operation on other pieces."""

    @property
    def may_move(self) -> bool:
        """Whether it may get a statement; without a value, whether an operand may."""
        if self.is_atom or self.var is not None:
            return not self.is_atom
        return any(arg.may_move for arg in self.args)

    def widest(self) -> int | None:
        """The place of the widest operand that may get a statement instead, if any."""
        wide: int | None = None
        for k, arg in enumerate(self.args):
            may = arg.may_move and self.uses[k] == 1
            if may and (wide is None or arg.width > self.args[wide].width):
                wide = k
        return wide


def values_in(pieces: Iterable[Piece]) -> list[Var]:
    """The named values that expressions read, once for each read."""
    found: list[Var] = []
    for piece in reversed((*pieces,)):
        names = piece.held or names_in(piece)
        found += [name.var for name in names if name.var is not None]
    return found


def names_in(piece: Piece) -> tuple[Piece, ...]:
    """The atoms of an expression that are names, which may get other values."""
    if piece.held is None:
        found: list[Piece] = []
        stack = [piece]
        while stack:
            one = stack.pop()
            if one.args:
                stack += one.args
            if one.is_atom and one.var is not None:
                found.append(one)
        piece.held = tuple(found)
    return piece.held


def made_in(pieces: Iterable[Piece]) -> Iterator[Var]:
    """The values that expressions compute, without those that they only read."""
    stack = list(pieces)
    while stack:
        piece = stack.pop()
        if not piece.is_atom:
            stack += piece.args
            if piece.var is not None:
                yield piece.var
