"""Colours of diagnostics on a terminal.

NO_COLOR forbids them, FORCE_COLOR asks for them, and a dumb terminal has none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TextIO

Paint = Callable[[str, str], str]
"""Takes a style and a text."""

# fmt: off
_STYLES = {
    "error":   "1;31",
    "warning": "1;33",
    "note":    "1;34",
    "place":   "1",
    "margin":  "1;34",
    "help":    "1;36",
}
# fmt: on


def plain(style: str, text: str) -> str:
    """The text as it is."""
    return text


def coloured(style: str, text: str) -> str:
    """The text in a colour."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def paint_for(stream: TextIO | None, environment: Mapping[str, str]) -> Paint:
    """The paint for a stream: coloured on a terminal, unless told otherwise."""
    if environment.get("NO_COLOR"):
        return plain
    if environment.get("FORCE_COLOR") not in (None, "", "0"):
        return coloured
    if environment.get("TERM") == "dumb" or not is_terminal(stream):
        return plain
    return coloured


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal."""
    try:
        return stream is not None and os.isatty(stream.fileno())
    except (OSError, ValueError):
        return False
