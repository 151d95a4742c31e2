"""Attributes of modules that a file sets: `math.sin = ...` gives `sin` another meaning.

Then the known facts about a function of the library are no longer true, wherever the
statement stands, so the file is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.elementals import CONSTANTS
from ad_transform.later import later
from ad_transform.read.project.elsewhere import Elsewhere, Home
from ad_transform.read.syntax.names import Bound, Names
from ad_transform.read.syntax.scopes import dotted
from ad_transform.read.syntax.source import Source

with later():
    from ad_transform.read.library.library_calls import is_known

_HELP = "give what you mean a name of its own"


def patches(source: Source, names: Names) -> Iterator[Diagnostic]:
    """AD108 for every place that sets or deletes a known name of a library. Linear."""
    for node in source.nodes:
        if not isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
            continue
        qualified = _set_by(node, names)
        if qualified and (qualified.endswith(".*") or _is_known(qualified)):
            assert isinstance(node, ast.expr)
            yield _refusal(qualified.removesuffix(".*"), source.span(node))


def patches_of_files(elsewhere: Elsewhere) -> Iterator[Diagnostic]:
    """AD108 for every place, in the files that were read, that sets or deletes a name
    of another file.
    """
    for module in tuple(elsewhere.modules.values()):
        for node in module.source.nodes:
            if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
                continue
            home = elsewhere.home(module, dotted(node))
            if isinstance(home, Home):
                name = f"{home.module.path}: {home.dotted}"
                message = f"{name!r} is set or deleted here: it is not what it was"
                yield Diagnostic("AD108", message, module.source.span(node), _HELP)


def _refusal(qualified: str, span: Span) -> Diagnostic:
    message = f"{qualified!r} is changed here: its functions are not what they were"
    if "." in qualified:
        message = f"{qualified!r} is set or deleted here: it is not what it was"
    return Diagnostic("AD108", message, span, _HELP)


def _is_known(qualified: str) -> bool:
    return qualified in CONSTANTS or is_known(qualified)


def _set_by(node: ast.AST, names: Names) -> str:
    """The name that a node sets: "math.sin", "math.*" for any of them, "" for none."""
    match node:
        case ast.Attribute(attr="__dict__", value=value):
            return _any_of(_meaning(value, names))
        case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()):
            module = _meaning(value, names)
            return f"{module}.{attr}" if module else ""
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[first, name, *_]):
            module = _meaning(first, names)
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                return f"{module}.{name.value}" if module else ""
            return _any_of(module)
        case ast.Call(func=ast.Name(id="vars"), args=[first]):
            return _any_of(_meaning(first, names))
        case ast.Subscript(value=value, slice=ast.Constant(value=str(name))):
            stored = isinstance(node.ctx, ast.Store | ast.Del)
            is_modules = stored and _meaning(value, names) == "sys.modules"
            return _any_of(name) if is_modules else ""
    return ""


def _any_of(module: str) -> str:
    return f"{module}.*" if module in _MODULES else ""


_MODULES = frozenset({"builtins", "math", "numpy", "scipy", "scipy.special"})


def _meaning(node: ast.expr, names: Names) -> str:
    """The qualified name of an expression, also through names that the file assigns."""
    text = dotted(node)
    for _ in range(10):
        first, _, rest = text.partition(".")
        if first == "__builtins__":
            return "builtins"
        found = names.bindings.get(first, ())
        if len(found) != 1 or found[0].bound is not Bound.VALUE:
            break
        value = getattr(found[0].node, "value", None)
        text = dotted(value) + (f".{rest}" if rest else "") if value else ""
    return "" if not text else names.qualify(text)
