"""The width of a text, in columns."""

from __future__ import annotations

import unicodedata


def width(text: str) -> int:
    """Columns of a text; wide characters of East Asia take two, as black counts."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
