"""From statements that decide what runs to postfix code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Protocol

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.read.code import Body, Each, Fork, Repeat, Target
from ad_transform.read.exits import bound_in, breaks, fork, names_of, returns
from ad_transform.read.notes import Notes, notes_of
from ad_transform.read.source import Place


class Compiler(Protocol):
    """What these statements need of the compiler of a function; see `Statements`."""

    def suite(self, suite: cst.BaseSuite, trees: list[ast.stmt]) -> Body: ...

    def target(self, tree: ast.expr) -> Target: ...

    def compile(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def later(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

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


def counted(compiler: Compiler, node: cst.For, tree: ast.For) -> Body:
    """`for`, with its `else`."""
    over = compiler.compile(node.iter, tree.iter)
    target = compiler.target(tree.target)
    body = compiler.suite(node.body, tree.body)
    orelse = _orelse(compiler, node, tree)
    span = compiler.span(tree.iter)
    binds = tuple(dict.fromkeys((*names_of((target,)), *bound_in(body))))
    returning = returns(body)
    exits = returning or breaks(body)
    made = Each(target, body, orelse, span, binds, exits, returning or returns(orelse))
    return (*over, made)


def repeated(compiler: Compiler, node: cst.While, tree: ast.While) -> Body:
    """`while`, with its `else`."""
    test = compiler.later(node.test, tree.test)
    body = compiler.suite(node.body, tree.body)
    orelse = _orelse(compiler, node, tree)
    span = compiler.span(tree.test)
    binds = tuple(dict.fromkeys(bound_in(body)))
    returning = returns(body) or returns(orelse)
    return (Repeat(test, body, orelse, span, binds, returning),)


def _orelse(
    compiler: Compiler, node: cst.For | cst.While, tree: ast.For | ast.While
) -> Body:
    return compiler.suite(node.orelse.body, tree.orelse) if node.orelse else ()


COMPOUND: dict[type[cst.CSTNode], Callable[[Any, Any, Any], Body]] = {
    cst.If: conditional,
    cst.For: counted,
    cst.While: repeated,
}
"""By the form of the statement."""
