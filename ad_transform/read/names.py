"""What the names of a file mean: by scope, never by spelling.

The module's bindings are collected once from the tree. Inside a function a name is
local if the function binds it anywhere (Python's own rule); otherwise it belongs to the
function around it, to the module, or to the builtins. LibCST's scope analysis knows the
same and is quadratic in the reassignments of one name.
"""

from __future__ import annotations

import ast
import builtins
import math
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
class Star:
    """`from module import *`."""

    module: str
    span: Span
    conditional: bool

    def may_bind(self, name: str) -> bool:
        """Whether the module may have a public name; that of `math` is known."""
        if self.module == "math":
            return hasattr(math, name) or name in _NEW_IN_MATH
        return not name.startswith("_")


_NEW_IN_MATH = frozenset(
    {"fma", "fmax", "fmin", "isnormal", "issubnormal", "signbit", "sumprod"}
)
"""What `math` of Python 3.11 does not have."""


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """The bindings of a module by name, in order, and its star imports."""

    bindings: dict[str, tuple[Binding, ...]]
    stars: tuple[Star, ...]

    def star_behind(self, name: str) -> Star | None:
        """The star import that may bind a name of the module, or a builtin, anew."""
        found = self.bindings.get(name, ())
        last = max((b.span.line for b in found), default=0)
        for star in self.stars:
            if star.span.line > last and star.may_bind(name):
                return star
        return None

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
        if found and self.star_behind(first):
            return ""
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
    names = _collected(source, frozenset())
    if "TYPE_CHECKING" not in source.text:
        return names
    return _collected(source, frozenset(_typing_blocks(source, names)))


def _collected(source: Source, typing: frozenset[ast.stmt]) -> Names:
    """The names, where `typing` are the blocks that only type checkers read."""
    collector = _Collector(source)
    for statement, place in _statements(source.tree, typing):
        collector.collect(statement, place)
    if re.search(r"\bglobal\b", source.text):
        collector.collect_globals()
    if re.search(r"\b(globals|locals|vars)\b|__", source.text):
        collector.collect_hidden()
    return Names(
        {name: tuple(found) for name, found in collector.bindings.items()},
        tuple(collector.stars),
    )


def _typing_blocks(source: Source, names: Names) -> Iterator[ast.stmt]:
    """The `if TYPE_CHECKING` of module scope that never run: the name is `typing`'s, or
    is bound once, to False.
    """
    for statement, _ in _statements(source.tree, frozenset()):
        if isinstance(statement, ast.If) and _is_for_checkers(statement.test, names):
            yield statement


def _is_for_checkers(test: ast.expr, names: Names) -> bool:
    name = dotted(test)
    if not name.endswith("TYPE_CHECKING"):
        return False
    found = names.bindings.get(name, ())
    if len(found) == 1 and not found[0].conditional and not names.star_behind(name):
        value = getattr(found[0].node, "value", None)
        if isinstance(value, ast.Constant) and value.value is False:
            return True
    return names.qualify(name) in _CHECKING


_CHECKING = ("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING")


def _statements(
    tree: ast.Module, typing: frozenset[ast.stmt]
) -> Iterator[tuple[ast.stmt, _Place]]:
    """All statements of module scope in source order, with what they stand under."""
    stack = [(statement, _Place()) for statement in reversed(tree.body)]
    while stack:
        statement, place = stack.pop()
        yield statement, place
        if isinstance(statement, _SCOPES):
            continue
        inside = list(_inner(statement, place, statement in typing))
        for inner, where in reversed(inside):
            stack.append((inner, where))


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _inner(
    statement: ast.stmt, place: _Place, typing: bool = False
) -> Iterator[tuple[ast.stmt, _Place]]:
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
        self.stars: list[Star] = []

    def collect(self, statement: ast.stmt, place: _Place) -> None:
        if isinstance(statement, _SCOPES):  # a walrus in what stands around the body
            for name in _bound_by(statement, self.source.has_walrus):
                self._bind(name, Bound.OTHER, statement, place)
        match statement:
            case ast.Import() | ast.ImportFrom():
                self._import(statement, place)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._bind(name, Bound.FUNCTION, statement, place)
            case ast.ClassDef(name=name):
                self._bind(name, Bound.CLASS, statement, place)
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
                where = self.source.span(node)
                self.stars.append(Star(qualified, where, place.conditional))
            else:
                self._bind(name, Bound.IMPORT, node, place, qualified)

    def _assignments(self, node: ast.stmt, place: _Place) -> None:
        plain = isinstance(node, ast.Assign | ast.AnnAssign)
        targets = set(_targets(node)) if plain else set()
        names = list(_bound_by(node, self.source.has_walrus))
        if isinstance(node, ast.AnnAssign) and node.value is None:
            names = names[isinstance(node.target, ast.Name) :]  # `K: float` binds none
        for name in names:
            bound = Bound.VALUE if name in targets else Bound.OTHER
            self._bind(name, bound, node, place)

    def collect_hidden(self) -> None:
        """What is bound through a dict of names, or changed inside a function."""
        for node in ast.walk(self.source.tree):
            if not isinstance(node, ast.Subscript | ast.Attribute):
                continue
            name = "" if isinstance(node.ctx, ast.Load) else _reached(node)
            if name:
                line = ast.copy_location(ast.Expr(node), node)
                self._bind(name, Bound.OTHER, line, _Place(conditional=True))

    def collect_globals(self) -> None:
        """A name that a function declares `global` is bound once more."""
        for node in ast.walk(self.source.tree):
            if isinstance(node, ast.Global):
                for name in node.names:
                    self._bind(name, Bound.OTHER, node, _Place(conditional=True))


def _reached(node: ast.Subscript | ast.Attribute) -> str:
    """The name behind `globals()["name"] = ...` and `name.__defaults__ = ...`."""
    if isinstance(node, ast.Attribute):
        inside = node.attr.startswith("__") and isinstance(node.value, ast.Name)
        return dotted(node.value) if inside else ""
    match node.value, node.slice:
        case ast.Call(func=ast.Name(id="globals" | "locals" | "vars")), ast.Constant(
            value=str(name)
        ):
            return name
    return ""


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
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from _outer_parts(node.args)
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.stmt | ast.arguments):
            yield part


def _outer_parts(arguments: ast.arguments) -> Iterator[ast.expr]:
    """What of a signature belongs to the scope around: defaults and annotations."""
    yield from arguments.defaults
    yield from (default for default in arguments.kw_defaults if default is not None)
    for parameter in parameters_of(arguments):
        if parameter.annotation is not None:
            yield parameter.annotation


def _targets(node: ast.stmt) -> Iterator[str]:
    """The names that are bound by the targets of an assignment, a walrus apart."""
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return
    for target in getattr(node, "targets", None) or [getattr(node, "target", node)]:
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id


def _bound_by(node: ast.stmt, walrus: bool) -> Iterator[str]:
    """The names that a statement binds itself; `del` counts.

    Without a walrus in the file only targets need to be looked at.
    """
    if not walrus and isinstance(node, _SCOPES):
        return
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
            stack.extend(_outer_parts(part.args))
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
                found.update(_bound_by(statement, walrus))
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
