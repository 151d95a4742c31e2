"""Messages of assertions and exceptions: text and values, as an f-string holds them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import libcst as cst

# fmt: off
ERRORS = frozenset({
    "ArithmeticError", "AssertionError", "Exception", "FloatingPointError",
    "IndexError", "KeyError", "LookupError", "NotImplementedError", "OverflowError",
    "RuntimeError", "TypeError", "ValueError", "ZeroDivisionError",
})
# fmt: on
"""Builtin exceptions that take a message."""

Field = tuple[cst.BaseExpression, str]
"""A value in a message, and how it is shown: "", "!r", ":.3f"."""


_SPEC = re.compile(r"[^\\'\"{}]*")  # what may stand in any f-string of any Python


def is_plain(node: cst.FormattedString) -> bool:
    """Whether an f-string is made of text and `{name}`, perhaps with a plain format."""
    return all(
        isinstance(part, cst.FormattedStringText)
        or (
            isinstance(part, cst.FormattedStringExpression)
            and _is_shown(part.expression)
            and part.equal is None
            and all(
                isinstance(text, cst.FormattedStringText)
                and _SPEC.fullmatch(text.value)
                for text in part.format_spec or ()
            )
        )
        for part in node.parts
    )


def _is_shown(node: cst.BaseExpression) -> bool:
    """A name, a number, `len(x)` or `len(x[0])`."""
    match node:
        case cst.Name() | cst.Integer() | cst.Float():
            return True
        case cst.Call(func=cst.Name("len"), args=[cst.Arg(value=inner, star="")]):
            return _is_place(inner)
    return False


def _is_place(node: cst.BaseExpression) -> bool:
    """A name, or an item of one: `x[0][1]`."""
    match node:
        case cst.Name():
            return True
        case cst.Subscript(
            value=inner,
            slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer()))],
        ):
            return _is_place(inner)
    return False


def twins_of(tree: ast.expr) -> Iterator[ast.expr]:
    """The values in an f-string, in order, as Python parses them."""
    for part in tree.values if isinstance(tree, ast.JoinedStr) else ():
        if isinstance(part, ast.FormattedValue):
            yield part.value


def fields_of(node: cst.FormattedString) -> Iterator[str | Field]:
    """The texts and values of an f-string, in order."""
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            yield _text(part.value, node.start)
        elif isinstance(part, cst.FormattedStringExpression):
            conversion = f"!{part.conversion}" if part.conversion else ""
            spec = "".join(
                getattr(text, "value", "") for text in part.format_spec or ()
            )
            yield part.expression, f"{conversion}:{spec}" if spec else conversion


def _text(raw: str, start: str) -> str:
    """The text between the fields of an f-string that begins with `start`."""
    plain = raw.replace("{{", "{").replace("}}", "}")
    if "r" in start.lower() or "\\" not in plain:
        return plain
    quote = start.lstrip("fFuU")
    return str(ast.literal_eval(f"{quote}{plain}{quote}"))
