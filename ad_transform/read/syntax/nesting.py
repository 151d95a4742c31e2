"""Blocks inside one another: so many that passes run out of Python's frames."""

from __future__ import annotations

import ast

from ad_transform.diagnostics import Diagnostic, Span

DEEP = 100
"""From this level on, nested blocks are taken as the reason for a lack of frames."""


def levels(node: ast.stmt) -> int:
    """The depth of compound statements inside one another; an arm of `elif` is inside
    the arm before it. Linear.
    """
    most, stack = 0, [(node, 0)]
    while stack:
        one, level = stack.pop()
        most = max(most, level)
        for inner in ast.iter_child_nodes(one):
            if isinstance(inner, ast.stmt):
                stack.append((inner, level + isinstance(inner, _COMPOUND)))
            elif isinstance(inner, ast.ExceptHandler | ast.match_case):
                stack += ((own, level + 1) for own in inner.body)
    return most


_COMPOUND = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)


def too_deep(span: Span) -> Diagnostic:
    """The diagnostic of a function with too many blocks inside one another."""
    return Diagnostic(
        "AD004",
        "there are too many blocks, or arms of `elif`, inside one another",
        span,
        "choose a part of them first, `if k < 500:`, or look up in a table: `T[k]`",
    )
