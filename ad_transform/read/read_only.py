"""Lists and dicts at the top of a file that its statements only read.

Such a table is a constant: `T[k]`, `k in T`, `len(T)`, a loop over it. Any other use of
its name (a method, an argument, another name for it) might change it.
"""

from __future__ import annotations

import ast

READERS = frozenset({"len", "sum", "max", "min", "zip", "enumerate", "reversed"})
"""Builtins that change no argument."""


def is_only_read(name: str, tree: ast.Module) -> bool:
    """Whether no statement of a file may change what a name stands for. Linear."""
    parents = {
        child: parent
        for parent in ast.walk(tree)
        for child in ast.iter_child_nodes(parent)
    }
    uses = [n for n in parents if isinstance(n, ast.Name) and n.id == name]
    stores = [parents[n] for n in uses if isinstance(n.ctx, ast.Store)]
    depth = max((_depth(getattr(s, "value", None)) for s in stores), default=0)
    loads = (n for n in uses if isinstance(n.ctx, ast.Load))
    return all(_reads(use, parents, depth) for use in loads)


def _depth(value: ast.AST | None) -> int:
    """How many times a display is to be indexed before nothing in it can change."""
    items: list[ast.expr] = []
    if isinstance(value, ast.List | ast.Tuple):
        items = value.elts
    elif isinstance(value, ast.Dict):
        items = value.values
    inner = max(map(_depth, items), default=0)
    is_fixed = value is None or isinstance(value, ast.Constant | ast.Tuple | ast.Name)
    return inner + 1 if inner or not is_fixed else 0


def _reads(use: ast.AST, parents: dict[ast.AST, ast.AST], depth: int) -> bool:
    """Whether a use of a table of some depth changes nothing and gives it no name."""
    parent = parents[use]
    while depth and isinstance(parent, ast.Subscript) and parent.value is use:
        if not isinstance(parent.ctx, ast.Load):
            return False
        use, parent, depth = parent, parents[parent], depth - 1
    if not depth or isinstance(parent, ast.Compare):
        return True
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name):
        called = parent.func.id
        return called in READERS and (called == "len" or depth == 1)
    is_loop = isinstance(parent, ast.For | ast.comprehension) and parent.iter is use
    return is_loop and depth == 1
