"""Diagnostics as text: full, concise, for GitHub's annotations, and JSON.

Columns are 1-based code points in every format (CONTRACT.md, rule 23).
"""

from __future__ import annotations

import io
import re
import tokenize
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.later import later
from ad_transform.run.colour import Paint, plain

with later():
    import json


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic of a file: the path as the user wrote it, and the file's lines.

    `lines` is empty where there is none to quote.
    """

    path: str
    diagnostic: Diagnostic
    lines: tuple[str, ...] = ()

    @property
    def is_error(self) -> bool:
        return self.diagnostic.severity == "error"


def concise(finding: Finding, paint: Paint = plain) -> str:
    """`path:line:col: error[AD110]: text`, in one line."""
    item = finding.diagnostic
    head = paint(item.severity, f"{item.severity}[{item.code}]")
    return f"{paint('place', _place(finding))}: {head}: {_one_line(item.message)}"


def full(finding: Finding, paint: Paint = plain) -> str:
    """The concise line, the source line with carets, and the way out."""
    item = finding.diagnostic
    lines = [concise(finding, paint)]
    span = item.span
    if span is not None and 1 <= span.line <= len(finding.lines):
        carets = partial(paint, item.severity)
        margin = partial(paint, "margin")
        lines += _quotation(finding.lines[span.line - 1], span, margin, carets)
    if item.help:
        first, *rest = item.help.splitlines()
        lines.append(f"  {paint('help', '= help')}: {first}")
        lines += (f"          {line}" for line in rest)
    return "\n".join(lines)


def github(finding: Finding, paint: Paint = plain) -> str:
    """A workflow command, of the shape that ruff prints."""
    item = finding.diagnostic
    fields = {"title": f"ad-transform ({item.code})", "file": finding.path}
    if item.span is not None:
        fields["line"] = str(item.span.line)
        fields["col"] = str(item.span.column)
        fields["endLine"] = str(item.span.end_line)
        fields["endColumn"] = str(item.span.end_column)
    properties = ",".join(f"{key}={_property(value)}" for key, value in fields.items())
    text = f"{_place(finding)}: {item.code} {item.message}"
    if item.help:
        text += f"\nhelp: {item.help}"
    command = "notice" if item.severity == "note" else item.severity
    return f"::{command} {properties}::{_escape(text)}"


def as_json(findings: Sequence[Finding]) -> str:
    """A list with one object per diagnostic, with nulls where there is no place."""
    return json.dumps([_fields(f) for f in findings], indent=2, ensure_ascii=False)


LINE_FORMATS: dict[str, Callable[[Finding, Paint], str]] = {
    "full": full,
    "concise": concise,
    "github": github,
}

FORMATS = (*LINE_FORMATS, "json")


def render(
    findings: Sequence[Finding], output_format: str, paint: Paint = plain
) -> str:
    """All findings in one of FORMATS, without a newline at the end.

    Formats for machines have no colours.
    """
    if output_format == "json":
        return as_json(findings)
    line = LINE_FORMATS[output_format]
    return "\n".join(line(finding, paint) for finding in findings)


def source_lines(source: bytes) -> tuple[str, ...]:
    """The lines of a Python file as Python counts them; none if it is no text.

    `str.splitlines` would know more line ends.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        return tuple(re.split(r"\r\n|\r|\n", source.decode(encoding)))
    except (SyntaxError, UnicodeError, LookupError):
        return ()


# --- the pieces ----------------------------------------------------------------------


def _place(finding: Finding) -> str:
    span = finding.diagnostic.span
    path = _one_line(finding.path)
    return path if span is None else f"{path}:{span.line}:{span.column}"


def _fields(finding: Finding) -> dict[str, object]:
    item = finding.diagnostic
    span = item.span
    return {
        "code": item.code,
        "severity": item.severity,
        "path": _one_line(finding.path),
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": span.end_line if span else None,
        "end_column": span.end_column if span else None,
        "message": item.message,
        "help": item.help or None,
    }


_BEFORE, _WIDTH = 40, 100  # of a long line: shown before the caret, and in all


def _quotation(
    line: str, span: Span, paint: Callable[[str], str], carets: Callable[[str], str]
) -> list[str]:
    """The line of the span, cut to a window if it is long, and carets below."""
    start = min(span.column - 1, len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    end = max(end, start + 1)
    first = max(0, start - _BEFORE) if len(line) > _WIDTH else 0
    window = line[first : first + _WIDTH]
    head = "..." if first else ""
    tail = "..." if first + _WIDTH < len(line) else ""
    lead = head + window[: start - first]
    marked = window[start - first : end - first] or " "
    number = str(span.line)
    margin = " " * len(number)
    below = carets("^" * sum(map(_columns, marked)))
    return [
        paint(f"{margin} |"),
        f"{paint(f'{number} |')} {head}{''.join(map(_printable, window))}{tail}",
        f"{paint(f'{margin} |')} {''.join(map(_blank, lead))}{below}",
    ]


def _blank(character: str) -> str:
    """White space as wide as the character on a terminal."""
    return "\t" if character == "\t" else " " * _columns(character)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _printable(character: str) -> str:
    """The character, or a sign for one that a terminal would obey."""
    if character == "\t" or character.isprintable():
        return character
    return "\N{REPLACEMENT CHARACTER}"


def _one_line(text: str) -> str:
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "replace").decode()
        for c in text
    )


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
