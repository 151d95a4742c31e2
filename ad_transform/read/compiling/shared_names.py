"""Names that functions inside others bind: `nonlocal`.

They are fields of an object that the outer function makes where it begins, so branches,
loops and calls carry them as they carry the fields of any object.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from ad_transform.diagnostics import Span
from ad_transform.read.code import Body, Hold, Load, MakeCells, StoreField
from ad_transform.read.project.module import Module
from ad_transform.read.syntax.scopes import Scope, children, locals_of
from ad_transform.read.values.classes import Class, Field, Style
from ad_transform.read.values.frames import CELLS

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def declared(scope: ast.AST) -> list[ast.Nonlocal]:
    """The `nonlocal` statements of a function itself. Linear."""
    found: list[ast.Nonlocal] = []
    stack = children(scope)
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Nonlocal):
            found.append(part)
        elif not isinstance(part, (*_FUNCTIONS, ast.ClassDef, ast.expr)):
            stack += children(part)
    return found


def bound_inside(scope: Scope, own: Counter[str], walrus: bool) -> tuple[str, ...]:
    """The names of a function that functions inside it bind, in order."""
    found: dict[str, None] = {}
    for inner in _functions_in(scope):
        names = {name for one in declared(inner) for name in one.names}
        more = locals_of(inner, walrus)
        for name in sorted(names):
            if name in own:
                found[name] = None
        rest = Counter({n: k for n, k in own.items() if n in names or n not in more})
        found |= dict.fromkeys(bound_inside(inner, rest, walrus))
    return tuple(found)


def _functions_in(scope: ast.AST) -> Iterator[Scope]:
    stack = children(scope)
    while stack:
        part = stack.pop()
        if isinstance(part, _FUNCTIONS):
            yield part
        else:
            stack += children(part)


def beginning(
    module: Module, names: tuple[str, ...], given: Counter[str], span: Span
) -> Body:
    """Code that makes the object of shared names and stores parameters in it."""
    fields = tuple(Field(name, None, module) for name in names)
    of = Class("", module, Style.OBJECT, fields)
    made: Body = (MakeCells(of), Hold(CELLS))
    for name in names:
        if name in given:
            value = Load(name, 0, span)
            made = (*made, Load(CELLS, 0, span), value, StoreField(name, span))
    return made
