"""Statements that say something and compute nothing: passed over, with a note."""

from __future__ import annotations

import ast

from ad_transform.read.compiling.reach import Reach
from ad_transform.read.syntax.names import Bound
from ad_transform.read.syntax.scopes import dotted

_LOGGER = "logging.getLogger"
_SAID = ("logging.", "warnings.")
_SETTINGS = frozenset({"numpy.seterr", "numpy.seterrcall", "numpy.set_printoptions"})
_CONTEXTS = frozenset({"numpy.errstate", "warnings.catch_warnings"})


def says_only(tree: ast.expr, reach: Reach, loggers: frozenset[str]) -> str:
    """The name of the function that a statement calls, if it may be passed over."""
    if not isinstance(tree, ast.Call):
        return ""
    name = dotted(tree.func)
    qualified = reach.library(tree.func)
    if qualified.startswith(_SAID) or qualified in _SETTINGS:
        return name
    first, _, rest = name.partition(".")
    is_logger = first in loggers or _is_logger(first, reach)
    return name if rest and is_logger else ""


def is_logger(tree: ast.expr | None, reach: Reach) -> bool:
    """Whether an expression is a call of `logging.getLogger`."""
    return isinstance(tree, ast.Call) and reach.library(tree.func) == _LOGGER


def is_setting(tree: ast.stmt, reach: Reach) -> bool:
    """Whether a `with` only sets the treatment of warnings inside it."""
    return isinstance(tree, ast.With) and all(
        item.optional_vars is None
        and isinstance(item.context_expr, ast.Call)
        and reach.library(item.context_expr.func) in _CONTEXTS
        for item in tree.items
    )


def _is_logger(name: str, reach: Reach) -> bool:
    """Whether a name of the module is bound once, to a logger."""
    if reach.is_local(name):
        return False
    found = reach.module.names.at_runtime(name)
    if len(found) != 1 or found[0].bound is not Bound.VALUE:
        return False
    return is_logger(getattr(found[0].node, "value", None), reach)
