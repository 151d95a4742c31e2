"""`match` on literals: a subject that is computed once, and an `if` for every case."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, Protocol

import libcst as cst

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.read.code import (
    Bind,
    Body,
    Compare,
    Fits,
    Fork,
    Hold,
    IsBool,
    IsNone,
    Item,
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
    """What tells whether a pattern fits, and what binds its names then."""

    test: Body
    binds: Body = ()


def matched(compiler: Compiler, node: cst.Match, tree: ast.Match) -> Body:
    """`match` of values, alternatives, names and `_`, with or without guards.

    Tuples and lists are taken apart item by item. Refuses AD101: patterns that take a
    mapping or an object apart, and those with a star.
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
    load: Body = (Load(subject, 0, span),)
    pattern = _pattern(compiler, load, case.pattern, twin.pattern)
    named = pattern.binds
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
        compiler.complain("AD101", message, twin.pattern, _HELP)
        return orelse
    both = Lazy(True, guard, span, True)
    return (*pattern.test, both, fork(made, then, orelse))


def _pattern(compiler: Compiler, load: Body, form: Any, tree: ast.pattern) -> _Pattern:
    """The pattern for what `load` leaves on the stack."""
    span = compiler.span(tree)
    match tree:
        case ast.MatchValue(value=value):
            equal = Compare(TABLE["eq"], (), span)
            return _Pattern((*load, *compiler.compile(form.value, value), equal))
        case ast.MatchSingleton(value=None):
            return _Pattern((*load, IsNone(False, span)))
        case ast.MatchSingleton(value=bool(value)):
            return _Pattern((*load, IsBool(value, span)))
        case ast.MatchAs(pattern=None, name=None):
            return _Pattern(_CERTAIN)
        case ast.MatchAs(pattern=None, name=str(name)):
            return _Pattern(_CERTAIN, (*load, Bind((Target(span, name),))))
        case ast.MatchAs(pattern=ast.pattern() as inner, name=str(name)):
            found = _pattern(compiler, load, form.pattern, inner)
            binds = (*found.binds, *load, Bind((Target(span, name),)))
            return _Pattern(found.test, binds)
        case ast.MatchOr(patterns=parts):
            forms = [element.pattern for element in form.patterns]
            return _either(compiler, load, forms, parts, span)
        case ast.MatchSequence(patterns=parts) if not _has_star(parts):
            forms = [element.value for element in form.patterns]
            return _items(compiler, load, forms, parts, span)
    compiler.complain("AD101", "this pattern is not supported", tree, _HELP)
    return _Pattern((Push(Literal(False)),))


def _has_star(parts: Sequence[ast.pattern]) -> bool:
    return any(isinstance(part, ast.MatchStar) for part in parts)


def _items(
    compiler: Compiler,
    load: Body,
    forms: Sequence[Any],
    parts: Sequence[ast.pattern],
    span: Span,
) -> _Pattern:
    """A tuple or list of so many items, each with a pattern of its own."""
    tests: list[Body] = [(*load, Fits(len(parts), span))]
    binds: Body = ()
    for k, (form, part) in enumerate(zip(forms, parts, strict=True)):
        own: Body = (*load, Push(Literal(k)), Item(compiler.span(part)))
        found = _pattern(compiler, own, form, part)
        binds += found.binds
        if found.test != _CERTAIN:
            tests.append(found.test)
    first, *rest = tests
    return _Pattern((*first, *(Lazy(True, test, span, True) for test in rest)), binds)


def _either(
    compiler: Compiler,
    load: Body,
    forms: Sequence[Any],
    parts: Sequence[ast.pattern],
    span: Span,
) -> _Pattern:
    """Alternatives; the last one may be `_`."""
    found = [
        _pattern(compiler, load, form, part)
        for form, part in zip(forms, parts, strict=True)
    ]
    if any(one.binds for one in found):
        message = "a name inside alternatives is not supported"
        compiler.complain("AD101", message, parts[0], _HELP)
    if any(one.test == _CERTAIN for one in found):
        return _Pattern(_CERTAIN)
    first, *rest = (one.test for one in found)
    return _Pattern((*first, *(Lazy(False, test, span, True) for test in rest)))
