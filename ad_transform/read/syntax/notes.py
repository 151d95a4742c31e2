"""Comments of the source that the output keeps: those for people, not for tools."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

import libcst as cst

from ad_transform.ir.nodes import Behind

_PRAGMA = re.compile(
    r"#\s*(?:(?:ad|type|noqa|fmt|pragma|pylint|isort|mypy|ruff|pyright|flake8|yapf)"
    r"\s*:|noqa\b|nosec\b|!)",
    re.IGNORECASE,
)


Notes = tuple[str, ...]

Headed: TypeAlias = cst.If | cst.Else | cst.For | cst.While | cst.MatchCase


def comments_of(node: cst.SimpleStatementLine) -> Notes:
    """The comments above and behind a statement, without `#`; none for tools."""
    above = [line.comment.value for line in node.leading_lines if line.comment]
    behind = node.trailing_whitespace.comment
    return notes_of(above, behind.value if behind else "")


def notes_of(above: Iterable[str], behind: str) -> Notes:
    """Comments as notes, without `#`; comments for tools are left out."""
    said = [text for text in map(_for_people, above) if text]
    last = _for_people(behind)
    return (*said, Behind(last)) if last else tuple(said)


def _for_people(comment: str) -> str:
    """The text of a comment in front of its first word for a tool."""
    return _PRAGMA.split(comment, maxsplit=1)[0].lstrip("#").strip()


def comments_at(node: Headed) -> Notes:
    """The comments above an `if`, a loop or a `case`, and behind its colon."""
    lines = [line.comment.value for line in node.leading_lines if line.comment]
    header = getattr(node.body, "header", None)
    if header is not None and header.comment is not None:
        lines.append(header.comment.value)
    return notes_of(lines, "")
