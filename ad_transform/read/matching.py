"""`match` on literals: a subject that is computed once, and an `if` for every case."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.read.code import (
    Bind,
    Body,
    Compare,
    Fork,
    Hold,
    IsNone,
    Lazy,
    Load,
    Push,
    Target,
)
from ad_transform.read.exits import fork
from ad_transform.read.notes import comments_at
from ad_transform.read.source import Place

_CERTAIN: Body = (Push(Literal(True)),)
_HELP = "write the cases with `if` and `elif`"


class Compiler(Protocol):
    """What patterns need of the compiler of a function; see `Statements`."""

    def suite(self, suite: cst.BaseSuite, trees: list[ast.stmt]) -> Body: ...

    def compile(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def test(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def complain(self, code: str, message: str, tree: Place, help_: str) -> Body: ...

    def span(self, tree: Place) -> Span: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Pattern:
    """What tells whether a pattern fits, and the name that it gives the subject."""

    test: Body
    name: str = ""


def matched(compiler: Compiler, node: cst.Match, tree: ast.Match) -> Body:
    """`match` of values, alternatives, names and `_`, with or without guards.

    Refuses AD101: patterns that take a sequence, a mapping or an object apart.
    """
    subject = f"<match {tree.lineno}:{tree.col_offset}>"  # no source can bind it
    code: Body = ()
    for case, twin in reversed(list(zip(node.cases, tree.cases, strict=True))):
        code = _case(compiler, subject, case, twin, code)
    return (*compiler.compile(node.subject, tree.subject), Hold(subject), *code)


def _case(
    compiler: Compiler,
    subject: str,
    case: cst.MatchCase,
    twin: ast.match_case,
    orelse: Body,
) -> Body:
    span = compiler.span(twin.pattern)
    load = Load(subject, 0, span)
    pattern = _pattern(compiler, load, case.pattern, twin.pattern)
    named: Body = (load, Bind((Target(span, pattern.name),))) if pattern.name else ()
    then = compiler.suite(case.body, twin.body)
    if case.guard is None or twin.guard is None:
        if pattern.test == _CERTAIN:
            return (*named, *then)
        made = Fork((), (), span, comments_at(case))
        return (*pattern.test, fork(made, (*named, *then), orelse))
    made = Fork((), (), compiler.span(twin.guard), comments_at(case))
    guard = compiler.test(case.guard, twin.guard)
    if pattern.test == _CERTAIN:
        return (*named, *guard, fork(made, then, orelse))
    if named:
        message = "a name for a value that a guard tests is not supported"
        return compiler.complain("AD101", message, twin.pattern, _HELP)
    both = Lazy(True, guard, span, True)
    return (*pattern.test, both, fork(made, then, orelse))


def _pattern(compiler: Compiler, load: Load, form: Any, tree: ast.pattern) -> _Pattern:
    span = compiler.span(tree)
    match tree:
        case ast.MatchValue(value=value):
            equal = Compare(TABLE["eq"], (), span)
            return _Pattern((load, *compiler.compile(form.value, value), equal))
        case ast.MatchSingleton(value=None):
            return _Pattern((load, IsNone(False, span)))
        case ast.MatchAs(pattern=None, name=name):
            return _Pattern(_CERTAIN, name or "")
        case ast.MatchAs(pattern=ast.pattern() as inner, name=str(name)):
            found = _pattern(compiler, load, form.pattern, inner)
            if not found.name:
                return _Pattern(found.test, name)
        case ast.MatchOr(patterns=parts):
            forms = [element.pattern for element in form.patterns]
            return _either(compiler, load, forms, parts, span)
    compiler.complain("AD101", "this pattern is not supported", tree, _HELP)
    return _Pattern((Push(Literal(False)),))


def _either(
    compiler: Compiler,
    load: Load,
    forms: Sequence[Any],
    parts: Sequence[ast.pattern],
    span: Span,
) -> _Pattern:
    """Alternatives; the last one may be `_`."""
    found = [
        _pattern(compiler, load, form, part)
        for form, part in zip(forms, parts, strict=True)
    ]
    if any(one.name for one in found):
        message = "a name inside alternatives is not supported"
        compiler.complain("AD101", message, parts[0], _HELP)
    if any(one.test == _CERTAIN for one in found):
        return _Pattern(_CERTAIN)
    first, *rest = (one.test for one in found)
    return _Pattern((*first, *(Lazy(False, test, span, True) for test in rest)))
