"""LibCST forms of single statements.

Only the statements that matter are given to LibCST, for it takes 0.2 ms a line. It is
quadratic in the length of a sum and dies of very deep expressions, so deep ones are
cut: the text of a part is replaced by a name, and the part is parsed by itself. No tree
is then deeper than `_DEPTH` levels and the brackets of a level. A line of a long text
takes it twice as long as one of a short text, so long functions are cut as well. Plain
statements (`plain`) are not given to it at all.

LibCST gives the form: comments, literals as they are spelt, signatures. Places come
from CPython's tree, which is walked alongside; LibCST's own positions cost twice as
much as its parser.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import zip_longest

import libcst as cst
from libcst import native  # type: ignore[attr-defined]  # it has no types

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.read.syntax import plain
from ad_transform.read.syntax.scopes import children
from ad_transform.read.syntax.source import DEEP, Source

_DEPTH = 24
"""The most levels of a tree that LibCST gets at a time."""

_LONG = 100
"""A run of statements that is cut out of a function has at least so many lines."""

_WIDTH = 1000
"""The most operands of an `and`, loops of a comprehension, dots of an import."""

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

Body = tuple[cst.BaseStatement | cst.SimpleStatementLine, ...]
Twin = tuple[cst.BaseExpression, ast.expr]
"""An expression in LibCST's form and in CPython's, which knows its place."""


@dataclass(frozen=True, slots=True, eq=False)
class Concrete:
    """A statement of the module in LibCST's form.

    `pieces` has the expressions that were cut out, by the names that stand for them in
    `body`. `plain` has the numbers of plain statements that names stand for.
    """

    source: Source
    body: Body
    pieces: dict[str, cst.BaseExpression]
    plain: dict[str, int]

    def plain_at(self, node: cst.CSTNode) -> int:
        """The number of plain statements that a statement stands for, else 0."""
        return self.plain.get(_alone(node), 0) if self.plain else 0

    def whole(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression that a node stands for: itself, or a piece that was cut."""
        while isinstance(node, cst.Name) and node.value in self.pieces:
            node = self.pieces[node.value]
        return node


def concrete(source: Source, span: Span, node: ast.stmt) -> Concrete:
    """The LibCST form of an extent of the file, which holds the statement `node`.

    Raises Refusal AD003 where LibCST cannot read what CPython can. Linear.
    """
    names = _Names(source)
    long = [*_runs(source, node)]
    found = (*long, *_plain(source, node, long), *_cuts(source, node))
    whole, *cuts = _nested(found, span)
    pieces: dict[str, cst.BaseExpression] = {}
    counts: dict[str, int] = {}
    runs: dict[str, Sequence[cst.BaseStatement]] = {}
    for cut in cuts:
        if cut.plain:
            counts[names.of(cut)] = cut.plain
            continue
        text = _text(source, cut, names)
        if cut.indent:
            runs[names.of(cut)] = _statements(cut, text)
        else:
            pieces[names.of(cut)] = _expression(cut, text)
    body = _parse(whole, _text(source, whole, names) + "\n")
    return Concrete(source, _with_runs(body, runs), pieces, counts)


