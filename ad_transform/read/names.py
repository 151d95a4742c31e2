"""What the names of a file mean: by scope, never by spelling.

The module's bindings are collected once from the tree. Inside a function a name is
local if the function binds it anywhere (Python's own rule); otherwise it belongs to the
function around it, to the module, or to the builtins. LibCST's scope analysis knows the
same and is quadratic in the reassignments of one name.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from ad_transform.diagnostics import Span
from ad_transform.read.source import Source


class Bound(Enum):
    """How a module-level name came to be."""

    IMPORT = "an import"
    FUNCTION = "a function"
    CLASS = "a class"
    VALUE = "an assignment"
    OTHER = "another statement"


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """One place that binds a module-level name.

    `qualified` is the dotted name of an import ("numpy.sin"; ".model.f" if relative).
    `conditional` says that the statement stands under another one, `typing` that this
    one is `if TYPE_CHECKING`.
    """

    bound: Bound
    node: ast.stmt
    span: Span
    qualified: str = ""
    conditional: bool = False
    typing: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """The bindings of a module by name, in order, and its star imports."""

    bindings: dict[str, tuple[Binding, ...]]
    stars: tuple[tuple[str, Span], ...]

    def at_runtime(self, name: str) -> tuple[Binding, ...]:
        """The bindings that exist when the program runs, an import twice being one."""
        found = [b for b in self.bindings.get(name, ()) if not b.typing]
        first = found[0].qualified if found else ""
        if first and all(b.qualified == first for b in found):
            return tuple(b for b in found if not b.conditional)[:1] or tuple(found)
        return tuple(found)

    def qualify(self, dotted: str) -> str:
        """The qualified name of a dotted name of an annotation or a decorator.

        The empty text if its first part is bound otherwise than by one import.
        """
        first, _, rest = dotted.partition(".")
        found = self.bindings.get(first, ())
        meanings = dict.fromkeys(b.qualified for b in found)
        if not found:
            home = "builtins" if hasattr(builtins, first) else ""
            return f"{home}.{dotted}" if home else ""
        if len(meanings) != 1 or not found[0].qualified:
            return ""
        return found[0].qualified + (f".{rest}" if rest else "")


def dotted(node: ast.expr) -> str:
    """The text `a.b.c` of a chain of names; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < 20:
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join((node.id, *reversed(parts)))


def shown(node: ast.expr) -> str:
    """The text of an expression for a message, cut where it is long."""
    try:
        text = ast.unparse(node)
    except RecursionError:
        return "..."
    return text if len(text) <= 40 else f"{text[:37]}..."


# --- the module ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    conditional: bool = False
    typing: bool = False


def names_of(source: Source) -> Names:
    """The bindings of a module. Linear; no recursion over statements."""
    collector = _Collector(source)
    for statement, place in _statements(source.tree, source):
        collector.collect(statement, place)
    if re.search(r"\bglobal\b", source.text):
        collector.collect_globals()
    return Names(
        {name: tuple(found) for name, found in collector.bindings.items()},
        tuple(collector.stars),
    )


def _statements(tree: ast.Module, source: Source) -> Iterator[tuple[ast.stmt, _Place]]:
    """All statements of module scope in source order, with what they stand under."""
    stack = [(statement, _Place()) for statement in reversed(tree.body)]
    while stack:
        statement, place = stack.pop()
        yield statement, place
        if isinstance(statement, _SCOPES):
            continue
        for inner, where in reversed(list(_inner(statement, place))):
            stack.append((inner, where))


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _inner(statement: ast.stmt, place: _Place) -> Iterator[tuple[ast.stmt, _Place]]:
    typing = isinstance(statement, ast.If) and dotted(statement.test).endswith(
        "TYPE_CHECKING"
    )
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for item in getattr(statement, field, ()):
            where = place
            if typing:
                where = _Place(place.conditional, place.typing or field == "body")
            elif not isinstance(statement, ast.With):
                where = _Place(True, place.typing)
            inner = [item] if isinstance(item, ast.stmt) else item.body
            for child in inner:
                yield child, where


