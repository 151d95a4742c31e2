"""A TOML file read within bounds, and the places of its keys; tomllib keeps none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.later import later
from ad_transform.run.files import read_bytes

with later():
    import tomllib

_LARGEST = 1 << 20
"""Bytes of a configuration file."""

_DEEPEST = 32
"""Brackets in brackets, and parts of a dotted key: tomllib is quadratic in these."""


class Misconfigured(Exception):
    """The configuration file at `path` is wrong; the diagnostic is an AD008."""

    def __init__(
        self, path: str, message: str, span: Span | None = None, help_text: str = ""
    ) -> None:
        super().__init__(message)
        self.path = path
        self.diagnostic = Diagnostic("AD008", message, span, help_text)


def parsed(path: str) -> Mapping[str, Any]:
    """The content of a TOML file; raises Misconfigured."""
    return parsed_text(path, text_of(path))


def parsed_text(path: str, text: str) -> Mapping[str, Any]:
    """The content of a text of TOML, which stands at `path`; raises Misconfigured."""
    deep = next(_too_deep(text), None)
    if deep is not None:
        what = f"is nested more than {_DEEPEST} deep"
        raise Misconfigured(path, what, _span(text, deep), "write it flatter")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(path, str(error)) from None
    except ValueError as error:  # an integer of thousands of digits
        raise Misconfigured(path, f"is not TOML: {error}") from None


def text_of(path: str) -> str:
    """The text of a file of configuration; raises Misconfigured."""
    try:
        content = read_bytes(path, _LARGEST)
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        help_text = "name a file of TOML, or leave --config out"
        message = f"cannot be read: {error.strerror}"
        raise Misconfigured(path, message, None, help_text) from None
    except UnicodeDecodeError:
        help_text = "save it as UTF-8, as TOML wants it"
        raise Misconfigured(path, "is not UTF-8", None, help_text) from None


def _not_toml(path: str, text: str) -> Misconfigured:
    found = re.search(r" \(at line (\d+), column (\d+)\)$", text)
    if found is None:
        return Misconfigured(path, f"is not TOML: {text}")
    line, column = map(int, found.groups())
    span = Span(line, column, line, column + 1)
    return Misconfigured(path, f"is not TOML: {text[: found.start()]}", span)


# --- bounds ---------------------------------------------------------------------------

_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""'  # strings and comments first: they hide the rest
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}.,=\n]",
    re.DOTALL,
)


def _too_deep(text: str) -> Iterator[int]:
    """The places where brackets, or the parts of a key, go deeper than the bound."""
    depth = dots = 0
    for token in _TOKEN.finditer(text):
        sign = token[0]
        depth += (sign in "[{") - (sign in "]}") if len(sign) == 1 else 0
        dots = dots + 1 if sign == "." else 0 if sign in "[{,=\n" else dots
        if depth > _DEEPEST or dots > _DEEPEST:
            yield token.start()


def _span(text: str, offset: int) -> Span:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return Span(line, column, line, column + 1)


# --- places ---------------------------------------------------------------------------


def place(text: str, table: str, key: str, number: int = 0) -> Span | None:
    """The place of a key, or else of the header of its table.

    `table` is the header as written, with its brackets; `number` counts the headers
    alike that stand before the right one. None where they are written inline or dotted.
    """
    found, is_inside = None, False
    for row, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*(\[.*\])", line)
        if header:
            is_alike = re.sub(r"\s", "", header[1]) == table
            is_inside = is_alike and not number
            number -= is_alike
        here = header or re.match(rf"""\s*((["']?){re.escape(key)}\2)\s*=""", line)
        if is_inside and here:
            found = Span(row, here.start(1) + 1, row, here.end(1) + 1)
            if not header:
                break
    return found
