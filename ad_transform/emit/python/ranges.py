"""Ranges of whole numbers that loops go over, as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.emit.python.layout import delimited

Reference = Callable[[str], str]
"""The name of a function by its qualified name."""

_PLAIN = ("+ ", "- ", "* ", "// ", "% ")
"""Operators that bind at least as tight as `+`."""


def range_of(bounds: Sequence[str], reference: Reference) -> str:
    """`range(stop)`, or with as many bounds as it needs."""
    texts = list(bounds)
    if texts[2:] == ["1"]:
        texts = texts[:2] if texts[0] != "0" else [texts[1]]
    return f"{reference('builtins.range')}({', '.join(texts)})"


def reversed_range(bounds: Sequence[str], reference: Reference) -> str:
    """A range from its end: `range(n)` in place of `range(n - 1, -1, -1)`."""
    if bounds[1:] == ["-1", "-1"]:
        stop = _one_more(bounds[0])
        if stop:
            return range_of(["0", stop, "1"], reference)
    return f"{reference('builtins.reversed')}({range_of(bounds, reference)})"


def _one_more(text: str) -> str:
    """`n - 1` of `n - 2`, and `n` of `n - 1`; empty where brackets would be needed."""
    if text.isdecimal():
        return str(int(text) + 1)
    *before, last = delimited(text)
    if not all(part.startswith(_PLAIN) for part in (*before[1:], last) if before):
        return ""
    sign, _, number = last.partition(" ")
    if not before or sign not in "+-" or not number.isdecimal():
        return f"{text} + 1"
    rest = int(f"{sign}{number}") + 1
    whole = text.removesuffix(f" {last}")
    return f"{whole} {'-' if rest < 0 else '+'} {abs(rest)}" if rest else whole
