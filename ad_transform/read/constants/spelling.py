"""Spellings of values: numbers and texts as black writes them."""

from __future__ import annotations

import math


def number(text: str) -> str:
    """A numeric literal in black's spelling."""
    text = text.lower()
    if text.startswith(("0o", "0b")):
        return text
    if text.startswith("0x"):
        return "0x" + text[2:].upper()
    mantissa, exponent, power = text.partition("e")
    whole, point, fraction = mantissa.partition(".")
    if point:
        mantissa = f"{whole or 0}.{fraction or 0}"
    return mantissa + exponent + power.removeprefix("+")


def quoted(value: str) -> str:
    """A string literal in black's spelling."""
    text = repr(value)
    if text[0] == '"':
        return text
    body = text[1:-1].replace("\\'", "'").replace('"', '\\"')
    return text if body.count("\\") > text.count("\\") else f'"{body}"'


def value_text(value: float | int | bool | str) -> str:
    """A Python expression for a value."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    text = repr(value)
    return number(text) if isinstance(value, float) else text
