"""From `try` and `except` to postfix code.

The code that may fail is protected statement by statement: the statements before have
run when the handler runs. If all handlers leave, arms and loops inside are protected in
their turn; else failures in them are refused when they are flattened (`caught`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial

import libcst as cst

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal, Maker
from ad_transform.read.code import (
    ITEMS,
    Attempt,
    Body,
    Caught,
    Fork,
    Hold,
    Load,
    Push,
    Repeat,
    Skip,
)
from ad_transform.read.compiling.closing import closed
from ad_transform.read.compiling.control import Compiler, loop
from ad_transform.read.compiling.exits import (
    attempt,
    bound_in,
    falls,
    fork,
    in_order,
    raises_again,
    returns,
    skips,
)
from ad_transform.read.compiling.raised import exception_of
from ad_transform.read.syntax.notes import comments_at
from ad_transform.read.syntax.scopes import dotted

TRUE, FALSE = Literal(True), Literal(False)
_Piece = Body | Callable[[Body], Body]

_CAUGHT = frozenset({
    "ZeroDivisionError", "ValueError", "OverflowError", "ArithmeticError", "KeyError",
    "IndexError", "LookupError", "AssertionError", "RuntimeError", "Exception",
    "FloatingPointError", "NotImplementedError",
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


_Suite = Callable[[cst.BaseSuite, Sequence[ast.stmt]], Body]


def _handled(compiler: Compiler, node: cst.Try, tree: ast.Try) -> Body | None:
    """`try: ... except ZeroDivisionError: ...`; None if it is refused."""
    return _inside(compiler, node, tree, (), compiler.suite)


def _inside(
    compiler: Compiler,
    node: cst.Try,
    tree: ast.Try,
    around: tuple[Caught, ...],
    suite: _Suite,
) -> Body | None:
    """A `try` inside of another one, whose handlers stand `around` it: they catch what
    the inner ones do not, and what these and the `else` raise. `suite` makes code that
    is protected so.
    """
    pairs = [*zip(node.handlers, tree.handlers, strict=True)]
    caught = [_errors(compiler, one, twin) for one, twin in pairs]
    if None in caught or any(map(_is_read, tree.handlers)):
        return None
    bodies = [_handling(compiler, one, twin, suite) for one, twin in pairs]
    own = [
        Caught(errors, body)
        for errors, body in zip(caught, bodies, strict=True)
        if errors is not None
    ]
    orelse: Body = ()
    if node.orelse is not None:
        orelse = suite(node.orelse.body, tree.orelse)
    handlers, late = _behind_loops((*own, *around), tree)
    made = _in_place(compiler, node, tree, handlers, orelse)
    if not late:
        return made
    flags = tuple(i for flag, _ in late for i in (Push(FALSE), Hold(flag)))
    span = compiler.span(tree.body[0])
    return in_order([flags, made, *(_where(flag, body, span) for flag, body in late)])


def _behind_loops(
    handlers: tuple[Caught, ...], tree: ast.Try
) -> tuple[tuple[Caught, ...], list[tuple[str, Body]]]:
    """The handlers, those that leave a trip of a loop around the `try` without their
    bodies if there is a loop in it, too; and what runs behind the `try` where a name
    says so.
    """
    inside = (part for one in tree.body for part in ast.walk(one))
    if not any(isinstance(part, ast.For | ast.While) for part in inside):
        return handlers, []
    found: list[Caught] = []
    late: list[tuple[str, Body]] = []
    for k, one in enumerate(handlers):
        if not skips(one.body) or raises_again(one.body):
            found.append(one)
            continue
        late.append((f"<left {tree.lineno}:{tree.col_offset}:{k}>", one.body))
        found.append(replace(one, body=(Push(TRUE), Hold(late[-1][0]))))
    return tuple(found), late


def _where(flag: str, body: Body, span: Span) -> Body:
    return (Load(flag, 0, span), fork(Fork((), (), span), body, ()))


def _in_place(
    compiler: Compiler,
    node: cst.Try,
    tree: ast.Try,
    handlers: tuple[Caught, ...],
    orelse: Body,
) -> Body:
    """A `try` with its handlers in the place of what fails."""
    protect = _Protection(compiler, handlers)
    if not any(falls(one.body) for one in handlers):
        inside = protect.suite(node.body, tree.body)
        return in_order([inside, orelse])
    if any(isinstance(one, _COMPOUND) for one in tree.body):
        failed = f"<failed {tree.lineno}:{tree.col_offset}>"
        return _GoingOn(compiler, handlers, failed).suite(node.body, tree.body, orelse)
    parts = protect.parts(node.body, tree.body)
    return (attempt(Attempt(parts, handlers, orelse, compiler.span(tree.body[0]))),)


_COMPOUND = (ast.If, ast.For, ast.While, ast.Try)


def _handling(
    compiler: Compiler,
    node: cst.ExceptHandler,
    tree: ast.ExceptHandler,
    suite: _Suite,
) -> Body:
    compiler.handled.append(tree.name or "")
    body = suite(node.body, tree.body)
    compiler.handled.pop()
    return body


def _errors(
    compiler: Compiler, node: cst.ExceptHandler, tree: ast.ExceptHandler
) -> tuple[str | Maker, ...] | None:
    """The exceptions that a handler names; None if one of them is refused."""
    if tree.type is None:
        return ("BaseException",)
    types = tree.type.elts if isinstance(tree.type, ast.Tuple) else [tree.type]
    found: list[str | Maker] = []
    for one in types:
        name = dotted(one)
        if name in _CAUGHT and compiler.is_builtin(cst.Name(name), name):
            found.append(name)
            continue
        own = exception_of(compiler.module, name)
        if own is None or name.partition(".")[0] in compiler.scopes[-1]:
            return None
        found.append(own)
    return tuple(found)


def _is_read(handler: ast.ExceptHandler) -> bool:
    """Whether a handler reads the exception other than as a cause in `raise`."""
    raised = [n for n in ast.walk(handler) if isinstance(n, ast.Raise)]
    causes = {part for n in raised for part in (n.cause, n.exc)}
    names = (n for n in ast.walk(handler) if isinstance(n, ast.Name))
    return any(n.id == handler.name and n not in causes for n in names)


def _is_handled(tree: ast.stmt) -> bool:
    """Whether a statement is a `try` with handlers alone."""
    return isinstance(tree, ast.Try) and not tree.finalbody


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
        if _is_handled(tree):
            assert isinstance(node, cst.Try) and isinstance(tree, ast.Try)
            inner = _inside(self.compiler, node, tree, self.handlers, self.suite)
            if inner is not None:
                return inner
        leaves_loops = any(skips(one.body) for one in self.handlers)
        if isinstance(tree, ast.While) and not leaves_loops and not tree.orelse:
            assert isinstance(node, cst.While)
            return self.tested(node, tree)
        if isinstance(node, cst.For) and isinstance(tree, ast.For) and not leaves_loops:
            over = (*self.compiler.compile(node.iter, tree.iter), Hold(ITEMS))
            counted = loop(self.compiler, node, tree, self.suite)
            load = Load(ITEMS, 0, self.compiler.span(tree.iter))
            return in_order([self._protected(over, tree), (load, counted)])
        return self._protected(self._plain(node, tree), tree)

    def tested(self, node: cst.While, tree: ast.While) -> Body:
        """A `while` whose test is protected as its body is, in front of that."""
        span = self.compiler.span(tree.test)
        test = (*self.compiler.test(node.test, tree.test), Hold(_TEST))
        stops = fork(Fork((), (), span), (), (Skip(True, span),))
        body = in_order(
            [
                self._protected(test, tree),
                (Load(_TEST, 0, span), stops),
                self.suite(node.body, tree.body),
            ]
        )
        always: Body = (Push(TRUE),)
        binds = tuple(dict.fromkeys(bound_in(body)))
        return (Repeat(always, body, (), span, binds, returns(body)),)

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


def _longer(handlers: tuple[Caught, ...], more: Body) -> tuple[Caught, ...]:
    """Handlers, those that fall through with more behind them."""
    return tuple(
        replace(one, body=in_order([one.body, more])) if falls(one.body) else one
        for one in handlers
    )


class _GoingOn:
    """A `try` some of whose handlers go on behind it, with arms and loops inside. A
    name says whether a handler has run: then nothing behind it runs in the `try`.
    """

    def __init__(
        self, compiler: Compiler, handlers: tuple[Caught, ...], failed: str
    ) -> None:
        self.compiler, self.failed = compiler, failed
        self.leaves_loops = any(skips(one.body) for one in handlers)
        notes: Body = (Push(TRUE), Hold(failed))
        self.handlers = _longer(handlers, notes)

    def suite(
        self, node: cst.BaseSuite, trees: Sequence[ast.stmt], behind: Body
    ) -> Body:
        """A block, and what stands behind it where nothing has failed."""
        pieces = [self._piece(*twin) for twin in _lines(node, trees)]
        plain: list[Body] = []
        for piece, span in reversed(pieces):
            if not callable(piece):
                plain += [piece] if piece else []
                continue
            behind, plain = self._protected(plain[::-1], behind, span), []
            behind = piece(behind)
        return self._protected(plain[::-1], behind, pieces[0][1])

    def _piece(self, node: cst.CSTNode, tree: ast.stmt) -> tuple[_Piece, Span]:
        """A statement: what it is with something behind it, or its code alone."""
        span, made = self.compiler.span(tree), None
        if isinstance(node, cst.If) and isinstance(tree, ast.If):
            made = self._conditional(node, tree)
        elif not self.leaves_loops and isinstance(node, cst.For | cst.While):
            made = self._repeated(node, tree)
        elif _is_handled(tree):
            assert isinstance(node, cst.Try) and isinstance(tree, ast.Try)
            made = self._tried(node, tree)
        if made is None:
            return self.compiler.statement(node, tree), span
        return made, span

    def _protected(self, parts: Sequence[Body], behind: Body, span: Span) -> Body:
        if not parts:
            return behind
        return (attempt(Attempt(tuple(parts), self.handlers, behind, span)),)

    def _guarded(self, body: Body, behind: Body, span: Span) -> Body:
        """A body that may have failed, and what stands behind it."""
        if not behind:
            return body
        rest = (Load(self.failed, 0, span), fork(Fork((), (), span), (), behind))
        return in_order([(Push(FALSE), Hold(self.failed)), body, rest])

    def _conditional(self, node: cst.If, tree: ast.If) -> Callable[[Body], Body]:
        arms: list[tuple[Body, Body, Fork]] = []
        while True:
            span = self.compiler.span(tree.test)
            test = (*self.compiler.test(node.test, tree.test), Hold(_TEST))
            then = self.suite(node.body, tree.body, ())
            arms.append((test, then, Fork((), (), span, comments_at(node))))
            if not isinstance(node.orelse, cst.If):
                break
            (inner,) = tree.orelse
            assert isinstance(inner, ast.If)
            node, tree = node.orelse, inner
        made: Body = ()
        if node.orelse is not None:
            made = self.suite(node.orelse.body, tree.orelse, ())
        for test, then, like in reversed(arms):
            chosen = (Load(_TEST, 0, like.span), fork(like, then, made))
            made = self._protected([test], chosen, like.span)
        return lambda behind: self._guarded(made, behind, span)

    def _tried(self, node: cst.Try, tree: ast.Try) -> Callable[[Body], Body] | None:
        """A `try` inside of this one."""
        suite = partial(self.suite, behind=())
        made = _inside(self.compiler, node, tree, self.handlers, suite)
        if made is None:
            return None
        return lambda behind: self._guarded(made, behind, self.compiler.span(tree))

    def _repeated(
        self, node: cst.For | cst.While, tree: ast.stmt
    ) -> Callable[[Body], Body] | None:
        """A loop, which ends where a handler has run."""
        span = self.compiler.span(tree)
        stops: Body = (Skip(True, span),)
        inside = _Protection(self.compiler, _longer(self.handlers, stops))
        if node.orelse is not None:
            return None
        if isinstance(tree, ast.While) and isinstance(node, cst.While):
            made = inside.tested(node, tree)
            return lambda behind: self._guarded(made, behind, span)
        assert isinstance(tree, ast.For) and isinstance(node, cst.For)
        over = (*self.compiler.compile(node.iter, tree.iter), Hold(ITEMS))
        trips = (Load(ITEMS, 0, span), loop(self.compiler, node, tree, inside.suite))
        whole = self._protected([over], trips, span)
        return lambda behind: self._guarded(whole, behind, span)


def _lines(
    node: cst.BaseSuite, trees: Sequence[ast.stmt]
) -> list[tuple[cst.CSTNode, ast.stmt]]:
    """The statements of a block in both forms."""
    found: list[cst.CSTNode] = []
    for one in node.body:
        found += one.body if isinstance(one, cst.SimpleStatementLine) else [one]
    return list(zip(found, trees, strict=True))
