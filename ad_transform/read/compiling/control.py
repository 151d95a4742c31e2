"""From statements of control flow to postfix code; `match` is in `matching`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.code import (
    Body,
    Each,
    Fork,
    Haze,
    Hold,
    Load,
    Push,
    Repeat,
    Skip,
    Solving,
    Target,
)
from ad_transform.read.compiling.exits import (
    bound_in,
    breaks,
    fork,
    in_order,
    leaves,
    names_of,
    returns,
)
from ad_transform.read.compiling.loop_names import of_trips
from ad_transform.read.project.module import Module
from ad_transform.read.remarks import noted
from ad_transform.read.syntax.concrete import Twin
from ad_transform.read.syntax.notes import comments_at
from ad_transform.read.syntax.scopes import Scope, shown
from ad_transform.read.syntax.source import Place
from ad_transform.read.values.values import Special

with later():
    from ad_transform.read.compiling.matching import matched


class Compiler(Protocol):
    """The methods of `Statements` that these statements use."""

    module: Module

    def suite(self, suite: cst.BaseSuite, trees: Sequence[ast.stmt]) -> Body: ...

    def statement(self, node: Any, tree: ast.stmt) -> Body: ...

    def is_builtin(self, node: cst.BaseExpression, name: str) -> bool: ...

    def target(self, tree: ast.expr) -> Target: ...

    def compile(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    handled: list[str]
    cells: dict[int, tuple[str, ...]]
    functions: list[Scope]
    scopes: list[Counter[str]]

    def later(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def test(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def conjuncts(self, node: cst.BaseExpression, tree: ast.expr) -> list[Twin]: ...

    def complain(self, code: str, message: str, tree: Place, help_: str) -> Body: ...

    def called(self, name: str, span: Span) -> Body: ...

    def span(self, tree: Place) -> Span: ...


def conditional(compiler: Compiler, node: cst.If, tree: ast.If) -> Body:
    """`if`, its `elif`s and its `else`, built from the last arm up."""
    if tree.lineno in compiler.module.stated.lines:
        return ()
    arms: list[tuple[cst.If, ast.If]] = [(node, tree)]
    while isinstance(node.orelse, cst.If):
        (inner,) = tree.orelse
        assert isinstance(inner, ast.If)
        node, tree = node.orelse, inner
        arms.append((node, tree))
    tests = [_tested(compiler, n.test, t.test) for n, t in arms]
    thens = [compiler.suite(n.body, t.body) for n, t in arms]
    orelse: Body = ()
    if node.orelse is not None:
        orelse = compiler.suite(node.orelse.body, tree.orelse)
        orelse = noted(orelse, comments_at(node.orelse))
    for (one, twin), test, then in reversed(list(zip(arms, tests, thens, strict=True))):
        made = Fork((), (), compiler.span(twin.test), comments_at(one))
        orelse = (*test, fork(made, then, orelse))
    return orelse


def _tested(compiler: Compiler, node: cst.BaseExpression, tree: ast.expr) -> Body:
    """The test of an `if`. If later operands of an `and` bind names, each is tested in
    an arm of the one before, and a hidden name tells whether all hold.
    """
    twins = compiler.conjuncts(node, tree)
    if not any(_binds(one) for _, one in twins[1:]):
        return compiler.test(node, tree)
    span, holds = compiler.span(tree), f"<if {tree.lineno}:{tree.col_offset}>"
    *tests, last = [compiler.test(*twin) for twin in twins]
    code: Body = (*last, Hold(holds))
    for test in reversed(tests):
        no: Body = (Push(Literal(False)), Hold(holds))
        code = (*test, fork(Fork((), (), span), code, no))
    return (*code, Load(holds, 0, span))


def _binds(tree: ast.expr) -> bool:
    """Whether an expression binds names with a walrus."""
    return any(isinstance(part, ast.NamedExpr) for part in ast.walk(tree))


def counted(compiler: Compiler, node: cst.For, tree: ast.For) -> Body:
    """`for`, with its `else`."""
    over = compiler.compile(node.iter, tree.iter)
    made = loop(compiler, node, tree, compiler.suite)
    left = breaks(made.body) and not made.returns and not compiler.cells
    alone = of_trips(compiler.functions[-1]) if left and compiler.functions else ()
    names = [name for name in dict.fromkeys(names_of((made.target,))) if name in alone]
    unread = [i for name in names for i in (Push(Special.UNUSED), Hold(name))]
    return (*over, made, *unread)


Suite = Callable[[cst.BaseSuite, list[ast.stmt]], Body]


def loop(compiler: Compiler, node: cst.For, tree: ast.For, suite: Suite) -> Each:
    """A `for` with blocks compiled by `suite`; the items are on the stack already."""
    body = suite(node.body, tree.body)
    target = compiler.target(tree.target)
    orelse = suite(node.orelse.body, tree.orelse) if node.orelse else ()
    span = compiler.span(tree.iter)
    binds = tuple(dict.fromkeys((*names_of((target,)), *bound_in(body))))
    returning = returns(body)
    exits = leaves(body) or breaks(body)
    returning = returning or returns(orelse)
    head = f"for {shown(tree.target)} in {shown(tree.iter)}"
    held = (*_marks(compiler, tree), comments_at(node), head)
    return Each(target, body, orelse, span, binds, exits, returning, *held)


def repeated(compiler: Compiler, node: cst.While, tree: ast.While) -> Body:
    """`while`, with its `else`.

    A test that binds names with a walrus is moved into the body: `while True`, and a
    `break` if the test fails.
    """
    if _binds(tree.test):
        return _binding(compiler, node, tree)
    test = compiler.later(node.test, tree.test)
    body = compiler.suite(node.body, tree.body)
    orelse = _orelse(compiler, node, tree)
    span = compiler.span(tree.test)
    binds = tuple(dict.fromkeys(bound_in(body)))
    returning = returns(body) or returns(orelse)
    head = f"while {shown(tree.test)}"
    held = (*_marks(compiler, tree), comments_at(node), head)
    return (Repeat(test, body, orelse, span, binds, returning, *held),)


def _marks(compiler: Compiler, tree: ast.For | ast.While) -> tuple[int, Solving | None]:
    """The number of snapshots in the mark above a loop, and the equation that it
    solves.
    """
    mark = compiler.module.loop_marks.get(tree.lineno)
    if mark is None:
        return 0, None
    if not mark.residual:
        return mark.snapshots, None
    residual = compiler.called(mark.residual, mark.span)
    return mark.snapshots, Solving(mark.residual, residual, mark.span)


def _binding(compiler: Compiler, node: cst.While, tree: ast.While) -> Body:
    span = compiler.span(tree.test)
    inside = (part for one in tree.orelse for part in ast.walk(one))
    if any(isinstance(part, ast.Break | ast.Continue) for part in inside):
        message = "a walrus in the test of a `while` whose `else` leaves a loop"
        help_ = "bind the name in a statement of its own"
        compiler.complain("AD102", f"{message} is not supported", tree.test, help_)
    orelse = _orelse(compiler, node, tree)
    goes_on = fork(Fork((), (), span), (), in_order([orelse, (Skip(True, span),)]))
    twins = compiler.conjuncts(node.test, tree.test)
    with compiler.module.shared.apart() as report:
        tests = [compiler.test(*twin) for twin in twins]
    compiler.module.report.extend(report.sorted())
    rest = compiler.suite(node.body, tree.body)
    if report.has_error:
        return (Haze(),)
    body = in_order([*((*test, goes_on) for test in tests), rest])
    binds = tuple(dict.fromkeys(bound_in(body)))
    always: Body = (Push(Literal(True)),)
    held = (*_marks(compiler, tree), comments_at(node))
    return (Repeat(always, body, (), span, binds, returns(body), *held),)


def _orelse(
    compiler: Compiler, node: cst.For | cst.While, tree: ast.For | ast.While
) -> Body:
    return compiler.suite(node.orelse.body, tree.orelse) if node.orelse else ()


COMPOUND: dict[type[cst.CSTNode], Callable[[Any, Any, Any], Body]] = {
    cst.If: conditional,
    cst.For: counted,
    cst.While: repeated,
    cst.Match: matched,
}
"""Compilers by the form of the statement."""
