"""The meaning of names in a file: by scope, never by spelling.

The module's bindings are collected once from the tree. A name that is not local to a
function (`scopes`) belongs to the function around it, to the module or the builtins.
LibCST's scope analysis knows the same, and is quadratic in the reassignments of a name.
"""

from __future__ import annotations

import ast
import builtins
import math
import re
from collections.abc import Iterator
from enum import Enum

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.read.syntax.scopes import (
    SCOPES,
    bound_by,
    dotted,
    imported,
    inner,
    targets_of,
)
from ad_transform.read.syntax.source import Source


class Bound(Enum):
    """The kinds of statements that bind a name of a module."""

    IMPORT = "an import"
    FUNCTION = "a function"
    CLASS = "a class"
    VALUE = "an assignment"
    OTHER = "another statement"


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """One place that binds a module-level name.

    `qualified` is the dotted name of an import ("numpy.sin"; ".model.f" if relative).
    With `conditional` the statement stands under another one; with `typing` that one is
    `if TYPE_CHECKING`.
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
        """Whether the import may bind a public name; the names of `math` are known."""
        if self.module == "math":
            return hasattr(math, name) or name in _NEW_IN_MATH
        return not name.startswith("_")


_NEW_IN_MATH = frozenset(
    {"fma", "fmax", "fmin", "isnormal", "issubnormal", "signbit", "sumprod"}
)
"""Names of `math` that are younger than Python 3.11."""


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
        """The bindings that exist when the program runs; an import twice is one."""
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
    """The names; `typing` are the blocks that only type checkers read."""
    collector = _Collector(source)
    for statement, place in _statements(source.tree, typing):
        collector.collect(statement, place)
    if re.search(r"\bglobal\b", source.text):
        collector.collect_globals()
    if re.search(r"\b(globals|locals|vars)\b|__", source.text):
        collector.collect_hidden()
    collector.collect_math()
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
    """All statements of module scope in source order, each with its place."""
    stack = [(statement, _Place()) for statement in reversed(tree.body)]
    while stack:
        statement, place = stack.pop()
        yield statement, place
        if isinstance(statement, SCOPES):
            continue
        checked = statement in typing
        for field, below in reversed(list(inner(statement))):
            stack.append((below, _under(statement, place, checked, field)))


def _under(statement: ast.stmt, place: _Place, typing: bool, field: str) -> _Place:
    """The place of the statements in a field of a statement."""
    if typing:
        return _Place(place.conditional, place.typing or field == "body")
    return place if isinstance(statement, ast.With) else _Place(True, place.typing)


class _Collector:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.bindings: dict[str, list[Binding]] = {}
        self.stars: list[Star] = []
        self.of_math: ast.stmt | None = None  # `from math import *`

    def collect(self, statement: ast.stmt, place: _Place) -> None:
        if isinstance(statement, SCOPES):  # a walrus around the body
            for name in bound_by(statement, self.source.has_walrus):
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
                if qualified == "math" and place == _Place():
                    self.of_math = node
            else:
                self._bind(name, Bound.IMPORT, node, place, qualified)

    def collect_math(self) -> None:
        """Bind the names that the file uses of `from math import *`, unless something
        else binds them.
        """
        if self.of_math is None:
            return
        star = Star("math", self.source.span(self.of_math), conditional=False)
        used = (node.id for node in self.source.nodes if isinstance(node, ast.Name))
        for name in dict.fromkeys(used):
            if name not in self.bindings and star.may_bind(name):
                self._bind(name, Bound.IMPORT, self.of_math, _Place(), f"math.{name}")

    def _assignments(self, node: ast.stmt, place: _Place) -> None:
        plain = isinstance(node, ast.Assign | ast.AnnAssign)
        targets = set(targets_of(node)) if plain else set()
        names = list(bound_by(node, self.source.has_walrus))
        if isinstance(node, ast.AnnAssign) and node.value is None:
            names = names[isinstance(node.target, ast.Name) :]  # `K: float` binds none
        for name in names:
            bound = Bound.VALUE if name in targets else Bound.OTHER
            self._bind(name, bound, node, place)

    def collect_hidden(self) -> None:
        """Bind names that are set through a dict of names, or changed in a function."""
        for node in self.source.nodes:
            if not isinstance(node, ast.Subscript | ast.Attribute):
                continue
            name = "" if isinstance(node.ctx, ast.Load) else _reached(node)
            if name:
                line = ast.copy_location(ast.Expr(node), node)
                self._bind(name, Bound.OTHER, line, _Place(conditional=True))

    def collect_globals(self) -> None:
        """Bind each name once more that a function declares `global`."""
        for node in self.source.nodes:
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
