"""Expressions of compiled languages: trees of spellings, with their widths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ad_transform.emit.compiled.spelling import ATOM, Spelling
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.width import width
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import Kind


class Text(Piece):
    """An expression: an atom, or a spelling of expressions.

    text       of an atom that is no value
    kind       that of the number that it is, None where nobody asks
    fails      whether computing it may fail
    risky      whether it must not be computed in vain
    unfit      whether a statement has to stand in its place
    """

    __slots__ = (
        "fails", "height", "kind", "risky", "spelling", "text", "tightness", "unfit"
    )  # fmt: skip

    args: tuple[Text, ...]

    def __init__(
        self,
        spelling: Spelling | None,
        args: tuple[Text, ...],
        var: Var | None,
        text: str = "",
    ) -> None:
        super().__init__(args, () if spelling is None else spelling.uses, var)
        self.spelling = spelling
        self.text = text
        self.is_atom = spelling is None
        self.tightness = ATOM if spelling is None else spelling.tightness
        self.height: int = 1 + max((arg.height for arg in args), default=0)
        self.fails: bool = any(arg.fails for arg in args)
        self.kind: Kind | None = None if var is None else var.type.kind
        self.risky: bool = any(arg.risky for arg in args)
        self.unfit: bool = any(arg.unfit for arg in args)
        self.width = width(text)
        for arg in args:
            if arg.reads:
                self.reads |= arg.reads
        if spelling is not None:
            self.width = sum(
                (
                    width(part)
                    if isinstance(part, str)
                    else args[part.arg].width
                    + 2 * (args[part.arg].tightness < part.least)
                )
                for part in spelling.parts
            )

    def over(self, args: tuple[Piece, ...]) -> Text:
        """The same spelling of other expressions."""
        made = Text(self.spelling, cast("tuple[Text, ...]", args), self.var)
        made.kind = self.kind
        made.fails, made.risky = self.fails, self.risky
        made.unfit = self.unfit
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
        if item.spelling is None:
            out.append(item.text if item.var is None else names[item.var])
            continue
        for part in reversed(item.spelling.parts):
            if isinstance(part, str):
                stack.append(part)
                continue
            arg = item.args[part.arg]
            stack += [arg] if arg.tightness >= part.least else [")", arg, "("]
    return "".join(out)


def fails(piece: Piece | None) -> bool:
    """Whether computing a piece may fail."""
    return isinstance(piece, Text) and piece.fails
