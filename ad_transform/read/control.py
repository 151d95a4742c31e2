"""From statements that decide what runs to postfix code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Protocol

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.read.code import Body, Fork
from ad_transform.read.exits import fork
from ad_transform.read.notes import Notes, notes_of
from ad_transform.read.source import Place


class Compiler(Protocol):
    """What these statements need of the compiler of a function; see `Statements`."""

    def suite(self, suite: cst.BaseSuite, trees: list[ast.stmt]) -> Body: ...

    def test(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def span(self, tree: Place) -> Span: ...


def conditional(compiler: Compiler, node: cst.If, tree: ast.If) -> Body:
    """`if`, its `elif`s and its `else`, built from the last arm up."""
    arms: list[tuple[cst.If, ast.If]] = [(node, tree)]
    while isinstance(node.orelse, cst.If):
        (inner,) = tree.orelse
        assert isinstance(inner, ast.If)
        node, tree = node.orelse, inner
        arms.append((node, tree))
    tests = [compiler.test(n.test, t.test) for n, t in arms]
    thens = [compiler.suite(n.body, t.body) for n, t in arms]
    orelse: Body = ()
    if node.orelse is not None:
        orelse = compiler.suite(node.orelse.body, tree.orelse)
    for (one, twin), test, then in reversed(list(zip(arms, tests, thens, strict=True))):
        made = Fork((), (), compiler.span(twin.test), _comments(one))
        orelse = (*test, fork(made, then, orelse))
    return orelse


def _comments(node: cst.If) -> Notes:
    """The comments above an `if`, and behind its colon."""
    lines = [line.comment.value for line in node.leading_lines if line.comment]
    header = getattr(node.body, "header", None)
    if header is not None and header.comment is not None:
        lines.append(header.comment.value)
    return notes_of(lines, "")


COMPOUND: dict[type[cst.CSTNode], Callable[[Any, Any, Any], Body]] = {
    cst.If: conditional,
}
"""By the form of the statement."""
