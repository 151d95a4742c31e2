"""Exceptions of the user's own classes, which the output imports to raise them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ad_transform.ir.nodes import Maker
from ad_transform.read.compiling.messages import ERRORS
from ad_transform.read.objects.makers import maker_of
from ad_transform.read.project.class_statements import class_of
from ad_transform.read.project.module import Module
from ad_transform.read.syntax.scopes import dotted
from ad_transform.read.values.classes import Class

_DEEPEST = 20
_MAKING = frozenset({"__init__", "__new__", "__init_subclass__"})


def exception_of(module: Module, name: str) -> Maker | None:
    """The class of the project that a name stands for, if its objects are exceptions
    that take one message as builtin ones do; else None.
    """
    made = class_of(module, name) if name else None
    if made is None or not _takes_a_message(made):
        return None
    found = maker_of(made)
    module.shared.raised[found] = tuple(_lineage(made))
    return found


def _lineage(made: Class) -> Iterator[str | Maker]:
    """A class of exceptions and all that it is made of, builtin ones by name."""
    yield maker_of(made)
    for base in made.node.bases if made.node is not None else ():
        name = dotted(base)
        if made.module.is_builtin(name):
            yield name
            continue
        inner = class_of(made.module, name)
        if inner is not None:
            yield from _lineage(inner)


def _takes_a_message(made: Class, depth: int = 0) -> bool:
    node = made.node
    if node is None or depth > _DEEPEST or node.decorator_list or node.keywords:
        return False
    functions = (s for s in node.body if isinstance(s, ast.FunctionDef))
    if not node.bases or any(one.name in _MAKING for one in functions):
        return False
    return all(_is_exception(made.module, dotted(base), depth) for base in node.bases)


def _is_exception(module: Module, name: str, depth: int) -> bool:
    if module.is_builtin(name):
        return name in ERRORS
    base = class_of(module, name) if name else None
    return base is not None and _takes_a_message(base, depth + 1)
