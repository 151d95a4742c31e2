"""Names that only the trips of loops read: behind a loop that is left they are unbound,
or an object that such a name may be could not be changed any more.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from ad_transform.read.syntax.scopes import Scope


@lru_cache(maxsize=8)  # each of its loops asks
def of_trips(function: Scope) -> frozenset[str]:
    """The targets of `for` that nothing else in the function reads. Linear."""
    targets: set[str] = set()
    read: set[str] = set()
    none: frozenset[str] = frozenset()
    waiting: list[tuple[ast.AST, frozenset[str]]] = [
        (part, none) for part in ast.iter_child_nodes(function)
    ]
    while waiting:
        node, bound = waiting.pop()
        if isinstance(node, ast.For):
            own = {n.id for n in _names(node.target)}
            targets |= own
            read |= own & bound  # the loop around may read it behind this one
            inside = bound | own
            waiting += [(part, inside) for part in node.body]
            waiting += [(part, bound) for part in (node.iter, *node.orelse)]
            waiting.append((node.target, bound))
            continue
        if isinstance(node, _COMPREHENSIONS):
            first = node.generators[0].iter
            own = {n.id for g in node.generators for n in _names(g.target)}
            parts = [one for one in ast.iter_child_nodes(node) if one is not first]
            waiting += [(part, bound | own) for part in parts]
            waiting.append((first, bound))
            continue
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read |= {node.target.id} - bound
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            read |= {node.id} - bound
        if isinstance(node, ast.Nonlocal | ast.Global):
            read.update(node.names)
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            bound = none  # it may be called behind the loop
        waiting += [(part, bound) for part in ast.iter_child_nodes(node)]
    return frozenset(targets - read)


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _names(target: ast.expr) -> list[ast.Name]:
    return [node for node in ast.walk(target) if isinstance(node, ast.Name)]
