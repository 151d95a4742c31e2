"""LibCST forms of single statements, with the place of every node.

Only the statements that matter are given to LibCST, for it takes 0.5 ms a line. It is
quadratic in the length of a sum and dies of very deep expressions, so deep ones are
cut: the text of a part is replaced by a name, and the part is parsed by itself. No tree
is then deeper than `_DEPTH` levels and the brackets of a level.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst
from libcst.metadata import CodePosition, CodeRange, MetadataWrapper, PositionProvider

from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.read.source import Source

_DEPTH = 24
"""Levels of a tree that LibCST gets at a time."""

_CUTTABLE = (
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Call,
    ast.IfExp,
    ast.Attribute,
    ast.Subscript,
    ast.Lambda,
)


@dataclass(frozen=True, slots=True, eq=False)
class Concrete:
    """A statement of the module in LibCST's form.

    `pieces` are the expressions that names of `body` stand for, by name.
    """

    body: tuple[cst.BaseStatement | cst.SimpleStatementLine, ...]
    places: dict[cst.CSTNode, tuple[CodeRange, _Unit]]
    pieces: dict[str, cst.BaseExpression]

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node stands in the file."""
        place, unit = self.places[node]
        line, column = unit.original(place.start)
        end_line, end_column = unit.original(place.end)
        return Span(line, column, end_line, end_column)

    def whole(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression that a node stands for: itself, or a piece that was cut."""
        while isinstance(node, cst.Name) and node.value in self.pieces:
            node = self.pieces[node.value]
        return node


def concrete(source: Source, span: Span, node: ast.stmt) -> Concrete:
    """The LibCST form of an extent of the file, which holds the statement `node`.

    Raises Refusal AD003 where LibCST cannot read what CPython can. Linear.
    """
    found = Concrete((), {}, {})
    cuts = _cuts(source, node)
    names = _Names(source)
    tree = _nested(cuts, span)
    for cut in tree[1:]:
        unit = _Unit(source, cut, names, "(\n", "\n)\n")
        statement = unit.parse(found)[0]
        assert isinstance(statement, cst.SimpleStatementLine)
        expression = statement.body[0]
        assert isinstance(expression, cst.Expr)
        found.pieces[names.of(cut)] = expression.value
    body = _Unit(source, tree[0], names, "", "\n").parse(found)
    return Concrete(body, found.places, found.pieces)


# --- where to cut -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """An extent of text, and the extents cut out of it, in order."""

    span: Span
    inner: list[_Cut] = field(default_factory=list)


class _Names:
    """Names for what is cut that stand nowhere in the file."""

    def __init__(self, source: Source) -> None:
        self.prefix = "_p"
        while self.prefix in source.text:
            self.prefix += "_"
        self.given: dict[_Cut, str] = {}

    def of(self, cut: _Cut) -> str:
        return self.given.setdefault(cut, f"{self.prefix}{len(self.given)}")


def _cuts(source: Source, root: ast.stmt) -> Iterator[Span]:
    """Where to cut so that no part is deeper than the limit."""
    heights: dict[ast.AST, int] = {}
    order: list[ast.AST] = []
    stack: list[ast.AST] = [root]
    while stack:
        node = stack.pop()
        order.append(node)
        if not isinstance(node, ast.JoinedStr):  # its places are wrong before 3.12
            stack.extend(ast.iter_child_nodes(node))
    for node in reversed(order):
        below = [heights.get(child, 0) for child in ast.iter_child_nodes(node)]
        heights[node] = 1 + max(below, default=0)
        if heights[node] > _DEPTH and _may_be_cut(node):
            assert isinstance(node, ast.expr)
            yield source.span(node)
            heights[node] = 1


def _may_be_cut(node: ast.AST) -> bool:
    stored = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    return isinstance(node, _CUTTABLE) and not stored


def _nested(spans: Iterator[Span], whole: Span) -> list[_Cut]:
    """The extents as a tree, the whole first and every outer one before its inner."""
    ordered = sorted(
        spans, key=lambda s: (s.line, s.column, -s.end_line, -s.end_column)
    )
    tree = [_Cut(whole)]
    path = [tree[0]]
    for span in ordered:
        while _end(path[-1].span) < _end(span) and len(path) > 1:
            path.pop()
        cut = _Cut(span)
        path[-1].inner.append(cut)
        path.append(cut)
        tree.append(cut)
    return tree


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


# --- units of text ------------------------------------------------------------------


class _Unit:
    """The text of an extent with names for what was cut out, and the way back.

    `marks` are the places of the text where copying began anew: line and column in the
    text (1-based, 0-based, as LibCST counts) and in the file (1-based both).
    """

    def __init__(
        self, source: Source, cut: _Cut, names: _Names, before: str, after: str
    ) -> None:
        self.marks: list[tuple[tuple[int, int], tuple[int, int]]] = []
        self.parts: list[str] = [before]
        self.line, self.column = 1 + before.count("\n"), 0
        at = (cut.span.line, cut.span.column)
        for inner in cut.inner:
            self._copy(source, at, (inner.span.line, inner.span.column))
            self._add(f"({names.of(inner)})")
            at = _end(inner.span)
        self._copy(source, at, _end(cut.span))
        self.parts.append(after)

    def _copy(
        self, source: Source, start: tuple[int, int], end: tuple[int, int]
    ) -> None:
        self.marks.append(((self.line, self.column), start))
        lines = list(source.lines[start[0] - 1 : end[0]])
        lines[-1] = lines[-1][: end[1] - 1]
        lines[0] = lines[0][start[1] - 1 :]
        self._add("\n".join(lines))

    def _add(self, text: str) -> None:
        self.parts.append(text)
        newlines = text.count("\n")
        self.line += newlines
        tail = len(text) - text.rfind("\n") - 1
        self.column = tail if newlines else self.column + len(text)

    def original(self, position: CodePosition) -> tuple[int, int]:
        """The line and column in the file of a position in the text."""
        place = (position.line, position.column)
        at = max(bisect_right(self.marks, place, key=lambda mark: mark[0]) - 1, 0)
        (line, column), (file_line, file_column) = self.marks[at]
        if position.line == line:
            return file_line, file_column + position.column - column
        return file_line + position.line - line, position.column + 1

    def parse(
        self, found: Concrete
    ) -> tuple[cst.BaseStatement | cst.SimpleStatementLine, ...]:
        """The statements of the text; their places go into `found`."""
        try:
            module = cst.parse_module("".join(self.parts))
        except cst.ParserSyntaxError as error:
            line, _ = self.original(CodePosition(error.raw_line, 0))
            message = f"LibCST cannot read this: {error.message}"
            span = Span(line, 1, line, 2)
            raise Refusal(Diagnostic("AD003", message, span)) from None
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        for node, place in wrapper.resolve(PositionProvider).items():
            found.places[node] = (place, self)
        return tuple(module.body)
