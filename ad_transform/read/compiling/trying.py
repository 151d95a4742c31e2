"""From `try` and `except` to postfix code.

The code that may fail is protected statement by statement: the statements before have
run when the handler runs. If all handlers leave, arms and loops inside are protected in
their turn; else failures in them are refused when they are flattened (`caught`).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from ad_transform.read.code import ITEMS, Attempt, Body, Caught, Fork, Hold, Load
from ad_transform.read.compiling.closing import closed
from ad_transform.read.compiling.control import Compiler, loop
from ad_transform.read.compiling.exits import attempt, falls, fork, in_order, skips
from ad_transform.read.syntax.notes import comments_at

_CAUGHT = frozenset({
    "ZeroDivisionError", "ValueError", "OverflowError", "ArithmeticError", "KeyError",
    "IndexError", "LookupError", "Exception",
})  # fmt: skip
"""Exceptions that handlers may catch."""


def attempted(compiler: Compiler, node: cst.Try, tree: ast.Try) -> Body | None:
    """`try` with handlers, `finally` or both; None if it is refused."""
    if not tree.finalbody:
        return _handled(compiler, node, tree)
    assert node.finalbody is not None
    if tree.handlers:
        body = _handled(compiler, node, tree)
    else:
        body = compiler.suite(node.body, tree.body)
    end = compiler.suite(node.finalbody.body, tree.finalbody)
    return None if body is None else closed(body, end, compiler.span(tree.body[0]))


def _handled(compiler: Compiler, node: cst.Try, tree: ast.Try) -> Body | None:
    """`try: ... except ZeroDivisionError: ...`; None if it is refused."""
    caught = [_errors(compiler, one, twin) for one, twin in _handlers(node, tree)]
    if None in caught or any(map(_is_read, tree.handlers)):
        return None
    pairs = _handlers(node, tree)
    bodies = [compiler.suite(one.body, twin.body) for one, twin in pairs]
    handlers = tuple(
        Caught(errors, body)
        for errors, body in zip(caught, bodies, strict=True)
        if errors is not None
    )
    protect = _Protection(compiler, handlers)
    orelse: Body = ()
    if node.orelse is not None:
        orelse = compiler.suite(node.orelse.body, tree.orelse)
    if not any(map(falls, bodies)):
        inside = protect.suite(node.body, tree.body)
        return in_order([inside, orelse])
    parts = protect.parts(node.body, tree.body)
    return (attempt(Attempt(parts, handlers, orelse, compiler.span(tree.body[0]))),)


def _handlers(
    node: cst.Try, tree: ast.Try
) -> Sequence[tuple[cst.ExceptHandler, ast.ExceptHandler]]:
    return list(zip(node.handlers, tree.handlers, strict=True))


def _errors(
    compiler: Compiler, node: cst.ExceptHandler, tree: ast.ExceptHandler
) -> tuple[str, ...] | None:
    """The exceptions that a handler names; None if one of them is refused."""
    if tree.type is None:
        return ("BaseException",)
    types = tree.type.elts if isinstance(tree.type, ast.Tuple) else [tree.type]
    names = tuple(one.id if isinstance(one, ast.Name) else "" for one in types)
    are_known = all(
        name in _CAUGHT and compiler.is_builtin(cst.Name(name), name) for name in names
    )
    return names if are_known else None


def _is_read(handler: ast.ExceptHandler) -> bool:
    """Whether a handler reads the exception other than as a cause in `raise`."""
    causes = {n.cause for n in ast.walk(handler) if isinstance(n, ast.Raise)}
    names = (n for n in ast.walk(handler) if isinstance(n, ast.Name))
    return any(n.id == handler.name and n not in causes for n in names)


class _Protection:
    """Statements that may each fail, and the handlers around them."""

    def __init__(self, compiler: Compiler, handlers: tuple[Caught, ...]) -> None:
        self.compiler = compiler
        self.handlers = handlers

    def suite(self, node: cst.BaseSuite, trees: Sequence[ast.stmt]) -> Body:
        """A block with handlers that leave."""
        return in_order([self._one(*twin) for twin in _lines(node, trees)])

    def parts(self, node: cst.BaseSuite, trees: Sequence[ast.stmt]) -> tuple[Body, ...]:
        """The statements of a block, one by one."""
        found = [self._plain(*twin) for twin in _lines(node, trees)]
        return tuple(part for part in found if part)

    def _plain(self, node: cst.CSTNode, tree: ast.stmt) -> Body:
        return self.compiler.statement(node, tree)

    def _one(self, node: cst.CSTNode, tree: ast.stmt) -> Body:
        if isinstance(node, cst.If) and isinstance(tree, ast.If):
            return self._conditional(node, tree)
        leaves_loops = any(skips(one.body) for one in self.handlers)
        if isinstance(node, cst.For) and isinstance(tree, ast.For) and not leaves_loops:
            over = (*self.compiler.compile(node.iter, tree.iter), Hold(ITEMS))
            counted = loop(self.compiler, node, tree, self.suite)
            load = Load(ITEMS, 0, self.compiler.span(tree.iter))
            return in_order([self._protected(over, tree), (load, counted)])
        return self._protected(self._plain(node, tree), tree)

    def _protected(self, body: Body, tree: ast.stmt) -> Body:
        if not body:
            return ()
        span = self.compiler.span(tree)
        return (attempt(Attempt((body,), self.handlers, (), span)),)

    def _conditional(self, node: cst.If, tree: ast.If) -> Body:
        """An `if` with its test and its arms protected."""
        span = self.compiler.span(tree.test)
        test = (*self.compiler.test(node.test, tree.test), Hold(_TEST))
        then = self.suite(node.body, tree.body)
        orelse: Body = ()
        if isinstance(node.orelse, cst.If):
            (inner,) = tree.orelse
            assert isinstance(inner, ast.If)
            orelse = self._conditional(node.orelse, inner)
        elif node.orelse is not None:
            orelse = self.suite(node.orelse.body, tree.orelse)
        made = fork(Fork((), (), span, comments_at(node)), then, orelse)
        return in_order([self._protected(test, tree), (Load(_TEST, 0, span), made)])


_TEST = "<protected test>"


def _lines(
    node: cst.BaseSuite, trees: Sequence[ast.stmt]
) -> list[tuple[cst.CSTNode, ast.stmt]]:
    """The statements of a block in both forms."""
    found: list[cst.CSTNode] = []
    for one in node.body:
        found += one.body if isinstance(one, cst.SimpleStatementLine) else [one]
    return list(zip(found, trees, strict=True))
