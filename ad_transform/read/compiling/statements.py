"""From the statements of a function to postfix code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import libcst as cst

from ad_transform.later import later
from ad_transform.read.code import (
    Bind,
    Body,
    Drop,
    Each,
    Give,
    Haze,
    Leave,
    Load,
    Push,
    Skip,
    Target,
)
from ad_transform.read.compiling.assignments import (
    annotated,
    assigned,
    augmented,
    brought,
    deleted,
    valued,
)
from ad_transform.read.compiling.control import COMPOUND
from ad_transform.read.compiling.exits import in_order
from ad_transform.read.compiling.expressions import Expressions
from ad_transform.read.compiling.passed import is_logger, is_setting, says_only
from ad_transform.read.marks.attach import IGNORED
from ad_transform.read.project.module import Module
from ad_transform.read.remarks import handed_on
from ad_transform.read.syntax.concrete import Concrete
from ad_transform.read.syntax.fence import STATEMENTS, UNKNOWN_STATEMENT, instead_of_try
from ad_transform.read.syntax.notes import Notes, comments_of
from ad_transform.read.syntax.plain import BLOCK, form
from ad_transform.read.syntax.scopes import shown
from ad_transform.read.values.values import Special

with later():
    from ad_transform.read.compiling.failing import asserted, failed
    from ad_transform.read.compiling.trying import attempted
    from ad_transform.read.texts.printed import compiled


class Statements(Expressions):
    """Compiles functions of a statement of the module.

    `loggers` are the local names of loggers.
    """

    def __init__(self, module: Module, concrete: Concrete) -> None:
        super().__init__(module, concrete)
        self.loggers: set[str] = set()

    def definition(self, node: cst.FunctionDef, tree: ast.FunctionDef) -> Body:
        """Code that leaves the function on the stack."""

        def body() -> Body:
            return self.suite(node.body, tree.body)

        return self.function_code(tree.name, body, tree, node.params)

    def suite(self, suite: cst.BaseSuite, trees: Sequence[ast.stmt]) -> Body:
        """The code of a block."""
        if suite is BLOCK:
            return in_order([self.statement(form(one), one) for one in trees])
        parts: list[Body] = []
        queue = iter(trees)
        for node in suite.body:
            if isinstance(node, cst.SimpleStatementLine):
                if count := self.concrete.plain_at(node):
                    own = islice(queue, count)
                    parts += (self.statement(form(one), one) for one in own)
                    continue
                notes = comments_of(node)
                parts += (self._small(small, next(queue), notes) for small in node.body)
            elif isinstance(node, cst.BaseSmallStatement):  # `def f(x): return x`
                parts.append(self._small(node, next(queue), ()))
            else:
                parts.append(self._compound(node, next(queue)))
        return in_order(handed_on(parts))

    def statement(self, node: cst.CSTNode, tree: ast.stmt) -> Body:
        """The code of one statement, small or not."""
        if isinstance(node, cst.BaseSmallStatement):
            return self._small(node, tree, ())
        return self._compound(node, tree)

    def _small(
        self, node: cst.BaseSmallStatement, tree: ast.stmt, notes: tuple[str, ...]
    ) -> Body:
        handler = _SMALL.get(type(node).__name__)
        if handler is not None:
            return handler(self, node, tree, notes)
        self.refuse(STATEMENTS.get(type(node).__name__, UNKNOWN_STATEMENT), tree)
        return (Haze(),)

    def _compound(self, node: cst.CSTNode, tree: ast.stmt) -> Body:
        """A nested function, or a refusal; faults inside it are reported as well."""
        if isinstance(node, cst.FunctionDef) and isinstance(tree, ast.FunctionDef):
            return self._nested(node, tree)
        if isinstance(node, cst.With) and is_setting(tree, self.reach):
            assert isinstance(tree, ast.With)
            for item in tree.items:
                said = f"with {shown(item.context_expr)}"
                self._pass_over(
                    said, item.context_expr, "its body is read all the same"
                )
            return self.suite(node.body, tree.body)
        handler = COMPOUND.get(type(node))
        if handler is not None:
            return handler(self, node, tree)
        if isinstance(node, cst.Try) and isinstance(tree, ast.Try):
            made = attempted(self, node, tree)
            if made is not None:
                return made
        is_async = isinstance(tree, ast.AsyncFunctionDef)
        name = "AsyncFunctionDef" if is_async else type(node).__name__
        row = STATEMENTS.get(name, UNKNOWN_STATEMENT)
        span = self.span(tree)
        end = len(self.source.lines[span.line - 1].rstrip()) + 1
        head = span._replace(end_line=span.line, end_column=end)
        help_ = instead_of_try(tree) if isinstance(tree, ast.Try) else row.help
        self.module.report.add(row.code, row.message, head, help_)
        self._read_on(node, tree)
        return (Haze(),)

    def _read_on(self, node: cst.CSTNode, tree: ast.stmt) -> None:
        """Report the faults inside a statement that is refused."""
        for suite, trees in _suites_in(node, tree):
            self.inner(partial(self.suite, suite, trees), tree)
            for inner in trees:
                self.strangers(inner)
        if isinstance(tree, ast.ClassDef):
            self.strangers(tree)
        test = getattr(tree, "test", None) or getattr(tree, "iter", None)
        if test is not None:
            self.strangers(test)

    def _pass_over(
        self, said: str, tree: ast.expr, help_: str = "it computes nothing"
    ) -> None:
        message = f"`{said}` is passed over"
        span = self.span(tree)
        self.module.report.add("AD112", message, span, help_)

    def _nested(self, node: cst.FunctionDef, tree: ast.FunctionDef) -> Body:
        for one in tree.decorator_list:
            called = one.func if isinstance(one, ast.Call) else one
            name = self.reach.library(called)
            if name not in IGNORED:
                message = "a decorator inside a function is not supported"
                self.complain("AD101", message, tree, "write a plain `def`")
                return (Haze(),)
            message = f"{name!r} is ignored: {IGNORED[name]}"
            self.module.report.add("AD027", message, self.span(one))
        target = Target(self.span(tree), tree.name)
        return (*self.definition(node, tree), Bind((target,)))

    # --- small statements -----------------------------------------------------------

    def assign(self, node: cst.Assign, tree: ast.Assign, notes: Notes) -> Body:
        if is_logger(tree.value, self.reach):
            names = [t.id for t in tree.targets if isinstance(t, ast.Name)]
            self.loggers.update(names)
            self._pass_over("logging.getLogger", tree.value)
            return ()
        return assigned(self, node, tree, notes)

    def leave(self, node: cst.Return, tree: ast.Return, notes: Notes) -> Body:
        value: Body = (Push(Special.NONE),)
        if node.value is not None and tree.value is not None:
            value = valued(self, node.value, tree, tree.value)
        return (*value, Leave(self.span(tree), notes))

    def expression(self, node: cst.Expr, tree: ast.Expr, notes: Notes) -> Body:
        value = self.concrete.whole(node.value)
        if isinstance(value, cst.SimpleString | cst.ConcatenatedString | cst.Ellipsis):
            return ()
        if isinstance(value, cst.Call) and self.is_builtin(value.func, "print"):
            call = tree.value
            assert isinstance(call, ast.Call)
            return (*self._silent(call), *compiled(self, value, call, notes))
        if isinstance(value, cst.Yield) and isinstance(
            tree.value, ast.Yield | ast.YieldFrom
        ):
            return self._given(value, tree.value)
        said = says_only(tree.value, self.reach, frozenset(self.loggers))
        if said:
            self._pass_over(said, tree.value)
            return self._silent(tree.value)
        return (*self.compile(value, tree.value), Drop())

    def _given(self, node: cst.Yield, tree: ast.Yield | ast.YieldFrom) -> Body:
        """`yield value`, and `yield from items` as a loop."""
        self.gives = True
        span = self.span(tree)
        if isinstance(node.value, cst.From):
            assert isinstance(tree, ast.YieldFrom)
            items = self.compile(node.value.item, tree.value)
            target = Target(span, "<given>")
            body: Body = (Load("<given>", 0, span), Give(span))
            return (*items, Each(target, body, (), span, ("<given>",), False, False))
        value: Body = (Push(Special.NONE),)
        if node.value is not None and tree.value is not None:
            value = self.compile(node.value, tree.value)
        return (*value, Give(span))

    def _silent(self, tree: ast.expr) -> Body:
        for inner in ast.walk(tree):
            if isinstance(inner, ast.NamedExpr):
                help_ = "bind the name in a statement of its own"
                message = (
                    "a walrus in a statement that only says something is not supported"
                )
                self.complain("AD102", message, inner, help_)
                return (Haze(),)
        return ()

    def skip(
        self,
        node: cst.Break | cst.Continue,
        tree: ast.Break | ast.Continue,
        notes: Notes,
    ) -> Body:
        return (Skip(isinstance(tree, ast.Break), self.span(tree)),)

    def nothing(
        self, node: cst.BaseSmallStatement, tree: ast.stmt, notes: Notes
    ) -> Body:
        return ()


_SMALL: dict[str, Callable[[Statements, Any, Any, Notes], Body]] = {
    "Assign": Statements.assign,
    "AnnAssign": annotated,
    "AugAssign": augmented,
    "Return": Statements.leave,
    "Expr": Statements.expression,
    "Assert": asserted,
    "Raise": failed,
    "Break": Statements.skip,
    "Continue": Statements.skip,
    "Pass": Statements.nothing,
    "Nonlocal": Statements.nothing,
    "Del": deleted,
    "Import": brought,
    "ImportFrom": brought,
}


# --- parts of nodes -----------------------------------------------------------------


def _suites_in(
    node: cst.CSTNode, tree: ast.AST
) -> Iterator[tuple[cst.BaseSuite, Sequence[ast.stmt]]]:
    """The blocks of a refused statement in both forms, those of `elif` and `except`
    too.
    """
    pairs: list[tuple[Any, Any]] = [(node, tree)]
    while pairs:
        form, twin = pairs.pop()
        if isinstance(form, cst.BaseSuite):
            yield form, twin
        if not isinstance(form, _WITH_BLOCKS):
            continue
        pairs.append((form.body, twin.body))
        for field in ("orelse", "finalbody"):
            below = getattr(form, field, None)
            if isinstance(below, cst.If):  # `elif`
                pairs.append((below, twin.orelse[0]))
            elif below is not None:
                pairs.append((below.body, getattr(twin, field)))
        if isinstance(form, cst.Try | cst.TryStar):
            pairs += zip(form.handlers, twin.handlers, strict=True)


_WITH_BLOCKS = (
    cst.If,
    cst.For,
    cst.While,
    cst.With,
    cst.Try,
    cst.TryStar,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
)
