"""Names that a statement binds and reads, and names that are local to a function:
syntax.

Inside a function a name is local if the function binds it anywhere, Python's own rule.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def dotted(node: ast.expr) -> str:
    """The text `a.b.c` of a chain of names; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < 20:
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join((node.id, *reversed(parts)))


def parsed(text: str) -> ast.expr:
    """The tree of an annotation in quotes; a name if the text is no expression."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Name(text.strip())


def shown(node: ast.expr) -> str:
    """The text of an expression for a message, cut where it is long."""
    try:
        text = ast.unparse(node)
    except RecursionError:
        return "..."
    return text if len(text) <= 40 else f"{text[:37]}..."


def inner(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """The statements directly below one, each with the field in which it stands."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for item in getattr(statement, field, ()):
            for child in [item] if isinstance(item, ast.stmt) else item.body:
                yield field, child


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


def _own_parts(node: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are no statements: targets, values, patterns."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from _outer_parts(node.args)
    for part in children(node):
        if not isinstance(part, ast.stmt | ast.arguments):
            yield part


def _outer_parts(arguments: ast.arguments) -> Iterator[ast.expr]:
    """Defaults and annotations of a signature, which belong to the scope around it."""
    yield from arguments.defaults
    yield from (default for default in arguments.kw_defaults if default is not None)
    for parameter in parameters_of(arguments):
        if parameter.annotation is not None:
            yield parameter.annotation


def targets_of(node: ast.stmt) -> Iterator[str]:
    """The names that the targets of an assignment bind; no names of a walrus."""
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return
    for target in getattr(node, "targets", None) or [getattr(node, "target", node)]:
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id


def bound_by(node: ast.stmt, walrus: bool) -> Iterator[str]:
    """The names that a statement binds itself; `del` counts.

    Without a walrus in the file only targets need to be looked at.
    """
    if not walrus and isinstance(node, SCOPES):
        return
    stack: list[ast.AST]
    if not walrus and isinstance(node, _SIMPLE):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        stack = [target for target in reversed(targets) if target is not None]
    else:
        stack = list(_own_parts(node))[::-1]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Name):
            if not isinstance(part.ctx, ast.Load):
                yield part.id
            continue
        match part:
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
        below = [c for c in children(part) if not isinstance(c, ast.stmt)]
        stack += reversed(below)


_SIMPLE = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Expr,
    ast.Return,
    ast.Assert,
)


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _walruses(node: ast.AST) -> Iterator[ast.Name]:
    """The targets of walruses; one inside a comprehension binds outside of it."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.NamedExpr):
            yield inner.target


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


def locals_of(scope: Scope, walrus: bool) -> Counter[str]:
    """The names local to a function or lambda, and how often each is bound. Linear.

    `walrus` tells that the file may hold one.
    """
    found = Counter(a.arg for a in parameters_of(scope.args))
    if isinstance(scope, ast.Lambda):
        found.update(bound_by(ast.Expr(scope.body), walrus))
        return found
    stack: list[ast.stmt] = list(scope.body)
    while stack:
        statement = stack.pop()
        match statement:
            case ast.Import() | ast.ImportFrom():
                found.update(name for name, _ in imported(statement))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found[statement.name] += 1
                found.update(bound_by(statement, walrus))
                continue
            case _:
                found.update(bound_by(statement, walrus))
        stack.extend(child for _, child in inner(statement))
    return found


def bound_inside(tree: ast.AST) -> set[str]:
    """All names that a part binds, in whichever scope of it. Linear."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                found.add(name)
            case ast.Import() | ast.ImportFrom():
                found.update(name for name, _ in imported(node))
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case _ if isinstance(getattr(node, "name", None), str):
                found.add(node.name)  # type: ignore[attr-defined]
    return found


def kept_by_comprehensions(scope: Scope) -> Counter[str]:
    """The names that walruses in comprehensions bind in a function, and how often."""
    found = Counter[str]()
    stack: list[ast.AST] = (
        [*scope.body] if isinstance(scope.body, list) else [scope.body]
    )
    while stack:
        part = stack.pop()
        if isinstance(part, _COMPREHENSIONS):
            found.update(name.id for name in _walruses(part))
        elif not isinstance(part, (*SCOPES, ast.Lambda)):
            stack += children(part)
    return found


def kept_in(tree: ast.expr) -> Iterator[str]:
    """The names that walruses in an expression bind, without its comprehensions."""
    stack: list[ast.AST] = [tree]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.NamedExpr):
            yield part.target.id
        if not isinstance(part, (*_COMPREHENSIONS, ast.Lambda)):
            stack += children(part)


def names_read(node: ast.stmt) -> Iterator[str]:
    """The names that occur in a statement other than as a bound name, each once."""
    seen: set[str] = set()
    stack: list[ast.AST] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Name):
            if part.id not in seen and not isinstance(part.ctx, ast.Store):
                seen.add(part.id)
                yield part.id
        elif type(part) not in LEAVES:
            stack += reversed(children(part))


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below one, without operators and contexts."""
    kind = type(node)
    places = _PLACES.get(kind)
    if places is None:
        fields = kind._fields
        places = _PLACES[kind] = tuple(f for f in fields if f not in _NO_NODES)
    found: list[ast.AST] = []
    for name in places:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST) and value._fields:
            found.append(value)
    return found


_NO_NODES = frozenset({"ctx", "op", "id", "attr", "type_comment"})
"""Fields that hold a context, an operator or a text."""

LEAVES = frozenset({ast.Name, ast.Constant})
"""Nodes that have no nodes below them."""

_PLACES: dict[type[ast.AST], tuple[str, ...]] = dict.fromkeys(LEAVES, ())
"""The other fields of each kind of node met so far."""


def modules_in(node: ast.Import | ast.ImportFrom, name: str) -> int:
    """The number of modules in the dotted name that an import binds to a name, from its
    first part on.
    """
    if isinstance(node, ast.ImportFrom):
        return len(node.module.split(".")) if node.module else 0
    aliased = (a.name for a in node.names if a.asname == name)
    return next((full.count(".") + 1 for full in aliased), 1)
