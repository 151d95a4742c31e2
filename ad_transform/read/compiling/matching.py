"""`match`: a subject that is computed once, and an `if` for every case."""

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
    Attribute,
    Bind,
    Body,
    Call,
    Compare,
    Contains,
    Fits,
    Fork,
    Hold,
    IsBool,
    IsNone,
    Item,
    Lazy,
    Load,
    MakeSlice,
    Push,
    Target,
)
from ad_transform.read.compiling.exits import fork
from ad_transform.read.objects.instances import ISINSTANCE
from ad_transform.read.syntax.notes import comments_at
from ad_transform.read.syntax.source import Place
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.classes import Class
from ad_transform.read.values.values import Special

_CERTAIN: Body = (Push(Literal(True)),)
_HELP = "write the cases with `if` and `elif`"
_OF_ITSELF = frozenset(
    {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set"}
    | {"str", "tuple"}
)
"""Types of Python whose pattern `float(x)` binds the subject itself."""


class Compiler(Protocol):
    """The methods of `Statements` that patterns use."""

    def suite(self, suite: cst.BaseSuite, trees: list[ast.stmt]) -> Body: ...

    def compile(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def test(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def complain(self, code: str, message: str, tree: Place, help_: str) -> Body: ...

    def span(self, tree: Place) -> Span: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Pattern:
    """The code that tests whether a pattern fits, and the code that then binds its
    names.
    """

    test: Body
    binds: Body = ()


def matched(compiler: Compiler, node: cst.Match, tree: ast.Match) -> Body:
    """`match` of values, alternatives, names and `_`, with or without guards.

    Tuples and lists are taken apart item by item, objects field by field, dicts by
    their keys. Refuses AD101: names inside alternatives, `**rest`, and fields by
    position if the `__init__` of the class is no plain one.
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
        return (*_both(subject, pattern, guard, span), fork(made, then, orelse))
    both = Lazy(True, guard, span, True)
    return (*pattern.test, both, fork(made, then, orelse))


def _both(subject: str, pattern: _Pattern, guard: Body, span: Span) -> Body:
    """Whether a pattern fits and its guard holds; the guard may read the names of the
    pattern.
    """
    fits = f"{subject} fits"
    held: Body = (*pattern.binds, *guard, Hold(fits))
    no: Body = (Push(Literal(False)), Hold(fits))
    chosen = fork(Fork((), (), span), held, no)
    return (*pattern.test, chosen, Load(fits, 0, span))


def _pattern(compiler: Compiler, load: Body, form: Any, tree: ast.pattern) -> _Pattern:
    """The code of a pattern for the value that `load` leaves on the stack."""
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
        case ast.MatchSequence(patterns=parts):
            forms = [getattr(element, "value", element) for element in form.patterns]
            return _items(compiler, load, forms, parts, span)
        case ast.MatchClass(cls=of):
            return _object(compiler, load, form, tree, compiler.compile(form.cls, of))
        case ast.MatchMapping(rest=None):
            return _dict(compiler, load, form, tree)
    return _refused(compiler, tree)


def _refused(compiler: Compiler, tree: ast.pattern) -> _Pattern:
    compiler.complain("AD101", "this pattern is not supported", tree, _HELP)
    return _Pattern((Push(Literal(False)),))


def _all(tests: Sequence[Body], span: Span) -> Body:
    """Whether all tests hold; the first that fails is the last to run."""
    first, *rest = tests
    return (*first, *(Lazy(True, test, span, True) for test in rest))


def _whole(
    compiler: Compiler,
    tests: list[Body],
    parts: Sequence[tuple[Body, Any, ast.pattern]],
    span: Span,
) -> _Pattern:
    """A pattern with parts, which are tested after the `tests`."""
    binds: Body = ()
    for load, form, part in parts:
        found = _pattern(compiler, load, form, part)
        binds += found.binds
        if found.test != _CERTAIN:
            tests.append(found.test)
    return _Pattern(_all(tests, span), binds)


def _is_one(load: Body, of: Body, span: Span) -> Body:
    return (Push(Dotted(ISINSTANCE)), *load, *of, Call(("", ""), span))


def _object(
    compiler: Compiler, load: Body, form: Any, tree: ast.MatchClass, of: Body
) -> _Pattern:
    """An object of a class, with a pattern for each of its fields."""
    span, forms = compiler.span(tree), [element.value for element in form.patterns]
    loads: list[Body] = []
    if forms:
        match of:
            case (Push(value=Class() as one),) if len(forms) <= len(one.placed):
                names = one.placed[: len(forms)]
                loads += ((*load, Attribute(name, span)) for name in names)
            case (Push(value=Dotted(name=name)),) if (
                len(forms) == 1 and name.removeprefix("builtins.") in _OF_ITSELF
            ):
                loads.append(load)
            case _:
                return _refused(compiler, tree)
    loads += ((*load, Attribute(name, span)) for name in tree.kwd_attrs)
    forms += [element.pattern for element in form.kwds]
    parts = zip(loads, forms, (*tree.patterns, *tree.kwd_patterns), strict=True)
    return _whole(compiler, [_is_one(load, of, span)], list(parts), span)


def _dict(
    compiler: Compiler, load: Body, form: Any, tree: ast.MatchMapping
) -> _Pattern:
    """A dict with certain keys, with a pattern for the value of each."""
    span = compiler.span(tree)
    tests = [_is_one(load, (Push(Dotted("builtins.dict")),), span)]
    parts: list[tuple[Body, Any, ast.pattern]] = []
    for element, tree_, part in zip(
        form.elements, tree.keys, tree.patterns, strict=True
    ):
        key = compiler.compile(element.key, tree_)
        tests.append((*key, *load, Contains(False, span)))
        parts.append(((*load, *key, Item(span)), element.pattern, part))
    return _whole(compiler, tests, parts, span)


def _items(
    compiler: Compiler,
    load: Body,
    forms: Sequence[Any],
    parts: Sequence[ast.pattern],
    span: Span,
) -> _Pattern:
    """A tuple or list with a pattern for each item; a starred name is bound to a list
    of the items left over.
    """
    stars = [k for k, part in enumerate(parts) if isinstance(part, ast.MatchStar)]
    found: list[tuple[Body, Any, ast.pattern]] = []
    binds: Body = ()
    for k, (form, part) in enumerate(zip(forms, parts, strict=True)):
        behind = k - len(parts)
        if not isinstance(part, ast.MatchStar):
            place = behind if stars and k > stars[0] else k
            found.append(((*load, Push(Literal(place)), Item(span)), form, part))
        elif part.name is not None:
            end = Literal(behind + 1) if behind < -1 else Special.NONE
            rest: Body = (*load, Push(Literal(k)), Push(end), Push(Special.NONE))
            rest = (*rest, MakeSlice(), Item(span), Call(("",), span))
            binds = (Push(Dotted("builtins.list")), *rest)
            binds = (*binds, Bind((Target(span, part.name),)))
    fits = Fits(len(parts) - len(stars), bool(stars), span)
    whole = _whole(compiler, [(*load, fits)], found, span)
    return _Pattern(whole.test, (*whole.binds, *binds))


def _either(
    compiler: Compiler,
    load: Body,
    forms: Sequence[Any],
    parts: Sequence[ast.pattern],
    span: Span,
) -> _Pattern:
    """Alternatives; the last of them may be `_`."""
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