class _Collector:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.bindings: dict[str, list[Binding]] = {}
        self.stars: list[tuple[str, Span]] = []

    def collect(self, statement: ast.stmt, place: _Place) -> None:
        match statement:
            case ast.Import() | ast.ImportFrom():
                self._import(statement, place)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._bind(name, Bound.FUNCTION, statement, place)
            case ast.ClassDef(name=name):
                self._bind(name, Bound.CLASS, statement, place)
            case ast.AnnAssign(value=None):
                pass
            case _:
                self._assignments(statement, place)

    def _bind(
        self,
        name: str,
        bound: Bound,
        node: ast.stmt,
        place: _Place,
        qualified: str = "",
    ) -> None:
        binding = Binding(
            bound,
            node,
            self.source.span(node),
            qualified,
            place.conditional,
            place.typing,
        )
        self.bindings.setdefault(name, []).append(binding)

    def _import(self, node: ast.Import | ast.ImportFrom, place: _Place) -> None:
        for name, qualified in imported(node):
            if name == "*":
                self.stars.append((qualified, self.source.span(node)))
            else:
                self._bind(name, Bound.IMPORT, node, place, qualified)

    def _assignments(self, node: ast.stmt, place: _Place) -> None:
        plain = isinstance(node, ast.Assign | ast.AnnAssign)
        bound = Bound.VALUE if plain else Bound.OTHER
        for name in _bound_by(node, self.source.has_walrus):
            self._bind(name, bound, node, place)

    def collect_globals(self) -> None:
        """A name that a function declares `global` is bound once more."""
        for node in ast.walk(self.source.tree):
            if isinstance(node, ast.Global):
                for name in node.names:
                    self._bind(name, Bound.OTHER, node, _Place(conditional=True))


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import binds, with their qualified names; "*" for a star."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (top, top)
        return
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        joint = "" if module.endswith(".") else "."
        if alias.name == "*":
            yield "*", module
        else:
            yield alias.asname or alias.name, f"{module}{joint}{alias.name}"


# --- what a statement binds ---------------------------------------------------------


def _own_parts(node: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are not statements: targets, values, patterns."""
    return (c for c in ast.iter_child_nodes(node) if not isinstance(c, ast.stmt))


def _bound_by(node: ast.stmt, walrus: bool) -> Iterator[str]:
    """The names that a statement binds itself; `del` counts.

    Without a walrus in the file only targets need to be looked at.
    """
    stack: list[ast.AST] = list(_own_parts(node))[::-1]
    if not walrus and isinstance(node, _SIMPLE):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        stack = [target for target in reversed(targets) if target is not None]
    while stack:
        part = stack.pop()
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
        if isinstance(part, ast.Lambda):
            continue
        if isinstance(part, _COMPREHENSIONS):
            stack.extend(_walruses(part))
            continue
        below = [c for c in ast.iter_child_nodes(part) if not _is_inner(c)]
        stack.extend(reversed(below))


_SIMPLE = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Expr,
    ast.Return,
    ast.Assert,
)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _is_inner(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt | ast.expr_context | ast.operator)


def _walruses(node: ast.AST) -> Iterator[ast.AST]:
    """A walrus inside a comprehension binds outside of it."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.NamedExpr):
            yield inner.target


# --- functions ----------------------------------------------------------------------


def parameters_of(arguments: ast.arguments) -> Iterator[ast.arg]:
    """All parameters of a signature in the order in which they are written."""
    yield from arguments.posonlyargs
    yield from arguments.args
    if arguments.vararg:
        yield arguments.vararg
    yield from arguments.kwonlyargs
    if arguments.kwarg:
        yield arguments.kwarg


Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def locals_of(scope: Scope, walrus: bool) -> frozenset[str]:
    """The names local to a function or lambda. Linear in its size.

    `walrus` says that there may be one.
    """
    found = {a.arg for a in parameters_of(scope.args)}
    if isinstance(scope, ast.Lambda):
        found.update(_bound_by(ast.Expr(scope.body), walrus))
        return frozenset(found)
    stack: list[ast.stmt] = list(scope.body)
    while stack:
        statement = stack.pop()
        match statement:
            case ast.Import() | ast.ImportFrom():
                found.update(name for name, _ in imported(statement))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(statement.name)
                continue
            case _:
                found.update(_bound_by(statement, walrus))
        stack.extend(child for child, _ in _inner(statement, _Place()))
    return frozenset(found)


def names_read(node: ast.stmt) -> Iterator[str]:
    """The names that occur in a statement and are not only bound, each once."""
    seen: set[str] = set()
    stack: list[ast.AST] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Name):
            if part.id not in seen and not isinstance(part.ctx, ast.Store):
                seen.add(part.id)
                yield part.id
        else:
            stack += reversed(children(part))


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below one, but for operators and contexts."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST) and value._fields:
            found.append(value)
    return found