# --- cuts ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """An extent of text, and the extents cut out of it, in order.

    Statements have an `indent`, expressions have none; `plain` counts plain statements.
    """

    span: Span
    indent: str = ""
    plain: int = 0
    inner: list[_Cut] = field(default_factory=list)


class _Names:
    """Names for the parts that are cut out; the file holds none of these names."""

    def __init__(self, source: Source) -> None:
        self.prefix = "_p"
        while self.prefix in source.text:
            self.prefix += "_"
        self.given: dict[_Cut, str] = {}

    def of(self, cut: _Cut) -> str:
        return self.given.setdefault(cut, f"{self.prefix}{len(self.given)}")


def _runs(source: Source, root: ast.stmt) -> Iterator[_Cut]:
    """Long runs of whole lines of a function, but for its first statement.

    Lines between two statements may belong to either: no cut is made there.
    """
    body = root.body if isinstance(root, ast.FunctionDef) else []
    start = 0
    for statement, after in zip_longest(body, body[1:]):
        last = statement.end_lineno or statement.lineno
        if after and after.lineno != last + 1:
            continue
        if start and last - start >= _LONG:
            yield _lines(source, start, last)
            start = 0
        start = start or last + 1


def _plain(source: Source, root: ast.stmt, long: Sequence[_Cut]) -> Iterator[_Cut]:
    """Runs of plain statements; none crosses an end of a long run."""
    if isinstance(root, ast.FunctionDef):
        borders = {cut.span.line for cut in long}
        borders |= {cut.span.end_line + 1 for cut in long}
        for first, last, count in plain.runs(root, source.lines, borders):
            yield replace(_lines(source, first, last), plain=count)


def _lines(source: Source, first: int, last: int) -> _Cut:
    """A cut of whole lines, which are statements."""
    own = source.lines[first - 1]
    span = Span(first, 1, last, len(source.lines[last - 1]) + 1, source.path)
    return _Cut(span, own[: len(own) - len(own.lstrip())])


def _cuts(source: Source, root: ast.stmt) -> Iterator[_Cut]:
    """The expressions to cut out so that no part is deeper than the limit."""
    heights: dict[ast.AST, int] = {}
    order: list[tuple[ast.AST, list[ast.AST]]] = []
    stack: list[ast.AST] = list(_maybe_deep(source, root))
    while stack:
        node = stack.pop()
        # places inside f-strings are wrong before 3.12
        below = [] if isinstance(node, ast.JoinedStr) else children(node)
        _bear(node, source)
        order.append((node, below))
        stack += below
    for node, below in reversed(order):
        height = 1 + max([heights[child] for child in below], default=0)
        if height > _DEPTH and _may_be_cut(node):
            assert isinstance(node, ast.expr)
            yield _Cut(source.span(node))
            height = 1
        heights[node] = height


def _maybe_deep(source: Source, root: ast.stmt) -> Iterator[ast.AST]:
    """Signatures, and statements with enough operators and brackets to be deep."""
    stack = [root]
    while stack:
        statement = stack.pop()
        body = getattr(statement, "body", None)
        if isinstance(statement, ast.FunctionDef) and isinstance(body, list):
            yield from (statement.args, *statement.decorator_list)
            if statement.returns is not None:
                yield statement.returns
            stack += body
            continue
        parts: tuple[ast.stmt | ast.expr, ...] = (statement,)
        match statement:
            case ast.If(test=test) | ast.While(test=test):
                parts = (test,)
                stack += statement.body + statement.orelse
            case ast.For(target=target, iter=iterated):
                parts = (target, iterated)
                stack += statement.body + statement.orelse
        for part in parts:
            first, last = part.lineno, part.end_lineno or part.lineno
            text = "\n".join(source.lines[first - 1 : last])
            if len(_SIGNS.findall(text)) >= _DEPTH // 2:
                yield part


_SIGNS = re.compile(r"[^\w\s,#]|\b(?:and|or|not|if|for|lambda|await)\b")
"""Each level of an expression holds at least one of these."""


def _bear(node: ast.AST, source: Source) -> None:
    """Raise Refusal AD004 for forms that are flat for CPython and deep for LibCST."""
    match node:
        case ast.BoolOp(values=parts):
            width = len(parts)
        case ast.Import(names=names):
            width = max(alias.name.count(".") for alias in names)
        case ast.ImportFrom(module=str(module)):
            width = module.count(".")
        case _:
            width = len(getattr(node, "generators", ()))
    if width > _WIDTH:
        assert isinstance(node, ast.expr | ast.stmt)
        raise Refusal(replace(DEEP, span=source.span(node)))


def _may_be_cut(node: ast.AST) -> bool:
    stored = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    return isinstance(node, _CUTTABLE) and not stored


def _nested(cuts: Iterable[_Cut], whole: Span) -> list[_Cut]:
    """The extents as a tree, the whole first and every outer one before its inner."""
    spans = [(cut.span, cut) for cut in cuts]
    spans.sort(key=lambda s: (*s[0][:2], -s[0].end_line, -s[0].end_column))
    tree = [_Cut(whole)]
    path = [tree[0]]
    for span, cut in spans:
        while _end(path[-1].span) < _end(span) and len(path) > 1:
            path.pop()
        path[-1].inner.append(cut)
        path.append(cut)
        tree.append(cut)
    return tree


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


# --- texts --------------------------------------------------------------------------


def _text(source: Source, cut: _Cut, names: _Names) -> str:
    """The text of an extent, with names in place of the parts that were cut out."""
    parts: list[str] = []
    at = (cut.span.line, cut.span.column)
    for inner in cut.inner:
        parts.append(_copied(source, at, (inner.span.line, inner.span.column)))
        name = names.of(inner)
        parts.append(f"{inner.indent}{name}" if inner.indent else f"({name})")
        at = _end(inner.span)
    parts.append(_copied(source, at, _end(cut.span)))
    return "".join(parts)


def _copied(source: Source, start: tuple[int, int], end: tuple[int, int]) -> str:
    lines = list(source.lines[start[0] - 1 : end[0]])
    lines[-1] = lines[-1][: end[1] - 1]
    lines[0] = lines[0][start[1] - 1 :]
    return "\n".join(lines)


# --- trees --------------------------------------------------------------------------


def _expression(cut: _Cut, text: str) -> cst.BaseExpression:
    (statement,) = _parse(cut, f"(\n{text}\n)\n")
    assert isinstance(statement, cst.SimpleStatementLine)
    expression = statement.body[0]
    assert isinstance(expression, cst.Expr)
    return expression.value


def _statements(cut: _Cut, text: str) -> Sequence[cst.BaseStatement]:
    (around,) = _parse(cut, f"if 1:\n{text}\n")
    assert isinstance(around, cst.If)
    assert isinstance(around.body, cst.IndentedBlock)
    return around.body.body


def _with_runs(body: Body, runs: Mapping[str, Sequence[cst.BaseStatement]]) -> Body:
    """The function with the long runs put back in place of their names."""
    if not runs:
        return body
    (function,) = body
    assert isinstance(function, cst.FunctionDef)
    suite = function.body.body
    whole = [made for s in suite for made in runs.get(_alone(s), (s,))]
    return (function.with_changes(body=function.body.with_changes(body=whole)),)


def _alone(statement: cst.CSTNode) -> str:
    """The name that is the whole statement; empty for any other statement."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Name(value=name))]):
            return name
    return ""


def _parse(cut: _Cut, text: str) -> Body:
    try:
        return tuple(native.parse_module(text).body)
    except cst.ParserSyntaxError as error:
        why = error.message
    except cst.CSTValidationError as error:  # `return.5` is Python
        why = str(error)
    message = f"LibCST cannot read this: {why}"
    help_ = "write spaces between words and numbers, and split what is long"
    raise Refusal(Diagnostic("AD003", message, cut.span, help_))
