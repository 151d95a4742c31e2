"""The program that a Python text holds, apart from its layout.

The hash is over our own serialisation of the syntax tree: it does not change when a
formatter lays the file out anew, nor from one version of Python to the next.
"""

from __future__ import annotations

import ast
import io
import itertools
import tokenize
from collections.abc import Iterator
from typing import Any

from ad_transform.emit.digest import sha256
from ad_transform.emit.target import Program


def program(text: str) -> Program:
    """The program of a text; linear. Raises SyntaxError where the text is not Python.

    Layout, comments and white space in docstrings do not count.
    """
    try:
        tree = ast.parse(text.removeprefix("\ufeff"))
        return Program(_hash(tree), _defined(tree))
    except (RecursionError, MemoryError, ValueError) as error:
        raise SyntaxError(f"cannot be parsed: {error}") from error


def _hash(tree: ast.Module) -> str:
    text = "\n".join(_serialised(tree))
    return f"sha256:{sha256(text)}"


def _defined(tree: ast.Module) -> dict[str, list[str]]:
    """The functions with the names of their parameters."""
    return {
        node.name: [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for args in [node.args]
    }


def comments(text: str) -> list[str]:
    """The comments in order, however they are indented or broken into lines.

    Those of the first block do not count: that is the header's place, and a licence's.
    """
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    first = (tokenize.COMMENT, tokenize.NL)
    below = itertools.dropwhile(lambda token: token.type in first, tokens)
    return [token.string for token in below if token.type == tokenize.COMMENT]


_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Fields that say nothing about the program or that not every Python has.
_IGNORED = frozenset({"ctx", "kind", "type_comment", "type_ignores"})


def _serialised(tree: ast.AST) -> list[str]:
    """The tree in pre-order, a line per node; empty fields are left out."""
    written: list[str] = []
    documentation: set[int] = set()
    stack: list[Any] = [tree]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is str:  # a closing sign or the name of a field
            written.append(item)
            continue
        # names, operations and assignments are the most of a long program
        if kind is ast.Name:
            written.append(f"Name id={item.id!a}")
            continue
        if kind is ast.Constant and id(item) not in documentation:
            written.append(f"Constant {_leaf(item.value)}")
            continue
        if kind is ast.BinOp:
            written += (f"BinOp op={type(item.op).__name__}", "left")
            left, right = item.left, item.right
            if type(left) is not ast.Name:
                stack += (")", right, "right", left)
            elif type(right) is not ast.Name:
                written += (f"Name id={left.id!a}", "right")
                stack += (")", right)
            else:
                written += (
                    f"Name id={left.id!a}",
                    "right",
                    f"Name id={right.id!a}",
                    ")",
                )
            continue
        if kind is ast.Assign and len(item.targets) == 1:
            written += ("Assign", "targets")
            target = item.targets[0]
            if type(target) is ast.Name:
                written += (f"Name id={target.id!a}", "]", "value")
                stack += (")", item.value)
            else:
                stack += (")", item.value, "value", "]", target)
            continue
        if kind is list:
            stack.append("]")
            # a keyword-only parameter without a default has None for one
            stack.extend("None" if node is None else node for node in reversed(item))
            continue
        if isinstance(item, _DOCUMENTED):
            documentation.update(_docstring_of(item))
        leaves, branches = _fields(item, id(item) in documentation)
        written.append(leaves)
        if branches:
            stack.append(")")
            stack += reversed(branches)
    return written


def _fields(node: ast.AST, documents: bool) -> tuple[str, list[Any]]:
    """The head of a node with its plain fields; the others, each behind its name."""
    head = type(node).__name__
    branches: list[Any] = []
    if isinstance(node, ast.Constant):
        value = " ".join(str(node.value).split()) if documents else node.value
        return f"{head} {_leaf(value)}", []
    for name in node._fields:
        value = getattr(node, name, None)
        if value is None or name in _IGNORED:
            continue
        if isinstance(value, ast.AST):
            if value._fields:
                branches += (name, value)
            else:  # an operator
                head += f" {name}={type(value).__name__}"
        elif not isinstance(value, list):
            head += f" {name}={_leaf(value)}"
        elif value:
            branches += (name, value)
    return head, branches


def _leaf(value: object) -> str:
    """A constant in a form that is the same in every Python."""
    if type(value) is int:
        return hex(value)
    if isinstance(value, str):
        return ascii(value)
    return repr(value)


def _docstring_of(node: Any) -> Iterator[int]:
    """The identity of the constant that is the docstring of a node, if it has one."""
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str()) as constant), *_]:
            yield id(constant)
