"""Places in the files of `read.in_python`: their spans have paths of their own."""

from __future__ import annotations

from ad_transform.diagnostics import Span

DICTS = "<dicts>"
"""The path of the file whose classes are dicts that take any key."""


def path_of(file: str) -> str:
    """The path of the spans in a file of `in_python`."""
    return f"<{file}>"


def is_in_python(span: Span) -> bool:
    """Whether a place is in a file of `in_python`."""
    return is_path_in_python(span.path)


def is_path_in_python(path: str) -> bool:
    """Whether a path is that of a file of `in_python`."""
    return path.startswith("<")
