"""From the statements of a function to postfix code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.read.code import (
    Assert,
    Bind,
    Body,
    Code,
    Define,
    Drop,
    Haze,
    Instruction,
    Leave,
    Operate,
    Push,
    Target,
)
from ad_transform.read.expressions import BINARY, Expressions
from ad_transform.read.fence import OPERATORS, STATEMENTS, UNKNOWN_STATEMENT, Refused
from ad_transform.read.module import in_library
from ad_transform.read.names import imported
from ad_transform.read.signature import formals_of
from ad_transform.read.spelling import identifier
from ad_transform.read.values import Special

_PRAGMA = re.compile(
    r"(ad|type|noqa|fmt|pragma|pylint|isort|mypy|ruff|pyright|flake8|yapf)\s*:"
    r"|noqa\b|nosec\b|!"
)

_ELEMENTS = "arrays are not supported yet: bind plain names"


class Statements(Expressions):
    """Compiles functions of a statement of the module."""

    def definition(self, node: cst.FunctionDef) -> Body:
        """Code that leaves the function on the stack."""
        formals, names, defaults = formals_of(self, node.params)
        values = tuple(step for value in defaults for step in self.compile(value))
        span = self.span(node)
        self.scopes.append(self.places[span.line, span.column])
        lazy, self.lazy = self.lazy, 0
        body = self.inner(lambda: self._suite(node.body), node)
        self.lazy = lazy
        self.scopes.pop()
        code = Code(identifier(node.name), formals, body, self.span(node.name))
        return (*values, Define(code, names))

    def _suite(self, suite: cst.BaseSuite) -> Body:
        done: list[Instruction] = []
        for statement in suite.body:
            done += self._statement(statement)
        return tuple(done)

    def _statement(self, node: cst.CSTNode) -> Body:
        if isinstance(node, cst.SimpleStatementLine):
            notes = comments_of(node)
            done: list[Instruction] = []
            for small in node.body:
                done += self._small(small, notes)
            return tuple(done)
        if isinstance(node, cst.BaseSmallStatement):  # behind the colon of `def`
            return self._small(node, ())
        if isinstance(node, cst.FunctionDef):
            return self._nested(node)
        return self._compound(node)

    def _small(self, node: cst.BaseSmallStatement, notes: tuple[str, ...]) -> Body:
        handler = _SMALL.get(type(node).__name__)
        if handler is None:
            self.refuse(STATEMENTS.get(type(node).__name__, UNKNOWN_STATEMENT), node)
            return (Haze(),)
        return handler(self, node, notes)

    def _nested(self, node: cst.FunctionDef) -> Body:
        if node.asynchronous is not None or node.decorators:
            what = "a decorator" if node.decorators else "a coroutine"
            help_ = "write a plain `def`"
            message = f"{what} inside a function is not supported"
            self.refuse(Refused("AD101", message, help_), node.name)
            return (Haze(),)
        target = Target(self.span(node.name), identifier(node.name))
        return (*self.definition(node), Bind((target,)))

    def _compound(self, node: cst.CSTNode) -> Body:
        """Refuse a statement; what is wrong inside is worth saying too."""
        row = STATEMENTS.get(type(node).__name__, UNKNOWN_STATEMENT)
        line, column = self.span(node).line, self.span(node).column
        end = len(self.module.source.lines[line - 1].rstrip()) + 1
        self.report(row, Span(line, column, line, end))
        for part in _expressions_in(node):
            self.compile(part)
        for suite in _suites_in(node):
            self.inner(partial(self._suite, suite), node)
        return (Haze(),)

    # --- small statements -----------------------------------------------------------

    def assign(self, node: cst.Assign, notes: tuple[str, ...]) -> Body:
        targets = tuple(self._target(t.target) for t in node.targets)
        return (*self.compile(node.value), Bind(targets, notes))

    def annotated(self, node: cst.AnnAssign, notes: tuple[str, ...]) -> Body:
        if node.value is None:
            return ()
        target = self._target(node.target)
        return (*self.compile(node.value), Bind((target,), notes))

    def augmented(self, node: cst.AugAssign, notes: tuple[str, ...]) -> Body:
        operator = type(node.operator).__name__.removesuffix("Assign")
        target = self._target(node.target)
        if operator in OPERATORS:
            self.refuse(OPERATORS[operator], node)
            return (Haze(),)
        if not isinstance(node.target, cst.Name):
            return (Haze(),)
        op = TABLE[BINARY[operator]]
        return (
            *self.compile(node.target),
            *self.compile(node.value),
            Operate(op, 2, self.span(node)),
            Bind((target,), notes),
        )

    def _target(self, node: cst.CSTNode) -> Target:
        span = self.span(node)
        if isinstance(node, cst.Name):
            return Target(span, identifier(node))
        if isinstance(node, cst.Tuple | cst.List):
            stars = [isinstance(e, cst.StarredElement) for e in node.elements]
            items = tuple(self._target(e.value) for e in node.elements)
            star = stars.index(True) if True in stars else -1
            return Target(span, "", items, star)
        what = "an attribute" if isinstance(node, cst.Attribute) else "an element"
        message = f"assigning to {what} is not supported yet"
        self.refuse(Refused("AD101", message, _ELEMENTS), node)
        return Target(span, "")

    def leave(self, node: cst.Return, notes: tuple[str, ...]) -> Body:
        value: Body = (Push(Special.NONE),)
        if node.value is not None:
            value = self.compile(node.value)
        return (*value, Leave(self.span(node), notes))

    def expression(self, node: cst.Expr, notes: tuple[str, ...]) -> Body:
        value = self.concrete.whole(node.value)
        if isinstance(value, cst.SimpleString | cst.ConcatenatedString | cst.Ellipsis):
            return ()
        if isinstance(value, cst.Call) and self.is_builtin(value.func, "print"):
            return self._print(value)
        return (*self.compile(value), Drop())

    def _print(self, node: cst.Call) -> Body:
        for inner in _within(node):
            if isinstance(inner, cst.NamedExpr):
                help_ = "bind the name in a statement of its own"
                message = "a walrus inside `print` is not supported"
                self.refuse(Refused("AD102", message, help_), inner)
                return (Haze(),)
        return ()

    def check(self, node: cst.Assert, notes: tuple[str, ...]) -> Body:
        test = self.compile(node.test)
        texts: list[str | None] = []
        values: list[Instruction] = []
        for part in self._message(node.msg):
            texts.append(part if isinstance(part, str) else None)
            if not isinstance(part, str):
                values += self.compile(part)
        return (*test, *values, Assert(tuple(texts), self.span(node), notes))

    def _message(
        self, node: cst.BaseExpression | None
    ) -> Iterator[str | cst.BaseExpression]:
        """The texts and values of the message of an assertion."""
        if node is None:
            return
        node = self.concrete.whole(node)
        if isinstance(node, cst.SimpleString):
            text = node.evaluated_value
            if isinstance(text, str):
                yield text
                return
        if isinstance(node, cst.ConcatenatedString):
            yield from self._message(node.left)
            yield from self._message(node.right)
            return
        fits = isinstance(node, cst.FormattedString) and all(map(_plain, node.parts))
        if not fits:
            help_ = 'write a plain text or f-string: `assert x > 0, f"x is {x}"`'
            message = "this message is not supported"
            self.refuse(Refused("AD102", message, help_), node)
            return
        assert isinstance(node, cst.FormattedString)
        for part in node.parts:
            if isinstance(part, cst.FormattedStringText):
                yield _text(part.value, node.start)
            else:
                assert isinstance(part, cst.FormattedStringExpression)
                yield part.expression

    def nothing(self, node: cst.Pass, notes: tuple[str, ...]) -> Body:
        return ()

    def bring(self, node: cst.Import | cst.ImportFrom, notes: tuple[str, ...]) -> Body:
        (tree,) = ast.parse(cst.Module([]).code_for_node(node)).body
        assert isinstance(tree, ast.Import | ast.ImportFrom)
        done: list[Instruction] = []
        for name, qualified in imported(tree):
            target = Target(self.span(node), name)
            done += (Push(in_library(qualified)), Bind((target,)))
        return tuple(done)


_SMALL: dict[str, Callable[[Statements, Any, tuple[str, ...]], Body]] = {
    "Assign": Statements.assign,
    "AnnAssign": Statements.annotated,
    "AugAssign": Statements.augmented,
    "Return": Statements.leave,
    "Expr": Statements.expression,
    "Assert": Statements.check,
    "Pass": Statements.nothing,
    "Import": Statements.bring,
    "ImportFrom": Statements.bring,
}


# --- parts of nodes -----------------------------------------------------------------


def comments_of(node: cst.SimpleStatementLine) -> tuple[str, ...]:
    """The comments above and behind a statement, without `#`; none for tools."""
    comments = [line.comment for line in node.leading_lines]
    comments.append(node.trailing_whitespace.comment)
    texts = (comment.value[1:].strip() for comment in comments if comment)
    return tuple(text for text in texts if text and not is_for_tools(text))


def is_for_tools(comment: str) -> bool:
    """Whether a comment (without `#`) speaks to a tool; such are not copied."""
    return _PRAGMA.match(comment) is not None


def _within(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    stack = [node]
    while stack:
        inner = stack.pop()
        yield inner
        stack.extend(inner.children)


def _expressions_in(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    for field in ("test", "iter", "subject"):
        part = getattr(node, field, None)
        if isinstance(part, cst.BaseExpression):
            yield part


def _suites_in(node: cst.CSTNode) -> Iterator[cst.BaseSuite]:
    """The blocks of a compound statement, those of `elif` and `except` too."""
    stack: list[cst.CSTNode] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, cst.ClassDef):
            continue
        for field in ("finalbody", "orelse", "handlers", "cases", "body"):
            below = getattr(part, field, None)
            if isinstance(below, cst.BaseSuite):
                yield below
            elif isinstance(below, cst.CSTNode):
                stack.append(below)
            elif isinstance(below, tuple | list):
                stack.extend(below)


def _plain(part: cst.BaseFormattedStringContent) -> bool:
    """Whether a part of an f-string is text or `{name}` without a format."""
    if isinstance(part, cst.FormattedStringText):
        return True
    return (
        isinstance(part, cst.FormattedStringExpression)
        and isinstance(part.expression, cst.Name | cst.Integer | cst.Float)
        and part.conversion is None
        and part.format_spec is None
        and part.equal is None
    )


def _text(raw: str, start: str) -> str:
    """The text between the fields of an f-string that begins with `start`."""
    plain = raw.replace("{{", "{").replace("}}", "}")
    if "r" in start.lower() or "\\" not in plain:
        return plain
    quote = start.lstrip("fFuU")
    return str(ast.literal_eval(f"{quote}{plain}{quote}"))
