"""Lists and dicts at the top of a file that its statements only read.

Such a table is a constant: `T[k]`, `k in T`, `len(T)`, a loop over it. Any other use of
its name (a method, an argument, another name for it) might change it.
"""

from __future__ import annotations

import ast

READERS = frozenset(
    {"len", "sum", "max", "min", "zip", "enumerate", "reversed", "dict", "sorted"}
    | {"list", "tuple"}
)
"""Builtins that change no argument, and let no other name stand for it."""

METHODS = frozenset({"keys", "values", "items", "get", "copy"})
"""Methods of dicts that do the same."""


def is_only_read(name: str, tree: ast.Module, depth: int) -> bool:
    """Whether no statement of a file may change what a name stands for, which has to be
    indexed so often before nothing in it can change. Linear.
    """
    parents = {
        child: parent
        for parent in ast.walk(tree)
        for child in ast.iter_child_nodes(parent)
    }
    uses = (n for n in parents if isinstance(n, ast.Name) and n.id == name)
    loads = (n for n in uses if isinstance(n.ctx, ast.Load))
    return all(_reads(use, parents, depth) for use in loads)


def _reads(use: ast.AST, parents: dict[ast.AST, ast.AST], depth: int) -> bool:
    """Whether a use of a table of some depth changes nothing and gives it no name."""
    parent = parents[use]
    while depth and isinstance(parent, ast.Subscript) and parent.value is use:
        if not isinstance(parent.ctx, ast.Load):
            return False
        is_copy = isinstance(parent.slice, ast.Slice)
        use, parent, depth = parent, parents[parent], depth - (not is_copy)
        if is_copy and depth == 1:
            return True
    if not depth or isinstance(parent, ast.Compare):
        return True
    if isinstance(parent, ast.Dict):
        pairs = zip(parent.keys, parent.values, strict=True)
        is_spread = any(key is None and value is use for key, value in pairs)
        return is_spread and depth == 1  # `{**table}`
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.BitOr):
        return depth == 1
    if isinstance(parent, ast.Attribute):
        return parent.attr in METHODS and depth == 1 and _is_called(parent, parents)
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name):
        called = parent.func.id
        return called in READERS and (called == "len" or depth == 1)
    is_loop = isinstance(parent, ast.For | ast.comprehension) and parent.iter is use
    return is_loop and depth == 1


def _is_called(use: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    call = parents[use]
    return isinstance(call, ast.Call) and call.func is use
